//! Unions with a discriminator: one field names which of several others is set.

use crd::schema::{Keyword, Schema};
use yaml::Item;
use yaml::edit::{Editor, NewEntry, NewValue};

use super::target::RefactoringTarget;
use super::{EditGuarantee, Offer, RefactoringKind};
use crate::analysis::place;
use crate::analysis::values::{string, text};

/// Adds a `oneOf` to an object with an `enum` whose values are the names of other fields, so that exactly the
/// named field is set.
pub(super) fn close(target: &RefactoringTarget<'_, '_>, editor: &Editor<'_>) -> Vec<Offer> {
    let Some(at) = target.schema().filter(|_| target.is_in_spine()) else { return Vec::new() };
    let schema = &at.schema;
    let own = schema.value().as_mapping();
    let Some(own) = own.filter(|_| schema.entry(Keyword::OneOf).is_none()) else { return Vec::new() };
    let fields = schema.members(Keyword::Properties);
    let names: Vec<&str> = fields.entries.iter().map(|(name, _)| name.as_ref()).collect();
    let mut offers = Vec::new();
    for (tag, field) in &fields.entries {
        let Some(field) = Schema::read(field.value(), schema.reader()) else { continue };
        let Some(members) = members(&field, tag, &names) else { continue };
        let branches = members.iter().map(|member| branch(tag, member, &members)).collect();
        let one_of = NewEntry::new("oneOf", NewValue::Sequence { items: branches, flow: false });
        let position = place::by_rank(own, "oneOf");
        let edits = super::edits(editor, |editor| editor.insert(schema.value(), position, one_of));
        let title = format!("Add `oneOf` so that only the field named by `{tag}` is set");
        offers.push(Offer {
            title,
            kind: RefactoringKind::Rewrite,
            edits,
            promise: EditGuarantee::NothingNew,
        });
    }
    offers
}

/// A value of the discriminator, and the field that it names.
struct Member {
    value: String,
    field: String,
}

/// The values of the `enum` of `tag`; `None` unless each of them names a field.
fn members(tag: &Schema<'_, '_>, name: &str, fields: &[&str]) -> Option<Vec<Member>> {
    if !tag.type_name().is("string") {
        return None;
    }
    let values: Option<Vec<String>> =
        tag.items(Keyword::Enum).map(|item: Item<'_>| string(item.value())).collect();
    let values = values.filter(|values| values.len() > 1)?;
    let of = |value: &String| {
        let mut same = fields.iter().filter(|field| **field != name && field.eq_ignore_ascii_case(value));
        Some(Member { value: value.clone(), field: (*same.next()?).to_owned() })
    };
    values.iter().map(of).collect()
}

/// The schema of objects in which `tag` names `member`, and only this one of `all` fields is set.
fn branch<'t>(tag: &str, member: &Member, all: &[Member]) -> NewValue<'t> {
    let list = |name: &str| NewValue::Sequence { items: vec![text(name)], flow: true };
    let mapping =
        |key: &'static str, value| NewValue::Mapping { entries: vec![NewEntry::new(key, value)], flow: true };
    let values = NewEntry::new(tag.to_owned(), mapping("enum", list(&member.value)));
    let others: Vec<&str> =
        all.iter().map(|other| other.field.as_str()).filter(|other| *other != member.field).collect();
    let not = match others.as_slice() {
        [other] => mapping("required", list(other)),
        others => {
            let items = others.iter().map(|other| mapping("required", list(other))).collect();
            mapping("anyOf", NewValue::Sequence { items, flow: true })
        }
    };
    let entries = vec![
        NewEntry::new("properties", NewValue::Mapping { entries: vec![values], flow: true }),
        NewEntry::new("required", list(&member.field)),
        NewEntry::new("not", not),
    ];
    NewValue::Mapping { entries, flow: false }
}
