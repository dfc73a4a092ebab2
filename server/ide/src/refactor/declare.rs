//! Declares the union that a `oneOf` of required fields describes, in the form of the proposal on unions.

use crd::experimental::UNIONS;
use crd::schema::{Keyword, Schema};
use yaml::edit::{Editor, NewEntry, NewValue};

use super::target::RefactoringTarget;
use super::{EditGuarantee, Offer, RefactoringKind};
use crate::analysis::place;
use crate::analysis::values::{string, text};

/// Adds `x-kubernetes-unions` if `oneOf` requires one of several fields, and a field has an `enum` with a
/// value for each of them. The `oneOf` stays, because current servers support only that.
pub(super) fn declare(target: &RefactoringTarget<'_, '_>, editor: &Editor<'_>) -> Vec<Offer> {
    let Some(at) = target.schema().filter(|_| !target.is_below_junctor()) else { return Vec::new() };
    let schema = &at.schema;
    let is_declared = schema.unknown().iter().any(|entry| entry.key_text().is_some_and(|key| key == UNIONS));
    let (Some(own), false) = (schema.value().as_mapping(), is_declared) else { return Vec::new() };
    let fields: Option<Vec<String>> =
        schema.items(Keyword::OneOf).map(|item| required_alone(schema, item.value())).collect();
    let Some(fields) = fields.filter(|fields| fields.len() > 1) else { return Vec::new() };
    let mut offers = Vec::new();
    for (tag, property) in &schema.members(Keyword::Properties).entries {
        let property = Schema::read(property.value(), schema.reader());
        let Some(values) = property.and_then(|property| values(&property, &fields)) else { continue };
        let entries =
            fields.iter().zip(values).map(|(field, value)| NewEntry::new(field.clone(), text(value)));
        let entries = vec![
            NewEntry::new("discriminator", text(tag.as_ref())),
            NewEntry::new("fields", NewValue::Mapping { entries: entries.collect(), flow: false }),
        ];
        let unions =
            NewValue::Sequence { items: vec![NewValue::Mapping { entries, flow: false }], flow: false };
        let position = place::by_rank(own, "type");
        let edits = super::edits(editor, |editor| {
            editor.insert(schema.value(), position, NewEntry::new(UNIONS, unions))
        });
        let title = format!("Add `{UNIONS}` with the discriminator `{tag}`");
        offers.push(Offer {
            title,
            kind: RefactoringKind::Rewrite,
            edits,
            promise: EditGuarantee::NothingNew,
        });
    }
    offers
}

/// The only field that a branch requires, if it has no other keywords.
fn required_alone(schema: &Schema<'_, '_>, branch: yaml::Value<'_>) -> Option<String> {
    let branch = Schema::read(branch, schema.reader())?;
    let mut required = branch.items(Keyword::Required);
    let (first, more) = (required.next()?, required.next());
    let alone = branch.entries().count() == 1 && branch.unknown().is_empty() && more.is_none();
    string(first.value()).filter(|_| alone)
}

/// For each of `fields`, the value of the `enum` that represents it; `None` unless each value represents one
/// field.
fn values(property: &Schema<'_, '_>, fields: &[String]) -> Option<Vec<String>> {
    let is_string = property.type_name().is("string");
    let values: Option<Vec<String>> =
        property.items(Keyword::Enum).map(|item| string(item.value())).collect();
    let values = values.filter(|values| is_string && values.len() == fields.len())?;
    let of = |field: &String| values.iter().find(|value| value.eq_ignore_ascii_case(field)).cloned();
    fields.iter().map(of).collect()
}
