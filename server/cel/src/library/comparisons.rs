//! Order, equality and membership.

use std::cmp::Ordering;

use super::costs::{Forecast, Price};
use super::declaration::{Availability, Body, Function, INTERNAL, Precomputation, Run, Signature};
use super::{Args, Context, Trait};
use crate::documentation::{Example, Origin};
use crate::value::equal::contains;
use crate::value::{EvalError, Outcome, UNHASHABLE, Value};

/// The functions that are declared here.
#[rustfmt::skip]
pub(super) const FUNCTIONS: &[Function] = &[
    Function {
        name: "@in",
        doc: "whether the list contains the value, or the map the key",
        example: Example::Gives("'a' in ['a', 'b']", "true"),
        origin: Origin::Computed,
        body: Body::All(is_in, Trait::Contains), ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "in_list", text: "@in(A, list(A)) -> bool",
                since: Availability::Always, run: Run::OfFunction,
                estimate: Forecast::Elements, price: Price::Elements },
            Signature { id: "in_map", text: "@in(A, map(A, B)) -> bool",
                since: Availability::Always, run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "_!=_",
        doc: "whether two values differ",
        example: Example::Gives("1 != 2", "true"),
        origin: Origin::Computed,
        body: Body::Steps, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "not_equals", text: "_!=_(A, A) -> bool",
                since: Availability::Always, run: Run::OfFunction, estimate: Forecast::Smaller, price: Price::One },
        ],
    },
    Function {
        name: "_<=_",
        doc: "whether the first value is less than or equal to the second",
        example: Example::Gives("2 <= 2", "true"),
        origin: Origin::Computed,
        body: Body::All(less_equals, Trait::Compares), ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "less_equals_bool", text: "_<=_(bool, bool) -> bool",
                since: Availability::Always, run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
            Signature { id: "less_equals_int64", text: "_<=_(int, int) -> bool",
                since: Availability::Always, run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
            Signature { id: "less_equals_int64_double", text: "_<=_(int, double) -> bool",
                since: Availability::CrossType, run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
            Signature { id: "less_equals_int64_uint64", text: "_<=_(int, uint) -> bool",
                since: Availability::CrossType, run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
            Signature { id: "less_equals_uint64", text: "_<=_(uint, uint) -> bool",
                since: Availability::Always, run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
            Signature { id: "less_equals_uint64_double", text: "_<=_(uint, double) -> bool",
                since: Availability::CrossType, run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
            Signature { id: "less_equals_uint64_int64", text: "_<=_(uint, int) -> bool",
                since: Availability::CrossType, run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
            Signature { id: "less_equals_double", text: "_<=_(double, double) -> bool",
                since: Availability::Always, run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
            Signature { id: "less_equals_double_int64", text: "_<=_(double, int) -> bool",
                since: Availability::CrossType, run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
            Signature { id: "less_equals_double_uint64", text: "_<=_(double, uint) -> bool",
                since: Availability::CrossType, run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
            Signature { id: "less_equals_string", text: "_<=_(string, string) -> bool",
                since: Availability::Always, run: Run::OfFunction,
                estimate: Forecast::Smaller, price: Price::Smaller },
            Signature { id: "less_equals_bytes", text: "_<=_(bytes, bytes) -> bool",
                since: Availability::Always, run: Run::OfFunction,
                estimate: Forecast::Smaller, price: Price::Smaller },
            Signature { id: "less_equals_timestamp", text: "_<=_(timestamp, timestamp) -> bool",
                since: Availability::Always, run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
            Signature { id: "less_equals_duration", text: "_<=_(duration, duration) -> bool",
                since: Availability::Always, run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "_<_",
        doc: "whether the first value is less than the second",
        example: Example::Gives("1 < 2.5", "true"),
        origin: Origin::Computed,
        body: Body::All(less, Trait::Compares), ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "less_bool", text: "_<_(bool, bool) -> bool",
                since: Availability::Always, run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
            Signature { id: "less_int64", text: "_<_(int, int) -> bool",
                since: Availability::Always, run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
            Signature { id: "less_int64_double", text: "_<_(int, double) -> bool",
                since: Availability::CrossType, run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
            Signature { id: "less_int64_uint64", text: "_<_(int, uint) -> bool",
                since: Availability::CrossType, run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
            Signature { id: "less_uint64", text: "_<_(uint, uint) -> bool",
                since: Availability::Always, run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
            Signature { id: "less_uint64_double", text: "_<_(uint, double) -> bool",
                since: Availability::CrossType, run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
            Signature { id: "less_uint64_int64", text: "_<_(uint, int) -> bool",
                since: Availability::CrossType, run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
            Signature { id: "less_double", text: "_<_(double, double) -> bool",
                since: Availability::Always, run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
            Signature { id: "less_double_int64", text: "_<_(double, int) -> bool",
                since: Availability::CrossType, run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
            Signature { id: "less_double_uint64", text: "_<_(double, uint) -> bool",
                since: Availability::CrossType, run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
            Signature { id: "less_string", text: "_<_(string, string) -> bool",
                since: Availability::Always, run: Run::OfFunction,
                estimate: Forecast::Smaller, price: Price::Smaller },
            Signature { id: "less_bytes", text: "_<_(bytes, bytes) -> bool",
                since: Availability::Always, run: Run::OfFunction,
                estimate: Forecast::Smaller, price: Price::Smaller },
            Signature { id: "less_timestamp", text: "_<_(timestamp, timestamp) -> bool",
                since: Availability::Always, run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
            Signature { id: "less_duration", text: "_<_(duration, duration) -> bool",
                since: Availability::Always, run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "_==_",
        doc: "whether two values are equal",
        example: Example::Gives("[1, 2] == [1, 2]", "true"),
        origin: Origin::Computed,
        body: Body::Steps, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "equals", text: "_==_(A, A) -> bool",
                since: Availability::Always, run: Run::OfFunction, estimate: Forecast::Equality, price: Price::One },
        ],
    },
    Function {
        name: "_>=_",
        doc: "whether the first value is greater than or equal to the second",
        example: Example::Gives("2 >= 3", "false"),
        origin: Origin::Computed,
        body: Body::All(greater_equals, Trait::Compares), ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "greater_equals_bool", text: "_>=_(bool, bool) -> bool",
                since: Availability::Always, run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
            Signature { id: "greater_equals_int64", text: "_>=_(int, int) -> bool",
                since: Availability::Always, run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
            Signature { id: "greater_equals_int64_double", text: "_>=_(int, double) -> bool",
                since: Availability::CrossType, run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
            Signature { id: "greater_equals_int64_uint64", text: "_>=_(int, uint) -> bool",
                since: Availability::CrossType, run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
            Signature { id: "greater_equals_uint64", text: "_>=_(uint, uint) -> bool",
                since: Availability::Always, run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
            Signature { id: "greater_equals_uint64_double", text: "_>=_(uint, double) -> bool",
                since: Availability::CrossType, run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
            Signature { id: "greater_equals_uint64_int64", text: "_>=_(uint, int) -> bool",
                since: Availability::CrossType, run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
            Signature { id: "greater_equals_double", text: "_>=_(double, double) -> bool",
                since: Availability::Always, run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
            Signature { id: "greater_equals_double_int64", text: "_>=_(double, int) -> bool",
                since: Availability::CrossType, run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
            Signature { id: "greater_equals_double_uint64", text: "_>=_(double, uint) -> bool",
                since: Availability::CrossType, run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
            Signature { id: "greater_equals_string", text: "_>=_(string, string) -> bool",
                since: Availability::Always, run: Run::OfFunction,
                estimate: Forecast::Smaller, price: Price::Smaller },
            Signature { id: "greater_equals_bytes", text: "_>=_(bytes, bytes) -> bool",
                since: Availability::Always, run: Run::OfFunction,
                estimate: Forecast::Smaller, price: Price::Smaller },
            Signature { id: "greater_equals_timestamp", text: "_>=_(timestamp, timestamp) -> bool",
                since: Availability::Always, run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
            Signature { id: "greater_equals_duration", text: "_>=_(duration, duration) -> bool",
                since: Availability::Always, run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "_>_",
        doc: "whether the first value is greater than the second",
        example: Example::Gives("'b' > 'a'", "true"),
        origin: Origin::Computed,
        body: Body::All(greater, Trait::Compares), ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "greater_bool", text: "_>_(bool, bool) -> bool",
                since: Availability::Always, run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
            Signature { id: "greater_int64", text: "_>_(int, int) -> bool",
                since: Availability::Always, run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
            Signature { id: "greater_int64_double", text: "_>_(int, double) -> bool",
                since: Availability::CrossType, run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
            Signature { id: "greater_int64_uint64", text: "_>_(int, uint) -> bool",
                since: Availability::CrossType, run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
            Signature { id: "greater_uint64", text: "_>_(uint, uint) -> bool",
                since: Availability::Always, run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
            Signature { id: "greater_uint64_double", text: "_>_(uint, double) -> bool",
                since: Availability::CrossType, run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
            Signature { id: "greater_uint64_int64", text: "_>_(uint, int) -> bool",
                since: Availability::CrossType, run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
            Signature { id: "greater_double", text: "_>_(double, double) -> bool",
                since: Availability::Always, run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
            Signature { id: "greater_double_int64", text: "_>_(double, int) -> bool",
                since: Availability::CrossType, run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
            Signature { id: "greater_double_uint64", text: "_>_(double, uint) -> bool",
                since: Availability::CrossType, run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
            Signature { id: "greater_string", text: "_>_(string, string) -> bool",
                since: Availability::Always, run: Run::OfFunction,
                estimate: Forecast::Smaller, price: Price::Smaller },
            Signature { id: "greater_bytes", text: "_>_(bytes, bytes) -> bool",
                since: Availability::Always, run: Run::OfFunction,
                estimate: Forecast::Smaller, price: Price::Smaller },
            Signature { id: "greater_timestamp", text: "_>_(timestamp, timestamp) -> bool",
                since: Availability::Always, run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
            Signature { id: "greater_duration", text: "_>_(duration, duration) -> bool",
                since: Availability::Always, run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "_in_",
        doc: INTERNAL,
        example: Example::Gives("_in_(1, [1, 2])", "true"),
        origin: Origin::Computed,
        body: Body::All(is_in, Trait::Contains), ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "in_list", text: "_in_(A, list(A)) -> bool",
                since: Availability::Always, run: Run::OfFunction,
                estimate: Forecast::Elements, price: Price::Elements },
            Signature { id: "in_map", text: "_in_(A, map(A, B)) -> bool",
                since: Availability::Always, run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "in",
        doc: INTERNAL,
        example: Example::None("`in` is a reserved word, which no call can begin with"),
        origin: Origin::Computed,
        body: Body::All(is_in, Trait::Contains), ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "in_list", text: "in(A, list(A)) -> bool",
                since: Availability::Always, run: Run::OfFunction,
                estimate: Forecast::Elements, price: Price::Elements },
            Signature { id: "in_map", text: "in(A, map(A, B)) -> bool",
                since: Availability::Always, run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
        ],
    },
];

fn ordered<'a>(args: Args<'_, 'a>, holds: fn(Ordering) -> bool) -> Outcome<Value<'a>> {
    match args {
        [a, b] => a.compare(b).map(|order| Value::Bool(holds(order))),
        _ => Err(EvalError::NoSuchOverload),
    }
}

fn less<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    ordered(args, Ordering::is_lt)
}

fn less_equals<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    ordered(args, Ordering::is_le)
}

fn greater<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    ordered(args, Ordering::is_gt)
}

fn greater_equals<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    ordered(args, Ordering::is_ge)
}

fn is_in<'a>(context: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
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
