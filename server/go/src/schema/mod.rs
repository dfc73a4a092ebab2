//! Schemas of Go types.

mod apply;
mod checks;
mod collect;
mod flatten;
mod generator;
mod keywords;
mod kind;
mod known_types;
mod make;
mod maps;
mod merge;
mod model;
mod package_references;
mod problem;
mod required_fields;
mod resolve;
mod schema_cache;
mod size;
mod structs;
mod truncate;

pub use collect::{FieldInfo, PlacedMarker, TypeInfo};
pub(crate) use generator::{Crash, Generator, GroupVersion, SchemaOptions};
pub use model::{
    Additional, Cause, ExternalDocs, FAILED, MISSING, RECURSIVE, Reference, Rule, SCHEMALESS, Schema, TypeId,
};
pub use problem::{Misfit, Problem, ProblemKind, ProblemPlace};
pub(crate) use resolve::is_basic;
pub use resolve::json_types;
pub(crate) use schema_cache::KeptTypes;
pub(crate) use size::{MAX_SCHEMAS, size_of};
