//! A finding with its place in the document.

use crate::analysis::values::{own_entry, string};
use api::{FieldType, JSON_SCHEMA_PROPS, ObjectType};
use crd::object::CustomResourceDefinition;
use crd::schema::{Keyword, Schema};
use text::TextRange;
use yaml::edit::{NewEntry, NewValue};
use yaml::{Entry, Item, Reader, Value, ValueKind};

use super::super::plan::Change;
use crate::Finding;

/// A finding within a definition, with the path to its place in the text. Aliases are not followed.
pub(super) struct Site<'s, 'r, 't> {
    pub(super) finding: &'s Finding,
    pub(super) definition: &'s CustomResourceDefinition<'r, 't>,
    pub(super) reader: &'r Reader<'t>,
    levels: Vec<Level<'t>>,
}

/// The number of values above a finding that a repair examines.
const LOOKED_AT: usize = 4;

/// A value on the path to a finding, with its place in the value above.
#[derive(Clone, Copy)]
pub(crate) struct Level<'t> {
    pub(crate) via: ParentLink<'t>,
    pub(crate) value: Value<'t>,
    pub(crate) ty: Option<FieldType>,
}

#[derive(Clone, Copy)]
pub(crate) enum ParentLink<'t> {
    Root,
    Entry(Entry<'t>),
    Item(Item<'t>),
}

impl<'s, 'r, 't> Site<'s, 'r, 't> {
    pub(super) fn new(finding: &'s Finding, definition: &'s CustomResourceDefinition<'r, 't>) -> Self {
        let levels = levels(definition, finding.range);
        Self { finding, definition, reader: definition.reader(), levels }
    }

    /// The total number of members of the innermost values on the path, which an edit may have to examine.
    pub(super) fn width(&self) -> usize {
        let innermost = self.levels.iter().rev().take(LOOKED_AT);
        innermost.filter_map(|level| level.value.node()).map(yaml::syntax::NodeRef::width).sum()
    }

    /// The innermost value on the path, or the value of the key with the finding.
    pub(super) fn last(&self) -> Option<Level<'t>> {
        self.level_above(0)
    }

    /// The level `by` levels above the last one.
    pub(super) fn level_above(&self, by: usize) -> Option<Level<'t>> {
        let index = self.levels.len().checked_sub(by + 1)?;
        self.levels.get(index).copied()
    }

    /// The last entry on the path with the value that contains it, if the path ends with an entry.
    pub(super) fn entry(&self) -> Option<(Value<'t>, Entry<'t>)> {
        match self.last()?.via {
            ParentLink::Entry(entry) => Some((self.level_above(1)?.value, entry)),
            _ => None,
        }
    }

    /// The last item on the path with the value that contains it, if the path ends with an item.
    pub(super) fn item(&self) -> Option<(Value<'t>, Item<'t>)> {
        match self.last()?.via {
            ParentLink::Item(item) => Some((self.level_above(1)?.value, item)),
            _ => None,
        }
    }

    /// The innermost schema node above the last level.
    pub(super) fn owner(&self) -> Option<Schema<'r, 't>> {
        self.owners().next()
    }

    /// The schema nodes above the last level, from the inside to the outside.
    pub(super) fn owners(&self) -> impl Iterator<Item = Schema<'r, 't>> {
        self.levels.iter().rev().skip(1).filter_map(|level| self.schema_of(*level))
    }

    /// The innermost schema node on the path that has `keyword`.
    pub(super) fn schema_with(&self, keyword: Keyword) -> Option<Schema<'r, 't>> {
        let schemas = self.levels.iter().rev().filter_map(|level| self.schema_of(*level));
        schemas.into_iter().find(|schema| schema.entry(keyword).is_some())
    }

    /// The innermost schema node on the path that is the property `name`.
    pub(super) fn property(&self, name: &str) -> Option<Schema<'r, 't>> {
        let is_property = |level: &&Level<'t>| match level.via {
            ParentLink::Entry(entry) => entry.key_text().is_some_and(|key| key == name),
            _ => false,
        };
        self.levels.iter().rev().filter(is_property).find_map(|level| self.schema_of(*level))
    }

    /// The schema of the value `up` levels above the end of the path, which is within a `default`.
    pub(super) fn schema_of_default(&self, up: usize) -> Option<Schema<'r, 't>> {
        let is_default = |level: &Level<'t>| matches!(level.via, ParentLink::Entry(entry) if entry.key_text().is_some_and(|key| key == "default"));
        let at = (1..self.levels.len()).find(|at| {
            let above = at.checked_sub(1).and_then(|above| self.levels.get(above));
            self.levels.get(*at).is_some_and(is_default)
                && above.is_some_and(|above| self.schema_of(*above).is_some())
        })?;
        let mut schema = self.schema_of(*self.levels.get(at - 1)?)?;
        for level in self.levels.get(at + 1..self.levels.len() - up)? {
            schema = match level.via {
                ParentLink::Entry(entry) => {
                    let field = schema.members(Keyword::Properties).get(&entry.key_text()?);
                    match field {
                        Some(field) => Schema::read(field.value(), self.reader)?,
                        None => schema.schema(Keyword::AdditionalProperties)?,
                    }
                }
                ParentLink::Item(_) => schema.schema(Keyword::Items)?,
                ParentLink::Root => return None,
            };
        }
        Some(schema)
    }

    /// The outermost schema node on the path.
    pub(super) fn root_schema(&self) -> Option<Schema<'r, 't>> {
        self.levels.iter().find_map(|level| self.schema_of(*level))
    }

    fn schema_of(&self, level: Level<'t>) -> Option<Schema<'r, 't>> {
        let is_schema = level
            .ty
            .and_then(FieldType::object)
            .is_some_and(|object| std::ptr::eq(object, &JSON_SCHEMA_PROPS));
        Schema::read(level.value, self.reader).filter(|_| is_schema)
    }

    /// The fields of the object that contains the last entry.
    pub(super) fn object(&self) -> Option<&'static ObjectType> {
        self.level_above(1)?.ty?.object()
    }

    /// The schema node with the outermost junctor on the path, and whether all later levels are branches of
    /// it.
    pub(super) fn host(&self) -> Option<(Schema<'r, 't>, bool)> {
        let is_junctor = |level: &Level<'t>| match level.via {
            ParentLink::Entry(entry) => {
                entry.key_text().and_then(|key| Keyword::parse(&key)).is_some_and(Keyword::is_junctor)
            }
            _ => false,
        };
        let holds = |at: usize| at.checked_sub(1).and_then(|above| self.schema_of(*self.levels.get(above)?));
        let first = self
            .levels
            .iter()
            .enumerate()
            .find_map(|(at, level)| Some((at, holds(at).filter(|_| is_junctor(level))?)));
        let (at, host) = first?;
        let below = self.levels.iter().skip(at).filter(|level| matches!(level.via, ParentLink::Entry(_)));
        let direct = below.rev().skip(1).all(is_junctor);
        Some((host, direct))
    }

    /// The mapping of the version that contains the finding.
    pub(super) fn version(&self) -> Option<Value<'t>> {
        let versions = self.definition.field(&["spec", "versions"])?;
        let mut pairs = self.levels.windows(2).filter_map(|pair| Some((pair.first()?, pair.last()?)));
        let (_, version) = pairs.find(|(list, _)| list.value.range() == versions.range())?;
        Some(version.value)
    }

    /// The string at the path `names` of the definition.
    pub(crate) fn string(&self, names: &[&str]) -> Option<String> {
        string(self.definition.field(names)?)
    }
}

/// The values around `range`, from the outside to the inside.
pub(crate) fn levels<'t>(definition: &CustomResourceDefinition<'_, 't>, range: TextRange) -> Vec<Level<'t>> {
    let mut level = Level {
        via: ParentLink::Root,
        value: definition.value(),
        ty: Some(FieldType::Object(definition.object_type())),
    };
    let mut levels = Vec::new();
    loop {
        levels.push(level);
        let next = match level.value.kind() {
            ValueKind::Mapping(mapping) => {
                let mut entries = mapping.entries_touching(range);
                entries.rfind(|entry| entry.range().contains_range(range)).map(|entry| Level {
                    via: ParentLink::Entry(entry),
                    value: entry.value(),
                    ty: level.ty.zip(entry.key_text()).and_then(|(ty, key)| field_type(ty, &key)),
                })
            }
            ValueKind::Sequence(sequence) => {
                let mut items = sequence.items_touching(range);
                items.rfind(|item| item.range().contains_range(range)).map(|item| Level {
                    via: ParentLink::Item(item),
                    value: item.value(),
                    ty: level.ty.and_then(FieldType::item),
                })
            }
            _ => None,
        };
        match next {
            Some(next) => level = next,
            None => return levels,
        }
    }
}

fn field_type(ty: FieldType, key: &str) -> Option<FieldType> {
    match ty {
        FieldType::Map(value) => Some(*value),
        ty => ty.object()?.field(key).map(|field| field.ty),
    }
}

/// Sets `key` of the mapping `of`, which is not a schema.
pub(super) fn set<'t>(of: Value<'t>, key: &'static str, value: NewValue<'t>) -> Change<'t> {
    match own_entry(of, key) {
        Some(entry) => Change::Replace(entry.value(), value),
        None => Change::AddField(of, NewEntry::new(key, value)),
    }
}

/// Sets the keyword `key` of the schema at `of`.
pub(super) fn set_keyword<'t>(of: Value<'t>, key: &'static str, value: NewValue<'t>) -> Change<'t> {
    match own_entry(of, key) {
        Some(entry) => Change::Replace(entry.value(), value),
        None => Change::Insert(of, NewEntry::new(key, value)),
    }
}

/// Removes `key` from the mapping `of`, if it exists.
pub(super) fn remove<'t>(of: Value<'t>, key: &str) -> Option<Change<'t>> {
    own_entry(of, key).map(|entry| Change::Remove(of, entry))
}
