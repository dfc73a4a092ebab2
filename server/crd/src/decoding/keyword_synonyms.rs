//! Names that other schema languages have for keywords: `min`, `regex`, `choices`.

use yaml::{Mapping, Reader, Value};

use crate::reading::members;

/// The bounds of each type: the least and the greatest value or size.
const BOUNDS: [(&str, [&str; 2]); 5] = [
    ("array", ["minItems", "maxItems"]),
    ("integer", ["minimum", "maximum"]),
    ("number", ["minimum", "maximum"]),
    ("object", ["minProperties", "maxProperties"]),
    ("string", ["minLength", "maxLength"]),
];

/// Names in lower case without separators, and the keywords that they mean in all types.
const SYNONYMS: [(&str, &str); 17] = [
    ("allowedvalues", "enum"),
    ("attributes", "properties"),
    ("choices", "enum"),
    ("defaultvalue", "default"),
    ("desc", "description"),
    ("doc", "description"),
    ("element", "items"),
    ("elements", "items"),
    ("fields", "properties"),
    ("help", "description"),
    ("options", "enum"),
    ("regex", "pattern"),
    ("regexp", "pattern"),
    ("rules", "x-kubernetes-validations"),
    ("summary", "description"),
    ("validations", "x-kubernetes-validations"),
    ("values", "enum"),
];

/// The keyword that the unknown key `written` of a schema, `holder`, means in other schema languages; `None` if the schema
/// has that keyword, or if the value of `written` is a mapping, such as the schema of a property.
#[must_use]
pub fn keyword_meant<'t>(written: &str, holder: Mapping<'t>, reader: &Reader<'t>) -> Option<&'static str> {
    let members = members(holder, reader);
    let value = reader.follow(members.get(written)?.value());
    let lower = written.to_lowercase().replace(['_', '-'], "");
    let bound = match &*lower {
        "least" | "min" | "minlen" | "minsize" | "minvalue" => Some(0),
        "max" | "maxlen" | "maxsize" | "maxvalue" | "most" => Some(1),
        _ => None,
    };
    let type_name = members.get("type").and_then(|entry| reader.follow(entry.value())?.as_scalar());
    let type_name = type_name.map(yaml::Scalar::text);
    let keyword = match bound {
        Some(bound) => {
            let (_, bounds) = BOUNDS.iter().find(|(of, _)| type_name.as_deref() == Some(of))?;
            bounds.get(bound)?
        }
        None => SYNONYMS.iter().find(|(name, _)| *name == lower).map(|(_, keyword)| keyword)?,
    };
    let has_mapping = value.and_then(Value::as_mapping).is_some();
    let is_of_type = match *keyword {
        "items" => has_mapping && type_name.as_deref() == Some("array"),
        "properties" => has_mapping && type_name.as_deref().is_none_or(|name| name == "object"),
        _ => !has_mapping,
    };
    (is_of_type && members.get(keyword).is_none()).then_some(*keyword)
}
