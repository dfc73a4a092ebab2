//! Hovers in a definition. They need only the syntax tree, so they also work in incomplete text.

mod cursor;
mod schema;
mod shown;
mod versions;

pub(crate) use schema::Keywords;
pub(crate) use shown::{hover, schema_text};
