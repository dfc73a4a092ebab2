//! Findings of an earlier generation that still apply.

use go::definition::Definition;
use ide::Finding;

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
            let known: Vec<&Finding> = same.flat_map(|other| &*other.findings).collect();
            tokens.retain(|token| {
                let finding = findings.get(token.number);
                finding.is_some_and(|finding| known.iter().any(|other| is_same_finding(other, finding)))
            });
        }
        kept
    }
}

fn is_same_kind(one: &Definition, other: &Definition) -> bool {
    (&one.group, &one.names.kind) == (&other.group, &other.names.kind)
}

fn is_same_finding(one: &Finding, other: &Finding) -> bool {
    (one.code, &one.field_path, &one.message) == (other.code, &other.field_path, &other.message)
}
