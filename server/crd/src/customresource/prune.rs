//! Drops fields that the schema does not specify, like `pkg/apiserver/schema/pruning`.

use crate::schema::structural::{Structural, StructuralOrBool};
use crate::value::{Kind, Map, Place, Value};

/// A field that was dropped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrunedField {
    /// Its path in the form of the server's strict errors: joined by dots, keys without escapes.
    pub path: String,
    /// The place of its key in the text.
    pub key: Place,
}

/// Drops the fields of `value` that `schema` does not specify. A resource (`is_root`) keeps apiVersion, kind
/// and metadata unchanged. Returns the dropped fields, sorted by path.
pub fn prune(value: &mut Value, schema: &Structural, is_root: bool) -> Vec<PrunedField> {
    let mut pruner = Pruner { path: String::new(), pruned: Vec::new() };
    pruner.value(value, Some(schema), is_root || schema.extensions.embedded_resource);
    pruner.pruned.sort_by(|one, other| one.path.cmp(&other.path));
    pruner.pruned
}

/// Whether `key` is a field of every resource.
pub(super) fn is_meta(key: &str) -> bool {
    matches!(key, "apiVersion" | "kind" | "metadata")
}

struct Pruner {
    path: String,
    pruned: Vec<PrunedField>,
}

impl Pruner {
    fn value(&mut self, value: &mut Value, schema: Option<&Structural>, is_resource: bool) {
        let preserves = schema.is_some_and(|schema| schema.extensions.preserve_unknown_fields);
        match &mut value.kind {
            Kind::Map(map) => self.map(map, schema, is_resource, preserves),
            Kind::List(items) => {
                let below = schema.and_then(|schema| schema.items.as_ref()).map(|child| &*child.node);
                // If the node preserves unknown fields, only the schema of the items can require pruning.
                if preserves && below.is_none() {
                    return;
                }
                for (index, item) in items.iter_mut().enumerate() {
                    let length = self.path.len();
                    self.path.push_str(&format!("[{index}]"));
                    if preserves {
                        self.preserved(item, below)
                    } else {
                        self.below(item, below)
                    }
                    self.path.truncate(length);
                }
            }
            _ => {}
        }
    }

    fn below(&mut self, value: &mut Value, schema: Option<&Structural>) {
        self.value(value, schema, schema.is_some_and(|schema| schema.extensions.embedded_resource));
    }

    /// An item of a list that preserves unknown fields; the item preserves them too.
    fn preserved(&mut self, value: &mut Value, schema: Option<&Structural>) {
        let Some(schema) = schema else { return };
        match &mut value.kind {
            Kind::Map(map) => self.map(map, Some(schema), schema.extensions.embedded_resource, true),
            Kind::List(items) => {
                let Some(below) = &schema.items else { return };
                for (index, item) in items.iter_mut().enumerate() {
                    let length = self.path.len();
                    self.path.push_str(&format!("[{index}]"));
                    self.preserved(item, Some(&below.node));
                    self.path.truncate(length);
                }
            }
            _ => {}
        }
    }

    fn map(&mut self, map: &mut Map, schema: Option<&Structural>, is_resource: bool, preserves: bool) {
        let at_root = self.path.is_empty();
        map.retain(|key, member| {
            if is_resource && is_meta(key) {
                return true;
            }
            let length = self.path.len();
            if !at_root {
                self.path.push('.');
            }
            self.path.push_str(key);
            let property = schema.and_then(|schema| schema.properties.get(key));
            let additional = schema.and_then(|schema| schema.additional_properties.as_ref());
            let kept = match (property, additional) {
                (Some(child), _) | (None, Some(StructuralOrBool::Structural(child))) => {
                    self.below(&mut member.value, Some(&child.node));
                    true
                }
                (None, Some(StructuralOrBool::Bool(_))) => {
                    self.below(&mut member.value, None);
                    true
                }
                (None, None) => preserves,
            };
            let is_reported = !(kept || at_root && is_meta(key));
            if is_reported {
                self.pruned.push(PrunedField { path: self.path.clone(), key: member.key });
            }
            self.path.truncate(length);
            kept
        });
    }
}
