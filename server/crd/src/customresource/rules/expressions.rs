//! Evaluates the rules of one node on one value (`validateExpressions`).

use api::Difference;
use cel::value::{Outcome, Value as CelValue};
use cel::{EvalError, PER_CALL_LIMIT, Program};

use super::data::data_schema;
use super::evaluate::{Evaluator, ValueAt};
use super::node_rules::{NodeRules, Role};
use super::observation::PartSeen;
use super::program::RuleProgram;
use super::reads::values_read;
use crate::customresource::error::{Facts, Rule, ValueError, error_text, field_of};
use crate::customresource::failed_rule::{FailedRule, Failure};
use crate::field_path::FieldPath;
use crate::regexp::Engine;
use crate::report::ErrorType;
use crate::schema::Keyword;
use crate::value::quoted;

/// The maximum length of a message, in bytes.
const MAX_MESSAGE: usize = 5_120;
/// The maximum number of errors.
const MAX_ERRORS: usize = 10_000;
const OUT_OF_BUDGET: &str = "due to running out of cost budget, no further validation rules will be run";

impl<'a> Evaluator<'_, 'a, '_> {
    /// Evaluates the rules of the node itself.
    pub(super) fn expressions(&mut self, ready: &'a NodeRules, at: &ValueAt<'a>) {
        // After its wrong type is corrected, the node has a type for the rules.
        if ready.is_untyped && !self.evaluates {
            return;
        }
        if ready.is_untyped {
            let detail =
                "rule compiler initialization error: failed to convert to declType for CEL validation rules";
            return self.refuse(at, None, detail.to_owned(), Failure::NotCompiled);
        }
        if ready.own.is_empty() {
            return;
        }
        if !self.evaluates {
            let broken =
                ready.own.iter().filter_map(|rule| Some((rule, rule.program.as_ref()?.as_ref().err()?)));
            broken.for_each(|(rule, problem)| {
                self.refuse(at, Some(rule), not_compiled(problem), Failure::NotCompiled);
            });
            return;
        }
        if self.outcome.budget <= 0 {
            let first = ready.own.first();
            return self.stop(at, first, &format!("validation failed {OUT_OF_BUDGET}"));
        }
        let seen = RuleVariables::new(at, ready.own.iter().any(|rule| rule.uses_old_self));
        for rule in &ready.own {
            match &rule.program {
                None => {}
                Some(Err(problem)) => {
                    self.refuse(at, Some(rule), not_compiled(problem), Failure::NotCompiled);
                }
                Some(Ok(_)) if rule.is_unsure => self.outcome.incomplete = true,
                Some(Ok(program)) => self.rule(rule, program, at, &seen),
            }
            if self.is_over() {
                return;
            }
        }
    }

    fn rule(
        &mut self,
        rule: &'a RuleProgram,
        program: &'a Program,
        at: &ValueAt<'a>,
        seen: &RuleVariables<'a>,
    ) {
        let has_old = at.old.is_some_and(|old| !old.is_null());
        let allows_missing_old = rule.optional_old_self && self.on.version.has(Difference::OptionalOldSelf);
        if rule.uses_old_self && !has_old && !allows_missing_old {
            return;
        }
        let engine = Engine::new();
        let values = seen.values(rule.optional_old_self);
        let evaluation = match &mut self.watch {
            None => program.evaluate(&values, &engine, PER_CALL_LIMIT),
            Some(watch) => {
                let range = rule.range.wrapping_shifted(at.base);
                watch(range, None, PartSeen::Evaluated);
                program.observe(&values, &engine, PER_CALL_LIMIT, &mut |part, outcome| {
                    watch(range, Some(part), PartSeen::of(outcome));
                })
            }
        };
        if engine.is_unsure() || matches!(evaluation.result, Err(EvalError::Panic(_))) {
            self.outcome.incomplete = true;
            return;
        }
        if !self.spend(evaluation.cost) {
            return self.stop(at, Some(rule), &format!("validation failed {OUT_OF_BUDGET}"));
        }
        let words = rule.message();
        match evaluation.result {
            Ok(CelValue::Bool(true)) => {}
            Ok(_) => self.broken(rule, at, seen),
            Err(error @ EvalError::CostLimit) => {
                let why = "no further validation rules will be run due to call cost exceeds limit for rule";
                self.stop(at, Some(rule), &format!("'{error}': {why}: {words}"));
            }
            Err(error) if error.to_string().starts_with("no such overload") => {
                let why = "call arguments did not match a supported operator, function or macro signature";
                let failure = Failure::Error(error.to_string().into());
                self.refuse(at, Some(rule), format!("'{error}': {why} for rule: {words}"), failure);
            }
            Err(error) => {
                let failure = Failure::Error(error.to_string().into());
                self.refuse(at, Some(rule), format!("{error} evaluating rule: {words}"), failure);
            }
        }
    }

    /// Reports a violated rule.
    fn broken(&mut self, rule: &'a RuleProgram, at: &ValueAt<'a>, seen: &RuleVariables<'a>) {
        let detail = match &rule.message {
            None => None,
            Some((text, program)) => match self.message(text, program, seen) {
                Ok(message) => message,
                Err(problem) => {
                    let mut error = self.error(at, Some(rule), ErrorType::Invalid, type_name(at), problem);
                    error.facts = facts(at, rule, Failure::Stopped { is_message: true }, &self.path);
                    self.add(rule, at, at_field(error, rule, at));
                    self.outcome.budget = -1;
                    return;
                }
            },
        };
        let is_nested = matches!(&*at.schema.generic.type_name, "object" | "array");
        let bad_value = match rule.reason {
            ErrorType::Forbidden | ErrorType::Required => None,
            _ if !self.on.version.has(Difference::ValuesInRuleErrors) => type_name(at),
            _ if is_nested => None,
            _ => Some(error_text(at.value)),
        };
        let author = detail.as_deref().or(rule.author.as_deref()).filter(|author| !author.is_empty());
        let failure = Failure::False(author.map(Box::from));
        let detail = match rule.reason {
            ErrorType::Duplicate => String::new(),
            _ => detail.unwrap_or_else(|| rule.detail()),
        };
        let mut error = self.error(at, Some(rule), rule.reason, bad_value, detail);
        error.facts = facts(at, rule, failure, &self.path);
        self.add(rule, at, at_field(error, rule, at));
    }

    /// The result of `messageExpression`; `None` if it is unusable. An error ends the evaluation of all rules.
    fn message(
        &mut self,
        text: &str,
        program: &'a Program,
        seen: &RuleVariables<'a>,
    ) -> Result<Option<String>, String> {
        let engine = Engine::new();
        let evaluation = program.evaluate(&seen.values(false), &engine, PER_CALL_LIMIT);
        if !self.spend(evaluation.cost) {
            return Err(format!("messageExpression evaluation failed {OUT_OF_BUDGET}"));
        }
        match evaluation.result {
            Err(EvalError::CostLimit) => Err(format!(
                "no further validation rules will be run due to call cost exceeds limit for messageExpression: {}",
                quoted(text)
            )),
            Ok(CelValue::String(message)) => {
                let message = message.trim();
                let is_usable =
                    !message.is_empty() && message.len() <= MAX_MESSAGE && !message.contains('\n');
                Ok(is_usable.then(|| message.to_owned()))
            }
            Ok(_) | Err(_) => Ok(None),
        }
    }

    /// Subtracts `cost` from the budget and returns whether it is sufficient.
    fn spend(&mut self, cost: u64) -> bool {
        match i64::try_from(cost) {
            Ok(cost) if cost <= self.outcome.budget => {
                self.outcome.budget -= cost;
                true
            }
            _ => false,
        }
    }

    /// Adds the error of a violated rule, or a warning if the value is unchanged and the rule is not a
    /// transition rule.
    fn add(&mut self, rule: &RuleProgram, at: &ValueAt<'a>, error: ValueError) {
        let nearest = at.unchanged.here.or(at.unchanged.above);
        let is_old = !rule.uses_old_self && nearest.is_some_and(|it| self.correlations.are_equal(it));
        let list = if is_old { &mut self.outcome.warnings } else { &mut self.outcome.errors };
        if list.len() < MAX_ERRORS {
            list.push(error);
        }
    }

    /// Adds an error that shows the type instead of the value.
    fn refuse(&mut self, at: &ValueAt<'a>, rule: Option<&RuleProgram>, detail: String, failure: Failure) {
        if self.outcome.errors.len() < MAX_ERRORS {
            let mut error = self.error(at, rule, ErrorType::Invalid, type_name(at), detail);
            // In a rule that does not compile, only its text is wrong, not its message.
            if let (Some(rule), Failure::NotCompiled) = (rule, &failure) {
                let range = rule.expression_range.wrapping_shifted(at.base);
                error.rule = Some(Rule { keyword: Keyword::Validations, range });
            }
            error.facts = rule.and_then(|rule| facts(at, rule, failure, &self.path));
            self.outcome.errors.push(error);
        }
    }

    /// Adds the last error and ends the evaluation.
    fn stop(&mut self, at: &ValueAt<'a>, rule: Option<&RuleProgram>, detail: &str) {
        self.refuse(at, rule, detail.to_owned(), Failure::Stopped { is_message: false });
        self.outcome.budget = -1;
    }

    fn error(
        &self,
        at: &ValueAt<'a>,
        rule: Option<&RuleProgram>,
        error: ErrorType,
        bad_value: Option<String>,
        detail: String,
    ) -> ValueError {
        let range = |rule: &RuleProgram| rule.range.wrapping_shifted(at.base);
        ValueError {
            error,
            field: field_of(&self.on.prefix, &self.path),
            path: self.path.clone(),
            bad_value,
            detail,
            place: at.value.place.or(at.owner),
            rule: rule.map(|rule| Rule { keyword: Keyword::Validations, range: range(rule) }),
            facts: None,
        }
    }
}

/// The facts for a message: the rule and the values that it reads. The values are omitted if the rule was not
/// evaluated.
fn facts(at: &ValueAt<'_>, rule: &RuleProgram, failure: Failure, path: &FieldPath) -> Option<Facts> {
    let expression = &rule.expression;
    let values = match failure {
        Failure::NotCompiled | Failure::Stopped { .. } => Vec::new(),
        Failure::False(_) | Failure::Error(_) => values_read(expression, at.value, at.old, path),
    };
    Some(Facts::Rule(Box::new(FailedRule { expression: expression.clone(), failure, values })))
}

fn not_compiled(problem: &str) -> String {
    format!("rule compile error: {problem}")
}

fn type_name(at: &ValueAt<'_>) -> Option<String> {
    Some(quoted(&at.schema.generic.type_name))
}

/// Moves the error to the target of `fieldPath`, or to the nearest existing ancestor.
fn at_field(mut error: ValueError, rule: &RuleProgram, at: &ValueAt<'_>) -> ValueError {
    let Some(path) = &rule.path else { return error };
    error.field = if error.field == "<nil>" { path.to_string() } else { format!("{}.{path}", error.field) };
    error.path.extend(path.segments());
    let mut value = at.value;
    for segment in path.segments() {
        let Some(below) = segment.key().and_then(|key| value.get(key)) else { break };
        value = below;
    }
    error.place = value.place.or(error.place);
    error
}

/// The variables of the rules of a node.
struct RuleVariables<'a> {
    this: Outcome<CelValue<'a>>,
    /// `None` if no rule of the node reads it, or if there is no old value.
    old: Option<Outcome<CelValue<'a>>>,
    knows_old: bool,
}

impl<'a> RuleVariables<'a> {
    fn new(at: &ValueAt<'a>, knows_old: bool) -> Self {
        let schema = data_schema(at.schema, at.role == Role::Resource);
        let old = at.old.filter(|old| knows_old && !old.is_null());
        Self {
            this: CelValue::of_data(at.value, schema),
            old: old.map(|old| CelValue::of_data(old, schema)),
            knows_old,
        }
    }

    fn values(&self, optional_old_self: bool) -> [Option<Outcome<CelValue<'a>>>; 2] {
        let old = match &self.old {
            old if !optional_old_self => old.clone(),
            _ if !self.knows_old => None,
            None => Some(Ok(CelValue::Optional(None))),
            Some(Ok(old)) => Some(Ok(CelValue::some(old.clone()))),
            Some(Err(error)) => Some(Err(error.clone())),
        };
        [Some(self.this.clone()), old]
    }
}
