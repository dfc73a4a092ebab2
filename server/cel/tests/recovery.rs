//! The results for unfinished rules in an editor, and for hostile text: a tree with types, never a crash.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod support;

use std::time::Duration;

use cel::ast::{Ast, ExprKind};
use cel::checker::rule_variables;
use cel::{Declarations, Environment, Issue, Type};
use cpu_time::ThreadTime;
use support::{context, decl, schemas};

fn deep() -> Declarations {
    Declarations::new(decl(&schemas()["deep.yaml"], false).unwrap(), "selfType")
}

fn analyse(text: &str) -> (Ast, Vec<Issue>, cel::CheckedExpr) {
    let declarations = deep();
    let variables = rule_variables(&declarations, false);
    let context = context(Environment::for_new_rules(37), &variables, &declarations);
    let (ast, issues) = cel::parse(text, context.env.parse_options());
    let checked = cel::check(&ast, &context);
    (ast, issues, checked)
}

/// The type of the node for the text `part` in `text`.
fn type_at(text: &str, part: &str) -> String {
    let (ast, _, checked) = analyse(text);
    let start = u32::try_from(text.rfind(part).unwrap()).unwrap();
    let end = start + u32::try_from(part.len()).unwrap();
    let (id, _) = ast
        .exprs()
        .filter(|(_, expr)| expr.range.start == start && expr.range.end == end)
        .last()
        .unwrap_or_else(|| panic!("no node at {part:?} of {text:?}"));
    checked.type_of(id).to_string()
}

#[test]
fn the_operand_before_a_dot_has_a_type_while_the_field_is_typed() {
    assert_eq!(type_at("self.", "self"), "selfType");
    assert_eq!(type_at("self.spec.", "self.spec"), "selfType.spec");
    assert_eq!(type_at("self.spec. == 1 && self.n > 1", "self.spec"), "selfType.spec");
    assert_eq!(type_at("self.n > 1 && self.spec.", "self.spec"), "selfType.spec");
    assert_eq!(type_at("(self.on ? self.spec.", "self.spec"), "selfType.spec");
    assert_eq!(type_at("self.spec.routes.all(r, r.", "r"), "selfType.spec.routes.@idx");
    assert_eq!(type_at("self.spec.routes.all(r, r.)", "r"), "selfType.spec.routes.@idx");
    assert_eq!(
        type_at("self.spec.routes.all(r, r.weight > 1 && r.backends.", "r.backends"),
        "list(selfType.spec.routes.@idx.backends.@idx)"
    );
    assert_eq!(type_at("[self.spec.", "self.spec"), "selfType.spec");
    assert_eq!(type_at("{'a': self.spec.", "self.spec"), "selfType.spec");
    assert_eq!(type_at("size(self.spec.", "self.spec"), "selfType.spec");
    assert_eq!(type_at("self.?spec.?", "self.?spec"), "optional_type(selfType.spec)");
}

#[test]
fn all_syntax_errors_of_a_rule_are_reported_at_their_places() {
    let (_, issues, _) = analyse("[1 2] == [3 4] && self. && (self.n > 1");
    let places: Vec<_> = issues.iter().map(|issue| issue.anchor.unwrap()).collect();
    assert_eq!(places, [3, 12, 24, 38], "{issues:?}");
}

#[test]
fn tokens_skipped_after_an_error_have_types_and_no_separate_errors() {
    let text = "self.n = 1 && self.name == 'a' && self.spec.";
    let (_, issues, checked) = analyse(text);
    let places: Vec<_> = issues.iter().map(|issue| issue.anchor.unwrap()).collect();
    assert_eq!(places, [7, 9], "{issues:?}");
    assert!(checked.issues.is_empty());
    assert_eq!(type_at(text, "self.name"), "string");
    assert_eq!(type_at(text, "self.spec"), "selfType.spec");
}

#[test]
fn a_missing_field_causes_no_separate_type_error() {
    let (_, issues, checked) = analyse("self.spec. && self.nope");
    assert_eq!(issues.len(), 1);
    let messages: Vec<_> = checked.issues.iter().map(|issue| issue.message.as_str()).collect();
    assert_eq!(messages, ["undefined field 'nope'"]);
}

#[test]
fn a_macro_keeps_its_written_form() {
    let text = "self.tags.all(t, has(self.name))";
    let (ast, issues, _) = analyse(text);
    assert!(issues.is_empty());
    let written: Vec<_> = ast
        .macros()
        .iter()
        .map(|call| (&text[call.name_range.as_usize()], ast.list(call.args).len(), call.target.is_some()))
        .collect();
    assert_eq!(written, [("has", 1, false), ("all", 2, true)]);
    assert!(matches!(ast.kind(ast.root()), ExprKind::Comprehension(_)));
    assert_eq!(&text[ast.expr(ast.root()).range.as_usize()], text);
}

#[test]
fn every_cut_of_a_long_rule_has_a_tree_and_types() {
    let text = "self.spec.routes.all(r, has(r.host) && r.names.exists(n, n.matches('^[a-z]$')) ? {'a': [1, 2u]}['b'].size() > -1 : self.?spec.title.orValue(b'x\\x41') == r\"\"\"a\"\"\" || google.protobuf.Int64Value{value: 1} < 2)";
    for end in (0..=text.len()).filter(|end| text.is_char_boundary(*end)) {
        let (ast, _, checked) = analyse(&text[..end]);
        for (id, expr) in ast.exprs() {
            assert!(expr.range.end as usize <= end, "{id:?} reaches behind the text");
            let _ = checked.type_of(id);
        }
        let (ast, _, _) = analyse(&text[end..]);
        assert!(!ast.is_empty());
    }
}

/// Checks `text` with a small stack and within four seconds of one thread.
fn survives(text: String) -> Vec<Issue> {
    let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(move || {
        let start = ThreadTime::now();
        let (ast, mut issues, checked) = analyse(&text);
        let declarations = deep();
        let _ = cel::explain(&ast, &checked, declarations.root());
        issues.extend(checked.issues);
        let took = start.elapsed();
        assert!(took < Duration::from_secs(4), "{} bytes took {took:?}", text.len());
        issues
    });
    thread.unwrap().join().unwrap()
}

#[test]
fn deep_nesting_ends_at_the_limits_of_the_server() {
    for (open, close) in [("(", ")"), ("[", "]"), ("size(", ")"), ("!(", ")"), ("{1: ", "}"), ("-(", ")")] {
        for depth in [100, 240, 260, 20_000] {
            survives(format!("{}1{}", open.repeat(depth), close.repeat(depth)));
            survives(open.repeat(depth));
        }
    }
    let limit = "expression recursion limit exceeded: 250";
    assert_eq!(survives(format!("{}1{}", "(".repeat(300), ")".repeat(300)))[0].message, limit);
    for link in [" + 1", ".a", "[0]", " < 2", ".f()", ".?a", "[?0]"] {
        for length in [200, 300, 20_000] {
            survives(format!("self{}", link.repeat(length)));
        }
    }
    assert_eq!(survives(format!("1{}", " + 1".repeat(300)))[0].message, "max recursion depth exceeded");
    assert!(survives(format!("true{}", " && true".repeat(9_000))).is_empty());
}

#[test]
fn macros_in_macros_stay_small() {
    let nested = |depth: usize| {
        let open: String = (0..depth).map(|n| format!("[1].all(v{n}, [v{n}] == [1] && ")).collect();
        format!("{open}true{}", ")".repeat(depth))
    };
    assert!(survives(nested(50)).is_empty());
    survives(nested(240));
    // `optMap` copies its receiver: each link doubles the expression before it.
    let issues = survives(format!("optional.of(1){}", ".optMap(x, x)".repeat(200)));
    assert!(issues.iter().any(|issue| issue.code == cel::IssueCode::TooLarge), "{issues:?}");
    // The size of a type may double with each step, too.
    let doubling = ".map(a, {a: a})".repeat(60);
    let issues = survives(format!("['a']{doubling}"));
    assert!(issues.iter().any(|issue| issue.code == cel::IssueCode::TooLarge), "{issues:?}");
}

#[test]
fn long_texts_take_time_in_proportion() {
    survives("'''".repeat(30_000));
    survives("`a".repeat(40_000));
    survives("r'".repeat(40_000));
    survives("# ".repeat(40_000));
    survives("a.b.".repeat(20_000));
    survives("[,".repeat(40_000));
    survives("1 2 ".repeat(20_000));
    survives("x,".repeat(40_000));
    survives(format!("[{}]", "1, ".repeat(30_000)));
    survives(format!("[{}]", (0..15_000).map(|n| format!("a{n}, ")).collect::<String>()));
    survives("é".repeat(100_001));
}

#[test]
fn errors_of_limits_have_no_place() {
    let issues = survives("x".repeat(100_001));
    assert_eq!(issues[0].message, "expression code point size exceeds limit: size: 100001, limit 100000");
    assert_eq!(cel::issue::place("x", issues[0].anchor).line, -1);
}

#[test]
fn type_errors_do_not_cascade() {
    let (ast, _, checked) = analyse("self.nope.more.size() > 1 ? 1 : 2");
    assert_eq!(checked.issues.len(), 1);
    assert_eq!(*checked.type_of(ast.root()), Type::Int);
}

#[test]
fn a_field_without_colon_has_a_place_between_characters() {
    let text = "google.protobuf.Int64Value{v😀e\n c: 1}";
    let (ast, _) = cel::parse(text, cel::Environment::for_stored_rules().parse_options());
    let declarations = Declarations::new(decl(&schemas()["deep.yaml"], false).unwrap(), "selfType");
    let variables = rule_variables(&declarations, false);
    let checked = cel::check(&ast, &context(cel::Environment::for_stored_rules(), &variables, &declarations));
    assert!(checked.issues.iter().any(|issue| issue.message == "undefined field 'v'"));
    assert!(checked.issues.iter().all(|issue| text.get(issue.range.as_usize()).is_some()));
}
