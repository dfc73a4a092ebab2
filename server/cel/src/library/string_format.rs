//! `format`: a text with the arguments in place of its clauses.

use super::Context;
use super::convert::text_of;
use crate::value::{EvalError, List, Outcome, Value, duration_text, quote, quote_bytes};

pub(super) fn format<'a>(context: &Context<'_>, args: &mut [Value<'a>]) -> Outcome<Value<'a>> {
    let [Value::String(text), Value::List(args)] = args else { return Err(EvalError::NoSuchOverload) };
    interpolate(context, text, args).map(Value::text)
}

fn interpolate(context: &Context<'_>, text: &str, args: &List<'_>) -> Outcome<String> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    let mut next = 0;
    while let Some((plain, clause)) = rest.split_once('%') {
        out.push_str(plain);
        if let Some(following) = clause.strip_prefix('%') {
            out.push('%');
            rest = following;
            continue;
        }
        let arg = args.get(next).ok_or_else(|| EvalError::new(format!("index {next} out of range")))??;
        next += 1;
        if clause.is_empty() {
            return Err(EvalError::new("unexpected end of string"));
        }
        let (precision, following) =
            precision(clause).map_err(|why| parse_error(format!("error while parsing precision: {why}")))?;
        let Some(letter) = following.chars().next() else {
            return Err(EvalError::new("internal error: runtime error: index out of range"));
        };
        let formatted = format_argument(context, letter, precision, &arg)?;
        context.bound.text(out.len() + formatted.len())?;
        out.push_str(&formatted);
        rest = following.get(letter.len_utf8()..).unwrap_or_default();
    }
    out.push_str(rest);
    Ok(out)
}

fn parse_error(why: String) -> EvalError {
    EvalError::new(format!("could not parse formatting clause: {why}"))
}

fn precision(clause: &str) -> Result<(Option<usize>, &str), String> {
    let Some(digits) = clause.strip_prefix('.') else { return Ok((None, clause)) };
    let len = digits.bytes().take_while(u8::is_ascii_digit).count();
    let (digits, following) = digits.split_at_checked(len).unwrap_or((digits, ""));
    if following.is_empty() {
        return Err("could not find end of precision specifier".to_owned());
    }
    let why = if digits.is_empty() { "invalid syntax" } else { "value out of range" };
    let number = digits.parse::<i64>().map_err(|_| {
        format!("error while converting precision to integer: strconv.Atoi: parsing {}: {why}", quote(digits))
    })?;
    Ok((Some(usize::try_from(number).unwrap_or(usize::MAX)), following))
}

fn format_argument(
    context: &Context<'_>,
    letter: char,
    precision: Option<usize>,
    arg: &Value<'_>,
) -> Outcome<String> {
    let result = match letter {
        's' => string(context, arg),
        'd' => decimal(arg),
        'f' => double(arg, "fixed-point").map(|number| fixed(number, precision.unwrap_or(6))),
        'e' => double(arg, "scientific").map(scientific),
        'b' => binary(arg),
        'x' => hex(arg),
        'X' => hex(arg).map(|text| text.to_uppercase()),
        'o' => octal(arg),
        other => {
            // Go reads a single byte here.
            let byte = other.to_string().bytes().next().map_or(other, char::from);
            return Err(parse_error(format!("unrecognized formatting clause \"{byte}\"")));
        }
    };
    result.map_err(|error| {
        if error.is_final() { error } else { EvalError::new(format!("error during formatting: {error}")) }
    })
}

fn wrong_argument<T>(what: &str, arg: &Value<'_>) -> Outcome<T> {
    Err(EvalError::new(format!("{what}, was given {}", arg.type_name())))
}

fn string(context: &Context<'_>, arg: &Value<'_>) -> Outcome<String> {
    match arg {
        Value::List(list) => context.bound.deeper(|| list_text(context, list)),
        Value::Map(map) => context.bound.deeper(|| map_text(context, map)),
        Value::Int(_)
        | Value::Uint(_)
        | Value::Double(_)
        | Value::Bool(_)
        | Value::String(_)
        | Value::Timestamp(_)
        | Value::Bytes(_)
        | Value::Duration(_)
        | Value::Type(_)
        | Value::Null => text_of(arg)
            .map_err(|error| EvalError::new(format!("could not convert argument \"{error}\" to string"))),
        other => wrong_argument(
            "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps",
            other,
        ),
    }
}

/// A value inside a list or map, in CEL syntax.
fn inner(context: &Context<'_>, value: &Value<'_>) -> Outcome<String> {
    Ok(match value {
        Value::String(text) => quote(text),
        Value::Bytes(bytes) => match std::str::from_utf8(bytes) {
            Ok(_) => format!("b{}", quote_bytes(bytes)),
            Err(_) => return string(context, value),
        },
        Value::Timestamp(time) => format!("timestamp({})", quote(&time.to_string())),
        Value::Duration(nanos) => format!("duration({})", quote(&duration_text(*nanos))),
        Value::Double(number) if number.is_nan() => "\"NaN\"".to_owned(),
        Value::Double(number) if number.is_infinite() => {
            if *number > 0.0 { "\"+Inf\"" } else { "\"-Inf\"" }.to_owned()
        }
        Value::Double(number) => format!("{number:.6}"),
        Value::Int(_)
        | Value::Uint(_)
        | Value::Bool(_)
        | Value::Null
        | Value::Type(_)
        | Value::List(_)
        | Value::Map(_) => return string(context, value),
        other => {
            return Err(EvalError::new(format!("no formatting function for {}", other.type_name())));
        }
    })
}

fn list_text(context: &Context<'_>, list: &List<'_>) -> Outcome<String> {
    let mut out = String::from("[");
    for (at, element) in list.iter().enumerate() {
        if at > 0 {
            out.push_str(", ");
        }
        out.push_str(&inner(context, &element?)?);
        context.bound.text(out.len())?;
    }
    out.push(']');
    Ok(out)
}

fn map_text(context: &Context<'_>, map: &crate::value::Map<'_>) -> Outcome<String> {
    let mut entries = vec![];
    for (key, value) in map.entries() {
        let key = match key {
            Value::String(_) | Value::Bool(_) | Value::Int(_) | Value::Uint(_) => inner(context, &key)?,
            other => {
                let message = format!("no formatting function for map key of type {}", other.type_name());
                return Err(EvalError::new(message));
            }
        };
        entries.push((key, inner(context, &value?)?));
    }
    entries.sort_by(|(a, _), (b, _)| a.cmp(b));
    let entries: Vec<_> = entries.iter().map(|(key, value)| format!("{key}:{value}")).collect();
    Ok(format!("{{{}}}", entries.join(", ")))
}

fn decimal(arg: &Value<'_>) -> Outcome<String> {
    match arg {
        Value::Int(number) => Ok(number.to_string()),
        Value::Uint(number) => Ok(number.to_string()),
        other => wrong_argument("decimal clause can only be used on integers", other),
    }
}

fn double(arg: &Value<'_>, clause: &str) -> Outcome<f64> {
    match arg {
        Value::Double(number) => Ok(*number),
        Value::String(text) => match &**text {
            "NaN" => Ok(f64::NAN),
            "Infinity" => Ok(f64::INFINITY),
            "-Infinity" => Ok(f64::NEG_INFINITY),
            _ => wrong_argument(&format!("{clause} clause can only be used on doubles"), arg),
        },
        other => wrong_argument(&format!("{clause} clause can only be used on doubles"), other),
    }
}

/// The text of a number without digits.
fn special(number: f64) -> Option<&'static str> {
    match number {
        number if number.is_nan() => Some("NaN"),
        f64::INFINITY => Some("∞"),
        f64::NEG_INFINITY => Some("-∞"),
        _ => None,
    }
}

/// The English format: digits in groups of three.
fn fixed(number: f64, precision: usize) -> String {
    if let Some(text) = special(number) {
        return text.to_owned();
    }
    // The printer that Go uses stores the precision in a byte.
    let precision = precision & 0xFF;
    let digits = format!("{:.*}", precision, number.abs());
    let (whole, fraction) = digits.split_once('.').unwrap_or((&digits, ""));
    let mut out = String::from(if number < 0.0 { "-" } else { "" });
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at) % 3 == 0 {
            out.push(',');
        }
        out.push(digit);
    }
    if precision > 0 {
        out.push('.');
        out.push_str(fraction);
    }
    out
}

/// `1.500000×10⁰⁰`: always six digits.
fn scientific(number: f64) -> String {
    if let Some(text) = special(number) {
        return format!("{text:>6}");
    }
    let text = format!("{number:.6e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let sign = if exponent.starts_with('-') { "⁻" } else { "" };
    let digits = format!("{:0>2}", exponent.trim_start_matches('-'));
    let raised = digits.bytes().filter_map(|digit| "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().nth(usize::from(digit - b'0')));
    format!("{mantissa}×10{sign}{}", raised.collect::<String>())
}

fn signed(number: i64, digits: impl Fn(u64) -> String) -> String {
    let sign = if number < 0 { "-" } else { "" };
    format!("{sign}{}", digits(number.unsigned_abs()))
}

fn binary(arg: &Value<'_>) -> Outcome<String> {
    match arg {
        Value::Int(number) => Ok(signed(*number, |digits| format!("{digits:b}"))),
        Value::Uint(number) => Ok(format!("{number:b}")),
        Value::Bool(value) => Ok(u8::from(*value).to_string()),
        other => wrong_argument("only integers and bools can be formatted as binary", other),
    }
}

fn hex(arg: &Value<'_>) -> Outcome<String> {
    let bytes = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    match arg {
        Value::Int(number) => Ok(signed(*number, |digits| format!("{digits:x}"))),
        Value::Uint(number) => Ok(format!("{number:x}")),
        Value::String(text) => Ok(bytes(text.as_bytes())),
        Value::Bytes(data) => Ok(bytes(data)),
        other => wrong_argument("only integers, byte buffers, and strings can be formatted as hex", other),
    }
}

fn octal(arg: &Value<'_>) -> Outcome<String> {
    match arg {
        Value::Int(number) => Ok(signed(*number, |digits| format!("{digits:o}"))),
        Value::Uint(number) => Ok(format!("{number:o}")),
        other => wrong_argument("octal clause can only be used on integers", other),
    }
}
