//! Optional values.

use super::costs::{Forecast, Price};
use super::declaration::{Availability, Body, Function, Precomputation, Run, Signature};
use super::{Args, Context, take};
use crate::documentation::{Example, Origin};
use crate::value::{EvalError, Outcome, Value, display};

/// The functions that are declared here.
#[rustfmt::skip]
pub(super) const FUNCTIONS: &[Function] = &[
    Function {
        name: "first",
        doc: "the first element as an optional, or none if the list is empty",
        example: Example::Gives("[1, 2].first().value()", "1"),
        origin: Origin::Element,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "list_first", text: "(list(V)).first() -> optional_type(V)",
                since: Availability::Release(28), run: Run::Fitting(first),
                estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "hasValue",
        doc: "whether the optional has a value",
        example: Example::Gives("optional.of(1).hasValue()", "true"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "optional_hasValue", text: "(optional_type(V)).hasValue() -> bool",
                since: Availability::Release(28), run: Run::Fitting(has_value),
                estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "last",
        doc: "the last element as an optional, or none if the list is empty",
        example: Example::Gives("[1, 2].last().value()", "2"),
        origin: Origin::Element,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "list_last", text: "(list(V)).last() -> optional_type(V)",
                since: Availability::Release(28), run: Run::Fitting(last),
                estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "optional.none",
        doc: "an optional without a value",
        example: Example::Gives("optional.none().hasValue()", "false"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "optional_none", text: "optional.none() -> optional_type(V)",
                since: Availability::Release(28), run: Run::Fitting(none),
                estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "optional.of",
        doc: "an optional with that value",
        example: Example::Gives("optional.of(1).value()", "1"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "optional_of", text: "optional.of(V) -> optional_type(V)",
                since: Availability::Release(28), run: Run::Fitting(of),
                estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "optional.ofNonZeroValue",
        doc: "an optional with that value, or none if the value is empty, zero or false",
        example: Example::Gives("optional.ofNonZeroValue(0).hasValue()", "false"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "optional_ofNonZeroValue", text: "optional.ofNonZeroValue(V) -> optional_type(V)",
                since: Availability::Release(28), run: Run::Fitting(of_non_zero),
                estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "optional.unwrap",
        doc: "the values of the optionals in the list, without those that are none",
        example: Example::Gives("optional.unwrap([optional.of(1), optional.none()])", "[1]"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "optional_unwrap", text: "optional.unwrap(list(optional_type(V))) -> list(V)",
                since: Availability::Release(28), run: Run::Fitting(unwrap),
                estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "or",
        doc: "the first optional, or the second one if the first has no value",
        example: Example::Gives("optional.none().or(optional.of(2)).value()", "2"),
        origin: Origin::Receiver,
        body: Body::Steps, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "optional_or_optional",
                text: "(optional_type(V)).or(optional_type(V)) -> optional_type(V)",
                since: Availability::Release(28), run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "orValue",
        doc: "the value of the optional, or the other value if it has none",
        example: Example::Gives("optional.none().orValue(3)", "3"),
        origin: Origin::Receiver,
        body: Body::Steps, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "optional_orValue_value", text: "(optional_type(V)).orValue(V) -> V",
                since: Availability::Release(28), run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "unwrapOpt",
        doc: "the values of the optionals in the list, without those that are none",
        example: Example::Gives("[optional.of(1), optional.none()].unwrapOpt()", "[1]"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "optional_unwrapOpt", text: "(list(optional_type(V))).unwrapOpt() -> list(V)",
                since: Availability::Release(28), run: Run::Fitting(unwrap),
                estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "value",
        doc: "the value of the optional; fails if it has none",
        example: Example::Gives("optional.of(1).value()", "1"),
        origin: Origin::Receiver,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "optional_value", text: "(optional_type(V)).value() -> V",
                since: Availability::Release(28), run: Run::Fitting(value),
                estimate: Forecast::One, price: Price::One },
        ],
    },
];

fn of<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    take(args).map(Value::some)
}

fn of_non_zero<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    let value = take(args)?;
    Ok(if value.is_zero() { Value::Optional(None) } else { Value::some(value) })
}

fn none<'a>(_: &Context<'_>, _: Args<'_, 'a>) -> Outcome<Value<'a>> {
    Ok(Value::Optional(None))
}

fn value<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    match args {
        [Value::Optional(Some(value))] => Ok((**value).clone()),
        [Value::Optional(None)] => Err(EvalError::new("optional.none() dereference")),
        _ => Err(EvalError::NoSuchOverload),
    }
}

fn has_value<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    match args {
        [Value::Optional(value)] => Ok(Value::Bool(value.is_some())),
        _ => Err(EvalError::NoSuchOverload),
    }
}

fn first<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    element(args, |_| Some(0))
}

fn last<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    element(args, |len| len.checked_sub(1))
}

fn element<'a>(args: Args<'_, 'a>, at: fn(usize) -> Option<usize>) -> Outcome<Value<'a>> {
    let [Value::List(list)] = args else { return Err(EvalError::NoSuchOverload) };
    match at(list.len()).and_then(|at| list.get(at)) {
        Some(element) => element.map(Value::some),
        None => Ok(Value::Optional(None)),
    }
}

fn unwrap<'a>(context: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
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
