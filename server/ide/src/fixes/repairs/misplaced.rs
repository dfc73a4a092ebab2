//! Repairs of fields that are one level too deep, one level too high, or outside of an object that the API
//! has around them.

use api::{Code, Field, FieldType, JSON_SCHEMA_PROPS, ObjectType};
use crd::nearest_field;
use crd::object::definitions;
use text::TextEdit;
use yaml::edit::{NewEntry, NewValue};
use yaml::{Entry, Mapping, Sequence, Value, ValueKind};

use super::super::plan::Change;
use super::super::proof::Proof;
use super::super::request::FixRequest;
use super::site::{ParentLink, Site};
use super::{Repair, conversion};
use crate::analysis::values::own_entry;
use crate::migrate::is_bumped;
use crate::{Applicability, Finding, Fix};

/// The maximum number of names in a title.
const MOST_NAMES: usize = 3;
/// The maximum number of nested objects that may be missing around a field: `schema` and `openAPIV3Schema`.
const DEPTH: usize = 2;

/// The maximum number of misplaced fields that are examined for one request; each takes a check of the
/// document.
const MOST: usize = 20;
const CODE: Code = Code::DecodeUnknownField;
/// The findings on missing fields, which may be at another place.
const MISSING: [Code; 10] = [
    Code::DefinitionPartial,
    Code::NamesKindRequired,
    Code::NamesMetadataName,
    Code::NamesPluralRequired,
    Code::SpecGroupRequired,
    Code::SpecScopeRequired,
    Code::StoredVersionsEmpty,
    Code::VersionsOneStorage,
    Code::VersionsSchemaRequired,
    CODE,
];

/// The fixes for the touched findings of `request` that result from misplaced fields.
pub(in crate::fixes) fn fixes(request: &FixRequest<'_, '_>, proof: &mut Proof) -> Vec<Fix> {
    if request.with_codes(&MISSING).next().is_none() {
        return Vec::new();
    }
    let mut fixes = all(request, proof);
    fixes.retain(|fix| fix.repairs.iter().any(|(_, place)| place.overlaps(request.range)));
    fixes
}

/// The first of the safe fixes.
pub(in crate::fixes) fn safe(request: &FixRequest<'_, '_>, proof: &mut Proof) -> Option<Vec<TextEdit>> {
    let mut fixes = all(request, proof).into_iter();
    fixes.find(|fix| fix.applicability == Applicability::Safe).map(|fix| fix.edits)
}

/// The fixes for all misplaced fields of the document.
fn all(request: &FixRequest<'_, '_>, proof: &mut Proof) -> Vec<Fix> {
    let FixRequest { document, reader, findings, editor, .. } = *request;
    let mut fixes: Vec<Fix> = Vec::new();
    let unknown: Vec<&Finding> = findings.iter().filter(|finding| finding.code == CODE).take(MOST).collect();
    if unknown.is_empty() {
        return fixes;
    }
    let definitions = definitions(document, reader);
    for finding in unknown {
        let mut definitions = definitions.iter();
        let Some(definition) = definitions.find(|one| one.value().range().contains_range(finding.range))
        else {
            continue;
        };
        // The migration moves the fields that v1beta1 has once for all versions.
        if is_bumped(definition) {
            continue;
        }
        for Repair { title, applicability, changes, .. } in moves_to_place(&Site::new(finding, definition)) {
            let Some(edits) = super::edits(editor, &changes) else { continue };
            if fixes.iter().any(|fix| fix.edits == edits) {
                continue;
            }
            let removed = proof.removed(&edits);
            if !removed.contains(&(finding.code, finding.field_path.to_string())) {
                continue;
            }
            let is_removed = |one: &&Finding| removed.contains(&(one.code, one.field_path.to_string()));
            let repairs = findings.iter().filter(is_removed).map(|one| (one.code, one.range)).collect();
            fixes.push(Fix::new(title, edits, applicability, repairs));
        }
    }
    fixes
}

/// Ways to move the last entry of `site`, which its holder must not have, to its place in the API, together
/// with the entries beside it that belong to the same place.
fn moves_to_place<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let Some(stray) = StrayField::of(site) else { return Vec::new() };
    // The fields that v1beta1 has there are moved together and renamed.
    if stray.ty.name == "CustomResourceConversion" && conversion::moved(stray.holder).is_some() {
        return Vec::new();
    }
    // A misspelt keyword is at its right place.
    let is_schema = stray.ty.name == JSON_SCHEMA_PROPS.name;
    let fields = || stray.ty.fields.iter().map(|field| field.name);
    if is_schema && nearest_field(&stray.key, fields()).is_some() {
        return Vec::new();
    }
    let mut moves: Vec<Move<'t>> = stray.move_out(site).into_iter().chain(stray.move_into_fields()).collect();
    moves.extend(stray.move_into_new_field());
    // A single possible place is certain, except in schemas, where the field may be a property at a wrong
    // level.
    let safe = moves.len() == 1 && !is_schema;
    moves.into_iter().map(|(title, changes)| Repair::new(safe, title, changes)).collect()
}

/// A title with its changes.
type Move<'t> = (String, Vec<Change<'t>>);

/// A field that its holder must not have.
struct StrayField<'t> {
    key: String,
    value: Value<'t>,
    holder: Value<'t>,
    ty: &'static ObjectType,
    /// All entries that the holder must not have.
    unknown: Vec<Entry<'t>>,
}

impl<'t> StrayField<'t> {
    fn of(site: &Site<'_, '_, 't>) -> Option<Self> {
        let ((holder, entry), ty) = (site.entry()?, site.object()?);
        let key = entry.key_text()?.into_owned();
        Some(Self { key, value: entry.value(), holder, ty, unknown: unknown_entries(holder, ty) })
    }

    /// Moves it to the nearest enclosing object that supports the field and does not have it yet.
    fn move_out(&self, site: &Site<'_, '_, 't>) -> Option<Move<'t>> {
        let around = (2..).map_while(|by| site.level_above(by));
        let mut around = around.filter_map(|level| Some((level.value, level.ty?.object()?)));
        let (target, ty) = around.find(|(target, ty)| self.belongs_to(*target, ty))?;
        let moved: Vec<Entry<'t>> =
            fitting(&self.unknown, ty).filter(|entry| is_free(target, *entry)).collect();
        let holder = site.level_above(1).and_then(|level| match level.via {
            ParentLink::Entry(entry) => entry.key_text(),
            _ => None,
        })?;
        let title = format!("Move {} out of `{holder}`", names(&moved));
        Some((title, self.move_entries(&moved, target)?))
    }

    /// Moves it to a field of the holder, or to the only item of one, that supports the field and does not
    /// have it yet.
    fn move_into_fields(&self) -> Vec<Move<'t>> {
        let below = self.ty.fields.iter().filter_map(|field| {
            let value = own_entry(self.holder, field.name)?.value();
            let (target, ty) = match field.ty {
                FieldType::Object(ty) => (value, ty),
                FieldType::List(FieldType::Object(ty)) => (only_item(value)?, *ty),
                _ => return None,
            };
            target.as_mapping().filter(|_| self.belongs_to(target, ty))?;
            let moved: Vec<Entry<'t>> =
                fitting(&self.unknown, ty).filter(|entry| is_free(target, *entry)).collect();
            let title = format!("Move {} into `{}`", names(&moved), field.name);
            Some((title, self.move_entries(&moved, target)?))
        });
        below.collect()
    }

    /// Moves it into a missing field of the holder, together with the other entries that belong there.
    fn move_into_new_field(&self) -> Option<Move<'t>> {
        let mut found: Option<(Vec<&'static Field>, Vec<Entry<'t>>)> = None;
        let mut open: Vec<(Vec<&'static Field>, &'static ObjectType)> = vec![(Vec::new(), self.ty)];
        for _ in 0..DEPTH {
            let mut next = Vec::new();
            for (fields, ty) in open {
                let is_missing =
                    |field: &&Field| !fields.is_empty() || own_entry(self.holder, field.name).is_none();
                for field in ty.fields.iter().filter(is_missing) {
                    let Some(inner) = item_or_object(field.ty) else { continue };
                    let fields: Vec<&'static Field> = fields.iter().copied().chain([field]).collect();
                    let members: Vec<Entry<'t>> = fitting(&self.unknown, inner).collect();
                    let has_it = members.iter().any(|entry| self.is_entry(*entry));
                    if has_it && found.as_ref().is_none_or(|(_, most)| members.len() > most.len()) {
                        found = Some((fields.clone(), members));
                    }
                    next.push((fields, inner));
                }
            }
            if found.is_some() {
                break;
            }
            open = next;
        }
        let (fields, members) = found?;
        wrap(self.holder, &members, &fields)
    }

    fn is_entry(&self, entry: Entry<'t>) -> bool {
        entry.value().range() == self.value.range() && entry.key_text().is_some_and(|key| key == self.key)
    }

    /// Whether it is a missing field of `target`, an object of type `ty`.
    fn belongs_to(&self, target: Value<'t>, ty: &'static ObjectType) -> bool {
        ty.field(&self.key).is_some_and(|field| fits(self.value, field.ty))
            && own_entry(target, &self.key).is_none()
    }

    fn move_entries(&self, entries: &[Entry<'t>], target: Value<'t>) -> Option<Vec<Change<'t>>> {
        let mut changes: Vec<Change<'t>> =
            entries.iter().map(|entry| Change::Remove(self.holder, *entry)).collect();
        for entry in entries {
            changes.push(Change::AddField(target, NewEntry::copy(*entry)?));
        }
        Some(changes)
    }
}

/// Puts `members` of `holder` into the nested `fields`, the outermost first.
fn wrap<'t>(holder: Value<'t>, members: &[Entry<'t>], fields: &[&'static Field]) -> Option<Move<'t>> {
    let (first, last) = (fields.first()?, fields.last()?);
    if members.is_empty() {
        return None;
    }
    let entries: Option<Vec<NewEntry<'t>>> = members.iter().map(|entry| NewEntry::copy(*entry)).collect();
    let mut value = NewValue::Mapping { entries: entries?, flow: false };
    for (index, field) in fields.iter().enumerate().rev() {
        if matches!(field.ty, FieldType::List(_)) {
            value = NewValue::Sequence { items: vec![value], flow: false };
        }
        if index > 0 {
            value = NewValue::Mapping { entries: vec![NewEntry::new(field.name, value)], flow: false };
        }
    }
    let mut changes: Vec<Change<'t>> = members.iter().map(|entry| Change::Remove(holder, *entry)).collect();
    changes.push(Change::AddField(holder, NewEntry::new(first.name, value)));
    Some((format!("Move {} into a new `{}`", names(members), last.name), changes))
}

/// The entries of `holder` that an object of type `ty` must not have.
fn unknown_entries<'t>(holder: Value<'t>, ty: &'static ObjectType) -> Vec<Entry<'t>> {
    let entries = holder.as_mapping().into_iter().flat_map(Mapping::entries);
    entries.filter(|entry| entry.key_text().is_some_and(|key| ty.field(&key).is_none())).collect()
}

/// Those of `entries` that an object of type `ty` can have.
fn fitting<'e, 't>(
    entries: &'e [Entry<'t>],
    ty: &'static ObjectType,
) -> impl Iterator<Item = Entry<'t>> + 'e {
    let fits_in = |entry: &&Entry<'t>| {
        let field = entry.key_text().and_then(|key| ty.field(&key));
        field.is_some_and(|field| fits(entry.value(), field.ty))
    };
    entries.iter().filter(fits_in).copied()
}

/// Whether `target` does not have the key of `entry`.
fn is_free<'t>(target: Value<'t>, entry: Entry<'t>) -> bool {
    entry.key_text().is_some_and(|key| own_entry(target, &key).is_none())
}

fn only_item(list: Value<'_>) -> Option<Value<'_>> {
    let mut items = list.as_sequence()?.items();
    let first = items.next()?;
    items.next().is_none().then(|| first.value())
}

fn item_or_object(ty: FieldType) -> Option<&'static ObjectType> {
    match ty {
        FieldType::Object(ty) => Some(ty),
        FieldType::List(item) => item.object(),
        _ => None,
    }
}

/// Whether `value` looks like a value of type `ty`.
fn fits(value: Value<'_>, ty: FieldType) -> bool {
    match value.kind() {
        ValueKind::Scalar(_) => matches!(
            ty,
            FieldType::String
                | FieldType::Bool
                | FieldType::Int32
                | FieldType::Int64
                | FieldType::Float64
                | FieldType::Bytes
                | FieldType::Time
                | FieldType::Json
        ),
        ValueKind::Sequence(_) => match ty {
            FieldType::List(FieldType::Object(item)) => value
                .as_sequence()
                .into_iter()
                .flat_map(Sequence::items)
                .all(|one| has_known_field(one.value(), item)),
            FieldType::List(_) | FieldType::Json => true,
            _ => false,
        },
        ValueKind::Mapping(_) => match ty {
            FieldType::Map(_) | FieldType::Json => true,
            ty => ty.object().is_some_and(|ty| has_known_field(value, ty)),
        },
        _ => false,
    }
}

/// Whether `value` is an object without fields, or with a field of `ty`.
fn has_known_field(value: Value<'_>, ty: &'static ObjectType) -> bool {
    value.as_mapping().is_some_and(|mapping| {
        let mut keys = mapping.entries().filter_map(Entry::key_text).peekable();
        keys.peek().is_none() || keys.any(|key| ty.field(&key).is_some())
    })
}

/// The keys of `entries` for a title.
pub(in crate::fixes) fn names(entries: &[Entry<'_>]) -> String {
    let quoted = |entry: &Entry<'_>| entry.key_text().map(|key| format!("`{key}`"));
    let mut names: Vec<String> = entries.iter().take(MOST_NAMES).filter_map(quoted).collect();
    match (entries.len().saturating_sub(MOST_NAMES), names.len()) {
        (0, 0 | 1) => names.concat(),
        (0, _) => {
            let last = names.pop().unwrap_or_default();
            format!("{} and {last}", names.join(", "))
        }
        (more, _) => {
            let s = if more == 1 { "" } else { "s" };
            format!("{} and {more} more field{s}", names.join(", "))
        }
    }
}
