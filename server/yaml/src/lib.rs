//! YAML for editors: a lossless syntax tree for any text, which is re-parsed only around an edit, and is
//! interpreted as kube-apiserver's decoder reads YAML.
//!
//! [`Tree::parse`] takes a text, [`Tree::edited`] an edit of it. Both give a tree of [`Document`]s with the syntax errors;
//! [`edit`] turns changes of values back into edits of the text.

mod aliases;
pub mod ast;
mod decode;
pub mod edit;
mod parser;
mod reader;
mod reading;
pub mod scalar;
pub mod syntax;
mod tags;
mod tree;

pub use aliases::{AliasProblem, alias_problems};
pub use ast::{Document, Entry, Item, Mapping, Scalar, Sequence, Value, ValueKind};
pub use decode::{
    DecodeError, DecodedDocument, Duplicate, Json, ValueProblem, decode, decodes_strictly, value_problems,
};
pub use reader::Reader;
pub use syntax::{Node, NodeRef, RejectedBy, SyntaxError, SyntaxErrorKind, SyntaxKind, TokenRef};
pub use tags::TagHandles;
pub use tree::Tree;
