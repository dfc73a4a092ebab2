//! Fixes for definitions in the form of v1beta1, with any `apiVersion`.

use std::collections::HashMap;

use api::Code;
use crd::object::definitions;
use text::{TextEdit, TextRange};
use yaml::{Document, Reader};

use super::proof::Proof;
use super::request::FixRequest;
use super::rewrite::in_style_of;
use crate::analysis::inputs::DocumentInputs;
use crate::analysis::values::own_entry;
use crate::migrate::{UnknownFields, is_bumped, migrate};
use crate::{Applicability, File, Finding, Fix};

const NOT_SERVED: Code = Code::DefinitionNotServed;
const V1: &str = "apiextensions.k8s.io/v1";
/// The findings on missing and unknown fields after a change of only `apiVersion`.
const OF_BUMPED: [Code; 4] = [
    Code::DecodeUnknownField,
    Code::StoredVersionsEmpty,
    Code::VersionsOneStorage,
    Code::VersionsSchemaRequired,
];

/// The fixes for the touched findings of `request`, if a migration repairs them.
pub(super) fn fixes(request: &FixRequest<'_, '_>) -> Vec<Fix> {
    let FixRequest { document, inputs, findings, .. } = *request;
    let is_named = request.with_codes(&[NOT_SERVED]).next().is_some();
    let is_about_bumped = request.with_codes(&OF_BUMPED).next().is_some();
    if !(is_named || is_about_bumped && holds_bumped(document)) {
        return Vec::new();
    }
    let migrations = migrations(document, inputs).into_iter();
    let of = |MigratedDocument { title, edits, is_certain }| {
        let repairs = repaired(document, inputs, findings, &edits);
        let applicability = match is_certain && !findings.iter().any(|finding| finding.code == NOT_SERVED) {
            true => Applicability::Safe,
            false => Applicability::Suggested,
        };
        Fix::new(title, edits, applicability, repairs)
    };
    let touches = |fix: &Fix| fix.repairs.iter().any(|(_, place)| place.overlaps(request.range));
    migrations.map(of).filter(touches).collect()
}

/// The fix for a definition with the `apiVersion` of v1beta1 and the form of v1: it changes the version.
pub(super) fn renamed(request: &FixRequest<'_, '_>, proof: &mut Proof) -> Option<Fix> {
    let finding = request.with_codes(&[NOT_SERVED]).next()?;
    let definitions = definitions(request.document, request.reader);
    let of =
        definitions.iter().find(|definition| definition.value().range().contains_range(finding.range))?;
    let value =
        own_entry(of.value(), "apiVersion").filter(|entry| entry.value().range() == finding.range)?.value();
    let mut editor = request.editor.fresh();
    editor.replace(value, in_style_of(value.as_scalar()?, V1));
    let edits = editor.finish().ok()?;
    let is_right = proof.repaired(&edits).is_some_and(|repaired| repaired > 0);
    is_right
        .then(|| Fix::suggested(format!("Change `apiVersion` to `{V1}`"), edits, NOT_SERVED, finding.range))
}

/// The edits that complete the migration of definitions whose `apiVersion` alone was changed, if no choice is
/// necessary.
pub(super) fn safe(request: &FixRequest<'_, '_>) -> Option<Vec<TextEdit>> {
    let FixRequest { document, inputs, findings, .. } = *request;
    let is_mixed = findings.iter().any(|finding| finding.code == NOT_SERVED);
    if is_mixed
        || !findings.iter().any(|finding| OF_BUMPED.contains(&finding.code))
        || !holds_bumped(document)
    {
        return None;
    }
    let first = migrations(document, inputs).into_iter().next();
    first.filter(|migrated| migrated.is_certain && !migrated.edits.is_empty()).map(|migrated| migrated.edits)
}

/// A document in the form of v1.
pub(crate) struct MigratedDocument {
    pub(crate) title: String,
    pub(crate) edits: Vec<TextEdit>,
    /// Whether the migration needed no choice and no invented value.
    is_certain: bool,
}

/// The ways to convert `document` to the form of v1.
pub(crate) fn migrations(document: Document<'_>, inputs: DocumentInputs<'_>) -> Vec<MigratedDocument> {
    let mut found = Vec::new();
    for unknown in [UnknownFields::Keep, UnknownFields::Drop] {
        let Some(Ok(migration)) = migrate(document, inputs, unknown) else { return found };
        let fields = match unknown {
            _ if !migration.kept_unknown_fields => "",
            UnknownFields::Keep => " and keep undeclared fields",
            UnknownFields::Drop => " and prune undeclared fields",
        };
        found.push(MigratedDocument {
            title: format!("Migrate to `apiextensions.k8s.io/v1`{fields}"),
            edits: migration.edits,
            is_certain: !migration.kept_unknown_fields && migration.notes.is_empty(),
        });
        if !migration.kept_unknown_fields {
            break;
        }
    }
    found
}

/// Whether `document` has a definition of which only `apiVersion` was changed to v1.
pub(crate) fn holds_bumped(document: Document<'_>) -> bool {
    let reader = Reader::new(document);
    definitions(document, &reader).iter().any(is_bumped)
}

/// The findings whose codes have fewer findings after `edits`.
fn repaired(
    document: Document<'_>,
    DocumentInputs { settings, surroundings }: DocumentInputs<'_>,
    findings: &[Finding],
    edits: &[TextEdit],
) -> Vec<(Code, TextRange)> {
    let text = document.syntax().text();
    let after = text::applied(&text, document.range().start, edits);
    let after = File::with_surroundings(&after, settings, surroundings.clone());
    let before = counts(findings);
    let after = counts(after.findings());
    let is_removed = |finding: &&Finding| {
        after.get(&finding.code).copied().unwrap_or(0) < before.get(&finding.code).copied().unwrap_or(0)
    };
    findings.iter().filter(is_removed).map(|finding| (finding.code, finding.range)).collect()
}

fn counts(findings: &[Finding]) -> HashMap<Code, usize> {
    let mut counts = HashMap::new();
    for finding in findings {
        *counts.entry(finding.code).or_default() += 1;
    }
    counts
}
