//! Errors in an expression, and the API server's text for them.

use text::{TextRange, TextSize};

use crate::types::Type;

/// How many errors cel-go prints for one expression.
const MAX_REPORTED: usize = 100;
/// Lines longer than this (bytes) are not quoted.
const MAX_QUOTED_LINE: usize = 16_384;
/// The position 1:0, where cel-go reports errors of a missing expression.
pub const BEFORE_TEXT: TextSize = TextSize::MAX;

/// An error in an expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Issue {
    /// The kind of error.
    pub code: IssueCode,
    /// The byte range of the error.
    pub range: TextRange,
    /// The byte offset that the API server reports, or [`BEFORE_TEXT`]; `None` if it reports no position.
    pub anchor: Option<TextSize>,
    /// The types in the message, in its order, for an error about a wrong type.
    pub types: Vec<Type>,
    /// cel-go's message, unless [`IssueCode::is_ours`].
    pub message: String,
}

/// Kinds of errors.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum IssueCode {
    /// Characters that start no token.
    Lexical,
    /// A misplaced token.
    Syntax,
    /// A limit of the parser.
    Limit,
    /// A literal without a valid value, such as an integer beyond 64 bits.
    Literal,
    /// A reserved word as a variable or function.
    ReservedWord,
    /// Syntax that the environment does not support.
    Unsupported,
    /// A macro with wrong arguments.
    Macro,
    /// An expression that grows too large when its macros are expanded; the API server has no such limit and runs
    /// out of memory.
    TooLarge,
    /// A variable, function or type that is not declared.
    Undeclared,
    /// No overload has these parameter types.
    NoOverload,
    /// A field that the object does not have.
    UndefinedField,
    /// A field of a type that has no fields.
    NoFieldSelection,
    /// A wrong type.
    TypeMismatch,
    /// A macro over something that is neither list nor map.
    NotIterable,
    /// A message literal of a type that is not a message.
    NotAMessage,
    /// A literal argument that the called function rejects.
    Argument,
}

impl IssueCode {
    /// Whether the API server has no such error.
    #[must_use]
    pub const fn is_ours(self) -> bool {
        matches!(self, Self::TooLarge)
    }

    /// Whether the parser reports it; the API server then checks no types.
    #[must_use]
    pub const fn is_syntax(self) -> bool {
        matches!(
            self,
            Self::Lexical
                | Self::Syntax
                | Self::Limit
                | Self::Literal
                | Self::ReservedWord
                | Self::Unsupported
                | Self::Macro
                | Self::TooLarge
        )
    }
}

/// A position as cel-go counts it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct IssuePlace {
    /// From 1; −1 for no position.
    pub line: i64,
    /// In code points, from 1; 0 for no position and for [`BEFORE_TEXT`].
    pub column: i64,
}

/// The position of a byte offset in `text`.
#[must_use]
pub fn place(text: &str, anchor: Option<TextSize>) -> IssuePlace {
    let Some(anchor) = anchor else { return IssuePlace { line: -1, column: 0 } };
    if text.is_empty() || anchor == BEFORE_TEXT {
        return IssuePlace { line: 1, column: 0 };
    }
    let before = text.get(..anchor as usize).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    let line = before.bytes().filter(|byte| *byte == b'\n').count() + 1;
    let column = before.get(line_start..).unwrap_or_default().chars().count() + 1;
    IssuePlace { line: line as i64, column: column as i64 }
}

/// Sorts issues as cel-go does: by position, with those without a position first; otherwise in the order of
/// discovery.
pub(crate) fn sort(issues: &mut [Issue]) {
    issues.sort_by_key(|issue| match issue.anchor {
        None => -2,
        Some(BEFORE_TEXT) => -1,
        Some(anchor) => i64::from(anchor),
    });
}

/// The API server's text after `compilation failed: `. `issues` must be in the order of [`crate::parse`] and
/// [`crate::check`].
#[must_use]
pub fn render(text: &str, issues: &[Issue]) -> String {
    let mut lines: Vec<_> = issues.iter().take(MAX_REPORTED).map(|issue| render_one(text, issue)).collect();
    if issues.len() > MAX_REPORTED {
        lines.push(format!("{} more errors were truncated", issues.len() - MAX_REPORTED));
    }
    lines.join("\n")
}

fn render_one(text: &str, issue: &Issue) -> String {
    let place = place(text, issue.anchor);
    let mut out = format!("ERROR: <input>:{}:{}: {}", place.line, place.column, issue.message);
    let Some(anchor) = issue.anchor else { return out };
    let anchor = if anchor == BEFORE_TEXT { 0 } else { (anchor as usize).min(text.len()) };
    let start = text.get(..anchor).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1);
    let end = text.get(anchor..).and_then(|rest| rest.find('\n')).map_or(text.len(), |at| anchor + at);
    let line = text.get(start..end).unwrap_or_default();
    if line.len() > MAX_QUOTED_LINE {
        return out;
    }
    out.push_str("\n | ");
    out.extend(line.chars().map(|c| if c == '\t' { ' ' } else { c }));
    out.push_str("\n | ");
    out.extend(
        text.get(start..anchor).unwrap_or_default().chars().map(|c| if c.is_ascii() { '.' } else { '．' }),
    );
    let wide = text.get(anchor..end).and_then(|rest| rest.chars().next()).is_some_and(|c| !c.is_ascii());
    out.push(if wide { '＾' } else { '^' });
    out
}
