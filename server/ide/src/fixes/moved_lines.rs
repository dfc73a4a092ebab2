//! Lines in a wrong column or at a wrong place: the move of a line, alone or with lines below it, or the removal
//! of pasted lines, after which most findings disappear. The column of one line decides what the lines around it
//! mean, so such a slip often causes findings at several places, and none of them shows which line it is.

use std::collections::HashSet;

use api::Code;
use text::{TextEdit, TextRange, TextSize};
use yaml::Document;

use super::columns::moved;
use super::proof::Proof;
use super::request::FixRequest;
use crate::analysis::fix::Title;
use crate::analysis::text_at::{text_of, values_to};
use crate::{Finding, Fix, Severity};

/// The maximum number of bytes before and after a line that decide its column.
const AROUND: TextSize = 8_000;
/// The maximum number of columns that are tried for one line.
const MOST_COLUMNS: usize = 4;
/// The maximum number of characters of lines that may be removed.
const MOST_REPEATED: usize = 4_000;
/// The number of columns by which nested keys are indented.
const STEP: usize = 2;
/// The maximum number of findings with fixes in one answer.
const MOST: usize = 4;
/// The maximum number of characters of a key that a title repeats.
const MOST_SHOWN: usize = 40;

/// The move of lines into another column, or the removal of pasted lines.
pub(super) struct Move {
    title: Title,
    pub(super) edits: Vec<TextEdit>,
    /// The moved lines.
    pub(super) lines: TextRange,
    /// The number of findings above remarks that it leaves.
    pub(super) remaining: usize,
    /// Whether the lines are removed.
    is_removal: bool,
}

impl Move {
    /// Whether the removal of `findings` shows that the lines are wrong. Lines that occur twice may contain slips
    /// in both places, and their removal removes these as well.
    pub(super) fn is_shown_by<'f>(&self, mut findings: impl Iterator<Item = &'f Finding>) -> bool {
        !self.is_removal || findings.any(|finding| !self.lines.overlaps(finding.range))
    }
}

/// The fixes for the touched findings of `request`: moves that leave fewer findings than
/// the first of `others` for the same finding, and at least two fewer than there are.
pub(super) fn fixes(request: &FixRequest<'_, '_>, others: &[Fix], proof: &mut Proof) -> Vec<Fix> {
    let FixRequest { document, findings, .. } = *request;
    let is_wrong = |finding: &&Finding| finding.severity <= Severity::Warning;
    let count = findings.iter().filter(is_wrong).count();
    if count < 2 {
        return Vec::new();
    }
    let fix = |finding: &Finding| {
        let of_it = |fix: &&Fix| fix.repairs.contains(&(finding.code, finding.range));
        let other = others.iter().find(of_it);
        if other.is_some_and(|fix| changes_value(finding, &fix.edits)) {
            return None;
        }
        let least = other.and_then(|fix| proof.remaining(&fix.edits)).unwrap_or(usize::MAX).min(count - 1);
        let best = best(document, finding, least, proof)?;
        if others.iter().any(|other| other.edits == best.edits) {
            return None;
        }
        if best.is_removal {
            let removed = proof.effects_of_repair(&best.edits).removed;
            let is_removed = |one: &&Finding| removed.contains(&(one.code, one.range));
            if !best.is_shown_by(findings.iter().filter(is_removed)) {
                return None;
            }
        }
        Some(Fix::suggested(best.title, best.edits, finding.code, finding.range))
    };
    let is_wanted = |one: &&Finding| is_wrong(one) && shows_lines(one.code);
    request.touched().filter(is_wanted).take(MOST).filter_map(fix).collect()
}

/// Whether a finding with `code` may be about a line in a wrong column or at a wrong place.
pub(super) const fn shows_lines(code: Code) -> bool {
    is_of_pasted(code) || is_of_type(code) || is_of_name(code)
}

const fn is_of_type(code: Code) -> bool {
    matches!(code, Code::DecodeType | Code::ResourceType)
}

const fn is_of_name(code: Code) -> bool {
    matches!(code, Code::DecodeUnknownField | Code::ResourceUnknownField | Code::StructuralTypeRequired)
}

/// Whether `edits`, which repair `finding`, change only a value of a wrong type, so that its column is right.
pub(super) fn changes_value(finding: &Finding, edits: &[TextEdit]) -> bool {
    is_of_type(finding.code) && edits.iter().all(|edit| finding.range.contains_range(edit.range))
}

/// Whether a finding with `code` may be about pasted lines.
const fn is_of_pasted(code: Code) -> bool {
    matches!(code, Code::YamlSyntax | Code::YamlDuplicateKey)
}

/// The move of the line of `finding`, or of the line above it, that leaves the fewest findings, fewer than `least`,
/// and causes none. If there is none, a removal of these lines.
pub(super) fn best(
    document: Document<'_>,
    finding: &Finding,
    least: usize,
    proof: &mut Proof,
) -> Option<Move> {
    // In JSON and YAML in braces, columns mean nothing.
    if document.root()?.is_flow() {
        return None;
    }
    let value = values_to(document, finding.range.start).last()?;
    if is_of_type(finding.code) && value.is_flow() {
        return None;
    }
    let (whole, at) = (document.range(), finding.range.start);
    let range =
        TextRange::new(at.saturating_sub(AROUND).max(whole.start), at.saturating_add(AROUND).min(whole.end));
    let lines = Lines::of(text_of(document.syntax(), range), range.start);
    let own = lines.line_at(at)?;
    // The right move removes an error of the syntax, so most moves need no check.
    let errors = proof.syntax_errors_after(&[]);
    let most = if finding.code == Code::YamlSyntax { errors.checked_sub(1)? } else { errors };
    // The key of a list above is the first line that has its column.
    let above = own.checked_sub(1);
    let key = above.and_then(|above| lines.key_of_list(above));
    let changed = [Some(own), above, key];
    let mut best_of = |changes: Vec<Change>| {
        let mut best: Option<Move> = None;
        for Change { title, lines, by } in changes {
            let edits = match by {
                Some(by) => moved(document, lines, by),
                None => Some(vec![TextEdit::replace(lines, String::new())]),
            };
            let Some(edits) = edits else { continue };
            if proof.syntax_errors_after(&edits) > most {
                continue;
            }
            let Some(remaining) = proof.all_remaining(&edits) else { continue };
            if remaining < best.as_ref().map_or(least, |one| one.remaining) {
                best = Some(Move { title, edits, lines, remaining, is_removal: by.is_none() });
            }
        }
        best
    };
    let moves = changed.into_iter().flatten().flat_map(|index| lines.moves(index));
    let best = best_of(moves.collect());
    if best.is_some() || !is_of_pasted(finding.code) {
        return best;
    }
    let text = document.syntax().text();
    let removals = changed.into_iter().flatten().flat_map(|index| lines.removals(index, &text, whole.start));
    best_of(removals.collect())
}

/// Lines, and the number of columns by which they are moved; `None` if they are removed.
struct Change {
    title: Title,
    lines: TextRange,
    by: Option<isize>,
}

/// A line that is neither blank nor a comment.
struct Line {
    /// The range without the indentation.
    range: TextRange,
    indent: usize,
    /// The column of its first key, behind a dash.
    key: usize,
    /// The first word.
    word: String,
}

/// The lines around a place.
struct Lines(Vec<Line>);

impl Lines {
    fn of(text: String, start: TextSize) -> Self {
        let mut at = start;
        let lines = text.split_inclusive('\n').filter_map(|line| {
            let begin = at;
            at += line.len() as TextSize;
            let content = line.trim_end();
            let indent = text::indentation(content);
            let written = content.get(indent..).filter(|written| !written.starts_with('#'))?;
            let key = written.trim_start_matches(['-', ' ']);
            let word = key.split([':', ' ']).next().unwrap_or_default();
            (!written.is_empty()).then(|| Line {
                range: TextRange::new(begin + indent as TextSize, begin + content.len() as TextSize),
                indent,
                key: content.len() - key.len(),
                word: text::start(word, MOST_SHOWN).into_owned(),
            })
        });
        Self(lines.collect())
    }

    /// The index of the line with `at`.
    fn line_at(&self, at: TextSize) -> Option<usize> {
        self.0.iter().rposition(|line| line.range.start <= at)
    }

    /// The line of the key whose list has the item in the line `index`.
    fn key_of_list(&self, index: usize) -> Option<usize> {
        let item = self.0.get(index).filter(|line| line.key > line.indent)?;
        let before = self.0.get(..index)?;
        before.iter().rposition(|line| line.indent <= item.indent && line.key == line.indent)
    }

    /// The ends of the lines that may belong together from the line `index` on: it alone, with the lines below it, and
    /// with those beside it; the likeliest first.
    fn ends(&self, index: usize, line: &Line) -> Vec<TextSize> {
        let behind = self.0.get(index + 1..).unwrap_or_default();
        let end_of = |is_included: &dyn Fn(&&Line) -> bool| {
            behind.iter().take_while(is_included).last().map_or(line.range.end, |last| last.range.end)
        };
        // The dashes of a list may be in the column of its key.
        let is_item = |one: &Line| one.key > one.indent;
        let is_below = |one: &&Line| {
            one.indent > line.indent || one.indent == line.indent && is_item(one) && !is_item(line)
        };
        let (below, beside) = (end_of(&is_below), end_of(&|one| one.indent >= line.indent));
        // A line behind the items may look like a part of the last one.
        let items = end_of(&|one| one.indent == line.indent && is_item(one) && !is_item(line));
        // If the lines below are indented as they should be, they were moved as well.
        let is_aligned = |one: &Line| one.indent == line.key + STEP || one.indent == line.key;
        let mut ends = match behind.first().is_some_and(is_aligned) {
            true => vec![below, items, line.range.end, beside],
            false => vec![line.range.end, items, below, beside],
        };
        let mut seen = HashSet::new();
        ends.retain(|end| seen.insert(*end));
        ends
    }

    /// The removals of the line `index`, with or without other lines, if the same lines occur elsewhere in the
    /// `text` from `start` on.
    fn removals(&self, index: usize, text: &str, start: TextSize) -> Vec<Change> {
        let Some(line) = self.0.get(index) else { return Vec::new() };
        let from = line.range.start - line.indent as TextSize;
        let (from, behind) = ((from - start) as usize, self.0.get(index..).unwrap_or_default());
        let repeated = repeated(text, from).checked_sub(1).and_then(|last| behind.get(last));
        let Some(last) = repeated.map(|last| last.range.end) else { return Vec::new() };
        let shorter = self.ends(index, line).into_iter().filter(|end| *end < last);
        let removal = |end: TextSize| {
            let to = (end - start) as usize;
            let to = to + text.get(to..)?.find('\n')? + 1;
            let title = Title::removal(format_args!("the repeated lines of `{}`", line.word));
            let lines = TextRange::new(start + from as TextSize, start + to as TextSize);
            Some(Change { title, lines, by: None })
        };
        std::iter::once(last).chain(shorter).filter_map(removal).collect()
    }

    /// The moves of the line `index`, the likeliest first.
    fn moves(&self, index: usize) -> Vec<Change> {
        let Some(line) = self.0.get(index) else { return Vec::new() };
        let ends = self.ends(index, line);
        let moves = self.columns(index, line).into_iter().flat_map(|column| {
            let by = column as isize - line.indent as isize;
            let (word, count) = (&line.word, by.unsigned_abs());
            let side = if by < 0 { "left" } else { "right" };
            let columns = if count == 1 { "1 column".to_owned() } else { format!("{count} columns") };
            let title = move |end: TextSize| match end == line.range.end {
                true => format!("Move `{word}` to the {side} by {columns}"),
                false => format!("Move the lines of `{word}` to the {side} by {columns}"),
            };
            ends.iter().map(move |end| {
                let lines = TextRange::new(line.range.start, *end);
                Change { title: title(*end).into(), lines, by: Some(by) }
            })
        });
        moves.collect()
    }

    /// The columns that `line` at `index` may have, the nearest first: those of the lines above it that may still
    /// be open, and that of the line behind it.
    fn columns(&self, index: usize, line: &Line) -> Vec<usize> {
        let mut columns: Vec<usize> = Vec::new();
        let mut outer = usize::MAX;
        for above in self.0.get(..index).unwrap_or_default().iter().rev() {
            if above.indent >= outer {
                continue;
            }
            if columns.is_empty() {
                columns.push(above.key + STEP);
            }
            columns.extend([above.key, above.indent]);
            outer = above.indent;
            if outer == 0 {
                break;
            }
        }
        columns.extend(self.0.get(index + 1).map(|below| below.indent));
        columns.sort_by_key(|column| column.abs_diff(line.indent));
        columns.dedup();
        columns.retain(|column| *column != line.indent);
        columns.truncate(MOST_COLUMNS);
        columns
    }
}

/// The number of lines of `text` from `start` on that also occur elsewhere one after the other, in any column,
/// without blank lines and comments.
fn repeated(text: &str, start: usize) -> usize {
    let lines =
        |text| str::lines(text).map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let own = text::start(text.get(start..).unwrap_or_default(), MOST_REPEATED);
    let Some(first) = lines(&own).next() else { return 0 };
    let same = text.match_indices(first).filter_map(|(at, _)| {
        let indent = text.get(..at)?.rsplit('\n').next()?;
        let is_other = at != start + indent.len() && indent.bytes().all(|byte| byte == b' ');
        let rest = text.get(at..).filter(|_| is_other)?;
        Some(lines(&own).zip(lines(rest)).take_while(|(one, other)| one == other).count())
    });
    same.max().unwrap_or(0)
}
