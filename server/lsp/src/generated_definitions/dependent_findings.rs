//! Findings that a generation from other texts does not have.

use std::collections::{HashMap, HashSet};

use ide::{Code, FieldPath, Finding, Severity};

use super::GeneratedDefinitions;
use super::finding_tokens::DefinitionFindings;

/// Findings by the names of their definitions.
#[derive(Debug, Default)]
pub(crate) struct DependentFindings {
    by_product: HashMap<String, HashSet<(Code, FieldPath)>>,
}

impl DependentFindings {
    pub(crate) fn is_empty(&self) -> bool {
        self.by_product.values().all(HashSet::is_empty)
    }
}

impl GeneratedDefinitions {
    /// Whether a finding is reported that a single marker or tag may cause.
    pub(crate) fn may_depend_on_markers(&self) -> bool {
        let may_depend = |shown: &DefinitionFindings| {
            let mut found = shown.tokens.iter().filter_map(|token| shown.findings.get(token.number));
            found.any(|found| is_of_marker(found.code))
        };
        self.definition_findings.iter().any(may_depend)
    }

    /// The findings that `other` does not have. If it has another finding of the same rule, that may be the same one at a path
    /// with another name.
    pub(crate) fn missing_in(&self, other: &Self) -> DependentFindings {
        let there = other.keys_by_product();
        let missing = self.keys_by_product().into_iter().filter_map(|(product, here)| {
            let there = there.get(&product).cloned().or_else(|| {
                let is_there = other.outcome.files.iter().any(|file| file.name == product);
                is_there.then(HashSet::new)
            })?;
            let moved: HashSet<Code> = there.difference(&here).map(|(code, _)| *code).collect();
            let is_dependent = |code: &Code| is_of_marker(*code) && !moved.contains(code);
            let missing = here.difference(&there).filter(|(code, _)| is_dependent(code));
            Some((product, missing.cloned().collect()))
        });
        DependentFindings { by_product: missing.collect() }
    }

    /// Drops findings; returns the highest severity of those that were reported.
    pub(crate) fn drop_findings(&mut self, dependent: &DependentFindings) -> Option<Severity> {
        let mut most = None;
        let names = self.names_of_findings();
        for (shown, name) in self.definition_findings.iter_mut().zip(names) {
            let Some(keys) = name.and_then(|name| dependent.by_product.get(&name)) else { continue };
            let DefinitionFindings { findings, tokens, .. } = shown;
            tokens.retain(|token| {
                let found = findings.get(token.number).filter(|found| keys.contains(&key(found)));
                let Some(found) = found else { return true };
                let severity = if token.repaired_in.is_some() { Severity::Hint } else { found.severity };
                most = Some(most.map_or(severity, |most: Severity| most.min(severity)));
                false
            });
        }
        most
    }

    fn keys_by_product(&self) -> HashMap<String, HashSet<(Code, FieldPath)>> {
        let mut keys: HashMap<String, HashSet<(Code, FieldPath)>> = HashMap::new();
        for (shown, name) in self.definition_findings.iter().zip(self.names_of_findings()) {
            let Some(name) = name else { continue };
            keys.entry(name).or_default().extend(shown.findings.iter().map(key));
        }
        keys
    }

    /// The name of the definition of each of `definition_findings`.
    fn names_of_findings(&self) -> Vec<Option<String>> {
        let name_of = |shown: &DefinitionFindings| {
            let mut files = self.outcome.files.iter();
            let file = files.find(|file| std::sync::Arc::ptr_eq(&file.definition, &shown.definition));
            file.map(|file| file.name.clone())
        };
        self.definition_findings.iter().map(name_of).collect()
    }
}

/// Whether a marker or a tag may cause findings with this code. The size of a definition is not the effect of a single one.
fn is_of_marker(code: Code) -> bool {
    code != Code::LintSize
}

fn key(finding: &Finding) -> (Code, FieldPath) {
    (finding.code, finding.field_path.clone())
}
