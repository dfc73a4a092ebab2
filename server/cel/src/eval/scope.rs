//! The slots of loop variables by name.

use super::step::{SlotId, StepId};
use crate::ast::Name;

/// The variables of the loops around an expression, inner loops last.
#[derive(Default)]
pub(super) struct Scope {
    variables: Vec<(Name, SlotId, Option<StepId>)>,
    slots: u32,
}

impl Scope {
    /// Adds a variable. `init` computes the initial value of an accumulator when it is first read.
    pub(super) fn push(&mut self, name: Name, init: Option<StepId>) -> SlotId {
        let slot = SlotId(self.slots);
        self.slots += 1;
        self.variables.push((name, slot, init));
        slot
    }

    /// Removes the innermost variable.
    pub(super) fn pop(&mut self) {
        self.variables.pop();
    }

    /// The variable of that name.
    pub(super) fn find(&self, name: Name) -> Option<(SlotId, Option<StepId>)> {
        let found = self.variables.iter().rev().find(|(variable, ..)| *variable == name);
        found.map(|(_, slot, init)| (*slot, *init))
    }

    /// The number of slots.
    pub(super) const fn slots(&self) -> usize {
        self.slots as usize
    }
}
