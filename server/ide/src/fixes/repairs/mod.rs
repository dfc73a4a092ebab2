//! Repairs of single findings: for each code, the possible changes at the place of the finding.
//!
//! Problems that a schema node has because of its junctors are repaired by node, in `node`; this module
//! repairs all others. A repair is offered only if the edited text has fewer findings of the code and no new
//! ones.

mod bounds;
mod columns;
mod conditions;
mod conversion;
mod defaults;
mod expressions;
mod gates;
mod identity;
mod keywords;
mod lists;
mod metadata;
pub(super) mod misplaced;
mod names;
mod refs;
mod rules;
mod shapes;
pub(crate) mod site;
mod types;
mod unions;
mod unknown;
mod versions;

use std::collections::{BTreeMap, BTreeSet};

pub(super) use types::require;

use api::Code;
use crd::object::{CustomResourceDefinition, definitions};
use text::{TextEdit, TextSize};
use yaml::edit::Editor;

use super::plan::{self, Change};
use super::proof::{KeptVerdicts, Proof};
use super::request::FixRequest;
use super::{MOST_CHECKS, batch};
use crate::analysis::fix::Title;
use crate::{Applicability, Finding, Fix};
use site::Site;

/// The maximum number of repairs that are proven for one request; each takes a check of the document.
const MOST_PROOFS: usize = 100;
/// Up to this number, repairs are always proven one by one.
const FEW: usize = 8;
/// The number of attempts in which fix-all tries other repairs at places whose repairs do not hold.
const MOST_ATTEMPTS: usize = 4;

/// A way to repair a finding.
struct Repair<'t> {
    title: Title,
    applicability: Applicability,
    changes: Vec<Change<'t>>,
    /// Whether it is offered only if no other repair holds.
    is_fallback: bool,
    /// The verdicts that changed rules must keep; `None` if the verdicts should change, or if no rules
    /// change.
    kept_verdicts: Option<KeptVerdicts>,
}

impl<'t> Repair<'t> {
    fn new(safe: bool, title: impl Into<Title>, changes: Vec<Change<'t>>) -> Self {
        let applicability = if safe { Applicability::Safe } else { Applicability::Suggested };
        Self { title: title.into(), applicability, changes, is_fallback: false, kept_verdicts: None }
    }

    fn fallback(title: impl Into<Title>, changes: Vec<Change<'t>>) -> Self {
        Self { is_fallback: true, ..Self::suggested(title, changes) }
    }

    /// The same repair, required to keep these verdicts.
    fn keeping_verdicts(self, kept: KeptVerdicts) -> Self {
        Self { kept_verdicts: Some(kept), ..self }
    }

    fn safe(title: impl Into<Title>, changes: Vec<Change<'t>>) -> Self {
        Self::new(true, title, changes)
    }

    fn suggested(title: impl Into<Title>, changes: Vec<Change<'t>>) -> Self {
        Self::new(false, title, changes)
    }
}

/// Finds the ways to repair a finding, the best one first.
type Repairer = for<'s, 'r, 't> fn(&Site<'s, 'r, 't>) -> Vec<Repair<'t>>;

/// The repairs by code.
const TABLES: &[&[(Code, Repairer)]] = &[
    bounds::REPAIRS,
    columns::REPAIRS,
    conversion::REPAIRS,
    defaults::REPAIRS,
    gates::REPAIRS,
    identity::REPAIRS,
    expressions::REPAIRS,
    keywords::REPAIRS,
    lists::REPAIRS,
    metadata::REPAIRS,
    names::REPAIRS,
    refs::REPAIRS,
    rules::REPAIRS,
    types::REPAIRS,
    unions::REPAIRS,
    unknown::REPAIRS,
    versions::REPAIRS,
];

/// Whether this module may repair any of `findings`.
pub(super) fn may_repair_any(findings: &[Finding]) -> bool {
    findings.iter().any(|finding| repairer(finding.code).is_some())
}

fn repairer(code: Code) -> Option<Repairer> {
    let mut rows = TABLES.iter().copied().flatten();
    rows.find(|(of, _)| *of == code).map(|(_, repairer)| *repairer)
}

fn repairs_of<'t>(
    finding: &Finding,
    definitions: &[CustomResourceDefinition<'_, 't>],
    proof: &mut Proof,
) -> Vec<Repair<'t>> {
    let Some(repairer) = repairer(finding.code) else { return Vec::new() };
    let Some(definition) =
        definitions.iter().find(|definition| definition.value().range().contains_range(finding.range))
    else {
        return Vec::new();
    };
    let site = Site::new(finding, definition);
    if proof.may_make_edits(site.width()) { repairer(&site) } else { Vec::new() }
}

/// The fixes for the touched findings of `request`.
pub(super) fn fixes(request: &FixRequest<'_, '_>, proof: &mut Proof) -> Vec<Fix> {
    let definitions = definitions(request.document, request.reader);
    let mut offers: Vec<Candidate> = Vec::new();
    let mut by_edits: BTreeMap<Vec<TextEdit>, usize> = BTreeMap::new();
    for finding in request.touched() {
        for (rank, repair) in repairs_of(finding, &definitions, proof).into_iter().enumerate() {
            let Some(edits) = edits(request.editor, &repair.changes) else { continue };
            let repaired = (finding.code, finding.range);
            if let Some(same) = by_edits.get(&edits).and_then(|index| offers.get_mut(*index)) {
                if !same.fix.repairs.contains(&repaired) {
                    same.fix.repairs.push(repaired);
                }
                continue;
            }
            by_edits.insert(edits.clone(), offers.len());
            let Repair { title, applicability, is_fallback, kept_verdicts, .. } = repair;
            let fix = Fix::new(title, edits, applicability, vec![repaired]);
            offers.push(Candidate { rank, fix, is_fallback, kept_verdicts });
        }
    }
    proven(offers, proof)
}

/// A fix that is not proven yet.
pub(crate) struct Candidate {
    /// The number of other repairs of the same finding before it.
    pub(crate) rank: usize,
    pub(crate) fix: Fix,
    /// Whether it is useful only if none of those holds.
    pub(crate) is_fallback: bool,
    /// The verdicts of rules that it must keep.
    pub(crate) kept_verdicts: Option<KeptVerdicts>,
}

/// The codes of the findings that `fixes` repair, each once.
fn codes<'f>(fixes: impl IntoIterator<Item = &'f Fix>) -> Vec<Code> {
    let codes = fixes.into_iter().flat_map(|fix| &fix.repairs).map(|(code, _)| *code);
    codes.collect::<BTreeSet<_>>().into_iter().collect()
}

/// The `offers` that hold. If there are many, the first repairs of all findings are proven together, then the
/// second repairs, and so on. If they do not hold together, they are proven one by one.
pub(super) fn proven(offers: Vec<Candidate>, proof: &mut Proof) -> Vec<Fix> {
    let most = offers.iter().map(|offer| offer.rank).max().unwrap_or(0);
    let mut together: BTreeSet<usize> = BTreeSet::new();
    if offers.len() > FEW {
        for rank in 0..=most {
            let of_rank: Vec<&Fix> = offers
                .iter()
                .filter(|offer| offer.rank == rank && !offer.is_fallback)
                .map(|offer| &offer.fix)
                .collect();
            let edits = text::joined(of_rank.iter().map(|fix| fix.edits.as_slice()));
            if text::are_disjoint(&edits) && proof.reduces_each(&codes(of_rank), &edits) {
                together.insert(rank);
            }
        }
    }
    let mut proofs = 0;
    let mut fixes: Vec<Fix> = Vec::new();
    for Candidate { rank, mut fix, is_fallback, kept_verdicts } in offers {
        if is_fallback {
            fix.repairs.retain(|finding| !fixes.iter().any(|other| other.repairs.contains(finding)));
            if fix.repairs.is_empty() {
                continue;
            }
        }
        if is_fallback || !together.contains(&rank) {
            proofs += 1;
            if proofs > MOST_PROOFS {
                continue;
            }
            // A repair of one finding may not repair another that it was offered for.
            let reduced_codes = proof.reduced_codes(&codes([&fix]), &fix.edits);
            fix.repairs.retain(|(code, _)| reduced_codes.contains(code));
        }
        if !fix.repairs.is_empty() && kept_verdicts.is_none_or(|kept| proof.keeps_verdicts(kept, &fix.edits))
        {
            fixes.push(fix);
        }
    }
    let is_safe = |fix: &Fix| fix.applicability == Applicability::Safe;
    let together = text::joined(fixes.iter().filter(|fix| is_safe(fix)).map(|fix| fix.edits.as_slice()));
    if together.is_empty() || (text::are_disjoint(&together) && !proof.breaks_rules(&together)) {
        return fixes;
    }
    for fix in fixes.iter_mut().filter(|fix| is_safe(fix)).take(MOST_PROOFS) {
        if proof.breaks_rules(&fix.edits) {
            fix.applicability = Applicability::Suggested;
        }
    }
    fixes
}

/// Whether the edits of all `planned` can be made at once, and repair their findings.
fn hold_together(planned: &[PlannedRepair], proof: &mut Proof) -> bool {
    let edits = text::joined(planned.iter().map(|(_, edits)| edits.as_slice()));
    let codes: BTreeSet<Code> = planned.iter().map(|(code, _)| *code).collect();
    text::are_disjoint(&edits)
        && proof.reduces_each(&codes.into_iter().collect::<Vec<_>>(), &edits)
        && !proof.breaks_rules(&edits)
}

/// The code of a finding, and the edits that should repair it.
type PlannedRepair = (Code, Vec<TextEdit>);

/// One round of the safe repairs: sorted edits without overlap.
pub(super) fn fix_all(request: &FixRequest<'_, '_>, proof: &mut Proof) -> Vec<TextEdit> {
    let FixRequest { document, reader, findings, editor, .. } = *request;
    let definitions = definitions(document, reader);
    let mut pending: Vec<PlannedRepair> = Vec::new();
    for finding in findings {
        let repairs = repairs_of(finding, &definitions, proof);
        let safe = repairs.into_iter().find(|repair| repair.applicability == Applicability::Safe);
        let edits = safe.and_then(|repair| edits(editor, &repair.changes));
        pending.extend(edits.map(|edits| (finding.code, edits)));
    }
    // A repair that does not hold must not prevent attempts with other repairs at its place.
    for _ in 0..MOST_ATTEMPTS {
        let (planned, left) = split_by_overlap(pending);
        let held =
            batch::largest_selection(&planned, MOST_CHECKS, &mut |planned| hold_together(planned, proof));
        if !held.is_empty() || left.is_empty() {
            return text::joined(held.iter().map(|(_, edits)| edits.as_slice()));
        }
        pending = left;
    }
    Vec::new()
}

/// The repairs of `pending` whose edits do not touch those of earlier ones, and the others.
fn split_by_overlap(pending: Vec<PlannedRepair>) -> (Vec<PlannedRepair>, Vec<PlannedRepair>) {
    let mut taken: BTreeMap<TextSize, TextSize> = BTreeMap::new();
    pending.into_iter().partition(|(_, edits)| {
        let is_free = |edit: &TextEdit| {
            taken.range(..=edit.range.end).next_back().is_none_or(|(_, end)| *end < edit.range.start)
        };
        let are_free = edits.iter().all(is_free);
        if are_free {
            taken.extend(edits.iter().map(|edit| (edit.range.start, edit.range.end)));
        }
        are_free
    })
}

/// The edits of `changes`; `None` if the editor cannot make them, or if they change nothing.
fn edits<'t>(editor: &Editor<'t>, changes: &[Change<'t>]) -> Option<Vec<TextEdit>> {
    plan::edits(editor, changes).filter(|edits| !edits.is_empty())
}
