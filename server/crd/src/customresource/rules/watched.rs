//! What the evaluation of rules passes through, for those who count which parts of them were tried.

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

/// Hears of each part of a rule: where the rule stands, in bytes of the definition, which of its expressions it is, and what
/// came of it. Without an expression, the rule is about to be evaluated.
pub type Watch<'w> = &'w mut dyn FnMut(TextRange, Option<ExprId>, PartSeen);

/// What came of a part of a rule.
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

/// Evaluates the rules on an object that is created, or replaces what is `stored`; both as the server holds them.
pub fn watch_rules(
    object: &Value,
    stored: Option<&Value>,
    version: &ResourceVersion,
    server: KubernetesVersion,
    watch: Watch<'_>,
) {
    watch_on(object, stored, (version.schema(), true), server, watch);
}

/// The same of a part of an object that is created, which `schema` describes from `base`.
pub fn watch_rules_of_part(
    value: &Value,
    schema: (&Structural, TextSize),
    server: KubernetesVersion,
    watch: Watch<'_>,
) {
    watch_on(value, None, (schema, false), server, watch);
}

fn watch_on(
    value: &Value,
    stored: Option<&Value>,
    ((schema, base), is_resource): ((&Structural, TextSize), bool),
    server: KubernetesVersion,
    watch: Watch<'_>,
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
