use crate::field_path::FieldPath;
use crate::schema::Keyword;

/// The paths to a node of a schema, during a walk.
pub(super) struct NodePaths {
    /// The path in the definition.
    pub(super) field: FieldPath,
    /// The path to the node's values in objects; empty for objects themselves.
    pub(super) object: String,
}

/// The lengths of the paths to a node, to which a walk returns.
pub(super) struct PathLengths(usize, usize);

impl NodePaths {
    pub(super) const fn of_root(field: FieldPath) -> Self {
        Self { field, object: String::new() }
    }

    /// Whether the node describes whole objects.
    pub(super) const fn is_root(&self) -> bool {
        self.object.is_empty()
    }

    /// Goes down to the node at `keyword`, or to that of `property` at `keyword`. Its values are at `step` in those of the current
    /// node.
    pub(super) fn enter(&mut self, keyword: Keyword, property: Option<&str>, step: &str) -> PathLengths {
        let before = PathLengths(self.field.len(), self.object.len());
        self.field.push_name(keyword.as_str());
        property.into_iter().for_each(|name| self.field.push_key(name));
        self.object.push_str(step);
        before
    }

    /// Returns to the node that had these lengths.
    pub(super) fn leave(&mut self, PathLengths(field, object): PathLengths) {
        self.field.truncate(field);
        self.object.truncate(object);
    }
}
