//! The description of a field by a schema or the API, in words.

use api::Field;
use crd::schema::Keyword;
use crd::schema::structural::{Structural, StructuralOrBool, ValidationRule};
use crd::value::{Kind, Value};
use text::{TextRange, TextSize};
use yaml::scalar::{self, ScalarStyle};

use crate::analysis::grammar;
use crate::analysis::resources::shape::{Member, SchemaNode, Shape};
use crate::analysis::short::code;

/// The maximum number of characters of a name, a value or a rule.
const LONGEST: usize = 200;
/// The maximum number of bytes of a description that are read.
const LONGEST_DESCRIPTION: TextSize = 4_000;
/// The maximum number of values of an enumeration that are shown.
const MOST_VALUES: usize = 12;
/// The maximum number of rules that are shown.
const MOST_RULES: usize = 8;
/// The maximum depth of nested lists and maps in a type.
const DEEPEST: usize = 8;
const DEFINITION: &str = "definition";

/// The type of a value in a few words, for example `map[string][]integer`; empty if it is not declared.
pub(crate) fn type_name(shape: Shape<'_>) -> String {
    match shape {
        Shape::Schema(node) => schema_type(node.schema, DEEPEST),
        Shape::Api(ty) => grammar::name(ty),
        Shape::Open => "any".to_owned(),
    }
}

fn schema_type(schema: &Structural, deepest: usize) -> String {
    let below = |child: &Structural| match deepest {
        0 => "…".to_owned(),
        _ => schema_type(child, deepest - 1),
    };
    if schema.extensions.int_or_string {
        return "int-or-string".to_owned();
    }
    match &*schema.generic.type_name {
        "" if schema.extensions.preserve_unknown_fields => "any".to_owned(),
        "array" => {
            schema.items.as_ref().map_or("array".to_owned(), |child| format!("[]{}", below(&child.node)))
        }
        "object" => match &schema.additional_properties {
            Some(StructuralOrBool::Structural(child)) => format!("map[string]{}", below(&child.node)),
            _ => "object".to_owned(),
        },
        name if !schema.value_validation.format.is_empty() => {
            format!("{name} ({})", schema.value_validation.format)
        }
        name => name.to_owned(),
    }
}

/// The type with the limits on its values, for example `integer ≥ 1 and ≤ 65535`.
pub(crate) fn signature(shape: Shape<'_>) -> String {
    let mut parts = vec![type_name(shape)];
    let Shape::Schema(node) = shape else { return parts.remove(0) };
    let rules = &node.schema.value_validation;
    let signs =
        |exclusive: bool, [inclusive, other]: [&'static str; 2]| if exclusive { other } else { inclusive };
    let bounds = [
        (signs(rules.exclusive_minimum, ["≥", ">"]), rules.minimum),
        (signs(rules.exclusive_maximum, ["≤", "<"]), rules.maximum),
        ("multiple of", rules.multiple_of),
    ];
    let bounds = bounds.into_iter().filter_map(|(sign, limit)| Some(format!("{sign} {}", limit?)));
    parts.push(bounds.collect::<Vec<_>>().join(" and "));
    for (what, least, most) in [
        ("length", rules.min_length, rules.max_length),
        ("items", rules.min_items, rules.max_items),
        ("properties", rules.min_properties, rules.max_properties),
    ] {
        let limits = [("≥", least), ("≤", most)].into_iter();
        let limits: Vec<_> = limits.filter_map(|(sign, limit)| Some(format!("{sign} {}", limit?))).collect();
        if !limits.is_empty() {
            parts.push(format!("{what} {}", limits.join(" and ")));
        }
    }
    parts.retain(|part| !part.is_empty());
    parts.join(" ")
}

/// The whole description of a field, as Markdown, without its name. `rules` are the rules of outer schemas
/// that apply to it.
pub(crate) fn body(member: &Member<'_>, rules: &[&ValidationRule]) -> String {
    let mut paragraphs = Vec::new();
    if let Some(field) = member.field {
        return api_body(field);
    }
    if let Some(node) = member.shape.schema() {
        let all = &node.schema.value_validation.enumeration;
        if !all.is_empty() {
            let mut values: Vec<String> =
                all.iter().take(MOST_VALUES).map(|value| code(&flow(value), LONGEST)).collect();
            if all.len() > MOST_VALUES {
                values.push("…".to_owned());
            }
            paragraphs.push(format!("Values: {}", values.join(", ")));
        }
        if let Some(default) = default(node) {
            paragraphs.push(format!("Default: {}", code(&flow(default), LONGEST)));
        }
        if let Some(pattern) = scalar_of(node, Keyword::Pattern) {
            paragraphs.push(format!("Pattern: {}", code(&pattern, LONGEST)));
        }
        paragraphs.extend(description(node));
        let own = node.schema.validations.iter();
        let shown: Vec<String> = own.chain(rules.iter().copied()).take(MOST_RULES).map(rule).collect();
        if !shown.is_empty() {
            paragraphs.push(format!("Rules:\n{}", shown.join("\n")));
        }
    }
    paragraphs.join("\n\n")
}

/// The description of a field of the API: its text, values and default.
fn api_body(field: &Field) -> String {
    let mut paragraphs = vec![field.text()];
    if !field.values.is_empty() {
        let values: Vec<String> = field.values.iter().map(|value| code(value, LONGEST)).collect();
        paragraphs.push(format!("Values: {}", values.join(", ")));
    }
    paragraphs.extend(field.default.map(|default| format!("Default: {}", code(default, LONGEST))));
    paragraphs.join("\n\n")
}

/// The text of a field of `metadata` without the part about definitions, as a resource is not one.
pub(crate) fn of_any_object(field: &Field) -> String {
    let Some(at) = field.doc.to_ascii_lowercase().find(DEFINITION) else { return field.text() };
    let before = field.doc.get(..at).unwrap_or_default();
    field.text_with(before.rfind(". ").map_or("", |end| before.get(..=end).unwrap_or_default()))
}

/// The facts beside the name: the type and its special properties.
pub(crate) fn facts(member: &Member<'_>) -> Vec<String> {
    let mut facts = vec![code(&signature(member.shape), LONGEST)];
    if member.required {
        facts.push("required".to_owned());
    }
    if let Some(minor) = member.field.and_then(|field| field.since) {
        facts.push(format!("since Kubernetes 1.{minor}"));
    }
    let Some(node) = member.shape.schema() else { return facts };
    if node.schema.generic.nullable {
        facts.push("nullable".to_owned());
    }
    let extensions = &node.schema.extensions;
    if let Some(list_type) = &extensions.list_type {
        let keys: Vec<_> = extensions.list_map_keys.iter().map(|key| code(key, LONGEST)).collect();
        let keys = if keys.is_empty() { String::new() } else { format!(", keys {}", keys.join(", ")) };
        facts.push(format!("list type {}{keys}", code(list_type, LONGEST)));
    }
    if extensions.embedded_resource {
        facts.push("embedded resource".to_owned());
    }
    if extensions.preserve_unknown_fields {
        facts.push("keeps unknown fields".to_owned());
    }
    facts
}

/// The default that the server adds if the field is absent.
pub(crate) fn default(node: SchemaNode<'_>) -> Option<&Value> {
    node.schema.generic.default.as_ref()
}

fn rule(rule: &ValidationRule) -> String {
    let expression = code(&rule.rule, LONGEST);
    match &*rule.message {
        "" => format!("- {expression}"),
        message => format!("- {} ({expression})", message.trim()),
    }
}

/// The description in the definition, cut if it is long.
pub(crate) fn description(node: SchemaNode<'_>) -> Option<String> {
    let text = scalar_of(node, Keyword::Description)?;
    Some(text.trim().to_owned()).filter(|text| !text.is_empty())
}

/// The text of a keyword as it is in the definition. Aliases are not followed.
fn scalar_of(node: SchemaNode<'_>, keyword: Keyword) -> Option<String> {
    let place = node.schema.places.place_of(keyword, node.base)?;
    let end = place.value.end.min(place.value.start.saturating_add(LONGEST_DESCRIPTION));
    if place.value.start >= end || end > node.text.len() {
        return None;
    }
    let raw = node.text.slice(TextRange::new(place.value.start, end));
    let style = match raw.bytes().next()? {
        b'*' | b'{' | b'[' => return None,
        b'\'' => ScalarStyle::SingleQuoted,
        b'"' => ScalarStyle::DoubleQuoted,
        b'|' => ScalarStyle::Literal,
        b'>' => ScalarStyle::Folded,
        _ => ScalarStyle::Plain,
    };
    let position = node.text.position(place.key.start, text::PositionEncoding::Utf8);
    let column = i32::try_from(position.character).unwrap_or(i32::MAX);
    let mut text = scalar::decode(style, &raw, column).text.into_owned();
    if end < place.value.end {
        text.push('…');
    }
    Some(text)
}

/// `value` as YAML on one line.
pub(crate) fn flow(value: &Value) -> String {
    let mut out = String::new();
    write(value, false, &mut out);
    out
}

fn write(value: &Value, nested: bool, out: &mut String) {
    match &value.kind {
        Kind::Null => out.push_str("null"),
        Kind::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Kind::Int(value) => out.push_str(&value.to_string()),
        Kind::Float(value) => out.push_str(&value.to_string()),
        Kind::String(text) => out.push_str(&yaml::edit::quoted(text, nested)),
        Kind::List(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                out.push_str(if at == 0 { "" } else { ", " });
                write(item, true, out);
            }
            out.push(']');
        }
        Kind::Map(members) => {
            out.push('{');
            for (at, (key, member)) in members.iter().enumerate() {
                out.push_str(if at == 0 { "" } else { ", " });
                out.push_str(&yaml::edit::quoted(key, true));
                out.push_str(": ");
                write(&member.value, true, out);
            }
            out.push('}');
        }
    }
}

/// The first `characters` of `text`.
pub(crate) fn truncated(text: &str, characters: usize) -> String {
    match text.char_indices().nth(characters) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}
