//! Quantities, versions and named formats.

use std::cmp::Ordering;

use super::Context;
use super::formats::{self, NamedFormat};
use crate::value::{EvalError, Outcome, Quantity, Semver, Value};

type Args<'s, 'a> = &'s mut [Value<'a>];

const WRONG: EvalError = EvalError::NoSuchOverload;

pub(super) fn quantity<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    let [Value::String(text)] = args else { return Err(WRONG) };
    Ok(Value::Quantity(Quantity::parse(text)?.into()))
}

pub(super) fn is_quantity<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    let [Value::String(text)] = args else { return Err(WRONG) };
    Ok(Value::Bool(Quantity::parse(text).is_ok()))
}

fn amount<'s>(args: &'s [Value<'_>]) -> Outcome<&'s Quantity> {
    match args {
        [Value::Quantity(quantity)] => Ok(quantity),
        _ => Err(WRONG),
    }
}

pub(super) fn sign<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    Ok(Value::Int(amount(args)?.sign()))
}

pub(super) fn as_integer<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    let number = amount(args)?.as_int();
    number.map(Value::Int).ok_or_else(|| EvalError::new("cannot convert value to integer"))
}

pub(super) fn is_integer<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    Ok(Value::Bool(amount(args)?.as_int().is_some()))
}

pub(super) fn as_float<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
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

pub(super) fn is_greater_than<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    Ok(Value::Bool(order(args)?.is_gt()))
}

pub(super) fn is_less_than<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    Ok(Value::Bool(order(args)?.is_lt()))
}

pub(super) fn compare_to<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
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
    // The API server would write out so many digits that it would not come back.
    result.map(|quantity| Value::Quantity(quantity.into())).ok_or(EvalError::CostLimit)
}

pub(super) fn add<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    arithmetic(args, Quantity::plus)
}

pub(super) fn sub<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    arithmetic(args, Quantity::minus)
}

fn parse_version(args: &[Value<'_>]) -> Outcome<Semver> {
    match args {
        [Value::String(text)] | [Value::String(text), Value::Bool(false)] => Semver::parse(text),
        [Value::String(text), Value::Bool(true)] => Semver::parse_normalized(text),
        _ => Err(WRONG),
    }
}

pub(super) fn semver<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    Ok(Value::Semver(parse_version(args)?.into()))
}

pub(super) fn is_semver<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    Ok(Value::Bool(parse_version(args).is_ok()))
}

fn of_version<'a>(args: Args<'_, 'a>, read: fn(&Semver) -> u64) -> Outcome<Value<'a>> {
    let [Value::Semver(version)] = args else { return Err(WRONG) };
    Ok(Value::Int(read(version) as i64))
}

pub(super) fn major<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    of_version(args, |version| version.major)
}

pub(super) fn minor<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    of_version(args, |version| version.minor)
}

pub(super) fn patch<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    of_version(args, |version| version.patch)
}

pub(super) fn format_named<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    let [Value::String(name)] = args else { return Err(WRONG) };
    Ok(match formats::named(name) {
        Some(format) => Value::some(Value::Format(format)),
        None => Value::Optional(None),
    })
}

pub(super) fn validate<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    let [Value::Format(NamedFormat { check, .. }), Value::String(text)] = args else { return Err(WRONG) };
    let problems = check(text);
    if problems.is_empty() {
        return Ok(Value::Optional(None));
    }
    Ok(Value::some(Value::list(problems.into_iter().map(Value::text).collect())))
}
