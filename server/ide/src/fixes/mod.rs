//! Edits that repair findings.
//!
//! Each kind of fixes has a module with a function that answers a [`FixRequest`]; [`fixes_with`] calls these functions
//! in the order in which the fixes are offered.
//!
//! A [`survey`](survey::survey) of a document's schemas plans the repair of each schema node: the parts that
//! move from the branches of junctors to the node outside of them, and the parts that are added or removed. A
//! plan becomes a fix only if the edit builder can make it without other changes. A fix that is offered
//! separately also needs a check of the edited text that shows that the findings are gone and there are no
//! new ones.

mod additional;

mod batch;
mod columns;
pub(crate) mod consequences;
mod corrected_text;
mod cost;
mod divided_definition;
mod draft;
pub(crate) mod duplicate;
mod expression;
mod extra;
mod flow_pairs;
mod guard;
mod items;
mod keyed_items;
mod keyless;
mod keywords;
mod line_rewrites;
mod listed_property;
mod lookalike;
mod mark;
pub(crate) mod migration;
mod mistyped;
mod mixed_types;
mod moved_lines;
mod nesting;
mod node;
mod occurrence;
mod open;
mod plan;
pub(crate) mod proof;
mod quoting;
mod reindent;
mod renamed_properties;
pub(crate) mod repairs;
mod request;
mod reread;
mod resources;
pub(crate) mod rewrite;
mod signs;
mod similar;
mod single_item;
mod skeleton;
mod stray;
mod survey;
mod swaps;
#[cfg(test)]
mod tests;
mod texts;
mod tidy;
mod unclosed;
mod union;
mod unnamed_schema;

use std::collections::{BTreeMap, HashMap, HashSet};

use api::Code;
use crd::schema::Keyword;
use text::{TextEdit, TextRange};
use yaml::edit::Editor;
use yaml::{Document, Reader};

use crate::analysis::caches::SharedCaches;
use crate::analysis::inputs::DocumentInputs;
use crate::{Applicability, Finding, Fix, FixKind};
pub(crate) use corrected_text::CorrectedDocument;
use plan::{Change, Plan};
pub use proof::Budget;
use proof::Proof;
use repairs::misplaced;
use request::FixRequest;
pub(crate) use similar::InDocument;
pub use similar::{FixSource, similar};
use survey::SchemaSurvey;

/// The maximum number of checks of the document in one round of fix-all, which finds the fixes that can be
/// made together.
const MOST_CHECKS: usize = 256;
/// The maximum number of fixes that are proven separately for one request; each takes a check of the
/// document.
const MOST_PROOFS: usize = 200;

/// The fixes for those of `findings`, all of `document`, that touch `range`, as far as `budget` permits
/// proofs.
pub(crate) fn fixes(
    document: Document<'_>,
    inputs: DocumentInputs<'_>,
    findings: &[Finding],
    range: TextRange,
    budget: &Budget,
    caches: &SharedCaches,
) -> Vec<Fix> {
    let hidden = || consequences::hidden_fixes(document, inputs, findings, range, budget, caches);
    if !findings.iter().any(|finding| finding.range.overlaps(range)) {
        return hidden();
    }
    if let Some(corrected) = CorrectedDocument::of(document, inputs.surroundings, findings, caches) {
        return corrected.fixes(document, inputs, findings, range, budget, caches);
    }
    let mut proof = Proof::new(document, inputs, budget, caches);
    let mut fixes = fixes_with(document, inputs, findings, range, &mut proof);
    fixes.extend(hidden());
    fixes
}

/// The fixes that `proof` accepts.
fn fixes_with(
    document: Document<'_>,
    inputs: DocumentInputs<'_>,
    findings: &[Finding],
    range: TextRange,
    proof: &mut Proof,
) -> Vec<Fix> {
    let (reader, editor) = (&Reader::new(document), &Editor::new(document));
    let request = &FixRequest { document, reader, editor, inputs, findings, range };
    let mut fixes: Vec<Fix> = migration::renamed(request, proof).into_iter().collect();
    fixes.extend(migration::fixes(request));
    fixes.extend(divided_definition::fix(request));
    fixes.extend(unclosed::fixes(request, proof));
    let of_signs = signs::fixes(request);
    if !of_signs.is_empty() {
        return of_signs;
    }
    fixes.extend(signs::of_json_files(request));
    fixes.extend(lookalike::fixes(request, proof));
    fixes.extend(fixes_of_lines(request, proof));
    fixes.extend(unnamed_schema::fixes(request, proof));
    fixes.extend(flow_pairs::fixes(request, proof));
    fixes.extend(single_item::fixes(request, proof));
    fixes.extend(keyed_items::fixes(request, proof));
    fixes.extend(listed_property::fixes(request, proof));
    let of_texts = quoting::fixes(request, proof);
    let is_known =
        |one: &Fix| fixes.iter().any(|other| other.title == one.title && other.repairs == one.repairs);
    let of_texts: Vec<Fix> = of_texts.into_iter().filter(|fix| !is_known(fix)).collect();
    fixes.extend(of_texts);
    let nesting = nesting::Context::of(request);
    fixes.extend(nesting.indenting_fixes(request, proof));
    fixes.extend(fixes_of_nodes(request, proof));
    fixes.extend(misplaced::fixes(request, proof));
    let outer = nesting.outdenting_fixes(request, &fixes, proof);
    fixes.extend(outer);
    fixes.extend(mark::fixes(request, proof));
    fixes.extend(reindent::fixes(request, proof));
    fixes.extend(duplicate::fixes(request, proof));
    fixes.extend(reread::fixes(request, proof));
    // Proven before fixes whose proofs take many more steps, so that enough steps remain for errors.
    let of_expressions = expression::fixes(request, proof);
    // Before fixes that remove an expression.
    fixes.extend(renamed_properties::fixes(request, proof));
    fixes.extend(cost::fixes(request, proof));
    fixes.extend(repairs::fixes(request, proof));
    fixes.extend(of_expressions);
    fixes.extend(expression::guards(request, proof));
    let offers = resources::fixes(request);
    fixes.extend(repairs::proven(offers, proof));
    let swapped = swaps::fixes(request, &fixes, proof);
    fixes.extend(swapped);
    let mut moves = moved_lines::fixes(request, &fixes, proof);
    moves.append(&mut fixes);
    let mut all = stray::fixes(request, &moves, proof);
    all.append(&mut moves);
    let mut all = without_repeated(all);
    removals_last(&mut all);
    all
}

/// The fixes for keys without a colon and for lines in a wrong column.
fn fixes_of_lines(request: &FixRequest<'_, '_>, proof: &mut Proof) -> Vec<Fix> {
    // Proven before fixes that move all lines of a block, whose proof reads the whole text again.
    let missing = keyless::fixes(request, proof);
    let whole: Vec<(Code, TextRange)> = missing
        .iter()
        .filter(|fix| proof.causes_no_findings(&fix.edits) && proof.remaining(&fix.edits) == Some(0))
        .flat_map(|fix| fix.repairs.iter().copied())
        .collect();
    let is_open = |finding: &Finding| !whole.contains(&(finding.code, finding.range));
    let mut of_lines = columns::fixes(request, &is_open, proof);
    if !missing.is_empty() && !of_lines.is_empty() {
        of_lines.extend(missing);
        // A fix that is not proven to leave few findings comes last.
        of_lines.sort_by_cached_key(|fix| proof.remaining(&fix.edits).unwrap_or(usize::MAX));
    } else {
        of_lines.extend(missing);
    }
    of_lines
}

/// `fixes` without those with the edits of an earlier one, which then repairs the findings of both.
fn without_repeated(fixes: Vec<Fix>) -> Vec<Fix> {
    let mut seen: BTreeMap<Vec<TextEdit>, usize> = BTreeMap::new();
    let mut kept: Vec<Fix> = Vec::new();
    for fix in fixes {
        match seen.get(&fix.edits).and_then(|first| kept.get_mut(*first)) {
            Some(first) if first.title == fix.title => {
                let new = fix.repairs.into_iter().filter(|one| !first.repairs.contains(one));
                let new: Vec<(Code, TextRange)> = new.collect();
                first.repairs.extend(new);
            }
            Some(_) => {}
            None => {
                seen.insert(fix.edits.clone(), kept.len());
                kept.push(fix);
            }
        }
    }
    kept
}

/// Whether one of `fixes` repairs `finding` and is not a removal.
fn is_repaired_by(fixes: &[Fix], finding: &Finding) -> bool {
    let mut of_it = fixes.iter().filter(|fix| fix.repairs.contains(&(finding.code, finding.range)));
    of_it.any(|fix| fix.kind != FixKind::Removal)
}

/// Sorts suggested removals to the end of the fixes for the same finding.
fn removals_last(fixes: &mut [Fix]) {
    let mut first: HashMap<(Code, TextRange), usize> = HashMap::new();
    for (index, fix) in fixes.iter().enumerate() {
        fix.repairs.iter().take(1).for_each(|repaired| {
            first.entry(*repaired).or_insert(index);
        });
    }
    fixes.sort_by_cached_key(|fix| {
        let place = fix.repairs.first().and_then(|repaired| first.get(repaired)).copied();
        let is_suggested = |kind| fix.kind == kind && fix.applicability == Applicability::Suggested;
        // A similar name is a likelier repair than a new one.
        let is_renamed = fix.kind == FixKind::Rename;
        (place, !is_renamed, is_suggested(FixKind::Removal), is_suggested(FixKind::Declaration))
    });
}

/// The fixes by schema node.
fn fixes_of_nodes<'t>(request: &FixRequest<'_, 't>, proof: &mut Proof) -> Vec<Fix> {
    let FixRequest { document, reader, editor, findings, range, .. } = *request;
    let mut fixes: Vec<Fix> = Vec::new();
    if !findings.iter().any(|finding| finding.code.group() == Plan::GROUP) {
        return fixes;
    }
    let survey = survey::survey(document, reader);
    let wanted = repairs_within(&survey, findings, range);
    let is_safe = |plan: &Plan<'_>| plan.applicability == Applicability::Safe;
    let mut safe: Vec<&Plan<'_>> =
        wanted.iter().map(|(plan, _)| *plan).filter(|plan| is_safe(plan)).collect();
    let edits = if safe.is_empty() { None } else { edits_of_plans(editor, &survey, &mut safe) };
    let safe_is_proven = edits.is_some_and(|edits| proof.holds_together(&safe, &edits));
    let mut proofs = 0;
    for (plan, repaired) in wanted {
        let is_repaired =
            |finding: &&Finding| fixes.iter().any(|fix| fix.repairs.contains(&(finding.code, finding.range)));
        if plan.is_fallback && repaired.iter().all(is_repaired) {
            continue;
        }
        let Some((edits, dropped)) = edits_of_plan(editor, &survey, plan) else { continue };
        // A node with an anchor occurs once for each of its aliases.
        if edits.is_empty() || fixes.last().is_some_and(|fix| fix.edits == edits) {
            continue;
        }
        if !(safe_is_proven && is_safe(plan) && dropped.is_none()) {
            proofs += 1;
            if proofs > MOST_PROOFS || !proof.repairs(plan, &edits) {
                continue;
            }
        }
        let (title, applicability) = match dropped {
            None => (plan.title.clone(), plan.applicability),
            Some(junctor) => {
                let end = format!(", and remove `{}` (its branches are then identical)", junctor.as_str());
                (plan.title.clone().with_end(&end), Applicability::Suggested)
            }
        };
        let repairs = repaired.iter().map(|finding| (finding.code, finding.range)).collect();
        fixes.push(Fix::new(title, edits, applicability, repairs));
    }
    fixes
}

/// A plan, and the findings that it repairs.
type Repair<'s, 't, 'f> = (&'s Plan<'t>, Vec<&'f Finding>);

/// The plans that repair findings within `range`, each with all findings that it repairs.
fn repairs_within<'s, 't, 'f>(
    survey: &'s SchemaSurvey<'_, 't>,
    findings: &'f [Finding],
    range: TextRange,
) -> Vec<Repair<'s, 't, 'f>> {
    let mut by_path: HashMap<String, Vec<&Finding>> = HashMap::new();
    for finding in findings.iter().filter(|finding| finding.code.group() == Plan::GROUP) {
        by_path.entry(finding.field_path.to_string()).or_default().push(finding);
    }
    let with_repaired = survey.plans.iter().map(|plan| {
        let of = |path: &String| by_path.get(path);
        let mut repaired: Vec<&Finding> = plan.paths.iter().filter_map(of).flatten().copied().collect();
        repaired.sort_by_key(|finding| (finding.range, finding.code));
        repaired.dedup();
        (plan, repaired)
    });
    with_repaired
        .filter(|(_, repaired)| repaired.iter().any(|finding| finding.range.overlaps(range)))
        .collect()
}

/// One round of all safe fixes for `findings` of `document`: sorted edits without overlap.
pub(crate) fn fix_all(
    document: Document<'_>,
    inputs: DocumentInputs<'_>,
    findings: &[Finding],
    budget: &Budget,
    caches: &SharedCaches,
) -> Vec<TextEdit> {
    // Most documents have nothing to repair, and a survey reads all of their schemas.
    let has_plans = findings.iter().any(|finding| finding.code.group() == Plan::GROUP);
    if !has_plans && !reindent::is_wanted(findings) && !repairs::may_repair_any(findings) {
        return Vec::new();
    }
    let reader = Reader::new(document);
    let survey = if has_plans { survey::survey(document, &reader) } else { SchemaSurvey::default() };
    round(document, inputs, findings, (&reader, survey), budget, caches)
}

/// The edits of all safe plans of `survey` and of all other safe repairs, independent of the order of
/// `findings` and plans.
fn round<'r, 't>(
    document: Document<'t>,
    inputs: DocumentInputs<'_>,
    findings: &[Finding],
    (reader, mut survey): (&'r Reader<'t>, SchemaSurvey<'r, 't>),
    budget: &Budget,
    caches: &SharedCaches,
) -> Vec<TextEdit> {
    let findings = &in_order(findings);
    survey
        .plans
        .sort_by(|one, other| (&one.paths, one.title.as_str()).cmp(&(&other.paths, other.title.as_str())));
    let paths: HashSet<String> = findings
        .iter()
        .filter(|finding| finding.code.group() == Plan::GROUP)
        .map(|finding| finding.field_path.to_string())
        .collect();
    let is_wanted = |plan: &Plan<'_>| {
        plan.applicability == Applicability::Safe && plan.paths.iter().any(|path| paths.contains(path))
    };
    let mut plans: Vec<&Plan<'_>> = survey.plans.iter().filter(|plan| is_wanted(plan)).collect();
    if plans.is_empty() && !reindent::is_wanted(findings) && !repairs::may_repair_any(findings) {
        return Vec::new();
    }
    let editor = &Editor::new(document);
    let request = &FixRequest { document, reader, editor, inputs, findings, range: document.range() };
    let mut proof = Proof::new(document, inputs, budget, caches);
    // The other fixes follow in the next round: their edits may be on the same lines.
    if let Some(edits) = reindent::edits(request, &mut proof) {
        return edits;
    }
    // The parts that it moves are repaired at their new place.
    if let Some(edits) = migration::safe(request) {
        return edits;
    }
    if let Some(edits) = misplaced::safe(request, &mut proof) {
        return edits;
    }
    // Fixes of findings that hide others come first; schema nodes then move in their repaired form.
    let edits = repairs::fix_all(request, &mut proof);
    if !edits.is_empty() || plans.is_empty() {
        return edits;
    }
    if let Some(edits) = edits_of_plans(editor, &survey, &mut plans)
        && proof.causes_no_findings(&edits)
    {
        return edits;
    }
    let mut made = Vec::new();
    batch::largest_selection(&plans, MOST_CHECKS, &mut |plans| {
        let mut kept = plans.to_vec();
        let edits = edits_of_plans(editor, &survey, &mut kept).filter(|_| kept.len() == plans.len());
        let Some(edits) = edits.filter(|edits| proof.holds_together(plans, edits)) else { return false };
        made = edits;
        true
    });
    made
}

/// `findings` in an order that does not depend on the order of the search.
fn in_order(findings: &[Finding]) -> Vec<Finding> {
    let mut findings = findings.to_vec();
    findings.sort_by(|one, other| {
        let key = |finding: &Finding| (finding.range, finding.code);
        let path = |finding: &Finding| finding.field_path.to_string();
        let by_words = || {
            path(one).cmp(&path(other)).then_with(|| one.message.to_string().cmp(&other.message.to_string()))
        };
        key(one).cmp(&key(other)).then_with(by_words)
    });
    findings
}

/// The edits of one plan, and the junctor that must be removed because they leave several of its branches
/// empty.
fn edits_of_plan<'t>(
    editor: &Editor<'t>,
    survey: &SchemaSurvey<'_, 't>,
    plan: &Plan<'t>,
) -> Option<(Vec<TextEdit>, Option<Keyword>)> {
    let mut changes = plan.changes.clone();
    let mut dropped = None;
    loop {
        match tidy::tidied(&survey.hosts, &survey.opened_branches, changes.clone()) {
            Ok(tidied) => return Some((plan::edits(editor, &tidied)?, dropped)),
            Err(impossible) if impossible.junctor == Keyword::OneOf && dropped.is_none() => {
                dropped = Some(impossible.junctor);
                changes.push(Change::Remove(impossible.host, impossible.entry));
            }
            Err(_) => return None,
        }
    }
}

/// The edits of all `plans`, except for plans that would leave a junctor that no value satisfies.
fn edits_of_plans<'t>(
    editor: &Editor<'t>,
    survey: &SchemaSurvey<'_, 't>,
    plans: &mut Vec<&Plan<'t>>,
) -> Option<Vec<TextEdit>> {
    loop {
        let changes = plans.iter().flat_map(|plan| plan.changes.iter().cloned()).collect();
        match tidy::tidied(&survey.hosts, &survey.opened_branches, changes) {
            Ok(changes) => return plan::edits(editor, &changes),
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
