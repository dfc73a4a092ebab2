//! The Kubernetes API conventions for fields: names, types that can be extended, bounds, and optional fields.

use super::super::outcome::{Builder, NodeFinding, name};
use super::super::{Position, Stage};
use super::{lint, required_properties};
use crate::field_path::Segment;
use crate::options::{OptionalLint, OptionalLints};
use crate::reading::Members;
use crate::report::ErrorType;
use crate::schema::{Keyword, Schema};

/// Checks `schema`, whose type is `ty`.
pub(super) fn check(
    schema: &Schema<'_, '_>,
    ty: Option<&str>,
    properties: &Members<'_>,
    position: Position,
    wanted: OptionalLints,
    out: &mut Builder,
) {
    if wanted.contains(OptionalLint::Boolean) && ty == Some("boolean") {
        let words = "a boolean cannot gain a third value".to_owned();
        let advice = "use `type: string` with an `enum` of names for the states";
        out.push(of_type(OptionalLint::Boolean, schema, words, out).advise(advice));
    }
    if wanted.contains(OptionalLint::Map) {
        map(schema, out);
    }
    if wanted.contains(OptionalLint::Unbounded) {
        unbounded(schema, ty, out);
    }
    if wanted.contains(OptionalLint::Nullable) && schema.is_true(Keyword::Nullable) {
        let place = out.at_or_owner(schema.key_range(Keyword::Nullable));
        let words = "`null` and an absent field mean the same to most clients".to_owned();
        let code = OptionalLint::Nullable.code();
        let finding = lint(code, place, Keyword::Nullable, words);
        out.push(finding.advise("remove `nullable`, and omit the field from `required`"));
    }
    if wanted.contains(OptionalLint::ItemRequired) && ty == Some("array") {
        item_required(schema, out);
    }
    if wanted.contains(OptionalLint::RequiredDefault) {
        required_defaults(schema, properties, out);
    }
    if wanted.contains(OptionalLint::Name) {
        names(properties, out);
    }
    if position == Position::Root
        && let Some(entry) = properties.get("status")
        && let Some(status) = Schema::read(entry.value(), schema.reader())
    {
        if wanted.contains(OptionalLint::StatusRequired) {
            status_required(&status, out);
        }
        if wanted.contains(OptionalLint::Conditions) {
            conditions(&status, out);
        }
    }
}

/// A finding about the type of `schema`.
fn of_type(of: OptionalLint, schema: &Schema<'_, '_>, words: String, out: &Builder) -> NodeFinding {
    let place = out.at_or_owner(schema.get(Keyword::Type).map(yaml::Value::range));
    lint(of.code(), place, Keyword::Type, words)
}

/// Properties whose names violate the conventions.
fn names(properties: &Members<'_>, out: &mut Builder) {
    for (key, entry) in &properties.entries {
        let Some((words, advice)) = of_name(key) else { continue };
        let tail = vec![name(Keyword::Properties), Segment::Key(key.as_ref().into())];
        let (place, code) = (out.place_of(entry.key_range()), OptionalLint::Name.code());
        let finding = NodeFinding::new(Stage::Lint, code, ErrorType::Invalid, place, tail, words);
        out.push(finding.advise(advice));
    }
}

/// The problem of a field's name, and the remedy.
fn of_name(key: &str) -> Option<(String, String)> {
    if !is_lower_camel_case(key) {
        let advice = match lower_camel_case(key) {
            Some(better) => format!("rename it to `{better}`"),
            None => "rename it; begin with a lower-case letter and use only letters and digits".to_owned(),
        };
        return Some((format!("the name `{key}` is not in lower camel case"), advice));
    }
    let renamed = |suffix: &str, better: &str| {
        key.strip_suffix(suffix).map(|stem| format!("rename it to `{stem}{better}`"))
    };
    if key.to_ascii_lowercase().ends_with("phase") {
        let advice = "use conditions, which can be added one by one";
        return Some((format!("`{key}` cannot gain a value without breaking clients"), advice.to_owned()));
    }
    let by_convention = [("Timestamp", "Time"), ("References", "Refs"), ("Reference", "Ref")];
    by_convention.into_iter().find_map(|(suffix, better)| {
        Some((format!("Kubernetes API names end in `{better}`, not in `{suffix}`"), renamed(suffix, better)?))
    })
}

fn is_lower_camel_case(key: &str) -> bool {
    key.starts_with(|first: char| first.is_ascii_lowercase())
        && key.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// The name in lower camel case, if it has only letters, digits and separators between words.
fn lower_camel_case(key: &str) -> Option<String> {
    let is_word = |word: &&str| !word.is_empty();
    let mut words = key.split(['_', '-', '.']).filter(is_word);
    let first = words.next()?;
    let upper = first.len() - first.trim_start_matches(|letter: char| letter.is_ascii_uppercase()).len();
    // In `HTTPPort`, the last capital of the first run starts the next word.
    let small = if upper > 1 && upper < first.len() { upper - 1 } else { upper };
    let mut better = first.get(..small)?.to_ascii_lowercase() + first.get(small..)?;
    for word in words {
        better.push_str(&word.get(..1)?.to_ascii_uppercase());
        better.push_str(word.get(1..)?);
    }
    is_lower_camel_case(&better).then_some(better)
}

/// A map whose values are not strings.
fn map(schema: &Schema<'_, '_>, out: &mut Builder) {
    let Some(values) = schema.schema(Keyword::AdditionalProperties) else { return };
    if values.type_name().is("string") {
        return;
    }
    let place = out.at_or_owner(schema.key_range(Keyword::AdditionalProperties));
    let words = "the keys of this map have no name".to_owned();
    let advice = "use a list of objects with `x-kubernetes-list-type: map`, whose key is a field";
    let code = OptionalLint::Map.code();
    out.push(lint(code, place, Keyword::AdditionalProperties, words).advise(advice));
}

/// A value whose size only the size of the request limits.
fn unbounded(schema: &Schema<'_, '_>, ty: Option<&str>, out: &mut Builder) {
    if schema.get(Keyword::Enum).is_some() || schema.is_true(Keyword::IntOrString) {
        return;
    }
    let is_missing = |keyword: Keyword| schema.get(keyword).is_none();
    let wanted = match ty {
        Some("string") if is_missing(Keyword::MaxLength) && is_missing(Keyword::Format) => "`maxLength`",
        Some("array") if is_missing(Keyword::MaxItems) => "`maxItems`",
        Some("object")
            if is_missing(Keyword::MaxProperties) && !is_missing(Keyword::AdditionalProperties) =>
        {
            "`maxProperties`"
        }
        Some("integer" | "number") => match (is_missing(Keyword::Minimum), is_missing(Keyword::Maximum)) {
            (true, true) => "`minimum` and `maximum`",
            (true, false) => "`minimum`",
            (false, true) => "`maximum`",
            (false, false) => return,
        },
        _ => return,
    };
    let words = format!("the value has no {wanted}");
    let finding = of_type(OptionalLint::Unbounded, schema, words, out);
    out.push(finding.advise("set it, so that one object cannot grow without limit and rules stay cheap"));
}

/// A list whose items may be empty objects.
fn item_required(schema: &Schema<'_, '_>, out: &mut Builder) {
    let Some(items) = schema.schema(Keyword::Items) else { return };
    if items.get(Keyword::Properties).is_none() || items.items(Keyword::Required).next().is_some() {
        return;
    }
    let place = out.at_or_owner(schema.key_range(Keyword::Items));
    let words = "an empty object is a valid item of this list".to_owned();
    let code = OptionalLint::ItemRequired.code();
    out.push(lint(code, place, Keyword::Items, words).advise("require the field that identifies an item"));
}

/// Fields that are required although they have a default.
fn required_defaults(schema: &Schema<'_, '_>, properties: &Members<'_>, out: &mut Builder) {
    for (index, item) in schema.items(Keyword::Required).enumerate() {
        let Some(key) = required_properties::text(schema, item) else { continue };
        let property = properties.get(&key).and_then(|entry| Schema::read(entry.value(), schema.reader()));
        if property.is_some_and(|property| property.get(Keyword::Default).is_some()) {
            let words = format!("`{key}` has a default and is never absent");
            let finding = of_required(OptionalLint::RequiredDefault, index, item, Vec::new(), words, out);
            out.push(finding.advise("remove it from `required`, or remove the default"));
        }
    }
}

/// Fields of the status that are required.
fn status_required(status: &Schema<'_, '_>, out: &mut Builder) {
    for (index, item) in status.items(Keyword::Required).enumerate() {
        let Some(key) = required_properties::text(status, item) else { continue };
        let words = format!("a controller cannot write its status without `{key}`");
        let path = vec![name(Keyword::Properties), Segment::Key("status".into())];
        let finding = of_required(OptionalLint::StatusRequired, index, item, path, words, out);
        out.push(
            finding.advise("remove it from `required`, because several controllers may write one status"),
        );
    }
}

/// A finding for an entry of `required` of the schema at `path`.
fn of_required(
    of: OptionalLint,
    index: usize,
    item: yaml::Item<'_>,
    mut path: Vec<Segment>,
    words: String,
    out: &Builder,
) -> NodeFinding {
    path.extend([name(Keyword::Required), Segment::Index(index)]);
    let place = out.place_of(item.value().range());
    NodeFinding::new(Stage::Lint, of.code(), ErrorType::Invalid, place, path, words)
}

/// The fields of every condition.
const OF_CONDITIONS: [&str; 5] = ["lastTransitionTime", "message", "reason", "status", "type"];

/// Conditions of a status that differ from the form that clients expect.
fn conditions(status: &Schema<'_, '_>, out: &mut Builder) {
    let properties = status.members(Keyword::Properties);
    let Some(entry) = properties.get("conditions") else { return };
    let Some(list) = Schema::read(entry.value(), status.reader()) else { return };
    let Some(items) = list.schema(Keyword::Items) else { return };
    let declared = items.members(Keyword::Properties);
    let lacking: Vec<String> = OF_CONDITIONS
        .into_iter()
        .filter(|field| declared.get(field).is_none())
        .map(|field| format!("`{field}`"))
        .collect();
    let is_map = list.string(Keyword::ListType).is_some_and(|ty| ty == "map");
    let mut keys = list.items(Keyword::ListMapKeys);
    let key = keys.next().and_then(|key| status.reader().follow(key.value())?.as_scalar()?.as_str());
    let (words, advice) = if !lacking.is_empty() {
        let words = format!("conditions do not declare {}, which clients expect", lacking.join(", "));
        (words, "declare the fields of `metav1.Condition`")
    } else if !is_map || keys.next().is_some() || key.is_none_or(|key| key != "type") {
        let advice = "set `x-kubernetes-list-type: map` and `x-kubernetes-list-map-keys: [type]`";
        ("controllers that apply conditions overwrite those of others".to_owned(), advice)
    } else {
        return;
    };
    let mut tail = vec![name(Keyword::Properties), Segment::Key("status".into())];
    tail.extend([name(Keyword::Properties), Segment::Key("conditions".into())]);
    let (place, code) = (out.place_of(entry.key_range()), OptionalLint::Conditions.code());
    let finding = NodeFinding::new(Stage::Lint, code, ErrorType::Invalid, place, tail, words);
    out.push(finding.advise(advice));
}
