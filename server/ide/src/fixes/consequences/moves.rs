//! Causes that moves of lines into another column show.

use text::TextSize;
use yaml::Document;

use super::slips::is_wrong;
use super::{Causes, RepairedSlips};
use crate::Finding;
use crate::analysis::caches::SharedCaches;
use crate::analysis::inputs::DocumentInputs;
use crate::fixes::moved_lines;
use crate::fixes::proof::{Budget, HiddenFindings, Proof};

/// The largest document in which lines in a wrong column are searched: many moves are tried.
const MOST_BYTES_OF_MOVES: TextSize = 100_000;
/// The maximum number of findings at which lines in a wrong column are searched.
const MOST_MOVES: usize = 4;

/// Adds the causes that moves of lines into another column, or removals of pasted lines, show: of the findings
/// that a move removes, the one that is nearest to the lines causes the others. No moves are tried for slips that
/// are wrong values, and slips with another repair come last.
pub(super) fn add_causes_of_moves(
    document: Document<'_>,
    inputs: DocumentInputs<'_>,
    findings: &[Finding],
    (causes, RepairedSlips { values: mut tried, others }): (&mut Causes, RepairedSlips),
    caches: &SharedCaches,
    report_hidden: &mut dyn FnMut(HiddenFindings),
) {
    if document.range().len() > MOST_BYTES_OF_MOVES {
        return;
    }
    let budget = Budget::of_moves();
    let mut proof = Proof::new(document, inputs, &budget, caches);
    let least = findings.iter().filter(|one| is_wrong(one)).count().saturating_sub(1);
    for _ in 0..MOST_MOVES {
        let mut roots: Vec<(usize, &Finding)> = findings.iter().enumerate().collect();
        roots.retain(|(index, one)| is_wrong(one) && causes.get(*index) == Some(&None));
        if roots.len() < 2 {
            return;
        }
        let next =
            roots.iter().filter(|(index, one)| moved_lines::shows_lines(one.code) && !tried.contains(index));
        let Some((root, finding)) = next
            .min_by_key(|(index, one)| (others.contains(index), one.code.group() != "yaml", one.range.start))
        else {
            return;
        };
        tried.push(*root);
        let Some(best) = moved_lines::best(document, finding, least, &mut proof) else { continue };
        let effects = proof.effects_of_repair(&best.edits);
        let is_removed = |one: &Finding| effects.removed.contains(&(one.code, one.range));
        let removed = || roots.iter().filter(|(_, one)| is_removed(one));
        let distance = |one: &Finding| {
            let start = one.range.start;
            best.lines.start.saturating_sub(start).max(start.saturating_sub(best.lines.end))
        };
        // Only there is the move offered.
        let is_offered = |one: &Finding| moved_lines::shows_lines(one.code);
        let nearest = removed().min_by_key(|(_, one)| (!is_offered(one), distance(one), one.range.start));
        let is_shown = removed().count() > 1 && best.is_shown_by(removed().map(|(_, one)| *one));
        let Some((nearest, _)) = nearest.filter(|_| is_shown) else { continue };
        for (index, other) in findings.iter().enumerate().filter(|(index, _)| index != nearest) {
            let Some(own) = causes.get(index).copied() else { continue };
            let follows = match own {
                Some(cause) => findings.get(cause).is_some_and(is_removed),
                None => is_wrong(other) && is_removed(other),
            };
            if let Some(cause) = causes.get_mut(index).filter(|_| follows) {
                *cause = Some(*nearest);
            }
        }
        report_hidden(effects.hidden);
    }
}
