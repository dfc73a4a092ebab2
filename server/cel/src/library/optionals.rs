//! Optional values.

use super::Context;
use crate::value::{EvalError, Outcome, Value, display};

type Args<'s, 'a> = &'s mut [Value<'a>];

fn take<'a>(args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    args.first_mut().map(|value| std::mem::replace(value, Value::Null)).ok_or(EvalError::NoSuchOverload)
}

pub(super) fn of<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    take(args).map(Value::some)
}

pub(super) fn of_non_zero<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    let value = take(args)?;
    Ok(if value.is_zero() { Value::Optional(None) } else { Value::some(value) })
}

pub(super) fn none<'a>(_: &Context<'_>, _: Args<'_, 'a>) -> Outcome<Value<'a>> {
    Ok(Value::Optional(None))
}

pub(super) fn value<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    match args {
        [Value::Optional(Some(value))] => Ok((**value).clone()),
        [Value::Optional(None)] => Err(EvalError::new("optional.none() dereference")),
        _ => Err(EvalError::NoSuchOverload),
    }
}

pub(super) fn has_value<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    match args {
        [Value::Optional(value)] => Ok(Value::Bool(value.is_some())),
        _ => Err(EvalError::NoSuchOverload),
    }
}

pub(super) fn first<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    element(args, |_| Some(0))
}

pub(super) fn last<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    element(args, |len| len.checked_sub(1))
}

fn element<'a>(args: Args<'_, 'a>, at: fn(usize) -> Option<usize>) -> Outcome<Value<'a>> {
    let [Value::List(list)] = args else { return Err(EvalError::NoSuchOverload) };
    match at(list.len()).and_then(|at| list.get(at)) {
        Some(element) => element.map(Value::some),
        None => Ok(Value::Optional(None)),
    }
}

pub(super) fn unwrap<'a>(context: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    let [Value::List(list)] = args else { return Err(EvalError::NoSuchOverload) };
    context.bound.elements(list.len())?;
    let mut values = vec![];
    for element in list.iter() {
        match element? {
            Value::Optional(Some(value)) => values.push((*value).clone()),
            Value::Optional(None) => {}
            other => return Err(EvalError::new(format!("value {} is not optional", display(&other)))),
        }
    }
    Ok(Value::list(values))
}
