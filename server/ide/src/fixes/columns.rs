//! Fixes for lines that YAML reads in another way than they are meant: in a wrong column, as an item beside the dashes of its
//! list, an entry beside the keys of its mapping, the text of a `|` that is not indented; or without the blank behind `:`.

use api::Code;
use text::{TextEdit, TextRange, TextSize};
use yaml::edit::Editor;
use yaml::{Document, Mapping, Sequence, SyntaxErrorKind, Value, ValueKind};

use super::proof::Proof;
use crate::analysis::separator::Separator;
use crate::analysis::text_at::{text_of, values_to};
use crate::analysis::unindented;
use crate::{Finding, Fix};

const CODE: Code = Code::YamlSyntax;
/// Lines of more bytes are not moved.
const MOST: TextSize = 100_000;
/// So many characters of a text are repeated in a title.
const MOST_SHOWN: usize = 40;

/// The fixes for those of `findings`, all of `document`, that touch `range`.
pub(super) fn fixes(
    document: Document<'_>,
    findings: &[Finding],
    range: TextRange,
    editor: &Editor<'_>,
    proof: &mut Proof,
) -> Vec<Fix> {
    let wanted = findings.iter().filter(|finding| finding.code == CODE && finding.range.overlaps(range));
    let offers = wanted.filter_map(|finding| {
        let start = finding.range.start;
        let (title, edits) = text(document, start, editor)
            .or_else(|| beside(document, start))
            .or_else(|| item_without_dash(document, finding.range))
            .or_else(|| separated(document, finding.range))?;
        Some(Fix::suggested(title, edits, CODE, finding.range))
    });
    let mut fixes: Vec<Fix> = offers.collect();
    fixes.retain(|fix| holds(&fix.edits, proof));
    let wanted = findings.iter().filter(|finding| finding.code == CODE && finding.range.overlaps(range));
    let lacking = wanted.filter_map(|finding| {
        let (title, edits) = lacking(document, finding.range)?;
        Some(Fix::suggested(title, edits, CODE, finding.range))
    });
    fixes.extend(lacking.filter(|fix| proof.lessens(CODE, &fix.edits)));
    fixes
}

/// Whether `edits` leave less broken YAML. What comes to its place may have mistakes that nothing could judge before.
fn holds(edits: &[TextEdit], proof: &mut Proof) -> bool {
    proof.lessens(CODE, edits) || proof.gone(edits).iter().any(|(code, _)| *code == CODE)
}

/// Indents the text whose first line is at `start`.
fn text(document: Document<'_>, start: TextSize, editor: &Editor<'_>) -> Option<(String, Vec<TextEdit>)> {
    let text = unindented::beginning_at(document, start)?;
    let key = text.entry.key_text()?;
    let edits = moved(document, text.lines, editor.step() as isize)?;
    Some((format!("Indent the text below `{key}`"), edits))
}

/// Separates the key or the dash of the line at `range` from what follows it.
fn separated(document: Document<'_>, range: TextRange) -> Option<(String, Vec<TextEdit>)> {
    let separator = Separator::at(document, range)?;
    let title = match &separator {
        Separator::Colon(key) => format!("Add a space after `{key}`"),
        Separator::Dash => "Add a space after `-`".to_owned(),
        Separator::Equals(name, ..) => format!("Replace `=` with `:` after `{name}`"),
        Separator::Word(name) => format!("Add `:` after `{name}`"),
    };
    let (part, new) = separator.change();
    let part = TextRange::new(part.start as TextSize, part.end as TextSize).shifted(range.start);
    Some((title, vec![TextEdit::replace(part, new.to_owned())]))
}

/// Adds the dash to a line below a list, in the column of its dashes.
fn item_without_dash(document: Document<'_>, range: TextRange) -> Option<(String, Vec<TextEdit>)> {
    let Separator::Word(word) = Separator::at(document, range)? else { return None };
    let column =
        values_to(document, range.start).find_map(|value| column_of(document, value, range.start))?;
    let above = values_to(document, range.start.checked_sub(1)?).filter_map(Value::as_sequence);
    above.filter(|list| !list.is_flow()).find(|list| list.column() == Some(column))?;
    let title = format!("Add `-` before `{}`", text::start(&word, MOST_SHOWN));
    Some((title, vec![TextEdit::insert(range.start, "- ".to_owned())]))
}

/// Adds the comma or the dash that is missing before what is at `range`.
fn lacking(document: Document<'_>, range: TextRange) -> Option<(String, Vec<TextEdit>)> {
    let mut kind = None;
    document
        .syntax()
        .for_each_error(&mut |error| kind = kind.or((error.range == range).then_some(error.kind)));
    let (at, sign) = match kind? {
        SyntaxErrorKind::MissingComma | SyntaxErrorKind::MissingBraceComma => {
            (comma(document, range.start)?, ",")
        }
        SyntaxErrorKind::MissingDash => (range.start, "- "),
        _ => return None,
    };
    let rest = text_of(document.syntax(), TextRange::new(at, document.range().end.min(at + MOST)));
    // A text without quotes goes on up to the end of its line.
    let before = text_of(document.syntax(), TextRange::new(at.saturating_sub(1), at));
    let blanks = rest.get(..rest.len() - rest.trim_start().len())?;
    if sign == "," && !before.ends_with(['"', '\'', '}', ']']) && !blanks.contains('\n') {
        return None;
    }
    let next = rest.trim_start().trim_start_matches(['"', '\'', '{', '[']);
    let end = next.find(['"', '\'', ':', ',', '\n', ']', '}']).unwrap_or(next.len());
    let next = next.get(..end).filter(|next| !next.trim().is_empty())?;
    let title = format!("Add `{}` before `{}`", sign.trim(), text::start(next.trim(), MOST_SHOWN));
    Some((title, vec![TextEdit::insert(at, sign)]))
}

/// Where the comma is missing before `at`, which may be behind a key that YAML has taken into the text before it.
fn comma(document: Document<'_>, at: TextSize) -> Option<TextSize> {
    let start = document.range().start.max(at.saturating_sub(MOST));
    let before = text_of(document.syntax(), TextRange::new(start, at));
    let behind = text_of(document.syntax(), TextRange::new(at, document.range().end.min(at + 1)));
    let mut before = before.trim_end();
    if behind == ":" {
        before = match before.strip_suffix('"') {
            Some(key) => key.get(..key.rfind('"')?)?,
            None => {
                before.trim_end_matches(|letter: char| letter.is_alphanumeric() || "-_./$".contains(letter))
            }
        };
    }
    let before = before.trim_end();
    // In a comment, it would be none.
    let is_comment = before.lines().next_back()?.contains('#');
    (!is_comment && !before.ends_with([',', '{', '['])).then_some(start + before.len() as TextSize)
}

/// Moves the item or entry at `start` into the column of those before it.
fn beside(document: Document<'_>, start: TextSize) -> Option<(String, Vec<TextEdit>)> {
    values_to(document, start).find_map(|value| {
        let (range, column, title) = match value.kind() {
            ValueKind::Sequence(list) => item(list, start)?,
            ValueKind::Mapping(mapping) => entry(mapping, start)?,
            _ => return None,
        };
        let own = column_of(document, value, start)?;
        // All that follows in the same column goes with it.
        let is_beside = |other: &TextRange| column_of(document, value, other.start) == Some(own);
        let end = behind(value, range).take_while(is_beside).last().map_or(range.end, |last| last.end);
        let range = TextRange::new(range.start, end);
        let by = isize::try_from(column).ok()? - isize::try_from(own).ok()?;
        (by != 0).then(|| moved(document, range, by)).flatten().map(|edits| (title.to_owned(), edits))
    })
}

/// The entries or items of `value` behind the one at `range`.
fn behind(value: Value<'_>, range: TextRange) -> impl Iterator<Item = TextRange> {
    let rest = TextRange::new(range.end, value.range().end);
    let entries = value.as_mapping().into_iter().flat_map(move |mapping| mapping.entries_touching(rest));
    let items = value.as_sequence().into_iter().flat_map(yaml::Sequence::items);
    let all = entries.map(yaml::Entry::range).chain(items.map(|item| item.range()));
    all.filter(move |one| one.start > range.start)
}

type Misplaced = (TextRange, usize, &'static str);

fn item(list: Sequence<'_>, start: TextSize) -> Option<Misplaced> {
    let item = list.item_before(start).filter(|item| item.range().start == start)?;
    Some((item.range(), list.column()?, "Indent the item like those of its list"))
}

fn entry(mapping: Mapping<'_>, start: TextSize) -> Option<Misplaced> {
    let entry = mapping.entry_before(start).filter(|entry| entry.range().start == start)?;
    Some((entry.range(), mapping.column()?, "Indent the key like those beside it"))
}

/// The column of what begins its line at `start` within `value`.
fn column_of(document: Document<'_>, value: Value<'_>, start: TextSize) -> Option<usize> {
    let before = text_of(
        document.syntax(),
        TextRange::new(value.range().start.max(start.saturating_sub(MOST)), start),
    );
    let (_, indent) = before.rsplit_once('\n')?;
    indent.bytes().all(|byte| byte == b' ').then_some(indent.len())
}

/// Moves the lines of `range`, which begins behind the indentation of the first, by so many columns.
pub(super) fn moved(document: Document<'_>, range: TextRange, by: isize) -> Option<Vec<TextEdit>> {
    if range.len() > MOST {
        return None;
    }
    let text = text_of(document.syntax(), range);
    let mut edits = vec![shift(range.start, by)?];
    let mut start = range.start;
    for line in text.split_inclusive('\n') {
        let indent = line.len() - line.trim_start_matches(' ').len();
        let is_first = start == range.start;
        if !is_first && !line.trim().is_empty() {
            if by < 0 && indent < by.unsigned_abs() {
                return None;
            }
            edits.push(shift(start + indent as TextSize, by)?);
        }
        start += line.len() as TextSize;
    }
    Some(edits)
}

/// Inserts so many spaces at `at`, or takes them away before it.
fn shift(at: TextSize, by: isize) -> Option<TextEdit> {
    let columns = by.unsigned_abs();
    if by > 0 {
        return Some(TextEdit::replace(TextRange::empty(at), " ".repeat(columns)));
    }
    let start = at.checked_sub(TextSize::try_from(columns).ok()?)?;
    Some(TextEdit::replace(TextRange::new(start, at), String::new()))
}
