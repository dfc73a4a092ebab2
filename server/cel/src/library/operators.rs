//! Arithmetic and sizes.

use super::costs::{Forecast, Price};
use super::declaration::{Availability, Body, Function, Precomputation, Run, Signature};
use super::{Args, Context, Trait};
use crate::documentation::{Example, Origin};
use crate::value::{EvalError, Outcome, Value};

/// The functions that are declared here.
#[rustfmt::skip]
pub(super) const FUNCTIONS: &[Function] = &[
    Function {
        name: "!_",
        doc: "the opposite of a bool",
        example: Example::Gives("!true", "false"),
        origin: Origin::Computed,
        body: Body::All(not, Trait::Any), ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "logical_not", text: "!_(bool) -> bool",
                since: Availability::Always, run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "-_",
        doc: "the negative of a number",
        example: Example::Gives("-(1 + 2)", "-3"),
        origin: Origin::Computed,
        body: Body::All(negate, Trait::Negates), ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "negate_double", text: "-_(double) -> double",
                since: Availability::Always, run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
            Signature { id: "negate_int64", text: "-_(int) -> int",
                since: Availability::Always, run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "_%_",
        doc: "the remainder of an integer division",
        example: Example::Gives("7 % 3", "1"),
        origin: Origin::Computed,
        body: Body::All(modulo, Trait::Takes), ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "modulo_int64", text: "_%_(int, int) -> int",
                since: Availability::Always, run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
            Signature { id: "modulo_uint64", text: "_%_(uint, uint) -> uint",
                since: Availability::Always, run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "_*_",
        doc: "the product of two numbers",
        example: Example::Gives("6 * 7", "42"),
        origin: Origin::Computed,
        body: Body::All(multiply, Trait::Multiplies), ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "multiply_double", text: "_*_(double, double) -> double",
                since: Availability::Always, run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
            Signature { id: "multiply_int64", text: "_*_(int, int) -> int",
                since: Availability::Always, run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
            Signature { id: "multiply_uint64", text: "_*_(uint, uint) -> uint",
                since: Availability::Always, run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "_+_",
        doc: "the sum of two numbers or durations, a timestamp plus a duration, or two strings, bytes or lists joined",
        example: Example::Gives("'ab' + 'cd'", "'abcd'"),
        origin: Origin::Computed,
        body: Body::All(add, Trait::Adds), ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "add_bytes", text: "_+_(bytes, bytes) -> bytes",
                since: Availability::Always, run: Run::OfFunction, estimate: Forecast::Concat, price: Price::Both },
            Signature { id: "add_double", text: "_+_(double, double) -> double",
                since: Availability::Always, run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
            Signature { id: "add_duration_duration", text: "_+_(duration, duration) -> duration",
                since: Availability::Always, run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
            Signature { id: "add_duration_timestamp", text: "_+_(duration, timestamp) -> timestamp",
                since: Availability::Always, run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
            Signature { id: "add_timestamp_duration", text: "_+_(timestamp, duration) -> timestamp",
                since: Availability::Always, run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
            Signature { id: "add_int64", text: "_+_(int, int) -> int",
                since: Availability::Always, run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
            Signature { id: "add_list", text: "_+_(list(A), list(A)) -> list(A)",
                since: Availability::Always, run: Run::OfFunction,
                estimate: Forecast::ConcatLists, price: Price::One },
            Signature { id: "add_string", text: "_+_(string, string) -> string",
                since: Availability::Always, run: Run::OfFunction, estimate: Forecast::Concat, price: Price::Both },
            Signature { id: "add_uint64", text: "_+_(uint, uint) -> uint",
                since: Availability::Always, run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "_-_",
        doc: "the difference of two numbers, durations or timestamps, or a timestamp minus a duration",
        example: Example::Gives("7 - 3", "4"),
        origin: Origin::Computed,
        body: Body::All(subtract, Trait::Subtracts), ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "subtract_double", text: "_-_(double, double) -> double",
                since: Availability::Always, run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
            Signature { id: "subtract_duration_duration", text: "_-_(duration, duration) -> duration",
                since: Availability::Always, run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
            Signature { id: "subtract_int64", text: "_-_(int, int) -> int",
                since: Availability::Always, run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
            Signature { id: "subtract_timestamp_duration", text: "_-_(timestamp, duration) -> timestamp",
                since: Availability::Always, run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
            Signature { id: "subtract_timestamp_timestamp", text: "_-_(timestamp, timestamp) -> duration",
                since: Availability::Always, run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
            Signature { id: "subtract_uint64", text: "_-_(uint, uint) -> uint",
                since: Availability::Always, run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "_/_",
        doc: "the quotient; integers round towards zero",
        example: Example::Gives("7 / 2", "3"),
        origin: Origin::Computed,
        body: Body::All(divide, Trait::Divides), ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "divide_double", text: "_/_(double, double) -> double",
                since: Availability::Always, run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
            Signature { id: "divide_int64", text: "_/_(int, int) -> int",
                since: Availability::Always, run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
            Signature { id: "divide_uint64", text: "_/_(uint, uint) -> uint",
                since: Availability::Always, run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "size",
        doc: "the number of characters, bytes, elements or entries",
        example: Example::Gives("size('abc')", "3"),
        origin: Origin::Computed,
        body: Body::All(size, Trait::HasSize), ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "size_bytes", text: "size(bytes) -> int",
                since: Availability::Always, run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
            Signature { id: "bytes_size", text: "(bytes).size() -> int",
                since: Availability::Always, run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
            Signature { id: "size_list", text: "size(list(A)) -> int",
                since: Availability::Always, run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
            Signature { id: "list_size", text: "(list(A)).size() -> int",
                since: Availability::Always, run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
            Signature { id: "size_map", text: "size(map(A, B)) -> int",
                since: Availability::Always, run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
            Signature { id: "map_size", text: "(map(A, B)).size() -> int",
                since: Availability::Always, run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
            Signature { id: "size_string", text: "size(string) -> int",
                since: Availability::Always, run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
            Signature { id: "string_size", text: "(string).size() -> int",
                since: Availability::Always, run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
        ],
    },
];

fn int(result: Option<i64>) -> Outcome<i64> {
    result.ok_or_else(|| EvalError::new("integer overflow"))
}

fn uint<'a>(result: Option<u64>) -> Outcome<Value<'a>> {
    result.map(Value::Uint).ok_or_else(|| EvalError::new("unsigned integer overflow"))
}

fn not<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    match args {
        [Value::Bool(value)] => Ok(Value::Bool(!*value)),
        _ => Err(EvalError::NoSuchOverload),
    }
}

fn negate<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
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

fn subtract<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
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

fn multiply<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    Ok(match args {
        [Value::Int(a), Value::Int(b)] => Value::Int(int(a.checked_mul(*b))?),
        [Value::Uint(a), Value::Uint(b)] => uint(a.checked_mul(*b))?,
        [Value::Double(a), Value::Double(b)] => Value::Double(*a * *b),
        _ => return Err(EvalError::NoSuchOverload),
    })
}

fn divide<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
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

fn modulo<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    Ok(match args {
        [Value::Int(_), Value::Int(0)] | [Value::Uint(_), Value::Uint(0)] => {
            return Err(EvalError::new("modulus by zero"));
        }
        [Value::Int(a), Value::Int(b)] => Value::Int(int(a.checked_rem(*b))?),
        [Value::Uint(a), Value::Uint(b)] => uint(a.checked_rem(*b))?,
        _ => return Err(EvalError::NoSuchOverload),
    })
}

fn size<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    let size = args.first().and_then(|value| value.sizer());
    size.map(|size| Value::Int(size as i64)).ok_or(EvalError::NoSuchOverload)
}
