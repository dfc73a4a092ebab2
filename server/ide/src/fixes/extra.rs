//! Fixes for an extra character: the dash before a key outside of a list, or the `#` before a colon. Also
//! fixes for a list whose first dash is missing, and for a comment without its `#`.

use text::{TextEdit, TextRange, TextSize};
use yaml::{Document, SyntaxErrorKind, Value};

use crate::analysis::text_at::{line_of, text_of, values_to};

/// The maximum number of characters of a text that a title repeats.
pub(super) const MOST_SHOWN: usize = 40;
/// The maximum number of bytes that are read before and after a finding.
pub(super) const MOST: TextSize = 2_000;

/// A title with its edits.
pub(super) type Offer = (String, Vec<TextEdit>);

/// Removes the dash of the line at `range`, or the dash of the list before the line, if that list has only
/// one item.
pub(super) fn dash(document: Document<'_>, range: TextRange) -> Vec<Offer> {
    let dash = match kind_at(document, range) {
        Some(SyntaxErrorKind::DashAmongKeys) => Some(range.start),
        Some(SyntaxErrorKind::MissingDash) => only_dash(document, range.start),
        _ => None,
    };
    dash.map(|dash| without_dash(document, dash)).unwrap_or_default()
}

/// Adds the missing dash to the line above the one at `range`, if that line is the first below its key.
pub(super) fn first_dash(document: Document<'_>, range: TextRange) -> Option<Offer> {
    (kind_at(document, range)? == SyntaxErrorKind::DashAmongKeys).then_some(())?;
    let start = document.range().start.max(range.start.saturating_sub(MOST));
    let before = text_of(document.syntax(), TextRange::new(start, range.start));
    let mut lines = before.rsplit('\n');
    let (own, above, key) = (lines.next()?, lines.next()?, lines.next()?);
    let text = above.trim_start_matches(' ');
    let is_first = key.trim_end().ends_with(':') && !text.is_empty() && !text.starts_with(['-', '#']);
    let line = range.start - (own.len() + 1 + above.len()) as TextSize;
    let indent = TextRange::at(line, (above.len() - text.len()) as TextSize);
    let shown = text.trim_end().split(':').next()?;
    let title = format!("Add `-` before `{}`", text::start(shown, MOST_SHOWN));
    is_first.then(|| (title, vec![TextEdit::replace(indent, format!("{own}- "))]))
}

/// The kind of the syntax error at `range`.
fn kind_at(document: Document<'_>, range: TextRange) -> Option<SyntaxErrorKind> {
    let mut kind = None;
    document.syntax().for_each_error(&mut |error| {
        kind = kind.or((error.range == range).then_some(error.kind));
    });
    kind
}

/// The dash of the only item of the list before `at` whose dashes are in the column of `at`.
fn only_dash(document: Document<'_>, at: TextSize) -> Option<TextSize> {
    let lists = values_to(document, at.checked_sub(1)?).filter_map(Value::as_sequence);
    let start = document.range().start.max(at.saturating_sub(MOST));
    let before = text_of(document.syntax(), TextRange::new(start, at));
    let column = before.rsplit('\n').next().map(str::len);
    let lists = lists.filter(|list| !list.is_flow() && list.column() == column);
    let lone = lists.filter_map(|list| {
        let mut items = list.items();
        let first = items.next()?;
        // The parser may read the line at `at` as a further item, without a dash.
        let is_lone = items.all(|item| item.range().start >= at);
        is_lone.then_some(first.range().start)
    });
    lone.last()
}

/// Removes the dash at `dash`; the second offer replaces it with spaces.
pub(super) fn without_dash(document: Document<'_>, dash: TextSize) -> Vec<Offer> {
    let line = line_of(document.syntax(), TextRange::new(dash, document.range().end.min(dash + MOST)));
    let Some(rest) = line.strip_prefix('-') else { return Vec::new() };
    let text = rest.trim_start_matches(' ');
    let key = text.split(':').next().unwrap_or(text).trim();
    if rest.len() == text.len() || key.is_empty() {
        return Vec::new();
    }
    let key = text::start(key, MOST_SHOWN);
    let title = format!("Replace `- {key}` with `{key}`");
    let signs = TextRange::at(dash, (line.len() - text.len()) as TextSize);
    let edit = |new: String| vec![TextEdit::replace(signs, new)];
    let blanks = " ".repeat(signs.len() as usize);
    vec![(title.clone(), edit(String::new())), (title, edit(blanks))]
}

/// Removes the `#` that turns the colon after the key at `range` into a comment.
pub(super) fn comment_sign(document: Document<'_>, range: TextRange) -> Option<Offer> {
    let end = document.range().end;
    let line = line_of(document.syntax(), TextRange::new(range.start, end.min(range.start + MOST)));
    let (key, behind) = line.split_once('#')?;
    let rest = behind.strip_prefix(':')?;
    let is_value = rest.is_empty() || rest.starts_with([' ', '\t']);
    let name = key.trim_end();
    let sign = TextRange::at(range.start + name.len() as TextSize, (key.len() - name.len() + 1) as TextSize);
    let title = format!("Replace `#:` with `:` after `{}`", text::start(name, MOST_SHOWN));
    (is_value && is_name(name)).then(|| (title, vec![TextEdit::replace(sign, String::new())]))
}

/// Makes a comment of the line at `range`, if it has several words and no colon.
pub(super) fn remark(document: Document<'_>, range: TextRange) -> Option<Offer> {
    (kind_at(document, range)? == SyntaxErrorKind::MissingColon).then_some(())?;
    let line = line_of(document.syntax(), TextRange::new(range.start, document.range().end));
    let mut words = line.split_whitespace();
    let (first, _) = (words.next()?, words.next()?);
    let title = format!("Add `#` before `{}`", text::start(first, MOST_SHOWN));
    (is_name(first) && !line.contains(": ")).then(|| (title, vec![TextEdit::insert(range.start, "# ")]))
}

pub(super) fn is_name(text: &str) -> bool {
    !text.is_empty()
        && text.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_./$\"".contains(letter))
}
