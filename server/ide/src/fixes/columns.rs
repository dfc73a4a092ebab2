//! Fixes for lines that YAML reads in an unintended way: in a wrong column, as an item beside the dashes of
//! its list, as an entry beside the keys of its mapping, as the unindented text of a `|`, or without the
//! space after `:`.

use api::Code;
use text::{TextEdit, TextRange, TextSize};
use yaml::edit::Editor;
use yaml::{Document, SyntaxErrorKind, Value, ValueKind};

use super::extra;
use super::proof::Proof;
use super::request::FixRequest;
use crate::analysis::separated;
use crate::analysis::separator::Separator;
use crate::analysis::text_at::{text_of, values_to};
use crate::analysis::unindented;
use crate::analysis::values::own_entry;
use crate::{Finding, Fix};

const CODE: Code = Code::YamlSyntax;
/// The maximum number of bytes of lines that are moved.
const MOST: TextSize = 100_000;
/// The maximum number of columns that are tried for one line.
const MOST_COLUMNS: usize = 3;
/// The maximum number of characters of a text that a title repeats.
const MOST_SHOWN: usize = 40;

/// The fixes for the touched findings of `request`. The fixes from `moves_of_line`
/// and those for dashes from `extra` are tried only if `is_open` returns `true` for the finding.
pub(super) fn fixes(
    request: &FixRequest<'_, '_>,
    is_open: &dyn Fn(&Finding) -> bool,
    proof: &mut Proof,
) -> Vec<Fix> {
    let FixRequest { document, editor, .. } = *request;
    let wanted = || request.with_codes(&[CODE]);
    let offers = wanted().filter_map(|finding| {
        let start = finding.range.start;
        let fix = |(title, edits)| Fix::suggested(title, edits, CODE, finding.range);
        let mut of_line: Vec<Offer> = indent_text(document, start, editor);
        if of_line.is_empty() {
            of_line.extend(item_without_dash(document, finding.range));
            of_line.extend(extra::comment_sign(document, finding.range));
            of_line.extend(separated::fix(document, finding.range));
            of_line.extend(extra::remark(document, finding.range));
        }
        let of_block = || {
            if !is_open(finding) {
                return Vec::new();
            }
            let mut places = moves_of_line(document, start, editor.step());
            places.extend(extra::dash(document, finding.range));
            places.extend(extra::first_dash(document, finding.range));
            places
        };
        best(of_line, proof).or_else(|| best(of_block(), proof)).map(fix)
    });
    let mut fixes: Vec<Fix> = offers.collect();
    let separators = wanted().filter_map(|finding| {
        let (title, edits) = missing_separator(document, finding.range)?;
        Some(Fix::suggested(title, edits, CODE, finding.range))
    });
    fixes.extend(separators.filter(|fix| proof.reduces(CODE, &fix.edits)));
    let quoted = wanted().filter_map(|finding| {
        let (title, edits) = quoted(document, finding.range, editor)?;
        Some(Fix::suggested(title, edits, CODE, finding.range))
    });
    fixes.extend(quoted.filter(|fix| proof.reduces(CODE, &fix.edits)));
    fixes
}

/// Whether `edits` leave fewer YAML errors. The moved lines may have other errors, which could not be found
/// before.
fn is_improvement(edits: &[TextEdit], proof: &mut Proof) -> bool {
    proof.reduces(CODE, edits) || proof.removed(edits).iter().any(|(code, _)| *code == CODE)
}

/// Indents the text whose first line is at `start`, or moves its key left into the column of keys around it.
fn indent_text(document: Document<'_>, start: TextSize, editor: &Editor<'_>) -> Vec<Offer> {
    let Some(text) = unindented::beginning_at(document, start) else { return Vec::new() };
    let Some(key) = text.entry.key_text() else { return Vec::new() };
    let indented = moved(document, text.lines, editor.step() as isize);
    let mut offers: Vec<Offer> =
        indented.into_iter().map(|edits| (format!("Indent the text below `{key}`"), edits)).collect();
    let at = text.entry.range().start;
    let Some(own) = document.root().and_then(|root| column_of(document, root, at)) else { return offers };
    let mappings = values_to(document, at).filter_map(|value| value.as_mapping()?.column());
    let end = document.range().end.min(text.lines.end + MOST);
    let behind = text_of(document.syntax(), TextRange::new(text.lines.end, end));
    let below = behind.lines().skip(1).find(|line| !line.trim().is_empty());
    let below = below.map(text::indentation);
    let mut columns: Vec<usize> = mappings.chain(below).filter(|column| *column < own).collect();
    columns.sort_unstable();
    columns.dedup();
    for column in columns.into_iter().rev().take(MOST_COLUMNS) {
        let edit = shift(at, column as isize - own as isize);
        offers.extend(edit.map(|edit| (format!("Indent `{key}` like the keys around it"), vec![edit])));
    }
    offers
}

/// Adds the dash to a line below a list, in the column of the list's dashes.
fn item_without_dash(document: Document<'_>, range: TextRange) -> Option<(String, Vec<TextEdit>)> {
    let Separator::Word(word) = Separator::at(document, range)? else { return None };
    let column =
        values_to(document, range.start).find_map(|value| column_of(document, value, range.start))?;
    let above = values_to(document, range.start.checked_sub(1)?).filter_map(Value::as_sequence);
    above.filter(|list| !list.is_flow()).find(|list| list.column() == Some(column))?;
    let title = format!("Add `-` before `{}`", text::start(&word, MOST_SHOWN));
    Some((title, vec![TextEdit::insert(range.start, "- ".to_owned())]))
}

/// Quotes the text with the second colon at `range`.
fn quoted(document: Document<'_>, range: TextRange, editor: &Editor<'_>) -> Option<(String, Vec<TextEdit>)> {
    let mut is_second = false;
    document.syntax().for_each_error(&mut |error| {
        is_second |= error.range == range && error.kind == SyntaxErrorKind::NestedColon;
    });
    let value = values_to(document, range.start).filter(|_| is_second).last()?;
    let shown = value.as_scalar()?.token().text;
    let mut editor = editor.fresh();
    editor.quote(value).ok()?;
    Some((format!("Quote `{}`", text::start(shown, MOST_SHOWN)), editor.finish().ok()?))
}

/// Adds the missing comma or dash before the text at `range`.
fn missing_separator(document: Document<'_>, range: TextRange) -> Option<(String, Vec<TextEdit>)> {
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
    // A text without quotes continues up to the end of its line.
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

/// The position of the missing comma before `at`. `at` may be after a key that YAML reads as a part of the
/// text before it.
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
    // In a comment, a comma has no effect.
    let is_comment = before.lines().next_back()?.contains('#');
    (!is_comment && !before.ends_with([',', '{', '['])).then_some(start + before.len() as TextSize)
}

/// A title with its edits.
type Offer = (String, Vec<TextEdit>);

/// The first of those `offers` that leave fewer YAML errors and the fewest findings.
fn best(offers: Vec<Offer>, proof: &mut Proof) -> Option<Offer> {
    let mut best: Option<(usize, Offer)> = None;
    for offer in offers {
        let Some(left) = proof.remaining(&offer.1).filter(|_| is_improvement(&offer.1, proof)) else {
            continue;
        };
        if best.as_ref().is_none_or(|(least, _)| left < *least) {
            best = Some((left, offer));
        }
    }
    best.map(|(_, offer)| offer)
}

/// Moves the line at `start` into the column of an enclosing collection, the nearest first, with or without
/// the lines that belong to it; or moves the keys above it into its own column.
fn moves_of_line(document: Document<'_>, start: TextSize, step: usize) -> Vec<Offer> {
    let around: Vec<Value<'_>> = values_to(document, start).collect();
    let Some(own) = document.root().and_then(|root| column_of(document, root, start)) else {
        return Vec::new();
    };
    let depth = around.iter().rposition(|value| member(*value, start).is_some());
    let whole = depth.and_then(|depth| around.get(depth)).and_then(|value| run(document, *value, start, own));
    let is_item = text_of(document.syntax(), TextRange::new(start, start + 2)).trim_end() == "-";
    let key = depth.and_then(|depth| around.get(depth)?.as_mapping()?.entry_before(start)?.key_text());
    // A key that exists already is not added a second time.
    let has_it = |value: Value<'_>| {
        let other = key.as_ref().and_then(|key| own_entry(value, key));
        other.is_some_and(|other| other.range().start != start)
    };
    let column = |value: &Value<'_>| match value.kind() {
        ValueKind::Sequence(list) if is_item && !list.is_flow() => list.column(),
        ValueKind::Mapping(mapping) if !is_item && !mapping.is_flow() => mapping.column(),
        _ => None,
    };
    let title = match is_item {
        true => "Indent the item like those of its list",
        false => "Indent the key like those beside it",
    };
    let outer = around.get(..depth.map_or(around.len(), |depth| depth + 1)).unwrap_or_default();
    let nearest = outer.iter().rev().filter_map(|value| Some((column(value)?, *value)));
    let free = nearest.filter(|(column, value)| *column != own && !has_it(*value));
    let mut columns: Vec<usize> = free.map(|(column, _)| column).collect();
    columns.dedup();
    let behind = text_of(document.syntax(), TextRange::new(start, document.range().end.min(start + MOST)));
    let below = behind.lines().skip(1).find(|line| !line.trim().is_empty());
    let below = below.map(text::indentation);
    let before = depth.and_then(|depth| move_preceding(document, *around.get(depth)?, start, own, step));
    let is_own_right = |depth: usize| {
        let holder = around.get(..depth)?.iter().rev().find_map(column)?;
        (own == holder + step).then_some(())
    };
    let before = before.filter(|_| depth.and_then(is_own_right).is_some());
    let mut places: Vec<Offer> = before.into_iter().collect();
    let (above, is_likely) = move_key_above(document, &around, start, own, step).unzip();
    if is_likely == Some(true) {
        places.extend(above.clone());
    }
    for column in columns.into_iter().take(MOST_COLUMNS) {
        let by = column as isize - own as isize;
        let line = shift(start, by).map(|edit| vec![edit]);
        let with_rest = whole.and_then(|whole| moved(document, whole, by));
        // Lines that already fit the key's new column need no move.
        let is_alone = below.is_some_and(|below| below == column + step);
        let both = if is_alone { [line, with_rest] } else { [with_rest, line] };
        places.extend(both.into_iter().flatten().map(|edits| (title.to_owned(), edits)));
    }
    places.extend(above);
    places
}

/// Moves the keys of `value` before the one at `start` into its column, `own`.
fn move_preceding(
    document: Document<'_>,
    value: Value<'_>,
    start: TextSize,
    own: usize,
    step: usize,
) -> Option<Offer> {
    let mapping = value.as_mapping().filter(|mapping| !mapping.is_flow())?;
    let last = mapping.entry_before(start.checked_sub(1)?)?;
    let range = TextRange::new(value.range().start, last.range().end);
    let by = isize::try_from(own).ok()? - isize::try_from(mapping.column()?).ok()?;
    let key = mapping.entries().next()?.key_text()?;
    let first = mapping.entries().next()?.range();
    let lines = text_of(document.syntax(), range);
    let below = lines.lines().nth(1).map(text::indentation);
    // Lines that already fit the key's new column need no move.
    let is_alone = first.start == last.range().start && below == Some(own + step);
    let edits = if is_alone { vec![shift(range.start, by)?] } else { moved(document, range, by)? };
    let edits = Some(edits).filter(|_| by != 0)?;
    Some((format!("Indent `{}` like the keys below it", text::start(&key, MOST_SHOWN)), edits))
}

/// The item or entry of `value` at `start`, and all after it in the same column.
fn run(document: Document<'_>, value: Value<'_>, start: TextSize, own: usize) -> Option<TextRange> {
    let range = member(value, start)?;
    let is_beside = |other: &TextRange| column_of(document, value, other.start) == Some(own);
    let last = members_after(value, range).take_while(is_beside).last();
    Some(TextRange::new(range.start, last.map_or(range.end, |last| last.end)))
}

/// Moves the key above the line at `start`, which has a value on its own line, into the column `own`, so that
/// the two are siblings. Also returns whether `own` is one step to the right of the keys of the outer
/// mapping.
fn move_key_above(
    document: Document<'_>,
    around: &[Value<'_>],
    start: TextSize,
    own: usize,
    step: usize,
) -> Option<(Offer, bool)> {
    let mappings = || around.iter().rev().filter_map(|value| value.as_mapping()).filter(|one| !one.is_flow());
    let mut before = mappings().filter_map(|one| one.entry_before(start));
    let entry = before.find(|entry| entry.range().start < start)?;
    let column = column_of(document, document.root()?, entry.range().start)?;
    let by = isize::try_from(own).ok()? - isize::try_from(column).ok()?;
    let edits = vec![shift(entry.range().start, by).filter(|_| by > 0)?];
    let key = entry.key_text()?;
    let outer = mappings().filter_map(yaml::Mapping::column).find(|outer| *outer < column);
    let is_likely = outer.is_some_and(|outer| own == outer + step);
    Some(((format!("Indent `{}` like the keys below it", text::start(&key, MOST_SHOWN)), edits), is_likely))
}

/// The item or entry of `value` at `start`.
fn member(value: Value<'_>, start: TextSize) -> Option<TextRange> {
    let range = match value.kind() {
        ValueKind::Sequence(list) => list.item_before(start)?.range(),
        ValueKind::Mapping(mapping) => mapping.entry_before(start)?.range(),
        _ => return None,
    };
    (range.start == start).then_some(range)
}

/// The entries or items of `value` after the one at `range`.
fn members_after(value: Value<'_>, range: TextRange) -> impl Iterator<Item = TextRange> {
    let rest = TextRange::new(range.end, value.range().end);
    let entries = value.as_mapping().into_iter().flat_map(move |mapping| mapping.entries_touching(rest));
    let items = value.as_sequence().into_iter().flat_map(yaml::Sequence::items);
    let all = entries.map(yaml::Entry::range).chain(items.map(|item| item.range()));
    all.filter(move |one| one.start > range.start)
}

/// The column of the first text on its line at `start` within `value`.
fn column_of(document: Document<'_>, value: Value<'_>, start: TextSize) -> Option<usize> {
    let before = text_of(
        document.syntax(),
        TextRange::new(value.range().start.max(start.saturating_sub(MOST)), start),
    );
    let (_, indent) = before.rsplit_once('\n')?;
    indent.bytes().all(|byte| byte == b' ').then_some(indent.len())
}

/// Moves the lines of `range`, which begins after the indentation of the first line, by `by` columns.
pub(super) fn moved(document: Document<'_>, range: TextRange, by: isize) -> Option<Vec<TextEdit>> {
    if range.len() > MOST {
        return None;
    }
    let text = text_of(document.syntax(), range);
    let mut edits = vec![shift(range.start, by)?];
    let mut start = range.start;
    for line in text.split_inclusive('\n') {
        let indent = text::indentation(line);
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

/// Inserts `by` spaces at `at`, or removes them before it.
fn shift(at: TextSize, by: isize) -> Option<TextEdit> {
    let columns = by.unsigned_abs();
    if by > 0 {
        return Some(TextEdit::replace(TextRange::empty(at), " ".repeat(columns)));
    }
    let start = at.checked_sub(TextSize::try_from(columns).ok()?)?;
    Some(TextEdit::replace(TextRange::new(start, at), String::new()))
}
