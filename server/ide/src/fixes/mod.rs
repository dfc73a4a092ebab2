//! Edits that repair findings.
//!
//! A [`survey`](survey::survey) of a document's schemas plans the repair of each schema node: what moves from the
//! branches of junctors to the node outside of them, what is added, what is dropped. A plan becomes a fix only if the
//! edit builder can make it without touching anything else, and, where it is offered one by one, if a check of the
//! edited text shows that the findings are gone and no other came.

mod draft;
mod infer;
mod keywords;
mod node;
mod occurrence;
mod place;
mod plan;
mod skeleton;
mod survey;
mod tidy;
mod union;

use text::{TextEdit, TextSize};
use yaml::edit::Editor;
use yaml::{Document, Reader, Tree};

use crate::{Applicability, Finding, Fix};
use plan::Plan;

/// Above this many plans that cannot be made together the rest is left for the next round.
const ONE_BY_ONE: usize = 64;

/// The fixes for `findings` of `document`.
pub(crate) fn fixes(document: Document<'_>, findings: &[Finding]) -> Vec<Fix> {
    let reader = Reader::new(document);
    let mut fixes: Vec<Fix> = Vec::new();
    let mut proof = None;
    for plan in survey::survey(document, &reader) {
        let repaired: Vec<&Finding> = findings.iter().filter(|finding| plan.repairs(finding)).collect();
        if repaired.is_empty() {
            continue;
        }
        let mut editor = Editor::new(document);
        plan.apply(&mut editor);
        let Ok(edits) = editor.finish() else { continue };
        let proof = proof.get_or_insert_with(|| Proof::new(document));
        // A node with an anchor is met at each of its aliases.
        let known = fixes.iter().any(|fix| fix.edits == edits);
        if known || edits.is_empty() || !proof.repairs(&plan, &edits) {
            continue;
        }
        fixes.push(Fix {
            title: plan.title.clone(),
            edits,
            applicability: plan.applicability,
            repairs: repaired.iter().map(|finding| (finding.code, finding.range)).collect(),
        });
    }
    fixes
}

/// One round of all safe fixes for `findings` of `document`: sorted edits without overlap.
pub(crate) fn fix_all(document: Document<'_>, findings: &[Finding]) -> Vec<TextEdit> {
    let reader = Reader::new(document);
    let mut plans = survey::survey(document, &reader);
    plans.retain(|plan| {
        plan.applicability == Applicability::Safe && findings.iter().any(|finding| plan.repairs(finding))
    });
    if plans.is_empty() {
        return Vec::new();
    }
    let proof = Proof::new(document);
    let mut together = Editor::new(document);
    plans.iter().for_each(|plan| plan.apply(&mut together));
    if let Ok(edits) = together.finish()
        && proof.brings_nothing_new(&edits)
    {
        return edits;
    }
    let mut accepted: Vec<TextEdit> = Vec::new();
    for plan in plans.iter().take(ONE_BY_ONE) {
        let mut editor = Editor::new(document);
        plan.apply(&mut editor);
        let Ok(edits) = editor.finish() else { continue };
        let apart = |edit: &TextEdit| {
            accepted
                .iter()
                .all(|other| edit.range.end < other.range.start || other.range.end < edit.range.start)
        };
        if edits.iter().all(apart) && proof.repairs(plan, &edits) {
            accepted.extend(edits);
        }
    }
    accepted.sort();
    accepted
}

/// A document before any edit, against which its text after edits is held.
struct Proof {
    text: String,
    start: TextSize,
    known: Vec<(&'static str, String)>,
}

impl Proof {
    fn new(document: Document<'_>) -> Self {
        let mut text = String::new();
        document.syntax().write_text(&mut text);
        let known = known(&text);
        Self { text, start: document.range().start, known }
    }

    /// The codes and field paths of the findings after `edits`.
    fn after(&self, edits: &[TextEdit]) -> Vec<(&'static str, String)> {
        let mut text = self.text.clone();
        for edit in edits.iter().rev() {
            let range = edit.range.start - self.start..edit.range.end - self.start;
            text.replace_range(range.start as usize..range.end as usize, &edit.new_text);
        }
        known(&text)
    }

    fn brings_nothing_new(&self, edits: &[TextEdit]) -> bool {
        self.after(edits).iter().all(|finding| self.known.contains(finding))
    }

    /// Whether `edits` rid the text of all that `plan` is to repair, and bring nothing new.
    fn repairs(&self, plan: &Plan<'_>, edits: &[TextEdit]) -> bool {
        let after = self.after(edits);
        after.iter().all(|finding| self.known.contains(finding) && !plan.paths.contains(&finding.1))
    }
}

/// The codes and field paths of all findings in `text`.
fn known(text: &str) -> Vec<(&'static str, String)> {
    let tree = Tree::parse(text);
    let mut caches = crate::document::Caches::default();
    let findings = tree.documents().flat_map(|document| crate::document::findings(document, &mut caches));
    findings.map(|finding| (finding.code, finding.field_path)).collect()
}
