//! Rules that do not compile: the errors of their corrected form are also found.

use super::several_errors::{expect_hidden, expect_only, findings_in};

const RULE: &str = "x-kubernetes-validations:\n- rule: ";

/// A list of lists of strings without bounds, beside a time, and `rule` on them.
fn unbounded(rule: &str) -> String {
    format!(
        "type: object\nrequired: [lists, names, time, size]\nproperties:\n  lists:\n    type: array\n    items:\n      type: array\n      items:\n        type: string\n  names:\n    type: array\n    maxItems: 3\n    items:\n      type: string\n      maxLength: 3\n  time:\n    type: string\n    format: date-time\n  size:\n    type: integer\n{RULE}\"{rule}\"\n"
    )
}

#[test]
fn a_rule_has_the_cost_of_its_correction() {
    for rule in [
        "self.list.all(x, x.all(y, y.contains('a')))",
        "self.lists.all(x, x.all(y, y.contain('a')))",
        "self.lsits.all(x, x.all(y, y.contain('a')))",
        "self.size > 1 and self.lists.all(x, x.all(y, y.contains('a')))",
        "self.lists.all(x, x.all(y, y.contains('a'))",
        "self.lists.filter(x, x.all(y, y.contains('a')))",
        "self.lists.all(x, x.all(y, y.contains('a'))) ? 1 : 2",
    ] {
        let schema = unbounded(rule);
        for code in ["cel/rule-cost", "cel/crd-cost-contributor"] {
            expect_hidden(&schema, code, &format!("\"{rule}\""));
        }
        let found = findings_in(&schema);
        assert!(found.iter().any(|(code, _, server)| *code == "cel/crd-cost-total" && !server), "{found:?}");
    }
}

#[test]
fn a_cheap_rule_has_no_cost_finding() {
    for rule in ["self.naems.all(x, x == 'a')", "self.names.all(x, x.contain('a'))", "self.size"] {
        expect_only(&unbounded(rule), &["cel/rule-compile"]);
    }
}

#[test]
fn a_rule_without_a_correction_has_no_cost() {
    for rule in ["self.lists.all(x.y, x.all(y, y.contains('a')))", "self.nowhere.all(x, x.contains('a'))"] {
        expect_only(&unbounded(rule), &["cel/rule-compile"]);
    }
}

#[test]
fn an_unbounded_time_is_not_corrected_to_its_text() {
    for rule in ["self.time.contains('a')", "self.time.contain('a')", "self.time.matches('a')"] {
        expect_only(&unbounded(rule), &["cel/rule-compile"]);
    }
}

#[test]
fn a_rule_that_does_not_compile_contributes_to_the_total_cost() {
    let schema = format!(
        "type: object\nproperties:\n  lists:\n    type: array\n    items:\n      type: string\n      {}\n    {}",
        "x-kubernetes-validations:\n      - rule: 1 + 1",
        "x-kubernetes-validations:\n    - rule: self.all(a, self.all(b, a == b || a != b))\n"
    );
    expect_hidden(&schema, "cel/crd-cost-contributor", "1 + 1");
}

/// The cost depends on the correction: `string` of a number has no bound, and `format` has one.
#[test]
fn a_message_that_does_not_compile_has_no_cost() {
    let message = "self.lists.map(x, x.map(y, y + y)[0] + x[0])";
    let schema = format!("{}  messageExpression: \"{message}[0]\"\n", unbounded("self.size > 0"));
    let (broken, right) = (schema.replace("[0] + x[0])[0]", "[0] + x[0])[0].size()"), schema);
    assert!(
        findings_in(&right).iter().any(|(code, ..)| *code == "cel/message-expression-cost"),
        "{:?}",
        findings_in(&right)
    );
    let codes: Vec<_> = findings_in(&broken).iter().map(|(code, ..)| *code).collect();
    assert_eq!(codes, ["cel/message-expression-compile"]);
}

#[test]
fn an_uncorrelatable_old_value_is_reported_before_the_rule_compiles() {
    let schema = "type: object\nproperties:\n  names:\n    type: array\n    maxItems: 3\n    items:\n      type: string\n      maxLength: 3\n      x-kubernetes-validations:\n      - rule: self == oldSelfe\n";
    expect_hidden(schema, "cel/old-self-uncorrelatable", "self == oldSelfe");
    let schema = schema.replace("oldSelfe", "oldSelf || self.startWith('a') || self == oldSelf");
    expect_hidden(
        &schema,
        "cel/old-self-uncorrelatable",
        "self == oldSelf || self.startWith('a') || self == oldSelf",
    );
}
