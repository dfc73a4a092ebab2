//! The fix for a line whose separator is missing or wrong.

use text::{TextEdit, TextRange, TextSize};
use yaml::Document;

use crate::analysis::separator::Separator;
use crate::analysis::text_at::text_of;

/// The maximum number of bytes around a line that are read.
const MOST: TextSize = 4_000;

/// The title and the edit that separate the key or the dash of the line at `range` from the text after it.
pub(crate) fn fix(document: Document<'_>, range: TextRange) -> Option<(String, Vec<TextEdit>)> {
    let separator = Separator::at(document, range)?;
    let (title, mut edits) = fix_of(&separator, range.start);
    if separator == Separator::Dash {
        let below = lines_alike(document, range.start, &is_item_without_space);
        edits.extend(below.into_iter().map(|line| TextEdit::insert(line + 1, " ")));
    }
    Some((title, edits))
}

/// Whether `line` is an item without the space behind its dash.
fn is_item_without_space(line: &str) -> bool {
    line.strip_prefix('-').is_some_and(|item| !item.is_empty() && !item.starts_with(['-', ' ']))
}

/// The starts of the lines directly below the one at `start` that have its column, and whose text is like it.
pub(crate) fn lines_alike(
    document: Document<'_>,
    start: TextSize,
    is_alike: &dyn Fn(&str) -> bool,
) -> Vec<TextSize> {
    let whole = document.range();
    let before =
        text_of(document.syntax(), TextRange::new(start.saturating_sub(MOST).max(whole.start), start));
    let column = before.len() - before.rfind('\n').map_or(0, |end| end + 1);
    let below = text_of(document.syntax(), TextRange::new(start, whole.end.min(start + MOST)));
    let mut at = start;
    let lines = below.split_inclusive('\n').map(|line| {
        let own = at;
        at += line.len() as TextSize;
        (own, line)
    });
    let lines = lines.skip(1).map_while(|(at, line)| {
        let is_in_column = text::indentation(line) == column;
        let is_it = is_in_column && line.get(column..).is_some_and(|text| is_alike(text.trim_end()));
        is_it.then_some(at + column as TextSize)
    });
    lines.collect()
}

/// The title and the edit for the separator of the text at `start`.
pub(crate) fn fix_of(separator: &Separator, start: TextSize) -> (String, Vec<TextEdit>) {
    let title = match separator {
        Separator::Colon(key) => format!("Add a space after `{key}`"),
        Separator::Dash => "Add a space after `-`".to_owned(),
        Separator::Sign(name, sign, ..) => format!("Replace `{sign}` with `:` after `{name}`"),
        Separator::Word(name) | Separator::Blank(name) => format!("Add `:` after `{name}`"),
    };
    let (part, new) = separator.change();
    let part = TextRange::new(part.start as TextSize, part.end as TextSize).shifted(start);
    (title, vec![TextEdit::replace(part, new.to_owned())])
}
