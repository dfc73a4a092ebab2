//! Repairs of values whose type differs from the type that the server's decoder requires.

use api::{Code, FieldType, JSON_SCHEMA_PROPS, ObjectType};
use crd::schema::{Keyword, Schema};
use text::TextRange;
use yaml::edit::{NewEntry, NewValue};
use yaml::scalar::{ResolvedScalar, ScalarStyle};
use yaml::{Entry, Scalar, Value, ValueKind};

use super::super::plan::Change;
use super::keywords::dropped;
use super::shapes;
use super::site::{Site, set_keyword};
use super::{Repair, Repairer};
use crate::analysis::fix::Title;
use crate::analysis::short::shorten;
use crate::analysis::text_at::text_of;
use crate::analysis::unnamed_schema::{PROPERTIES, is_keyword_as_property};
use crate::analysis::values::{own_entry, raw, text};
use crate::fixes::mistyped::{self, Intended};

pub(super) const REPAIRS: &[(Code, Repairer)] = &[(Code::DecodeType, other_type)];

/// The maximum number of characters of a text in a title.
const MOST_SHOWN: usize = 40;
/// The maximum number of names that one repair corrects.
const MOST_NAMES: usize = 50;

fn other_type<'t>(site: &Site<'_, '_, 't>) -> Vec<Repair<'t>> {
    let is_version = site.object().is_some_and(|object| object.name == "CustomResourceDefinitionVersion");
    if is_version && site.entry().is_some_and(|(_, entry)| entry.key_text().is_some_and(|key| key == "name"))
    {
        return super::versions::name(site);
    }
    if let (Some((_, entry)), Some(owner)) = (site.entry(), site.owner()) {
        let repair = match entry.key_text().as_deref() {
            Some("type") if holds_objects(site, &owner) => only_object(owner.value(), entry),
            Some("type") if entry.value().as_scalar().is_some() && is_text(site) => {
                return super::keywords::set_type(&owner, entry);
            }
            Some("type") => type_list(owner.value(), entry),
            Some("required") => required(site, entry),
            Some("exclusiveMinimum") => exclusive(owner.value(), entry, "minimum"),
            Some("exclusiveMaximum") => exclusive(owner.value(), entry, "maximum"),
            _ => None,
        };
        if let Some(repair) = repair {
            // The moved requirement may cause an error at its new place, such as in a default that does not
            // have the field.
            let is_moved =
                own_entry(owner.value(), "required").is_some_and(|own| own.range() == entry.range());
            let removal = dropped(&owner, Keyword::Required, false).filter(|_| is_moved);
            let removal = removal.map(|removal| Repair { is_fallback: true, ..removal });
            return std::iter::once(repair).chain(removal).collect();
        }
    }
    let Some(level) = site.last() else { return Vec::new() };
    let repair = level.ty.and_then(|ty| {
        let repair = in_braces(level.value, ty).or_else(|| without_values(site, ty));
        let repair = repair.or_else(|| scalar(level.value, ty));
        let repair = repair.or_else(|| empty_object_for_true(level.value, ty));
        repair
            .or_else(|| shapes::converted(site, level.value, ty))
            .or_else(|| only_item(site, level.value, ty))
    });
    repair.into_iter().chain(keyword_among_names(site)).collect()
}

/// Moves a keyword among the names of properties to the schema with these properties.
fn keyword_among_names<'t>(site: &Site<'_, '_, 't>) -> Option<Repair<'t>> {
    let (names, entry) = site.entry().filter(|_| is_keyword_as_property(site.finding))?;
    let owner = site.owner()?.value();
    let properties = own_entry(owner, PROPERTIES)?.value();
    let key = entry.key_text()?;
    if !Keyword::parse(&key)?.applies_to("object")
        || properties.range() != names.range()
        || own_entry(owner, &key).is_some()
    {
        return None;
    }
    let changes = vec![Change::Remove(names, entry), Change::Insert(owner, NewEntry::copy(entry)?)];
    let (moved, holder) = (format!("`{key}`"), PROPERTIES);
    Some(Repair::suggested(format!("Move {moved} out of `{holder}`"), changes))
}

/// Whether the value must be a string.
fn is_text(site: &Site<'_, '_, '_>) -> bool {
    site.last().is_some_and(|level| matches!(level.ty, Some(FieldType::String)))
}

/// Removes the braces around a text, such as a path of `kubectl`: YAML reads them as an object.
fn in_braces<'t>(value: Value<'t>, ty: FieldType) -> Option<Repair<'t>> {
    let mut entries = value.as_mapping().filter(|mapping| mapping.is_flow())?.entries();
    let (entry, None) = (entries.next()?, entries.next()) else { return None };
    let is_text = matches!(ty, FieldType::String) && matches!(entry.value().kind(), ValueKind::Absent);
    let content = entry.key_text().filter(|_| is_text)?;
    Some(replaced(value, &format!("{{{content}}}"), &content, text(&*content)))
}

/// Removes the colons behind the names of a list: YAML reads each as an object.
fn without_values<'t>(site: &Site<'_, '_, 't>, ty: FieldType) -> Option<Repair<'t>> {
    let (list, _) = site.item().filter(|_| matches!(ty, FieldType::String))?;
    let name = |item: yaml::Item<'t>| {
        let mut entries = item.value().as_mapping().filter(|mapping| !mapping.is_flow())?.entries();
        let (entry, None) = (entries.next()?, entries.next()) else { return None };
        let ValueKind::Absent = entry.value().kind() else { return None };
        Some((item.value(), entry.key().as_scalar()?.token().text))
    };
    let names: Vec<(Value<'t>, &str)> =
        list.as_sequence()?.items().filter_map(name).take(MOST_NAMES).collect();
    let title = match &*names {
        [] => return None,
        [(_, name)] => {
            let (written, name) = (shorten(&format!("{name}:"), MOST_SHOWN), shorten(name, MOST_SHOWN));
            format!("Replace `{written}` with `{name}`")
        }
        _ => "Convert the items to names".to_owned(),
    };
    let changes = names.into_iter().map(|(value, name)| Change::Replace(value, raw(name))).collect();
    Some(Repair::suggested(title, changes))
}

/// Replaces `true` with an empty object, if the object requires no fields.
fn empty_object_for_true<'t>(value: Value<'t>, ty: FieldType) -> Option<Repair<'t>> {
    let FieldType::Object(object) = ty else { return None };
    let is_true = matches!(value.as_scalar()?.resolve().ok()?, ResolvedScalar::Bool(true));
    let is_enough = is_true && !object.fields.iter().any(|field| field.required);
    let empty = NewValue::Mapping { entries: Vec::new(), flow: true };
    is_enough.then(|| replaced(value, "true", "{}", empty))
}

fn replaced<'t>(value: Value<'t>, old: &str, new: &str, with: NewValue<'t>) -> Repair<'t> {
    let (old, new) = (shorten(old, MOST_SHOWN), shorten(new, MOST_SHOWN));
    Repair::suggested(format!("Replace `{old}` with `{new}`"), vec![Change::Replace(value, with)])
}

/// Converts an object to a list with one item.
fn only_item<'t>(site: &Site<'_, '_, 't>, value: Value<'t>, ty: FieldType) -> Option<Repair<'t>> {
    let FieldType::List(FieldType::Object(object)) = ty else { return None };
    let mut keys = value.as_mapping()?.entries().map(|entry| entry.key_text());
    let fits = |key: Option<std::borrow::Cow<'_, str>>| key.is_some_and(|key| object.field(&key).is_some());
    let (_, entry) = site.entry().filter(|_| keys.all(fits))?;
    // A comment before the first key would be lost.
    let above = TextRange::new(entry.colon()?.range().end, value.range().start);
    if text_of(entry.syntax(), above).contains('#') {
        return None;
    }
    let title = format!("Convert `{}` to a list of one item", entry.key_text()?);
    let list = NewValue::Sequence { items: vec![NewValue::Copy(value)], flow: false };
    Some(Repair::suggested(title, vec![Change::Replace(value, list)]))
}

/// Replaces a quoted text with `true` or `false`, if YAML reads it as a boolean without quotes: some readers
/// of YAML read `yes` as a string.
pub(super) fn boolean<'t>(value: Value<'t>, written: &str) -> Option<Repair<'t>> {
    let Ok(ResolvedScalar::Bool(read)) = yaml::scalar::resolve(written.into(), ScalarStyle::Plain, None)
    else {
        return None;
    };
    let new = read.to_string();
    let title = format!("Replace `{written}` with `{new}`");
    Some(Repair::safe(title, vec![Change::Replace(value, raw(new.as_str()))]))
}

/// Converts a scalar to the required type by a change of its quotes or brackets.
fn scalar<'t>(value: Value<'t>, ty: FieldType) -> Option<Repair<'t>> {
    let scalar = value.as_scalar()?;
    let content = scalar.text();
    match ty {
        FieldType::String => Some(Repair::safe(format!("Quote `{content}`"), vec![Change::Quote(value)])),
        FieldType::Bool | FieldType::Int32 | FieldType::Int64 | FieldType::Float64
            if scalar.style() != ScalarStyle::Plain =>
        {
            unquoted(value, content.trim(), ty)
        }
        FieldType::Bool | FieldType::Int32 | FieldType::Int64 | FieldType::Float64 => {
            let intended = match ty {
                FieldType::Bool => Intended::Boolean,
                FieldType::Float64 => Intended::Number,
                _ => Intended::Integer,
            };
            let intended = mistyped::intended_value(&content, intended)?;
            Some(replaced(value, &content, &intended, raw(intended.as_str())))
        }
        FieldType::Object(object) => {
            without_colon(value, object, &content).or_else(|| in_object(value, object, &content))
        }
        FieldType::SchemaOrBool => without_colon(value, &JSON_SCHEMA_PROPS, &content),
        FieldType::List(FieldType::Object(object)) => {
            let key = only_required(object).filter(|_| !content.is_empty())?;
            let items = vec![object_of(key, &content)];
            let title = format!("Convert `{}` to a list with `{key}:`", shorten(&content, MOST_SHOWN));
            Some(Repair::suggested(
                title,
                vec![Change::Replace(value, NewValue::Sequence { items, flow: false })],
            ))
        }
        FieldType::List(_) if !content.is_empty() => in_list(value, scalar, &content),
        _ => None,
    }
}

/// Removes the quotes around a boolean or a number.
fn unquoted<'t>(value: Value<'t>, plain: &str, ty: FieldType) -> Option<Repair<'t>> {
    let is_wanted = match ty {
        FieldType::Bool if !matches!(plain, "true" | "false") => return boolean(value, plain),
        FieldType::Bool => true,
        FieldType::Float64 => plain.parse::<f64>().is_ok_and(f64::is_finite),
        _ => plain.parse::<i32>().is_ok(),
    };
    let title = Title::removal(format_args!("the quotes around `{plain}`"));
    is_wanted.then(|| Repair::safe(title, vec![Change::Replace(value, raw(plain))]))
}

/// Converts a scalar to a list: several lines of one word each are probably items without dashes.
fn in_list<'t>(value: Value<'t>, scalar: Scalar<'t>, content: &str) -> Option<Repair<'t>> {
    let lines: Vec<&str> = scalar.token().text.lines().map(str::trim).collect();
    let is_word = |line: &&str| !line.is_empty() && !line.contains(char::is_whitespace);
    if scalar.style() == ScalarStyle::Plain && lines.len() > 1 && lines.iter().all(is_word) {
        let items: Vec<NewValue<'_>> = lines.iter().map(|line| raw(*line)).collect();
        let title = format!("Convert `{}` to a list of {} items", shorten(content, MOST_SHOWN), items.len());
        let list = NewValue::Sequence { items, flow: false };
        return Some(Repair::suggested(title, vec![Change::Replace(value, list)]));
    }
    let written = scalar.token().text;
    let items = separated_items(written).unwrap_or_else(|| written.to_owned());
    let list = NewValue::Sequence { items: vec![raw(items)], flow: true };
    let title = format!("Convert `{content}` to a list");
    (!scalar.style().is_block()).then(|| Repair::safe(title, vec![Change::Replace(value, list)]))
}

/// The items of `(a, b)`, `a | b` and `a; b`, separated by commas.
fn separated_items(written: &str) -> Option<String> {
    let inner = written.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    let separator = ['|', ';', ','].into_iter().find(|separator| written.contains(*separator))?;
    if inner.is_none() && separator == ',' {
        return None;
    }
    let items: Vec<&str> = inner.unwrap_or(written).split(separator).map(str::trim).collect();
    let is_word = |item: &&str| {
        !item.is_empty() && item.chars().all(|char| char.is_alphanumeric() || "_.-'\"".contains(char))
    };
    items.iter().all(is_word).then(|| items.join(", "))
}

/// Adds the missing colon of a field: `type string`.
fn without_colon<'t>(value: Value<'t>, object: &ObjectType, content: &str) -> Option<Repair<'t>> {
    value.as_scalar().filter(|scalar| scalar.style() == ScalarStyle::Plain)?;
    let (name, rest) = object.without_colon(content).filter(|(_, rest)| !rest.is_empty())?;
    let entries = vec![NewEntry::new(name, raw(rest))];
    let changes = vec![Change::Replace(value, NewValue::Mapping { entries, flow: false })];
    Some(Repair::suggested(format!("Add `:` after `{name}`"), changes))
}

/// Converts a string to an object with its only required field: `- self.a > 1` for a rule.
fn in_object<'t>(value: Value<'t>, object: &ObjectType, content: &str) -> Option<Repair<'t>> {
    let key = only_required(object).filter(|_| !content.is_empty())?;
    let title = format!("Add `{key}:` before `{}`", shorten(content, MOST_SHOWN));
    Some(Repair::suggested(title, vec![Change::Replace(value, object_of(key, content))]))
}

/// The only required field of an object, if it is a string.
fn only_required(object: &ObjectType) -> Option<&'static str> {
    let mut required = object.fields.iter().filter(|field| field.required);
    let field = required.next().filter(|field| matches!(field.ty, FieldType::String))?;
    required.next().is_none().then_some(field.name)
}

fn object_of<'t>(key: &'static str, content: &str) -> NewValue<'t> {
    let entries = vec![NewEntry::new(key, text(content))];
    NewValue::Mapping { entries, flow: false }
}

/// Whether the server accepts only objects there: at the root, where even `nullable` is forbidden, and in an
/// embedded resource whose list of types includes another one.
fn holds_objects<'t>(site: &Site<'_, '_, 't>, schema: &Schema<'_, 't>) -> bool {
    let names_other = |item: yaml::Item<'_>| {
        let is_object = |text: &str| text == "object" || text == "null" || text == "~";
        item.value().as_scalar().is_some_and(|item| !is_object(&item.text()))
    };
    let types = || schema.get(Keyword::Type).and_then(Value::as_sequence);
    let is_embedded = || schema.is_true(Keyword::EmbeddedResource);
    site.owners().nth(1).is_none()
        || is_embedded() && types().is_some_and(|types| types.items().any(names_other))
}

fn only_object<'t>(schema: Value<'t>, entry: Entry<'t>) -> Option<Repair<'t>> {
    entry.value().as_sequence()?;
    let mut changes = vec![Change::Replace(entry.value(), text("object"))];
    changes.extend(own_entry(schema, "nullable").map(|nullable| Change::Remove(schema, nullable)));
    Some(Repair::suggested("Set `type: object` instead of the list of types", changes))
}

/// Converts a list of types, as in newer JSON schemas.
fn type_list<'t>(schema: Value<'t>, entry: Entry<'t>) -> Option<Repair<'t>> {
    let mut names: Vec<String> = Vec::new();
    let mut nullable = false;
    for item in entry.value().as_sequence()?.items() {
        match item.value().as_scalar()?.resolve().ok()? {
            ResolvedScalar::Null => nullable = true,
            ResolvedScalar::String(name) if name == "null" => nullable = true,
            ResolvedScalar::String(name) if !names.iter().any(|other| *other == name) => {
                names.push(name.into_owned())
            }
            _ => return None,
        }
    }
    names.sort();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let (mut title, mut changes, safe) = match names.as_slice() {
        [one] => (format!("Set `type: {one}`"), vec![Change::Replace(entry.value(), text(*one))], true),
        ["integer", "number"] => {
            ("Set `type: number`".to_owned(), vec![Change::Replace(entry.value(), text("number"))], true)
        }
        ["integer", "string"] => (
            "Set `x-kubernetes-int-or-string: true`".to_owned(),
            vec![
                Change::Remove(schema, entry),
                set_keyword(schema, "x-kubernetes-int-or-string", NewValue::yes()),
            ],
            true,
        ),
        [] => return None,
        _ => (
            "Set `x-kubernetes-preserve-unknown-fields: true` (accepts any value)".to_owned(),
            vec![
                Change::Remove(schema, entry),
                set_keyword(schema, "x-kubernetes-preserve-unknown-fields", NewValue::yes()),
            ],
            false,
        ),
    };
    if nullable {
        title.push_str(" and `nullable: true`");
        changes.push(set_keyword(schema, "nullable", NewValue::yes()));
    }
    Some(Repair::new(safe, format!("{title} instead of the list of types"), changes))
}

/// Moves `required: true` from a property to its object.
fn required<'t>(site: &Site<'_, '_, 't>, entry: Entry<'t>) -> Option<Repair<'t>> {
    let ResolvedScalar::Bool(is_required) = entry.value().as_scalar()?.resolve().ok()? else { return None };
    let own = site.owner()?;
    let change = Change::Remove(own.value(), entry);
    if !is_required {
        return Some(Repair::safe(Title::removal("`required: false` (the default)"), vec![change]));
    }
    let (name, parent) = property(site)?;
    let adding = require(parent, &name)?;
    let title = format!("Replace `required: true` with `{name}` in `required` of the parent object");
    Some(Repair::safe(title, std::iter::once(change).chain(adding).collect()))
}

/// The name of the property whose keyword the finding is about, and the object that it belongs to.
fn property<'t>(site: &Site<'_, '_, 't>) -> Option<(String, Value<'t>)> {
    let super::site::ParentLink::Entry(property) = site.level_above(1)?.via else { return None };
    let super::site::ParentLink::Entry(properties) = site.level_above(2)?.via else { return None };
    let parent = site.level_above(3)?.value;
    let is_property = properties.key_text().is_some_and(|key| key == "properties");
    Some((property.key_text()?.into_owned(), parent)).filter(|_| is_property)
}

/// Adds `name` to the `required` of `object`. `Some(None)` if it exists already; `None` if `required` is not
/// a list.
pub(in crate::fixes) fn require<'t>(object: Value<'t>, name: &str) -> Option<Option<Change<'t>>> {
    let Some(entry) = own_entry(object, "required") else {
        let list = NewValue::Sequence { items: vec![text(name)], flow: object.as_mapping()?.is_flow() };
        return Some(Some(Change::Insert(object, NewEntry::new("required", list))));
    };
    match entry.value().kind() {
        ValueKind::Sequence(list) => {
            let has = list
                .items()
                .any(|item| crate::analysis::values::string(item.value()).is_some_and(|other| other == name));
            Some((!has).then(|| Change::Push(entry.value(), text(name))))
        }
        ValueKind::Absent => Some(Some(Change::Push(entry.value(), text(name)))),
        _ => None,
    }
}

/// Converts a bound that newer JSON schemas write as one number.
fn exclusive<'t>(schema: Value<'t>, entry: Entry<'t>, bound: &'static str) -> Option<Repair<'t>> {
    let scalar = entry.value().as_scalar()?;
    let number = |value: Value<'t>| match value.as_scalar()?.resolve().ok()? {
        ResolvedScalar::Int(number) => Some(number as f64),
        ResolvedScalar::Uint(number) => Some(number as f64),
        ResolvedScalar::Float(number) => Some(number),
        _ => None,
    };
    let limit = number(entry.value())?;
    let key = entry.key_text()?;
    let plain = scalar.token().text;
    if let Some(other) = own_entry(schema, bound) {
        let other = number(other.value())?;
        let is_stricter = if bound == "minimum" { other > limit } else { other < limit };
        if is_stricter {
            let title = Title::removal(format_args!("`{key}` (`{bound}` is stricter)"));
            return Some(Repair::safe(title, vec![Change::Remove(schema, entry)]));
        }
    }
    let changes =
        vec![set_keyword(schema, bound, raw(plain)), Change::Replace(entry.value(), NewValue::yes())];
    Some(Repair::safe(format!("Set `{bound}: {plain}` and `{key}: true`"), changes))
}
