//! The machine that runs programs.

use super::call::Call;
use super::cost;
use super::message;
use super::step::{SlotId, Step, StepId};
use super::{Evaluation, Program, Regex, RegexEngine};
use crate::library::Context;
use crate::value::equal::equals;
use crate::value::{Bound, EvalError, Key, List, Map, MapBuilder, Outcome, UNHASHABLE, Value};

/// A variable of a loop.
#[derive(Debug)]
pub(super) enum Slot<'a> {
    Unset,
    Set(Outcome<Value<'a>>),
}

/// An evaluation in progress.
pub(super) struct Machine<'a, 'r> {
    pub(super) program: &'a Program,
    pub(super) values: &'r [Option<Outcome<Value<'a>>>],
    pub(super) slots: Vec<Slot<'a>>,
    pub(super) bound: Bound,
    regex: &'r dyn RegexEngine,
    stack: Vec<Value<'a>>,
    cost: u64,
    limit: u64,
    watch: Option<StepObserver<'r, 'a>>,
}

/// A callback that receives the outcome of each step.
pub(super) type StepObserver<'r, 'a> = &'r mut dyn FnMut(StepId, &Outcome<Value<'a>>);

pub(super) fn run<'a, 'r>(
    program: &'a Program,
    values: &'r [Option<Outcome<Value<'a>>>],
    regex: &'r dyn RegexEngine,
    limit: u64,
    watch: Option<StepObserver<'r, 'a>>,
) -> Evaluation<'a> {
    let slots = (0..program.slots).map(|_| Slot::Unset).collect();
    let bound = Bound::default();
    let mut machine = Machine { program, values, slots, bound, regex, stack: vec![], cost: 0, limit, watch };
    let result = machine.eval(program.root);
    let is_over = matches!(result, Err(EvalError::CostLimit));
    let cost = if is_over { machine.cost.max(limit.saturating_add(1)) } else { machine.cost };
    Evaluation { result, cost }
}

/// Runs a function of one argument on a constant.
pub(super) fn run_constant(call: &Call, argument: &Value<'static>) -> Outcome<Value<'static>> {
    let bound = Bound::default();
    let mut args = [argument.clone()];
    let run = call.target.resolve(call.function, &args)?;
    let context = Context { bound: &bound, budget: u64::MAX, regex: None, compiled: None, in_place: false };
    run(&context, &mut args)
}

impl<'a> Machine<'a, '_> {
    pub(super) fn charge(&mut self, units: u64) -> Outcome<()> {
        self.cost = self.cost.saturating_add(units);
        if self.cost > self.limit { Err(EvalError::CostLimit) } else { Ok(()) }
    }

    pub(super) fn refund(&mut self, units: u64) {
        self.cost = self.cost.saturating_sub(units);
    }

    pub(super) fn set(&mut self, slot: SlotId, value: Outcome<Value<'a>>) {
        if let Some(place) = self.slots.get_mut(slot.0 as usize) {
            *place = Slot::Set(value);
        }
    }

    pub(super) fn unset(&mut self, slot: SlotId) {
        if let Some(place) = self.slots.get_mut(slot.0 as usize) {
            *place = Slot::Unset;
        }
    }

    pub(super) fn eval(&mut self, id: StepId) -> Outcome<Value<'a>> {
        let outcome = self.step(id);
        if let Some(watch) = &mut self.watch {
            watch(id, &outcome);
        }
        outcome
    }

    fn step(&mut self, id: StepId) -> Outcome<Value<'a>> {
        let program = self.program;
        match program.step(id) {
            Step::Constant(value) => Ok(value.clone()),
            Step::Failure(error) => Err(error.clone()),
            Step::Attribute(attribute) => self.attribute(*attribute),
            Step::Presence(attribute) => self.presence(*attribute),
            Step::And(a, b) => self.junction(*a, *b, false),
            Step::Or(a, b) => self.junction(*a, *b, true),
            Step::Equals(a, b) => self.equality(*a, *b, false),
            Step::NotEquals(a, b) => self.equality(*a, *b, true),
            Step::Member(wanted, keys) => match self.eval(*wanted)? {
                Value::Bytes(_) => Err(UNHASHABLE),
                wanted => {
                    let keys: &rustc_hash::FxHashSet<Key<'a>> = keys;
                    Ok(Value::Bool(keys.contains(&Key::of(&wanted))))
                }
            },
            Step::OptionalOr(a, b) => match self.eval(*a)? {
                Value::Optional(None) => self.eval(*b),
                value @ Value::Optional(Some(_)) => Ok(value),
                _ => Err(EvalError::NoSuchOverload),
            },
            Step::OptionalOrValue(a, b) => match self.eval(*a)? {
                Value::Optional(None) => self.eval(*b),
                Value::Optional(Some(value)) => Ok((*value).clone()),
                _ => Err(EvalError::NoSuchOverload),
            },
            Step::Call(call) => self.call(call),
            Step::List(elements) => self.list(elements),
            Step::Map(entries) => self.map(entries),
            Step::Message(name, fields) => self.message(name, fields),
            Step::Fold(fold) => self.fold(fold),
        }
    }

    /// `a && b`, or `a || b` if `decisive` is true: the decisive value takes precedence over errors on either side.
    fn junction(&mut self, a: StepId, b: StepId, decisive: bool) -> Outcome<Value<'a>> {
        let mut failure = None;
        for term in [a, b] {
            match self.eval(term) {
                Ok(Value::Bool(value)) if value == decisive => return Ok(Value::Bool(decisive)),
                Ok(Value::Bool(_)) => {}
                Ok(_) => {
                    failure.get_or_insert(EvalError::NoSuchOverload);
                }
                Err(error) if error.is_final() => return Err(error),
                Err(error) => {
                    failure.get_or_insert(error);
                }
            }
        }
        failure.map_or(Ok(Value::Bool(!decisive)), Err)
    }

    fn equality(&mut self, a: StepId, b: StepId, negated: bool) -> Outcome<Value<'a>> {
        let a = self.eval_unless_final(a)?;
        let b = self.eval_unless_final(b)?;
        // A failed operand counts as one unit.
        let failed = Value::Null;
        let cost = cost::equality(a.as_ref().unwrap_or(&failed), b.as_ref().unwrap_or(&failed), negated);
        self.charge(cost)?;
        match equals(&self.bound, &a?, &b?) {
            // Values that cannot be compared are different.
            Err(error) if negated && !error.is_final() => Ok(Value::Bool(true)),
            result => result.map(|equal| Value::Bool(equal != negated)),
        }
    }

    /// The outcome of a step. An error that ends the evaluation is returned as the outer `Err`.
    fn eval_unless_final(&mut self, step: StepId) -> Outcome<Outcome<Value<'a>>> {
        match self.eval(step) {
            Err(error) if error.is_final() => Err(error),
            outcome => Ok(outcome),
        }
    }

    fn call(&mut self, call: &'a Call) -> Outcome<Value<'a>> {
        let base = self.stack.len();
        let result = self.call_above(call, base);
        self.stack.truncate(base);
        result
    }

    fn call_above(&mut self, call: &'a Call, base: usize) -> Outcome<Value<'a>> {
        let mut failure = None;
        let mut panic = None;
        for (at, arg) in call.args.iter().enumerate() {
            let value = match self.eval_unless_final(*arg)? {
                Ok(value) => value,
                // A call that stops before its last argument costs nothing.
                Err(error) if call.stops_early && at + 1 < call.args.len() => return Err(error),
                Err(error) => {
                    panic = panic.or(call.price.panics_on_failed(at));
                    failure.get_or_insert(error);
                    Value::Null
                }
            };
            self.stack.push(value);
        }
        if call.function == "@not_strictly_false" {
            self.charge(1)?;
            let value = self.stack.pop().filter(|value| failure.is_none() && matches!(value, Value::Bool(_)));
            return Ok(value.unwrap_or(Value::Bool(true)));
        }
        if let Some(panic) = panic {
            return Err(EvalError::Panic(panic));
        }
        if let Some(error) = failure {
            return self.fail(call, base, error);
        }
        if let Some(accu) = call.consumes {
            self.unset(accu);
        }
        // A cost that depends only on the arguments is charged before the call, because the call may exceed
        // the limit.
        if call.price.is_of_args() {
            let cost = call.price.charge(self.stack.get(base..).unwrap_or_default(), &Ok(Value::Null));
            self.charge(cost)?;
            return self.invoke(call, base);
        }
        let result = self.invoke(call, base);
        if let Err(error) = &result
            && error.is_final()
        {
            return result;
        }
        let cost = call.price.charge(self.stack.get(base..).unwrap_or_default(), &result);
        self.charge(cost)?;
        result
    }

    fn invoke(&mut self, call: &'a Call, base: usize) -> Outcome<Value<'a>> {
        let args = self.stack.get_mut(base..).unwrap_or_default();
        let run = call.target.resolve(call.function, args)?;
        let compiled = call.regex.as_deref().map(|regex| regex as &dyn Regex);
        let budget = self.limit.saturating_sub(self.cost);
        let in_place = call.consumes.is_some();
        run(&Context { bound: &self.bound, budget, regex: Some(self.regex), compiled, in_place }, args)
    }

    /// Charges the cost of a call even if one of its arguments failed.
    fn fail(&mut self, call: &Call, base: usize, error: EvalError) -> Outcome<Value<'a>> {
        let result = Err(error);
        let cost = call.price.charge(self.stack.get(base..).unwrap_or_default(), &result);
        self.charge(cost)?;
        result
    }

    fn list(&mut self, elements: &'a [(StepId, bool)]) -> Outcome<Value<'a>> {
        let result = self.elements(elements);
        self.charge_unless_final(cost::LIST, result)
    }

    fn elements(&mut self, elements: &'a [(StepId, bool)]) -> Outcome<Value<'a>> {
        let mut values = Vec::with_capacity(elements.len());
        for (step, optional) in elements {
            values.push((self.eval(*step)?, *optional));
            if *optional && !matches!(values.last(), Some((Value::Optional(_), _))) {
                break;
            }
        }
        list_of(values.into_iter())
    }

    fn map(&mut self, entries: &'a [(StepId, StepId, bool)]) -> Outcome<Value<'a>> {
        let result = self.entries(entries);
        self.charge_unless_final(cost::MAP, result)
    }

    fn entries(&mut self, entries: &'a [(StepId, StepId, bool)]) -> Outcome<Value<'a>> {
        let mut values = Vec::with_capacity(entries.len());
        for (key, value, optional) in entries {
            values.push((self.eval(*key)?, self.eval(*value)?, *optional));
        }
        map_of(values.into_iter())
    }

    fn message(&mut self, name: &str, fields: &'a [(Box<str>, StepId, bool)]) -> Outcome<Value<'a>> {
        let result = self.fields(fields).and_then(|fields| message::make(name, fields));
        self.charge_unless_final(cost::MESSAGE, result)
    }

    fn fields(&mut self, fields: &'a [(Box<str>, StepId, bool)]) -> Outcome<Vec<(&'a str, Value<'a>)>> {
        let mut values: Vec<(&str, Value<'_>)> = Vec::with_capacity(fields.len());
        for (name, step, optional) in fields {
            let value = match (self.eval(*step)?, optional) {
                (value, false) => value,
                (Value::Optional(Some(value)), true) => (*value).clone(),
                (Value::Optional(None), true) => {
                    values.retain(|(other, _)| **other != **name);
                    continue;
                }
                (value, true) => return Err(not_optional_entry(name, &value)),
            };
            values.retain(|(other, _)| **other != **name);
            values.push((name, value));
        }
        Ok(values)
    }

    fn charge_unless_final(&mut self, cost: u64, result: Outcome<Value<'a>>) -> Outcome<Value<'a>> {
        match &result {
            Err(error) if error.is_final() => {}
            _ => self.charge(cost)?,
        }
        result
    }
}

fn not_optional_entry(key: &str, value: &Value<'_>) -> EvalError {
    let value = crate::value::display(value);
    EvalError::new(format!("cannot initialize optional entry '{key}' from non-optional value {value}"))
}

/// A list literal.
pub(super) fn list_of<'a>(elements: impl Iterator<Item = (Value<'a>, bool)>) -> Outcome<Value<'a>> {
    let mut values = Vec::with_capacity(elements.size_hint().0);
    for (value, optional) in elements {
        match (value, optional) {
            (value, false) => values.push(value),
            (Value::Optional(value), true) => values.extend(value.map(|value| (*value).clone())),
            (value, true) => {
                let value = crate::value::display(&value);
                let message =
                    format!("cannot initialize optional list element from non-optional value {value}");
                return Err(EvalError::new(message));
            }
        }
    }
    Ok(Value::List(List::of(values)))
}

/// A map literal.
pub(super) fn map_of<'a>(entries: impl Iterator<Item = (Value<'a>, Value<'a>, bool)>) -> Outcome<Value<'a>> {
    let mut map = MapBuilder::default();
    for (key, value, optional) in entries {
        if let Value::Bytes(_) = key {
            return Err(UNHASHABLE);
        }
        match (value, optional) {
            (value, false) => {
                map.insert(Key::of(&key), value);
            }
            (Value::Optional(Some(value)), true) => {
                map.insert(Key::of(&key), (*value).clone());
            }
            (Value::Optional(None), true) => {
                map.shift_remove(&Key::of(&key));
            }
            (value, true) => return Err(not_optional_entry(&crate::value::display(&key), &value)),
        }
    }
    Ok(Value::Map(Map::of(map)))
}
