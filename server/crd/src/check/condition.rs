//! The NonStructuralSchema condition, which a controller of the server writes to `status` (§10 of the rules).

use super::outcome::Findings;
use super::{Flags, Outcome, Stage};
use crate::field_path::{FieldPath, Segment};

/// The messages of the condition.
#[derive(Debug, Default)]
pub(crate) struct NonStructural {
    messages: Vec<String>,
    /// Why the controller gives up.
    failure: Option<String>,
}

impl NonStructural {
    /// For a definition that prunes, or not.
    pub(crate) fn new(prunes: bool) -> Self {
        let message = "spec.preserveUnknownFields: Invalid value: true: must be false".to_owned();
        Self { messages: if prunes { Vec::new() } else { vec![message] }, failure: None }
    }

    /// Takes note of the schema of the version `index`.
    pub(crate) fn note(&mut self, index: usize, outcome: &Outcome) {
        let root = FieldPath::of_names(["spec", "versions"]).index(index);
        let root = root.child("schema").child("openAPIV3Schema");
        if let Some(findings) =
            outcome.findings.as_deref().filter(|_| outcome.flags.has(Flags::NON_STRUCTURAL))
        {
            self.node(findings, &root, &mut Vec::new());
        }
    }

    /// The schema of the version `name` cannot be converted.
    pub(crate) fn fail(&mut self, name: &str, error: &str) {
        self.failure
            .get_or_insert_with(|| format!("failed to check validation schema for version {name}: {error}"));
    }

    fn node(&mut self, findings: &Findings, root: &FieldPath, path: &mut Vec<Segment>) {
        for finding in findings.own.iter().filter(|finding| finding.stage == Stage::Structural) {
            let mut field = root.join(path);
            field.extend(&finding.tail);
            let value = finding.value.as_ref().map_or(String::new(), |value| format!(": {value}"));
            let words = finding.words(root, path);
            self.messages.push(format!("{field}: {}{value}: {words}", finding.error.words()));
        }
        for below in &findings.below {
            let depth = path.len();
            below.step.push_to(path);
            self.node(&below.findings, root, path);
            path.truncate(depth);
        }
    }

    /// The messages, sorted, each once.
    pub(crate) fn finish(self) -> Vec<String> {
        let mut messages = self.failure.map_or(self.messages, |failure| vec![failure]);
        messages.sort();
        messages.dedup();
        messages
    }
}
