//! Arithmetic, comparison and what else has a sign of its own.

use std::cmp::Ordering;

use super::Context;
use crate::value::equal::contains;
use crate::value::{EvalError, Outcome, UNHASHABLE, Value};

type Args<'s, 'a> = &'s mut [Value<'a>];

fn int(result: Option<i64>) -> Outcome<i64> {
    result.ok_or_else(|| EvalError::new("integer overflow"))
}

fn uint<'a>(result: Option<u64>) -> Outcome<Value<'a>> {
    result.map(Value::Uint).ok_or_else(|| EvalError::new("unsigned integer overflow"))
}

pub(super) fn not<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    match args {
        [Value::Bool(value)] => Ok(Value::Bool(!*value)),
        _ => Err(EvalError::NoSuchOverload),
    }
}

pub(super) fn negate<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    match args {
        [Value::Int(number)] => int(number.checked_neg()).map(Value::Int),
        [Value::Duration(nanos)] => int(nanos.checked_neg()).map(Value::Duration),
        [Value::Double(number)] => Ok(Value::Double(-*number)),
        _ => Err(EvalError::NoSuchOverload),
    }
}

pub(super) fn add<'a>(context: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    Ok(match args {
        [Value::Int(a), Value::Int(b)] => Value::Int(int(a.checked_add(*b))?),
        [Value::Uint(a), Value::Uint(b)] => uint(a.checked_add(*b))?,
        [Value::Double(a), Value::Double(b)] => Value::Double(*a + *b),
        [Value::String(a), Value::String(b)] => {
            context.bound.text(a.len() + b.len())?;
            let mut text = String::with_capacity(a.len() + b.len());
            text.push_str(a);
            text.push_str(b);
            Value::text(text)
        }
        [Value::Bytes(a), Value::Bytes(b)] => {
            context.bound.text(a.len() + b.len())?;
            Value::Bytes([&a[..], &b[..]].concat().into())
        }
        [Value::Duration(a), Value::Duration(b)] => Value::Duration(int(a.checked_add(*b))?),
        [Value::Timestamp(time), Value::Duration(by)] | [Value::Duration(by), Value::Timestamp(time)] => {
            Value::Timestamp(time.plus(*by)?)
        }
        [Value::List(a), Value::List(b)] if context.in_place => Value::List(a.extended(context.bound, b)?),
        [Value::List(a), Value::List(b)] => Value::List(a.joined(context.bound, b)?),
        _ => return Err(EvalError::NoSuchOverload),
    })
}

pub(super) fn subtract<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    Ok(match args {
        [Value::Int(a), Value::Int(b)] => Value::Int(int(a.checked_sub(*b))?),
        [Value::Uint(a), Value::Uint(b)] => uint(a.checked_sub(*b))?,
        [Value::Double(a), Value::Double(b)] => Value::Double(*a - *b),
        [Value::Duration(a), Value::Duration(b)] => Value::Duration(int(a.checked_sub(*b))?),
        [Value::Timestamp(time), Value::Duration(by)] => Value::Timestamp(time.plus(int(by.checked_neg())?)?),
        [Value::Timestamp(a), Value::Timestamp(b)] => Value::Duration(a.since(*b)?),
        _ => return Err(EvalError::NoSuchOverload),
    })
}

pub(super) fn multiply<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    Ok(match args {
        [Value::Int(a), Value::Int(b)] => Value::Int(int(a.checked_mul(*b))?),
        [Value::Uint(a), Value::Uint(b)] => uint(a.checked_mul(*b))?,
        [Value::Double(a), Value::Double(b)] => Value::Double(*a * *b),
        _ => return Err(EvalError::NoSuchOverload),
    })
}

pub(super) fn divide<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    Ok(match args {
        [Value::Int(_), Value::Int(0)] | [Value::Uint(_), Value::Uint(0)] => {
            return Err(EvalError::new("division by zero"));
        }
        [Value::Int(a), Value::Int(b)] => Value::Int(int(a.checked_div(*b))?),
        [Value::Uint(a), Value::Uint(b)] => uint(a.checked_div(*b))?,
        [Value::Double(a), Value::Double(b)] => Value::Double(*a / *b),
        _ => return Err(EvalError::NoSuchOverload),
    })
}

pub(super) fn modulo<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    Ok(match args {
        [Value::Int(_), Value::Int(0)] | [Value::Uint(_), Value::Uint(0)] => {
            return Err(EvalError::new("modulus by zero"));
        }
        [Value::Int(a), Value::Int(b)] => Value::Int(int(a.checked_rem(*b))?),
        [Value::Uint(a), Value::Uint(b)] => uint(a.checked_rem(*b))?,
        _ => return Err(EvalError::NoSuchOverload),
    })
}

fn ordered<'a>(args: Args<'_, 'a>, holds: fn(Ordering) -> bool) -> Outcome<Value<'a>> {
    match args {
        [a, b] => a.compare(b).map(|order| Value::Bool(holds(order))),
        _ => Err(EvalError::NoSuchOverload),
    }
}

pub(super) fn less<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    ordered(args, Ordering::is_lt)
}

pub(super) fn less_equals<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    ordered(args, Ordering::is_le)
}

pub(super) fn greater<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    ordered(args, Ordering::is_gt)
}

pub(super) fn greater_equals<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    ordered(args, Ordering::is_ge)
}

pub(super) fn is_in<'a>(context: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    match args {
        [wanted, Value::List(list)] => contains(context.bound, list, wanted).map(Value::Bool),
        [key, Value::Map(map)] => match map.find(key) {
            None => Ok(Value::Bool(false)),
            Some(Ok(_)) => Ok(Value::Bool(true)),
            Some(Err(error)) if map.is_data() || error == UNHASHABLE => Err(error),
            Some(Err(_)) => Ok(Value::Bool(true)),
        },
        _ => Err(EvalError::NoSuchOverload),
    }
}

pub(super) fn size<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    let size = args.first().and_then(|value| value.sizer());
    size.map(|size| Value::Int(size as i64)).ok_or(EvalError::NoSuchOverload)
}
