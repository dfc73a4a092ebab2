//! The structural verdict: what kube-apiserver's `NewStructural` and `ValidateStructural` say of a schema.

mod budget;
mod cache;
mod collect;
mod completeness;
mod document;
mod flags;
mod junctor;
mod outcome;
mod structural;
mod walk;

pub(crate) use budget::Budget;
pub use cache::Cache;
pub use document::{check, check_update};
pub(crate) use flags::Flags;
pub(crate) use outcome::Outcome;
pub(crate) use walk::{Context, Walker};

/// How many places a finding points at, at most.
const MAX_RELATED: usize = 10;
