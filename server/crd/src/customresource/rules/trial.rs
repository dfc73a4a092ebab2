//! Evaluates a rule on generated values: the result for each, and the failing part.

use cel::ast::ExprId;
use cel::value::Value as CelValue;
use cel::{CheckedExpr, Environment, EvalError, PER_CALL_LIMIT};

use text::TextRange;

use super::data::data_schema;
use super::evaluate::{BUDGET, RulesOn, evaluate};
use crate::KubernetesVersion;
use crate::cel::{Expression, Purpose, Runnable, SchemaType};
use crate::customresource::correlation::Correlations;
use crate::customresource::error::ValueError;
use crate::field_path::FieldPath;
use crate::regexp::Engine;
use crate::schema::structural::Structural;
use crate::value::Value;

/// The result of a rule for a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RuleResult {
    /// The rule is true.
    Holds,
    /// The rule is false.
    Breaks,
    /// The evaluation fails, so that the value is rejected.
    Fails {
        /// The error.
        error: String,
        /// Whether a function was called with argument types that it does not accept.
        is_overload: bool,
    },
    /// The rule is a transition rule without an old value.
    IsNotRun,
    /// The rule has a pattern that crd-ls does not evaluate.
    Unknown,
}

impl RuleResult {
    /// Whether the server accepts the value; `None` if this is unknown.
    #[must_use]
    pub fn accepts(&self) -> Option<bool> {
        match self {
            Self::Holds | Self::IsNotRun => Some(true),
            Self::Breaks | Self::Fails { .. } => Some(false),
            Self::Unknown => None,
        }
    }
}

/// A compiled rule of a schema node.
pub(crate) struct CompiledRule<'s> {
    schema: &'s Structural,
    is_resource: bool,
    optional_old_self: bool,
    runnable: Runnable,
}

impl<'s> CompiledRule<'s> {
    /// Compiles the rule `text` of `schema`, whose declared type is `of`; `None` if it does not compile.
    pub(crate) fn new(
        schema: &'s Structural,
        is_resource: bool,
        of: &SchemaType,
        text: &str,
        optional_old_self: bool,
    ) -> Option<Self> {
        let env = Environment::for_stored_rules();
        let expression = Expression { text, purpose: Purpose::Rule, self_type: of, optional_old_self, env };
        let runnable = expression.program(&Engine::new()).ok()?;
        Some(Self { schema, is_resource, optional_old_self, runnable })
    }

    /// Whether the rule reads `oldSelf`.
    pub(crate) fn uses_old_self(&self) -> bool {
        self.runnable.uses_old_self
    }

    pub(crate) fn ast(&self) -> &cel::ast::Ast {
        self.runnable.ast()
    }

    pub(crate) fn checked(&self) -> &CheckedExpr {
        self.runnable.checked()
    }

    /// The result for `value`, which replaces `old`.
    pub(crate) fn result_for(&self, value: &Value, old: Option<&Value>) -> RuleResult {
        self.watched(value, old).0
    }

    /// The result, and the first part that was called with argument types that it does not accept.
    pub(crate) fn watched(&self, value: &Value, old: Option<&Value>) -> (RuleResult, Option<ExprId>) {
        let old = old.filter(|old| !old.is_null());
        // Rules are not evaluated on null.
        if value.is_null() || self.runnable.uses_old_self && old.is_none() && !self.optional_old_self {
            return (RuleResult::IsNotRun, None);
        }
        if self.runnable.is_unsure {
            return (RuleResult::Unknown, None);
        }
        let schema = data_schema(self.schema, self.is_resource);
        let this = CelValue::of_data(value, schema);
        let old = old.map(|old| CelValue::of_data(old, schema));
        let old = match (self.optional_old_self, old) {
            (false, old) => old,
            (true, None) => Some(Ok(CelValue::Optional(None))),
            (true, Some(old)) => Some(old.map(CelValue::some)),
        };
        let engine = Engine::new();
        let mut failed = None;
        let mut watch = |part: ExprId, outcome: &cel::value::Outcome<CelValue<'_>>| {
            if failed.is_none() && matches!(outcome, Err(error) if is_overload(error)) {
                failed = Some(part);
            }
        };
        let values = [Some(this), old];
        let result = self.runnable.program.observe(&values, &engine, PER_CALL_LIMIT, &mut watch).result;
        let answer = match result {
            _ if engine.is_unsure() => RuleResult::Unknown,
            Err(EvalError::Panic(_)) => RuleResult::Unknown,
            Ok(CelValue::Bool(true)) => RuleResult::Holds,
            Ok(_) => RuleResult::Breaks,
            Err(error) => RuleResult::Fails { is_overload: is_overload(&error), error: error.to_string() },
        };
        (answer, failed)
    }
}

/// Whether rules of `schema` or its descendants reject `value`, other than the rule at `own` and rules that
/// fail for argument types.
pub(crate) fn other_rules_reject(
    (schema, is_resource): (&Structural, bool),
    own: Option<TextRange>,
    value: &Value,
    old: Option<&Value>,
    version: KubernetesVersion,
) -> bool {
    let rules = RulesOn {
        schema,
        base: 0,
        is_resource,
        value,
        old,
        ratchets: false,
        prefix: FieldPath::root(),
        version,
        budget: BUDGET,
    };
    let evaluation = evaluate(&rules, &Correlations::default());
    let is_other = |error: &ValueError| {
        let is_own = error.path.is_empty() && error.rule.is_some_and(|rule| Some(rule.range) == own);
        !is_own && !error.detail.starts_with("'no such overload")
    };
    evaluation.incomplete || evaluation.budget < 0 || evaluation.errors.iter().any(is_other)
}

fn is_overload(error: &EvalError) -> bool {
    error.to_string().starts_with("no such overload")
}
