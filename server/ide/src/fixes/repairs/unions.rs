//! Repairs of unions that the server does not enforce.

use api::Code;
use crd::experimental::unions::Union;
use crd::schema::{Keyword, Schema};
use yaml::edit::{NewEntry, NewValue};

use super::super::plan::Change;
use super::site::Site;
use super::{Repair, Repairer};
use crate::analysis::values::text;

pub(super) const REPAIRS: &[(Code, Repairer)] = &[(Code::UnionsNotEnforced, unfold)];

/// Adds value validations with the meaning of a schema's unions, in the form that the proposal gives.
fn unfold<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let Some((holder, _)) = site.entry() else { return Vec::new() };
    let Some(schema) = Schema::read(holder, site.reader) else { return Vec::new() };
    let (mut changes, mut further) = (Vec::new(), Vec::new());
    let mut has_one_of = schema.entry(Keyword::OneOf).is_some();
    for union in Union::all(&schema) {
        if !union.has_branches(&schema) {
            let branches = NewValue::Sequence {
                items: union.fields.iter().map(|(field, _)| branch(&field.text)).collect(),
                flow: false,
            };
            let one_of = NewEntry::new("oneOf", branches);
            if has_one_of {
                further.push(NewValue::Mapping { entries: vec![one_of], flow: false });
            } else {
                has_one_of = true;
                changes.push(Change::Insert(holder, one_of));
            }
        }
        if !union.has_values(&schema) {
            changes.extend(values(&union, &schema));
        }
    }
    if !further.is_empty() {
        match schema.get(Keyword::AllOf) {
            Some(list) => changes.extend(further.into_iter().map(|item| Change::Push(list, item))),
            None => {
                let all_of = NewValue::Sequence { items: further, flow: false };
                changes.push(Change::Insert(holder, NewEntry::new("allOf", all_of)));
            }
        }
    }
    vec![Repair::suggested("Add `oneOf` and `enum` for the union", changes)]
}

/// `required: [field]`
fn branch<'t>(field: &str) -> NewValue<'t> {
    let list = NewValue::Sequence { items: vec![text(field)], flow: true };
    NewValue::Mapping { entries: vec![NewEntry::new("required", list)], flow: false }
}

/// The missing `enum` of the discriminator.
fn values<'t>(union: &Union, schema: &Schema<'_, 't>) -> Option<Change<'t>> {
    let name = &union.discriminator.as_ref()?.text;
    let property = Schema::read(schema.members(Keyword::Properties).get(name)?.value(), schema.reader())?;
    let items = union.fields.iter().map(|(_, value)| text(value.text.as_str())).collect();
    let values = NewEntry::new("enum", NewValue::Sequence { items, flow: false });
    property.get(Keyword::Enum).is_none().then(|| Change::Insert(property.value(), values))
}
