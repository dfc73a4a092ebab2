//! The versions of one definition side by side: the fields that a client of one loses of objects written in
//! another.

use std::collections::BTreeSet;

use yaml::Value;

use super::between::losses_between;
use super::declarations::FieldDeclaration;
use super::loss::LossKind;
use crate::cache::Cache;
use crate::compat::Direction;
use crate::customresource::{ResourceVersion, by_precedence};
use crate::object::CustomResourceDefinition;
use crate::schema::structural::{Structural, StructuralOrBool};

/// The maximum number of fields that are listed.
const MOST: usize = 20_000;

/// All fields of all versions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VersionTable {
    /// `spec.conversion.strategy`: under `None`, the server changes only `apiVersion`, and drops the fields
    /// that the schema of the version does not declare.
    pub strategy: String,
    /// The versions, in the order in which discovery lists those that are served: kubectl uses the first of
    /// these by default.
    pub versions: Vec<VersionColumn>,
    /// The fields, each above those within it.
    pub rows: Vec<FieldRow>,
    /// Whether some fields are not listed.
    pub truncated: bool,
    /// The number of fields that objects lose between the storage version and the served ones, because
    /// nothing converts them; fields below a lost field are not counted.
    pub losses: usize,
}

/// A version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VersionColumn {
    /// Its name.
    pub name: String,
    /// Whether the server answers requests for it.
    pub served: bool,
    /// Whether objects are stored in it.
    pub storage: bool,
}

/// A field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldRow {
    /// The path in objects, such as `.spec.ports[*].name`.
    pub path: String,
    /// The declaration of the field in each version.
    pub cells: Vec<FieldCell>,
}

/// The declaration of a field in a version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FieldCell {
    /// It does not declare the field: the server drops it.
    Dropped,
    /// It does not declare the field, and keeps it unchecked.
    Kept,
    /// It declares the field.
    Declared(FieldDeclaration),
}

impl FieldRow {
    /// Whether all versions declare the same.
    #[must_use]
    pub fn is_same(&self) -> bool {
        self.cells.windows(2).all(|pair| matches!(pair, [one, other] if one == other))
    }

    /// Whether a version drops the field, which another one declares.
    #[must_use]
    pub fn is_lost(&self) -> bool {
        self.cells.contains(&FieldCell::Dropped)
    }

    /// Whether the row follows from the row of the field `above`: the same versions drop it, and the others
    /// declare the same.
    #[must_use]
    pub fn follows_from(&self, above: &Self) -> bool {
        let below = self.path.strip_prefix(&above.path).is_some_and(|rest| rest.starts_with(['.', '[']));
        let drops = |row: &Self| row.cells.iter().map(|cell| *cell == FieldCell::Dropped).collect::<Vec<_>>();
        let mut left = self.cells.iter().filter(|cell| **cell != FieldCell::Dropped);
        let first = left.next();
        below && above.is_lost() && drops(self) == drops(above) && left.all(|cell| Some(cell) == first)
    }
}

impl VersionTable {
    /// The number of fields that the storage version drops, so that they are never stored.
    #[must_use]
    pub fn never_stored(&self) -> usize {
        let Some(storage) = self.versions.iter().position(|version| version.storage) else { return 0 };
        self.rows.iter().filter(|row| row.cells.get(storage) == Some(&FieldCell::Dropped)).count()
    }

    /// The version that kubectl uses by default; `None` if no version is served.
    #[must_use]
    pub fn preferred(&self) -> Option<&str> {
        self.versions.iter().find(|version| version.served).map(|version| version.name.as_str())
    }
}

/// Compares the versions of `definition`.
#[must_use]
pub fn versions<'t>(definition: &CustomResourceDefinition<'_, 't>, cache: &mut Cache) -> VersionTable {
    let mut resources = ResourceVersion::all(definition, definition.reader(), cache);
    resources.sort_by(|one, other| by_precedence(&one.name, &other.name));
    let strategy = definition.field(&["spec", "conversion", "strategy"]).and_then(Value::as_scalar);
    let strategy =
        strategy.and_then(yaml::Scalar::as_str).map_or_else(|| "None".to_owned(), |it| it.into_owned());
    let columns = resources.iter().map(|version| VersionColumn {
        name: version.name.clone(),
        served: version.served,
        storage: version.storage,
    });
    let pairs = losses_between(definition, cache).1;
    let lost: BTreeSet<(Direction, String)> = pairs
        .into_iter()
        .flat_map(|pair| pair.losses)
        .filter(|(_, loss)| !matches!(loss.kind, LossKind::Type(..)))
        .map(|(direction, loss)| (direction, loss.object_path))
        .collect();
    let mut table = VersionTable {
        strategy,
        versions: columns.collect(),
        rows: Vec::new(),
        truncated: false,
        losses: lost.len(),
    };
    let roots: Vec<NodeInVersion<'_>> = resources.iter().map(NodeInVersion::of).collect();
    table.below("", &roots);
    table
}

/// A node in one version.
#[derive(Clone, Copy)]
enum NodeInVersion<'s> {
    Node { schema: &'s Structural, required: bool },
    Dropped,
    Kept,
}

impl<'s> NodeInVersion<'s> {
    fn of(version: &'s ResourceVersion) -> Self {
        match &version.schema {
            Some((schema, _)) => Self::Node { schema, required: false },
            None if version.prunes => Self::Dropped,
            None => Self::Kept,
        }
    }

    fn property(self, name: &str) -> Self {
        let Self::Node { schema, .. } = self else { return self };
        let required = schema.value_validation.required.iter().any(|(other, _)| **other == *name);
        match (schema.properties.get(name), &schema.additional_properties) {
            (Some(child), _) => Self::Node { schema: &child.node, required },
            (None, Some(StructuralOrBool::Structural(child))) => Self::Node { schema: &child.node, required },
            (None, Some(StructuralOrBool::Bool(true))) => Self::Kept,
            (None, _) if schema.extensions.preserve_unknown_fields => Self::Kept,
            (None, _) => Self::Dropped,
        }
    }

    /// The schema of all items or members.
    fn items(self) -> Option<&'s Structural> {
        let Self::Node { schema, .. } = self else { return None };
        schema.items.as_ref().or_else(|| schema.additional_schema()).map(|child| &*child.node)
    }

    fn cell(self) -> FieldCell {
        match self {
            Self::Dropped => FieldCell::Dropped,
            Self::Kept => FieldCell::Kept,
            Self::Node { schema, required } => FieldCell::Declared(FieldDeclaration::of(schema, required)),
        }
    }
}

impl VersionTable {
    /// Adds the rows of the fields below nodes at `path`.
    fn below(&mut self, path: &str, sides: &[NodeInVersion<'_>]) {
        let mut names: Vec<&str> = Vec::new();
        for side in sides {
            let NodeInVersion::Node { schema, .. } = side else { continue };
            names.extend(schema.properties.keys().map(|name| &**name));
        }
        names.sort_unstable();
        names.dedup();
        for name in names {
            let mut below: Vec<NodeInVersion<'_>> = sides.iter().map(|side| side.property(name)).collect();
            // Every object has these, even if its schema does not declare them.
            if path.is_empty() && matches!(name, "apiVersion" | "kind" | "metadata") {
                for side in below.iter_mut().filter(|side| matches!(side, NodeInVersion::Dropped)) {
                    *side = NodeInVersion::Kept;
                }
            }
            self.row(&format!("{path}.{name}"), &below);
        }
        if sides.iter().any(|side| side.items().is_some()) {
            let below: Vec<NodeInVersion<'_>> = sides
                .iter()
                .map(|side| match (side.items(), side) {
                    (Some(schema), _) => NodeInVersion::Node { schema, required: false },
                    (None, NodeInVersion::Kept) => NodeInVersion::Kept,
                    (None, NodeInVersion::Node { schema, .. })
                        if schema.extensions.preserve_unknown_fields =>
                    {
                        NodeInVersion::Kept
                    }
                    _ => NodeInVersion::Dropped,
                })
                .collect();
            self.row(&format!("{path}[*]"), &below);
        }
    }

    fn row(&mut self, path: &str, sides: &[NodeInVersion<'_>]) {
        if self.rows.len() >= MOST {
            self.truncated = true;
            return;
        }
        let cells = sides.iter().map(|side| side.cell()).collect();
        self.rows.push(FieldRow { path: path.to_owned(), cells });
        self.below(path, sides);
    }
}
