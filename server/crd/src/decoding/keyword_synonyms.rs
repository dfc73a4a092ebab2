//! Names that other schema languages have for keywords: `min`, `regex`, `choices`.

use yaml::{Mapping, Reader, Scalar, Value};

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
        let lower = written.to_lowercase().replace(['_', '-'], "");
        match &*lower {
            "least" | "min" | "minlen" | "minsize" | "minvalue" => Some(Self::Bound(0)),
            "max" | "maxlen" | "maxsize" | "maxvalue" | "most" => Some(Self::Bound(1)),
            _ => SYNONYMS.iter().find(|(name, _)| *name == lower).map(|(_, keyword)| Self::Keyword(keyword)),
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

/// The keyword that the unknown key `written` of a schema, `holder`, means in other schema languages; `None` if the schema
/// has that keyword, or if the value of `written` does not fit it.
#[must_use]
pub fn keyword_meant<'t>(written: &str, holder: Mapping<'t>, reader: &Reader<'t>) -> Option<&'static str> {
    let meaning = Meaning::of(written)?;
    if holder.entries().nth(MOST_KEYS).is_some() {
        return None;
    }
    let members = members(holder, reader);
    let has_mapping = reader.follow(members.get(written)?.value()).and_then(Value::as_mapping).is_some();
    let type_name = members.get("type").and_then(|entry| reader.follow(entry.value())?.as_scalar());
    let type_name = type_name.map(Scalar::text);
    let keyword = meaning.keyword(type_name.as_deref())?;
    let fits = match keyword {
        "items" => has_mapping && type_name.as_deref() == Some("array"),
        "properties" => has_mapping && type_name.as_deref().is_none_or(|name| name == "object"),
        _ => !has_mapping,
    };
    (fits && members.get(keyword).is_none()).then_some(keyword)
}
