//! The results of rules.

use ide::preview::{ResourceEvaluation, TracedExpression};
use serde::Serialize;

/// The results of the rules on a resource.
#[derive(Debug, Serialize)]
pub struct EvaluatedOutput<'a> {
    kind: &'a str,
    name: &'a str,
    /// Whether it replaces a stored resource.
    update: bool,
    /// Why the resource counts as new although a resource with that name is stored.
    #[serde(rename = "notCompared", skip_serializing_if = "Option::is_none")]
    not_compared: Option<&'a str>,
    rules: Vec<RuleOutput<'a>>,
}

#[derive(Debug, Serialize)]
struct RuleOutput<'a> {
    number: usize,
    path: &'a str,
    rule: &'a str,
    #[serde(flatten)]
    result: Option<ValueOutput<'a>>,
    /// Whether a violation causes only a warning, because the value equals the stored one.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    ratchets: bool,
    cost: u64,
    parts: Vec<PartOutput<'a>>,
}

#[derive(Debug, Serialize)]
struct PartOutput<'a> {
    text: &'a str,
    depth: usize,
    times: usize,
    values: Vec<ValueOutput<'a>>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
enum ValueOutput<'a> {
    Value(&'a str),
    Error(&'a str),
}

impl<'a> ValueOutput<'a> {
    fn new(result: &'a Result<String, String>) -> Self {
        match result {
            Ok(value) => Self::Value(value),
            Err(error) => Self::Error(error),
        }
    }
}

impl<'a> RuleOutput<'a> {
    fn new(of: &'a TracedExpression) -> Self {
        let parts = of.parts.iter().map(|part| PartOutput {
            text: of.text.get(part.range.as_usize()).unwrap_or_default(),
            depth: part.depth,
            times: part.times,
            values: part.values.iter().map(ValueOutput::new).collect(),
        });
        Self {
            number: of.number,
            path: &of.path,
            rule: &of.text,
            result: of.result.as_ref().map(ValueOutput::new),
            ratchets: of.ratchets,
            cost: of.cost,
            parts: parts.collect(),
        }
    }
}

impl<'a> EvaluatedOutput<'a> {
    /// The result of `of` with `rules`, the ones to report.
    #[must_use]
    pub fn new(of: &'a ResourceEvaluation, rules: &'a [TracedExpression]) -> Self {
        Self {
            kind: &of.kind,
            name: &of.name,
            update: of.is_update,
            not_compared: of.not_compared.as_deref(),
            rules: rules.iter().map(RuleOutput::new).collect(),
        }
    }
}
