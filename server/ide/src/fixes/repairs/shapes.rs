//! Repairs of values in another shape: the keys of an object that must be a list, the items of a list that must be
//! an object, and the name of a type in place of a schema.

use api::{FieldType, ObjectType};
use crd::schema::TYPES;
use yaml::edit::{NewEntry, NewValue};
use yaml::scalar::ScalarStyle;
use yaml::{Entry, Value, ValueKind};

use super::super::plan::Change;
use super::Repair;
use super::site::Site;
use crate::analysis::values::{own_entry, raw, string, text};

/// Converts the value at the end of the path of `site` to the shape `ty`.
pub(super) fn converted<'t>(site: &Site<'_, '_, 't>, value: Value<'t>, ty: FieldType) -> Option<Repair<'t>> {
    let (_, entry) = site.entry()?;
    let key = entry.key_text()?;
    match (value.kind(), ty) {
        (ValueKind::Mapping(_), FieldType::List(FieldType::String | FieldType::Json)) => {
            let items = keys_of(value)?;
            let title = format!("Convert the keys of `{key}` to a list");
            let list = NewValue::Sequence { items, flow: value.is_flow() };
            Some(Repair::suggested(title, vec![Change::Replace(value, list)]))
        }
        (ValueKind::Sequence(_), FieldType::Map(of)) if of.is_schema() => {
            let entries = named_items(value)?;
            let title = format!("Convert the items of `{key}` to keys");
            let mapping = NewValue::Mapping { entries, flow: value.is_flow() };
            Some(Repair::suggested(title, vec![Change::Replace(value, mapping)]))
        }
        (ValueKind::Scalar(_), _) if ty.is_schema() => schema_of(value),
        (ValueKind::Scalar(_) | ValueKind::Sequence(_), FieldType::Object(object)) => {
            let entries = empty_fields(value, object)?;
            let title = match value.as_scalar() {
                Some(scalar) => {
                    let (name, new) = (scalar.text(), format!("{}: {{}}", scalar.text()));
                    format!("Replace `{name}` with `{new}`")
                }
                None => format!("Convert the items of `{key}` to keys"),
            };
            let mapping = NewValue::Mapping { entries, flow: value.is_flow() };
            Some(Repair::suggested(title, vec![Change::Replace(value, mapping)]))
        }
        _ => None,
    }
}

/// Replaces the name of a type with a schema.
pub(super) fn schema_of(value: Value<'_>) -> Option<Repair<'_>> {
    let name = value.as_scalar()?.text();
    let known = TYPES.iter().find(|known| **known == name)?;
    let entries = vec![NewEntry::new("type", text(*known))];
    let title = format!("Replace `{known}` with `{{type: {known}}}`");
    let schema = NewValue::Mapping { entries, flow: true };
    Some(Repair::suggested(title, vec![Change::Replace(value, schema)]))
}

/// The names of fields in `value`, a text or a list, as fields with empty objects, if these require no fields.
fn empty_fields<'t>(value: Value<'t>, object: &ObjectType) -> Option<Vec<NewEntry<'t>>> {
    let entry = |name: Value<'t>| {
        let field = object.field(&name.as_scalar()?.text())?;
        let FieldType::Object(inner) = field.ty else { return None };
        let empty = NewValue::Mapping { entries: Vec::new(), flow: true };
        (!inner.fields.iter().any(|field| field.required)).then(|| NewEntry::new(field.name, empty))
    };
    let entries: Vec<NewEntry<'t>> = match value.as_sequence() {
        Some(list) => list.items().map(|item| entry(item.value())).collect::<Option<_>>()?,
        None => vec![entry(value)?],
    };
    (!entries.is_empty()).then_some(entries)
}

/// The keys of `object` as items, if their values say nothing else: they are empty, true or repeat the key.
fn keys_of<'t>(object: Value<'t>) -> Option<Vec<NewValue<'t>>> {
    let item = |entry: Entry<'t>| {
        let key = entry.key_text()?;
        let says_nothing = match entry.value().kind() {
            ValueKind::Absent => true,
            ValueKind::Scalar(scalar) => scalar.text() == "true" || scalar.text() == key,
            _ => false,
        };
        let is_plain = entry.key().as_scalar().is_some_and(|scalar| scalar.style() == ScalarStyle::Plain);
        says_nothing.then(|| if is_plain { raw(&*key) } else { text(&*key) })
    };
    let items: Option<Vec<NewValue<'t>>> = object.as_mapping()?.entries().map(item).collect();
    items.filter(|items| !items.is_empty())
}

/// The items of `list` as entries, if each has another name, in `name` or as its only key.
fn named_items<'t>(list: Value<'t>) -> Option<Vec<NewEntry<'t>>> {
    let mut names: Vec<String> = Vec::new();
    let entry = |item: yaml::Item<'t>| {
        let mapping = item.value().as_mapping()?;
        let mut entries = mapping.entries();
        let (name, value) = match (entries.next()?, entries.next()) {
            (only, None) if only.value().as_mapping().is_some() => {
                (only.key_text()?.into_owned(), NewValue::Copy(only.value()))
            }
            _ => {
                let name = string(own_entry(item.value(), "name")?.value())?;
                let others =
                    mapping.entries().filter(|entry| entry.key_text().is_none_or(|key| key != "name"));
                let entry = |entry: Entry<'t>| {
                    let key = entry.key_text()?.into_owned();
                    Some(NewEntry::new(key, NewValue::Copy(entry.value())))
                };
                let entries: Option<Vec<NewEntry<'t>>> = others.map(entry).collect();
                (name, NewValue::Mapping { entries: entries?, flow: mapping.is_flow() })
            }
        };
        let is_new = !names.contains(&name);
        names.push(name.clone());
        is_new.then(|| NewEntry::new(name, value))
    };
    let entries: Option<Vec<NewEntry<'t>>> = list.as_sequence()?.items().map(entry).collect();
    entries.filter(|entries| !entries.is_empty())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use crate::marked_texts::WIDGET;
    use crate::{File, Settings, Severity};

    /// Checks that `written` in place of `right` has one finding, whose first fix writes `repaired` there.
    #[track_caller]
    fn check(right: &str, written: &str, repaired: &str) {
        check_in(WIDGET, right, written, repaired);
    }

    /// The same in `whole`.
    #[track_caller]
    fn check_in(whole: &str, right: &str, written: &str, repaired: &str) {
        let text = whole.replacen(right, written, 1);
        assert_ne!(text, whole, "{right}");
        let file = File::new(&text, &Settings::default());
        let mut found = file.grouped().findings;
        found.retain(|finding| finding.severity <= Severity::Warning);
        assert_eq!(found.len(), 1, "{found:#?}\n{text}");
        let fixes = file.fixes(found[0].range);
        let texts: Vec<String> = fixes.iter().map(|fix| text::applied(&text, 0, &fix.edits)).collect();
        assert_eq!(texts.first(), Some(&whole.replacen(right, repaired, 1)), "{fixes:#?}\n{text}");
    }

    #[test]
    fn a_value_in_another_shape_is_one_finding_and_is_converted() {
        let required = "            required:\n            - size\n";
        for value in ["", " true", " size"] {
            check(required, &format!("            required:\n              size:{value}\n"), required);
        }
        let properties = "              replicas:\n                type: integer\n";
        check(properties, "              - name: replicas\n                type: integer\n", properties);
        let size = "              size:\n                type: integer\n";
        check(size, "              size: integer\n", "              size: {type: integer}\n");
        let items = "                items:\n                  type: string\n";
        check(items, "                items: string\n", "                items: {type: string}\n");
        let names = "            required:\n            - size\n";
        check(names, "            required:\n            - size:\n", names);
        let size = "                type: integer\n              modes:";
        for list in ["(1, 2)", "1 | 2", "1; 2"] {
            let of = |list: &str| format!("                enum: {list}\n{size}");
            check(size, &of(list), &of("[1, 2]"));
        }
        for (list, value) in [("[1]", "1"), ("[10]", "10")] {
            let of = |value: &str| format!("                default: {value}\n{size}");
            check(size, &of(list), &of(value));
        }
    }

    #[test]
    fn names_of_subresources_become_fields() {
        let text = WIDGET.split("      scale:").next().unwrap().to_owned();
        let right = "    subresources:\n      status: {}\n";
        for written in ["    subresources:\n    - status\n", "    subresources:\n      status\n"] {
            check_in(&text, right, written, right);
        }
        check_in(&text, right, "    subresources: [status]\n", "    subresources: {status: {}}\n");
    }

    #[test]
    fn names_of_versions_and_groups_become_valid() {
        for written in ["V1", "1", "'1'", "1.0", "v1.0", "_v1"] {
            check("- name: v1\n", &format!("- name: {written}\n"), "- name: v1\n");
        }
        check("  group: example.com", "  group: example.com/v1", "  group: example.com");
    }
}
