//! The grammar of the CustomResourceDefinition object: its types, their fields, and the meaning of each field.
//!
//! The tables are data. They follow the Go types of `k8s.io/apiextensions-apiserver` (v1 and v1beta1) and of
//! `ObjectMeta`; `fixtures/api/fields.tsv` lists those types, and the tests compare the two. Texts are ours;
//! links lead to the documentation of Kubernetes.

mod beta;
mod definition;
mod gates;
mod links;
mod metadata;
mod parts;
mod schema;
mod schema_docs;
mod schema_docs_extensions;
mod suite;
#[cfg(test)]
mod tests;
mod values;
mod walk;

pub use beta::CUSTOM_RESOURCE_DEFINITION_V1BETA1;
pub use definition::CUSTOM_RESOURCE_DEFINITION_V1;
pub use gates::{CUSTOM_FEATURE_GATES, FEATURE_GATE, GATED_SPEC};
pub use metadata::OBJECT_META;
pub use schema::{EXTERNAL_DOCUMENTATION, JSON_SCHEMA_PROPS, VALIDATION_RULE};
pub use suite::{EXPECTED, EXPECTED_ERROR, TEST_CASE, TEST_OBJECT, TEST_SUITE};
pub use walk::{Step, describe, object_at};

use crate::KubernetesVersion;

/// A type of the API with named fields.
#[derive(Debug)]
pub struct ObjectType {
    /// The Go type's name, e.g. `JSONSchemaProps`.
    pub name: &'static str,
    /// The fields, in the order of the Go type.
    pub fields: &'static [Field],
}

impl ObjectType {
    /// The field with that JSON name; names are case-sensitive, as in strict decoding.
    pub fn field(&self, name: &str) -> Option<&'static Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// The field name at the start of a text, and the text after it: `type string` is `type: string` without
    /// its colon.
    pub fn without_colon<'t>(&self, text: &'t str) -> Option<(&'static str, &'t str)> {
        let (name, rest) = split_without_colon(text)?;
        self.field(name).map(|field| (field.name, rest))
    }
}

/// The key and the value of a line that has no colon, no space after the colon, or an equals sign instead of
/// the colon.
pub fn split_without_colon(text: &str) -> Option<(&str, &str)> {
    let (name, rest) = text.split_at(text.find([' ', ':', '=']).unwrap_or(text.len()));
    let rest = rest.trim_start();
    let rest = rest.strip_prefix([':', '=']).unwrap_or(rest).trim();
    (!name.is_empty() && !text.contains('\n')).then_some((name, rest))
}

/// One field of an [`ObjectType`].
#[derive(Debug)]
pub struct Field {
    /// The JSON name.
    pub name: &'static str,
    /// The type of the value.
    pub ty: FieldType,
    /// Whether the published OpenAPI document of the API lists the field as required.
    ///
    /// The server reads an absent boolean as `false` and an absent string as empty, then validates.
    pub required: bool,
    /// The minor of Kubernetes 1.N that introduced the field, if it is newer than 1.25.
    pub since: Option<u8>,
    /// The minor of Kubernetes 1.N whose servers keep the field by default. Older servers that know the field
    /// drop it, because its feature gate is off by default.
    pub kept_since: Option<u8>,
    /// The server's default for an absent field, as YAML.
    pub default: Option<&'static str>,
    /// The strings that the server accepts or knows; empty if any string is allowed.
    pub values: &'static [&'static str],
    /// The meanings of single values, in at most two sentences each.
    pub meanings: values::Meanings,
    /// Markdown: a description of the field for authors, in at most two sentences.
    pub doc: &'static str,
    /// The address in the documentation of Kubernetes; empty for fields of proposals.
    pub link: &'static str,
}

impl Field {
    /// Markdown: the text with the link to the documentation.
    #[must_use]
    pub fn text(&self) -> String {
        self.text_with(self.doc)
    }

    /// The same with `doc` in place of the text.
    #[must_use]
    pub fn text_with(&self, doc: &str) -> String {
        match self.link {
            "" => doc.to_owned(),
            link => format!("{doc}\n\n[Documentation]({link})"),
        }
    }

    /// Markdown: the meaning of the value `value` of the field, if it is known, with the link.
    #[must_use]
    pub fn value_text(&self, value: &str) -> Option<String> {
        let (_, meaning) = self.meanings.iter().find(|(known, _)| *known == value)?;
        Some(self.text_with(meaning))
    }

    /// Whether a server of that version knows the field.
    #[must_use]
    pub fn is_known_to(&self, version: KubernetesVersion) -> bool {
        self.since.is_none_or(|minor| version.is_at_least(minor))
    }

    /// The minor of Kubernetes 1.N that first keeps the field, if a server of `version` knows the field but
    /// drops it.
    #[must_use]
    pub fn dropped_until(&self, version: KubernetesVersion) -> Option<u8> {
        self.kept_since.filter(|minor| self.is_known_to(version) && !version.is_at_least(*minor))
    }

    const fn new(name: &'static str, ty: FieldType, doc: &'static str) -> Self {
        Self {
            name,
            ty,
            required: false,
            since: None,
            kept_since: None,
            default: None,
            values: &[],
            meanings: &[],
            doc,
            link: "",
        }
    }

    const fn required(self) -> Self {
        Self { required: true, ..self }
    }

    const fn since(self, minor: u8) -> Self {
        Self { since: Some(minor), ..self }
    }

    const fn kept_since(self, minor: u8) -> Self {
        Self { kept_since: Some(minor), ..self }
    }

    const fn default(self, yaml: &'static str) -> Self {
        Self { default: Some(yaml), ..self }
    }

    const fn link(self, link: &'static str) -> Self {
        Self { link, ..self }
    }

    const fn meanings(self, meanings: values::Meanings) -> Self {
        Self { meanings, ..self }
    }

    const fn values(self, values: &'static [&'static str]) -> Self {
        Self { values, ..self }
    }
}

/// The shape of a field's value.
#[derive(Debug, Clone, Copy)]
pub enum FieldType {
    /// A string.
    String,
    /// `true` or `false`.
    Bool,
    /// A 32-bit integer.
    Int32,
    /// A 64-bit integer.
    Int64,
    /// A number.
    Float64,
    /// A base64 string.
    Bytes,
    /// An RFC 3339 string, or null.
    Time,
    /// Any JSON value; its contents are unknown.
    Json,
    /// A mapping with the fields of that type.
    Object(&'static ObjectType),
    /// A sequence.
    List(&'static FieldType),
    /// A mapping with arbitrary keys.
    Map(&'static FieldType),
    /// `JSONSchemaPropsOrBool`: a schema, `true` or `false`.
    SchemaOrBool,
    /// `JSONSchemaPropsOrArray`: a schema; a sequence of schemas decodes, but the server rejects it.
    SchemaOrArray,
    /// `JSONSchemaPropsOrStringArray`: a schema or a sequence of property names.
    SchemaOrStringArray,
}

impl FieldType {
    /// The type with the fields of a mapping; `None` if its keys are arbitrary or the value is no mapping.
    #[must_use]
    pub const fn object(self) -> Option<&'static ObjectType> {
        match self {
            Self::Object(object) => Some(object),
            Self::SchemaOrBool | Self::SchemaOrArray | Self::SchemaOrStringArray => Some(&JSON_SCHEMA_PROPS),
            _ => None,
        }
    }

    /// The type of the items of a sequence; `None` if it is unknown or the value is no sequence.
    #[must_use]
    pub const fn item(self) -> Option<Self> {
        match self {
            Self::List(item) => Some(*item),
            Self::SchemaOrArray => Some(Self::Object(&JSON_SCHEMA_PROPS)),
            Self::SchemaOrStringArray => Some(Self::String),
            _ => None,
        }
    }

    /// Whether a mapping of the type is a schema.
    #[must_use]
    pub fn is_schema(self) -> bool {
        self.object().is_some_and(|object| std::ptr::eq(object, &raw const JSON_SCHEMA_PROPS))
    }
}
