//! Rules whose cost depends on an unbounded value.

use api::Severity;
use yaml::Document;

use crate::Options;
use crate::cache::Cache;
use crate::cel::wording::{advice, of_limit};
use crate::finding::{Finding, RelatedInformation};
use crate::message::Message;
use crate::options::OptionalLint;
use crate::rules::costs;

/// Adds a finding for each rule in `document` that would be cheaper with a bound.
pub(crate) fn check(
    document: Document<'_>,
    options: &Options,
    cache: &mut Cache,
    findings: &mut Vec<Finding>,
) {
    if !options.optional_lints.contains(OptionalLint::UnboundedInRule) {
        return;
    }
    for version in costs(document, options, cache).into_iter().flat_map(|definition| definition.versions) {
        for rule in version.rules.into_iter().filter(|rule| !rule.unbounded.is_empty()) {
            let bounds: Vec<_> = rule.unbounded.iter().map(|one| (one.keyword, one.target())).collect();
            let cost = of_limit(rule.total, cel::cost::EXPRESSION_LIMIT, "");
            let problem = format!("without bounds, the estimated cost of this rule is {cost}");
            let remedy = advice(&problem, &bounds);
            let bound = |one: crate::cel::UnboundedValue| RelatedInformation::here(one.range, one.problem());
            findings.push(Finding {
                code: OptionalLint::UnboundedInRule.code(),
                severity: Severity::Hint,
                message: Message::new(problem).advise(remedy),
                range: rule.range,
                field_path: rule.path,
                api_server: None,
                related: rule.unbounded.into_iter().map(bound).collect(),
            });
        }
    }
}
