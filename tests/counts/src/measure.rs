//! What is counted while a piece of work runs.

use std::hint::black_box;

/// The allocations of a piece of work. What it returns is dropped after it, and is not counted as freed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts {
    /// How many there were.
    pub allocations: u64,
    /// Their bytes.
    pub bytes: u64,
    /// The most that were held at once.
    pub peak: u64,
    /// What was held at the end, beyond what was before; negative where more was freed.
    pub held: i64,
}

/// Does `work` and counts. All of it must happen in this thread.
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

/// `cargo xtask counts` tells callgrind the name of this function, within which it counts.
#[inline(never)]
fn run_while_instructions_are_counted<T>(work: impl FnOnce() -> T) -> T {
    black_box(work())
}
