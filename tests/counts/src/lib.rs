//! The costs of fixed scenarios, in figures that do not depend on the machine: instructions, which `valgrind --tool=callgrind`
//! counts, and allocations, which the allocator of these programs counts.
//!
//! `cargo xtask counts` compares them with `counts.tsv`. The inputs are generated or from `fixtures/`, so that the figures can
//! be compared on every machine.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "for tests alone")]

mod inputs;
mod measure;
pub mod memory;
mod scenarios;

/// The recorded expressions of `fixtures/cel`.
#[path = "../../../server/cel/tests/support/mod.rs"]
mod expressions;

pub use inputs::{bundle, folder};
pub use measure::Counts;
pub use scenarios::{SCENARIOS, Scenario};

/// Runs `work` without help from other threads: allocations are counted by thread, and threads that wait for work would add
/// instructions at random.
pub fn on_one_thread<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread();
    pool.build().expect("a thread is in one pool").install(work)
}
