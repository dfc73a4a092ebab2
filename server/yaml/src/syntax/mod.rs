//! The syntax tree: immutable nodes that own their text and share what an edit did not touch.

mod error;
mod kind;
mod node;
mod share;

pub use error::{SyntaxError, SyntaxErrorKind, Verdict};
pub use kind::SyntaxKind;
pub(crate) use node::Content;
pub use node::{Context, Element, ElementRef, Flags, Node, NodeRef, TokenRef};
pub(crate) use share::share;
