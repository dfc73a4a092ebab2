//! Repairs of lists that are sets or maps.

use api::Code;
use crd::schema::{Keyword, Schema, TypeName, is_list_for_object, is_object_for_list};
use yaml::Value;
use yaml::edit::NewValue;

use super::super::plan::Change;
use super::keywords::{choose, dropped, retyped};
use super::site::{Site, set_keyword};
use super::types::require;
use super::{Repair, Repairer};
use crate::analysis::fix::Title;
use crate::analysis::short;
use crate::analysis::values::{string, text};
use crd::{Segment, closest};

pub(super) const REPAIRS: &[(Code, Repairer)] = &[
    (Code::CelOldSelfUncorrelatable, identify_items),
    (Code::LintListType, list_type),
    (Code::LintRequiredUndefined, undefined),
    (Code::LintRepeatedItem, repeated),
    (Code::SchemaListItemsNullable, items_nullable),
    (Code::SchemaListMapItemsObject, items_object),
    (Code::SchemaListMapKeyDefault, key_default),
    (Code::SchemaListMapKeyDuplicate, duplicate_key),
    (Code::SchemaListMapKeyNullable, key_nullable),
    (Code::SchemaListMapKeyUnknown, key_unknown),
    (Code::SchemaListMapKeysRequired, keys_required),
    (Code::SchemaListMapKeysType, keys_type),
    (Code::SchemaListTypeArray, not_a_list),
    (Code::SchemaListTypeUnsupported, |site| choose(site, Keyword::ListType, &["atomic", "set", "map"])),
    (Code::SchemaSetItemsAtomic, set_items),
    (Code::SchemaUniqueItems, unique),
    (Code::WarnListSetNonScalar, set_of_objects),
];

/// The maximum number of keys that are offered to choose from.
const MOST_CHOICES: usize = 3;

/// The maximum number of characters of a value in a title.
const LONGEST: usize = 40;

fn type_of(schema: &Schema<'_, '_>) -> Option<String> {
    match schema.type_name() {
        TypeName::Named(name) => Some(name.into_owned()),
        _ => None,
    }
}

fn is_scalar(schema: &Schema<'_, '_>) -> bool {
    type_of(schema).is_some_and(|name| matches!(name.as_str(), "string" | "integer" | "number" | "boolean"))
}

fn list_type_of<'t>(list: &Schema<'_, 't>, name: &str) -> Change<'t> {
    set_keyword(list.value(), Keyword::ListType.as_str(), text(name))
}

fn names_of(list: &Schema<'_, '_>) -> Vec<String> {
    list.items(Keyword::ListMapKeys).filter_map(|item| string(item.value())).collect()
}

/// The schema of the items of `list`, also if it is written as a list of one schema.
fn items_of<'r, 't>(list: &Schema<'r, 't>) -> Option<Schema<'r, 't>> {
    list.schema(Keyword::Items).or_else(|| Schema::read(list.only_item()?, list.reader()))
}

/// The fields that may identify the items of `list`, the likeliest first.
fn candidates(list: &Schema<'_, '_>) -> Vec<String> {
    let Some(items) = items_of(list) else { return Vec::new() };
    let required: Vec<String> =
        items.items(Keyword::Required).filter_map(|item| string(item.value())).collect();
    let usual = ["name", "key", "id", "type", "port", "path", "host", "url"];
    let mut found: Vec<(usize, String)> = Vec::new();
    for (name, entry) in items.members(Keyword::Properties).entries {
        let field = Schema::read(entry.value(), items.reader());
        if !field.is_some_and(|field| is_scalar(&field) && !field.is_true(Keyword::Nullable)) {
            continue;
        }
        let rank = usual.iter().position(|usual| *usual == name).unwrap_or(usual.len());
        if required.iter().any(|other| *other == name) {
            found.push((rank, name.into_owned()));
        } else if rank == 0 {
            found.push((usual.len() + 1, name.into_owned()));
        }
    }
    found.sort_by_key(|(rank, _)| *rank);
    found.into_iter().map(|(_, name)| name).take(MOST_CHOICES).collect()
}

/// The number of changes that convert a list to a map if its items already require the key: the list type and
/// the keys.
const OF_MAP: usize = 2;

const ATOMIC: &str = "Set `x-kubernetes-list-type: atomic` (server-side apply replaces the whole list)";

/// Converts `list` to a map with the key `key`.
fn as_map<'t>(list: &Schema<'_, 't>, key: &str) -> Option<Vec<Change<'t>>> {
    let keys = NewValue::Sequence { items: vec![text(key)], flow: true };
    let items = list.schema(Keyword::Items)?;
    let mut changes =
        vec![list_type_of(list, "map"), set_keyword(list.value(), Keyword::ListMapKeys.as_str(), keys)];
    changes.extend(require(items.value(), key)?);
    Some(changes)
}

fn maps<'t>(list: &Schema<'_, 't>) -> Vec<Repair<'t>> {
    let map = |key: &String| {
        let changes = as_map(list, key)?;
        let requires = if changes.len() > OF_MAP { format!(" (requires `{key}`)") } else { String::new() };
        let title = format!("Set `x-kubernetes-list-type: map` with the key `{key}`{requires}");
        Some(Repair::suggested(title, changes))
    };
    candidates(list).iter().filter_map(map).collect()
}

/// Converts the outermost list without a key to a map.
fn identify_items<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let is_list = |schema: &Schema<'_, '_>| {
        schema.entry(Keyword::Items).is_some() && schema.string(Keyword::ListType).as_deref() != Some("map")
    };
    site.owners().filter(is_list).last().map(|list| maps(&list)).unwrap_or_default()
}

/// Repairs a set of objects: converts it to a map, or makes it atomic.
fn set_of_objects<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let Some(list) = site.schema_with(Keyword::ListType) else { return Vec::new() };
    let mut repairs = maps(&list);
    repairs.push(Repair::suggested(ATOMIC, vec![list_type_of(&list, "atomic")]));
    repairs
}

fn unique<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let Some(list) = site.schema_with(Keyword::UniqueItems) else { return Vec::new() };
    let Some(entry) = list.entry(Keyword::UniqueItems) else { return Vec::new() };
    let removal = Change::Remove(list.value(), entry);
    let own = list.string(Keyword::ListType);
    let items = list.schema(Keyword::Items);
    // JSON Schema treats `1` and `1.0` as one item, a set as two.
    let has_numbers = items.as_ref().and_then(type_of).is_some_and(|of| of == "integer" || of == "number");
    let mut repairs = Vec::new();
    match own.as_deref() {
        Some("set") => {
            let title = Title::removal("`uniqueItems` (a set already has unique items)");
            repairs.push(Repair::new(!has_numbers, title, vec![removal.clone()]));
        }
        None if items.is_some_and(|items| is_scalar(&items)) => {
            let title = "Replace `uniqueItems` with `x-kubernetes-list-type: set`";
            let changes = vec![removal.clone(), list_type_of(&list, "set")];
            repairs.push(Repair::new(!has_numbers, title, changes));
        }
        None => {
            for mut repair in maps(&list) {
                repair.changes.push(removal.clone());
                repairs.push(repair);
            }
        }
        Some(_) => {}
    }
    repairs.extend(dropped(&list, Keyword::UniqueItems, false));
    repairs
}

fn list_type<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let Some(list) = site.schema_with(Keyword::Items) else { return Vec::new() };
    let mut repairs = maps(&list);
    repairs.push(Repair::suggested(ATOMIC, vec![list_type_of(&list, "atomic")]));
    repairs
}

fn keys_required<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let Some(list) = site.schema_with(Keyword::ListType) else { return Vec::new() };
    let mut repairs = maps(&list);
    repairs.push(Repair::suggested(ATOMIC, vec![list_type_of(&list, "atomic")]));
    repairs
}

fn keys_type<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let Some(list) = site.schema_with(Keyword::ListMapKeys) else { return Vec::new() };
    let is_list = type_of(&list).as_deref() == Some("array");
    let mut repairs = Vec::new();
    if is_list {
        let title = "Set `x-kubernetes-list-type: map` (required by `x-kubernetes-list-map-keys`)";
        repairs.push(Repair::suggested(title, vec![list_type_of(&list, "map")]));
    }
    repairs.extend(dropped(&list, Keyword::ListMapKeys, false));
    repairs
}

fn key_default<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let Some(list) = site.schema_with(Keyword::ListMapKeys) else { return Vec::new() };
    let Some(items) = list.schema(Keyword::Items) else { return Vec::new() };
    let fields = items.members(Keyword::Properties);
    let path = site.finding.field_path.segments();
    let keys = names_of(&list);
    let leads_to = |name: &str| path.iter().any(|step| matches!(step, Segment::Key(key) if **key == *name));
    let Some(name) = keys.iter().find(|name| leads_to(name)) else {
        return Vec::new();
    };
    let mut repairs: Vec<Repair<'t>> = require(items.value(), name)
        .flatten()
        .map(|change| Repair::suggested(format!("Add `{name}` to `required` of the items"), vec![change]))
        .into_iter()
        .collect();
    let field = fields.get(name).and_then(|entry| Schema::read(entry.value(), site.reader));
    let Some(field) = field.filter(|field| field.value().as_mapping().is_some()) else { return repairs };
    let written = |value: &str| (value.to_owned(), NewValue::Raw(value.to_owned()));
    let default = match type_of(&field).as_deref() {
        _ if field.items(Keyword::Enum).next().is_some() => {
            let first = field.items(Keyword::Enum).next();
            first.map(|item| (short::value(item.value(), LONGEST), NewValue::Copy(item.value())))
        }
        Some("string") if name == "protocol" => Some(("TCP".to_owned(), text("TCP"))),
        Some("string") => Some(written("''")),
        Some("integer" | "number") => Some(written("0")),
        Some("boolean") => Some(written("false")),
        _ => None,
    };
    if let Some((shown, default)) = default {
        let change = set_keyword(field.value(), Keyword::Default.as_str(), default);
        let title = format!("Add `default: {shown}` to `{name}`");
        repairs.push(Repair::suggested(title, vec![change]));
    }
    repairs
}

fn duplicate_key<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let remove = |(list, item)| {
        Repair::safe(Title::removal("the duplicate key"), vec![Change::RemoveItem(list, item)])
    };
    site.item().map(remove).into_iter().collect()
}

fn key_unknown<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let Some(list) = site.schema_with(Keyword::ListMapKeys) else { return Vec::new() };
    let Some((keys, item)) = site.item() else { return Vec::new() };
    let (Some(name), Some(items)) = (string(item.value()), items_of(&list)) else {
        return Vec::new();
    };
    let taken = names_of(&list);
    let fields = items.members(Keyword::Properties).entries;
    let free =
        fields.iter().map(|(name, _)| name.as_ref()).filter(|name| !taken.iter().any(|other| other == name));
    let mut repairs = Vec::new();
    if let Some((near, distance)) = closest(&name, free) {
        let safe = distance <= 1 && near.len() > 3;
        repairs.push(Repair::new(
            safe,
            format!("Replace `{name}` with `{near}`"),
            vec![Change::Replace(item.value(), text(near))],
        ));
    }
    if taken.len() > 1 {
        repairs.push(Repair::suggested(
            Title::removal(format_args!("the key `{name}`")),
            vec![Change::RemoveItem(keys, item)],
        ));
    }
    for key in candidates(&list).into_iter().filter(|key| !taken.contains(key)) {
        let Some(required) = require(items.value(), &key) else { continue };
        let change = Change::Replace(item.value(), text(key.as_str()));
        let changes = std::iter::once(change).chain(required).collect();
        repairs.push(Repair::fallback(format!("Replace `{name}` with `{key}`"), changes));
    }
    repairs
}

fn key_nullable<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let Some(field) = site.schema_with(Keyword::Nullable) else { return Vec::new() };
    dropped(&field, Keyword::Nullable, true).into_iter().collect()
}

fn items_nullable<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let Some(items) = site.schema_with(Keyword::Nullable) else { return Vec::new() };
    dropped(&items, Keyword::Nullable, false).into_iter().collect()
}

fn items_object<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let Some(list) = site.schema_with(Keyword::ListType) else { return Vec::new() };
    let Some(items) = list.schema(Keyword::Items) else { return Vec::new() };
    if !is_scalar(&items) {
        return Vec::new();
    }
    let mut changes = vec![list_type_of(&list, "set")];
    changes.extend(list.entry(Keyword::ListMapKeys).map(|entry| Change::Remove(list.value(), entry)));
    vec![Repair::suggested("Set `x-kubernetes-list-type: set` (for scalar items)", changes)]
}

fn not_a_list<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let Some(schema) = site.schema_with(Keyword::ListType) else { return Vec::new() };
    // In a branch of a junctor, the repair of the node moves it.
    if site.host().is_some() {
        return Vec::new();
    }
    let as_list = if is_list_for_object(&schema) { retyped(&schema, "array", "items") } else { None };
    as_list.into_iter().chain(dropped(&schema, Keyword::ListType, false)).collect()
}

fn set_items<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let Some(list) = site.schema_with(Keyword::ListType) else { return Vec::new() };
    let Some(items) = list.schema(Keyword::Items) else { return Vec::new() };
    let keyword = match type_of(&items).as_deref() {
        Some("object") => Keyword::MapType,
        Some("array") if is_object_for_list(&items) => {
            let changes = [(Keyword::Type, "object"), (Keyword::MapType, "atomic")]
                .map(|(keyword, value)| set_keyword(items.value(), keyword.as_str(), text(value)));
            let title = "Set `type: object` and `x-kubernetes-map-type: atomic` on the items";
            return vec![Repair::suggested(title, changes.into())];
        }
        Some("array") => Keyword::ListType,
        _ => return Vec::new(),
    };
    let mut repairs = maps(&list);
    let change = set_keyword(items.value(), keyword.as_str(), text("atomic"));
    let title = format!("Set `{}: atomic` on the items", keyword.as_str());
    repairs.insert(0, Repair::suggested(title, vec![change]));
    repairs.push(Repair::suggested(ATOMIC, vec![list_type_of(&list, "atomic")]));
    repairs
}

/// Repairs a required property that is not declared.
fn undefined<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let (Some((list, item)), Some(object)) = (site.item(), site.schema_with(Keyword::Required)) else {
        return Vec::new();
    };
    let Some(name) = string(item.value()) else { return Vec::new() };
    let fields = object.members(Keyword::Properties).entries;
    let others: Vec<String> =
        object.items(Keyword::Required).filter_map(|item| string(item.value())).collect();
    let mut repairs = Vec::new();
    let free =
        fields.iter().map(|(name, _)| name.as_ref()).filter(|name| !others.iter().any(|other| other == name));
    if let Some((near, _)) = closest(&name, free) {
        repairs.push(Repair::suggested(
            format!("Replace `{name}` with `{near}`"),
            vec![Change::Replace(item.value(), text(near))],
        ));
    }
    let title = Title::removal(format_args!("`{name}` from `required`"));
    let is_last = others.len() == 1;
    let change = match object.entry(Keyword::Required).filter(|_| is_last) {
        Some(entry) => Change::Remove(object.value(), entry),
        None => Change::RemoveItem(list, item),
    };
    repairs.push(Repair::suggested(title, vec![change]));
    if let Some(properties) = object.get(Keyword::Properties) {
        repairs.push(Repair::suggested(
            Title::declaration(format_args!("`{name}` as a string")),
            vec![declared(properties, &name)],
        ));
    }
    repairs
}

/// Removes the second of two equal items.
fn repeated<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let Some((list, item)) = site.item() else { return Vec::new() };
    let title = match string(item.value()) {
        Some(text) => Title::removal(format_args!("the second `{}`", text::start(&text, LONGEST))),
        None => Title::removal("the second item"),
    };
    vec![Repair::suggested(title, vec![Change::RemoveItem(list, item)])]
}

fn declared<'t>(properties: Value<'t>, name: &str) -> Change<'t> {
    let entries = vec![yaml::edit::NewEntry::new("type", text("string"))];
    let field = NewValue::Mapping { entries, flow: false };
    Change::AddField(properties, yaml::edit::NewEntry::new(name.to_owned(), field))
}
