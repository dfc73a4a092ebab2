//! Hovers in a definition. They need only the syntax tree, so they also work in incomplete text.

mod content;
mod cursor;
mod schema;
mod versions;

pub(crate) use content::{bold_code, hover, push_paragraph, schema_text};
pub(crate) use schema::Keywords;
