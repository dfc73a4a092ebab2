//! Which keywords fit the type of a schema, and which of them authors write first.

use api::FieldType;
use yaml::{Reader, Value};

use crate::analysis::grammar;

/// Keywords that say something of values of some types alone.
const OF_TYPES: [(&str, &[&str]); 23] = [
    ("maxLength", &["string"]),
    ("minLength", &["string"]),
    ("pattern", &["string"]),
    ("format", &["string", "integer", "number"]),
    ("maximum", &["integer", "number"]),
    ("minimum", &["integer", "number"]),
    ("exclusiveMaximum", &["integer", "number"]),
    ("exclusiveMinimum", &["integer", "number"]),
    ("multipleOf", &["integer", "number"]),
    ("items", &["array"]),
    ("additionalItems", &["array"]),
    ("maxItems", &["array"]),
    ("minItems", &["array"]),
    ("uniqueItems", &["array"]),
    ("x-kubernetes-list-type", &["array"]),
    ("x-kubernetes-list-map-keys", &["array"]),
    ("properties", &["object"]),
    ("required", &["object"]),
    ("additionalProperties", &["object"]),
    ("maxProperties", &["object"]),
    ("minProperties", &["object"]),
    ("x-kubernetes-map-type", &["object"]),
    ("x-kubernetes-embedded-resource", &["object"]),
];

/// What else says that a value is of a type of its own.
const INT_OR_STRING: &str = "x-kubernetes-int-or-string";

/// What authors write first, once the type is known.
const FIRST: [&str; 6] = ["properties", "items", "additionalProperties", "required", "enum", "format"];

/// What is known of a schema in which a keyword is being written.
pub(super) struct Around {
    is_schema: bool,
    ty: Option<String>,
    is_int_or_string: bool,
}

impl Around {
    /// `holder` has the type `ty` of the API.
    pub(super) fn of<'t>(ty: Option<FieldType>, holder: Option<Value<'t>>, reader: &Reader<'t>) -> Self {
        let mapping = holder.and_then(Value::as_mapping);
        let text = |name| {
            let value = reader.entry(mapping?, name)?.value();
            Some(value.as_scalar()?.as_str()?.into_owned())
        };
        let is_schema = ty.is_some_and(grammar::is_schema);
        let is_int_or_string = mapping.is_some_and(|mapping| reader.entry(mapping, INT_OR_STRING).is_some());
        Self { is_schema, ty: text("type").filter(|_| is_schema), is_int_or_string }
    }

    /// The same where nothing is written.
    pub(super) fn of_nothing(ty: Option<FieldType>) -> Self {
        let is_schema = ty.is_some_and(grammar::is_schema);
        Self { is_schema, ty: None, is_int_or_string: false }
    }

    pub(super) fn is_schema(&self) -> bool {
        self.is_schema
    }

    /// Whether `keyword` says something beside what is there.
    pub(super) fn fits(&self, keyword: &str) -> bool {
        if !self.is_schema {
            return true;
        }
        let types = OF_TYPES.iter().find(|(name, _)| *name == keyword).map(|(_, types)| *types);
        match (types, &self.ty) {
            (Some(types), Some(ty)) => types.contains(&ty.as_str()),
            (Some(types), None) if self.is_int_or_string => {
                types.iter().any(|ty| matches!(*ty, "string" | "integer"))
            }
            (None, Some(_)) => keyword != INT_OR_STRING,
            _ => keyword != "type" || !self.is_int_or_string,
        }
    }

    /// Whether `keyword` comes before all others: the type, as all depends on it.
    pub(super) fn leads(&self, keyword: &str) -> bool {
        self.is_schema && keyword == "type"
    }

    /// Whether `keyword` is one of those that authors write next.
    pub(super) fn is_likely(&self, keyword: &str) -> bool {
        self.is_schema && self.ty.is_some() && (FIRST.contains(&keyword) || keyword == "description")
    }

    /// The values of a `format` that the type may have.
    pub(super) fn takes_format(&self, format: &str) -> bool {
        let is_of = |ty: &str| match format {
            "int32" | "int64" => ty == "integer",
            "float" | "double" => ty == "number",
            _ => ty == "string",
        };
        self.ty.as_deref().is_none_or(is_of)
    }
}
