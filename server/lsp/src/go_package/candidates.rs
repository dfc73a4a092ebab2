//! Fixes of definitions that may become fixes of Go.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use go::MistakeKind;
use go::edits::{NodeChange, changes, shortened};
use go::generate::Outcome;
use go::json::Json;
use go::source::RecursiveField;
use ide::{Applicability, Code, Finding, Fix};
use text::{TextEdit, TextRange};

use super::findings::range_of;
use crate::generated_definitions::{
    GeneratedDefinitions, GoFileDefinitions, Product, is_of_later_step, json_of, seen_from, step, title_in_go,
};

/// A fix of a definition, with the parts that matter for Go.
pub(super) struct Candidate {
    pub(super) title: String,
    pub(super) product: String,
    pub(super) changes: Vec<NodeChange>,
    /// The findings that it repairs, at their tokens in Go.
    pub(super) repairs: Vec<(Code, PathBuf, TextRange)>,
    pub(super) is_safe: bool,
}

/// Whether a finding is selected, by its token in Go.
pub(crate) type IsSelected<'a> = &'a dyn Fn(&Path, TextRange) -> bool;

/// The fixes of definitions for the selected findings. Without `is_selected`, the fixes for all findings, including those whose
/// token in Go is unknown.
pub(super) fn candidates(
    generated: &GeneratedDefinitions,
    only_safe: bool,
    is_selected: Option<IsSelected<'_>>,
) -> Vec<Candidate> {
    let mut found = Vec::new();
    let repaired = misread_values(&generated.outcome);
    for made in &generated.files {
        let mut places = BTreeSet::new();
        let mut tokens = Vec::new();
        for finding in made.file.findings().iter().filter(|finding| !is_of_later_step(finding.code)) {
            let Some(product) = made.product(finding.range.start) else { continue };
            // Fixes of the misplaced marker repair this.
            if finding.code == Code::SpecGroupRequired && generated.misplaced_group(made).is_some() {
                continue;
            }
            let here = Finding { range: seen_from(product.start, finding.range), ..finding.clone() };
            let origin = generated.origin(&product.name, &here);
            if origin.as_ref().is_some_and(|origin| repaired.contains(origin)) {
                continue;
            }
            let is_chosen = |is_selected: IsSelected<'_>| {
                origin.as_ref().is_some_and(|(path, range)| is_selected(path, *range))
            };
            if is_selected.is_none_or(is_chosen) {
                // Another type in the schema does not repair a type that contains itself.
                if let Some(field) = generated.recursive_field(made, product.start, finding) {
                    if !only_safe {
                        found.extend(allow_any_value(product, finding, field, origin));
                    }
                    continue;
                }
                if finding.code == Code::StructuralEmbeddedAdditionalProperties && !only_safe {
                    found.extend(remove_embedded(product, finding, origin.clone()));
                }
                places.insert(finding.range);
                tokens.extend(origin.map(|(path, range)| ((finding.code, finding.range), path, range)));
            }
        }
        let budget = made.file.budget();
        let mut seen: Vec<Fix> = Vec::new();
        let mut of_fixes = Vec::new();
        for fix in places.into_iter().flat_map(|place| made.file.fixes_within(place, &budget)) {
            let is_wanted = fix.applicability == Applicability::Safe || !only_safe;
            if is_wanted && !seen.contains(&fix) {
                let place = fix.repairs.first().map_or(TextRange::new(0, 0), |(_, range)| *range);
                of_fixes.extend(candidate(made, &fix, &tokens).map(|candidate| (place, candidate)));
                seen.push(fix);
            }
        }
        found.extend(for_all_uses(&of_fixes));
        found.extend(of_fixes.into_iter().map(|(_, candidate)| candidate));
    }
    found
}

/// The values of markers that controller-gen reads differently from how they look, and that have separate repairs. Fixes of
/// the definition would be based on the misread value.
fn misread_values(outcome: &Outcome) -> BTreeSet<(PathBuf, TextRange)> {
    let mistakes = outcome.mistakes(false).into_iter();
    let misread_values = mistakes.filter(|one| one.kind == MistakeKind::Value && !one.repairs.is_empty());
    misread_values
        .filter_map(|one| Some((outcome.source(one.place.file)?.path.clone(), range_of(one.place))))
        .collect()
}

/// The markers that allow any value for a field whose type contains itself.
fn allow_any_value(
    product: &Product,
    finding: &Finding,
    field: RecursiveField,
    origin: Option<(PathBuf, TextRange)>,
) -> Option<Candidate> {
    let (path, range) = origin?;
    let steps = finding.field_path.segments().iter().take(field.steps).map(step).collect();
    let mut keywords = vec![("x-kubernetes-preserve-unknown-fields".to_owned(), Json::Bool(true))];
    if !field.is_list {
        keywords.push(("type".to_owned(), Json::text("object")));
    }
    Some(Candidate {
        title: go::ANY_VALUE.to_owned(),
        product: product.name.clone(),
        changes: vec![NodeChange {
            path: steps,
            before: None,
            after: Some(Json::Map(keywords.into_iter().collect())),
        }],
        repairs: vec![(finding.code, path, range)],
        is_safe: false,
    })
}

/// The fix that removes the marker that makes a map an embedded resource.
fn remove_embedded(
    product: &Product,
    finding: &Finding,
    origin: Option<(PathBuf, TextRange)>,
) -> Option<Candidate> {
    let (path, range) = origin?;
    let mut steps: Vec<String> = finding.field_path.segments().iter().map(step).collect();
    steps.pop()?;
    steps.push("x-kubernetes-embedded-resource".to_owned());
    Some(Candidate {
        title: "Remove `EmbeddedResource`".to_owned(),
        product: product.name.clone(),
        changes: vec![NodeChange { path: steps, before: Some(Json::Bool(true)), after: None }],
        repairs: vec![(finding.code, path, range)],
        is_safe: false,
    })
}

/// The bounds for all uses of a type whose rule exceeds the cost limit in each of them.
fn for_all_uses(found: &[(TextRange, Candidate)]) -> Vec<Candidate> {
    let mut by_token: BTreeMap<&(Code, PathBuf, TextRange), BTreeMap<TextRange, &Candidate>> =
        BTreeMap::new();
    for (use_of, candidate) in found {
        if let Some(token) = candidate.repairs.first()
            && matches!(token.0, Code::CelRuleCost | Code::CelMessageExpressionCost)
        {
            by_token.entry(token).or_default().entry(*use_of).or_insert(candidate);
        }
    }
    let several = by_token.into_iter().filter(|(_, uses)| uses.len() > 1);
    let joined = several.filter_map(|(token, uses)| {
        let first = uses.values().next()?;
        let mut changes: Vec<NodeChange> = Vec::new();
        for change in uses.values().flat_map(|of_use| &of_use.changes) {
            if !changes.contains(change) {
                changes.push(change.clone());
            }
        }
        changes.sort_by(|one, other| one.path.cmp(&other.path));
        Some(Candidate {
            title: format!("Add the bounds for all {} uses of the type", uses.len()),
            product: first.product.clone(),
            changes,
            repairs: vec![token.clone()],
            is_safe: false,
        })
    });
    joined.collect()
}

/// A finding in a generated text with its token in Go.
type FindingsByFile = ((Code, TextRange), PathBuf, TextRange);

/// The change of a definition by a fix of its generated text.
fn candidate(made: &GoFileDefinitions, fix: &Fix, tokens: &[FindingsByFile]) -> Option<Candidate> {
    let product = made.product(fix.edits.first()?.range.start)?;
    let edits = fix.edits.iter();
    let edits: Vec<TextEdit> = edits
        .map(|edit| TextEdit::replace(seen_from(product.start, edit.range), edit.new_text.clone()))
        .collect();
    let after = applied(&product.text, &edits)?;
    let repairs = tokens.iter().filter(|(finding, ..)| fix.repairs.contains(finding));
    Some(Candidate {
        title: title_in_go(fix),
        product: product.name.clone(),
        changes: changes_between(&product.text, &after)?,
        repairs: repairs.map(|((code, _), path, range)| (*code, path.clone(), *range)).collect(),
        is_safe: fix.applicability == Applicability::Safe,
    })
}

/// The changes from `before` to `after`, two texts of a definition; `None` if one of them is not a definition.
pub(super) fn changes_between(before: &str, after: &str) -> Option<Vec<NodeChange>> {
    let (before, after) = shortened(before, after);
    Some(changes(&json_of(&before)?, &json_of(&after)?))
}

/// A text after edits; `None` if they do not fit.
fn applied(text: &str, edits: &[TextEdit]) -> Option<String> {
    let mut text = text.to_owned();
    for edit in edits.iter().rev() {
        let range = edit.range.start as usize..edit.range.end as usize;
        text.get(range.clone())?;
        text.replace_range(range, &edit.new_text);
    }
    Some(text)
}
