//! The tree with a word at the cursor, so that there is always something to complete.

use text::{TextEdit, TextRange, TextSize};
use yaml::Tree;

use crate::analysis::text_at::{closed_at, document_at, text_of, values_to};

/// The maximum number of bytes before the cursor that are searched for the start of its line.
const LONGEST_LINE: TextSize = 4_096;
/// The maximum number of bytes behind the cursor that are read.
const LOOKED_AT: TextSize = 1_024;
/// The placeholder for a word that is not typed yet.
pub(super) const WORD: &str = "x";

/// A tree in which a word touches the cursor. Within brackets and braces, a comma separates the word from the
/// following text.
pub(super) struct Probe {
    pub(super) tree: Tree,
    /// The position of the word, in bytes of that tree.
    pub(super) at: TextSize,
    /// The cursor, in bytes.
    pub(super) offset: TextSize,
    /// The number of bytes, from the cursor on, that the tree has and the text has not.
    added: TextSize,
    /// Whether nothing is typed yet.
    is_blank: bool,
    /// Whether another entry follows within the same brackets or braces, without a comma before it.
    lacks_comma: bool,
    /// The offset in the text of the comma that is missing behind the previous entry, in bytes.
    comma_before: Option<TextSize>,
    /// The line up to the cursor.
    pub(super) line: String,
    /// The text behind the cursor, up to [`LOOKED_AT`].
    behind: String,
}

impl Probe {
    pub(super) fn new(tree: &Tree, offset: TextSize) -> Self {
        let before = text_of(tree.root(), TextRange::new(offset.saturating_sub(LONGEST_LINE), offset));
        let line = before.rsplit(['\n', '\r']).next().unwrap_or_default().to_owned();
        let behind = text_of(tree.root(), TextRange::new(offset, tree.len().min(offset + LOOKED_AT)));
        let is_edge = |char: char| char.is_whitespace() || matches!(char, ',' | '[' | ']' | '{' | '}' | '#');
        let trimmed = line.trim_start();
        let is_behind_dash =
            trimmed.ends_with('-') && trimmed.bytes().all(|byte| matches!(byte, b'-' | b' '));
        let is_behind_colon = trimmed.ends_with(':');
        let starts_word = line.chars().next_back().is_none_or(is_edge) || is_behind_dash || is_behind_colon;
        let ends_word = behind.chars().next().is_none_or(is_edge);
        let lacks_comma = leads_with_entry(&behind) && is_in_brackets(tree, offset);
        let is_blank = starts_word && ends_word;
        let comma_before =
            unclosed_entry(&before, offset).filter(|_| is_blank && is_in_brackets(tree, offset));
        let blank = match () {
            () if comma_before.is_some() => ", ",
            () if is_blank && (is_behind_dash || is_behind_colon) => " ",
            () => "",
        };
        let word = if is_blank { WORD } else { "" };
        // An open quote would include all the following text.
        let quote = if ends_word && lacks_comma && is_quote_open(&line) { "\"" } else { "" };
        let comma = if ends_word && lacks_comma { "," } else { "" };
        // A comment directly behind the word would be a part of the word.
        let apart = if is_blank && behind.starts_with('#') { " " } else { "" };
        let word = format!("{blank}{word}{quote}{comma}{apart}");
        let added = word.len() as TextSize;
        let probed = |range: TextRange| {
            let old =
                |start: TextSize, end: TextSize| text_of(tree.root(), TextRange::new(start, end.max(start)));
            let (start, end) = (range.start, range.end);
            let mut text = old(start.min(offset), end.min(offset));
            let within = |at: TextSize| at.saturating_sub(offset).min(added) as usize;
            text.push_str(word.get(within(start)..within(end)).unwrap_or_default());
            let shifted = |at: TextSize| at.saturating_sub(added).max(offset);
            text.push_str(&old(shifted(start), shifted(end)));
            text
        };
        let tree = match word.is_empty() {
            true => tree.clone(),
            false => tree.edited(&TextEdit::insert(offset, word.clone()), &probed),
        };
        let at = offset + blank.len() as TextSize;
        Self { tree, at, offset, added, is_blank, lacks_comma, comma_before, line, behind }
    }

    /// The bytes of the text at `range` of the tree.
    pub(super) fn in_text(&self, range: TextRange) -> TextRange {
        let real = |at: TextSize| match at {
            at if at <= self.offset => at,
            at => at.saturating_sub(self.added).max(self.offset),
        };
        TextRange::new(real(range.start), real(range.end))
    }

    /// Whether nothing is typed yet.
    pub(super) const fn is_blank(&self) -> bool {
        self.is_blank
    }

    /// Whether the line is blank.
    pub(super) fn is_on_blank_line(&self) -> bool {
        let rest = self.behind.split(['\n', '\r']).next().unwrap_or_default();
        self.indent() == self.line.len() && rest.trim().is_empty()
    }

    /// The comment behind the cursor with the blanks before it, if nothing else is on the line.
    pub(super) fn comment_behind(&self) -> Option<&str> {
        let end = self.behind.find(['\n', '\r'])?;
        let rest = self.behind.get(..end)?;
        let is_apart = self.line.ends_with(' ') || rest.starts_with(' ');
        (is_apart && rest.trim_start().starts_with('#')).then_some(rest)
    }

    /// The text that is missing between an inserted entry and the next one.
    pub(super) const fn comma(&self) -> &'static str {
        if self.lacks_comma { "," } else { "" }
    }

    /// The edit that adds the comma behind the previous entry.
    pub(super) fn comma_before(&self) -> Option<TextEdit> {
        self.comma_before.map(|at| TextEdit::insert(at, ",".to_owned()))
    }

    /// Whether the next line that is not blank is an item of a list in `column`.
    pub(super) fn is_before_item(&self, column: usize) -> bool {
        let mut lines = self.behind.lines().skip(1).filter(|line| !line.trim().is_empty());
        let next =
            lines.next().and_then(|line| line.get(column..).filter(|_| line.find('-') == Some(column)));
        next.is_some_and(|item| item == "-" || item.starts_with("- "))
    }

    /// The text that is missing between the cursor and an inserted value: a blank behind a colon or a dash.
    pub(super) fn gap(&self) -> &'static str {
        if self.at > self.offset && self.comma_before.is_none() { " " } else { "" }
    }

    /// The blanks at the start of the line, in bytes.
    pub(super) fn indent(&self) -> usize {
        text::indentation(&self.line)
    }
}

/// The end of the entry in brackets or braces on a line above the end of `before`, which is at `offset`, if
/// no comma follows it.
fn unclosed_entry(before: &str, offset: TextSize) -> Option<TextSize> {
    let entry = before.trim_end();
    let is_above = before.get(entry.len()..)?.contains(['\n', '\r']);
    // To skip a comment, more than that line would have to be read.
    let is_entry = !entry.ends_with([',', '[', '{', ':']) && !entry.lines().next_back()?.contains('#');
    (is_above && is_entry).then_some(offset - (before.len() - entry.len()) as TextSize)
}

/// Whether an entry of brackets or braces follows without a comma before it. A quote may come first.
fn leads_with_entry(behind: &str) -> bool {
    let rest = behind.strip_prefix(['"', '\'']).unwrap_or(behind);
    let mut lines = rest.lines().map(str::trim_start);
    let next = lines.find(|line| !line.is_empty() && !line.starts_with('#'));
    next.is_some_and(|next| !next.starts_with([',', ']', '}', ':']))
}

/// Whether `line` ends within double quotes.
fn is_quote_open(line: &str) -> bool {
    let mut escaped = false;
    let quotes = line.bytes().filter(|byte| {
        let is_quote = *byte == b'"' && !escaped;
        escaped = *byte == b'\\' && !escaped;
        is_quote
    });
    quotes.count() % 2 == 1
}

/// Whether `offset` is within brackets or braces.
fn is_in_brackets(tree: &Tree, offset: TextSize) -> bool {
    let outermost = document_at(tree, offset)
        .and_then(|document| values_to(document, offset).find(|value| value.is_flow()));
    outermost.is_some_and(|outermost| {
        outermost.range().start < offset && closed_at(outermost).is_none_or(|end| offset < end)
    })
}
