//! One rule of a node: both its expressions, and the cost of all evaluations.

use crate::Cache;
use api::Difference;
use std::sync::Arc;

use super::compile::{CompiledExpression, Expression, Problem, Purpose};
use super::declare::SchemaType;
use super::stored_expressions::StoredTexts;
use crate::KubernetesVersion;
use crate::schema::structural::ValidationRule;

/// The inputs besides the node that the result for a rule depends on.
#[derive(Clone, Copy)]
pub(crate) struct RuleContext<'a> {
    pub(crate) stored_texts: &'a StoredTexts,
    pub(crate) version: KubernetesVersion,
}

/// A rule that was compiled and priced.
pub(crate) struct CheckedRule<'r> {
    pub(crate) rule: (Expression<'r>, Arc<CompiledExpression>),
    /// `messageExpression`, unless it is absent or empty.
    pub(crate) message: Option<(Expression<'r>, Arc<CompiledExpression>)>,
    /// The maximum cost of all evaluations of the rule, in CEL cost units.
    pub(crate) total: u64,
}

impl<'r> CheckedRule<'r> {
    /// Compiles `rule`, whose `self` has the type `of` and which is evaluated at most `times` times.
    pub(crate) fn new(
        rule: &'r ValidationRule,
        of: &'r SchemaType,
        times: u64,
        context: RuleContext<'_>,
        cache: &mut Cache,
    ) -> Self {
        let version = context.version;
        let expression = |text, purpose| Expression {
            text,
            purpose,
            self_type: of,
            optional_old_self: knows_optional_old_self(version) && rule.optional_old_self == Some(true),
            env: context.stored_texts.environment(text, purpose, version),
        };
        let own = expression(&rule.rule, Purpose::Rule);
        let message = |cache: &mut Cache| {
            let is_known = version.has(Difference::MessageExpressions) && !rule.message_expression.is_empty();
            is_known.then(|| {
                let message = expression(&rule.message_expression, Purpose::Message);
                let compiled = cache.compile(&message);
                (message, compiled)
            })
        };
        // The server does not compile blank rules; it rejects them before (check 129).
        if rule.rule.trim().is_empty() {
            let nothing = CompiledExpression {
                problem: None,
                uses_old_self: false,
                cost: 0,
                corrected: None,
                has_unguarded_reads: false,
                is_dynamic: false,
                hash: own.hash(),
            };
            return Self { rule: (own, Arc::new(nothing)), message: message(cache), total: 0 };
        }
        let compiled = cache.compile(&own);
        let total = compiled.cost.saturating_mul(times);
        Self { rule: (own, compiled), message: message(cache), total }
    }

    /// Whether the server compiles `messageExpression`: it does so only if the rule compiles.
    pub(crate) fn reaches_message(&self) -> bool {
        self.rule.1.problem.is_none() && !self.rule.0.text.trim().is_empty()
    }

    /// The cost of the message if the server prices it; it is evaluated at most once.
    pub(crate) fn message_cost(&self) -> u64 {
        let message = self.message.as_ref().filter(|_| self.reaches_message());
        message.map_or(0, |(_, compiled)| compiled.cost)
    }
}

/// Whether the server reads `optionalOldSelf`; before 1.30 it drops the field by default.
pub(crate) fn knows_optional_old_self(version: KubernetesVersion) -> bool {
    version.has(Difference::OptionalOldSelf)
}

/// The server's error message for the problem that keeps `expression` from compiling.
pub(crate) fn detail(expression: &Expression<'_>, problem: &Problem) -> String {
    match (problem, expression.purpose) {
        (Problem::Issues { issues, .. }, purpose) => {
            let what = if purpose == Purpose::Rule { "" } else { "messageExpression " };
            format!("{what}compilation failed: {}", cel::issue::render(expression.text, issues))
        }
        (Problem::Output(_), Purpose::Rule) => "cel expression must evaluate to a bool".to_owned(),
        (Problem::Program { error, .. }, Purpose::Rule) => format!("program instantiation failed: {error}"),
        (Problem::Program { error, .. }, Purpose::Message) => {
            format!("messageExpression instantiation failed: {error}")
        }
        (Problem::Output(_), Purpose::Message) => "messageExpression must evaluate to a string".to_owned(),
    }
}

/// The server's error message for a cost that exceeds `limit`.
pub(crate) fn exceeds(what: &str, cost: u64, limit: u64) -> String {
    let factor = cost as f64 / limit as f64;
    let factor = if factor > 100.0 {
        "more than 100x".to_owned()
    } else if factor < 1.5 {
        format!("{factor:.6}x")
    } else {
        format!("{factor:.1}x")
    };
    format!(
        "{what} exceeds budget by factor of {factor} (try simplifying the rule, or adding maxItems, maxProperties, \
         and maxLength where arrays, maps, and strings are declared)"
    )
}
