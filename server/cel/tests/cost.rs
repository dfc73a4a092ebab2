//! The maximum cost of each recorded case, and whether it is a transition rule.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

mod support;

use support::{are_from_elsewhere, cases, compile, context, schemas};

#[test]
fn costs_and_transition_rules_are_those_of_the_api_server() {
    let schemas = schemas();
    let mut wrong = Vec::new();
    let mut count = 0;
    for case in cases() {
        let Some(theirs) = case.json["cost"].as_u64() else { continue };
        if !case.located().is_empty() || !case.later().is_empty() {
            // The recorder writes a cost of 0 for some rejected texts.
            continue;
        }
        let declarations = case.declarations(&schemas);
        let variables = case.variables(&declarations);
        let context = context(case.env(), &variables, &declarations);
        let (_, ast, checked) = compile(&case.text, &context);
        let ours = cel::estimate(&ast, &checked, declarations.root()).max;
        // Only rules are compared; the recorder pairs each messageExpression with a separate rule.
        if case.str("kind", "rule") == "rule" {
            assert_eq!(checked.uses(&ast, "oldSelf"), case.flag("usesOldSelf"), "{}: {}", case.id, case.text);
        }
        count += 1;
        if ours != theirs {
            wrong.push(format!("{} {:?}: ours {ours}, theirs {theirs}", case.id, case.text));
        }
    }
    println!("{count} costs, {} differ", wrong.len());
    assert!(wrong.is_empty(), "{} of {count} costs differ:\n{}", wrong.len(), wrong.join("\n"));
    assert!(count > 2_500 || are_from_elsewhere(), "only {count} costs");
}
