//! Results that features show for a text.

use text::{PositionRange, TextRange};

/// The hover at a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hover {
    /// The key or value that is explained.
    pub range: TextRange,
    /// The explanation.
    pub markdown: String,
}

/// The kind of a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SymbolKind {
    /// A YAML document.
    Document,
    /// A mapping.
    Object,
    /// A sequence.
    List,
    /// A string.
    String,
    /// A number.
    Number,
    /// A boolean.
    Boolean,
    /// A null or an empty value.
    Null,
}

/// An entry of the outline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol<R = PositionRange> {
    /// The key, or the object's kind and name; empty for a document without them.
    pub name: String,
    /// A short text beside the name, such as a schema's type.
    pub detail: String,
    /// The kind of the value.
    pub kind: SymbolKind,
    /// The whole entry.
    pub range: R,
    /// The key.
    pub selection: R,
    /// The entries within.
    pub children: Vec<Self>,
}

/// The content of a fold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoldKind {
    /// An entry, an item, a document.
    Region,
    /// Lines of comments.
    Comment,
}

/// Lines that can be folded away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fold<R = PositionRange> {
    /// The range from the line that remains visible to the end of the last hidden line.
    pub range: R,
    /// Its content.
    pub kind: FoldKind,
}
