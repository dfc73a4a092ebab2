//! Fixes for rules that fail for values that the schema accepts: conditions that prevent the failure, and
//! stricter schemas.
//!
//! A condition is offered only if the rule accepts the same generated objects as before; an error counts as a
//! rejection. The title of a fix that changes the accepted objects says so.

use api::Code;
use cel::presence::conditional;
use crd::cel::Purpose;
use crd::rules::RuleView;
use crd::schema::{Keyword, Schema, TypeName};
use text::TextRange;
use yaml::edit::{Editor, NewEntry, NewValue};
use yaml::{Document, Reader};

use super::plan::{self, Change};
use super::repairs::require;
use super::request::FixRequest;
use crate::analysis::caches::Caches;
use crate::fixes::rewrite::changed;
use crate::{Finding, Fix};

pub(super) const OPTIONAL_FIELD: Code = Code::LintCelOptionalField;
pub(super) const INT_OR_STRING: Code = Code::LintCelIntOrString;

/// The findings whose fixes add a condition to a rule. They change no verdict unless their title says so.
pub(super) const CODES: [Code; 2] = [OPTIONAL_FIELD, INT_OR_STRING];

/// The fixes for `finding`: guards first, then changes of the schema.
pub(super) fn guards(request: &FixRequest<'_, '_>, finding: &Finding, caches: &mut Caches) -> Vec<Fix> {
    let FixRequest { document, editor, .. } = *request;
    let mut fixes = Vec::new();
    request.visit_rules(finding, caches, &mut |view| {
        let Some((_, place)) = view.expression(Purpose::Rule) else { return };
        let at = |range| place.range_of(range, view.base());
        let found = match finding.code {
            OPTIONAL_FIELD => guarded(view, finding).into_iter().collect(),
            _ => typed(view, finding),
        };
        for (title, changes) in found {
            let Some(edits) = changed(document, editor, finding.range.start, &changes, at) else {
                continue;
            };
            fixes.push(Fix::suggested(title, edits, finding.code, finding.range));
        }
        if finding.code == OPTIONAL_FIELD {
            fixes.extend(declared(document, view, finding, editor));
        }
    });
    fixes
}

/// A title, with the inserted texts and their places.
type GuardedTexts = (String, Vec<(TextRange, String)>);

/// The rule with a condition around the operand.
fn guarded(view: &RuleView<'_>, finding: &Finding) -> Option<GuardedTexts> {
    let (text, place) = view.expression(Purpose::Rule)?;
    let all = view.unguarded();
    let this = all.iter().find(|one| place.range_of(one.name, view.base()) == finding.range)?;
    let guards = view.guards(this)?;
    let mut changes: Vec<(TextRange, String)> =
        guards.iter().flat_map(|guard| guard.changes.iter().cloned()).collect();
    changes.sort();
    if !view.agrees(&applied(text, &changes)).is_same() {
        return None;
    }
    let first = guards.first()?;
    let joint = if first.demands { "&&" } else { "||" };
    let condition = first.condition();
    Some((format!("Add the guard `{condition} {joint} …` (the rule accepts the same objects)"), changes))
}

/// The rule with a condition on the type of the operand: one that rejects the other type, as the error does,
/// and one that accepts it.
fn typed(view: &RuleView<'_>, finding: &Finding) -> Vec<GuardedTexts> {
    let Some((text, place)) = view.expression(Purpose::Rule) else { return Vec::new() };
    let Some(inspected) = view.inspect(Purpose::Rule, text) else { return Vec::new() };
    let ast = &inspected.ast;
    let operand = ast.exprs().find(|(id, expr)| {
        inspected.checked.type_of(*id).is_dyn() && place.range_of(expr.range, view.base()) == finding.range
    });
    let Some((_, expr)) = operand else { return Vec::new() };
    let Some(written) = text.get(expr.range.as_usize()) else { return Vec::new() };
    let mut found = Vec::new();
    for (own, other) in [("int", "string"), ("string", "int")] {
        let demands = format!("type({written}) == {own}");
        let values = if other == "int" { "integer" } else { other };
        for (condition, joint, effect) in [
            (demands.clone(), "&&", format!("values of type `{values}` stay rejected")),
            (format!("type({written}) == {other}"), "||", format!("accepts values of type `{values}`")),
        ] {
            let of = (ast, &inspected.checked);
            let changes = conditional(of, text, expr.range, &condition, joint == "&&");
            let after = applied(text, &changes);
            let agreement = view.agrees(&after);
            let holds = match joint {
                "&&" => agreement.is_same(),
                _ => agreement.is_same_where_evaluated(),
            };
            if holds {
                found.push((format!("Add `{condition} {joint} …` ({effect})"), changes));
            }
        }
    }
    found
}

/// Changes of the schema so that it rejects objects without the field.
fn declared(document: Document<'_>, view: &RuleView<'_>, finding: &Finding, editor: &Editor<'_>) -> Vec<Fix> {
    let Some((_, place)) = view.expression(Purpose::Rule) else { return Vec::new() };
    let all = view.unguarded();
    let this = all.iter().find(|one| place.range_of(one.name, view.base()) == finding.range);
    let Some((path, name)) = this.and_then(|one| view.lacking(one)) else { return Vec::new() };
    let reader = Reader::new(document);
    let value_at = |path: &crd::FieldPath| crd::value_at(document.root()?, path.segments(), &reader);
    let mut offers: Vec<(String, Change<'_>)> = Vec::new();
    if let Some(Some(change)) = value_at(&path).and_then(|object| require(object, &name)) {
        offers.push((format!("Add `{name}` to `required` (rejects objects without it)"), change));
    }
    let property = value_at(&path.child(Keyword::Properties.as_str()).key(&name));
    if let Some(schema) = property.and_then(|property| Schema::read(property, &reader))
        && let Some((shown, value)) = default_of(&schema)
    {
        let change = Change::Insert(schema.value(), NewEntry::new(Keyword::Default.as_str(), value));
        offers.push((format!("Add `default: {}` to `{name}`", shown.trim_matches('`')), change));
    }
    let fix = |(title, change): (String, Change<'_>)| {
        let edits = plan::edits(editor, &[change])?;
        Some(Fix::suggested(title, edits, finding.code, finding.range))
    };
    offers.into_iter().filter_map(fix).collect()
}

/// A default for values of `schema`, with its text: the first value of an enumeration, or an empty value.
fn default_of<'t>(schema: &Schema<'_, 't>) -> Option<(String, NewValue<'t>)> {
    if let Some(first) = schema.items(Keyword::Enum).next() {
        let shown = first.value().as_scalar()?.text().into_owned();
        return Some((format!("`{shown}`"), NewValue::Copy(first.value())));
    }
    let TypeName::Named(name) = schema.type_name() else { return None };
    let raw = match name.as_ref() {
        "string" => "''",
        "integer" | "number" => "0",
        "boolean" => "false",
        "array" => "[]",
        "object" => "{}",
        _ => return None,
    };
    Some((format!("`{raw}`"), NewValue::Raw(raw.to_owned())))
}

/// `text` with `changes`, which are sorted by position.
fn applied(text: &str, changes: &[(TextRange, String)]) -> String {
    let mut text = text.to_owned();
    for (range, new) in changes.iter().rev() {
        text.replace_range(range.as_usize(), new);
    }
    text
}
