//! The tokens of a pattern.

use std::ops::Range;

use super::class::Class;

/// A token and its bytes in the pattern.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub(super) range: Range<usize>,
    pub(super) kind: TokenKind,
    /// The flags in effect before the token.
    pub(super) before: Flags,
    /// The flags in effect after the token; only parentheses change them.
    pub(super) flags: Flags,
}

#[derive(Clone, Debug)]
pub(super) enum TokenKind {
    Literal(u32),
    Class(Class),
    /// `.`
    Any,
    /// `^`
    LineStart,
    /// `$`
    LineEnd,
    /// `\A`
    TextStart,
    /// `\z`
    TextEnd,
    /// `\b`
    WordBoundary,
    /// `\B`
    NotWordBoundary,
    /// `(` of a capturing group, with its name.
    Capture(Option<String>),
    /// `(?:`, `(?i:`
    Group,
    Bar,
    Close,
    Repeat(Repeat),
}

/// A repetition operator. Without `max`, it has no upper bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Repeat {
    pub(super) op: RepeatOp,
    pub(super) min: u32,
    pub(super) max: Option<u32>,
    pub(super) greedy: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RepeatOp {
    Star,
    Plus,
    Quest,
    Counted,
}

/// `(?imsU)`
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Flags {
    pub(super) fold: bool,
    pub(super) multi_line: bool,
    pub(super) dot_all: bool,
    pub(super) swap_greed: bool,
}

/// The maximum count that Go accepts in `{min,max}`, and the maximum product of nested counts.
pub(super) const MAX_REPEAT: u32 = 1000;
