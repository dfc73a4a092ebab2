//! Conversions between value validations and rules that accept the same objects.
//!
//! This includes `pattern` and `self.matches(…)` for strings, which run the same search, and conditions on
//! the presence of fields that the schema declares and that cannot be null. For nullable fields, the two may
//! differ: `required` and `has` treat null as present, but the server drops a null in advance only if the
//! field must not be null. Generated objects prove each offer.

use cel::ParseOptions;
use crd::schema::{Keyword, Schema};
use yaml::edit::{Comments, Editor, NewEntry, NewValue, Position};
use yaml::{Entry, Value};

use super::expression::{Condition, pattern_of};
use super::target::RefactoringTarget;
use super::{EditGuarantee, Offer, RefactoringKind};
use crate::analysis::place;
use crate::analysis::values::{own_entry, string, text};
use crate::features::cel::literal;

const RULES: &str = "x-kubernetes-validations";

pub(super) fn offers(target: &RefactoringTarget<'_, '_>, editor: &Editor<'_>) -> Vec<Offer> {
    let mut offers: Vec<Offer> = to_rule(target, editor).into_iter().collect();
    offers.extend(to_validation(target, editor));
    offers
}

/// Whether all values of `schema` have the type `name`.
fn is_of_type(schema: &Schema<'_, '_>, name: &'static str) -> bool {
    schema.type_name().is(name) && !schema.is_true(Keyword::Nullable) && !schema.is_true(Keyword::IntOrString)
}

/// Whether `schema` declares all `fields`, and none of them may be null.
fn declares(schema: &Schema<'_, '_>, fields: &[&str]) -> bool {
    let own = schema.members(Keyword::Properties);
    fields.iter().all(|name| {
        let field = own.get(name).and_then(|field| Schema::read(field.value(), schema.reader()));
        field.is_some_and(|field| !field.is_true(Keyword::Nullable))
            && cel::declarations::escape(name).is_some()
    })
}

/// Converts the keyword at the place to a rule.
fn to_rule(target: &RefactoringTarget<'_, '_>, editor: &Editor<'_>) -> Option<Offer> {
    let (_, entry) = target.entry()?;
    let key = entry.key_text()?;
    let (schema, found) = target.keyword(&key).filter(|_| !target.is_below_junctor())?;
    let keyword = Keyword::parse(&key).filter(|_| found.range() == entry.range())?;
    let (rule, message) = match keyword {
        Keyword::Pattern if is_of_type(&schema, "string") => {
            let pattern = string(entry.value())?;
            // In YAML, single quotes would have to be doubled.
            let quote = Some('"').filter(|_| !pattern.contains('"'));
            (format!("self.matches({})", literal(&pattern, quote)), Some(format!("must match {pattern}")))
        }
        Keyword::OneOf | Keyword::AnyOf | Keyword::AllOf | Keyword::Not if is_of_type(&schema, "object") => {
            let condition = Condition::of_keyword(&schema, keyword)?;
            if condition == Condition::Always || !declares(&schema, &condition.fields()) {
                return None;
            }
            (condition.to_string(), condition_text(&condition))
        }
        _ => return None,
    };
    let mut entries = vec![NewEntry::new("rule", text(rule))];
    entries.extend(
        message
            .filter(|message| !message.contains('\n'))
            .map(|message| NewEntry::new("message", text(message))),
    );
    let rule = NewValue::Mapping { entries, flow: false };
    let edits = super::edits(editor, |editor| {
        editor.remove(schema.value(), entry, Comments::Keep);
        match own_entry(schema.value(), RULES) {
            Some(rules) => editor.push(rules.value(), rule),
            None => {
                let rules = NewEntry::new(RULES, NewValue::Sequence { items: vec![rule], flow: false });
                editor.insert(schema.value(), position(&schema, RULES), rules);
            }
        }
    });
    let title = format!("Convert `{key}` to a CEL rule");
    Some(Offer { title, kind: RefactoringKind::Rewrite, edits, promise: EditGuarantee::SameVerdicts })
}

/// The condition in words, if there is a short form.
fn condition_text(condition: &Condition) -> Option<String> {
    let names = |parts: &[Condition]| Some(Condition::plain_fields(parts)?.join(", "));
    Some(match condition {
        Condition::One(parts) => format!("exactly one of {} must be set", names(parts)?),
        Condition::Any(parts) => format!("at least one of {} must be set", names(parts)?),
        Condition::Not(part) => match part.as_ref() {
            Condition::Has(name) => format!("{name} must not be set"),
            Condition::All(parts) => format!("{} must not be set together", names(parts)?),
            Condition::Any(parts) => format!("{} must not be set", names(parts)?),
            _ => return None,
        },
        _ => return None,
    })
}

/// Converts the rule at the place to keywords.
fn to_validation(target: &RefactoringTarget<'_, '_>, editor: &Editor<'_>) -> Option<Offer> {
    let (schema, list, rule) = target.rule()?;
    let plain = ["rule", "message", "messageExpression", "reason", "fieldPath"];
    let is_plain = |entry: Entry<'_>| entry.key_text().is_some_and(|key| plain.contains(&key.as_ref()));
    let expression = own_entry(rule, "rule").and_then(|entry| string(entry.value()))?;
    if !rule.as_mapping()?.entries().all(is_plain) {
        return None;
    }
    let options = ParseOptions { optional_syntax: true, two_variable_macros: false, sort_by: false };
    let (ast, issues) = cel::parse(&expression, options);
    if !issues.is_empty() {
        return None;
    }
    let entry = match pattern_of(&ast).filter(|_| is_of_type(&schema, "string")) {
        Some(pattern) => NewEntry::new("pattern", text(pattern)),
        None => {
            let condition = Condition::of_rule(&ast).filter(|_| is_of_type(&schema, "object"))?;
            if !declares(&schema, &condition.fields()) {
                return None;
            }
            condition.validation()?
        }
    };
    // Existing keywords are not changed.
    if own_entry(schema.value(), &entry.key).is_some() {
        return None;
    }
    let key = entry.key.to_string();
    let rules: Vec<_> = list.value().as_sequence()?.items().collect();
    let item = rules.iter().find(|item| item.value().range() == rule.range())?;
    let edits = super::edits(editor, |editor| {
        match rules.len() {
            1 => editor.remove(schema.value(), list, Comments::Keep),
            _ => editor.remove_item(list.value(), *item, Comments::Keep),
        }
        editor.insert(schema.value(), position(&schema, &key), entry);
    });
    let message = if has_message(rule) { " (its message is lost)" } else { "" };
    let title = format!("Convert this rule to `{key}`{message}");
    Some(Offer { title, kind: RefactoringKind::Rewrite, edits, promise: EditGuarantee::SameVerdicts })
}

fn has_message(rule: Value<'_>) -> bool {
    ["message", "messageExpression"].iter().any(|key| own_entry(rule, key).is_some())
}

/// The position of a keyword.
fn position<'t>(schema: &Schema<'_, 't>, key: &str) -> Position<'t> {
    match schema.value().as_mapping() {
        Some(mapping) if place::is_sorted(mapping) => place::by_name(mapping, key),
        Some(mapping) if place::rank(key).is_some() => place::by_rank(mapping, key),
        _ => Position::End,
    }
}
