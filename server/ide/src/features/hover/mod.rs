//! What is shown of a place in a definition, from the tree alone, so that half-typed text is as good as any.

mod cursor;
mod schema;
mod shown;
mod versions;

pub(crate) use schema::Keywords;
pub(crate) use shown::{hover, schema_text};
