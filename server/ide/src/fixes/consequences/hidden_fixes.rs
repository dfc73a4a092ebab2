//! Fixes for findings in parts of a text that are not checked because of slips. They are made in the text in which
//! these slips are repaired.

use text::TextRange;
use yaml::Document;

use super::slips::{may_hide_findings, repair, slips};
use super::{Consequences, MOST_SLIPS, consequences, joint_repair};
use crate::analysis::caches::SharedCaches;
use crate::analysis::inputs::DocumentInputs;
use crate::fixes::fixes_with;
use crate::fixes::proof::{Budget, Proof, unread};
use crate::{Applicability, Finding, Fix};

/// The maximum number of findings with such fixes in one answer.
const MOST: usize = 4;

/// The fixes for the findings at `range` that slips among `findings`, all of `document`, hide.
pub(in crate::fixes) fn hidden_fixes(
    document: Document<'_>,
    inputs: DocumentInputs<'_>,
    findings: &[Finding],
    range: TextRange,
    budget: &Budget,
    caches: &SharedCaches,
) -> Vec<Fix> {
    // The search for causes tries repairs.
    let is_hidden = |one: &Finding| unread(document, one).is_some() || may_hide_findings(document, one);
    if !findings.iter().any(is_hidden) {
        return Vec::new();
    }
    let Consequences { causes, hidden } = consequences(document, inputs, findings, caches);
    let wanted: Vec<&Finding> = hidden.iter().filter(|one| one.range.overlaps(range)).take(MOST).collect();
    if wanted.is_empty() {
        return Vec::new();
    }
    let mut proof = Proof::new(document, inputs, budget, caches);
    let is_root = |slip: &usize| causes.get(*slip) == Some(&None);
    let slips = slips(document, findings).into_iter().filter(is_root).take(MOST_SLIPS);
    let slips = slips.filter_map(|slip| findings.get(slip));
    let repairs: Vec<_> = slips.filter_map(|slip| repair(document, inputs, slip, &mut proof)).collect();
    let edits = joint_repair::joined(repairs.iter().map(Vec::as_slice));
    if edits.is_empty() {
        return Vec::new();
    }
    let (repaired, all) = proof.repaired_text(document, &edits);
    let Some(corrected) = repaired.tree.documents().next() else { return Vec::new() };
    let of_finding = |finding: &Finding| -> Vec<Fix> {
        let place = repaired.range_in_repaired(finding.range);
        if !all.iter().any(|one| (one.code, one.range) == (finding.code, place)) {
            return Vec::new();
        }
        let in_file = |fix: Fix| {
            let edits: Option<Vec<_>> = fix.edits.iter().map(|edit| repaired.edit_in_file(edit)).collect();
            let repairs = vec![(finding.code, finding.range)];
            // Nothing proves it in the text as it is.
            Some(Fix { edits: edits?, repairs, applicability: Applicability::Suggested, ..fix })
        };
        let mut proof = Proof::new(corrected, inputs, budget, caches);
        let fixes = fixes_with(corrected, inputs, &all, place, &mut proof);
        fixes
            .into_iter()
            .filter(|fix| fix.repairs.contains(&(finding.code, place)))
            .filter_map(in_file)
            .collect()
    };
    wanted.into_iter().flat_map(of_finding).collect()
}
