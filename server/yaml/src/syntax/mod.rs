//! The syntax tree: immutable nodes that own their text; trees before and after an edit share unchanged nodes.

mod error;
mod kind;
mod node;
mod share;

pub use error::{RejectedBy, SyntaxError, SyntaxErrorKind};
pub use kind::SyntaxKind;
pub(crate) use node::Content;
pub use node::{Context, Element, ElementRef, Flags, Node, NodeRef, TokenRef};
pub(crate) use share::share;
