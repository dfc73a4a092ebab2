//! Schemas of Go types.

mod apply;
mod checks;
mod collect;
mod flatten;
mod generator;
mod kept;
mod keywords;
mod kind;
mod known;
mod make;
mod maps;
mod merge;
mod model;
mod problem;
mod referred;
mod required;
mod resolve;
mod size;
mod structs;
mod truncate;

pub use collect::{FieldInfo, PlacedMarker, TypeInfo};
pub(crate) use generator::{Crash, Generator, GroupVersion, SchemaOptions};
pub(crate) use kept::KeptTypes;
pub use model::{
    Additional, Cause, ExternalDocs, FAILED, MISSING, RECURSIVE, Reference, Rule, SCHEMALESS, Schema, TypeId,
};
pub use problem::{Misfit, Problem, ProblemKind, ProblemPlace};
pub(crate) use resolve::is_basic;
pub use resolve::json_types;
pub(crate) use size::{MAX_SCHEMAS, size_of};
