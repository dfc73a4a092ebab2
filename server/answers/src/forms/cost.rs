//! The costs of rules; names and order are those of the project's oracle.

use ide::{DefinitionCost, EXPRESSION_LIMIT, RuleCost, SCHEMA_LIMIT, VersionCost};
use serde::Serialize;
use text::{PositionEncoding, TextBuffer, TextRange, TextSize};

/// The cost limit of one evaluation at run time.
const RUNTIME_LIMIT: u64 = 1_000_000;

/// The first line of a document's text after its marker, counted from 1.
#[must_use]
pub fn first_line(text: &TextBuffer, start: TextSize) -> u32 {
    let line = text.position(start, PositionEncoding::Utf8).line + 1;
    if has_marker(text, start) { line + 1 } else { line }
}

/// Whether the line at `start` holds only the marker of a document.
fn has_marker(text: &TextBuffer, start: TextSize) -> bool {
    let line = text.slice(TextRange::new(start, text.len().min(start + 80)));
    let rest = line.lines().next().and_then(|line| line.strip_prefix("---")).map(str::trim_start);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('#'))
}

/// The costs of the rules of a definition.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DefinitionOutput<'a> {
    file: &'a str,
    doc_index: usize,
    line: u32,
    name: &'a str,
    versions: Vec<VersionOutput<'a>>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct VersionOutput<'a> {
    version: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a str>,
    total: u64,
    per_rule_limit: u64,
    total_limit: u64,
    runtime_per_call_limit: u64,
    rules: Vec<RuleOutput<'a>>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct RuleOutput<'a> {
    path: String,
    rule: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a str>,
    per_call: u64,
    max_cardinality: u64,
    bounded: bool,
    total: u64,
    uses_old_self: bool,
    #[serde(skip_serializing_if = "str::is_empty")]
    message_expression: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    message_expression_error: Option<&'a str>,
    #[serde(skip_serializing_if = "is_zero")]
    message_expression_cost: u64,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl<'a> DefinitionOutput<'a> {
    /// The costs of a definition in the document of this number, which begins at `line`.
    #[must_use]
    pub fn new(file: &'a str, doc_index: usize, line: u32, cost: &'a DefinitionCost) -> Self {
        let versions = cost.versions.iter().map(VersionOutput::new).collect();
        Self { file, doc_index, line, name: &cost.name, versions }
    }
}

impl<'a> VersionOutput<'a> {
    fn new(cost: &'a VersionCost) -> Self {
        Self {
            version: &cost.version,
            error: cost.error.as_deref(),
            total: cost.total,
            per_rule_limit: EXPRESSION_LIMIT,
            total_limit: SCHEMA_LIMIT,
            runtime_per_call_limit: RUNTIME_LIMIT,
            rules: cost.rules.iter().map(RuleOutput::new).collect(),
        }
    }
}

impl<'a> RuleOutput<'a> {
    fn new(cost: &'a RuleCost) -> Self {
        Self {
            path: cost.path.to_string(),
            rule: &cost.rule,
            error: cost.error.as_deref(),
            per_call: cost.per_call,
            max_cardinality: cost.times,
            bounded: cost.bounded,
            total: cost.total,
            uses_old_self: cost.uses_old_self,
            message_expression: &cost.message_expression,
            message_expression_error: cost.message_expression_error.as_deref(),
            message_expression_cost: cost.message_expression_cost,
        }
    }
}
