//! Evaluation of checked expressions: values, errors and costs are those of kube-apiserver.
//!
//! A [`Program`] is created once and evaluated often. Creation folds constants as cel-go does, so it can fail
//! with an error that the API server reports as `program instantiation failed`.

mod attribute;
mod call;
mod cost;
mod fold;
mod message;
mod plan;
mod run;
mod scope;
mod step;

use crate::ast::{Ast, ExprId};
use crate::checker::{CheckedExpr, Variable};
use crate::regex::{Regex, RegexEngine};
use crate::value::{EvalError, Outcome, Value};
use step::{AttributePlan, Step, StepId};

/// The cost limit of one evaluation.
pub const PER_CALL_LIMIT: u64 = 1_000_000;

/// An expression that is ready to be evaluated.
#[derive(Debug)]
pub struct Program {
    steps: Vec<Step>,
    /// The expression of each step.
    origins: Vec<(StepId, ExprId)>,
    attributes: Vec<AttributePlan>,
    root: StepId,
    slots: usize,
    variables: Vec<String>,
}

/// The result of an evaluation.
#[derive(Debug)]
pub struct Evaluation<'a> {
    /// The value, or the error.
    pub result: Outcome<Value<'a>>,
    /// The cost, in the API server's units.
    pub cost: u64,
}

impl Program {
    /// Creates the program of an expression without issues.
    ///
    /// # Errors
    /// The API server's text after `program instantiation failed: `.
    pub fn new(
        ast: &Ast,
        checked: &CheckedExpr,
        variables: &[Variable],
        regex: &dyn RegexEngine,
    ) -> Outcome<Self> {
        plan::plan(ast, checked, variables, regex)
    }

    /// Evaluates the program. `values` are the values of the variables in the order of their declarations;
    /// `None` for a missing value, such as `oldSelf` of a new object. The evaluation stops when it costs more
    /// than `limit`.
    pub fn evaluate<'a>(
        &'a self,
        values: &[Option<Outcome<Value<'a>>>],
        regex: &dyn RegexEngine,
        limit: u64,
    ) -> Evaluation<'a> {
        run::run(self, values, regex, limit, None)
    }

    /// The same, and passes the outcome of each sub-expression to `watch` each time that it is evaluated. A
    /// selection such as `self.a.b` has only one outcome, for the whole path.
    pub fn observe<'a>(
        &'a self,
        values: &[Option<Outcome<Value<'a>>>],
        regex: &dyn RegexEngine,
        limit: u64,
        watch: &mut dyn FnMut(ExprId, &Outcome<Value<'a>>),
    ) -> Evaluation<'a> {
        let mut origins: Vec<Option<ExprId>> = vec![None; self.steps.len()];
        for (step, expr) in &self.origins {
            if let Some(origin) = origins.get_mut(step.0 as usize) {
                *origin = Some(*expr);
            }
        }
        let mut watch = |step: StepId, outcome: &Outcome<Value<'a>>| {
            if let Some(Some(expr)) = origins.get(step.0 as usize) {
                watch(*expr, outcome);
            }
        };
        run::run(self, values, regex, limit, Some(&mut watch))
    }

    fn step(&self, id: StepId) -> &Step {
        static NOTHING: Step = Step::Failure(EvalError::NoSuchOverload);
        self.steps.get(id.0 as usize).unwrap_or(&NOTHING)
    }

    fn attribute(&self, id: step::AttributeId) -> Option<&AttributePlan> {
        self.attributes.get(id.0 as usize)
    }
}
