//! Quantities and versions.

use std::cmp::Ordering;

use super::costs::{Forecast, Price, STRING};
use super::declaration::{Availability, Body, Function, Precomputation, Run, Signature};
use super::{Args, Context};
use crate::documentation::{Example, Origin};
use crate::value::{EvalError, Outcome, Quantity, Semver, Value};

/// The functions that are declared here.
#[rustfmt::skip]
pub(super) const FUNCTIONS: &[Function] = &[
    Function {
        name: "add",
        doc: "the sum of two quantities",
        example: Example::Gives("quantity('1').add(quantity('500m'))", "quantity('1500m')"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "quantity_add",
                text: "(kubernetes.Quantity).add(kubernetes.Quantity) -> kubernetes.Quantity",
                since: Availability::Release(28), run: Run::Fitting(add),
                estimate: Forecast::One, price: Price::One },
            Signature { id: "quantity_add_int", text: "(kubernetes.Quantity).add(int) -> kubernetes.Quantity",
                since: Availability::Release(28), run: Run::Fitting(add),
                estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "asApproximateFloat",
        doc: "the quantity as a double, possibly rounded",
        example: Example::Gives("quantity('1500m').asApproximateFloat()", "1.5"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "quantity_get_float",
                text: "(kubernetes.Quantity).asApproximateFloat() -> double",
                since: Availability::Release(28), run: Run::Fitting(as_float),
                estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "asInteger",
        doc: "the quantity as an int; fails for fractions and for values that do not fit",
        example: Example::Gives("quantity('2k').asInteger()", "2000"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "quantity_get_int", text: "(kubernetes.Quantity).asInteger() -> int",
                since: Availability::Release(28), run: Run::Fitting(as_integer),
                estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "compareTo",
        doc: "-1, 0 or 1 if the first is less than, equal to or greater than the second",
        example: Example::Gives("quantity('1').compareTo(quantity('2'))", "-1"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "quantity_compare_to",
                text: "(kubernetes.Quantity).compareTo(kubernetes.Quantity) -> int",
                since: Availability::Release(28), run: Run::Fitting(compare_to),
                estimate: Forecast::One, price: Price::One },
            Signature { id: "semver_compare_to",
                text: "(kubernetes.Semver).compareTo(kubernetes.Semver) -> int",
                since: Availability::Release(33), run: Run::Fitting(compare_to),
                estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "isGreaterThan",
        doc: "whether the first is greater than the second",
        example: Example::Gives("quantity('2').isGreaterThan(quantity('1500m'))", "true"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "quantity_is_greater_than",
                text: "(kubernetes.Quantity).isGreaterThan(kubernetes.Quantity) -> bool",
                since: Availability::Release(28), run: Run::Fitting(is_greater_than),
                estimate: Forecast::One, price: Price::One },
            Signature { id: "semver_is_greater_than",
                text: "(kubernetes.Semver).isGreaterThan(kubernetes.Semver) -> bool",
                since: Availability::Release(33), run: Run::Fitting(is_greater_than),
                estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "isInteger",
        doc: "whether the quantity is an integer that fits into 64 bits",
        example: Example::Gives("quantity('1500m').isInteger()", "false"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "quantity_is_integer", text: "(kubernetes.Quantity).isInteger() -> bool",
                since: Availability::Release(28), run: Run::Fitting(is_integer),
                estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "isLessThan",
        doc: "whether the first is less than the second",
        example: Example::Gives("semver('1.2.3').isLessThan(semver('1.10.0'))", "true"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "quantity_is_less_than",
                text: "(kubernetes.Quantity).isLessThan(kubernetes.Quantity) -> bool",
                since: Availability::Release(28), run: Run::Fitting(is_less_than),
                estimate: Forecast::One, price: Price::One },
            Signature { id: "semver_is_less_than",
                text: "(kubernetes.Semver).isLessThan(kubernetes.Semver) -> bool",
                since: Availability::Release(33), run: Run::Fitting(is_less_than),
                estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "isQuantity",
        doc: "whether the string is a quantity",
        example: Example::Gives("isQuantity('1.5Gi')", "true"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::Scan(0, STRING),
        signatures: &[
            Signature { id: "is_quantity_string", text: "isQuantity(string) -> bool",
                since: Availability::Release(28), run: Run::Fitting(is_quantity),
                estimate: Forecast::Parse(STRING), price: Price::Scan(0, STRING) },
        ],
    },
    Function {
        name: "isSemver",
        doc: "whether the string is a semantic version",
        example: Example::Gives("isSemver('v1.2')", "false"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::Scan(0, STRING),
        signatures: &[
            Signature { id: "is_semver_string", text: "isSemver(string) -> bool",
                since: Availability::Release(33), run: Run::Fitting(is_semver),
                estimate: Forecast::Parse(STRING), price: Price::Scan(0, STRING) },
            Signature { id: "is_semver_string_bool", text: "isSemver(string, bool) -> bool",
                since: Availability::Release(33), run: Run::Fitting(is_semver),
                estimate: Forecast::Parse(STRING), price: Price::Scan(0, STRING) },
        ],
    },
    Function {
        name: "major",
        doc: "the major version",
        example: Example::Gives("semver('1.2.3').major()", "1"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "semver_major", text: "(kubernetes.Semver).major() -> int",
                since: Availability::Release(33), run: Run::Fitting(major),
                estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "minor",
        doc: "the minor version",
        example: Example::Gives("semver('1.2.3').minor()", "2"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "semver_minor", text: "(kubernetes.Semver).minor() -> int",
                since: Availability::Release(33), run: Run::Fitting(minor),
                estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "patch",
        doc: "the patch version",
        example: Example::Gives("semver('1.2.3').patch()", "3"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "semver_patch", text: "(kubernetes.Semver).patch() -> int",
                since: Availability::Release(33), run: Run::Fitting(patch),
                estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "quantity",
        doc: "a quantity such as `'1.5Gi'`; fails if the string is not one",
        example: Example::Gives("quantity('1.5Gi')", "quantity('1536Mi')"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::Scan(0, STRING),
        signatures: &[
            Signature { id: "string_to_quantity", text: "quantity(string) -> kubernetes.Quantity",
                since: Availability::Release(28), run: Run::Fitting(quantity),
                estimate: Forecast::Parse(STRING), price: Price::Scan(0, STRING) },
        ],
    },
    Function {
        name: "semver",
        doc: "a semantic version such as `'1.2.3'`; with `true`, forms such as `'v1.2'` are valid as well",
        example: Example::Gives("semver('v1.2', true)", "semver('1.2.0')"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::Scan(0, STRING),
        signatures: &[
            Signature { id: "string_to_semver", text: "semver(string) -> kubernetes.Semver",
                since: Availability::Release(33), run: Run::Fitting(semver),
                estimate: Forecast::Parse(STRING), price: Price::Scan(0, STRING) },
            Signature { id: "string_bool_to_semver", text: "semver(string, bool) -> kubernetes.Semver",
                since: Availability::Release(33), run: Run::Fitting(semver),
                estimate: Forecast::Parse(STRING), price: Price::Scan(0, STRING) },
        ],
    },
    Function {
        name: "sign",
        doc: "1, 0 or -1 if the quantity is positive, zero or negative",
        example: Example::Gives("sign(quantity('-1'))", "-1"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "quantity_sign", text: "sign(kubernetes.Quantity) -> int",
                since: Availability::Release(28), run: Run::Fitting(sign),
                estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "sub",
        doc: "the difference of two quantities",
        example: Example::Gives("quantity('1').sub(quantity('300m'))", "quantity('700m')"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "quantity_sub",
                text: "(kubernetes.Quantity).sub(kubernetes.Quantity) -> kubernetes.Quantity",
                since: Availability::Release(28), run: Run::Fitting(sub),
                estimate: Forecast::One, price: Price::One },
            Signature { id: "quantity_sub_int", text: "(kubernetes.Quantity).sub(int) -> kubernetes.Quantity",
                since: Availability::Release(28), run: Run::Fitting(sub),
                estimate: Forecast::One, price: Price::One },
        ],
    },
];

const WRONG: EvalError = EvalError::NoSuchOverload;

fn quantity<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    let [Value::String(text)] = args else { return Err(WRONG) };
    Ok(Value::Quantity(Quantity::parse(text)?.into()))
}

fn is_quantity<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    let [Value::String(text)] = args else { return Err(WRONG) };
    Ok(Value::Bool(Quantity::parse(text).is_ok()))
}

fn amount<'s>(args: &'s [Value<'_>]) -> Outcome<&'s Quantity> {
    match args {
        [Value::Quantity(quantity)] => Ok(quantity),
        _ => Err(WRONG),
    }
}

fn sign<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    Ok(Value::Int(amount(args)?.sign()))
}

fn as_integer<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    let number = amount(args)?.as_int();
    number.map(Value::Int).ok_or_else(|| EvalError::new("cannot convert value to integer"))
}

fn is_integer<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    Ok(Value::Bool(amount(args)?.as_int().is_some()))
}

fn as_float<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    Ok(Value::Double(amount(args)?.as_float()))
}

/// The order of two quantities or of two versions.
fn order(args: &[Value<'_>]) -> Outcome<Ordering> {
    match args {
        [Value::Quantity(a), Value::Quantity(b)] => Ok(a.compare(b)),
        [Value::Semver(a), Value::Semver(b)] => Ok(a.compare(b)),
        _ => Err(WRONG),
    }
}

fn is_greater_than<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    Ok(Value::Bool(order(args)?.is_gt()))
}

fn is_less_than<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    Ok(Value::Bool(order(args)?.is_lt()))
}

fn compare_to<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    Ok(Value::Int(order(args)? as i64))
}

fn arithmetic<'a>(
    args: Args<'_, 'a>,
    run: fn(&Quantity, &Quantity) -> Option<Quantity>,
) -> Outcome<Value<'a>> {
    let result = match args {
        [Value::Quantity(a), Value::Quantity(b)] => run(a, b),
        [Value::Quantity(a), Value::Int(b)] => run(a, &Quantity::of_int(*b)),
        _ => return Err(WRONG),
    };
    // The API server would not finish writing that many digits.
    result.map(|quantity| Value::Quantity(quantity.into())).ok_or(EvalError::CostLimit)
}

fn add<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    arithmetic(args, Quantity::plus)
}

fn sub<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    arithmetic(args, Quantity::minus)
}

fn parse_version(args: &[Value<'_>]) -> Outcome<Semver> {
    match args {
        [Value::String(text)] | [Value::String(text), Value::Bool(false)] => Semver::parse(text),
        [Value::String(text), Value::Bool(true)] => Semver::parse_normalized(text),
        _ => Err(WRONG),
    }
}

fn semver<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    Ok(Value::Semver(parse_version(args)?.into()))
}

fn is_semver<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    Ok(Value::Bool(parse_version(args).is_ok()))
}

fn of_version<'a>(args: Args<'_, 'a>, read: fn(&Semver) -> u64) -> Outcome<Value<'a>> {
    let [Value::Semver(version)] = args else { return Err(WRONG) };
    Ok(Value::Int(read(version) as i64))
}

fn major<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    of_version(args, |version| version.major)
}

fn minor<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    of_version(args, |version| version.minor)
}

fn patch<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    of_version(args, |version| version.patch)
}
