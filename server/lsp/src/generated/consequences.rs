//! Findings that follow from another one at the same Go token: there, one mistake has one finding.
//!
//! kube-apiserver reports all of them, at places of the definition that one token makes.

use std::collections::{HashMap, HashSet};

use ide::{Code, Finding};
use text::TextRange;

/// Codes, each with those that follow from it at the same token.
const CONSEQUENCES: &[(Code, &[Code])] = &[
    (Code::CelMessageExpressionCost, &[Code::CelCrdCostContributor]),
    (Code::CelRuleCost, &[Code::CelCrdCostContributor]),
    (Code::DefaultsSchema, &[Code::YamlStringReading]),
    (Code::ScaleSpecReplicasPath, &[Code::LintScalePath]),
    (Code::ScaleStatusReplicasPath, &[Code::LintScalePath]),
    (Code::SchemaListMapItemsObject, &[Code::SchemaListMapKeysRequired]),
    (Code::SchemaSetItemsAtomic, &[Code::WarnListSetNonScalar]),
    (Code::StructuralEmbeddedType, &[Code::StructuralEmbeddedProperties]),
];

/// Leaves out what follows from another finding.
///
/// A value that is read as something else than it looks like is the cause of all that is wrong with it, and as severe.
pub(crate) fn drop_consequences(findings: &mut Vec<Finding>) {
    let told: HashSet<(TextRange, Code)> =
        findings.iter().map(|finding| (finding.range, finding.code)).collect();
    let misread = |finding: &Finding| {
        finding.code != Code::GoMarkerValue && told.contains(&(finding.range, Code::GoMarkerValue))
    };
    let mut severity = HashMap::new();
    for finding in findings.iter().filter(|finding| misread(finding)) {
        let most = severity.entry(finding.range).or_insert(finding.severity);
        *most = finding.severity.min(*most);
    }
    findings.retain(|finding| {
        let mut causes = CONSEQUENCES.iter().filter(|(_, others)| others.contains(&finding.code));
        !misread(finding) && !causes.any(|(cause, _)| told.contains(&(finding.range, *cause)))
    });
    for finding in findings.iter_mut().filter(|finding| finding.code == Code::GoMarkerValue) {
        if let Some(most) = severity.get(&finding.range) {
            finding.severity = finding.severity.min(*most);
        }
    }
}
