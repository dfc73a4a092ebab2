//! The loops of macros.

use super::value::PossibleTruth;
use super::{Outcome, OutcomeAnalysis, Path, Value, ValueStep};
use crate::ast::{Ast, Comprehension, ExprId, MacroCall, Name};
use crate::types::Type;

/// The parts of a macro that are evaluated for each element; the first of them is always evaluated.
#[must_use]
pub(crate) fn bodies<'a>(ast: &'a Ast, call: &MacroCall, it: &Comprehension) -> &'a [ExprId] {
    let variables = 1 + usize::from(it.iter_var2.is_some());
    ast.list(call.args).get(variables..).unwrap_or_default()
}

/// The variables of a loop.
pub(crate) fn variables(it: &Comprehension) -> impl Iterator<Item = Name> {
    [Some(it.iter_var), it.iter_var2].into_iter().flatten()
}

/// What is known outside a loop: the numbers of scopes and assumptions before it.
pub(crate) struct OutsideLoop {
    scopes: usize,
    assumptions: usize,
}

impl OutcomeAnalysis<'_> {
    pub(super) fn comprehension(&mut self, id: ExprId, it: &Comprehension) -> Outcome {
        let ast = self.ast;
        let typed = Value::of_type(self.checked.type_of(id));
        let range = self.eval(it.range);
        if range.value == Value::None {
            return range;
        }
        let call = ast.macro_of(id).filter(|call| call.target == Some(it.range));
        let Some(call) = call else { return Outcome::new(typed, true) };
        let Value::Int(least, most) = range.value.size() else { return Outcome::new(typed, true) };
        let outside = self.enter(id, it);
        let mut parts: Vec<Outcome> = Vec::new();
        if most > 0 {
            parts = bodies(ast, call, it).iter().map(|body| self.eval(*body)).collect();
        }
        self.leave(outside);
        let fails = range.fails || parts.iter().any(|part| part.fails);
        let PossibleTruth { yes, no } = parts.last().map(|body| body.value.truth()).unwrap_or_default();
        let size = |size: i64| u64::try_from(size).unwrap_or(u64::MAX);
        let value = match (ast.name(call.name), parts.len()) {
            ("all", 0 | 1) => Value::of_bits(least == 0 || yes, no),
            ("exists", 0 | 1) => Value::of_bits(yes, least == 0 || no),
            ("exists_one" | "existsOne", 0 | 1) => Value::of_bits(yes, true),
            ("filter", 0 | 1) => {
                Value::Sized(if no || fails { 0 } else { size(least) }, if yes { size(most) } else { 0 })
            }
            ("map" | "transformList", 0 | 1) if matches!(typed, Value::Sized(..)) => {
                Value::Sized(size(least), size(most))
            }
            ("map" | "transformList", 2) => Value::Sized(0, size(most)),
            _ => return Outcome::new(typed, true),
        };
        Outcome::new(value, fails)
    }

    /// Enters the loop, so that its variables are known; pass the result to [`Self::leave`].
    pub(crate) fn enter(&mut self, id: ExprId, it: &Comprehension) -> OutsideLoop {
        let outside = OutsideLoop { scopes: self.scopes.len(), assumptions: self.assumptions.len() };
        let element = self.path(it.range).map(|mut path: Path| {
            path.push(ValueStep::Element(Some(id)));
            path
        });
        let is_map = matches!(self.checked.type_of(it.range), Type::Map(_));
        match it.iter_var2 {
            Some(second) => self.scopes.extend([(it.iter_var, None), (second, element)]),
            None => self.scopes.push((it.iter_var, element.filter(|_| !is_map))),
        }
        outside
    }

    pub(crate) fn leave(&mut self, outside: OutsideLoop) {
        self.scopes.truncate(outside.scopes);
        self.assumptions.truncate(outside.assumptions);
    }
}
