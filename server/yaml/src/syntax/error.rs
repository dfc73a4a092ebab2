use std::fmt;

use text::TextRange;

/// A fault of the syntax, at a place within its node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SyntaxError {
    /// What is wrong.
    pub kind: SyntaxErrorKind,
    /// Where, in bytes; relative to the node that holds it, absolute where a [`crate::Tree`] hands it out.
    pub range: TextRange,
}

/// What can be wrong with the syntax. The texts are for a person who is typing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SyntaxErrorKind {
    /// A tab where indentation is expected.
    TabIndentation,
    /// A line at a column where no open block is.
    Indentation,
    /// A line that should be a key.
    MissingColon,
    /// A second `: ` in a plain value.
    NestedColon,
    /// A `- ` behind a key, or among the keys of a mapping.
    MisplacedDash,
    /// A line without `-` among the items of a sequence.
    MissingDash,
    /// A quote without its partner.
    UnclosedQuote,
    /// A `[` or `{` without its partner.
    UnclosedBracket,
    /// Two entries in brackets without a comma between them.
    MissingComma,
    /// A comma, bracket or brace without a place.
    UnexpectedIndicator,
    /// A character that starts nothing.
    UnexpectedCharacter,
    /// Content behind the end of a value.
    ExtraContent,
    /// A `|` or `>` with a header that cannot be read.
    BlockHeader,
    /// An anchor or alias without a name.
    MissingName,
    /// Deeper than anything sensible.
    TooDeep,
}

impl SyntaxErrorKind {
    /// The code of the rule that stands for it.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::TabIndentation => "yaml/tab-indentation",
            Self::UnclosedQuote | Self::UnclosedBracket => "yaml/unclosed",
            _ => "yaml/syntax",
        }
    }
}

impl fmt::Display for SyntaxErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::TabIndentation => "this line is indented with a tab; YAML allows only spaces",
            Self::Indentation => "this line's indentation matches no open block",
            Self::MissingColon => "a `:` is missing behind this key",
            Self::NestedColon => {
                "a second `: ` in this value; quote the value or move it to a line of its own"
            }
            Self::MisplacedDash => "a `- ` is not allowed here; put the list on the next line",
            Self::MissingDash => "a `- ` is missing: this line stands among the items of a list",
            Self::UnclosedQuote => "the quote opened here is never closed",
            Self::UnclosedBracket => "the bracket opened here is never closed",
            Self::MissingComma => "a `,` is missing before this",
            Self::UnexpectedIndicator => "nothing is open that this could separate or close",
            Self::UnexpectedCharacter => "no value can start with this character; quote the value",
            Self::ExtraContent => "the value has already ended; this text belongs to nothing",
            Self::BlockHeader => "only an indentation digit, `+`, `-` and a comment may follow `|` or `>`",
            Self::MissingName => "a name is missing behind this",
            Self::TooDeep => "this is nested too deeply to be read",
        })
    }
}
