//! Names that other languages and other APIs have for fields: `min`, `regex`, `apiGroup`, `expression`.

use api::{JSON_SCHEMA_PROPS, ObjectType};
use yaml::{Mapping, Reader, Scalar, Value};

use crate::reading::members;
use crate::schema::TYPES;

/// The bounds of each type: the least and the greatest value or size.
const BOUNDS: [(&str, [&str; 2]); 5] = [
    ("array", ["minItems", "maxItems"]),
    ("integer", ["minimum", "maximum"]),
    ("number", ["minimum", "maximum"]),
    ("object", ["minProperties", "maxProperties"]),
    ("string", ["minLength", "maxLength"]),
];

/// Names in lower case without separators, and the keywords that they mean in all types.
const KEYWORDS: [(&str, &str); 21] = [
    ("allowedvalues", "enum"),
    ("attributes", "properties"),
    ("choices", "enum"),
    ("datatype", "type"),
    ("defaultvalue", "default"),
    ("desc", "description"),
    ("doc", "description"),
    ("element", "items"),
    ("elements", "items"),
    ("fields", "properties"),
    ("help", "description"),
    ("jsontype", "type"),
    ("kind", "type"),
    ("options", "enum"),
    ("regex", "pattern"),
    ("regexp", "pattern"),
    ("rules", "x-kubernetes-validations"),
    ("summary", "description"),
    ("validations", "x-kubernetes-validations"),
    ("values", "enum"),
    ("valuetype", "type"),
];

/// Names of fields in lower case without separators in other objects, and the fields that they mean there.
const FIELDS: [(&str, &str, &str); 21] = [
    ("CustomResourceColumnDefinition", "field", "jsonPath"),
    ("CustomResourceColumnDefinition", "header", "name"),
    ("CustomResourceColumnDefinition", "label", "name"),
    ("CustomResourceColumnDefinition", "title", "name"),
    ("CustomResourceDefinitionNames", "aliases", "shortNames"),
    ("CustomResourceDefinitionNames", "list", "listKind"),
    ("CustomResourceDefinitionSpec", "apigroup", "group"),
    ("CustomResourceDefinitionSpec", "domain", "group"),
    ("CustomResourceDefinitionVersion", "columns", "additionalPrinterColumns"),
    ("CustomResourceDefinitionVersion", "enabled", "served"),
    ("CustomResourceDefinitionVersion", "persisted", "storage"),
    ("CustomResourceDefinitionVersion", "printcolumns", "additionalPrinterColumns"),
    ("CustomResourceDefinitionVersion", "stored", "storage"),
    ("CustomResourceDefinitionVersion", "version", "name"),
    ("SelectableField", "path", "jsonPath"),
    ("ValidationRule", "condition", "rule"),
    ("ValidationRule", "error", "message"),
    ("ValidationRule", "errormessage", "message"),
    ("ValidationRule", "expression", "rule"),
    ("ValidationRule", "msg", "message"),
    ("ValidationRule", "path", "fieldPath"),
];

/// The maximum number of keys of a schema that is read. There may be as many unknown keys as keys.
const MOST_KEYS: usize = 100;

/// What a name means in other schema languages.
enum Meaning {
    /// The bound with this index in [`BOUNDS`].
    Bound(usize),
    Keyword(&'static str),
}

impl Meaning {
    fn of(written: &str) -> Option<Self> {
        match &*plain(written) {
            "least" | "min" | "minlen" | "minsize" | "minvalue" => Some(Self::Bound(0)),
            "max" | "maxlen" | "maxsize" | "maxvalue" | "most" => Some(Self::Bound(1)),
            lower => {
                KEYWORDS.iter().find(|(name, _)| *name == lower).map(|(_, keyword)| Self::Keyword(keyword))
            }
        }
    }

    /// The keyword in a schema of the type `type_name`.
    fn keyword(self, type_name: Option<&str>) -> Option<&'static str> {
        match self {
            Self::Bound(index) => {
                let (_, bounds) = BOUNDS.iter().find(|(of, _)| type_name == Some(of))?;
                bounds.get(index).copied()
            }
            Self::Keyword(keyword) => Some(keyword),
        }
    }
}

/// `written` in lower case, without separators.
fn plain(written: &str) -> String {
    written.to_lowercase().replace(['_', '-'], "")
}

/// The field of `object` that the unknown key `written` of `holder` means in other languages or APIs; `None` if `holder` has that
/// field, or if the value of `written` does not fit it.
#[must_use]
pub fn field_meant<'t>(
    written: &str,
    object: &ObjectType,
    holder: Mapping<'t>,
    reader: &Reader<'t>,
) -> Option<&'static str> {
    if object.name == JSON_SCHEMA_PROPS.name {
        return keyword_meant(written, holder, reader);
    }
    let lower = plain(written);
    let (.., field) = FIELDS.iter().find(|(of, name, _)| *of == object.name && *name == lower)?;
    // Other versions of the API have other fields.
    object.field(field)?;
    if holder.entries().nth(MOST_KEYS).is_some() || members(holder, reader).get(field).is_some() {
        return None;
    }
    Some(field)
}

/// The keyword that the unknown key `written` of a schema, `holder`, means in other schema languages.
fn keyword_meant<'t>(written: &str, holder: Mapping<'t>, reader: &Reader<'t>) -> Option<&'static str> {
    let meaning = Meaning::of(written)?;
    if holder.entries().nth(MOST_KEYS).is_some() {
        return None;
    }
    let members = members(holder, reader);
    let value = reader.follow(members.get(written)?.value());
    let has_mapping = value.and_then(Value::as_mapping).is_some();
    let type_name = members.get("type").and_then(|entry| reader.follow(entry.value())?.as_scalar());
    let type_name = type_name.map(Scalar::text);
    let keyword = meaning.keyword(type_name.as_deref())?;
    let fits = match keyword {
        "items" => has_mapping && type_name.as_deref() == Some("array"),
        "properties" => has_mapping && type_name.as_deref().is_none_or(|name| name == "object"),
        "type" => value?.as_scalar().is_some_and(|scalar| TYPES.contains(&&*scalar.text())),
        _ => !has_mapping,
    };
    (fits && members.get(keyword).is_none()).then_some(keyword)
}
