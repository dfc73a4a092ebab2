//! Numbers as Go's strconv parses them for go-yaml v2.

/// A number with the type that go-yaml chooses.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Number {
    Int(i64),
    Uint(u64),
    Float(f64),
}

/// Parses a number that begins with a digit or a sign; `None` if the text is not a number.
///
/// `_` is ignored everywhere. Then, in order: a signed 64-bit integer (`0x`, `0o`, `0b`, and octal after a
/// bare `0`), an unsigned one, a decimal float.
pub(super) fn parse(text: &str) -> Option<Number> {
    let stripped;
    let plain = if text.contains('_') {
        stripped = text.replace('_', "");
        stripped.as_str()
    } else {
        text
    };
    integer(plain).or_else(|| decimal_float(plain).map(Number::Float)).or_else(|| signed_binary(plain))
}

/// Parses a float that begins with `.`. Here, `_` is allowed only between digits.
pub(super) fn parse_dotted(text: &str) -> Option<f64> {
    if !text.contains('_') {
        return decimal_float(text);
    }
    let between_digits = |at: usize| {
        let digit = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_digit);
        digit(at.checked_sub(1).and_then(|before| text.as_bytes().get(before)))
            && digit(text.as_bytes().get(at + 1))
    };
    let allowed = text.bytes().enumerate().all(|(at, byte)| byte != b'_' || between_digits(at));
    if allowed { decimal_float(&text.replace('_', "")) } else { None }
}

fn integer(plain: &str) -> Option<Number> {
    let (negative, digits) = match plain.as_bytes().first() {
        Some(b'-') => (true, plain.get(1..)?),
        Some(b'+') => (false, plain.get(1..)?),
        _ => (false, plain),
    };
    let magnitude = magnitude(digits)?;
    if let Some(int) = with_sign(negative, magnitude) {
        return Some(Number::Int(int));
    }
    // strconv.ParseUint accepts no sign, so `+9223372036854775808` is parsed as a float.
    (digits.len() == plain.len()).then_some(Number::Uint(magnitude))
}

fn magnitude(digits: &str) -> Option<u64> {
    let (radix, digits) = match digits.as_bytes() {
        [b'0', b'x' | b'X', _, ..] => (16, digits.get(2..)?),
        [b'0', b'o' | b'O', _, ..] => (8, digits.get(2..)?),
        [b'0', b'b' | b'B', _, ..] => (2, digits.get(2..)?),
        [b'0', _, ..] => (8, digits.get(1..)?),
        _ => (10, digits),
    };
    unsigned(digits, radix)
}

/// Parses digits only: Rust's own parser would accept a leading `+`.
fn unsigned(digits: &str, radix: u32) -> Option<u64> {
    if digits.starts_with('+') { None } else { u64::from_str_radix(digits, radix).ok() }
}

fn with_sign(negative: bool, magnitude: u64) -> Option<i64> {
    if negative { 0_i64.checked_sub_unsigned(magnitude) } else { i64::try_from(magnitude).ok() }
}

/// go-yaml retries `0b` with the rest as a signed binary number, so that `0b-1` is -1.
fn signed_binary(plain: &str) -> Option<Number> {
    let rest = plain.strip_prefix("0b")?;
    let (negative, digits) = match rest.as_bytes().first()? {
        b'-' => (true, rest.get(1..)?),
        b'+' => (false, rest.get(1..)?),
        _ => (false, rest),
    };
    with_sign(negative, unsigned(digits, 2)?).map(Number::Int)
}

/// A finite decimal float: go-yaml does not accept one that overflows as a number, and one that underflows is 0.
fn decimal_float(text: &str) -> Option<f64> {
    if !is_decimal(text) {
        return None;
    }
    text.parse::<f64>().ok().filter(|value| value.is_finite())
}

/// `[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?`
fn is_decimal(text: &str) -> bool {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let (whole, rest) = take_digits(unsigned);
    let (fraction, rest) = match rest.strip_prefix('.') {
        Some(rest) => take_digits(rest),
        None => (0, rest),
    };
    if whole == 0 && fraction == 0 {
        return false;
    }
    match rest.strip_prefix(['e', 'E']) {
        Some(exponent) => {
            let (digits, rest) = take_digits(exponent.strip_prefix(['-', '+']).unwrap_or(exponent));
            digits > 0 && rest.is_empty()
        }
        None => rest.is_empty(),
    }
}

/// The number of ASCII digits at the start of `text`, and the text after them.
fn take_digits(text: &str) -> (usize, &str) {
    let rest = text.trim_start_matches(|character: char| character.is_ascii_digit());
    (text.len() - rest.len(), rest)
}
