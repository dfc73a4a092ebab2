//! kube-apiserver's checks of a schema: `NewStructural`, `ValidateStructural` and
//! `ValidateCustomResourceDefinitionOpenAPISchema`.

pub(crate) mod alike;
mod answers;
pub(crate) mod collect;
mod completeness;
mod context;
mod field_paths;
mod formats;
mod junctor;
pub(crate) mod keywords;
mod lints;
mod list_map;
mod lists;
pub(crate) mod outcome;
mod rules;
mod stage;
pub(crate) mod structural;
mod walk;

pub(crate) use context::{Context, MetaRole, Position};
pub(crate) use outcome::Outcome;
pub(crate) use stage::{Ratchets, ReportingConditions, Stage, Treatment};
pub(crate) use walk::Walker;

/// The maximum number of related places of a finding.
const MAX_RELATED: usize = 10;
