//! Reads of possibly absent fields, compared with evaluation of all objects of a small schema.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

mod support;

use cel::ast::Ast;
use cel::possible::{KnownValue, OutcomeAnalysis};
use cel::presence::{guards, reads, unguarded, unguarded_each};
use cel::value::{List, Map};
use cel::{
    CheckedExpr, Context, DeclField, DeclType, Declarations, Environment, Program, StringBounds, Value,
    checker::rule_variables,
};
use support::engine::Engine;

/// `mode` is required, `a`, `b` and `list` are not; an item of `list` may have an `x`.
fn schema() -> Declarations {
    let field = |name: &str, of: DeclType, required: bool| DeclField {
        property: name.to_owned(),
        field_type: of,
        required,
        has_default: false,
    };
    let inner = DeclType::object([field("x", DeclType::integer(), false)]);
    let of = DeclType::object([
        field("mode", DeclType::string(StringBounds::default()), true),
        field("a", DeclType::integer(), false),
        field("b", inner.clone(), false),
        field("list", DeclType::list(inner, Some(2)), false),
        field("m", DeclType::map(DeclType::integer(), Some(2)), true),
    ]);
    Declarations::new(of, "selfType")
}

fn compiled(declarations: &Declarations, text: &str) -> (Ast, CheckedExpr) {
    let variables = rule_variables(declarations, false);
    let context = Context {
        env: Environment::for_stored_rules(),
        variables: &variables,
        provider: declarations,
        regex_is_valid: |_| true,
    };
    let (ast, issues) = cel::parse(text, context.env.parse_options());
    let checked = cel::check(&ast, &context);
    assert!(issues.is_empty() && checked.issues.is_empty(), "{text}: {issues:?} {:?}", checked.issues);
    (ast, checked)
}

fn is_optional(declarations: &Declarations, owner: &str, field: &str) -> bool {
    declarations.object(owner).is_some_and(|of| of.fields.get(field).is_some_and(|field| !field.required))
}

/// The possibly absent values that rule `text` reads if `others` hold.
fn found(text: &str, others: &[&str]) -> Vec<String> {
    let declarations = schema();
    let (ast, checked) = compiled(&declarations, text);
    let others: Vec<_> = others.iter().map(|other| compiled(&declarations, other)).collect();
    let others: Vec<_> = others.iter().map(|(ast, checked)| (ast, checked)).collect();
    let is_optional = |owner: &str, field: &str| is_optional(&declarations, owner, field);
    let found = unguarded((&ast, &checked), &others, &is_optional);
    // All rules together, each with the others as facts, give the same result.
    let mut rules: Vec<_> = others.iter().copied().map(Some).collect();
    rules.extend([None, Some((&ast, &checked))]);
    let each = unguarded_each(&rules, &is_optional);
    let of_last = each.iter().filter(|(at, _)| *at + 1 == rules.len()).map(|(_, one)| one);
    assert!(of_last.eq(&found), "{text}: {each:?}");
    found.into_iter().map(|one| text[one.range.as_usize()].to_owned()).collect()
}

/// Rule `text` with the guard of each value; `None` if there is no guard.
fn guarded(text: &str) -> Vec<Option<String>> {
    let declarations = schema();
    let (ast, checked) = compiled(&declarations, text);
    let is_optional = |owner: &str, field: &str| is_optional(&declarations, owner, field);
    let all = reads((&ast, &checked), &[], &is_optional);
    let values = unguarded((&ast, &checked), &[], &is_optional);
    let with_guard = |path: &str| {
        let guards = guards((&ast, &checked), text, &all, path)?;
        let mut new = text.to_owned();
        let mut changes: Vec<_> = guards.into_iter().flat_map(|guard| guard.changes).collect();
        changes.sort();
        for (range, with) in changes.iter().rev() {
            new.replace_range(range.as_usize(), with);
        }
        Some(new)
    };
    values.iter().map(|one| with_guard(&one.path)).collect()
}

#[test]
fn unguarded_fields_are_found() {
    for (text, expected) in [
        ("self.a > 0", &["self.a"][..]),
        ("self.b.x > 0", &["self.b", "self.b.x"]),
        ("has(self.b.x)", &["self.b"]),
        ("has(self.a) || self.a > 0", &["self.a"]),
        ("!has(self.a) && self.a > 0 || self.mode == ''", &["self.a"]),
        ("self.mode == 'x' ? self.a > 0 : true", &["self.a"]),
        ("has(self.a) || self.b == self.b", &["self.b"]),
        ("self.list.all(i, i.x > 0)", &["self.list", "i.x"]),
        ("!has(self.list) || self.list.exists(i, i.x > 0)", &["i.x"]),
        ("has(self.list) && self.list.map(i, i.x).size() > 0", &["i.x"]),
        ("self.m.k > 0 && self.m['l'] > 0", &["self.m.k", "self.m['l']"]),
        ("self.a > 0 && self.a < 5", &["self.a"]),
        ("oldSelf.a == self.a", &["oldSelf.a", "self.a"]),
        ("has(self.a) && oldSelf.a == self.a", &["oldSelf.a"]),
    ] {
        assert_eq!(found(text, &[]), expected, "{text}");
    }
}

#[test]
fn guarded_fields_are_not_found() {
    for text in [
        "has(self.a) && self.a > 0",
        "self.a > 0 && has(self.a)",
        "!has(self.a) || self.a > 0",
        "self.a > 0 || !has(self.a)",
        "has(self.a) ? self.a > 0 : true",
        "!has(self.a) ? true : self.a > 0",
        "has(self.b) && has(self.b.x) && self.b.x > 0",
        "has(self.a) == false || self.a > 0",
        "has(self.a) == has(self.b) && (has(self.a) ? self.b == self.b : true)",
        "self.?a.orValue(1) > 0",
        "self.?b.x.orValue(1) > 0",
        "self.?a.hasValue() && self.a > 0",
        "self.?a.orValue(0) == 3 ? self.a > 0 : true",
        "self.?b.optMap(v, has(v.x) && v.x > 0).orValue(true)",
        "!has(self.list) || self.list.all(i, has(i.x) && i.x > 0)",
        "!has(self.list) || self.list.filter(i, has(i.x)).all(j, j.x > 0)",
        "!has(self.list) || self.list.all(i, has(i.x)) && self.list.exists(j, j.x > 0)",
        "!has(self.list) || self.list.exists(i, !has(i.x)) || self.list.all(i, i.x > 0)",
        "!has(self.list) || self.list.map(i, has(i.x), i.x).all(x, x > 0)",
        "'k' in self.m && self.m['k'] > 0 && self.m.k > 1",
        "self.mode in ['a', 'b'] ? has(self.a) && self.a > 0 : true",
        "(self.mode == 'a') == has(self.a) && (self.mode != 'a' || self.a > 0)",
    ] {
        assert_eq!(found(text, &[]), [""; 0], "{text}");
    }
}

#[test]
fn conditions_of_other_rules_are_used() {
    let needs = "self.mode == 'a' ? has(self.a) : !has(self.a)";
    assert_eq!(found("self.mode == 'a' ? self.a > 0 : true", &[needs]), [""; 0]);
    assert_eq!(found("self.mode == 'b' ? self.a > 0 : true", &[needs]), ["self.a"]);
    assert_eq!(found("self.mode != 'a' || self.a > 0", &[needs]), [""; 0]);
    assert_eq!(found("self.a > 0", &["has(self.a)"]), [""; 0]);
    let both = "has(self.a) == has(self.b)";
    assert_eq!(found("!has(self.a) && !has(self.b) || self.a > 0 && self.b.x > 0", &[both]), ["self.b.x"]);
    assert_eq!(found("!has(self.a) || self.b == self.b", &[both]), [""; 0]);
    assert_eq!(found("!has(self.a) && self.mode == 'a' || self.b == self.b", &[both]), ["self.b"]);
    assert_eq!(
        found("has(self.list) && self.list.all(i, i.x > 0)", &["self.list.all(e, has(e.x))"]),
        [""; 0]
    );
}

/// A random condition with at most that depth.
fn condition(next: &mut impl FnMut(usize) -> usize, depth: usize) -> String {
    const LEAVES: [&str; 12] = [
        "has(self.a)",
        "self.a > 0",
        "self.a == 1",
        "has(self.b)",
        "has(self.b.x)",
        "self.b.x == 1",
        "self.mode == 'a'",
        "self.mode != 'b'",
        "self.mode in ['a', 'c']",
        "'k' in self.m",
        "self.m['k'] == 1",
        "self.?a.orValue(0) == 1",
    ];
    if depth == 0 || next(5) == 0 {
        return LEAVES[next(LEAVES.len())].to_owned();
    }
    let mut below = || condition(next, depth - 1);
    let (one, two, three) = (below(), below(), below());
    match next(6) {
        0 | 1 => format!("({one} && {two})"),
        2 | 3 => format!("({one} || {two})"),
        4 => format!("!({one})"),
        _ => format!("({one} ? {two} : {three})"),
    }
}

/// All objects of the schema with few values, as far as [`condition`] can distinguish them.
fn objects() -> Vec<Value<'static>> {
    let text = |text: &str| Value::String(text.to_owned().into());
    let map = |entries: Vec<(&str, Value<'static>)>| {
        Value::Map(Map::of_values(entries.into_iter().map(|(key, value)| (text(key), value))))
    };
    let ints = [None, Some(0), Some(1)];
    let mut objects = Vec::new();
    for mode in ["a", "b", "c"] {
        for a in ints {
            for b in [None, Some(None), Some(Some(0)), Some(Some(1))] {
                for k in ints {
                    let mut entries = vec![("mode", text(mode)), ("list", Value::List(List::of(Vec::new())))];
                    entries.extend(a.map(|a| ("a", Value::Int(a))));
                    let x = |x: Option<i64>| map(x.map(|x| ("x", Value::Int(x))).into_iter().collect());
                    entries.extend(b.map(|b| ("b", x(b))));
                    entries.push(("m", map(k.map(|k| ("k", Value::Int(k))).into_iter().collect())));
                    objects.push(map(entries));
                }
            }
        }
    }
    objects
}

#[test]
fn unguarded_fields_are_those_that_fail_in_evaluation() {
    let objects = objects();
    let variables = [cel::Variable { name: "self".to_owned(), variable_type: cel::Type::Dyn }];
    let mut state = environment::seed(7);
    let mut next = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let (mut reported, mut false_alarms, mut rules) = (0, 0, 0);
    let count = environment::made_up(4_000);
    while rules < count {
        let text = condition(&mut next, 4);
        rules += 1;
        // The evaluation is the same for objects without types.
        let env = Environment::for_stored_rules();
        let (ast, _) = cel::parse(&text, env.parse_options());
        let declarations = schema();
        let context =
            Context { env, variables: &variables, provider: &declarations, regex_is_valid: |_| true };
        let checked = cel::check(&ast, &context);
        let program = Program::new(&ast, &checked, &variables, &Engine).unwrap();
        let fails = |object: &Value<'static>| {
            let result = program.evaluate(&[Some(Ok(object.clone()))], &Engine, u64::MAX).result;
            result.is_err_and(|error| error.to_string().contains("no such key"))
        };
        let really = objects.iter().any(fails);
        let ours = !found(&text, &[]).is_empty();
        assert!(ours || !really, "nothing is said of {text}");
        reported += usize::from(ours);
        false_alarms += usize::from(ours && !really);
    }
    println!("{rules} rules, {reported} reported, {false_alarms} of these never fail");
    // Cases that unit propagation cannot decide are rare even in random rules.
    assert!(reported > count / 4 && false_alarms * 50 <= reported, "{false_alarms} of {reported}");
}

#[test]
fn guards_are_inserted_at_the_operand() {
    for (text, expected) in [
        ("self.a > 0", "has(self.a) && self.a > 0"),
        ("!has(self.b) || self.a > 0", "!has(self.b) || has(self.a) && self.a > 0"),
        ("self.mode == 'x' ? self.a > 0 : true", "self.mode == 'x' ? has(self.a) && self.a > 0 : true"),
        ("self.a > 5 ? self.mode == 'x' : true", "has(self.a) && (self.a > 5 ? self.mode == 'x' : true)"),
        // Several reads of one value.
        ("self.a == 1 || self.a == 3", "has(self.a) && (self.a == 1 || self.a == 3)"),
        (
            "(self.a == 1 || self.a == 3) && self.mode == ''",
            "has(self.a) && (self.a == 1 || self.a == 3) && self.mode == ''",
        ),
        (
            "self.a == 1 && self.mode == 'x' || self.a == 3",
            "has(self.a) && (self.a == 1 && self.mode == 'x' || self.a == 3)",
        ),
        (
            "self.a == 1 || self.mode == 'x' || self.a == 3",
            "has(self.a) && self.a == 1 || self.mode == 'x' || has(self.a) && self.a == 3",
        ),
        // Negations.
        ("!(self.a == 1)", "has(self.a) && !(self.a == 1)"),
        ("!(self.a == 1 && self.mode == 'x')", "!((!has(self.a) || self.a == 1) && self.mode == 'x')"),
        ("!(self.mode == 'x' || self.a == 1)", "has(self.a) && !(self.mode == 'x' || self.a == 1)"),
        ("!(self.mode == 'x' || !(self.a == 1))", "has(self.a) && !(self.mode == 'x' || !(self.a == 1))"),
        // Loops.
        (
            "!has(self.list) || self.list.all(i, i.x > 0)",
            "!has(self.list) || self.list.all(i, has(i.x) && i.x > 0)",
        ),
        (
            "has(self.list) && self.list.exists(i, i.x == 1 || i.x == 3)",
            "has(self.list) && self.list.exists(i, has(i.x) && (i.x == 1 || i.x == 3))",
        ),
        (
            "has(self.list) && !self.list.exists(i, i.x == 1)",
            "has(self.list) && !self.list.exists(i, !has(i.x) || i.x == 1)",
        ),
        (
            "has(self.list) && self.list.map(i, i.x).size() > 0",
            "has(self.list) && self.list.all(i, has(i.x)) && self.list.map(i, i.x).size() > 0",
        ),
        (
            "has(self.list) && self.list.exists_one(i, i.x == 1)",
            "has(self.list) && self.list.all(i, has(i.x)) && self.list.exists_one(i, i.x == 1)",
        ),
        // Keys of maps.
        ("self.m['k'] > 0", "'k' in self.m && self.m['k'] > 0"),
        (
            "!(self.m['k'] > 0 && self.mode == 'x')",
            "!((!('k' in self.m) || self.m['k'] > 0) && self.mode == 'x')",
        ),
    ] {
        assert_eq!(guarded(text), [Some(expected.to_owned())], "{text}");
    }
    let both = "self.list.size() > 0 && self.list.all(i, i.x > 0)";
    assert_eq!(
        guarded(both),
        [
            Some(format!("has(self.list) && {both}")),
            Some("self.list.size() > 0 && self.list.all(i, has(i.x) && i.x > 0)".to_owned())
        ]
    );
    let (chain, two) = ("self.b.x > 0", "self.a <= self.b.x");
    assert_eq!(guarded(chain), vec![Some(format!("has(self.b) && has(self.b.x) && {chain}")); 2]);
    assert_eq!(guarded(two), vec![Some(format!("has(self.a) && has(self.b) && has(self.b.x) && {two}")); 3]);
}

#[test]
fn no_guard_is_offered_that_changes_the_result() {
    for text in [
        "(has(self.b) || self.a > 0) == true",
        "has(self.list) && self.list.filter(i, self.mode == 'x' && i.x > 0).size() == 0",
        "[has(self.b) ? 1 : self.a].size() == 1",
    ] {
        assert_eq!(guarded(text), [None], "{text}");
    }
}

/// The program of an expression on objects without types; the evaluation is the same.
fn program(text: &str) -> Program {
    let env = Environment::for_stored_rules();
    let (ast, issues) = cel::parse(text, env.parse_options());
    assert!(issues.is_empty(), "{text}: {issues:?}");
    let variables = [cel::Variable { name: "self".to_owned(), variable_type: cel::Type::Dyn }];
    let declarations = schema();
    let context = Context { env, variables: &variables, provider: &declarations, regex_is_valid: |_| true };
    let checked = cel::check(&ast, &context);
    Program::new(&ast, &checked, &variables, &Engine).unwrap()
}

/// The result of the rule for each object; `None` if it fails.
fn verdicts(text: &str, objects: &[Value<'static>]) -> Vec<Option<bool>> {
    let program = program(text);
    let verdict = |object: &Value<'static>| {
        let result = program.evaluate(&[Some(Ok(object.clone()))], &Engine, u64::MAX).result;
        result.ok().map(|value| matches!(value, Value::Bool(true)))
    };
    objects.iter().map(verdict).collect()
}

/// Pseudorandom numbers, the same in each run.
fn numbers(seed: u64) -> impl FnMut(usize) -> usize {
    let mut state = seed;
    move |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    }
}

#[test]
fn guards_keep_the_results() {
    let objects = objects();
    let mut next = numbers(11);
    let (mut tried, mut without) = (0, 0);
    for _ in 0..1_500 {
        let text = condition(&mut next, 4);
        let before: Vec<bool> =
            verdicts(&text, &objects).into_iter().map(|verdict| verdict == Some(true)).collect();
        for after in guarded(&text) {
            let Some(after) = after else {
                without += 1;
                continue;
            };
            tried += 1;
            let now = verdicts(&after, &objects);
            let now: Vec<bool> = now.into_iter().map(|verdict| verdict == Some(true)).collect();
            assert!(before == now, "{text}\nbecomes\n{after}");
        }
    }
    println!("{tried} guards, none for {without} values");
    assert!(tried > 1_000 && without * 3 < tried, "{tried} {without}");
}

#[test]
fn possible_outcomes_include_the_actual_one() {
    let objects = objects();
    let declarations = schema();
    let mut next = numbers(5);
    let mut certain = 0;
    for _ in 0..3_000 {
        let text = condition(&mut next, 4);
        let (ast, checked) = compiled(&declarations, &text);
        let source = |path: &[cel::possible::ValueStep]| match path {
            [cel::possible::ValueStep::Field(name)] if name == "mode" || name == "m" || name == "list" => {
                KnownValue { is_present: true, ..KnownValue::NOTHING }
            }
            _ => KnownValue::NOTHING,
        };
        let outcome = OutcomeAnalysis::new((&ast, &checked), &source, []).outcome_of(ast.root());
        let all = verdicts(&text, &objects);
        for (verdict, may_be) in [
            (Some(true), outcome.may_be_true()),
            (Some(false), outcome.may_be_false()),
            (None, outcome.fails),
        ] {
            assert!(may_be || !all.contains(&verdict), "{text} may be {verdict:?}");
        }
        certain += usize::from(!(outcome.may_be_true() && outcome.may_be_false()));
    }
    println!("{certain} are always the same");
    assert!(certain > 10, "{certain}");
}

/// Each of a few rules is examined with the others as facts; with too many rules, nothing is reported.
#[test]
fn many_rules_are_examined_in_reasonable_time() {
    let declarations = schema();
    let is_optional = |owner: &str, field: &str| is_optional(&declarations, owner, field);
    for (count, expected) in [(1, 1), (20, 20), (256, 256), (257, 257), (258, 0), (2_000, 0)] {
        let texts: Vec<String> = (0..count).map(|at| format!("self.a > {at}")).collect();
        let trees: Vec<_> = texts.iter().map(|text| compiled(&declarations, text)).collect();
        let rules: Vec<_> = trees.iter().map(|(ast, checked)| Some((ast, checked))).collect();
        assert_eq!(unguarded_each(&rules, &is_optional).len(), expected, "{count} rules");
    }
}
