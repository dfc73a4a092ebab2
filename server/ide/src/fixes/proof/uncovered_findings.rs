//! Findings of another slip that the repair of a slip uncovers.
//!
//! A line with a syntax error or in a wrong column moves the text below it to another place in the structure, where
//! other slips have no findings or different ones. After the repair, they have their own.

use std::collections::HashSet;

use api::Code;
use text::{TextEdit, TextRange, TextSize};
use yaml::Tree;

use super::{Fault, FaultKey, Proof};
use crate::Finding;
use crate::analysis::shifts::Shifts;
use crate::analysis::syntax::is_of_syntax;
use crate::analysis::text_at::document_at;
use crate::analysis::unfinished::owners;
use crate::analysis::values::entry_at;

/// The groups of findings that depend on the whole schema, so that the structure at their place may be unchanged.
const DISTANT: [&str; 1] = ["selectable-fields"];
/// The number of findings that a repair must remove for each finding that it uncovers, except for those far below
/// the edited lines.
const REMOVED_OF_EACH: usize = 2;
/// The maximum number of new findings and of edits that are examined.
const MOST: usize = 50;

/// Whether a finding with `code` may be about a slip that changes the structure of the text around it. The right name
/// of an unknown field is only a guess, which says nothing about the text below it.
pub(in crate::fixes) const fn changes_structure(code: Code) -> bool {
    is_of_syntax(code)
        || matches!(
            code,
            Code::YamlStraySign | Code::YamlTabIndentation | Code::DecodeType | Code::ResourceType
        )
}

impl Proof {
    /// The indices of those of `findings` that `edits` uncover.
    pub(super) fn uncovered_by(
        &self,
        findings: &[Finding],
        edits: &[TextEdit],
        shifts: &Shifts,
        tree: &Tree,
    ) -> HashSet<usize> {
        let is_read = |(_, finding): &(usize, &Finding)| !self.was_unread(finding.range, shifts);
        let (indices, faults): (Vec<usize>, Vec<Fault>) =
            findings.iter().enumerate().filter(is_read).map(|(index, one)| (index, Fault::of(one))).unzip();
        let uncovered = self.uncovered(&faults, edits, shifts, tree);
        uncovered.into_iter().filter_map(|index| indices.get(index).copied()).collect()
    }

    /// The indices of those of `after`, the findings of the text of `tree` after `edits`, that other slips cause:
    /// the edits give the text there another place in the structure and do not touch its line. They remove
    /// many more findings, or the text is far below a line that they repair.
    pub(super) fn uncovered(
        &self,
        after: &[Fault],
        edits: &[TextEdit],
        shifts: &Shifts,
        tree: &Tree,
    ) -> HashSet<usize> {
        let before = self.original();
        if edits.len() > MOST || !before.faults.iter().any(|fault| changes_structure(fault.code)) {
            return HashSet::new();
        }
        let new = after.iter().enumerate().filter(|(_, fault)| !before.had(fault, shifts));
        let new: Vec<(usize, &Fault)> = new.take(MOST + 1).collect();
        if !(1..=MOST).contains(&new.len()) {
            return HashSet::new();
        }
        let keys: HashSet<FaultKey> = after.iter().map(Fault::key).collect();
        let ranges: HashSet<(Code, TextRange)> =
            after.iter().filter_map(|fault| Some((fault.code, shifts.range_before(fault.range)?))).collect();
        // YAML errors have no path.
        let is_left = |fault: &Fault| {
            ranges.contains(&(fault.code, fault.range))
                || !fault.path.is_empty() && keys.contains(&fault.key())
        };
        let is_removed = |fault: &&Fault| !fault.is_remark && !fault.code.is_lint() && !is_left(fault);
        let removed: Vec<&Fault> = before.faults.iter().filter(is_removed).collect();
        if !removed.iter().any(|fault| changes_structure(fault.code)) {
            return HashSet::new();
        }
        if hides_most(&new, &removed, shifts, tree) {
            return HashSet::new();
        }
        // Nothing below the key of a line with a syntax error is checked.
        let has_syntax = removed.iter().any(|fault| is_of_syntax(fault.code));
        let is_much_better = new.len() * REMOVED_OF_EACH < removed.len();
        let lines = edited_lines(&tree.text(), edits);
        let is_edited = |at: TextSize| lines.iter().any(|line| line.start <= at && at <= line.end);
        let is_uncovered = |fault: &Fault| {
            if fault.code.group() == "yaml" || is_edited(fault.range.start) {
                return false;
            }
            if is_much_better && DISTANT.contains(&fault.code.group()) {
                return true;
            }
            let around = keys_around(tree, fault.range.start);
            let place = shifts.replaced_range(fault.range).start;
            let was_elsewhere = || {
                let here = around.iter().map(|key| shifts.replaced_range(TextRange::at(*key, 0)).start);
                !here.eq(keys_around(&self.tree, place))
            };
            let is_far_below = around.iter().rev().skip(1).any(|key| is_edited(*key));
            is_far_below && has_syntax || (is_much_better || is_far_below) && was_elsewhere()
        };
        new.into_iter().filter(|(_, fault)| is_uncovered(fault)).map(|(index, _)| index).collect()
    }
}

/// Whether most of the `removed` findings are below keys of `new` findings. Edits that move text below an unknown field, or into a value
/// of a wrong type, only prevent its check.
fn hides_most(new: &[(usize, &Fault)], removed: &[&Fault], shifts: &Shifts, tree: &Tree) -> bool {
    let is_unchecked_below = |fault: &Fault| {
        let is_unknown = matches!(fault.code, Code::DecodeUnknownField | Code::ResourceUnknownField);
        is_unknown || matches!(fault.code, Code::DecodeType | Code::ResourceType)
    };
    let value_of = |fault: &Fault| {
        let (_, entry) = entry_at(document_at(tree, fault.range.start)?, fault.range)?;
        Some(entry.value().range())
    };
    let new = new.iter().filter(|(_, fault)| is_unchecked_below(fault));
    let unchecked: Vec<TextRange> = new.filter_map(|(_, fault)| value_of(fault)).collect();
    let is_hidden = |fault: &&&Fault| {
        let range = shifts.range_after(fault.range);
        unchecked.iter().any(|value| value.contains_range(range))
    };
    removed.iter().filter(is_hidden).count() * 2 > removed.len()
}

/// The starts of the keys and dashes around `at`, outermost first.
fn keys_around(tree: &Tree, at: TextSize) -> Vec<TextSize> {
    let document = document_at(tree, at);
    document.into_iter().flat_map(|document| owners(document, at)).map(|key| key.start).collect()
}

/// The lines of `text` that contain the new text of `edits`, which are sorted.
fn edited_lines(text: &str, edits: &[TextEdit]) -> Vec<TextRange> {
    let mut shift = 0_i64;
    let place = |edit: &TextEdit| {
        let start = (i64::from(edit.range.start) + shift) as TextSize;
        shift += edit.new_text.len() as i64 - i64::from(edit.range.len());
        TextRange::at(start, edit.new_text.len() as TextSize)
    };
    let line = |place: TextRange| {
        let before = text.get(..place.start as usize).and_then(|before| before.rfind('\n'));
        let behind = text.get(place.end as usize..).and_then(|behind| behind.find('\n'));
        let end = behind.map_or(text.len(), |length| place.end as usize + length);
        TextRange::new(before.map_or(0, |end| end + 1) as TextSize, end as TextSize)
    };
    edits.iter().map(place).map(line).collect()
}
