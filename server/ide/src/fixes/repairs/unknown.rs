//! Repairs of fields that the server does not know: misspelt, of another version, of another kind of
//! schema.

use std::borrow::Cow;
use std::collections::HashSet;

use api::{Code, JSON_SCHEMA_PROPS, ObjectType};
use crd::schema::Keyword;
use yaml::edit::{NewEntry, NewValue};
use yaml::{Entry, Value};

use super::super::plan::Change;
use super::site::Site;
use super::{Repair, Repairer, conditions, conversion, refs};
use crate::analysis::fix::Title;
use crate::analysis::values::{own_entry, raw};
use crd::{field_meant, nearest_field};

/// The maximum number of properties that are moved together: the finding on each of them offers to move all.
const MOST_STRAYS: usize = 64;

pub(super) const REPAIRS: &[(Code, Repairer)] = &[
    (Code::DecodeUnknownField, unknown),
    (Code::DecodeDroppedField, |site| drop(site).into_iter().collect()),
];

fn unknown<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let (Some((holder, entry)), Some(object)) = (site.entry(), site.object()) else { return Vec::new() };
    let Some(key) = entry.key_text() else { return Vec::new() };
    let mut repairs = match object.name {
        "JSONSchemaProps" => keyword(site, holder, entry, &key),
        "CustomResourceConversion" => conversion::moved(holder).into_iter().collect(),
        "CustomResourceDefinitionSpec" => into_versions(site, holder, entry, &key).into_iter().collect(),
        _ => Vec::new(),
    };
    if !repairs.is_empty() && object.name != JSON_SCHEMA_PROPS.name {
        return repairs;
    }
    // Read once, because there may be as many unknown fields as entries.
    let entries = holder.as_mapping().into_iter().flat_map(|mapping| mapping.entries());
    let there: HashSet<Cow<'_, str>> = entries.filter_map(Entry::key_text).collect();
    let free = object.fields.iter().map(|field| field.name).filter(|name| !there.contains(*name));
    let is_near = |(name, distance): &(&str, usize)| *distance <= 1 && name.len() > 3;
    let rename = |safe, name: &str| {
        let title = Title::rename(format_args!("`{key}` to `{name}`"));
        Repair::new(safe, title, vec![Change::Rename(entry, name.to_owned())])
    };
    let meant = holder.as_mapping().and_then(|holder| field_meant(&key, object, holder, site.reader));
    if let Some(name) = meant {
        repairs.insert(0, rename(false, name));
    } else if let Some((name, distance)) =
        nearest_field(&key, free).filter(|near| repairs.is_empty() || is_near(near))
    {
        let safe = repairs.is_empty() && (distance == 0 || (distance == 1 && name.len() > 4));
        repairs.insert(0, rename(safe, name));
    } else if let Some(name) = only_field(holder, entry, object).or_else(|| last_word(&key, object, &there))
        && repairs.is_empty()
    {
        repairs.push(rename(false, name));
    }
    repairs.extend(drop(site));
    repairs
}

/// The only field of `object`, if `entry` is the only one of `holder` and its value is a schema.
fn only_field<'t>(holder: Value<'t>, entry: Entry<'t>, object: &ObjectType) -> Option<&'static str> {
    let [field] = object.fields else { return None };
    let is_alone = holder.as_mapping()?.entries().nth(1).is_none();
    (is_alone && field.ty.is_schema() && looks_like_schema(entry)).then_some(field.name)
}

/// The required field whose last word is `key`, if it is missing: `jsonPath` for `path`.
fn last_word(key: &str, object: &ObjectType, there: &HashSet<Cow<'_, str>>) -> Option<&'static str> {
    let mut letters = key.chars();
    let word = format!("{}{}", letters.next()?.to_ascii_uppercase(), letters.as_str());
    let required = object.fields.iter().filter(|field| field.required && !there.contains(field.name));
    let mut ending = required.filter(|field| field.name.ends_with(&word));
    ending.next().map(|field| field.name).filter(|_| ending.next().is_none())
}

fn drop<'t>(site: &Site<'_, '_, 't>) -> Option<Repair<'t>> {
    let (holder, entry) = site.entry()?;
    let title = Title::removal(format_args!("`{}` (kube-apiserver ignores it)", entry.key_text()?));
    Some(Repair::suggested(title, vec![Change::Remove(holder, entry)]))
}

/// Repairs keywords of other kinds of schemas.
fn keyword<'t>(site: &Site<'_, '_, 't>, holder: Value<'t>, entry: Entry<'t>, key: &str) -> Vec<Repair<'t>> {
    let repair = match key {
        "const" => constant(holder, entry),
        "examples" => first_example(holder, entry),
        "if" | "then" | "else" => site.owner().and_then(|schema| conditions::if_then(&schema)),
        "dependentRequired" => site.owner().and_then(|schema| conditions::dependent(&schema, entry)),
        "$defs" => site.owner().filter(|schema| !refs::is_used(schema, key)).map(|schema| {
            Repair::safe(Title::removal("`$defs` (unused)"), vec![Change::Remove(schema.value(), entry)])
        }),
        "$comment" => comment(holder, entry),
        _ => {
            let mut repairs: Vec<Repair<'t>> = stray_properties(holder, entry, key).into_iter().collect();
            repairs.extend(stray_property(holder, &[entry], format!("Move `{key}` to `properties`")));
            return repairs;
        }
    };
    repair.into_iter().collect()
}

fn constant<'t>(holder: Value<'t>, entry: Entry<'t>) -> Option<Repair<'t>> {
    if own_entry(holder, "enum").is_some() {
        return None;
    }
    let written = entry.value().as_scalar()?.token().text;
    let list = NewValue::Sequence { items: vec![raw(written)], flow: true };
    let changes = vec![Change::Rename(entry, "enum".to_owned()), Change::Replace(entry.value(), list)];
    Some(Repair::safe(format!("Convert `const` to `enum: [{written}]`"), changes))
}

/// Converts a note for readers to a YAML comment.
fn comment<'t>(holder: Value<'t>, entry: Entry<'t>) -> Option<Repair<'t>> {
    let text = entry.value().as_scalar()?.text().into_owned();
    let lines = text.trim().lines().map(str::to_owned).collect();
    Some(Repair::safe("Convert `$comment` to a comment", vec![Change::Comment(holder, entry, lines)]))
}

fn first_example<'t>(holder: Value<'t>, entry: Entry<'t>) -> Option<Repair<'t>> {
    if own_entry(holder, "example").is_some() {
        return None;
    }
    let first = entry.value().as_sequence()?.items().next()?;
    let value = match first.value().as_scalar() {
        Some(scalar) => raw(scalar.token().text),
        None => NewValue::Copy(first.value()),
    };
    let changes = vec![Change::Rename(entry, "example".to_owned()), Change::Replace(entry.value(), value)];
    Some(Repair::suggested("Convert `examples` to `example` (keeps only the first value)", changes))
}

/// Moves all properties beside `properties`, if there are several: the line of `properties` is missing, or is
/// in the wrong column.
fn stray_properties<'t>(holder: Value<'t>, entry: Entry<'t>, key: &str) -> Option<Repair<'t>> {
    let is_stray = |entry: &Entry<'t>| {
        let is_unknown = |key: Cow<'_, str>| JSON_SCHEMA_PROPS.field(&key).is_none();
        looks_like_schema(*entry) && entry.key_text().is_some_and(is_unknown)
    };
    if !is_stray(&entry) {
        return None;
    }
    let strays: Vec<Entry<'t>> =
        holder.as_mapping()?.entries().filter(is_stray).take(MOST_STRAYS + 1).collect();
    if !(2..=MOST_STRAYS).contains(&strays.len()) {
        return None;
    }
    let others = match strays.len() - 1 {
        1 => "one other key".to_owned(),
        count => format!("{count} other keys"),
    };
    stray_property(holder, &strays, format!("Move `{key}` and {others} to `properties`"))
}

/// Moves properties that are beside `properties` into it.
fn stray_property<'t>(holder: Value<'t>, strays: &[Entry<'t>], title: String) -> Option<Repair<'t>> {
    if !strays.iter().all(|entry| looks_like_schema(*entry)) {
        return None;
    }
    let moved: Option<Vec<NewEntry<'t>>> = strays.iter().map(|entry| NewEntry::copy(*entry)).collect();
    let moved = moved?;
    let mut changes: Vec<Change<'t>> = strays.iter().map(|entry| Change::Remove(holder, *entry)).collect();
    match own_entry(holder, "properties") {
        Some(properties) => {
            changes.extend(moved.into_iter().map(|entry| Change::AddField(properties.value(), entry)));
        }
        None => {
            let fields = NewValue::Mapping { entries: moved, flow: false };
            changes.push(Change::Insert(holder, NewEntry::new("properties", fields)));
        }
    }
    Some(Repair::suggested(title, changes))
}

fn looks_like_schema(entry: Entry<'_>) -> bool {
    let states_type = |entry: Entry<'_>| {
        let keyword = entry.key_text().and_then(|key| Keyword::parse(&key));
        matches!(keyword, Some(Keyword::Type | Keyword::Properties))
    };
    entry.value().as_mapping().is_some_and(|schema| schema.entries().any(states_type))
}

/// Moves a field that v1beta1 has once for all versions.
pub(super) fn into_versions<'t>(
    site: &Site<'_, '_, 't>,
    spec: Value<'t>,
    entry: Entry<'t>,
    key: &str,
) -> Option<Repair<'t>> {
    let field = match key {
        "validation" => "schema",
        "subresources" | "additionalPrinterColumns" | "selectableFields" => key,
        _ => return None,
    };
    let versions: Vec<Value<'t>> = site.definition.versions().map(|version| version.value).collect();
    let without_field = || versions.iter().filter(|version| own_entry(**version, field).is_none());
    without_field().next()?;
    let copy = |version: &Value<'t>| {
        Change::AddField(*version, NewEntry::new(field.to_owned(), NewValue::Copy(entry.value())))
    };
    let mut changes = vec![Change::Remove(spec, entry)];
    changes.extend(without_field().map(copy));
    let to = if field == key { "" } else { "`schema` of " };
    let title = match versions.len() {
        1 => format!("Move `{key}` to {to}the version"),
        _ => format!("Move `{key}` to {to}each version"),
    };
    Some(Repair::safe(title, changes))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use crate::marked_texts::WIDGET;
    use crate::{File, Settings};

    #[test]
    fn a_field_under_another_name_is_one_finding_and_is_renamed() {
        for (right, written) in [
            ("      openAPIV3Schema:\n", "      swagger:\n"),
            ("      jsonPath: .spec.size\n", "      path: .spec.size\n"),
            ("    - name: Size\n", "    - header: Size\n"),
            ("  group: example.com", "  apiGroup: example.com"),
            ("  - name: v1\n", "  - version: v1\n"),
            ("    storage: true", "    stored: true"),
            ("                type: integer", "                kind: integer"),
            ("            - rule: ", "            - expression: "),
        ] {
            let text = WIDGET.replacen(right, written, 1);
            assert_ne!(text, WIDGET);
            let file = File::new(&text, &Settings::default());
            let found = file.grouped().findings;
            assert_eq!(found.len(), 1, "{found:#?}");
            let fixes = file.fixes(found[0].range);
            let repaired = fixes.first().map(|fix| text::applied(&text, 0, &fix.edits));
            assert_eq!(repaired.as_deref(), Some(WIDGET), "{fixes:#?}");
        }
    }
}
