//! Definitions that a later step makes from the output of controller-gen: a finding that this step repairs is not an error in
//! Go.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ide::{AnalysisBasis, Code, FieldPath, File, Finding, Settings, Severity, StopSignal, Surroundings};

use super::finding_tokens::steps_to;
use super::{GeneratedDefinitions, GoFileDefinitions, Product};

/// The keyword of rules, as it is written in a line.
const RULES: &str = "x-kubernetes-validations:";

/// If a generated definition has at least this number of nodes with rules, and a file has none, a step drops rules. A single rule
/// may be new.
const MANY_RULES: usize = 3;

/// A definition in a file that a later step wrote, with its findings.
#[derive(Debug)]
pub(crate) struct LaterDefinition {
    pub(super) path: PathBuf,
    file: File,
    findings: HashSet<(Code, FieldPath)>,
    /// Whether it has rules in CEL.
    has_rules: bool,
    /// The findings on the file from which it is made, if the project keeps that file as well.
    earlier_findings: Option<HashSet<(Code, FieldPath)>>,
}

impl LaterDefinition {
    /// Analyses the definition `text` of the file at `path`; `None` if the analysis was stopped.
    pub(crate) fn new(path: &Path, text: &str, settings: &Settings, stop: &StopSignal) -> Option<Self> {
        let file = AnalysisBasis::new(text, settings).analyse(Surroundings::default(), stop).ok()?;
        let found =
            file.findings().iter().map(|finding| (finding.code, finding.field_path.clone())).collect();
        let has_rules = text.contains(RULES);
        Some(Self { path: path.to_owned(), file, findings: found, has_rules, earlier_findings: None })
    }

    /// This definition, made from the file of `before`.
    pub(crate) fn made_of(self, before: Option<Self>) -> Self {
        Self { earlier_findings: before.map(|before| before.findings), ..self }
    }

    /// Whether the file repairs a finding: it has no such finding, and it has the same scalar as the generated definition at
    /// the node of the finding, or the parent of a missing node, or the step drops all rules. A single rule that is new in Go
    /// is not in the file, so its findings remain.
    fn repairs(&self, made: &GoFileDefinitions, product: &Product, finding: &Finding) -> bool {
        let key = (finding.code, finding.field_path.clone());
        if self.findings.contains(&key)
            || self.earlier_findings.as_ref().is_some_and(|before| !before.contains(&key))
        {
            return false;
        }
        if finding.code == Code::CelCrdCostTotal {
            return true;
        }
        let start = product.start;
        let steps = steps_to(made, &finding.shifted(start));
        let steps: Vec<&str> = steps.iter().map(String::as_str).collect();
        let above = steps.get(..steps.len().saturating_sub(1)).unwrap_or_default();
        let there = self.file.place_of(0, &steps);
        match (made.file.place_of(start, &steps), there) {
            (Some(mine), Some(there)) => {
                mine.scalar.map(|scalar| scalar.text) == there.scalar.map(|scalar| scalar.text)
            }
            _ => self.file.place_of(0, above).is_some() || self.is_of_dropped_rules(product, &steps),
        }
    }

    /// Whether a node of `product` belongs to the rules of the definition, all of which a step drops.
    fn is_of_dropped_rules(&self, product: &Product, steps: &[&str]) -> bool {
        let schema = steps.iter().position(|step| RULES.trim_end_matches(':') == *step);
        let schema = schema.and_then(|rules| steps.get(..rules));
        !self.has_rules
            && product.text.matches(RULES).nth(MANY_RULES - 1).is_some()
            && schema.is_some_and(|schema| self.file.place_of(0, schema).is_some())
    }
}

impl GeneratedDefinitions {
    /// Drops the findings on a product outside its schemas, if people write the rest of it.
    pub(crate) fn keep_schemas(&mut self, is_patched: &dyn Fn(&str) -> bool) {
        for shown in &mut self.definition_findings {
            let mut files = self.outcome.files.iter();
            let file = files.find(|file| Arc::ptr_eq(&file.definition, &shown.definition));
            if file.is_some_and(|file| is_patched(&file.name)) {
                let findings = Arc::clone(&shown.findings);
                let is_of_schema = |number: usize| {
                    let finding = findings.get(number);
                    finding.is_some_and(|finding| finding.field_path.to_string().contains(".schema."))
                };
                shown.tokens.retain(|token| is_of_schema(token.number));
            }
        }
    }

    /// Turns the errors that a later step repairs into hints; `later` returns the definition that this step makes from a product.
    pub(crate) fn downgrade_repaired(&mut self, later: &dyn Fn(&str) -> Option<Arc<LaterDefinition>>) {
        let mut all = std::mem::take(&mut self.definition_findings);
        for shown in &mut all {
            let name =
                self.outcome.files.iter().find(|file| Arc::ptr_eq(&file.definition, &shown.definition));
            let Some((product, made)) =
                name.and_then(|file| self.products().find(|(product, _)| product.name == file.name))
            else {
                continue;
            };
            for token in &mut shown.tokens {
                let finding = shown.findings.get(token.number);
                let error = finding.filter(|finding| finding.severity == Severity::Error);
                let repaired = error.and_then(|finding| {
                    let later = later(&product.name)?;
                    later.repairs(made, product, finding).then(|| later.path.clone())
                });
                token.repaired_in = repaired;
            }
        }
        self.definition_findings = all;
    }
}
