//! One fix at all places of a document with the same problem.

use std::sync::Arc;

use api::Code;
use crd::FieldPath;
use text::{TextEdit, TextRange};
use yaml::Document;

use super::proof::{Budget, Effect, Proof};
use super::{batch, fixes_with, guard};
use crate::analysis::caches::SharedCaches;
use crate::analysis::inputs::DocumentInputs;
use crate::{Applicability, Finding, Fix};

/// The maximum number of places at which one fix is made together.
const MOST_PLACES: usize = 100;
/// The maximum number of fixes of one place for which similar places are searched.
const MOST_KINDS: usize = 6;
/// The findings that are always repaired separately: each of their fixes is the result of a search.
const SINGLE: [Code; 3] = [Code::CelRuleCost, Code::CelCrdCostContributor, Code::CelCrdCostTotal];
/// The maximum number of checks of the document that determine which of them hold together.
const MOST_CHECKS: usize = 24;

/// The source of the fixes of one text, and of proofs for several of them together.
pub trait FixSource {
    /// The fixes of findings with `code`, which need not be proven, and whether more exist.
    fn fixes_of(&mut self, code: Code) -> (Vec<Fix>, bool);

    /// Whether `some` fixes hold together, with their non-overlapping `edits`. `fix` is one of them, and is
    /// proven alone.
    fn hold(&mut self, fix: &Fix, some: &[&Fix], edits: &[TextEdit]) -> bool;
}

/// Each of `fixes` together with the others that make the same repair; empty if there are no others.
pub fn similar(fixes: &[Fix], of: &mut dyn FixSource) -> Vec<Fix> {
    let mut found: Vec<Fix> = Vec::new();
    for fix in fixes {
        if found.len() == MOST_KINDS {
            break;
        }
        let is_known = found.iter().any(|other| fix.edits.iter().all(|edit| other.edits.contains(edit)));
        if !is_known {
            found.extend(everywhere(fix, of));
        }
    }
    found
}

fn everywhere(fix: &Fix, of: &mut dyn FixSource) -> Option<Fix> {
    let (code, _) = fix.repairs.first()?;
    if SINGLE.contains(code) {
        return None;
    }
    let (mut all, is_cut) = of.fixes_of(*code);
    let is_of_code = |other: &Fix| other.repairs.first().is_some_and(|(of, _)| of == code);
    all.retain(|other| other.makes_same_repair(fix) && is_of_code(other));
    all.sort_by(|one, other| one.edits.cmp(&other.edits));
    let known = all.len();
    if known < 2 {
        return None;
    }
    let all: Vec<&Fix> = all.iter().collect();
    let held = batch::largest_selection(&all, MOST_CHECKS, &mut |some| {
        let edits = join_edits(some);
        text::are_disjoint(&edits) && of.hold(fix, some, &edits)
    });
    if held.len() < 2 || !held.iter().any(|other| other.edits == fix.edits) {
        return None;
    }
    let title = title(fix, &held, if is_cut { None } else { Some(known) });
    let mut repairs: Vec<(Code, TextRange)> =
        held.iter().flat_map(|other| other.repairs.iter().copied()).collect();
    repairs.sort_by_key(|(code, range)| (*range, *code));
    repairs.dedup();
    Some(Fix { title, edits: join_edits(&held), repairs, ..fix.clone() })
}

/// The fixes of a YAML document.
pub(crate) struct InDocument<'a> {
    document: Document<'a>,
    inputs: DocumentInputs<'a>,
    findings: &'a [Finding],
    proof: Proof,
}

impl<'a> InDocument<'a> {
    /// `findings` are all findings of the document.
    pub(crate) fn new(
        document: Document<'a>,
        inputs: DocumentInputs<'a>,
        findings: &'a [Finding],
        budget: &Budget,
        caches: &SharedCaches,
    ) -> Self {
        Self { document, inputs, findings, proof: Proof::new(document, inputs, budget, caches) }
    }
}

impl FixSource for InDocument<'_> {
    fn fixes_of(&mut self, code: Code) -> (Vec<Fix>, bool) {
        let same = || self.findings.iter().filter(|finding| finding.code == code);
        if same().nth(1).is_none() {
            return (Vec::new(), false);
        }
        let is_cut = same().nth(MOST_PLACES).is_some();
        let same: Vec<Finding> = same().take(MOST_PLACES).cloned().collect();
        let (budget, caches) = (Budget::of(0), Arc::default());
        let mut trusting = Proof::new(self.document, self.inputs, &budget, &caches).trusting();
        (fixes_with(self.document, self.inputs, &same, self.document.range(), &mut trusting), is_cut)
    }

    fn hold(&mut self, fix: &Fix, some: &[&Fix], edits: &[TextEdit]) -> bool {
        let Some((code, _)) = fix.repairs.first() else { return false };
        let is_safe = fix.applicability == Applicability::Safe;
        self.proof.reduces(*code, edits)
            && !(is_safe && self.proof.breaks_rules(edits))
            && (!guard::CODES.contains(code) || keep_verdicts(some, fix, self.findings, &mut self.proof))
    }
}

/// The title for the fixes `held`, which include `fix`. `known` is the number of all fixes that make
/// the same repair, if they were counted.
fn title(fix: &Fix, held: &[&Fix], known: Option<usize>) -> String {
    let is_same = held.iter().all(|other| other.title == fix.title);
    let count = if is_same { held.len() } else { held.len() - 1 };
    let of = known.map(|known| if is_same { known } else { known - 1 });
    let number = match of {
        Some(known) if count < known => format!("{count} of {known}"),
        _ => count.to_string(),
    };
    match (is_same, of == Some(count), count) {
        (true, true, 2) => format!("{} in both places", fix.title),
        (true, true, _) => format!("{} in all {number} places", fix.title),
        (true, false, _) => format!("{} in {number} places", fix.title),
        (false, true, 1) => format!("{}, and repair one similar mistake", fix.title),
        (false, _, _) => format!("{}, and repair {number} similar mistakes", fix.title),
    }
}

/// Whether those of `fixes` that change the same rule keep its verdicts together, as `fix` does alone: each
/// was proven separately.
fn keep_verdicts(fixes: &[&Fix], fix: &Fix, findings: &[Finding], proof: &mut Proof) -> bool {
    let path = |fix: &Fix| {
        let (code, range) = fix.repairs.first()?;
        let finding = findings.iter().find(|finding| finding.code == *code && finding.range == *range)?;
        Some(&finding.field_path)
    };
    let paths: Vec<Option<&FieldPath>> = fixes.iter().map(|fix| path(fix)).collect();
    let is_shared = |one: &Option<&FieldPath>| paths.iter().filter(|other| *other == one).count() > 1;
    let shared: Vec<&Fix> =
        fixes.iter().zip(&paths).filter(|(_, path)| is_shared(path)).map(|(fix, _)| *fix).collect();
    if shared.is_empty() {
        return true;
    }
    match proof.effect(&fix.edits) {
        Effect::NoRule => true,
        Effect::Keeps(kept) => proof.keeps_verdicts(kept, &join_edits(&shared)),
        Effect::Unproven => false,
    }
}

fn join_edits(fixes: &[&Fix]) -> Vec<TextEdit> {
    text::joined(fixes.iter().map(|fix| fix.edits.as_slice()))
}
