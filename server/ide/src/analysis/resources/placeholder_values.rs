//! The next findings of the server on a resource once its placeholders have values of the right types.

use std::cell::{Cell, OnceCell};

use crd::customresource::Admission;
use text::TextRange;
use yaml::{Document, Reader, Tree};

use crate::Finding;
use crate::analysis::resources::AdmissionResult;
use crate::analysis::resources::findings::Subject;

/// Returns the findings that only wrong types of placeholders hide, without those that are `known`. They hold
/// for all values of the placeholders. The server does not report them for the current text.
pub(super) fn findings_behind_placeholders(
    document: Document<'_>,
    subject: &Subject<'_, '_>,
    admission: &Admission,
    admit: impl Fn(Document<'_>) -> AdmissionResult,
    known: &[Finding],
) -> Vec<Finding> {
    let substitutes = subject.substitutes(admission);
    if substitutes.is_empty() {
        return Vec::new();
    }
    let Some(text) = filled(document, &substitutes) else { return Vec::new() };
    let tree = Tree::parse(&text);
    let Some(document) = tree.documents().next() else { return Vec::new() };
    let Some(root) = document.root() else { return Vec::new() };
    let reader = Reader::new(document);
    let subject = Subject {
        root,
        reader: &reader,
        definition: subject.definition,
        version: subject.version,
        field_validation: subject.field_validation,
        is_patch: subject.is_patch,
        broken: subject.broken.clone(),
        has_bindings: subject.has_bindings,
        // The new text has no placeholders, but the values in their place still depend on them.
        placeholders: OnceCell::from(subject.placeholders().clone()),
        silenced: Cell::new(None),
    };
    let mut findings = subject.findings(&admit(document).admission);
    let is_known = |finding: &Finding| {
        let is_same = |one: &Finding| (one.code, one.range) == (finding.code, finding.range);
        let is_within = |(range, _): &(TextRange, &str)| range.contains_range(finding.range);
        known.iter().any(is_same) || substitutes.iter().any(is_within)
    };
    findings.retain(|finding| !is_known(finding));
    findings.iter_mut().for_each(|finding| finding.api_server = None);
    findings
}

/// Returns the text of `document` with other values at some ranges, in the same length, so that all offsets
/// remain valid.
fn filled(document: Document<'_>, substitutes: &[(TextRange, &str)]) -> Option<String> {
    let mut text = document.syntax().text();
    let start = document.range().start;
    for (range, value) in substitutes {
        let range = range.start.checked_sub(start)? as usize..range.end.checked_sub(start)? as usize;
        let length = range.len();
        // Values that span lines are not changed.
        if text.get(range.clone())?.contains('\n') {
            continue;
        }
        text.replace_range(range, &format!("{value:<length$}"));
    }
    Some(text)
}
