//! Fixes for lines that have changed places.

use api::Code;
use text::{TextEdit, TextRange, TextSize};
use yaml::Document;

use super::extra::{MOST, MOST_SHOWN, Offer, is_name, without_dash};
use super::is_repaired_by;
use super::proof::Proof;
use super::request::FixRequest;
use crate::Fix;
use crate::analysis::text_at::text_of;

/// The codes of the findings that swapped lines cause.
const OF_SWAPS: [Code; 4] =
    [Code::YamlSyntax, Code::YamlDuplicateKey, Code::DecodeType, Code::DecodeUnknownField];
/// The maximum number of findings for which swaps are tried in one request.
const MOST_SWAPPED: usize = 3;

/// The fixes that swap two lines or remove a dash, for the touched findings of `request` for which `known` has no fixes
/// other than removals.
pub(super) fn fixes(request: &FixRequest<'_, '_>, known: &[Fix], proof: &mut Proof) -> Vec<Fix> {
    let FixRequest { document, .. } = *request;
    let mut fixes = Vec::new();
    let wanted = request.with_codes(&OF_SWAPS).filter(|finding| !is_repaired_by(known, finding));
    for finding in wanted.take(MOST_SWAPPED) {
        let is_item = finding.code == Code::DecodeType;
        let of_item = if is_item { without_dash(document, finding.range.start) } else { Vec::new() };
        let offers = of_item.into_iter().chain(swapped(document, finding.range));
        let mut whole =
            offers.filter(|(_, edits)| proof.reduces(finding.code, edits) && proof.causes_no_findings(edits));
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
        let is_deep = |line: &str| text::indentation(line) >= key.column;
        let goes_up =
            inner.is_open && inner.column < key.column && before.is_some_and(|(_, line)| is_deep(line));
        let is_turned = (key.is_open && key.column < inner.column || goes_up) && !is_cut;
        let range = TextRange::at(from + *start as TextSize, (upper.len() + lower.len()) as TextSize);
        let title = format!("Move `{}:` above the previous line", text::start(key.name, MOST_SHOWN));
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
