//! Repairs of keywords that schemas of definitions must not have.

use api::{Code, JSON_SCHEMA_PROPS};
use crd::schema::{Keyword, Schema, fits_items, implied, intended_type, is_list_for_object};
use yaml::edit::{NewEntry, NewValue};
use yaml::{Entry, Value};

use super::super::node::{LIKELY_TYPES, OTHER_TYPES};
use super::super::plan::Change;
use super::conditions;
use super::site::{Site, set_keyword};
use super::{Repair, Repairer};
use crate::Finding;
use crate::analysis::fix::Title;
use crate::analysis::values::{are_same, own_entry, raw, string, text};
use crd::{Segment, closest};

pub(super) const REPAIRS: &[(Code, Repairer)] = &[
    (Code::DefaultsForbidden, |site| drop(site, Keyword::Default, true)),
    (Code::LintAdditionalPropertiesFalse, no_fields),
    (Code::LintKeywordType, no_effect),
    (Code::LintUnsetKeyword, unset),
    (Code::SchemaConvert, |site| drop(site, Keyword::SchemaUrl, true)),
    (Code::SchemaEmbeddedInMeta, |site| drop(site, Keyword::EmbeddedResource, true)),
    (Code::SchemaForbiddenAdditionalItems, |site| drop(site, Keyword::AdditionalItems, true)),
    (Code::SchemaForbiddenDependencies, dependencies),
    (Code::SchemaForbiddenId, |site| drop(site, Keyword::Id, true)),
    (Code::SchemaForbiddenPatternProperties, pattern_properties),
    (Code::SchemaItemsArray, tuple),
    (Code::SchemaMapTypeObject, |site| drop(site, Keyword::MapType, false)),
    (Code::SchemaMapTypeUnsupported, |site| choose(site, Keyword::MapType, &["granular", "atomic"])),
    (Code::SchemaNullableRoot, |site| drop(site, Keyword::Nullable, true)),
    (Code::SchemaPreserveFalse, |site| drop(site, Keyword::PreserveUnknownFields, true)),
    (Code::SchemaPropertiesAndAdditional, closed),
    (Code::SchemaTypeNull, null_type),
    (Code::SchemaTypeUnsupported, unknown_type),
    (Code::StructuralApiVersionType, server_field),
    (Code::StructuralItemsRequired, items),
    (Code::StructuralJunctorValidations, conditions::guarded),
    (Code::StructuralKindType, server_field),
    (Code::StructuralMetadataType, server_field),
    (Code::StructuralPattern, conditions::lookahead),
    (Code::SubresourcesStatusRootFields, root_fields),
    (Code::WarnUnrecognizedFormat, format),
];

/// Removes `keyword`.
fn drop<'t>(site: &Site<'_, '_, 't>, keyword: Keyword, safe: bool) -> Vec<Repair<'t>> {
    let Some(schema) = site.schema_with(keyword) else { return Vec::new() };
    dropped(&schema, keyword, safe).into_iter().collect()
}

/// Removes the keyword without a value.
fn unset<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let name = site.finding.field_path.segments().last().and_then(Segment::key);
    name.and_then(Keyword::parse).map(|keyword| drop(site, keyword, false)).unwrap_or_default()
}

pub(super) fn dropped<'t>(schema: &Schema<'_, 't>, keyword: Keyword, safe: bool) -> Option<Repair<'t>> {
    let change = Change::Remove(schema.value(), schema.entry(keyword)?);
    Some(Repair::new(safe, Title::removal(format_args!("`{}`", keyword.as_str())), vec![change]))
}

/// Changes the type of `schema` to `other`, the type that the keyword `because` applies to.
pub(super) fn retyped<'t>(schema: &Schema<'_, 't>, other: &str, because: &str) -> Option<Repair<'t>> {
    let entry = schema.entry(Keyword::Type)?;
    let own = string(entry.value())?;
    let title = format!("Change `type: {own}` to `type: {other}`, which supports `{because}`");
    Some(Repair::suggested(title, vec![Change::Replace(entry.value(), text(other))]))
}

/// Sets the keyword to one of `values`, or removes it.
pub(super) fn choose<'t>(
    site: &Site<'_, '_, 't>,
    keyword: Keyword,
    values: &[&'static str],
) -> Vec<Repair<'t>> {
    let Some(schema) = site.schema_with(keyword) else { return Vec::new() };
    let Some(entry) = schema.entry(keyword) else { return Vec::new() };
    let own = string(entry.value()).unwrap_or_default();
    let write = |safe, value: &str| {
        let change = Change::Replace(entry.value(), text(value));
        Repair::new(safe, format!("Set `{}: {value}`", keyword.as_str()), vec![change])
    };
    if let Some((near, distance)) = closest(&own, values.iter().copied()) {
        return vec![write(distance <= 1, near)];
    }
    let mut repairs: Vec<Repair<'t>> = values.iter().map(|value| write(false, value)).collect();
    repairs.extend(dropped(&schema, keyword, false));
    repairs
}

/// Repairs `properties` beside `additionalProperties`.
fn closed<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    // In a branch it has an effect; it is replaced when the structure of the branch moves.
    if site.host().is_some() {
        return Vec::new();
    }
    let Some(schema) = site.schema_with(Keyword::AdditionalProperties) else { return Vec::new() };
    let Some(entry) = schema.entry(Keyword::AdditionalProperties) else { return Vec::new() };
    let is_closed = schema.boolean(Keyword::AdditionalProperties) == Some(false);
    let change = Change::Remove(schema.value(), entry);
    if is_closed {
        let title = Title::removal("`additionalProperties: false` (undeclared fields are pruned by default)");
        return vec![Repair::safe(title, vec![change])];
    }
    let mut repairs = vec![
        Repair::suggested(
            Title::removal("`additionalProperties` (undeclared fields are pruned)"),
            vec![change.clone()],
        ),
        keep_undeclared_fields(&schema, change),
    ];
    repairs.extend(dropped(&schema, Keyword::Properties, false));
    repairs
}

/// The repair with `change` that keeps undeclared fields.
fn keep_undeclared_fields<'t>(schema: &Schema<'_, 't>, change: Change<'t>) -> Repair<'t> {
    let keep = set_keyword(schema.value(), Keyword::PreserveUnknownFields.as_str(), NewValue::yes());
    let title =
        "Replace `additionalProperties` with `x-kubernetes-preserve-unknown-fields: true` (keeps all fields)";
    Repair::suggested(title, vec![change, keep])
}

/// Repairs `additionalProperties: false` without `properties`, which forbids all fields.
fn no_fields<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let Some(schema) = site.schema_with(Keyword::AdditionalProperties) else { return Vec::new() };
    let Some(entry) = schema.entry(Keyword::AdditionalProperties) else { return Vec::new() };
    let change = Change::Remove(schema.value(), entry);
    let field = NewValue::Mapping { entries: vec![NewEntry::new("type", raw("string"))], flow: true };
    let fields = NewValue::Mapping { entries: vec![NewEntry::new("name", field)], flow: false };
    let declare = set_keyword(schema.value(), Keyword::Properties.as_str(), fields);
    vec![
        Repair::suggested(
            Title::removal("`additionalProperties: false` (undeclared fields are pruned by default)"),
            vec![change.clone()],
        ),
        Repair::suggested(
            "Replace `additionalProperties: false` with empty `properties`",
            vec![change.clone(), declare],
        ),
        keep_undeclared_fields(&schema, change),
    ]
}

/// Replaces a type that JSON does not have.
fn unknown_type<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let Some(schema) = site.schema_with(Keyword::Type) else { return Vec::new() };
    let Some(entry) = schema.entry(Keyword::Type) else { return Vec::new() };
    let Some(own) = string(entry.value()) else { return Vec::new() };
    if own == "null" {
        return null_type(site);
    }
    let words =
        |name: &str| (format!("Set `type: {name}`"), vec![Change::Replace(entry.value(), text(name))]);
    let write = |safe, name: &str| {
        let (title, changes) = words(name);
        Repair::new(safe, title, changes)
    };
    if own.eq_ignore_ascii_case("any") {
        let keep = set_keyword(schema.value(), Keyword::PreserveUnknownFields.as_str(), NewValue::yes());
        let title = format!("Replace `type: {own}` with `x-kubernetes-preserve-unknown-fields: true`");
        return vec![Repair::suggested(title, vec![Change::Remove(schema.value(), entry), keep])];
    }
    let intended = intended_type(&own);
    let inferred = implied(&schema).filter(|inferred| inferred.is_certain).map(|inferred| inferred.name);
    match (intended, inferred) {
        (Some(intended), None) => vec![write(true, intended)],
        (Some(intended), Some(inferred))
            if intended == inferred || (intended, inferred) == ("number", "integer") =>
        {
            vec![write(true, intended)]
        }
        (Some(intended), Some(inferred)) => vec![write(false, inferred), write(false, intended)],
        (None, Some(inferred)) => vec![write(false, inferred)],
        (None, None) => any_type(words),
    }
}

/// Replaces the value of `type` in `schema`, which is not a string, with the type that the other keywords imply.
pub(super) fn set_type<'t>(schema: &Schema<'_, 't>, entry: Entry<'t>) -> Vec<Repair<'t>> {
    let words =
        |name: &str| (format!("Set `type: {name}`"), vec![Change::Replace(entry.value(), text(name))]);
    match implied(schema).filter(|inferred| inferred.is_certain) {
        Some(inferred) => {
            let (title, changes) = words(inferred.name);
            vec![Repair::suggested(title, changes)]
        }
        None => any_type(words),
    }
}

/// A repair for each possible type of a node without information. The less common types are fallbacks, which
/// depend on how rules use the node.
fn any_type<'t>(words: impl Fn(&str) -> (String, Vec<Change<'t>>)) -> Vec<Repair<'t>> {
    let make = |name: &str, make: fn(String, Vec<Change<'t>>) -> Repair<'t>| {
        let (title, changes) = words(name);
        make(title, changes)
    };
    let likely = LIKELY_TYPES.iter().map(|name| make(name, Repair::suggested));
    likely.chain(OTHER_TYPES.iter().map(|name| make(name, Repair::fallback))).collect()
}

/// Replaces `type: "null"` with `nullable`.
fn null_type<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let Some(schema) = site.schema_with(Keyword::Type) else { return Vec::new() };
    let Some(entry) = schema.entry(Keyword::Type) else { return Vec::new() };
    let words = |name: &str| {
        let nullable = set_keyword(schema.value(), Keyword::Nullable.as_str(), NewValue::yes());
        let changes = vec![Change::Replace(entry.value(), text(name)), nullable];
        (format!("Set `type: {name}` and `nullable: true`"), changes)
    };
    match implied(&schema).filter(|inferred| inferred.is_certain) {
        Some(inferred) => {
            let (title, changes) = words(inferred.name);
            vec![Repair::safe(title, changes)]
        }
        None => any_type(words),
    }
}

/// Repairs a field that every resource has but the schema describes as something else: sets its type, and
/// removes the keywords of other types.
fn server_field<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let of_text = ["description", "type", "pattern", "enum", "minLength", "maxLength"].as_slice();
    let (name, type_name, kept) = match site.finding.code {
        Code::StructuralMetadataType => {
            ("metadata", "object", ["description", "type", "properties"].as_slice())
        }
        Code::StructuralKindType => ("kind", "string", of_text),
        _ => ("apiVersion", "string", of_text),
    };
    let Some(schema) = site.property(name) else { return Vec::new() };
    let Some(mapping) = schema.value().as_mapping() else { return Vec::new() };
    let is_kept = |entry: &yaml::Entry<'t>| entry.key_text().is_some_and(|key| kept.contains(&key.as_ref()));
    let dropped = mapping.entries().filter(|entry| !is_kept(entry));
    let mut changes: Vec<Change<'t>> = dropped.map(|entry| Change::Remove(schema.value(), entry)).collect();
    if changes.is_empty() {
        return Vec::new();
    }
    changes.push(set_keyword(schema.value(), Keyword::Type.as_str(), text(type_name)));
    let title = format!("Set `type: {type_name}` on `{name}` and remove its unsupported keywords");
    vec![Repair::fallback(title, changes)]
}

/// Adds the missing schema for the items of a list.
fn items<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let Some(schema) = site.schema_with(Keyword::Type) else { return Vec::new() };
    // The server ignores a text there.
    if let Some(items) = schema.get(Keyword::Items) {
        return super::shapes::schema_of(items).into_iter().collect();
    }
    // Schemas for items in the branches of junctors are moved by the repairs of nodes.
    let mut below = Vec::new();
    super::super::occurrence::branches(&schema, &crd::FieldPath::root(), site.reader, &mut below);
    if below.iter().any(|branch| branch.schema.get(Keyword::Items).is_some()) {
        return Vec::new();
    }
    let mut repairs = Vec::new();
    if schema.get(Keyword::Properties).is_some() {
        repairs.extend(retyped(&schema, "object", "properties"));
        repairs.extend(described_items(&schema).filter(|_| !is_of_root(site.finding)));
    }
    repairs.extend(["string", "integer", "object"].iter().map(|name| {
        let items =
            NewValue::Mapping { entries: vec![yaml::edit::NewEntry::new("type", text(*name))], flow: false };
        let change = set_keyword(schema.value(), Keyword::Items.as_str(), items);
        Repair::suggested(format!("Add `items` of `type: {name}`"), vec![change])
    }));
    repairs
}

/// Whether a finding is about a keyword of a root schema, whose type is always `object`.
fn is_of_root(finding: &Finding) -> bool {
    matches!(finding.field_path.segments(), [.., Segment::Name(schema), _] if schema == "openAPIV3Schema")
}

/// Moves the keywords for objects in `schema`, which has the type `array`, to the schema of its items.
fn described_items<'t>(schema: &Schema<'_, 't>) -> Option<Repair<'t>> {
    let of_objects = schema.entries().filter(|(keyword, _)| keyword.value_types() == ["object"]);
    let mut entries = vec![NewEntry::new("type", text("object"))];
    let mut changes = Vec::new();
    for (_, entry) in of_objects {
        entries.push(NewEntry::copy(entry)?);
        changes.push(Change::Remove(schema.value(), entry));
    }
    let items = NewValue::Mapping { entries, flow: false };
    changes.push(set_keyword(schema.value(), Keyword::Items.as_str(), items));
    Some(Repair::suggested("Move `properties` to new `items`", changes))
}

/// Repairs a list of schemas, one for each item.
fn tuple<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let Some(schema) = site.schema_with(Keyword::Items) else { return Vec::new() };
    let Some(list) = schema.get(Keyword::Items) else { return Vec::new() };
    let schemas: Vec<Value<'t>> = schema.items(Keyword::Items).map(yaml::Item::value).collect();
    let count = schemas.len();
    let limit = |changes: &mut Vec<Change<'t>>| {
        if own_entry(schema.value(), "maxItems").is_none() {
            changes.push(set_keyword(schema.value(), "maxItems", raw(count.to_string())));
        }
    };
    let types: Vec<String> =
        schemas.iter().filter_map(|value| string(own_entry(*value, "type")?.value())).collect();
    let Some(first) = schemas.first() else { return Vec::new() };
    if count == 1 {
        let change = Change::Replace(list, NewValue::Copy(*first));
        return vec![Repair::safe("Replace the list in `items` with its only schema", vec![change])];
    }
    if schemas.iter().all(|other| are_same(*other, *first)) {
        let mut changes = vec![Change::Replace(list, NewValue::Copy(*first))];
        limit(&mut changes);
        return vec![Repair::suggested("Replace the identical schemas in `items` with one schema", changes)];
    }
    let only_types = types.len() == count
        && types.iter().all(|name| name == "string" || name == "integer")
        && schemas
            .iter()
            .all(|value| value.as_mapping().is_some_and(|mapping| mapping.entries().count() == 1));
    if !only_types {
        return Vec::new();
    }
    let entries = vec![yaml::edit::NewEntry::new(Keyword::IntOrString.as_str(), NewValue::yes())];
    let mut changes = vec![Change::Replace(list, NewValue::Mapping { entries, flow: false })];
    limit(&mut changes);
    vec![Repair::suggested("Accept integers and strings as items", changes)]
}

fn dependencies<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let Some(schema) = site.schema_with(Keyword::Dependencies) else { return Vec::new() };
    let mut repairs: Vec<Repair<'t>> = schema
        .entry(Keyword::Dependencies)
        .and_then(|entry| conditions::dependent(&schema, entry))
        .into_iter()
        .collect();
    let is_empty = schema.members(Keyword::Dependencies).entries.is_empty();
    repairs.extend(dropped(&schema, Keyword::Dependencies, is_empty));
    repairs
}

fn pattern_properties<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let Some(schema) = site.schema_with(Keyword::PatternProperties) else { return Vec::new() };
    let mut repairs: Vec<Repair<'t>> = conditions::keys_by_pattern(&schema).into_iter().collect();
    repairs.extend(dropped(&schema, Keyword::PatternProperties, false));
    repairs
}

/// Removes keywords that the root schema must not have beside a status subresource.
fn root_fields<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let Some(schema) = site.root_schema() else { return Vec::new() };
    let forbidden = [
        Keyword::AllOf,
        Keyword::AnyOf,
        Keyword::OneOf,
        Keyword::Not,
        Keyword::MaxProperties,
        Keyword::MinProperties,
        Keyword::Enum,
        Keyword::Default,
    ];
    let found: Vec<Keyword> =
        forbidden.into_iter().filter(|keyword| schema.entry(*keyword).is_some()).collect();
    if found.is_empty() {
        return Vec::new();
    }
    // Keywords without an effect on resources would keep the finding alive.
    let others = [
        Keyword::Id,
        Keyword::SchemaUrl,
        Keyword::Nullable,
        Keyword::AdditionalItems,
        Keyword::AdditionalProperties,
        Keyword::Dependencies,
        Keyword::EmbeddedResource,
        Keyword::IntOrString,
        Keyword::ListType,
        Keyword::ListMapKeys,
        Keyword::MapType,
        Keyword::Definitions,
    ];
    let others = others.into_iter().filter(|keyword| schema.entry(*keyword).is_some());
    let found: Vec<Keyword> = found.into_iter().chain(others).collect();
    let names: Vec<String> = found.iter().map(|keyword| format!("`{}`", keyword.as_str())).collect();
    let removed =
        found.iter().filter_map(|keyword| Some(Change::Remove(schema.value(), schema.entry(*keyword)?)));
    vec![Repair::suggested(
        Title::removal(format_args!("{} from the root schema", names.join(" and "))),
        removed.collect(),
    )]
}

/// Repairs a keyword for values of another type, which often belongs to the items.
fn no_effect<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let Some((holder, entry)) = site.entry() else { return Vec::new() };
    let Some(keyword) = entry.key_text().and_then(|key| Keyword::parse(&key)) else { return Vec::new() };
    let Some(schema) = site.schema_with(keyword) else { return Vec::new() };
    let key = keyword.as_str();
    let removal = Change::Remove(holder, entry);
    let mut repairs = Vec::new();
    if let (Some(items), Some(moved)) = (schema.get(Keyword::Items), NewEntry::copy(entry))
        && fits_items(&schema, keyword)
    {
        let changes = vec![removal.clone(), Change::Insert(items, moved)];
        repairs.push(Repair::suggested(format!("Move `{key}` to `items`"), changes));
    }
    if is_list_for_object(&schema) {
        repairs.extend(retyped(&schema, "array", key));
    }
    let ty = schema.string(Keyword::Type).unwrap_or_default();
    if let Some(other) = keyword.counterpart(&ty).filter(|other| schema.get(*other).is_none()) {
        let title = format!("Replace `{key}` with `{}`", other.as_str());
        repairs.push(Repair::suggested(title, vec![Change::Rename(entry, other.as_str().to_owned())]));
    }
    repairs.push(Repair::suggested(Title::removal(format_args!("`{key}` (no effect here)")), vec![removal]));
    repairs
}

/// Replaces a format that the server does not know.
fn format<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let Some(schema) = site.schema_with(Keyword::Format) else { return Vec::new() };
    let Some(entry) = schema.entry(Keyword::Format) else { return Vec::new() };
    let own = string(entry.value()).unwrap_or_default();
    let meant = match schema.string(Keyword::Type).as_deref() {
        // The wider format has room for the values of both.
        Some("integer") if is_wide(&own) => vec!["int64", "int32"],
        Some("integer") => vec!["int32", "int64"],
        Some("number") if is_wide(&own) => vec!["double", "float"],
        Some("number") => vec!["float", "double"],
        _ => closest_format(&own).into_iter().collect(),
    };
    let write = |name: &'static str| {
        Repair::suggested(format!("Set `format: {name}`"), vec![Change::Replace(entry.value(), text(name))])
    };
    let removal = Change::Remove(schema.value(), entry);
    let drop = Repair::suggested(
        Title::removal(format_args!("`format: {own}` (kube-apiserver ignores it)")),
        vec![removal],
    );
    meant.into_iter().map(write).chain([drop]).collect()
}

/// Whether the name of a number format means 64 bits, or unsigned values, which 32 bits do not hold.
fn is_wide(format: &str) -> bool {
    let format = format.to_ascii_lowercase();
    ["64", "long", "uint", "double"].iter().any(|part| format.contains(part))
}

/// The known format with the most similar name.
fn closest_format(own: &str) -> Option<&'static str> {
    let known = JSON_SCHEMA_PROPS.field("format").map(|field| field.values).unwrap_or_default();
    // The server ignores hyphens in the names.
    let plain = |name: &str| name.replace('-', "");
    let names: Vec<String> = known.iter().map(|name| plain(name)).collect();
    let (near, _) = closest(&plain(own), names.iter().map(String::as_str))?;
    known.iter().copied().find(|name| plain(name) == near)
}
