//! The validation of the objects of a document, one after the other.

use std::cell::{Cell, OnceCell};

use crd::customresource::Admission;
use crd::object::holds_merge_directive;
use text::TextRange;
use yaml::{Document, Reader, Value};

use super::admission::AdmissionResult;
use super::findings::{self, SilencedPlaceholder, Subject};
use super::rival_verdicts::ValidatedResource;
use super::{MOST, ResourceFindings, item, misspelt_kinds, placeholder_values};
use crate::analysis::catalog::FoundDefinition;
use crate::analysis::kind_corrections::intended_definition;
use crate::analysis::objects::Object;
use crate::analysis::patch::is_known_patch;
use crate::analysis::test_files;
use crate::analysis::validation_coverage::{NotJudged, UnvalidatedReason, ValidationCoverage};
use crate::{Finding, Settings, Surroundings};

/// What the validation of the objects of a document has found so far.
pub(super) struct Validation<'a, 't> {
    document: Document<'t>,
    reader: &'a Reader<'t>,
    surroundings: &'a Surroundings,
    settings: &'a Settings,
    /// The text of the document, once an item of a list needs it.
    text: OnceCell<String>,
    is_patch: bool,
    findings: Vec<Finding>,
    is_cut: Cell<bool>,
    coverage: ValidationCoverage,
    /// Whether an object has a kind that a definition or a similar name makes known.
    is_known: bool,
}

impl<'a, 't> Validation<'a, 't> {
    pub(super) fn new(
        document: Document<'t>,
        reader: &'a Reader<'t>,
        surroundings: &'a Surroundings,
        settings: &'a Settings,
    ) -> Self {
        Self {
            document,
            reader,
            surroundings,
            settings,
            text: OnceCell::new(),
            is_patch: is_known_patch(document, settings, surroundings),
            findings: Vec::new(),
            is_cut: Cell::new(false),
            coverage: ValidationCoverage::default(),
            is_known: false,
        }
    }

    /// Adds the findings on an object, and whether it was validated.
    pub(super) fn add(&mut self, object: &Object<'t>) {
        let surroundings = self.surroundings;
        match surroundings.catalog.validating_definition(&object.kind, &surroundings.source) {
            Some(definition) => self.add_object_of(&definition, object),
            None => self.add_object_without_definition(object),
        }
    }

    /// Adds the findings on an object by its definition.
    fn add_object_of(&mut self, definition: &FoundDefinition<'_>, object: &Object<'t>) {
        let (surroundings, kind) = (self.surroundings, &object.kind);
        self.is_known = true;
        if let Some(reason) = object.placeholder_reason() {
            self.add_unvalidated(object, reason);
            return;
        }
        if definition.definition.served(&kind.version, self.settings.experiments).is_none() {
            self.findings.push(findings::not_served(object.value, self.reader, kind, definition));
            self.add_unvalidated(object, UnvalidatedReason::UnknownVersion);
            return;
        }
        let reason = self.reason_for_part(object);
        match reason {
            Some(reason) => self.add_unvalidated(object, reason),
            None => self.coverage.resources.push(object.value.range().start),
        }
        // A finding at the end says that others are not listed.
        if self.findings.len() > MOST {
            self.is_cut.set(true);
            return;
        }
        let silenced = Cell::new(None);
        let is_part = reason.is_some();
        let validate =
            |definition: &FoundDefinition<'_>| self.findings_by(object, definition, is_part, &silenced);
        let own = validate(definition).unwrap_or_default();
        let verdict = ValidatedResource {
            root: object.value,
            reader: self.reader,
            kind,
            index: object.index,
            definition,
        };
        let findings = verdict.resolve(own, surroundings, validate);
        self.findings.extend(findings);
        // An object that is not validated at all is listed once.
        if let Some(silenced) = silenced.get().filter(|_| !is_part) {
            self.add_silenced(object, silenced);
        }
    }

    /// The findings and the coverage of the validation; only the latter if no kind is known.
    pub(super) fn finish(self) -> Result<(ResourceFindings, ValidationCoverage), ValidationCoverage> {
        let is_cut = self.is_cut.get() || self.findings.len() > MOST;
        match self.is_known {
            true => Ok((ResourceFindings { findings: self.findings, is_cut }, self.coverage)),
            false => Err(self.coverage),
        }
    }

    fn add_unvalidated(&mut self, object: &Object<'t>, reason: UnvalidatedReason) {
        self.coverage.not_judged.push(object.not_judged(reason));
    }

    /// Adds the finding on a misspelt kind, and those by the definition of the intended kind.
    fn add_object_without_definition(&mut self, object: &Object<'t>) {
        let surroundings = self.surroundings;
        let finding = (self.findings.len() < MOST)
            .then(|| misspelt_kinds::finding(self.document, object, self.reader, surroundings));
        if let Some(finding) = finding.flatten() {
            self.is_known = true;
            self.findings.push(finding);
            let Surroundings { catalog, source, .. } = surroundings;
            if let Some((kind, definition)) = intended_definition(catalog, &object.kind, source) {
                let api_version = object.api_version.clone();
                self.add_object_of(&definition, &Object { kind, api_version, ..*object });
                return;
            }
        }
        self.add_unvalidated(object, object.reason_if_unknown(self.document));
    }

    /// Adds a part of an object without findings, because of a placeholder in it.
    fn add_silenced(&mut self, object: &Object<'t>, silenced: SilencedPlaceholder) {
        let of_object = object.not_judged(silenced.form.reason());
        // The item of a list was parsed as a separate text.
        let range = if object.index.is_some() { of_object.range } else { silenced.range };
        self.coverage.not_judged.push(NotJudged { range, ..of_object });
    }

    /// The reason why an object is only a part of what the server receives, if it is.
    fn reason_for_part(&self, object: &Object<'t>) -> Option<UnvalidatedReason> {
        let in_test = &self.settings.in_test;
        let name = || test_files::name(object.value, self.reader).unwrap_or_default();
        if !in_test.earlier.is_empty() && in_test.is_created_earlier(&object.kind.kind, &name()) {
            return Some(UnvalidatedReason::Test);
        }
        let is_merged = self.is_patch || holds_merge_directive(object.value);
        is_merged.then_some(UnvalidatedReason::Patch)
    }

    /// The findings on an object by `definition`; `None` if it does not serve the version of the object.
    fn findings_by(
        &self,
        object: &Object<'t>,
        definition: &FoundDefinition<'_>,
        is_part: bool,
        silenced: &Cell<Option<SilencedPlaceholder>>,
    ) -> Option<Vec<Finding>> {
        let settings = self.settings;
        let version = definition.definition.served(&object.kind.version, settings.experiments)?;
        let versions = (&*version, definition.definition.versions.as_slice());
        let validate = |document: Document<'_>, root: Value<'_>| {
            let reader = Reader::new(document);
            let subject = Subject {
                root,
                reader: &reader,
                definition,
                version: &object.kind.version,
                field_validation: settings.field_validation,
                is_patch: is_part,
                broken: broken_lines(document),
                has_bindings: settings.in_test.has_bindings,
                placeholders: OnceCell::new(),
                silenced: Cell::new(None),
            };
            let admit = |document: Document<'_>| {
                AdmissionResult::of(document, &object.kind, versions, self.surroundings, settings)
            };
            let AdmissionResult { admission, not_compared } = admit(document);
            self.is_cut.set(self.is_cut.get() || is_cut_short(&admission));
            let mut findings = subject.findings(&admission);
            let behind = placeholder_values::findings_behind_placeholders(
                document, &subject, &admission, admit, &findings,
            );
            findings.extend(behind);
            findings.extend(not_compared.map(|why| subject.not_compared(&why)));
            silenced.set(subject.silenced.get().or(silenced.get()));
            findings
        };
        Some(match object.index {
            None => validate(self.document, object.value),
            Some(index) => {
                let text = self.text.get_or_init(|| self.document.syntax().text());
                item::findings_of_item(text, object.value, index, validate)
            }
        })
    }
}

/// Whether some errors of `admission` do not become findings.
fn is_cut_short(admission: &Admission) -> bool {
    admission.is_cut || admission.errors.len() > MOST || admission.strict_errors.len() > MOST
}

/// The lines with syntax errors for which the server rejects `document`.
fn broken_lines(document: Document<'_>) -> Vec<TextRange> {
    let mut lines = Vec::new();
    if !document.syntax().node().flags().errors {
        return lines;
    }
    let text = document.syntax().text();
    let start = document.range().start;
    document.syntax().for_each_error(&mut |error| {
        let (from, to) = ((error.range.start - start) as usize, (error.range.end - start) as usize);
        let before = text.get(..from).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1);
        let behind = text.get(to..).and_then(|behind| behind.find('\n')).map_or(text.len(), |at| to + at);
        lines.push(TextRange::new(start + before as u32, start + behind as u32));
    });
    lines
}
