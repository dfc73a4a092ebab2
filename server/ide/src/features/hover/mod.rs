//! Hovers in a definition. They need only the syntax tree, so they also work in incomplete text.

mod content;
mod cursor;
mod schema;
mod versions;

pub(crate) use content::{hover, schema_text};
pub(crate) use schema::Keywords;
