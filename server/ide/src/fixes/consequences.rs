//! Consequences of a slip: the findings that disappear when it is repaired.
//!
//! A missing colon or a deleted line moves keys to wrong places, which causes many findings. No table can
//! list them, but a repair of the slip shows them.

mod cached;
mod evident_causes;
mod hidden_fixes;
mod joint_repair;
mod moves;
mod slips;

use api::Code;
use text::{TextEdit, TextRange, TextSize};
use yaml::Document;

use super::proof::{Budget, HiddenFindings, Proof, unread};
use super::{CorrectedDocument, moved_lines};
use crate::Finding;
use crate::analysis::caches::SharedCaches;
use crate::analysis::inputs::DocumentInputs;
use crate::analysis::misspelt_property;
use crate::analysis::repaired_text::RepairedText;
use crate::analysis::second_item::second_items;
use crate::analysis::text_at::text_of;
use cached::cached_or;
use evident_causes::{lines_with_tabs, open_end, without_alias};
pub(super) use hidden_fixes::hidden_fixes;
use joint_repair::SlipRepair;
use moves::add_causes_of_moves;
use slips::{is_wrong, may_follow, may_hide_findings, repair, slips};

/// The largest document that is examined: this runs after each keystroke, and a check takes time in
/// proportion to the document.
const MOST_BYTES: TextSize = 500_000;
/// The number of slips that are repaired for one answer in a document of any size, and the maximum in a small one.
const MOST_SLIPS: usize = 4;
const MOST_SLIPS_OF_SMALL: usize = 20;
/// The number of bytes that all repairs of one answer may read, apart from the first ones.
const BYTES_OF_REPAIRS: TextSize = 100_000;
/// The maximum number of findings in a document whose causes are searched.
const MOST_FINDINGS: usize = 200;
/// The maximum number of hidden findings that are reported for one slip.
const MOST_HIDDEN: usize = 20;

/// For each finding of a document, the index of the slip that causes it, or `None`. Empty if no finding
/// causes another.
type Causes = Vec<Option<usize>>;

/// The effects of slips on the findings of a document.
#[derive(Clone, Debug, Default)]
pub(crate) struct Consequences {
    pub(crate) causes: Causes,
    /// The findings in parts that are not checked because of slips. They are not among the document's
    /// findings.
    pub(crate) hidden: Vec<Finding>,
}

/// The cause of each of `findings`, which are all findings of `document`, and the findings that slips hide.
pub(crate) fn consequences(
    document: Document<'_>,
    inputs: DocumentInputs<'_>,
    findings: &[Finding],
    caches: &SharedCaches,
) -> Consequences {
    find_consequences(document, inputs, findings, caches, RequestedResults::Causes)
}

/// The findings that slips hide. Repairs are tried only if a part of the document is not checked.
pub(crate) fn hidden(
    document: Document<'_>,
    inputs: DocumentInputs<'_>,
    findings: &[Finding],
    caches: &SharedCaches,
) -> Vec<Finding> {
    find_consequences(document, inputs, findings, caches, RequestedResults::Hidden).hidden
}

/// The results that a caller needs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RequestedResults {
    /// The causes, and the hidden findings.
    Causes,
    /// Only the hidden findings.
    Hidden,
}

fn find_consequences(
    document: Document<'_>,
    inputs: DocumentInputs<'_>,
    findings: &[Finding],
    caches: &SharedCaches,
    wanted: RequestedResults,
) -> Consequences {
    if let Some(corrected) = CorrectedDocument::of(document, inputs.surroundings, findings, caches) {
        return consequences_in(corrected.repaired(), inputs, findings, caches, wanted);
    }
    let is_small = document.range().len() <= MOST_BYTES && findings.len() <= MOST_FINDINGS;
    let wrong = findings.iter().filter(|one| is_wrong(one)).count();
    if !is_small || wrong == 0 {
        return Consequences::default();
    }
    let parts: Vec<(TextRange, u64)> =
        findings.iter().filter_map(|finding| unread(document, finding)).collect();
    let hides = || findings.iter().any(|one| is_wrong(one) && may_hide_findings(document, one));
    if parts.is_empty() && (wrong == 1 || wanted == RequestedResults::Hidden && !hides()) {
        return Consequences::default();
    }
    let slips = slips(document, findings);
    let mut found = match slips.is_empty() {
        true => Consequences { causes: vec![None; findings.len()], hidden: Vec::new() },
        false => cached_or(document, (findings, &parts), caches, || {
            consequences_of(document, inputs, findings, slips, caches)
        }),
    };
    let causes = &mut found.causes;
    if let Some((cause, awaited)) = open_end(document, findings) {
        for index in awaited.into_iter().filter(|index| *index != cause) {
            if let Some(own) = causes.get_mut(index).filter(|own| own.is_none()) {
                *own = Some(cause);
            }
        }
    }
    let of_items = second_items(document, findings).into_iter().flat_map(|item| {
        let first = item.duplicates.first().copied();
        item.duplicates.into_iter().skip(1).filter_map(move |index| Some((first?, index)))
    });
    let others = misspelt_property::uses(findings).into_iter().chain(lines_with_tabs(document, findings));
    for (cause, index) in without_alias(document, findings).into_iter().chain(of_items).chain(others) {
        if let Some(own) = causes.get_mut(index).filter(|own| own.is_none()) {
            *own = Some(cause);
        }
    }
    // A finding must not follow from a consequence, so chains of causes are cut.
    for index in 0..causes.len() {
        if let Some(cause) = causes.get(index).copied().flatten()
            && causes.get(cause).copied().flatten().is_some()
            && let Some(own) = causes.get_mut(index)
        {
            *own = None;
        }
    }
    found
}

/// The consequences in `repaired`, the corrected text of a document with `findings`, which are in the file.
fn consequences_in(
    repaired: &RepairedText,
    inputs: DocumentInputs<'_>,
    findings: &[Finding],
    caches: &SharedCaches,
    wanted: RequestedResults,
) -> Consequences {
    let findings: Vec<Finding> =
        findings.iter().map(|finding| repaired.finding_in_repaired(finding)).collect();
    let documents: Vec<Document<'_>> = repaired.tree.documents().collect();
    let document_of = |finding: &Finding| {
        documents.partition_point(|document| document.range().start <= finding.range.start).saturating_sub(1)
    };
    let mut all = Consequences { causes: vec![None; findings.len()], hidden: Vec::new() };
    for (number, document) in documents.iter().enumerate() {
        let (indexes, own): (Vec<usize>, Vec<Finding>) = findings
            .iter()
            .enumerate()
            .filter(|(_, finding)| document_of(finding) == number)
            .map(|(index, finding)| (index, finding.clone()))
            .unzip();
        let found = find_consequences(*document, inputs, &own, caches, wanted);
        for (index, cause) in indexes.iter().zip(found.causes) {
            let cause = cause.and_then(|cause| indexes.get(cause).copied());
            if let Some(own) = all.causes.get_mut(*index) {
                *own = cause;
            }
        }
        all.hidden.extend(found.hidden.iter().map(|finding| repaired.finding_in_file(finding)));
    }
    all
}

/// The slips with a repair.
#[derive(Default)]
struct RepairedSlips {
    /// Those that are wrong values.
    values: Vec<usize>,
    others: Vec<usize>,
}

/// The causes and the hidden findings that repairs of `slips` show.
fn consequences_of(
    document: Document<'_>,
    inputs: DocumentInputs<'_>,
    findings: &[Finding],
    slips: Vec<usize>,
    caches: &SharedCaches,
) -> Consequences {
    let mut hidden: Vec<Finding> = Vec::new();
    let mut report_hidden = |hidden_findings| {
        let is_new =
            |one: &Finding| !hidden.iter().any(|other| (other.code, other.range) == (one.code, one.range));
        let found = independent(hidden_findings, inputs, caches).into_iter();
        let new: Vec<Finding> = found.filter(is_new).take(MOST_HIDDEN).collect();
        hidden.extend(new);
    };
    let (mut causes, repaired) = causes_of(document, inputs, findings, slips, caches, &mut report_hidden);
    add_causes_of_moves(document, inputs, findings, (&mut causes, repaired), caches, &mut report_hidden);
    Consequences { causes, hidden }
}

/// The cause of each of `findings` that repairs of `slips` show, and the repaired slips. Calls `report_hidden` with
/// the findings that each repaired slip hides.
fn causes_of(
    document: Document<'_>,
    inputs: DocumentInputs<'_>,
    findings: &[Finding],
    slips: Vec<usize>,
    caches: &SharedCaches,
    report_hidden: &mut dyn FnMut(HiddenFindings),
) -> (Causes, RepairedSlips) {
    let mut causes = vec![None; findings.len()];
    let mut repaired = RepairedSlips::default();
    let mut repairs: Vec<SlipRepair> = Vec::new();
    let budget = Budget::of_keystroke();
    let mut proof = Proof::new(document, inputs, &budget, caches);
    let mut tried = 0;
    for slip in slips {
        let is_explained = causes.get(slip).is_some_and(Option::is_some);
        let Some(finding) = findings.get(slip).filter(|_| !is_explained) else { continue };
        tried += 1;
        if tried > most_slips(document) {
            break;
        }
        // The searches for one slip must not prevent the repair of another.
        proof.renew(&Budget::of_keystroke());
        let Some(edits) = repair(document, inputs, finding, &mut proof) else { continue };
        let effects = proof.effects_of_repair(&edits);
        if moved_lines::changes_value(finding, &edits) {
            repaired.values.push(slip);
        } else if effects.removed.contains(&(finding.code, finding.range)) {
            repaired.others.push(slip);
        }
        // A finding on removed text is no consequence, unless the text is only this value.
        let has_lines = |edit: &&TextEdit| text_of(document.syntax(), edit.range).trim().contains('\n');
        let removed = || edits.iter().filter(|edit| edit.new_text.is_empty()).filter(has_lines);
        let is_removed = |other: &Finding| removed().any(|edit| edit.range.contains_range(other.range));
        let is_gone = |other: &Finding| effects.removed.contains(&(other.code, other.range));
        for (index, other) in findings.iter().enumerate() {
            // What follows from a consequence of this slip follows from the slip.
            let is_open = match causes.get(index).copied().flatten() {
                None => true,
                Some(cause) => cause != slip && findings.get(cause).is_some_and(is_gone),
            };
            let follows = index != slip
                && is_open
                && !(finding.code == Code::YamlDuplicateKey && is_removed(other))
                && may_follow(other, finding)
                && is_gone(other);
            if let Some(cause) = causes.get_mut(index).filter(|_| follows) {
                *cause = Some(slip);
            }
        }
        report_hidden(effects.hidden);
        repairs.push((slip, edits));
    }
    joint_repair::add_causes(findings, &repairs, &mut causes, &mut proof);
    (causes, repaired)
}

/// The maximum number of slips that are repaired for one answer. Each repair takes time in proportion to the document.
fn most_slips(document: Document<'_>) -> usize {
    let affordable = BYTES_OF_REPAIRS / document.range().len().max(1);
    (affordable as usize).clamp(MOST_SLIPS, MOST_SLIPS_OF_SMALL)
}

/// The hidden findings that no other finding causes.
fn independent(hidden: HiddenFindings, inputs: DocumentInputs<'_>, caches: &SharedCaches) -> Vec<Finding> {
    let HiddenFindings { after, findings } = hidden;
    // The search for causes repairs slips once more.
    if findings.is_empty() {
        return Vec::new();
    }
    let is_alone = |all: &[Finding]| all.iter().filter(|one| is_wrong(one)).count() < 2;
    let document = after
        .as_ref()
        .filter(|(_, all)| !is_alone(all))
        .and_then(|(tree, all)| Some((tree.documents().next()?, all)));
    let Some((document, all)) = document else {
        return findings.into_iter().map(|(_, finding)| finding).collect();
    };
    let slips = slips(document, all);
    let (causes, _) = causes_of(document, inputs, all, slips, caches, &mut |_| ());
    let is_first = |index: usize| causes.get(index).is_none_or(Option::is_none);
    findings.into_iter().filter(|(index, _)| is_first(*index)).map(|(_, finding)| finding).collect()
}

#[cfg(test)]
mod several_slips;
#[cfg(test)]
mod tests;
