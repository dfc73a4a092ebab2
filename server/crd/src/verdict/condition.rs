//! The NonStructuralSchema condition, which a controller of the server writes to `status` (check C1).

use yaml::{Document, Reader};

use crate::Options;
use crate::cache::Cache;
use crate::check::outcome::Findings;
use crate::check::{Outcome, Stage, Walker};
use crate::field_path::{FieldPath, Segment};
use crate::object::{CustomResourceDefinition, Version, definitions};
use crate::reading::Budget;
use crate::schema::Flags;
use crate::schema::Schema;
use crate::schema::convert::conversion_error;

/// The messages of the NonStructuralSchema condition that the server's controller writes to the definitions
/// in `document`, sorted; empty if it writes no such condition.
#[must_use]
pub fn non_structural_condition(document: Document<'_>, options: &Options, cache: &mut Cache) -> Vec<String> {
    cache.prepare(options);
    let reader = Reader::new(document);
    let mut budget = Budget::new(document.syntax().node().flags().aliases);
    let mut messages = Vec::new();
    for definition in definitions(document, &reader) {
        let mut condition = NonStructural::new(definition.prunes());
        for place in definition.schemas() {
            let outcome = Walker { reader: &reader, options, cache, budget: &mut budget }.walk(place.value);
            // If no version has a separate schema, all have the schema of `spec.validation`.
            let own = |version: &Version<'_, '_>| place.version.is_none_or(|index| version.index == index);
            for version in definition.versions().filter(own) {
                let schema = Schema::read(place.value, &reader);
                match schema.filter(|_| outcome.flags.contains(Flags::UNCONVERTIBLE)) {
                    Some(schema) => {
                        let error = conversion_error(&schema, &mut budget).unwrap_or_default();
                        condition.fail(&version.name().unwrap_or_default(), error);
                    }
                    None => condition.note(version.index, &outcome),
                }
            }
        }
        messages.extend(condition.finish());
    }
    messages
}

/// Returns a function that decides by index whether a version of `definition` has no schema, or a structural
/// one.
pub(crate) fn is_structural<'t>(
    definition: &CustomResourceDefinition<'_, 't>,
    options: &Options,
    cache: &mut Cache,
) -> impl Fn(usize) -> bool + use<'t> {
    cache.prepare(options);
    let mut budget = Budget::new(true);
    let mut refused = Vec::new();
    for place in definition.schemas() {
        let outcome =
            Walker { reader: definition.reader(), options, cache, budget: &mut budget }.walk(place.value);
        if outcome.flags.contains(Flags::UNCONVERTIBLE | Flags::NON_STRUCTURAL) {
            refused.push(place.version);
        }
    }
    move |index| !refused.iter().any(|version| version.is_none_or(|version| version == index))
}

/// The messages of the condition.
#[derive(Debug, Default)]
struct NonStructural {
    messages: Vec<String>,
    /// The error at which the controller stops.
    failure: Option<String>,
}

impl NonStructural {
    /// The condition of a definition that prunes, or does not.
    fn new(prunes: bool) -> Self {
        let message = "spec.preserveUnknownFields: Invalid value: true: must be false".to_owned();
        Self { messages: if prunes { Vec::new() } else { vec![message] }, failure: None }
    }

    /// Records the schema of the version `index`.
    fn note(&mut self, index: usize, outcome: &Outcome) {
        let root = FieldPath::of_names(["spec", "versions"]).index(index);
        let root = root.child("schema").child("openAPIV3Schema");
        if let Some(findings) =
            outcome.findings.as_deref().filter(|_| outcome.flags.contains(Flags::NON_STRUCTURAL))
        {
            self.node(findings, &root, &mut Vec::new());
        }
    }

    /// Records that the schema of the version `name` cannot be converted.
    fn fail(&mut self, name: &str, error: &str) {
        self.failure
            .get_or_insert_with(|| format!("failed to check validation schema for version {name}: {error}"));
    }

    fn node(&mut self, findings: &Findings, root: &FieldPath, path: &mut Vec<Segment>) {
        for finding in findings.own.iter().filter(|finding| finding.stage == Stage::Structural) {
            let mut field = root.join(path);
            field.extend(&finding.tail);
            let value = finding.value.as_ref().map_or(String::new(), |value| format!(": {value}"));
            let words = finding.server_message(root, path);
            self.messages.push(format!("{field}: {}{value}: {words}", finding.error.description()));
        }
        for below in &findings.below {
            let depth = path.len();
            below.step.push_to(path);
            self.node(&below.findings, root, path);
            path.truncate(depth);
        }
    }

    /// The messages, sorted, without duplicates.
    fn finish(self) -> Vec<String> {
        let mut messages = self.failure.map_or(self.messages, |failure| vec![failure]);
        messages.sort();
        messages.dedup();
        messages
    }
}
