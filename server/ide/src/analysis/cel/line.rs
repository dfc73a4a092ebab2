//! The expression on the line of a field as its author means it, even if YAML reads something else: for YAML,
//! `!has(self.a)` is a tag.

use cel::TokenKind;
use text::{TextRange, TextSize};
use yaml::{Document, Entry};

use crate::analysis::text_at;

/// The expression on the line of a field.
pub(crate) struct Line {
    /// Its range, in bytes.
    pub(crate) range: TextRange,
    /// The expression.
    pub(crate) text: String,
}

impl Line {
    /// Returns the expression in `line`, the rest of a line from `start`, without a trailing YAML comment.
    pub(crate) fn new(start: TextSize, line: &str) -> Self {
        let code = line.get(..comment(line)).unwrap_or(line);
        let blanks = code.len() - code.trim_start().len();
        let text = code.trim();
        let range = TextRange::at(start + blanks as TextSize, text.len() as TextSize);
        Self { range, text: text.to_owned() }
    }

    /// The part of the expression that ends with the value of an entry in braces: up to the first comma or
    /// bracket that the expression has not opened.
    pub(crate) fn within_brackets(self) -> Self {
        let mut depth = 0_usize;
        let end = cel::tokenize(&self.text).into_iter().find(|token| {
            match token.kind {
                TokenKind::LeftParen | TokenKind::LeftBracket | TokenKind::LeftBrace => depth += 1,
                TokenKind::RightParen | TokenKind::RightBracket | TokenKind::RightBrace if depth > 0 => {
                    depth -= 1
                }
                TokenKind::RightBracket | TokenKind::RightBrace => return true,
                TokenKind::Comma => return depth == 0,
                _ => {}
            }
            false
        });
        let end = end.map_or(self.text.len(), |token| token.range.start as usize);
        let text = self.text.get(..end).unwrap_or_default().trim_end();
        Self { range: TextRange::at(self.range.start, text.len() as TextSize), text: text.to_owned() }
    }

    /// The plain expression that begins with `!` in the value of `entry`, which YAML reads as a tag. It may
    /// be incomplete. `None` in brackets, where the expression may end before its line.
    pub(crate) fn behind_tag(document: Document<'_>, entry: Entry<'_>, in_flow: bool) -> Option<Self> {
        let value = entry.value();
        // `!!str` is the only tag that is useful for a text, and no expression begins with `!<`.
        let is_expression = |tag: &str| tag != "!!str" && !tag.starts_with("!<");
        value.tag().filter(|tag| !in_flow && is_expression(tag.text))?;
        let start = entry.colon()?.range().end;
        let rest = TextRange::new(start, document.range().end);
        let line = Self::new(start, &text_at::line_of(document.syntax(), rest));
        line.text.starts_with('!').then_some(line)
    }
}

/// The start of the YAML comment in `line`: a `#` behind a blank that is not in a string of the expression.
fn comment(line: &str) -> usize {
    let tokens = cel::tokenize(line);
    let is_string = |token: &&cel::Token| matches!(token.kind, TokenKind::String | TokenKind::Bytes);
    let strings: Vec<TextRange> = tokens.iter().filter(is_string).map(|token| token.range).collect();
    let is_in_string =
        |at: usize| strings.iter().any(|range| range.contains_range(TextRange::at(at as TextSize, 1)));
    let starts = line.match_indices('#').map(|(at, _)| at);
    let mut starts = starts.filter(|at| line.get(..*at).is_some_and(|before| before.ends_with([' ', '\t'])));
    starts.find(|at| !is_in_string(*at)).unwrap_or(line.len())
}
