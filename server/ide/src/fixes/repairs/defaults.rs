//! Repairs of defaults and values of enums that do not fit their schema.

use api::Code;
use crd::schema::{Keyword, Schema, TypeName, is_list_for_object, is_object_for_list};
use yaml::edit::{NewEntry, NewValue};
use yaml::scalar::{ResolvedScalar, ScalarStyle};
use yaml::{Value, ValueKind};

use super::super::plan::Change;
use super::keywords::{dropped, retyped};
use super::site::Site;
use super::types::boolean;
use super::{Repair, Repairer};
use crate::analysis::fix::Title;
use crate::analysis::values::{raw, string, text};
use crd::closest;

pub(super) const REPAIRS: &[(Code, Repairer)] = &[
    (Code::DefaultsMetadata, |site| drop(site).into_iter().collect()),
    (Code::DefaultsSchema, misfit),
    (Code::DefaultsUnknownFields, unknown),
    (Code::LintEnumType, in_enum),
];

/// The deepest nesting of objects that are filled in.
const MOST_LEVELS: usize = 8;
/// Keywords that may reject the empty value of a type.
const BOUNDS: [Keyword; 7] = [
    Keyword::MinLength,
    Keyword::Pattern,
    Keyword::Format,
    Keyword::Minimum,
    Keyword::Maximum,
    Keyword::MinItems,
    Keyword::MinProperties,
];
/// The maximum number of values of an enum that are offered to choose from.
const MOST_CHOICES: usize = 5;

fn drop<'t>(site: &Site<'_, '_, 't>) -> Option<Repair<'t>> {
    dropped(&site.schema_with(Keyword::Default)?, Keyword::Default, false)
}

fn misfit<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    // An object with one field on separate lines has the same range as that field.
    let is_at = |up| site.level_above(up).is_some_and(|level| level.value.range() == site.finding.range);
    let up = usize::from(!is_at(0) && is_at(1));
    let Some(level) = site.level_above(up) else { return Vec::new() };
    let mut repairs: Vec<Repair<'t>> = other_type(site, level.value).into_iter().collect();
    if let Some(schema) = site.schema_of_default(up) {
        repairs.extend(listed(level.value, &schema));
        let plain = reread(level.value, &schema);
        let is_read = plain.is_some();
        repairs.extend(plain);
        if !is_read {
            repairs.extend(of_enum(level.value, &schema));
        }
        repairs.extend(completed(level.value, &schema, site));
    }
    repairs.extend(drop(site));
    repairs
}

fn in_enum<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let of = || reread(site.last()?.value, &site.schema_with(Keyword::Enum)?);
    of().into_iter().collect()
}

/// Changes the type of the node to the type of the default, if all other keywords fit that type.
fn other_type<'t>(site: &Site<'_, '_, 't>, default: Value<'t>) -> Option<Repair<'t>> {
    let schema = site.schema_with(Keyword::Default)?;
    let (other, because) = match default.kind() {
        ValueKind::Sequence(_) if is_list_for_object(&schema) => ("array", "items"),
        ValueKind::Mapping(_) if is_object_for_list(&schema) => ("object", "properties"),
        _ => return None,
    };
    retyped(&schema, other, because)
}

/// The only item of a list in place of the list, or a list of the value, as the schema requires.
fn listed<'t>(value: Value<'t>, schema: &Schema<'_, 't>) -> Option<Repair<'t>> {
    let TypeName::Named(name) = schema.type_name() else { return None };
    if name == "array" {
        let written = value.as_scalar().filter(|scalar| !scalar.style().is_block())?.token().text;
        let list = NewValue::Sequence { items: vec![raw(written)], flow: true };
        let new = format!("[{written}]");
        let title = format!("Replace `{written}` with `{new}`");
        return Some(Repair::suggested(title, vec![Change::Replace(value, list)]));
    }
    let mut items = value.as_sequence()?.items();
    let (item, None) = (items.next()?, items.next()) else { return None };
    let written = item.value().as_scalar()?.token().text;
    let title = format!("Replace the list with `{written}`");
    Some(Repair::suggested(title, vec![Change::Replace(value, raw(written))]))
}

/// The same scalar with or without quotes, as the schema requires.
fn reread<'t>(value: Value<'t>, schema: &Schema<'_, 't>) -> Option<Repair<'t>> {
    let scalar = value.as_scalar()?;
    let TypeName::Named(name) = schema.type_name() else { return None };
    let content = scalar.text();
    if name == "string" {
        let repair = || Repair::suggested(format!("Quote `{content}`"), vec![Change::Quote(value)]);
        let is_value = !matches!(scalar.resolve(), Ok(ResolvedScalar::Null | ResolvedScalar::String(_)));
        return (scalar.style() == ScalarStyle::Plain && is_value).then(repair);
    }
    let plain = content.trim();
    if name == "boolean" && plain != "true" && plain != "false" && scalar.style() != ScalarStyle::Plain {
        return boolean(value, plain);
    }
    let is_wanted = match name.as_ref() {
        "integer" => plain.parse::<i64>().is_ok(),
        "number" => plain.parse::<f64>().is_ok_and(f64::is_finite),
        "boolean" => true,
        _ => false,
    };
    let repair = || {
        Repair::safe(
            Title::removal(format_args!("the quotes around `{plain}`")),
            vec![Change::Replace(value, raw(plain))],
        )
    };
    (is_wanted && scalar.style() != ScalarStyle::Plain).then(repair)
}

/// Replaces the value with an allowed value of the enum.
fn of_enum<'t>(value: Value<'t>, schema: &Schema<'_, 't>) -> Vec<Repair<'t>> {
    let Some(own) = value.as_scalar() else { return Vec::new() };
    let allowed: Vec<Value<'t>> = schema.items(Keyword::Enum).map(yaml::Item::value).collect();
    let texts: Vec<String> = allowed.iter().filter_map(|value| string(*value)).collect();
    let own = own.text();
    let write = |name: &String| {
        let title = format!("Change `{own}` to `{name}`");
        Repair::suggested(title, vec![Change::Replace(value, text(name.as_str()))])
    };
    if let Some((near, _)) = closest(&own, texts.iter().map(String::as_str)) {
        return vec![write(&near.to_owned())];
    }
    texts.iter().take(MOST_CHOICES).map(write).collect()
}

/// Adds the missing fields of an object, as far as their schemas give a value.
fn completed<'t>(value: Value<'t>, schema: &Schema<'_, 't>, site: &Site<'_, '_, 't>) -> Option<Repair<'t>> {
    let mapping = value.as_mapping()?;
    let fields = schema.members(Keyword::Properties);
    let has = |name: &str| mapping.entries().any(|entry| entry.key_text().is_some_and(|key| key == name));
    let required = schema.items(Keyword::Required).filter_map(|item| string(item.value()));
    let missing: Vec<String> = required.filter(|name| !has(name)).collect();
    let mut changes = Vec::new();
    for name in &missing {
        let field = Schema::read(fields.get(name)?.value(), site.reader)?;
        let filled = filled(&field, MOST_LEVELS)?;
        changes.push(Change::AddField(value, NewEntry::new(name.clone(), filled)));
    }
    // Undeclared fields must be removed as well; otherwise the default remains invalid.
    if !fields.entries.is_empty() && !schema.is_true(Keyword::PreserveUnknownFields) {
        let unknown =
            mapping.entries().filter(|entry| entry.key_text().is_some_and(|key| fields.get(&key).is_none()));
        changes.extend(unknown.map(|entry| Change::Remove(value, entry)));
    }
    let names: Vec<String> = missing.iter().map(|name| format!("`{name}`")).collect();
    (!missing.is_empty())
        .then(|| Repair::suggested(format!("Add {} to the default", names.join(" and ")), changes))
}

/// A value for a required field, with its own required fields.
fn filled<'t>(field: &Schema<'_, 't>, levels: usize) -> Option<NewValue<'t>> {
    let below = levels.checked_sub(1)?;
    if let Some(default) = field.get(Keyword::Default) {
        return Some(NewValue::Copy(default));
    }
    if let Some(first) = field.items(Keyword::Enum).next() {
        return Some(NewValue::Copy(first.value()));
    }
    // Only somebody who knows the field can choose a value for other restrictions.
    if BOUNDS.iter().any(|keyword| field.get(*keyword).is_some()) {
        return None;
    }
    let TypeName::Named(name) = field.type_name() else { return None };
    match name.as_ref() {
        "string" => Some(raw("''")),
        "integer" | "number" => Some(raw("0")),
        "boolean" => Some(raw("false")),
        "array" => Some(raw("[]")),
        "object" => {
            let fields = field.members(Keyword::Properties);
            let required = field.items(Keyword::Required).filter_map(|item| string(item.value()));
            let entry = |name: String| {
                let schema = Schema::read(fields.get(&name)?.value(), field.reader())?;
                Some(NewEntry::new(name, filled(&schema, below)?))
            };
            let entries: Vec<NewEntry<'t>> = required.map(entry).collect::<Option<_>>()?;
            Some(match entries.is_empty() {
                true => raw("{}"),
                false => NewValue::Mapping { entries, flow: false },
            })
        }
        _ => None,
    }
}

fn unknown<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let mut repairs = Vec::new();
    if let Some((holder, entry)) = site.entry()
        && let Some(key) = entry.key_text().filter(|key| key != "default")
    {
        if let Some(schema) = site.schema_of_default(1) {
            let fields = schema.members(Keyword::Properties).entries;
            if let Some((near, _)) = closest(&key, fields.iter().map(|(name, _)| name.as_ref())) {
                let change = Change::Rename(entry, near.to_owned());
                repairs.push(Repair::suggested(
                    Title::rename(format_args!("`{key}` to `{near}`")),
                    vec![change],
                ));
            }
        }
        repairs.push(Repair::suggested(
            Title::removal(format_args!("`{key}` from the default")),
            vec![Change::Remove(holder, entry)],
        ));
    }
    repairs.extend(drop(site));
    repairs
}
