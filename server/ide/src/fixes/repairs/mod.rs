//! Repairs of single findings: by code, what to do at the place of the finding.
//!
//! What is wrong with a schema node because of its junctors is repaired by node, in `node`; all else is here. A repair
//! is offered only if the edited text has fewer findings of the code and none that it had not.

mod columns;
mod conditions;
mod conversion;
mod defaults;
mod keywords;
mod lists;
mod metadata;
mod names;
mod refs;
mod rules;
mod site;
mod types;
mod unknown;
mod versions;

use crd::object::{CustomResourceDefinition, definitions};
use text::{TextEdit, TextRange};
use yaml::edit::Editor;
use yaml::{Document, Reader};

use super::plan::{self, Change};
use super::proof::Proof;
use crate::{Applicability, Finding, Fix};
use site::Site;

/// How many repairs are proven for one question; each takes a check of the document.
const MOST_PROOFS: usize = 200;
/// How many repairs are proven one by one where they do not hold together.
const ONE_BY_ONE: usize = 64;

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
    keywords::REPAIRS,
    lists::REPAIRS,
    metadata::REPAIRS,
    names::REPAIRS,
    refs::REPAIRS,
    rules::REPAIRS,
    types::REPAIRS,
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
    let mut fixes: Vec<Fix> = Vec::new();
    let mut proofs = 0;
    for finding in findings.iter().filter(|finding| finding.range.overlaps(range)) {
        for repair in repairs_of(finding, &definitions) {
            let Some(edits) = edits(editor, &repair.changes) else { continue };
            let repaired = (finding.code, finding.range);
            if let Some(same) = fixes.iter_mut().find(|fix| fix.edits == edits) {
                same.repairs.push(repaired);
                continue;
            }
            proofs += 1;
            if proofs <= MOST_PROOFS && proof.lessens(finding.code, &edits) {
                let Repair { title, applicability, .. } = repair;
                fixes.push(Fix { title, edits, applicability, repairs: vec![repaired] });
            }
        }
    }
    fixes
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
    for finding in findings {
        let repairs = repairs_of(finding, &definitions);
        let safe = repairs.into_iter().find(|repair| repair.applicability == Applicability::Safe);
        let Some(edits) = safe.and_then(|repair| edits(editor, &repair.changes)) else { continue };
        if planned.iter().all(|(_, others)| are_apart(&edits, others)) {
            planned.push((finding.code, edits));
        }
    }
    if planned.is_empty() {
        return Vec::new();
    }
    let together = joined(&planned);
    if planned.iter().all(|(code, _)| proof.lessens(code, &together)) {
        return together;
    }
    planned.truncate(ONE_BY_ONE);
    planned.retain(|(code, edits)| proof.lessens(code, edits));
    let together = joined(&planned);
    if planned.iter().all(|(code, _)| proof.lessens(code, &together)) {
        return together;
    }
    planned.into_iter().next().map(|(_, edits)| edits).unwrap_or_default()
}

fn are_apart(edits: &[TextEdit], others: &[TextEdit]) -> bool {
    edits.iter().all(|edit| {
        others.iter().all(|other| edit.range.end < other.range.start || other.range.end < edit.range.start)
    })
}

fn joined(planned: &[(&'static str, Vec<TextEdit>)]) -> Vec<TextEdit> {
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
