//! Rules whose cost rests on something without a bound.

use api::Severity;
use yaml::Document;

use crate::Options;
use crate::cache::Cache;
use crate::cel::{cost_words, grouped};
use crate::finding::{Finding, Related};
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
    if !options.optional_lints.has(OptionalLint::UnboundedInRule) {
        return;
    }
    for version in costs(document, options, cache).into_iter().flat_map(|definition| definition.versions) {
        for rule in version.rules.into_iter().filter(|rule| !rule.unbounded.is_empty()) {
            let places: Vec<String> = rule
                .unbounded
                .iter()
                .map(|one| format!("`{}` has no `{}`", one.place(), one.keyword()))
                .collect();
            let bound = |one: crate::cel::Unbounded| {
                Related::here(one.range, format!("`{}` is missing here", one.keyword()))
            };
            findings.push(Finding {
                code: OptionalLint::UnboundedInRule.code(),
                severity: Severity::Hint,
                message: Message::new(format!(
                    "the estimated cost of this rule ({} of {}) assumes the largest request that kube-apiserver accepts: {}",
                    cost_words(rule.total),
                    grouped(cel::cost::EXPRESSION_LIMIT),
                    places.join(", ")
                )),
                range: rule.range,
                field_path: rule.path,
                api_server: None,
                related: rule.unbounded.into_iter().map(bound).collect(),
            });
        }
    }
}
