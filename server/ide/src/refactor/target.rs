//! A place in a definition with the values around it.

use api::{FieldType, JSON_SCHEMA_PROPS};
use crd::object::CustomResourceDefinition;
use crd::schema::Schema;
use text::TextRange;
use yaml::{Document, Entry, Reader, Value};

use crate::fixes::repairs::site::{Level, ParentLink, levels};

pub(super) struct RefactoringTarget<'r, 't> {
    pub(super) document: Document<'t>,
    pub(super) definition: &'r CustomResourceDefinition<'r, 't>,
    pub(super) reader: &'r Reader<'t>,
    /// The values from the definition down to the place.
    levels: Vec<Level<'t>>,
}

/// A schema node, and the name of its property.
pub(super) struct SchemaAt<'r, 't> {
    pub(super) schema: Schema<'r, 't>,
    pub(super) name: Option<String>,
}

impl<'r, 't> RefactoringTarget<'r, 't> {
    pub(super) fn new(
        document: Document<'t>,
        definition: &'r CustomResourceDefinition<'r, 't>,
        range: TextRange,
    ) -> Self {
        let levels = levels(definition, range);
        Self { document, definition, reader: definition.reader(), levels }
    }

    /// The innermost entry with the value that contains it, if the path ends with an entry.
    pub(super) fn entry(&self) -> Option<(Value<'t>, Entry<'t>)> {
        let above = self.levels.len().checked_sub(2).and_then(|above| self.levels.get(above))?;
        match self.levels.last()?.via {
            ParentLink::Entry(entry) => Some((above.value, entry)),
            _ => None,
        }
    }

    /// The innermost entry on the path with the key `key`, with its schema.
    pub(super) fn keyword(&self, key: &str) -> Option<(Schema<'r, 't>, Entry<'t>)> {
        let at =
            self.levels.iter().rposition(|level| entry_of(level).is_some_and(|(_, name)| name == key))?;
        let schema = self.schema_of(at.checked_sub(1)?)?;
        Some((schema, entry_of(self.levels.get(at)?)?.0))
    }

    /// The innermost schema node.
    pub(super) fn schema(&self) -> Option<SchemaAt<'r, 't>> {
        let at = (0..self.levels.len()).rev().find(|at| self.schema_of(*at).is_some())?;
        let is_property = at.checked_sub(1).and_then(|above| entry_of(self.levels.get(above)?));
        let is_property = is_property.is_some_and(|(_, key)| key == "properties");
        let name = self.levels.get(at).and_then(entry_of).map(|(_, key)| key).filter(|_| is_property);
        Some(SchemaAt { schema: self.schema_of(at)?, name })
    }

    /// Whether the place is in a schema node, outside of junctors and rules.
    pub(super) fn is_in_spine(&self) -> bool {
        !self.is_in_junctor() && self.keyword("x-kubernetes-validations").is_none()
    }

    /// Whether the place is in a junctor.
    fn is_in_junctor(&self) -> bool {
        self.junctors(self.levels.len())
    }

    /// Whether the innermost entry is within a junctor. The entry itself may be one.
    pub(super) fn is_below_junctor(&self) -> bool {
        self.junctors(self.levels.len().saturating_sub(1))
    }

    /// Whether one of the first `count` levels is a junctor.
    fn junctors(&self, count: usize) -> bool {
        self.levels.iter().take(count).enumerate().any(|(at, level)| {
            let key = entry_of(level).map(|(_, key)| key);
            let is_junctor =
                key.is_some_and(|key| matches!(key.as_str(), "allOf" | "anyOf" | "oneOf" | "not"));
            is_junctor && at.checked_sub(1).is_some_and(|above| self.schema_of(above).is_some())
        })
    }

    /// Whether the place is at or in `spec.versions`, but not in a schema.
    pub(super) fn is_at_versions(&self) -> bool {
        let is_spec =
            |at: usize| self.levels.get(at).and_then(entry_of).is_some_and(|(_, key)| key == "spec");
        let versions = self.levels.get(2).and_then(entry_of).is_some_and(|(_, key)| key == "versions");
        is_spec(1) && versions && self.schema().is_none()
    }

    /// The item of `spec.versions` around the place.
    pub(super) fn version(&self) -> Option<Value<'t>> {
        self.levels.get(3).filter(|_| self.is_at_versions()).map(|level| level.value)
    }

    /// The rule of `x-kubernetes-validations` around the place, with its schema node.
    pub(super) fn rule(&self) -> Option<(Schema<'r, 't>, Entry<'t>, Value<'t>)> {
        let (schema, entry) = self.keyword("x-kubernetes-validations")?;
        let at = self.levels.iter().rposition(|level| level.value.range() == entry.value().range())?;
        Some((schema, entry, self.levels.get(at + 1)?.value))
    }

    fn schema_of(&self, at: usize) -> Option<Schema<'r, 't>> {
        let level = self.levels.get(at)?;
        let is_schema = level
            .ty
            .and_then(FieldType::object)
            .is_some_and(|object| std::ptr::eq(object, &JSON_SCHEMA_PROPS));
        // A list of schemas has the same type as its items.
        let is_list = level.value.as_sequence().is_some();
        Schema::read(level.value, self.reader).filter(|_| is_schema && !is_list)
    }
}

fn entry_of<'t>(level: &Level<'t>) -> Option<(Entry<'t>, String)> {
    match level.via {
        ParentLink::Entry(entry) => Some((entry, entry.key_text()?.into_owned())),
        _ => None,
    }
}
