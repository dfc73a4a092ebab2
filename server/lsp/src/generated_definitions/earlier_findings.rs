//! Findings of an earlier generation that still apply.

use std::collections::HashSet;
use std::sync::Arc;

use go::definition::Definition;
use ide::{Code, FieldPath, Finding, Message};

use super::GeneratedDefinitions;
use super::code_classes::is_of_cost;
use super::finding_tokens::DefinitionFindings;

impl GeneratedDefinitions {
    /// The number of findings on definitions.
    #[must_use]
    pub(crate) fn finding_count(&self) -> usize {
        self.definition_findings.iter().map(|of_definition| of_definition.tokens.len()).sum()
    }

    /// The definitions without the findings that may follow from a rejected marker: `complete`, the last generation without rejected
    /// markers, does not have them.
    #[must_use]
    pub(crate) fn without_unconfirmed(&self, complete: Option<&Self>) -> Self {
        let any = self.outcome.types_with_rejected_markers(|_| true);
        let of_structure = self.outcome.types_with_rejected_markers(|meaning| !meaning.only_restricts());
        let may_follow = |kind: &str, code: Code| {
            let depends_on =
                |types: &Option<HashSet<Arc<str>>>| types.as_ref().is_none_or(|types| types.contains(kind));
            depends_on(&of_structure) || is_of_cost(code) && depends_on(&any)
        };
        let mut kept = self.clone();
        let known = complete.map(|complete| complete.definition_findings.as_slice()).unwrap_or_default();
        for of_definition in &mut kept.definition_findings {
            let DefinitionFindings { definition, findings, tokens, .. } = of_definition;
            let same = known.iter().filter(|other| is_same_kind(&other.definition, definition));
            let known: HashSet<_> = same.flat_map(|other| other.findings.iter().map(key)).collect();
            let is_confirmed = |found: &Finding| {
                !may_follow(&definition.names.kind, found.code) || known.contains(&key(found))
            };
            tokens.retain(|token| findings.get(token.number).is_some_and(is_confirmed));
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
