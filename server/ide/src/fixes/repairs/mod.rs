//! Repairs of single findings: by code, what to do at the place of the finding.
//!
//! What is wrong with a schema node because of its junctors is repaired by node, in `node`; all else is here. A repair
//! is offered only if the edited text has fewer findings of the code and none that it had not.

mod columns;
mod conditions;
mod conversion;
mod defaults;
mod expressions;
mod gates;
mod keywords;
mod lists;
mod metadata;
pub(super) mod misplaced;
mod names;
mod refs;
mod rules;
pub(crate) mod site;
mod types;
mod unions;
mod unknown;
mod versions;

use std::collections::{BTreeMap, BTreeSet};

pub(super) use types::require;

use crd::object::{CustomResourceDefinition, definitions};
use text::{TextEdit, TextRange, TextSize};
use yaml::edit::Editor;
use yaml::{Document, Reader};

use super::plan::{self, Change};
use super::proof::Proof;
use super::{MOST_CHECKS, batch};
use crate::{Applicability, Finding, Fix};
use site::Site;

/// How many repairs are proven for one question; each takes a check of the document.
const MOST_PROOFS: usize = 100;
/// Up to this many repairs are proven one by one in any case.
const FEW: usize = 8;

/// A way to repair a finding.
struct Repair<'t> {
    title: String,
    applicability: Applicability,
    changes: Vec<Change<'t>>,
}

impl<'t> Repair<'t> {
    fn new(safe: bool, title: impl Into<String>, changes: Vec<Change<'t>>) -> Self {
        let applicability = if safe { Applicability::Safe } else { Applicability::Suggested };
        Self { title: title.into(), applicability, changes }
    }

    fn safe(title: impl Into<String>, changes: Vec<Change<'t>>) -> Self {
        Self::new(true, title, changes)
    }

    fn suggested(title: impl Into<String>, changes: Vec<Change<'t>>) -> Self {
        Self::new(false, title, changes)
    }
}

/// Finds the ways to repair a finding, the best one first.
type Repairer = for<'s, 'r, 't> fn(&Site<'s, 'r, 't>) -> Vec<Repair<'t>>;

/// By code.
const TABLES: &[&[(&str, Repairer)]] = &[
    columns::REPAIRS,
    conversion::REPAIRS,
    defaults::REPAIRS,
    gates::REPAIRS,
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

/// Whether any of `findings` may be repaired here.
pub(super) fn are_known(findings: &[Finding]) -> bool {
    findings.iter().any(|finding| repairer(finding.code).is_some())
}

fn repairer(code: &str) -> Option<Repairer> {
    let mut rows = TABLES.iter().copied().flatten();
    rows.find(|(of, _)| *of == code).map(|(_, repairer)| *repairer)
}

fn repairs_of<'t>(finding: &Finding, definitions: &[CustomResourceDefinition<'_, 't>]) -> Vec<Repair<'t>> {
    let Some(repairer) = repairer(finding.code) else { return Vec::new() };
    let Some(definition) =
        definitions.iter().find(|definition| definition.value().range().contains_range(finding.range))
    else {
        return Vec::new();
    };
    repairer(&Site::new(finding, definition))
}

/// The fixes for those of `findings`, all of `document`, that touch `range`.
pub(super) fn fixes(
    document: Document<'_>,
    reader: &Reader<'_>,
    findings: &[Finding],
    range: TextRange,
    editor: &Editor<'_>,
    proof: &mut Proof,
) -> Vec<Fix> {
    let definitions = definitions(document, reader);
    let mut offers: Vec<Offer> = Vec::new();
    let mut by_edits: BTreeMap<Vec<TextEdit>, usize> = BTreeMap::new();
    for finding in findings.iter().filter(|finding| finding.range.overlaps(range)) {
        for (rank, repair) in repairs_of(finding, &definitions).into_iter().enumerate() {
            let Some(edits) = edits(editor, &repair.changes) else { continue };
            let repaired = (finding.code, finding.range);
            if let Some(same) = by_edits.get(&edits).and_then(|index| offers.get_mut(*index)) {
                same.1.repairs.push(repaired);
                continue;
            }
            by_edits.insert(edits.clone(), offers.len());
            let Repair { title, applicability, .. } = repair;
            let fix = Fix { title, edits, applicability, repairs: vec![repaired] };
            offers.push((rank, fix));
        }
    }
    proven(offers, proof)
}

/// Which of the ways to repair its finding a fix is, and the fix, which is not proven yet.
type Offer = (usize, Fix);

/// The code of what `fix` repairs.
fn code(fix: &Fix) -> &'static str {
    fix.repairs.first().map_or("", |(code, _)| *code)
}

/// Those of `offers` that hold. Of many, the first ways of all findings are proven together, then the second ones, and
/// so on; where they do not hold so, one by one.
pub(super) fn proven(offers: Vec<Offer>, proof: &mut Proof) -> Vec<Fix> {
    let most = offers.iter().map(|(rank, _)| *rank).max().unwrap_or(0);
    let mut together: BTreeSet<usize> = BTreeSet::new();
    if offers.len() > FEW {
        for rank in 0..=most {
            let of_rank: Vec<(&'static str, &[TextEdit])> = offers
                .iter()
                .filter(|(of, _)| *of == rank)
                .map(|(_, fix)| (code(fix), fix.edits.as_slice()))
                .collect();
            if hold_together(&of_rank, proof) {
                together.insert(rank);
            }
        }
    }
    let mut proofs = 0;
    let mut holds = |(rank, fix): &Offer| {
        if together.contains(rank) {
            return true;
        }
        proofs += 1;
        proofs <= MOST_PROOFS && proof.lessens(code(fix), &fix.edits)
    };
    let mut fixes: Vec<Fix> = offers.into_iter().filter(|offer| holds(offer)).map(|(_, fix)| fix).collect();
    let is_safe = |fix: &Fix| fix.applicability == Applicability::Safe;
    let safe: Vec<(&'static str, &[TextEdit])> =
        fixes.iter().filter(|fix| is_safe(fix)).map(|fix| (code(fix), fix.edits.as_slice())).collect();
    let together = joined(&safe);
    if together.is_empty() || (are_apart(&together) && !proof.spoils_rules(&together)) {
        return fixes;
    }
    for fix in fixes.iter_mut().filter(|fix| is_safe(fix)).take(MOST_PROOFS) {
        if proof.spoils_rules(&fix.edits) {
            fix.applicability = Applicability::Suggested;
        }
    }
    fixes
}

/// Whether the edits of all `planned` can be made at once, and do what they are to do.
fn hold_together(planned: &[(&'static str, &[TextEdit])], proof: &mut Proof) -> bool {
    let edits = joined(planned);
    let codes: BTreeSet<&str> = planned.iter().map(|(code, _)| *code).collect();
    are_apart(&edits) && proof.lessens_each(&codes.into_iter().collect::<Vec<_>>(), &edits)
}

/// One round of the safe repairs: sorted edits without overlap.
pub(super) fn fix_all(
    document: Document<'_>,
    reader: &Reader<'_>,
    findings: &[Finding],
    editor: &Editor<'_>,
    proof: &mut Proof,
) -> Vec<TextEdit> {
    let definitions = definitions(document, reader);
    let mut planned: Vec<(&'static str, Vec<TextEdit>)> = Vec::new();
    let mut taken: BTreeMap<TextSize, TextSize> = BTreeMap::new();
    for finding in findings {
        let repairs = repairs_of(finding, &definitions);
        let safe = repairs.into_iter().find(|repair| repair.applicability == Applicability::Safe);
        let Some(edits) = safe.and_then(|repair| edits(editor, &repair.changes)) else { continue };
        let is_free = |edit: &TextEdit| {
            taken.range(..=edit.range.end).next_back().is_none_or(|(_, end)| *end < edit.range.start)
        };
        if edits.iter().all(is_free) {
            taken.extend(edits.iter().map(|edit| (edit.range.start, edit.range.end)));
            planned.push((finding.code, edits));
        }
    }
    if planned.is_empty() {
        return Vec::new();
    }
    let all = |planned: &[(&'static str, Vec<TextEdit>)]| -> Vec<TextEdit> {
        joined(&planned.iter().map(|(code, edits)| (*code, edits.as_slice())).collect::<Vec<_>>())
    };
    let holds = |planned: &[(&'static str, Vec<TextEdit>)], proof: &mut Proof| {
        let planned: Vec<_> = planned.iter().map(|(code, edits)| (*code, edits.as_slice())).collect();
        hold_together(&planned, proof) && !proof.spoils_rules(&joined(&planned))
    };
    let planned = batch::most(&planned, MOST_CHECKS, &mut |planned| holds(planned, proof));
    all(&planned)
}

/// Whether no two of `edits`, which are sorted, are about the same text.
fn are_apart(edits: &[TextEdit]) -> bool {
    edits.is_sorted_by(|one, other| one.range.end <= other.range.start && one.range != other.range)
}

fn joined(planned: &[(&'static str, &[TextEdit])]) -> Vec<TextEdit> {
    let mut edits: Vec<TextEdit> = planned.iter().flat_map(|(_, edits)| edits.iter().cloned()).collect();
    edits.sort();
    edits
}

/// The edits of `changes`; none where the editor cannot make them, or nothing changes.
fn edits<'t>(editor: &Editor<'t>, changes: &[Change<'t>]) -> Option<Vec<TextEdit>> {
    let mut editor = editor.fresh();
    plan::apply(changes, &mut editor).ok()?;
    editor.finish().ok().filter(|edits| !edits.is_empty())
}
