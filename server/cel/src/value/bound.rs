//! A bound on work that has no cost, so that no expression hangs or exhausts the memory.

use std::cell::Cell;

use super::{EvalError, Outcome};

/// How many elements one evaluation may compare, copy or read without cost. The API server has no such bound;
/// it would be busy for seconds.
const MAX_WORK: u64 = 20_000_000;
/// The longest text that an expression may create, in bytes.
const MAX_TEXT: usize = 64 << 20;
/// The longest list that a function may create.
const MAX_ELEMENTS: usize = 4 << 20;
/// The maximum nesting of values in recursive functions.
const MAX_DEPTH: u32 = 2_000;

/// Counts the work of one evaluation.
#[derive(Debug, Default)]
pub(crate) struct Bound {
    work: Cell<u64>,
    depth: Cell<u32>,
}

impl Bound {
    /// Counts `units` of work.
    pub(crate) fn work(&self, units: u64) -> Outcome<()> {
        let work = self.work.get().saturating_add(units);
        self.work.set(work);
        if work > MAX_WORK { Err(EvalError::CostLimit) } else { Ok(()) }
    }

    /// Checks that a text of that many bytes may be created.
    pub(crate) fn text(&self, bytes: usize) -> Outcome<()> {
        self.work(bytes as u64 / 16)?;
        if bytes > MAX_TEXT { Err(EvalError::CostLimit) } else { Ok(()) }
    }

    /// Checks that a list of that many elements may be created.
    pub(crate) fn elements(&self, count: usize) -> Outcome<()> {
        self.work(count as u64)?;
        if count > MAX_ELEMENTS { Err(EvalError::CostLimit) } else { Ok(()) }
    }

    /// Runs `inner` one level deeper.
    pub(crate) fn deeper<T>(&self, inner: impl FnOnce() -> Outcome<T>) -> Outcome<T> {
        let depth = self.depth.get();
        if depth >= MAX_DEPTH {
            return Err(EvalError::CostLimit);
        }
        self.depth.set(depth + 1);
        let result = inner();
        self.depth.set(depth);
        result
    }
}
