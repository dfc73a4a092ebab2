//! The parts of points in time and of durations.

use super::Context;
use crate::value::{EvalError, NANOS, Outcome, Timestamp, Value};

type Args<'s, 'a> = &'s mut [Value<'a>];

/// A part of a point in time, by the clock of the zone that is the second argument, or of UTC.
fn part<'a>(args: Args<'_, 'a>, read: impl Fn(Timestamp) -> i64) -> Outcome<Value<'a>> {
    let time = match args {
        [Value::Timestamp(time)] => Timestamp { offset: 0, ..*time },
        [Value::Timestamp(time), Value::String(zone)] => time.in_zone(zone)?,
        _ => return Err(EvalError::NoSuchOverload),
    };
    Ok(Value::Int(read(time)))
}

pub(super) fn year<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    part(args, |time| time.civil().year)
}

pub(super) fn month<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    part(args, |time| time.civil().month - 1)
}

pub(super) fn day_of_year<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    part(args, |time| time.civil().day_of_year - 1)
}

pub(super) fn day_of_month<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    part(args, |time| time.civil().day - 1)
}

pub(super) fn date<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    part(args, |time| time.civil().day)
}

pub(super) fn day_of_week<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    part(args, |time| time.civil().weekday)
}

pub(super) fn hours<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    part(args, |time| time.civil().second_of_day / 3600)
}

pub(super) fn minutes<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    part(args, |time| time.civil().second_of_day / 60 % 60)
}

pub(super) fn seconds<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    part(args, |time| time.civil().second_of_day % 60)
}

pub(super) fn milliseconds<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    part(args, |time| i64::from(time.nanos) / 1_000_000)
}

/// A duration in units; Go divides doubles here, and rounds with them.
fn units<'a>(args: Args<'_, 'a>, unit: i64) -> Outcome<Value<'a>> {
    let [Value::Duration(nanos)] = args else { return Err(EvalError::NoSuchOverload) };
    let number = (*nanos / unit) as f64 + (*nanos % unit) as f64 / unit as f64;
    Ok(Value::Int(number as i64))
}

pub(super) fn duration_hours<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    units(args, 3_600 * NANOS)
}

pub(super) fn duration_minutes<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    units(args, 60 * NANOS)
}

pub(super) fn duration_seconds<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    units(args, NANOS)
}

pub(super) fn duration_milliseconds<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    let [Value::Duration(nanos)] = args else { return Err(EvalError::NoSuchOverload) };
    Ok(Value::Int(*nanos / 1_000_000))
}
