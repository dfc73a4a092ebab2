//! Findings that follow from another finding at the same Go token: in Go, one error has one finding.
//!
//! kube-apiserver reports all of them, at the places of the definition that are generated from that token.

use std::collections::{HashMap, HashSet};

use ide::{Code, Finding};
use text::TextRange;

/// Codes, each with those that follow from it at the same token.
const CONSEQUENCES: &[(Code, &[Code])] = &[
    (Code::CelMessageExpressionCost, &[Code::CelCrdCostContributor]),
    (Code::CelRuleCost, &[Code::CelCrdCostContributor]),
    (Code::GoGeneration, &[Code::SchemaSetItemsAtomic, Code::WarnListSetNonScalar]),
    (Code::DefaultsSchema, &[Code::GoEncoding, Code::YamlStringReading]),
    (Code::LintBounds, &[Code::LintIntegerRange]),
    (Code::ScaleSpecReplicasPath, &[Code::LintScalePath]),
    (Code::ScaleStatusReplicasPath, &[Code::LintScalePath]),
    (Code::SchemaListMapItemsObject, &[Code::SchemaListMapKeysRequired]),
    (Code::SchemaSetItemsAtomic, &[Code::WarnListSetNonScalar]),
    (Code::VersionsName, &[Code::VersionsVersionName]),
    (Code::SchemaTypeNull, &[Code::SchemaTypeUnsupported]),
    (Code::SchemaTypeUnsupported, &[Code::WarnUnrecognizedFormat]),
    (Code::StructuralEmbeddedAdditionalProperties, &[Code::StructuralEmbeddedProperties]),
    (Code::StructuralEmbeddedType, &[Code::StructuralEmbeddedProperties]),
];

/// The rules for markers without effect, which may cause other findings.
const WITHOUT_EFFECT: &[Code] = &[
    Code::GoMarkerForm,
    Code::GoMarkerPosition,
    Code::GoMarkerTarget,
    Code::GoMarkerUnknown,
    Code::GoMarkerUnused,
    Code::GoMarkerValue,
];

/// The findings that say that a keyword itself is wrong, so that defaults are rejected for that reason.
const OF_KEYWORDS: &[Code] =
    &[Code::StructuralPattern, Code::CelRuleCompile, Code::GoMarkerValue, Code::LintIntegerRange];

/// The finding on the keyword that rejects a default, according to the place that the finding on the default refers to.
fn cause_of_default(finding: &Finding, of_keywords: &[Finding]) -> Option<(TextRange, Code)> {
    if !matches!(finding.code, Code::DefaultsSchema | Code::DefaultsCel) {
        return None;
    }
    let mut keywords = finding.related.iter().filter(|related| related.elsewhere.is_none());
    keywords.find_map(|keyword| {
        let is_cause = |other: &&Finding| match other.code {
            // Another value of an enum may be wrong as well.
            Code::GoMarkerValue => other.range == keyword.range,
            _ => keyword.range.contains_range(other.range),
        };
        of_keywords.iter().find(is_cause).map(|other| (other.range, other.code))
    })
}

/// Whether a finding follows from another one on the whole value around it, or on the definition.
///
/// What a rule costs is unknown until it compiles, and the total of all rules until each is within its own limit. A rule that
/// a rejected default makes superfluous is none. What is read from a value in the wrong quotes is not what its author wrote.
fn of_whole_values(findings: &[Finding]) -> impl Fn(&Finding) -> bool + use<> {
    let ranges = |code: Code| -> Vec<TextRange> {
        findings.iter().filter(|one| one.code == code).map(|one| one.range).collect()
    };
    let (compiled, values) = (ranges(Code::CelRuleCompile), ranges(Code::GoMarkerValue));
    let (defaults, costly) = (ranges(Code::DefaultsSchema), ranges(Code::CelRuleCost));
    move |finding| {
        let is_within = |ranges: &[TextRange]| ranges.iter().any(|range| range.contains_range(finding.range));
        match finding.code {
            Code::CelRuleCost | Code::CelOldSelfUncorrelatable => {
                compiled.iter().any(|rule| finding.range.contains_range(*rule))
            }
            Code::CelCrdCostTotal => !costly.is_empty(),
            Code::CelRuleCompile => is_within(&values),
            Code::DefaultsUnknownFields => is_within(&defaults),
            Code::LintCelNeverFails => !defaults.is_empty(),
            _ => false,
        }
    }
}

/// Removes the findings that follow from another one.
///
/// If controller-gen reads a value differently from how it looks, that is the cause of all findings on the value, and gets the
/// highest of their severities. The same applies to a misplaced marker of the group. All values of an enum may have one cause.
pub(crate) fn drop_consequences(findings: &mut Vec<Finding>) {
    let reported: HashSet<(TextRange, Code)> =
        findings.iter().map(|finding| (finding.range, finding.code)).collect();
    let of_keywords: Vec<Finding> =
        findings.iter().filter(|finding| OF_KEYWORDS.contains(&finding.code)).cloned().collect();
    let cause_of = |finding: &Finding| {
        if let Some(cause) = cause_of_default(finding, &of_keywords) {
            return Some(cause);
        }
        let causes: &[Code] = match finding.code {
            Code::GoMarkerValue => &[],
            Code::SpecGroupRequired | Code::VersionsOneStorage | Code::SchemaListMapKeysRequired => {
                WITHOUT_EFFECT
            }
            _ => &[Code::GoMarkerValue],
        };
        let cause = causes.iter().copied().find(|cause| reported.contains(&(finding.range, *cause)))?;
        Some((finding.range, cause))
    };
    let enums: Vec<TextRange> =
        findings.iter().filter(|one| one.code == Code::GoMarkerValue).map(|one| one.range).collect();
    let is_of_enum = |finding: &Finding| {
        matches!(finding.code, Code::LintEnumType | Code::LintRepeatedItem | Code::YamlStringReading)
            && enums.iter().any(|range| range.start <= finding.range.start && finding.range.end <= range.end)
    };
    // The value of a marker without effect follows its `=`.
    let unused: HashSet<u32> =
        findings.iter().filter(|one| one.code == Code::GoMarkerUnused).map(|one| one.range.end + 1).collect();
    let is_of_unused =
        |finding: &Finding| finding.code == Code::LintBounds && unused.contains(&finding.range.start);
    // The value of a marker that another one overrides may itself be rejected.
    let rejected: HashSet<u32> =
        findings.iter().filter(|one| one.code == Code::GoGeneration).map(|one| one.range.start).collect();
    let is_rejected = |finding: &Finding| {
        finding.code == Code::GoMarkerOverridden && rejected.contains(&(finding.range.end + 1))
    };
    let is_inside_cause = of_whole_values(findings);
    let mut severity = HashMap::new();
    for finding in findings.iter() {
        if let Some(cause) = cause_of(finding) {
            let most = severity.entry(cause).or_insert(finding.severity);
            *most = finding.severity.min(*most);
        }
    }
    findings.retain(|finding| {
        let mut causes = CONSEQUENCES.iter().filter(|(_, others)| others.contains(&finding.code));
        cause_of(finding).is_none()
            && !is_of_enum(finding)
            && !is_of_unused(finding)
            && !is_rejected(finding)
            && !is_inside_cause(finding)
            && !causes.any(|(cause, _)| reported.contains(&(finding.range, *cause)))
    });
    for finding in findings.iter_mut() {
        if let Some(most) = severity.get(&(finding.range, finding.code)) {
            finding.severity = finding.severity.min(*most);
        }
    }
}
