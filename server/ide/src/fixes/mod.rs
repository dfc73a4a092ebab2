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
mod open;
mod place;
mod plan;
mod skeleton;
mod survey;
mod texts;
mod tidy;
mod union;

use std::collections::BTreeSet;

use crd::schema::Keyword;
use text::{TextEdit, TextSize};
use yaml::edit::Editor;
use yaml::{Document, Reader, Tree};

use crate::{Applicability, Finding, Fix};
use plan::{Change, Plan};
use survey::Survey;

/// Above this many plans that cannot be made together the rest is left for the next round.
const ONE_BY_ONE: usize = 64;

/// The fixes for `findings` of `document`.
pub(crate) fn fixes(document: Document<'_>, findings: &[Finding]) -> Vec<Fix> {
    let reader = Reader::new(document);
    let survey = survey::survey(document, &reader);
    let mut fixes: Vec<Fix> = Vec::new();
    let mut proof = None;
    for plan in &survey.plans {
        let repaired: Vec<&Finding> = findings.iter().filter(|finding| plan.repairs(finding)).collect();
        if repaired.is_empty() {
            continue;
        }
        let Some((edits, emptied)) = alone(document, &survey, plan) else { continue };
        let proof = proof.get_or_insert_with(|| Proof::new(document));
        // A node with an anchor is met at each of its aliases.
        let known = fixes.iter().any(|fix| fix.edits == edits);
        if known || edits.is_empty() || !proof.repairs(plan, &edits) {
            continue;
        }
        let (title, applicability) = match emptied {
            None => (plan.title.clone(), plan.applicability),
            Some(junctor) => {
                let title =
                    format!("{}, drop `{}` whose branches are all alike", plan.title, junctor.as_str());
                (title, Applicability::Suggested)
            }
        };
        fixes.push(Fix {
            title,
            edits,
            applicability,
            repairs: repaired.iter().map(|finding| (finding.code, finding.range)).collect(),
        });
    }
    fixes
}

/// The edits of one plan, and the junctor that goes because they leave several of its branches without a word.
fn alone<'t>(
    document: Document<'t>,
    survey: &Survey<'_, 't>,
    plan: &Plan<'t>,
) -> Option<(Vec<TextEdit>, Option<Keyword>)> {
    let mut changes = plan.changes.clone();
    let mut emptied = None;
    loop {
        match tidy::tidied(&survey.hosts, &survey.opened, changes.clone()) {
            Ok(tidied) => {
                let edits = edits(document, &tidied)?;
                return Some((edits, emptied));
            }
            Err(impossible) if impossible.junctor == Keyword::OneOf && emptied.is_none() => {
                emptied = Some(impossible.junctor);
                changes.push(Change::Remove(impossible.host, impossible.entry));
            }
            Err(_) => return None,
        }
    }
}

fn edits<'t>(document: Document<'t>, changes: &[Change<'t>]) -> Option<Vec<TextEdit>> {
    let mut editor = Editor::new(document);
    plan::apply(changes, &mut editor);
    editor.finish().ok()
}

/// One round of all safe fixes for `findings` of `document`: sorted edits without overlap.
pub(crate) fn fix_all(document: Document<'_>, findings: &[Finding]) -> Vec<TextEdit> {
    let reader = Reader::new(document);
    let mut survey = survey::survey(document, &reader);
    let mut plans = std::mem::take(&mut survey.plans);
    let wanted: BTreeSet<&str> = findings
        .iter()
        .filter(|finding| finding.code.starts_with(Plan::CODES))
        .map(|finding| finding.field_path.as_str())
        .collect();
    plans.retain(|plan| {
        plan.applicability == Applicability::Safe
            && plan.paths.iter().any(|path| wanted.contains(path.as_str()))
    });
    if plans.is_empty() {
        return Vec::new();
    }
    let proof = Proof::new(document);
    if let Some(edits) = together(document, &survey, &mut plans)
        && proof.brings_nothing_new(&edits)
    {
        return edits;
    }
    let mut accepted: Vec<TextEdit> = Vec::new();
    for plan in plans.iter().take(ONE_BY_ONE) {
        let Some((edits, None)) = alone(document, &survey, plan) else { continue };
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

/// The edits of all `plans`, without those that would leave a junctor impossible to meet.
fn together<'t>(
    document: Document<'t>,
    survey: &Survey<'_, 't>,
    plans: &mut Vec<Plan<'t>>,
) -> Option<Vec<TextEdit>> {
    loop {
        let changes = plans.iter().flat_map(|plan| plan.changes.iter().cloned()).collect();
        match tidy::tidied(&survey.hosts, &survey.opened, changes) {
            Ok(changes) => return edits(document, &changes),
            Err(impossible) => {
                let count = plans.len();
                plans.retain(|plan| !plan.touches(impossible.entry.range()));
                if plans.len() == count {
                    return None;
                }
            }
        }
    }
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
