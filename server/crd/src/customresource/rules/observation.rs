//! Observes the evaluation of rules, for callers that count which parts of the rules were evaluated.

use cel::ast::ExprId;
use cel::value::{Outcome, Value as CelValue};
use text::{TextRange, TextSize};

use super::evaluate::{BUDGET, RulesOn, evaluate_watched};
use crate::KubernetesVersion;
use crate::customresource::correlation::Correlations;
use crate::customresource::version::ResourceVersion;
use crate::field_path::FieldPath;
use crate::schema::structural::Structural;
use crate::value::Value;

/// Is called for each part of a rule with the range of the rule, in bytes of the definition, the
/// subexpression, and its result. Without a subexpression, the rule is about to be evaluated.
pub type RuleObserver<'w> = &'w mut dyn FnMut(TextRange, Option<ExprId>, PartSeen);

/// The result of a part of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartSeen {
    /// `true` or `false`.
    Bool(bool),
    /// A list or a map without entries.
    Empty,
    /// A list or a map with entries.
    Filled,
    /// Anything else.
    Evaluated,
}

impl PartSeen {
    pub(super) fn of(outcome: &Outcome<CelValue<'_>>) -> Self {
        let filled = |len: usize| if len == 0 { Self::Empty } else { Self::Filled };
        match outcome {
            Ok(CelValue::Bool(value)) => Self::Bool(*value),
            Ok(CelValue::List(list)) => filled(list.len()),
            Ok(CelValue::Map(map)) => filled(map.len()),
            _ => Self::Evaluated,
        }
    }
}

/// Evaluates the rules on an object that is created, or replaces `stored`; both in the server's form.
pub fn watch_rules(
    object: &Value,
    stored: Option<&Value>,
    version: &ResourceVersion,
    server: KubernetesVersion,
    watch: RuleObserver<'_>,
) {
    watch_on(object, stored, (version.schema(), true), server, watch);
}

/// Like [`watch_rules`], for a part of an object that is created, which `schema` describes from `base`.
pub fn watch_rules_of_part(
    value: &Value,
    schema: (&Structural, TextSize),
    server: KubernetesVersion,
    watch: RuleObserver<'_>,
) {
    watch_on(value, None, (schema, false), server, watch);
}

fn watch_on(
    value: &Value,
    stored: Option<&Value>,
    ((schema, base), is_resource): ((&Structural, TextSize), bool),
    server: KubernetesVersion,
    watch: RuleObserver<'_>,
) {
    let rules = RulesOn {
        schema,
        base,
        is_resource,
        value,
        old: stored,
        ratchets: false,
        prefix: FieldPath::root(),
        version: server,
        budget: BUDGET,
    };
    evaluate_watched(&rules, &Correlations::default(), watch);
}
