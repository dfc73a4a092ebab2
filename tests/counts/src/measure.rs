//! Counts allocations and instructions while a piece of work runs.

use std::hint::black_box;

/// The allocations of a piece of work. Its result is dropped afterwards, and is not counted as freed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts {
    /// The number of allocations.
    pub allocations: u64,
    /// The number of allocated bytes.
    pub bytes: u64,
    /// The maximum number of bytes in use at once.
    pub peak: u64,
    /// The bytes in use at the end minus those at the beginning; negative if more was freed.
    pub held: i64,
}

/// Runs `work` and counts. All of the work must happen in this thread.
pub(crate) fn measured<T>(work: impl FnOnce() -> T) -> (Counts, T) {
    let mut done = None;
    let info = allocation_counter::measure(|| done = Some(run_while_instructions_are_counted(work)));
    let counts = Counts {
        allocations: info.count_total,
        bytes: info.bytes_total,
        peak: info.bytes_max,
        held: info.bytes_current,
    };
    (counts, done.expect("it ran"))
}

/// `cargo xtask counts` passes the name of this function to callgrind, which counts only within it.
#[inline(never)]
fn run_while_instructions_are_counted<T>(work: impl FnOnce() -> T) -> T {
    black_box(work())
}
