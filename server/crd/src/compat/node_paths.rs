//! The paths to the nodes of schemas, and walks that keep them.

use crate::field_path::FieldPath;
use crate::schema::Keyword;

/// The paths to the current node of a walk over a schema.
pub(super) struct NodePaths {
    /// The path in the definition.
    pub(super) field: FieldPath,
    /// The path to the node's values in objects; empty for objects themselves.
    pub(super) object: String,
}

impl NodePaths {
    pub(super) const fn of_root(field: FieldPath) -> Self {
        Self { field, object: String::new() }
    }

    /// Whether the node describes whole objects.
    pub(super) const fn is_root(&self) -> bool {
        self.object.is_empty()
    }
}

/// A walk over a schema that keeps the paths to its current node.
pub(super) trait SchemaWalk: Sized {
    fn paths(&mut self) -> &mut NodePaths;

    /// Calls `visit` with the node at `keyword`, or with that of `property` at `keyword`, as the current node. Its values
    /// are at `step` in the values of the current node.
    fn descend(
        &mut self,
        keyword: Keyword,
        property: Option<&str>,
        step: &str,
        visit: impl FnOnce(&mut Self),
    ) {
        let paths = self.paths();
        let (field, object) = (paths.field.len(), paths.object.len());
        paths.field.push_name(keyword.as_str());
        property.into_iter().for_each(|name| paths.field.push_key(name));
        paths.object.push_str(step);
        visit(self);
        let paths = self.paths();
        paths.field.truncate(field);
        paths.object.truncate(object);
    }
}
