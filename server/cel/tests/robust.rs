//! Any text has a tree with ranges within the text, types for all nodes, and a cost.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod support;

use cel::checker::rule_variables;
use cel::declarations::{escape, unescape};
use cel::issue::BEFORE_TEXT;
use cel::{Declarations, Environment};
use proptest::prelude::*;
use support::{compile, context, decl, schemas};

/// Words and operators of rules, some of them invalid.
const PARTS: &[&str] = &[
    "self",
    ".",
    "spec",
    "routes",
    "tags",
    "labels",
    "name",
    "n",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ",",
    ":",
    "?",
    "!",
    "-",
    "+",
    "*",
    "%",
    "==",
    "!=",
    "<",
    "&&",
    "||",
    " in ",
    " ",
    "\n",
    "'a'",
    "\"",
    "'",
    "'''",
    "r'",
    "b'\\x",
    "`",
    "1",
    "1u",
    "0x",
    "1.5e",
    ".all(x, ",
    ".map(x, ",
    ".exists(a, b, ",
    ".filter(x, ",
    ".sortBy(x, ",
    "has(",
    ".?",
    "[?",
    ".optMap(x, ",
    "x",
    "true",
    "null",
    "if",
    "dyn(",
    "size(",
    ".join(",
    "google.protobuf.Int64Value{",
    "value",
    "//",
    "é",
    "😀",
    "\\",
    "#",
    "=",
    "format.named(",
    "sets.contains(",
    "optional.of(",
    ".flatten()",
    ".format([",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3_000))]

    #[test]
    fn any_text_is_analysed_within_its_bounds(
        parts in prop::collection::vec(prop::sample::select(PARTS), 0..40),
        minor in 25u8..39,
    ) {
        let text = parts.concat();
        let declarations = Declarations::new(decl(&schemas()["deep.yaml"], false).unwrap(), "selfType");
        let variables = rule_variables(&declarations, minor % 2 == 0);
        let context = context(Environment::for_new_rules(minor), &variables, &declarations);
        let (issues, ast, checked) = compile(&text, &context);
        for (id, expr) in ast.exprs() {
            prop_assert!(text.get(expr.range.as_usize()).is_some(), "{:?}", expr);
            prop_assert!(text.is_char_boundary(expr.anchor as usize), "{:?}", expr);
            let _ = checked.type_of(id);
        }
        for issue in &issues {
            prop_assert!(text.get(issue.range.as_usize()).is_some(), "{:?}", issue);
        }
        let order = |issue: &cel::Issue| issue.anchor.map_or(-2, |at| if at == BEFORE_TEXT { -1 } else { i64::from(at) });
        prop_assert!(issues.is_sorted_by_key(order));
        let _ = cel::issue::render(&text, &issues);
        let _ = cel::explain(&ast, &checked, declarations.root());
        let _ = cel::requirement::requirement(&ast, &checked);
    }

    #[test]
    fn escaped_names_can_be_unescaped(property in "[a-zA-Z_./-][a-zA-Z0-9_./-]{0,12}") {
        let escaped = escape(&property).unwrap();
        prop_assert!(!escaped.contains(['.', '-', '/']));
        if !property.contains("__") && !property.contains('_') {
            prop_assert_eq!(unescape(&escaped), Some(property));
        }
    }
}

#[test]
fn names_are_escaped_as_the_api_server_does() {
    for (property, escaped) in [
        ("plain", Some("plain")),
        ("a-b", Some("a__dash__b")),
        ("a.b", Some("a__dot__b")),
        ("a/b", Some("a__slash__b")),
        ("a__b", Some("a__underscores__b")),
        ("_x", Some("_x")),
        ("namespace", Some("__namespace__")),
        ("true", Some("__true__")),
        ("int", Some("int")),
        ("1st", None),
        ("", None),
        ("a b", None),
        ("é", None),
    ] {
        assert_eq!(escape(property).as_deref(), escaped, "{property}");
        if let Some(escaped) = escaped {
            assert_eq!(unescape(escaped).as_deref(), Some(property), "{escaped}");
        }
    }
}
