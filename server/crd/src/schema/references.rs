//! `$ref` to `definitions` of the same schema. The server rejects both; in a draft, the reference still means
//! the named schema.

use yaml::Value;

use super::path::Fields;
use super::{Keyword, Schema, TypeName};

/// The maximum length of a chain of references.
const MOST_STEPS: usize = 50;
/// The keywords whose members references can name.
const DEFINITIONS: [&str; 2] = ["definitions", "$defs"];

/// The name in a reference to a definition of the same schema.
#[must_use]
pub fn referenced_name(reference: &str) -> Option<String> {
    let name = reference.strip_prefix("#/definitions/").or_else(|| reference.strip_prefix("#/$defs/"))?;
    (!name.is_empty() && !name.contains('/')).then(|| name.replace("~1", "/").replace("~0", "~"))
}

/// A schema with its references resolved.
#[derive(Clone)]
pub(crate) struct ResolvedSchema<'r, 't> {
    /// The schema, and the schemas that it refers to. The keywords of earlier schemas take precedence.
    parts: Vec<Schema<'r, 't>>,
    /// The innermost ancestors with definitions, the outermost first.
    owners: Vec<Schema<'r, 't>>,
    /// Whether the schema is unknown, as in `$ref: other.json`.
    is_unknown: bool,
}

impl<'r, 't> ResolvedSchema<'r, 't> {
    pub(crate) fn new(schema: &Schema<'r, 't>) -> Self {
        Self::within(schema.clone(), Vec::new())
    }

    fn within(schema: Schema<'r, 't>, mut owners: Vec<Schema<'r, 't>>) -> Self {
        if DEFINITIONS.iter().any(|key| entry(schema.value(), key).is_some()) {
            if owners.len() == MOST_STEPS {
                owners.remove(0);
            }
            owners.push(schema.clone());
        }
        let mut found = Self { parts: vec![schema], owners, is_unknown: false };
        while let Some((reference, is_alone)) = found.parts.last().and_then(reference) {
            let target = if found.parts.len() > MOST_STEPS { None } else { found.target(&reference) };
            let Some(target) = target else {
                // If the schema has other keywords, the unresolved reference is ignored.
                found.is_unknown = is_alone;
                break;
            };
            found.parts.push(target);
        }
        found
    }

    fn target(&self, reference: &str) -> Option<Schema<'r, 't>> {
        let name = referenced_name(reference)?;
        self.owners.iter().rev().find_map(|owner| {
            let named = |key| entry(entry(owner.value(), key)?, &name);
            Schema::read(DEFINITIONS.into_iter().find_map(named)?, owner.reader())
        })
    }

    /// Whether values may be a string, a boolean or an integer.
    pub(crate) fn may_be_selectable(&self) -> bool {
        let mut types = self.parts.iter().map(Schema::type_name);
        match types.find(|found| *found != TypeName::Missing) {
            Some(TypeName::Named(name)) => is_selectable(&name),
            _ => self.is_unknown,
        }
    }

    /// The first part that has `keyword`.
    fn first(&self, keyword: Keyword) -> Option<&Schema<'r, 't>> {
        self.parts.iter().find(|part| part.get(keyword).is_some())
    }

    fn below(&self, schema: Option<Schema<'r, 't>>) -> Option<Self> {
        schema.map(|schema| Self::within(schema, self.owners.clone()))
    }
}

impl Fields for ResolvedSchema<'_, '_> {
    fn has_properties(&self) -> bool {
        self.first(Keyword::Properties).is_some_and(Fields::has_properties)
    }

    fn property(&self, name: &str) -> Option<Option<Self>> {
        self.first(Keyword::Properties)?.property(name).map(|schema| self.below(schema))
    }

    fn additional(&self) -> Option<Option<Self>> {
        if self.is_unknown {
            return Some(Some(self.clone()));
        }
        self.first(Keyword::AdditionalProperties)?.additional().map(|schema| self.below(schema))
    }
}

/// Whether fields of this type can be selectable.
pub(crate) fn is_selectable(type_name: &str) -> bool {
    matches!(type_name, "string" | "boolean" | "integer")
}

/// The reference of `schema`, and whether the schema has no other key.
fn reference(schema: &Schema<'_, '_>) -> Option<(String, bool)> {
    let reference = schema.string(Keyword::Ref)?;
    Some((reference.into_owned(), schema.entries().count() + schema.unknown().len() == 1))
}

/// The value of `key` in `value` itself.
fn entry<'t>(value: Value<'t>, key: &str) -> Option<Value<'t>> {
    let mut entries = value.as_mapping()?.entries();
    Some(entries.rfind(|entry| entry.key_text().is_some_and(|text| text == key))?.value())
}
