//! The findings of a document that is read as another text: without merge conflicts, with the missing lines between
//! objects, with the characters that JSON requires, or with the missing kind.

use text::TextRange;
use yaml::{Document, Tree};

use super::{DocumentFindings, analyse};
use crate::analysis::caches::Caches;
use crate::analysis::conflict::ResolvedConflicts;
use crate::analysis::ignore::Ignores;
use crate::analysis::joined_objects::JoinedObjects;
use crate::analysis::json::RepairedJson;
use crate::analysis::repaired_object::RepairedObject;
use crate::analysis::unidentified::UnidentifiedObject;
use crate::analysis::validation_coverage::ValidationCoverage;
use crate::{Finding, Settings, Surroundings};

/// The findings of a text with merge conflicts, of objects without a `---` between them, or of JSON with wrong
/// characters: these faults, and the findings of the repaired text.
pub(super) fn analyse_repaired(
    document: Document<'_>,
    settings: &Settings,
    surroundings: &Surroundings,
    caches: &mut Caches,
) -> Option<DocumentFindings> {
    if !settings.syntax_errors {
        return None;
    }
    let analyse_tree = |tree: &Tree, caches: &mut Caches| {
        let first = tree.documents().next();
        first.map(|document| analyse(document, settings, surroundings, caches)).unwrap_or_default()
    };
    if let Some(resolved) = ResolvedConflicts::of(document) {
        let found = analyse_tree(&Tree::parse(&resolved.text), caches);
        let slips = resolved.findings().collect();
        return Some(with_slips(found, slips, &|range| resolved.range_in_file(range), settings));
    }
    if let Some(joined) = JoinedObjects::of(document) {
        let repaired = &joined.repaired;
        let mut found = DocumentFindings::default();
        for object in repaired.tree.documents() {
            let of_object = analyse(object, settings, surroundings, caches);
            found.findings.extend(of_object.findings);
            found.validation_coverage.add(&of_object.validation_coverage, 0);
        }
        let slips = joined.findings().collect();
        return Some(with_slips(found, slips, &|range| repaired.range_in_file(range), settings));
    }
    let json = RepairedJson::of(document, surroundings, caches)?;
    let repaired = json.repaired(document);
    let mut found = analyse_tree(&repaired.tree, caches);
    if json.has_unnamed() {
        // The placeholder for an unknown key is not in the file.
        found.findings.retain(|finding| !repaired.is_inserted(finding.range));
    }
    let slips = json.findings().collect();
    Some(with_slips(found, slips, &|range| repaired.range_in_file(range), settings))
}

/// Moves the findings of the repaired text to the ranges that `place` returns, and adds the faults, `slips`.
/// Text without definitions, resources and findings gets none.
fn with_slips(
    mut found: DocumentFindings,
    slips: Vec<Finding>,
    place: &dyn Fn(TextRange) -> TextRange,
    settings: &Settings,
) -> DocumentFindings {
    let coverage = &found.validation_coverage;
    if coverage.definitions == 0 && coverage.resources.is_empty() && found.findings.is_empty() {
        return found;
    }
    let in_file = |finding: &Finding| {
        // kube-apiserver stops at the syntax error.
        Finding { api_server: None, ..finding.moved(place) }
    };
    found.findings = found.findings.iter().map(in_file).collect();
    found
        .findings
        .extend(slips.into_iter().filter_map(|mut slip| settings.rules.admit(&mut slip).then_some(slip)));
    found.findings.sort_by_key(|finding| (finding.range, finding.code));
    found.is_compared = false;
    found
}

/// The finding on an object that does not state its kind, and the findings on its text after the repair of
/// that slip.
pub(super) fn analyse_unidentified(
    document: Document<'_>,
    unidentified: &UnidentifiedObject<'_>,
    settings: &Settings,
    surroundings: &Surroundings,
    coverage: ValidationCoverage,
    caches: &mut Caches,
) -> DocumentFindings {
    let mut slips = vec![unidentified.finding()];
    let mut ignores = Ignores::of(document);
    let is_shown = |finding: &Finding| finding.code.group() != "yaml" || settings.syntax_errors;
    slips.retain_mut(|finding| {
        is_shown(finding) && settings.rules.admit(finding) && !ignores.silences(finding)
    });
    let found = RepairedObject::of_unidentified(document, unidentified, surroundings).and_then(|object| {
        let repaired = &object.repaired;
        let mut found = analyse(repaired.tree.documents().next()?, settings, surroundings, caches);
        // A finding on the whole object may be about the repaired key.
        let is_about_object = |finding: &Finding| {
            finding.code.group() == "resource" && finding.field_path.segments().is_empty()
        };
        found.findings.retain(|finding| !repaired.is_inserted(finding.range) && !is_about_object(finding));
        Some(with_slips(found, slips.clone(), &|range| repaired.range_in_file(range), settings))
    });
    // If there is no repaired text, or it has no definitions, resources or findings, only the slip is
    // reported.
    found.filter(|found| !found.findings.is_empty()).unwrap_or(DocumentFindings {
        findings: slips,
        validation_coverage: coverage,
        ..DocumentFindings::default()
    })
}
