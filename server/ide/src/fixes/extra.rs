//! Fixes for an extra character: the dash before a key outside of a list, or the `#` before a colon. Also
//! fixes for a list whose first dash is missing, and for swapped lines.

use api::Code;
use text::{TextEdit, TextRange, TextSize};
use yaml::{Document, SyntaxErrorKind, Value};

use super::proof::Proof;
use super::takes_away;
use crate::analysis::text_at::{line_of, text_of, values_to};
use crate::{Finding, Fix};

/// The maximum number of characters of a text that a title repeats.
const MOST_SHOWN: usize = 40;
/// The maximum number of bytes that are read before and after a finding.
const MOST: TextSize = 2_000;

/// The codes of the findings that swapped lines cause.
const OF_SWAPS: [Code; 4] =
    [Code::YamlSyntax, Code::YamlDuplicateKey, Code::DecodeType, Code::DecodeUnknownField];
/// The maximum number of findings for which swaps are tried in one request.
const MOST_SWAPPED: usize = 3;

/// A title with its edits.
type Offer = (String, Vec<TextEdit>);

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
fn without_dash(document: Document<'_>, dash: TextSize) -> Vec<Offer> {
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

fn is_name(text: &str) -> bool {
    !text.is_empty()
        && text.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_./$\"".contains(letter))
}

/// The fixes that swap two lines or remove a dash, for those of `findings`, all of `document`, that touch
/// `range` and for which `known` has no fixes other than removals.
pub(super) fn swaps(
    document: Document<'_>,
    findings: &[Finding],
    range: TextRange,
    known: &[Fix],
    proof: &mut Proof,
) -> Vec<Fix> {
    let is_known = |finding: &Finding| {
        let mut of_it = known.iter().filter(|fix| fix.repairs.contains(&(finding.code, finding.range)));
        of_it.any(|fix| !takes_away(fix))
    };
    let is_wanted = |finding: &&Finding| {
        OF_SWAPS.contains(&finding.code) && finding.range.overlaps(range) && !is_known(finding)
    };
    let mut fixes = Vec::new();
    for finding in findings.iter().filter(is_wanted).take(MOST_SWAPPED) {
        let is_item = finding.code == Code::DecodeType;
        let of_item = if is_item { without_dash(document, finding.range.start) } else { Vec::new() };
        let offers = of_item.into_iter().chain(swapped(document, finding.range));
        let mut whole =
            offers.filter(|(_, edits)| proof.lessens(finding.code, edits) && proof.brings_nothing_new(edits));
        if let Some((title, edits)) = whole.next() {
            fixes.push(Fix::suggested(title, edits, finding.code, finding.range));
        }
    }
    fixes
}

/// Swaps two adjacent lines at or near `range`, if the lower one is the key of the upper one, or belongs to
/// the block that the upper one interrupts.
fn swapped(document: Document<'_>, range: TextRange) -> Vec<Offer> {
    let whole = document.range();
    let from = whole.start.max(range.start.saturating_sub(MOST));
    let text = text_of(document.syntax(), TextRange::new(from, whole.end.min(range.start + MOST)));
    let at = (range.start - from) as usize;
    let mut lines: Vec<(usize, &str)> = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        lines.push((start, line));
        start += line.len();
    }
    let Some(own) = lines.iter().rposition(|(start, _)| *start <= at) else { return Vec::new() };
    let pairs = [own.checked_sub(1), Some(own), own.checked_sub(2)];
    let swap = |first: usize| {
        let [(start, upper), (_, lower)] = lines.get(first..first + 2)? else { return None };
        let is_cut = from > whole.start && *start == 0 || !lower.ends_with('\n');
        let (key, inner) = (Line::of(lower)?, Line::of(upper)?);
        // The lower line then belongs to the block before both lines.
        let before = first.checked_sub(1).and_then(|before| lines.get(before));
        let is_deep = |line: &str| line.len() - line.trim_start_matches(' ').len() >= key.column;
        let goes_up =
            inner.is_open && inner.column < key.column && before.is_some_and(|(_, line)| is_deep(line));
        let is_turned = (key.is_open && key.column < inner.column || goes_up) && !is_cut;
        let range = TextRange::at(from + *start as TextSize, (upper.len() + lower.len()) as TextSize);
        let title = format!("Move `{}:` above the line before it", text::start(key.name, MOST_SHOWN));
        is_turned.then(|| (title, vec![TextEdit::replace(range, format!("{lower}{upper}"))]))
    };
    pairs.into_iter().flatten().filter_map(swap).collect()
}

/// A line with a key.
struct Line<'t> {
    column: usize,
    name: &'t str,
    /// Whether the line has no value, so that the value is below it.
    is_open: bool,
}

impl<'t> Line<'t> {
    fn of(line: &'t str) -> Option<Self> {
        let text = line.trim_start_matches(' ');
        let (name, value) = text.split_once(':')?;
        let is_key = value.starts_with([' ', '\n', '\r']) && is_name(name.trim_start_matches("- "));
        let is_open = value.trim().is_empty();
        is_key.then_some(Self { column: line.len() - text.len(), name, is_open })
    }
}
