//! Paths to values: variables with selections. Each selection costs 1, and so does the path as a whole.

use super::plan::check_key;
use super::run::{Machine, Slot};
use super::step::{AttributeId, Qualifier, QualifierKey, Root, SlotId, StepId};
use crate::value::{EvalError, List, Outcome, Value, display};

impl<'a> Machine<'a, '_> {
    /// Evaluates a path that is a separate step.
    pub(super) fn attribute(&mut self, id: AttributeId) -> Outcome<Value<'a>> {
        let result = self.resolve(id);
        // A conditional costs only the sum of its parts.
        let is_final = matches!(&result, Err(error) if error.is_final());
        if !is_final && !self.is_conditional(id) {
            self.charge(1)?;
        }
        result
    }

    /// `has(…)`: the selections cost, the path as a whole does not.
    pub(super) fn presence(&mut self, id: AttributeId) -> Outcome<Value<'a>> {
        let result = self.resolve(id);
        if self.is_conditional(id) {
            self.refund(1);
        }
        match result? {
            Value::Optional(value) => Ok(Value::Bool(value.is_some())),
            value => Ok(value),
        }
    }

    fn is_conditional(&self, id: AttributeId) -> bool {
        self.program.attribute(id).is_some_and(|plan| matches!(plan.root, Root::Conditional(..)))
    }

    /// The value at the end of a path. Only selections cost.
    fn resolve(&mut self, id: AttributeId) -> Outcome<Value<'a>> {
        let program = self.program;
        let plan = program.attribute(id).ok_or(EvalError::NoSuchOverload)?;
        let start = match plan.root {
            Root::Variable(at) => match self.values.get(at) {
                Some(Some(value)) => value.clone()?,
                _ => {
                    let name = program.variables.get(at).map_or("", |name| name);
                    return Err(EvalError::new(format!("no such attribute(s): {name}")));
                }
            },
            Root::Local(slot, init) => self.local(slot, init)?,
            Root::Operand(step) => self.eval(step)?,
            Root::Conditional(condition, a, b) => {
                return match self.eval(condition)? {
                    Value::Bool(true) => self.resolve(a),
                    Value::Bool(false) => self.resolve(b),
                    _ => Err(EvalError::NoSuchOverload),
                };
            }
        };
        self.qualify(start, &plan.qualifiers)
    }

    fn local(&mut self, slot: SlotId, init: Option<StepId>) -> Outcome<Value<'a>> {
        if let Some(Slot::Set(value)) = self.slots.get(slot.0 as usize) {
            return value.clone();
        }
        let Some(init) = init else { return Err(EvalError::NoSuchOverload) };
        // An accumulator gets its initial value when it is first read.
        let value = self.eval(init);
        self.set(slot, value.clone());
        value
    }

    fn qualify(&mut self, start: Value<'a>, qualifiers: &'a [Qualifier]) -> Outcome<Value<'a>> {
        if qualifiers.is_empty() {
            return Ok(start);
        }
        let (mut value, mut optional) = match start {
            Value::Optional(None) => return Ok(Value::Optional(None)),
            Value::Optional(Some(value)) => ((*value).clone(), true),
            value => (value, false),
        };
        for qualifier in qualifiers {
            optional |= qualifier.optional;
            let found = match self.look_up(&value, &qualifier.key) {
                Err(error) if error.is_final() => return Err(error),
                found => found,
            };
            if optional {
                match found? {
                    (Some(found), _) => value = found,
                    (None, _) => return Ok(Value::Optional(None)),
                }
                self.charge(1)?;
                continue;
            }
            self.charge(1)?;
            value = match found? {
                (found, _) if qualifier.presence => Value::Bool(found.is_some()),
                (Some(found), _) => found,
                (None, key) => return Err(missing(&value, &key)),
            };
        }
        Ok(if optional { Value::some(value) } else { value })
    }

    /// The element of a value at a key, and the key.
    fn look_up(
        &mut self,
        value: &Value<'a>,
        key: &'a QualifierKey,
    ) -> Outcome<(Option<Value<'a>>, Value<'a>)> {
        let key = match key {
            QualifierKey::Constant(key) => key.clone(),
            QualifierKey::Attribute(id) => self.resolve(*id)?,
            QualifierKey::Step(step) => self.eval(*step)?,
        };
        check_key(&key)?;
        Ok((select(value, &key)?, key))
    }
}

fn select<'a>(value: &Value<'a>, key: &Value<'a>) -> Outcome<Option<Value<'a>>> {
    match value {
        Value::Map(map) => map.find(key).transpose(),
        Value::List(list) => {
            let index = index_of(key)?;
            let Some(element) = usize::try_from(index).ok().and_then(|index| list.get(index)) else {
                return Ok(None);
            };
            match (list, key) {
                (List::Data(_), Value::Uint(_) | Value::Double(_)) => {
                    Err(EvalError::new(format!("unsupported index: {}", display(key))))
                }
                _ => element.map(Some),
            }
        }
        _ => Ok(None),
    }
}

fn index_of(key: &Value<'_>) -> Outcome<i64> {
    let index = match key {
        Value::Int(index) => Some(*index),
        Value::Uint(index) => i64::try_from(*index).ok(),
        Value::Double(index) => {
            let integer = *index as i64;
            let is_integer = integer as f64 == *index && integer != i64::MAX && integer != i64::MIN;
            is_integer.then_some(integer)
        }
        other => {
            let message = format!("unsupported index type '{}' in list", other.type_name());
            return Err(EvalError::new(message));
        }
    };
    index.ok_or_else(|| EvalError::new(format!("unsupported index value {} in list", display(key))))
}

fn missing(value: &Value<'_>, key: &Value<'_>) -> EvalError {
    match value {
        Value::List(_) => EvalError::new(format!("index out of bounds: {}", display(key))),
        _ => EvalError::no_such_key(display(key)),
    }
}
