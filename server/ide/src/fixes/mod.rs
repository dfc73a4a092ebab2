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

use std::collections::HashSet;

use text::{TextEdit, TextRange, TextSize};
use yaml::edit::Editor;
use yaml::{Document, Reader, Tree};

use crate::document::Caches;
use crate::{Applicability, Finding, Fix};
use plan::Plan;

/// Above this many plans that cannot be made together the rest is left for the next round.
const ONE_BY_ONE: usize = 64;
/// How many fixes are proven one by one for one question; each takes a check of the document.
const MOST_PROOFS: usize = 200;

/// The fixes for those of `findings`, all of `document`, that touch `range`.
pub(crate) fn fixes(document: Document<'_>, findings: &[Finding], range: TextRange) -> Vec<Fix> {
    if !findings.iter().any(|finding| finding.range.overlaps(range)) {
        return Vec::new();
    }
    let reader = Reader::new(document);
    let mut plans = Vec::new();
    for plan in survey::survey(document, &reader) {
        let repaired: Vec<&Finding> = findings.iter().filter(|finding| plan.repairs(finding)).collect();
        if repaired.iter().any(|finding| finding.range.overlaps(range)) {
            plans.push((plan, repaired));
        }
    }
    let mut proof = Proof::new(document);
    let safe = plans.iter().map(|(plan, _)| plan).filter(|plan| plan.applicability == Applicability::Safe);
    let safe_is_proven = proof.holds_together(document, safe);
    let mut fixes: Vec<Fix> = Vec::new();
    let mut proofs = 0;
    for (plan, repaired) in plans {
        let mut editor = Editor::new(document);
        plan.apply(&mut editor);
        let Ok(edits) = editor.finish() else { continue };
        // A node with an anchor is met at each of its aliases.
        if edits.is_empty() || fixes.last().is_some_and(|fix| fix.edits == edits) {
            continue;
        }
        if !(safe_is_proven && plan.applicability == Applicability::Safe) {
            proofs += 1;
            if proofs > MOST_PROOFS || !proof.repairs(&plan, &edits) {
                continue;
            }
        }
        fixes.push(Fix {
            title: plan.title.clone(),
            edits,
            applicability: plan.applicability,
            repairs: repaired.iter().map(|finding| (finding.code, finding.range)).collect(),
        });
    }
    let mut seen = std::collections::BTreeSet::new();
    fixes.retain(|fix| seen.insert(fix.edits.clone()));
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
    let mut proof = Proof::new(document);
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
    tree: Tree,
    text: String,
    start: TextSize,
    known: HashSet<Known>,
    /// What was learned of the parts that no edit touched.
    caches: Caches,
}

/// The code and the field path of a finding.
type Known = (&'static str, String);

impl Proof {
    fn new(document: Document<'_>) -> Self {
        let mut text = String::new();
        document.syntax().write_text(&mut text);
        let tree = Tree::parse(&text);
        let mut caches = Caches::default();
        let known = known(&tree, &mut caches).collect();
        Self { tree, text, start: document.range().start, known, caches }
    }

    /// The findings after `edits`.
    fn after(&mut self, edits: &[TextEdit]) -> Vec<Known> {
        let mut text = self.text.clone();
        let mut tree = self.tree.clone();
        for edit in edits.iter().rev() {
            let range = TextRange::new(edit.range.start - self.start, edit.range.end - self.start);
            text.replace_range(range.as_usize(), &edit.new_text);
            let edit = TextEdit::replace(range, edit.new_text.clone());
            tree = tree.edited(&edit, &|range| text.get(range.as_usize()).unwrap_or_default().to_owned());
        }
        known(&tree, &mut self.caches).collect()
    }

    fn brings_nothing_new(&mut self, edits: &[TextEdit]) -> bool {
        self.after(edits).iter().all(|finding| self.known.contains(finding))
    }

    /// Whether `edits` rid the text of all that `plan` is to repair, and bring nothing new.
    fn repairs(&mut self, plan: &Plan<'_>, edits: &[TextEdit]) -> bool {
        let after = self.after(edits);
        after.iter().all(|finding| self.known.contains(finding) && !plan.paths.contains(&finding.1))
    }

    /// Whether all `plans` at once repair what they are to repair, and bring nothing new.
    fn holds_together<'p, 't: 'p>(
        &mut self,
        document: Document<'t>,
        plans: impl Iterator<Item = &'p Plan<'t>>,
    ) -> bool {
        let mut editor = Editor::new(document);
        let mut paths: HashSet<&str> = HashSet::new();
        for plan in plans {
            plan.apply(&mut editor);
            paths.extend(plan.paths.iter().map(String::as_str));
        }
        let Ok(edits) = editor.finish() else { return false };
        let after = self.after(&edits);
        after.iter().all(|finding| self.known.contains(finding) && !paths.contains(finding.1.as_str()))
    }
}

/// The codes and field paths of all findings in `tree`.
fn known<'f>(tree: &'f Tree, caches: &'f mut Caches) -> impl Iterator<Item = Known> + 'f {
    let findings = tree.documents().flat_map(|document| crate::document::findings(document, caches));
    findings.map(|finding| (finding.code, finding.field_path))
}
