//! Findings of an earlier generation that still apply.

use std::collections::HashSet;

use go::definition::Definition;
use ide::{Code, FieldPath, Finding, Message};

use super::GeneratedDefinitions;
use super::finding_tokens::DefinitionFindings;

impl GeneratedDefinitions {
    /// Drops the findings on definitions of the selected kinds that `earlier` does not have.
    #[must_use]
    pub(crate) fn keeping_known(&self, earlier: Option<&Self>, is_selected: &dyn Fn(&str) -> bool) -> Self {
        let mut kept = self.clone();
        let earlier = earlier.map(|earlier| earlier.definition_findings.as_slice()).unwrap_or_default();
        for of_definition in &mut kept.definition_findings {
            let DefinitionFindings { definition, findings, tokens, .. } = of_definition;
            if !is_selected(&definition.names.kind) {
                continue;
            }
            let same = earlier.iter().filter(|other| is_same_kind(&other.definition, definition));
            let known: HashSet<_> = same.flat_map(|other| other.findings.iter().map(key)).collect();
            tokens.retain(|token| findings.get(token.number).is_some_and(|one| known.contains(&key(one))));
        }
        kept
    }
}

fn is_same_kind(one: &Definition, other: &Definition) -> bool {
    (&one.group, &one.names.kind) == (&other.group, &other.names.kind)
}

/// The parts that two findings on the same place of two generations share.
fn key(finding: &Finding) -> (Code, &FieldPath, &Message) {
    (finding.code, &finding.field_path, &finding.message)
}
