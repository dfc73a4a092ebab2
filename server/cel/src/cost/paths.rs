//! The positions in the schema of the values of an expression.
//!
//! A path is a slice of a shared store, and an extended path may overwrite the step that another path has
//! appended to the same slice. cel-go's paths have the same behaviour, which affects its estimates.

use crate::ast::Name;
use crate::declarations::{DeclKind, DeclType};

/// A step of a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum PathStep {
    /// The variable at the start; its name is ignored.
    Variable,
    /// An element of a list.
    Items,
    /// An index of a list.
    Indices,
    /// A key of a map.
    Keys,
    /// A value of a map.
    Values,
    /// A field of an object.
    Field(Name),
}

/// A path; empty for values that do not come from the schema.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Path {
    start: u32,
    len: u32,
    /// How many steps fit from `start` before the path has to be copied.
    room: u32,
}

/// The store of all paths of an estimate.
#[derive(Default)]
pub(super) struct Paths {
    steps: Vec<PathStep>,
}

impl Paths {
    pub(super) fn variable(&mut self) -> Path {
        self.extended(Path::default(), PathStep::Variable)
    }

    /// `path` with another step: in place if there is room, otherwise in a copy with twice the room.
    pub(super) fn extended(&mut self, path: Path, step: PathStep) -> Path {
        if path.len < path.room {
            if let Some(slot) = self.steps.get_mut((path.start + path.len) as usize) {
                *slot = step;
            }
            return Path { len: path.len + 1, ..path };
        }
        let start = self.steps.len();
        let room = (path.room * 2).max(1);
        let old = path.start as usize..(path.start + path.len) as usize;
        self.steps.extend_from_within(old);
        self.steps.push(step);
        self.steps.resize(start + room as usize, PathStep::Variable);
        Path { start: start as u32, len: path.len + 1, room }
    }

    pub(super) fn steps(&self, path: Path) -> &[PathStep] {
        self.steps.get(path.start as usize..(path.start + path.len) as usize).unwrap_or_default()
    }
}

/// The declared type that a step leads to.
pub(super) fn step_into<'d>(
    of: &'d DeclType,
    step: PathStep,
    name: impl Fn(Name) -> &'d str,
) -> Option<&'d DeclType> {
    /// All keys have the same type, without a size.
    static KEY: DeclType = DeclType { kind: DeclKind::String, min_serialized_size: 2, max_elements: 0 };
    match step {
        PathStep::Items | PathStep::Values => of.element(),
        PathStep::Keys => matches!(of.kind, DeclKind::Map(_)).then_some(&KEY),
        PathStep::Field(field) => of.field(name(field)).map(|field| &field.field_type),
        PathStep::Variable | PathStep::Indices => None,
    }
}
