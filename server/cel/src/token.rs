//! Tokens, and sets of tokens as printed in syntax errors.

use text::TextRange;

/// The kinds of tokens, in the order of messages.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum TokenKind {
    /// The end of the text.
    Eof,
    /// `==`
    EqualEqual,
    /// `!=`
    NotEqual,
    /// `in`
    In,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>=`
    GreaterEqual,
    /// `>`
    Greater,
    /// `&&`
    And,
    /// `||`
    Or,
    /// `[`
    LeftBracket,
    /// `]`
    RightBracket,
    /// `{`
    LeftBrace,
    /// `}`
    RightBrace,
    /// `(`
    LeftParen,
    /// `)`
    RightParen,
    /// `.`
    Dot,
    /// `,`
    Comma,
    /// `-`
    Minus,
    /// `!`
    Exclamation,
    /// `?`
    Question,
    /// `:`
    Colon,
    /// `+`
    Plus,
    /// `*`
    Star,
    /// `/`
    Slash,
    /// `%`
    Percent,
    /// `true`
    True,
    /// `false`
    False,
    /// `null`
    Null,
    /// `1.5`
    Float,
    /// `1`
    Int,
    /// `1u`
    Uint,
    /// `'text'`
    String,
    /// `b'text'`
    Bytes,
    /// A name, reserved words included.
    Identifier,
    /// A name between backticks.
    EscapedIdentifier,
}

use TokenKind as T;

const ALL: [T; 36] = [
    T::Eof,
    T::EqualEqual,
    T::NotEqual,
    T::In,
    T::Less,
    T::LessEqual,
    T::GreaterEqual,
    T::Greater,
    T::And,
    T::Or,
    T::LeftBracket,
    T::RightBracket,
    T::LeftBrace,
    T::RightBrace,
    T::LeftParen,
    T::RightParen,
    T::Dot,
    T::Comma,
    T::Minus,
    T::Exclamation,
    T::Question,
    T::Colon,
    T::Plus,
    T::Star,
    T::Slash,
    T::Percent,
    T::True,
    T::False,
    T::Null,
    T::Float,
    T::Int,
    T::Uint,
    T::String,
    T::Bytes,
    T::Identifier,
    T::EscapedIdentifier,
];

impl TokenKind {
    /// Whether it is a complete operand: a literal or a name.
    #[must_use]
    pub const fn is_operand(self) -> bool {
        matches!(
            self,
            T::True
                | T::False
                | T::Null
                | T::Float
                | T::Int
                | T::Uint
                | T::String
                | T::Bytes
                | T::Identifier
                | T::EscapedIdentifier
        )
    }

    /// Whether an operand may end with it. After any other token an operand follows: a `-` is a sign there,
    /// and a bracket does not start a call or an index.
    #[must_use]
    pub const fn ends_operand(self) -> bool {
        self.is_operand() || matches!(self, T::RightParen | T::RightBracket | T::RightBrace)
    }

    /// The name in messages, including quotes.
    #[must_use]
    pub const fn display(self) -> &'static str {
        match self {
            T::Eof => "<EOF>",
            T::EqualEqual => "'=='",
            T::NotEqual => "'!='",
            T::In => "'in'",
            T::Less => "'<'",
            T::LessEqual => "'<='",
            T::GreaterEqual => "'>='",
            T::Greater => "'>'",
            T::And => "'&&'",
            T::Or => "'||'",
            T::LeftBracket => "'['",
            T::RightBracket => "']'",
            T::LeftBrace => "'{'",
            T::RightBrace => "'}'",
            T::LeftParen => "'('",
            T::RightParen => "')'",
            T::Dot => "'.'",
            T::Comma => "','",
            T::Minus => "'-'",
            T::Exclamation => "'!'",
            T::Question => "'?'",
            T::Colon => "':'",
            T::Plus => "'+'",
            T::Star => "'*'",
            T::Slash => "'/'",
            T::Percent => "'%'",
            T::True => "'true'",
            T::False => "'false'",
            T::Null => "'null'",
            T::Float => "NUM_FLOAT",
            T::Int => "NUM_INT",
            T::Uint => "NUM_UINT",
            T::String => "STRING",
            T::Bytes => "BYTES",
            T::Identifier => "IDENTIFIER",
            T::EscapedIdentifier => "ESC_IDENTIFIER",
        }
    }
}

/// A token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token {
    /// The kind of token.
    pub kind: TokenKind,
    /// Its byte range.
    pub range: TextRange,
}

/// A set of token kinds. With [`TokenSet::RULE_END`], the rule may end here, so the tokens that may follow
/// the rule are allowed as well.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TokenSet(u64);

impl TokenSet {
    pub(crate) const EMPTY: Self = Self(0);
    pub(crate) const RULE_END: Self = Self(1 << 63);

    pub(crate) const fn of(kinds: &[TokenKind]) -> Self {
        let mut bits = 0;
        let mut at = 0;
        while at < kinds.len() {
            bits |= 1 << kinds[at] as u8;
            at += 1;
        }
        Self(bits)
    }

    pub(crate) const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(crate) const fn without_rule_end(self) -> Self {
        Self(self.0 & !Self::RULE_END.0)
    }

    pub(crate) const fn or_rule_end(self) -> Self {
        Self(self.0 | Self::RULE_END.0)
    }

    pub(crate) const fn contains(self, kind: TokenKind) -> bool {
        self.0 & (1 << kind as u8) != 0
    }

    pub(crate) const fn has_rule_end(self) -> bool {
        self.0 & Self::RULE_END.0 != 0
    }

    /// `'x'`, or `{'x', 'y'}` for several.
    pub(crate) fn display(self) -> String {
        let names: Vec<_> = ALL.into_iter().filter(|kind| self.contains(*kind)).map(T::display).collect();
        match names.as_slice() {
            [one] => (*one).to_owned(),
            many => format!("{{{}}}", many.join(", ")),
        }
    }
}

/// The tokens that can start an expression.
pub(crate) const EXPR_START: TokenSet = MEMBER_START.union(TokenSet::of(&[T::Exclamation]));

/// The tokens that can start an operand of `!`.
pub(crate) const MEMBER_START: TokenSet =
    LITERAL_START.union(TokenSet::of(&[T::LeftBracket, T::LeftBrace, T::LeftParen, T::Dot, T::Identifier]));

/// The tokens that can start a literal.
pub(crate) const LITERAL_START: TokenSet =
    TokenSet::of(&[T::Minus, T::True, T::False, T::Null, T::Float, T::Int, T::Uint, T::String, T::Bytes]);
