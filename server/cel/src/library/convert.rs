//! Conversions between types.

use super::costs::{Forecast, Price, STRING};
use super::declaration::{Availability, Body, Function, Precomputation, Run, Signature};
use super::{Args, Context, Trait, take};
use crate::documentation::{Example, Origin};
use crate::value::{EvalError, Outcome, Text, Timestamp, Value, double_g, duration_text, parse_duration};

/// The functions that are declared here.
#[rustfmt::skip]
pub(super) const FUNCTIONS: &[Function] = &[
    Function {
        name: "bool",
        doc: "converts a string such as `'true'`, `'t'` or `'1'` to a bool",
        example: Example::Gives("bool('true')", "true"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Call, undecided: Price::One,
        signatures: &[
            Signature { id: "bool_to_bool", text: "bool(bool) -> bool",
                since: Availability::Always, run: Run::Fitting(identity),
                estimate: Forecast::One, price: Price::One },
            Signature { id: "string_to_bool", text: "bool(string) -> bool",
                since: Availability::Always, run: Run::Fitting(bool), estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "bytes",
        doc: "the UTF-8 bytes of a string",
        example: Example::Gives("bytes('é')", "b'é'"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Call, undecided: Price::One,
        signatures: &[
            Signature { id: "bytes_to_bytes", text: "bytes(bytes) -> bytes",
                since: Availability::Always, run: Run::Fitting(identity),
                estimate: Forecast::One, price: Price::One },
            Signature { id: "string_to_bytes", text: "bytes(string) -> bytes",
                since: Availability::Always, run: Run::Fitting(bytes),
                estimate: Forecast::Encode, price: Price::Scan(0, STRING) },
        ],
    },
    Function {
        name: "double",
        doc: "converts the value to a double",
        example: Example::Gives("double('1.5')", "1.5"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Call, undecided: Price::One,
        signatures: &[
            Signature { id: "double_to_double", text: "double(double) -> double",
                since: Availability::Always, run: Run::Fitting(identity),
                estimate: Forecast::One, price: Price::One },
            Signature { id: "int64_to_double", text: "double(int) -> double",
                since: Availability::Always, run: Run::Fitting(double), estimate: Forecast::One, price: Price::One },
            Signature { id: "string_to_double", text: "double(string) -> double",
                since: Availability::Always, run: Run::Fitting(double), estimate: Forecast::One, price: Price::One },
            Signature { id: "uint64_to_double", text: "double(uint) -> double",
                since: Availability::Always, run: Run::Fitting(double), estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "duration",
        doc: "a duration such as `'1h30m'`",
        example: Example::Gives("duration('1h30m')", "duration('90m')"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Call, undecided: Price::One,
        signatures: &[
            Signature { id: "duration_to_duration", text: "duration(duration) -> duration",
                since: Availability::Always, run: Run::Fitting(identity),
                estimate: Forecast::One, price: Price::One },
            Signature { id: "string_to_duration", text: "duration(string) -> duration",
                since: Availability::Always, run: Run::Fitting(duration),
                estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "dyn",
        doc: "the value without its type, so types are checked only when the expression runs",
        example: Example::Gives("dyn(1) == 'a'", "false"),
        origin: Origin::Argument,
        body: Body::All(identity, Trait::Any), ahead: Precomputation::Call, undecided: Price::One,
        signatures: &[
            Signature { id: "to_dyn", text: "dyn(A) -> dyn",
                since: Availability::Always, run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "int",
        doc: "converts the value to an int; fails if it does not fit",
        example: Example::Gives("int('42')", "42"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Call, undecided: Price::One,
        signatures: &[
            Signature { id: "int64_to_int64", text: "int(int) -> int",
                since: Availability::Always, run: Run::Fitting(identity),
                estimate: Forecast::One, price: Price::One },
            Signature { id: "double_to_int64", text: "int(double) -> int",
                since: Availability::Always, run: Run::Fitting(int), estimate: Forecast::One, price: Price::One },
            Signature { id: "duration_to_int64", text: "int(duration) -> int",
                since: Availability::Always, run: Run::Fitting(int), estimate: Forecast::One, price: Price::One },
            Signature { id: "string_to_int64", text: "int(string) -> int",
                since: Availability::Always, run: Run::Fitting(int), estimate: Forecast::One, price: Price::One },
            Signature { id: "timestamp_to_int64", text: "int(timestamp) -> int",
                since: Availability::Always, run: Run::Fitting(int), estimate: Forecast::One, price: Price::One },
            Signature { id: "uint64_to_int64", text: "int(uint) -> int",
                since: Availability::Always, run: Run::Fitting(int), estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "string",
        doc: "converts the value to a string",
        example: Example::Gives("string(1.5)", "'1.5'"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Call, undecided: Price::One,
        signatures: &[
            Signature { id: "string_to_string", text: "string(string) -> string",
                since: Availability::Always, run: Run::Fitting(identity),
                estimate: Forecast::One, price: Price::One },
            Signature { id: "bool_to_string", text: "string(bool) -> string",
                since: Availability::Always, run: Run::Fitting(string), estimate: Forecast::One, price: Price::One },
            Signature { id: "bytes_to_string", text: "string(bytes) -> string",
                since: Availability::Always, run: Run::Fitting(string),
                estimate: Forecast::Decode, price: Price::Scan(0, STRING) },
            Signature { id: "double_to_string", text: "string(double) -> string",
                since: Availability::Always, run: Run::Fitting(string), estimate: Forecast::One, price: Price::One },
            Signature { id: "duration_to_string", text: "string(duration) -> string",
                since: Availability::Always, run: Run::Fitting(string), estimate: Forecast::One, price: Price::One },
            Signature { id: "int64_to_string", text: "string(int) -> string",
                since: Availability::Always, run: Run::Fitting(string), estimate: Forecast::One, price: Price::One },
            Signature { id: "timestamp_to_string", text: "string(timestamp) -> string",
                since: Availability::Always, run: Run::Fitting(string), estimate: Forecast::One, price: Price::One },
            Signature { id: "uint64_to_string", text: "string(uint) -> string",
                since: Availability::Always, run: Run::Fitting(string), estimate: Forecast::One, price: Price::One },
            Signature { id: "ip_to_string", text: "string(net.IP) -> string",
                since: Availability::Release(30), run: Run::Fitting(string),
                estimate: Forecast::One, price: Price::One },
            Signature { id: "cidr_to_string", text: "string(net.CIDR) -> string",
                since: Availability::Release(30), run: Run::Fitting(string),
                estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "timestamp",
        doc: "a point in time such as `'2006-01-02T15:04:05Z'`",
        example: Example::Gives("timestamp(0)", "timestamp('1970-01-01T00:00:00Z')"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Call, undecided: Price::One,
        signatures: &[
            Signature { id: "timestamp_to_timestamp", text: "timestamp(timestamp) -> timestamp",
                since: Availability::Always, run: Run::Fitting(identity),
                estimate: Forecast::One, price: Price::One },
            Signature { id: "int64_to_timestamp", text: "timestamp(int) -> timestamp",
                since: Availability::Always, run: Run::Fitting(timestamp),
                estimate: Forecast::One, price: Price::One },
            Signature { id: "string_to_timestamp", text: "timestamp(string) -> timestamp",
                since: Availability::Always, run: Run::Fitting(timestamp),
                estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "type",
        doc: "the type of the value",
        example: Example::Gives("type(1)", "int"),
        origin: Origin::Computed,
        body: Body::All(type_of, Trait::Any), ahead: Precomputation::Call, undecided: Price::One,
        signatures: &[
            Signature { id: "type", text: "type(A) -> type(A)",
                since: Availability::Always, run: Run::OfFunction, estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "uint",
        doc: "converts the value to a uint; fails if it does not fit",
        example: Example::Gives("uint(3)", "3u"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Call, undecided: Price::One,
        signatures: &[
            Signature { id: "uint64_to_uint64", text: "uint(uint) -> uint",
                since: Availability::Always, run: Run::Fitting(identity),
                estimate: Forecast::One, price: Price::One },
            Signature { id: "double_to_uint64", text: "uint(double) -> uint",
                since: Availability::Always, run: Run::Fitting(uint), estimate: Forecast::One, price: Price::One },
            Signature { id: "int64_to_uint64", text: "uint(int) -> uint",
                since: Availability::Always, run: Run::Fitting(uint), estimate: Forecast::One, price: Price::One },
            Signature { id: "string_to_uint64", text: "uint(string) -> uint",
                since: Availability::Always, run: Run::Fitting(uint), estimate: Forecast::One, price: Price::One },
        ],
    },
];

/// Returns a value that already has the type.
pub(super) fn identity<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    take(args)
}

fn wrong<T>(value: &Value<'_>, wanted: &str) -> Outcome<T> {
    let message = format!("type conversion error from '{}' to '{wanted}'", value.type_name());
    Err(EvalError::new(message))
}

fn type_of<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    match take(args)? {
        value @ Value::Preserved(_) => wrong(&value, "type"),
        value => Ok(Value::Type(Text::Borrowed(value.type_name()))),
    }
}

/// `int(…)`
fn int<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    let overflow = || EvalError::new("integer overflow");
    let value = take(args)?;
    Ok(Value::Int(match &value {
        Value::Int(number) => *number,
        Value::Uint(number) => i64::try_from(*number).map_err(|_| overflow())?,
        Value::Double(number) => {
            let fits = *number > i64::MIN as f64 && *number < i64::MAX as f64;
            if !fits {
                return Err(overflow());
            }
            *number as i64
        }
        Value::String(text) => match parse_int(text) {
            Some(number) => number,
            None => return wrong(&value, "int"),
        },
        Value::Timestamp(time) => time.seconds,
        Value::Duration(nanos) => *nanos,
        _ => return wrong(&value, "int"),
    }))
}

/// `strconv.ParseInt`, base 10
fn parse_int(text: &str) -> Option<i64> {
    text.parse().ok()
}

/// `uint(…)`
fn uint<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    const TWO_TO_64: f64 = 18_446_744_073_709_551_616.0;
    let overflow = || EvalError::new("unsigned integer overflow");
    let value = take(args)?;
    Ok(Value::Uint(match &value {
        Value::Uint(number) => *number,
        Value::Int(number) => u64::try_from(*number).map_err(|_| overflow())?,
        Value::Double(number) => {
            let fits = *number >= 0.0 && *number < TWO_TO_64;
            if !fits {
                return Err(overflow());
            }
            *number as u64
        }
        // Rust accepts a leading `+`, Go does not.
        Value::String(text) => match text.parse().ok().filter(|_| !text.starts_with('+')) {
            Some(number) => number,
            None => return wrong(&value, "uint"),
        },
        _ => return wrong(&value, "uint"),
    }))
}

/// `double(…)`
fn double<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    let value = take(args)?;
    Ok(Value::Double(match &value {
        Value::Double(number) => *number,
        Value::Int(number) => *number as f64,
        Value::Uint(number) => *number as f64,
        Value::String(text) => match parse_float(text) {
            Some(number) => number,
            None => return wrong(&value, "double"),
        },
        _ => return wrong(&value, "double"),
    }))
}

/// `strconv.ParseFloat`
fn parse_float(text: &str) -> Option<f64> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let lower = unsigned.to_ascii_lowercase();
    if lower == "nan" {
        return (unsigned.len() == text.len()).then_some(f64::NAN);
    }
    if lower == "inf" || lower == "infinity" {
        return Some(if text.starts_with('-') { f64::NEG_INFINITY } else { f64::INFINITY });
    }
    let plain = without_underscores(&lower)?;
    let number = match plain.strip_prefix("0x") {
        Some(digits) => parse_hex(digits)?,
        None if plain.starts_with(|c: char| c.is_ascii_digit() || c == '.') => plain.parse().ok()?,
        None => return None,
    };
    let number = if text.starts_with('-') { -number } else { number };
    number.is_finite().then_some(number)
}

/// A number without the underscores between its digits; `None` if there are other underscores.
fn without_underscores(text: &str) -> Option<String> {
    let is_digit = |c: Option<&u8>| c.is_some_and(u8::is_ascii_hexdigit);
    let bytes = text.as_bytes();
    let prefix = if text.starts_with("0x") { 2 } else { 0 };
    for (at, _) in text.match_indices('_') {
        let before = at == prefix && prefix > 0 || at > 0 && is_digit(bytes.get(at - 1));
        if !before || !is_digit(bytes.get(at + 1)) {
            return None;
        }
    }
    Some(text.replace('_', ""))
}

/// `1.8p3` after `0x`.
fn parse_hex(text: &str) -> Option<f64> {
    let (mantissa, exponent) = text.split_once('p')?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    if digits.is_empty() || digits.len() > 13 {
        return None;
    }
    let number = u64::from_str_radix(&digits, 16).ok()? as f64;
    let exponent = exponent.parse::<i32>().ok()?.checked_sub(4 * fraction.len() as i32)?;
    // In two steps, so that each power is in range if the result is.
    let half = exponent / 2;
    Some(number * 2f64.powi(half) * 2f64.powi(exponent - half))
}

/// `bool(…)`
fn bool<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    let value = take(args)?;
    Ok(Value::Bool(match value.as_str() {
        Some("1" | "t" | "T" | "true" | "TRUE" | "True") => true,
        Some("0" | "f" | "F" | "false" | "FALSE" | "False") => false,
        _ => return wrong(&value, "bool"),
    }))
}

/// `bytes(…)`
fn bytes<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    match take(args)? {
        Value::String(text) => Ok(Value::Bytes(text.as_bytes().into())),
        value => wrong(&value, "bytes"),
    }
}

/// `duration(…)`
fn duration<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    let value = take(args)?;
    match value.as_str().and_then(parse_duration) {
        Some(nanos) => Ok(Value::Duration(nanos)),
        None => wrong(&value, "google.protobuf.Duration"),
    }
}

/// `timestamp(…)`
fn timestamp<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    let value = take(args)?;
    let time = match &value {
        Value::Int(seconds) => Some(Timestamp::from_seconds(*seconds)?),
        Value::String(text) => Timestamp::parse(text)?,
        _ => None,
    };
    match time {
        Some(time) => Ok(Value::Timestamp(time)),
        None => wrong(&value, "google.protobuf.Timestamp"),
    }
}

/// `string(…)`
fn string<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    let value = take(args)?;
    text_of(&value).map(Value::text)
}

/// A value as `string()` writes it.
///
/// # Errors
/// If the value has no text.
pub fn text_of(value: &Value<'_>) -> Outcome<String> {
    Ok(match value {
        Value::Bool(value) => value.to_string(),
        Value::Int(number) => number.to_string(),
        Value::Uint(number) => number.to_string(),
        Value::Double(number) => double_g(*number),
        Value::String(text) => text.to_string(),
        Value::Bytes(bytes) => match std::str::from_utf8(bytes) {
            Ok(text) => text.to_owned(),
            Err(_) => return Err(EvalError::new("invalid UTF-8 in bytes, cannot convert to string")),
        },
        Value::Duration(nanos) => duration_text(*nanos),
        Value::Timestamp(time) => time.to_string(),
        Value::Ip(address) => address.to_string(),
        Value::Cidr(cidr) => cidr.to_string(),
        Value::Type(name) => name.to_string(),
        Value::Null => "null".to_owned(),
        other => return wrong(other, "string"),
    })
}
