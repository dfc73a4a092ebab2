//! Go's errors for invalid patterns.

use std::fmt;
use std::ops::Range;

/// The error for a rejected pattern. `Display` writes Go's text, such as ``error parsing regexp: missing
/// closing ): `(a` ``.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// Go's error code.
    pub kind: ErrorKind,
    /// The part of the pattern that Go quotes; for some codes the whole pattern.
    pub fragment: String,
    /// The byte range of the error in the pattern, often narrower than the fragment.
    pub range: Range<usize>,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error parsing regexp: {}: `{}`", self.kind.text(), self.fragment)
    }
}

impl std::error::Error for Error {}

impl Error {
    /// A description of the problem, and the remedy.
    pub(crate) fn in_words(&self) -> (String, &'static str) {
        let is_range_of_class = ["\\d", "\\D", "\\s", "\\S", "\\w", "\\W"].contains(&self.fragment.as_str());
        let is_backreference = self.fragment.starts_with('\\')
            && self
                .fragment
                .get(1..)
                .is_some_and(|rest| rest.starts_with(|digit| ('1'..='9').contains(&digit)));
        let (what, remedy) = match self.kind {
            // Go parses a lookbehind as the start of a named group.
            ErrorKind::InvalidNamedCapture
                if self.fragment.starts_with("(?<=") || self.fragment.starts_with("(?<!") =>
            {
                ErrorKind::InvalidPerlOp.in_words()
            }
            ErrorKind::InvalidEscape if is_range_of_class => {
                ("a range that ends in the class {}", "move the `-` to the end of the brackets")
            }
            ErrorKind::InvalidEscape if is_backreference => {
                ("the unsupported backreference {}", "write the group again in its place")
            }
            ErrorKind::InvalidRepeatSize if self.fragment.contains(',') => {
                ("the invalid repeat count {}", "put the smaller number first, and use at most 1000")
            }
            kind => kind.in_words(),
        };
        (what.replace("{}", &format!("`{}`", text::start(&self.fragment, 40))), remedy)
    }
}

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
    /// A program or character classes of more than 128 MiB, in Go's calculation.
    Large,
}

impl ErrorKind {
    /// Go's text for the code.
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

    /// A description of the problem, with `{}` for the part that Go quotes, and the remedy. Some fragments are
    /// the whole pattern and are omitted.
    pub(crate) fn in_words(self) -> (&'static str, &'static str) {
        match self {
            Self::InvalidCharRange => {
                ("the invalid character range {}", "reverse its ends, or escape the `-`")
            }
            Self::InvalidEscape => ("the unknown escape sequence {}", "remove the backslash"),
            Self::InvalidNamedCapture => ("an invalid group name in {}", "use letters, digits and `_`"),
            Self::InvalidPerlOp => ("the unsupported group {}", "use `not` with a `pattern`, or a CEL rule"),
            Self::InvalidRepeatOp => ("two repetitions in a row in {}", "remove one of them"),
            Self::InvalidRepeatSize => ("the invalid repeat count {}", "use at most 1000"),
            Self::MissingBracket => ("a `[` without a `]`", "add `]`, or escape the `[`"),
            Self::MissingParen => ("a `(` without a `)`", "add `)`, or escape the `(`"),
            Self::MissingRepeatArgument => {
                ("nothing to repeat before {}", "write an expression there, or escape it")
            }
            Self::TrailingBackslash => ("a single backslash at its end", "remove it, or write `\\\\`"),
            Self::UnexpectedParen => ("a `)` without a `(`", "remove it, or escape it"),
            Self::NestingDepth => ("too many nested groups", "simplify it"),
            Self::Large => ("more states than Go compiles", "simplify it"),
        }
    }
}
