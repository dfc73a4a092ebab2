//! The consequences of a condition for the values that it compares.

use super::value::Text;
use super::{ExprId, ExprKind, Function, Operator, OutcomeAnalysis, Path, Value, ValueStep, text_of};
use crate::ast::Literal;

/// A known fact about the value at a path.
#[derive(Clone, Debug)]
pub(super) struct Assumption {
    path: Path,
    fact: Fact,
}

#[derive(Clone, Debug)]
enum Fact {
    Present,
    Absent,
    Is(Value),
}

/// All assumptions about one value combined.
pub(super) struct CombinedAssumptions {
    pub(super) is_present: bool,
    pub(super) is_absent: bool,
    pub(super) value: Value,
}

impl OutcomeAnalysis<'_> {
    pub(super) fn assumed(&self, path: &[ValueStep]) -> CombinedAssumptions {
        let mut assumed = CombinedAssumptions { is_present: false, is_absent: false, value: Value::Any };
        for one in self.assumptions.iter().filter(|one| one.path.starts_with(path)) {
            match &one.fact {
                Fact::Absent if one.path.len() == path.len() => assumed.is_absent = true,
                Fact::Absent => {}
                // A value with a present part is present as well.
                Fact::Present => assumed.is_present = true,
                Fact::Is(value) if one.path.len() == path.len() => {
                    assumed.value = assumed.value.intersect(value.clone());
                }
                Fact::Is(_) => {}
            }
        }
        assumed
    }

    /// Assumes that `id`, which did not fail, is `holds`.
    pub(super) fn assume(&mut self, id: ExprId, holds: bool) {
        let ast = self.ast;
        match ast.kind(id) {
            ExprKind::Select { test_only: true, .. } => {
                let fact = if holds { Fact::Present } else { Fact::Absent };
                let path = self.tested(id).filter(|path| !path.contains(&ValueStep::Element(None)));
                self.assumptions.extend(path.map(|path| Assumption { path, fact }));
            }
            ExprKind::Call { function: Function::Operator(operator), args, .. } => {
                match (operator, ast.list(*args), holds) {
                    (Operator::Not, [of], _) => self.assume(*of, !holds),
                    (Operator::And, [one, other], true) | (Operator::Or, [one, other], false) => {
                        self.assume(*one, holds);
                        self.assume(*other, holds);
                    }
                    (Operator::In, [key, within], true) => self.assume_member(*key, *within),
                    (operator, [one, other], _) => {
                        self.assume_comparison(*operator, *one, *other, holds);
                        if let Some(mirrored) = mirrored(*operator) {
                            self.assume_comparison(mirrored, *other, *one, holds);
                        }
                    }
                    _ => {}
                }
            }
            _ => self.assume_value(id, Value::of_bits(holds, !holds)),
        }
    }

    fn assume_value(&mut self, id: ExprId, value: Value) {
        if let Some(path) = self.is_exact(id) {
            self.assumptions.push(Assumption { path, fact: Fact::Is(value) });
        }
    }

    fn assume_member(&mut self, key: ExprId, within: ExprId) {
        let ExprKind::List { elements, .. } = self.ast.kind(within) else { return };
        let texts: Option<Vec<Box<str>>> = self
            .ast
            .list(*elements)
            .iter()
            .map(|element| text_of(self.ast, *element).map(Box::from))
            .collect();
        if let Some(texts) = texts.filter(|texts| !texts.is_empty()) {
            self.assume_value(key, Value::Text(Text::of(texts)));
        }
    }

    /// Narrows `of` after a comparison with the literal `with` whose result is `holds`.
    fn assume_comparison(&mut self, operator: Operator, of: ExprId, with: ExprId, holds: bool) {
        let ExprKind::Literal(literal) = self.ast.kind(with) else { return };
        let operator = if holds { Some(operator) } else { opposite(operator) };
        let Some(operator) = operator else { return };
        if let (Operator::Equals, Literal::String(_) | Literal::Bool(_)) = (operator, literal) {
            return self.assume_value(of, Value::of_literal(literal));
        }
        if let (Operator::NotEquals, Literal::Bool(value)) = (operator, literal) {
            return self.assume_value(of, Value::of_bits(!*value, *value));
        }
        let value = match literal {
            Literal::Int(number) => bounded(operator, *number),
            Literal::Double(number) => bounded_double(operator, *number),
            _ => None,
        };
        let Some(value) = value else { return };
        match self.sized(of) {
            Some(of) => {
                let Value::Int(least, most) = value else { return };
                let Ok(most) = u64::try_from(most) else { return };
                let least = u64::try_from(least).unwrap_or(0);
                let is_text = matches!(Value::of_type(self.checked.type_of(of)), Value::Text(_));
                let value =
                    if is_text { Value::Text(Text::sized(least, most)) } else { Value::Sized(least, most) };
                self.assume_value(of, value);
            }
            None => self.assume_value(of, value),
        }
    }

    /// The operand of `size(…)`.
    fn sized(&self, id: ExprId) -> Option<ExprId> {
        let ExprKind::Call { function: Function::Named(name), target, args } = self.ast.kind(id) else {
            return None;
        };
        let of = target.as_ref().or_else(|| self.ast.list(*args).first())?;
        (self.ast.name(*name) == "size").then_some(*of)
    }
}

fn bounded(operator: Operator, number: i64) -> Option<Value> {
    Some(match operator {
        Operator::Equals => Value::Int(number, number),
        Operator::Less => Value::Int(i64::MIN, number.checked_sub(1)?),
        Operator::LessEquals => Value::Int(i64::MIN, number),
        Operator::Greater => Value::Int(number.checked_add(1)?, i64::MAX),
        Operator::GreaterEquals => Value::Int(number, i64::MAX),
        _ => return None,
    })
}

fn bounded_double(operator: Operator, number: f64) -> Option<Value> {
    Some(match operator {
        Operator::Equals => Value::Double(number, number),
        Operator::Less | Operator::LessEquals => Value::Double(f64::NEG_INFINITY, number),
        Operator::Greater | Operator::GreaterEquals => Value::Double(number, f64::INFINITY),
        _ => return None,
    })
}

/// The equivalent operator for exchanged sides.
const fn mirrored(operator: Operator) -> Option<Operator> {
    use Operator as O;
    Some(match operator {
        O::Less => O::Greater,
        O::LessEquals => O::GreaterEquals,
        O::Greater => O::Less,
        O::GreaterEquals => O::LessEquals,
        O::Equals | O::NotEquals => operator,
        _ => return None,
    })
}

/// The operator with the opposite result.
const fn opposite(operator: Operator) -> Option<Operator> {
    use Operator as O;
    Some(match operator {
        O::Less => O::GreaterEquals,
        O::LessEquals => O::Greater,
        O::Greater => O::LessEquals,
        O::GreaterEquals => O::Less,
        O::Equals => O::NotEquals,
        O::NotEquals => O::Equals,
        _ => return None,
    })
}
