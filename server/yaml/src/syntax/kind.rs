/// The kind of a token or node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum SyntaxKind {
    /// Spaces, tabs, line breaks and a byte order mark, in one run.
    Whitespace,
    /// `# …` to the end of the line.
    Comment,
    /// A `%…` line.
    Directive,
    /// `---`.
    DocumentStart,
    /// `...`.
    DocumentEnd,
    /// `-` before an item.
    Dash,
    /// `?` before an explicit key.
    Question,
    /// `:` after a key.
    Colon,
    /// `,`.
    Comma,
    /// `[`.
    LeftBracket,
    /// `]`.
    RightBracket,
    /// `{`.
    LeftBrace,
    /// `}`.
    RightBrace,
    /// `&name`.
    Anchor,
    /// `!tag`.
    Tag,
    /// `*name`.
    Alias,
    /// A scalar without quotes.
    Plain,
    /// A scalar in `'`, closed or not.
    SingleQuoted,
    /// A scalar in `"`, closed or not.
    DoubleQuoted,
    /// A `|` block with its header.
    Literal,
    /// A `>` block with its header.
    Folded,
    /// Misplaced text, with an error.
    Garbage,

    /// A whole file.
    Stream,
    /// One document with its markers.
    Document,
    /// Entries at one column.
    BlockMapping,
    /// Items at one column.
    BlockSequence,
    /// Key, colon, value.
    BlockEntry,
    /// Dash, value.
    BlockItem,
    /// `{…}`.
    FlowMapping,
    /// `[…]`.
    FlowSequence,
    /// Key, colon, value within brackets or braces.
    FlowEntry,
}

impl SyntaxKind {
    /// Whether it is white space or a comment.
    #[must_use]
    pub fn is_trivia(self) -> bool {
        matches!(self, Self::Whitespace | Self::Comment)
    }

    /// Whether it is a scalar token.
    #[must_use]
    pub fn is_scalar(self) -> bool {
        matches!(self, Self::Plain | Self::SingleQuoted | Self::DoubleQuoted) || self.is_block_scalar()
    }

    /// Whether it is the token of a block scalar.
    #[must_use]
    pub fn is_block_scalar(self) -> bool {
        matches!(self, Self::Literal | Self::Folded)
    }

    /// Whether it is an anchor or a tag.
    #[must_use]
    pub fn is_property(self) -> bool {
        matches!(self, Self::Anchor | Self::Tag)
    }

    /// Whether it is a mapping or a sequence.
    #[must_use]
    pub fn is_collection(self) -> bool {
        matches!(self, Self::BlockMapping | Self::BlockSequence | Self::FlowMapping | Self::FlowSequence)
    }

    /// Whether it can be a value or a key: a scalar, an alias or a collection.
    #[must_use]
    pub fn is_value(self) -> bool {
        self.is_scalar() || self.is_collection() || self == Self::Alias
    }
}
