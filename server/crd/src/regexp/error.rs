//! What Go says of a pattern it refuses.

use std::fmt;
use std::ops::Range;

/// A refused pattern. `Display` gives Go's text, such as ``error parsing regexp: missing closing ): `(a` ``.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// Go's error code.
    pub kind: ErrorKind,
    /// The part of the pattern that Go quotes; for some codes the whole pattern.
    pub fragment: String,
    /// Bytes of the pattern at fault, often narrower than the fragment.
    pub range: Range<usize>,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error parsing regexp: {}: `{}`", self.kind.text(), self.fragment)
    }
}

impl std::error::Error for Error {}

/// Go's error codes. Go's `invalid UTF-8` is not among them, as a `&str` is always valid, nor is
/// `invalid character class`, which Go declares and never reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// `[b-a]`, `[[:foo:]]`, `\p{Foo}`.
    InvalidCharRange,
    /// `\8`, `\u0041`.
    InvalidEscape,
    /// `(?P<a b>c)`.
    InvalidNamedCapture,
    /// `(?=a)`.
    InvalidPerlOp,
    /// `a**`.
    InvalidRepeatOp,
    /// `a{1001}`, `a{2,1}`, `(a{100}){11}`.
    InvalidRepeatSize,
    /// `[a`.
    MissingBracket,
    /// `(a`.
    MissingParen,
    /// `*`.
    MissingRepeatArgument,
    /// `\` at the end.
    TrailingBackslash,
    /// `a)`.
    UnexpectedParen,
    /// A tree of more than 1000 levels.
    NestingDepth,
    /// A program or character classes of more than 128 MiB, as Go reckons them.
    Large,
}

impl ErrorKind {
    /// Go's words for the code.
    pub fn text(self) -> &'static str {
        match self {
            ErrorKind::InvalidCharRange => "invalid character class range",
            ErrorKind::InvalidEscape => "invalid escape sequence",
            ErrorKind::InvalidNamedCapture => "invalid named capture",
            ErrorKind::InvalidPerlOp => "invalid or unsupported Perl syntax",
            ErrorKind::InvalidRepeatOp => "invalid nested repetition operator",
            ErrorKind::InvalidRepeatSize => "invalid repeat count",
            ErrorKind::MissingBracket => "missing closing ]",
            ErrorKind::MissingParen => "missing closing )",
            ErrorKind::MissingRepeatArgument => "missing argument to repetition operator",
            ErrorKind::TrailingBackslash => "trailing backslash at end of expression",
            ErrorKind::UnexpectedParen => "unexpected )",
            ErrorKind::NestingDepth => "expression nests too deeply",
            ErrorKind::Large => "expression too large",
        }
    }
}
