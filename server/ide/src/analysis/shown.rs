//! What features show of a text.

use text::{PositionRange, TextRange};

/// What hovering over a place shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hover {
    /// The key or value that is explained.
    pub range: TextRange,
    /// The explanation.
    pub markdown: String,
}

/// What a symbol stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SymbolKind {
    /// A YAML document.
    Document,
    /// A mapping.
    Object,
    /// A sequence.
    List,
    /// A text.
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
    /// The key, or the object's kind and name; of a document without them empty.
    pub name: String,
    /// A short text beside the name, such as a schema's type.
    pub detail: String,
    /// What it stands for.
    pub kind: SymbolKind,
    /// The whole entry.
    pub range: R,
    /// The key.
    pub selection: R,
    /// The entries within.
    pub children: Vec<Self>,
}

/// What a fold holds.
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
    /// From the line that stays to the end of the last line that goes.
    pub range: R,
    /// What it holds.
    pub kind: FoldKind,
}
