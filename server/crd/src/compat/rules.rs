//! New and changed rules, and whether existing objects can violate them.

use api::Code;

use super::AffectedParty;
use super::ChangeSeverity::{Breaking, Risky, Safe};
use super::fulfilment::{self, of_all_items, result};
use super::schema::{NodeChange, REJECTED, SchemaAt, SchemaComparison};
use crate::schema::Keyword;
use crate::schema::structural::ValidationRule;

pub(super) fn compare(walk: &mut SchemaComparison<'_>, old: SchemaAt<'_>, new: SchemaAt<'_>) {
    let is_among = |rule: &ValidationRule, all: &[ValidationRule]| {
        all.iter().any(|other| other.rule.trim() == rule.rule.trim())
    };
    let (before, now) = (&old.schema.validations, &new.schema.validations);
    let replaces = before.iter().any(|rule| !is_among(rule, now));
    for rule in now.iter().filter(|rule| !is_among(rule, before)) {
        let (class, what) = match replaces {
            _ if fulfilment::always(rule, old, new) => {
                (Safe, "was added; every object that was valid satisfies it")
            }
            true => (Risky, "changed; values that do not satisfy it are rejected"),
            false if may_hold(rule, old) => (
                Risky,
                "was added; values that do not satisfy it are rejected, if the earlier schema allows any",
            ),
            false => (Breaking, "was added; values that do not satisfy it are rejected"),
        };
        let affects: &[AffectedParty] = if class == Safe { &[] } else { REJECTED };
        // A transition rule compares old and new values, so that ratcheting does not apply.
        let ratchets = class != Safe && !rule.rule.contains("oldSelf");
        let text = format!("the rule `{}` {what}", rule.rule.trim());
        let keyword = Some(Keyword::Validations);
        walk.report(
            old,
            new,
            NodeChange { code: Code::CompatRuleAdded, class, affects, text, keyword, ratchets },
        );
        if let Some(change) = walk.changes.last_mut() {
            change.range = rule.range.wrapping_shifted(new.base);
        }
    }
}

/// Sample texts of many forms: rules on texts usually reject some of them.
const TEXTS: [&str; 20] = [
    "a",
    "A",
    "1",
    "abc",
    "a-b",
    "a.b",
    "a_b",
    "a/b",
    "/a",
    "a:b",
    "*",
    "*.a.b",
    "a*",
    "10.0.0.1",
    "10.0.0.0/8",
    "::1",
    "http://a.b/c",
    "1h",
    "-",
    "a b",
];

/// Whether a rule on texts may be implied by their pattern: it accepts all sample texts that the pattern allows.
fn may_hold(rule: &ValidationRule, old: SchemaAt<'_>) -> bool {
    let of_items = of_all_items(&rule.rule).zip(old.schema.items.as_ref());
    let (condition, name, schema) = match of_items {
        Some((of_items, items)) => (of_items.condition, of_items.name, &items.node),
        None => (&*rule.rule, "self", old.schema),
    };
    let Some(pattern) = &schema.value_validation.pattern else { return false };
    let is_text = &*schema.generic.type_name == "string";
    let allowed = TEXTS.iter().filter(|text| pattern.is_match(text).unwrap_or(false));
    let mut results = allowed.map(|text| result(condition, name, Some(text))).peekable();
    is_text && results.peek().is_some() && results.all(|result| result == Some(true))
}
