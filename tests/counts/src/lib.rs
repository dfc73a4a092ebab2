//! What fixed scenarios cost, in figures that do not depend on the machine: instructions, which `valgrind --tool=callgrind`
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
