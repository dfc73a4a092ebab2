//! The parts of points in time and of durations.

use super::costs::{Forecast, Price};
use super::declaration::{Availability, Body, Function, Precomputation, Run, Signature};
use super::{Args, Context};
use crate::documentation::{Example, Origin};
use crate::value::{EvalError, NANOS, Outcome, Timestamp, Value};

/// The functions that are declared here.
#[rustfmt::skip]
pub(super) const FUNCTIONS: &[Function] = &[
    Function {
        name: "getDate",
        doc: "the day of the month, from 1",
        example: Example::Gives("timestamp('2024-02-03T04:05:06.007Z').getDate()", "3"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "timestamp_to_day_of_month_1_based", text: "(timestamp).getDate() -> int",
                since: Availability::Always, run: Run::Fitting(date), estimate: Forecast::One, price: Price::One },
            Signature { id: "timestamp_to_day_of_month_1_based_with_tz",
                text: "(timestamp).getDate(string) -> int",
                since: Availability::Always, run: Run::Fitting(date), estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "getDayOfMonth",
        doc: "the day of the month, from 0",
        example: Example::Gives("timestamp('2024-02-03T04:05:06.007Z').getDayOfMonth()", "2"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "timestamp_to_day_of_month", text: "(timestamp).getDayOfMonth() -> int",
                since: Availability::Always, run: Run::Fitting(day_of_month),
                estimate: Forecast::One, price: Price::One },
            Signature { id: "timestamp_to_day_of_month_with_tz",
                text: "(timestamp).getDayOfMonth(string) -> int",
                since: Availability::Always, run: Run::Fitting(day_of_month),
                estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "getDayOfWeek",
        doc: "the day of the week; Sunday is 0",
        example: Example::Gives("timestamp('2024-02-03T04:05:06.007Z').getDayOfWeek()", "6"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "timestamp_to_day_of_week", text: "(timestamp).getDayOfWeek() -> int",
                since: Availability::Always, run: Run::Fitting(day_of_week),
                estimate: Forecast::One, price: Price::One },
            Signature { id: "timestamp_to_day_of_week_with_tz",
                text: "(timestamp).getDayOfWeek(string) -> int",
                since: Availability::Always, run: Run::Fitting(day_of_week),
                estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "getDayOfYear",
        doc: "the day of the year, from 0",
        example: Example::Gives("timestamp('2024-02-03T04:05:06.007Z').getDayOfYear()", "33"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "timestamp_to_day_of_year", text: "(timestamp).getDayOfYear() -> int",
                since: Availability::Always, run: Run::Fitting(day_of_year),
                estimate: Forecast::One, price: Price::One },
            Signature { id: "timestamp_to_day_of_year_with_tz",
                text: "(timestamp).getDayOfYear(string) -> int",
                since: Availability::Always, run: Run::Fitting(day_of_year),
                estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "getFullYear",
        doc: "the year",
        example: Example::Gives("timestamp('2024-02-03T04:05:06.007Z').getFullYear()", "2024"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "timestamp_to_year", text: "(timestamp).getFullYear() -> int",
                since: Availability::Always, run: Run::Fitting(year), estimate: Forecast::One, price: Price::One },
            Signature { id: "timestamp_to_year_with_tz", text: "(timestamp).getFullYear(string) -> int",
                since: Availability::Always, run: Run::Fitting(year), estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "getHours",
        doc: "the hour of the day, or the total hours of a duration",
        example: Example::Gives("timestamp('2024-02-03T04:05:06.007Z').getHours('+02:00')", "6"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "timestamp_to_hours", text: "(timestamp).getHours() -> int",
                since: Availability::Always, run: Run::Fitting(hours), estimate: Forecast::One, price: Price::One },
            Signature { id: "timestamp_to_hours_with_tz", text: "(timestamp).getHours(string) -> int",
                since: Availability::Always, run: Run::Fitting(hours), estimate: Forecast::One, price: Price::One },
            Signature { id: "duration_to_hours", text: "(duration).getHours() -> int",
                since: Availability::Always, run: Run::Fitting(duration_hours),
                estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "getMilliseconds",
        doc: "the milliseconds of the second, or the total milliseconds of a duration",
        example: Example::Gives("timestamp('2024-02-03T04:05:06.007Z').getMilliseconds()", "7"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "timestamp_to_milliseconds", text: "(timestamp).getMilliseconds() -> int",
                since: Availability::Always, run: Run::Fitting(milliseconds),
                estimate: Forecast::One, price: Price::One },
            Signature { id: "timestamp_to_milliseconds_with_tz",
                text: "(timestamp).getMilliseconds(string) -> int",
                since: Availability::Always, run: Run::Fitting(milliseconds),
                estimate: Forecast::One, price: Price::One },
            Signature { id: "duration_to_milliseconds", text: "(duration).getMilliseconds() -> int",
                since: Availability::Always, run: Run::Fitting(duration_milliseconds),
                estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "getMinutes",
        doc: "the minute of the hour, or the total minutes of a duration",
        example: Example::Gives("duration('1h30m').getMinutes()", "90"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "timestamp_to_minutes", text: "(timestamp).getMinutes() -> int",
                since: Availability::Always, run: Run::Fitting(minutes),
                estimate: Forecast::One, price: Price::One },
            Signature { id: "timestamp_to_minutes_with_tz", text: "(timestamp).getMinutes(string) -> int",
                since: Availability::Always, run: Run::Fitting(minutes),
                estimate: Forecast::One, price: Price::One },
            Signature { id: "duration_to_minutes", text: "(duration).getMinutes() -> int",
                since: Availability::Always, run: Run::Fitting(duration_minutes),
                estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "getMonth",
        doc: "the month; January is 0",
        example: Example::Gives("timestamp('2024-02-03T04:05:06.007Z').getMonth()", "1"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "timestamp_to_month", text: "(timestamp).getMonth() -> int",
                since: Availability::Always, run: Run::Fitting(month), estimate: Forecast::One, price: Price::One },
            Signature { id: "timestamp_to_month_with_tz", text: "(timestamp).getMonth(string) -> int",
                since: Availability::Always, run: Run::Fitting(month), estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "getSeconds",
        doc: "the second of the minute, or the total seconds of a duration",
        example: Example::Gives("timestamp('2024-02-03T04:05:06.007Z').getSeconds()", "6"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "timestamp_to_seconds", text: "(timestamp).getSeconds() -> int",
                since: Availability::Always, run: Run::Fitting(seconds),
                estimate: Forecast::One, price: Price::One },
            Signature { id: "timestamp_to_seconds_tz", text: "(timestamp).getSeconds(string) -> int",
                since: Availability::Always, run: Run::Fitting(seconds),
                estimate: Forecast::One, price: Price::One },
            Signature { id: "duration_to_seconds", text: "(duration).getSeconds() -> int",
                since: Availability::Always, run: Run::Fitting(duration_seconds),
                estimate: Forecast::One, price: Price::One },
        ],
    },
];

/// A part of a point in time, in the zone of the second argument, or in UTC.
fn part<'a>(args: Args<'_, 'a>, read: impl Fn(Timestamp) -> i64) -> Outcome<Value<'a>> {
    let time = match args {
        [Value::Timestamp(time)] => Timestamp { offset: 0, ..*time },
        [Value::Timestamp(time), Value::String(zone)] => time.in_zone(zone)?,
        _ => return Err(EvalError::NoSuchOverload),
    };
    Ok(Value::Int(read(time)))
}

fn year<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    part(args, |time| time.civil().year)
}

fn month<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    part(args, |time| time.civil().month - 1)
}

fn day_of_year<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    part(args, |time| time.civil().day_of_year - 1)
}

fn day_of_month<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    part(args, |time| time.civil().day - 1)
}

fn date<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    part(args, |time| time.civil().day)
}

fn day_of_week<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    part(args, |time| time.civil().weekday)
}

fn hours<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    part(args, |time| time.civil().second_of_day / 3600)
}

fn minutes<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    part(args, |time| time.civil().second_of_day / 60 % 60)
}

fn seconds<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    part(args, |time| time.civil().second_of_day % 60)
}

fn milliseconds<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    part(args, |time| i64::from(time.nanos) / 1_000_000)
}

/// A duration in units; Go divides doubles here, with their rounding.
fn units<'a>(args: Args<'_, 'a>, unit: i64) -> Outcome<Value<'a>> {
    let [Value::Duration(nanos)] = args else { return Err(EvalError::NoSuchOverload) };
    let number = (*nanos / unit) as f64 + (*nanos % unit) as f64 / unit as f64;
    Ok(Value::Int(number as i64))
}

fn duration_hours<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    units(args, 3_600 * NANOS)
}

fn duration_minutes<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    units(args, 60 * NANOS)
}

fn duration_seconds<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    units(args, NANOS)
}

fn duration_milliseconds<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    let [Value::Duration(nanos)] = args else { return Err(EvalError::NoSuchOverload) };
    Ok(Value::Int(*nanos / 1_000_000))
}
