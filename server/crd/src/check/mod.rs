//! What kube-apiserver says of a schema: `NewStructural`, `ValidateStructural` and
//! `ValidateCustomResourceDefinitionOpenAPISchema`.

mod alike;
mod budget;
mod cache;
mod collect;
mod completeness;
mod condition;
mod context;
mod defaults;
mod document;
mod expressions;
mod flags;
mod formats;
mod junctor;
mod keywords;
mod lints;
mod list_map;
mod lists;
mod outcome;
mod repaired;
mod rules;
mod stage;
mod status_root;
mod structural;
mod walk;

pub(crate) use budget::Budget;
pub use cache::Cache;
pub use collect::HIDDEN;
pub(crate) use condition::is_structural;
pub use condition::non_structural_condition;
pub(crate) use context::{Context, Meta, Position};
pub use document::{check, check_update, check_updates};
pub(crate) use flags::Flags;
pub(crate) use outcome::Outcome;
pub(crate) use stage::{Ratchets, Reporting, Says, Stage};
pub(crate) use walk::Walker;

/// How many places a finding points at, at most.
const MAX_RELATED: usize = 10;
