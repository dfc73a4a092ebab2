//! What is to be done at one schema node.

use yaml::Value;
use yaml::edit::{Comments, Editor, New, NewEntry, Position};

use super::place;
use crate::{Applicability, Finding};

/// Changes that belong together.
#[derive(Clone, Debug)]
pub(super) struct Plan<'t> {
    /// What they do, for a menu.
    pub(super) title: String,
    pub(super) applicability: Applicability,
    pub(super) changes: Vec<Change<'t>>,
    /// The field paths of what they repair.
    pub(super) paths: Vec<String>,
}

/// A change to the text.
#[derive(Clone, Debug)]
pub(super) enum Change<'t> {
    /// A new entry in a mapping.
    Insert(Value<'t>, NewEntry<'t>),
    /// An entry of a mapping that goes. What is said of it in comments stays.
    Remove(Value<'t>, yaml::Entry<'t>),
    /// Another value.
    Replace(Value<'t>, New<'t>),
}

impl<'t> Plan<'t> {
    /// Whether the plan repairs `finding`.
    pub(super) fn repairs(&self, finding: &Finding) -> bool {
        finding.code.starts_with("structural/") && self.paths.contains(&finding.field_path)
    }

    /// Tells the changes to `editor`.
    pub(super) fn apply(&self, editor: &mut Editor<'t>) {
        for change in &self.changes {
            match change {
                Change::Insert(into, entry) => {
                    let position =
                        into.as_mapping().map_or(Position::End, |mapping| place::of(mapping, &entry.key));
                    editor.insert(*into, position, entry.clone());
                }
                Change::Remove(from, entry) => editor.remove(*from, *entry, Comments::Keep),
                Change::Replace(value, with) => editor.replace(*value, with.clone()),
            }
        }
    }
}
