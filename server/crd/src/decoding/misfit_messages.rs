//! Messages for values that Go's decoder does not accept for their field.

use api::{FieldType, JSON_SCHEMA_PROPS, ObjectType};
use yaml::scalar::{ResolvedScalar, ScalarStyle};
use yaml::{Reader, Scalar, Value, ValueKind};

use crate::message::Message;
use crate::schema::TYPES;

/// A field by its type and name.
pub(super) type Owner = Option<(&'static str, &'static str)>;

const A_TIME: &str = "write a time such as `2024-01-02T03:04:05Z`";
const A_SCHEMA: &str = "write a schema such as `{type: string}`";

/// The message for `value` if a value of type `ty` is expected. `field` is the name in the message; `owner`
/// identifies the field if it belongs to an object; `server` is Go's error.
pub(super) fn message(
    field: &str,
    (ty, owner): (FieldType, Owner),
    value: Value<'_>,
    server: &str,
    reader: &Reader<'_>,
) -> Message {
    let scalar = value.as_scalar();
    let resolved = scalar.and_then(|scalar| scalar.resolve().ok());
    let text = || scalar.map(|scalar| scalar.text().into_owned()).unwrap_or_default();
    match (ty, &resolved) {
        (FieldType::Time, Some(ResolvedScalar::String(_))) => return time(field, &text(), server),
        (FieldType::Bytes, Some(ResolvedScalar::String(_))) if server.starts_with("illegal base64") => {
            return Message::new(format!("{field} is not base64"))
                .advise("convert it to base64 with padding");
        }
        (FieldType::Int32 | FieldType::Int64, Some(number)) if is_number(number) => {
            let is_whole = !matches!(number, ResolvedScalar::Float(number) if number.fract() != 0.0);
            let bits = if matches!(ty, FieldType::Int32) { 32 } else { 64 };
            let remedy = match is_whole {
                true => format!("use a whole number that fits into {bits} bits"),
                false => "use a whole number".to_owned(),
            };
            return Message::new(format!("{field} cannot be `{}`", text())).advise(remedy);
        }
        _ => {}
    }
    let kind = kind(value, resolved.as_ref());
    let source = match &resolved {
        Some(ResolvedScalar::Bool(_)) if !matches!(text().as_str(), "true" | "false") => {
            format!(", which YAML reads from `{}`", text())
        }
        _ => String::new(),
    };
    let remedy = remedy((ty, owner), value, resolved.as_ref(), reader);
    Message::new(format!("{field} cannot be {kind}{source}")).advise(remedy)
}

/// The remedy for `value`.
fn remedy(
    (ty, owner): (FieldType, Owner),
    value: Value<'_>,
    resolved: Option<&ResolvedScalar<'_>>,
    reader: &Reader<'_>,
) -> String {
    let is_list = matches!(value.kind(), ValueKind::Sequence(_));
    let of_schema = owner.filter(|(object, _)| *object == JSON_SCHEMA_PROPS.name).map(|(_, field)| field);
    if let Some(remedy) = object_of(ty).and_then(|object| with_colon(object, value)) {
        return remedy;
    }
    let remedy = match (ty, resolved) {
        (FieldType::String, _) if of_schema == Some("type") => match is_list {
            true => return one_type(value, reader),
            false => "write a type such as `string`",
        },
        (FieldType::String, Some(_)) => "put it in quotes",
        (FieldType::String, None) => "use a string",
        (FieldType::Bool, Some(number)) if is_number(number) && is_exclusive(of_schema) => {
            let field = of_schema.unwrap_or_default();
            let bound = if field == "exclusiveMinimum" { "minimum" } else { "maximum" };
            let number = value.as_scalar().map(Scalar::text).unwrap_or_default();
            return format!("write `{bound}: {number}` and `{field}: true`");
        }
        (FieldType::Bool, Some(ResolvedScalar::String(_))) => "use `true` or `false` without quotes",
        (FieldType::Bool, _) => "use `true` or `false`",
        (FieldType::Int32 | FieldType::Int64, _) => "use a whole number without quotes",
        (FieldType::Float64, _) => "use a number without quotes",
        (FieldType::Bytes, _) => "use base64",
        (FieldType::Time, _) => A_TIME,
        (FieldType::List(_), Some(ResolvedScalar::Bool(_))) if of_schema == Some("required") => {
            "list the field in `required` of the object that contains it"
        }
        (FieldType::List(FieldType::String), Some(ResolvedScalar::String(text))) if is_word(text) => {
            return format!("use a list, `[{text}]`");
        }
        (FieldType::List(FieldType::Object(object)), _) if is_schema(object) => "use a list of schemas",
        (FieldType::List(_), _) => "use a list",
        (FieldType::SchemaOrBool, Some(ResolvedScalar::String(text)))
            if matches!(&**text, "true" | "false") =>
        {
            "remove the quotes"
        }
        (FieldType::SchemaOrBool, Some(ResolvedScalar::String(text))) if TYPES.contains(&&**text) => {
            return format!("write `{{type: {text}}}`");
        }
        (FieldType::SchemaOrBool, _) => "write a schema such as `{type: string}`, or a boolean",
        (FieldType::Object(object), Some(ResolvedScalar::String(text)))
            if is_schema(object) && TYPES.contains(&&**text) =>
        {
            return format!("write `{{type: {text}}}`");
        }
        (FieldType::Object(object), _) if is_schema(object) && is_list => "write a single schema",
        (FieldType::Object(object), _) if is_schema(object) => A_SCHEMA,
        _ => "write an object",
    };
    remedy.to_owned()
}

/// The object type that `ty` accepts.
const fn object_of(ty: FieldType) -> Option<&'static ObjectType> {
    match ty {
        FieldType::Object(object) => Some(object),
        FieldType::SchemaOrBool => Some(&JSON_SCHEMA_PROPS),
        _ => None,
    }
}

/// The remedy if the value is a field of an object without its colon.
fn with_colon(object: &ObjectType, value: Value<'_>) -> Option<String> {
    let scalar = value.as_scalar().filter(|scalar| scalar.style() == ScalarStyle::Plain)?;
    Some(match object.without_colon(&scalar.text())? {
        (name, "") => format!("add `:` and a value after `{name}`"),
        (name, rest) => format!("write `{name}: {rest}`"),
    })
}

/// The remedy for the list of types `value`.
fn one_type(value: Value<'_>, reader: &Reader<'_>) -> String {
    let items = value.as_sequence().into_iter().flat_map(yaml::Sequence::items);
    let names = items.filter_map(|item| reader.follow(item.value())?.as_scalar().map(Scalar::text));
    let mut names: Vec<_> = names.collect();
    names.sort();
    match names.iter().map(AsRef::as_ref).collect::<Vec<&str>>().as_slice() {
        ["integer", "string"] => "use `x-kubernetes-int-or-string: true`".to_owned(),
        ["null", ty] | [ty, "null"] if TYPES.contains(ty) => format!("use `type: {ty}` and `nullable: true`"),
        _ => "use one type, or `x-kubernetes-int-or-string: true` for an integer or a string".to_owned(),
    }
}

fn is_exclusive(field: Option<&str>) -> bool {
    matches!(field, Some("exclusiveMinimum" | "exclusiveMaximum"))
}

fn is_schema(object: &ObjectType) -> bool {
    object.name == JSON_SCHEMA_PROPS.name
}

/// Whether `text` needs no quotes in a list.
fn is_word(text: &str) -> bool {
    text.starts_with(|char: char| char.is_ascii_alphabetic())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'))
}

fn is_number(resolved: &ResolvedScalar<'_>) -> bool {
    matches!(resolved, ResolvedScalar::Int(_) | ResolvedScalar::Uint(_) | ResolvedScalar::Float(_))
}

fn kind(value: Value<'_>, resolved: Option<&ResolvedScalar<'_>>) -> &'static str {
    match (value.kind(), resolved) {
        (ValueKind::Mapping(_), _) => "an object",
        (ValueKind::Sequence(_), _) => "a list",
        (_, Some(ResolvedScalar::Bool(_))) => "a boolean",
        (_, Some(number)) if is_number(number) => "a number",
        _ => "a string",
    }
}

/// The reason why `text` is not a time, for which Go's error is `server`.
fn time(field: &str, text: &str, server: &str) -> Message {
    let part = server.strip_suffix(" out of range").and_then(|words| words.rsplit(": ").next());
    let last = |count: usize| text.len().checked_sub(count).and_then(|at| text.get(at..)).unwrap_or_default();
    let extra = server.rsplit_once(": extra text: ").map(|(_, extra)| extra);
    let problem = match (part, extra) {
        (Some("day"), _) => {
            let day = text.get(..10).unwrap_or(text);
            format!("{field} has the day `{day}`, which does not exist")
        }
        (Some(part), _) if part.starts_with("time zone") => {
            format!("{field} has the time zone offset `{}`, which is out of range", last(6))
        }
        (Some(part), _) => format!("the {part} of {field} is out of range"),
        (None, Some(extra)) => format!("{field} has {extra} after the time"),
        (None, None) => format!("{field} is not a time"),
    };
    let remedy = if extra.is_some() { "remove it" } else { A_TIME };
    Message::new(problem).advise(remedy)
}
