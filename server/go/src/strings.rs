//! Parses and prints texts as Go does.

/// A text in double quotes, as `%q` prints it.
pub(crate) fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for ch in text.chars() {
        match ch {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{7}' => out.push_str("\\a"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{b}' => out.push_str("\\v"),
            ch if (ch as u32) < 0x20 || ch as u32 == 0x7f => out.push_str(&format!("\\x{:02x}", ch as u32)),
            ch if is_printed(ch) => out.push(ch),
            ch if (ch as u32) < 0x10000 => out.push_str(&format!("\\u{:04x}", ch as u32)),
            ch => out.push_str(&format!("\\U{:08x}", ch as u32)),
        }
    }
    out.push('"');
    out
}

/// Whether Go prints a character unescaped, approximately: Go escapes control characters and blanks other than U+0020.
fn is_printed(ch: char) -> bool {
    ch == ' '
        || !(ch.is_control()
            || ch.is_whitespace()
            || matches!(ch, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{feff}'))
}

/// The text of a Go string literal; `None` if Go rejects the literal.
pub(crate) fn unquoted(literal: &str) -> Option<String> {
    let mut chars = literal.chars();
    let quote = chars.next()?;
    let inner = literal.get(1..literal.len().checked_sub(1)?)?;
    if !literal.ends_with(quote) {
        return None;
    }
    match quote {
        '`' if inner.contains('`') => None,
        '`' => Some(inner.replace('\r', "")),
        '"' => unescaped(inner),
        _ => None,
    }
}

fn unescaped(inner: &str) -> Option<String> {
    let mut bytes: Vec<u8> = Vec::with_capacity(inner.len());
    let mut rest = inner;
    while let Some(ch) = rest.chars().next() {
        rest = rest.get(ch.len_utf8()..)?;
        if ch == '"' || ch == '\n' {
            return None;
        }
        if ch != '\\' {
            bytes.extend_from_slice(ch.encode_utf8(&mut [0; 4]).as_bytes());
            continue;
        }
        let escape = rest.chars().next()?;
        rest = rest.get(escape.len_utf8()..)?;
        let simple = match escape {
            'a' => 7,
            'b' => 8,
            'f' => 12,
            'n' => b'\n',
            'r' => b'\r',
            't' => b'\t',
            'v' => 11,
            '\\' => b'\\',
            '"' => b'"',
            _ => 0,
        };
        if simple != 0 {
            bytes.push(simple);
            continue;
        }
        let (digits, base) = match escape {
            '0'..='7' => {
                let digits = format!("{escape}{}", rest.get(..2)?);
                rest = rest.get(2..)?;
                (digits, 8)
            }
            'x' | 'u' | 'U' => {
                let count = match escape {
                    'x' => 2,
                    'u' => 4,
                    _ => 8,
                };
                let digits = rest.get(..count)?.to_owned();
                rest = rest.get(count..)?;
                (digits, 16)
            }
            _ => return None,
        };
        if !digits.chars().all(|digit| digit.is_digit(base)) {
            return None;
        }
        let value = u32::from_str_radix(&digits, base).ok()?;
        if matches!(escape, 'u' | 'U') {
            bytes.extend_from_slice(char::from_u32(value)?.encode_utf8(&mut [0; 4]).as_bytes());
        } else {
            bytes.push(u8::try_from(value).ok()?);
        }
    }
    // Bytes that are not UTF-8 become U+FFFD in JSON.
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// Why Go rejects a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NumberError {
    Syntax,
    Range,
}

impl NumberError {
    /// The error message of `strconv` for `text`.
    pub(crate) fn message(self, function: &str, text: &str) -> String {
        let reason = match self {
            Self::Syntax => "invalid syntax",
            Self::Range => "value out of range",
        };
        format!("strconv.{function}: parsing {}: {reason}", quoted(text))
    }
}

/// `strconv.Atoi`.
pub(crate) fn atoi(text: &str) -> Result<i64, NumberError> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(NumberError::Syntax);
    }
    text.parse().map_err(|_| NumberError::Range)
}

/// `strconv.ParseFloat` of 64 bits.
pub(crate) fn parse_float(text: &str) -> Result<f64, NumberError> {
    let (negative, unsigned) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let lower = unsigned.to_ascii_lowercase();
    let value = if lower == "nan" {
        return if text == unsigned { Ok(f64::NAN) } else { Err(NumberError::Syntax) };
    } else if lower == "inf" || lower == "infinity" {
        return Ok(if negative { f64::NEG_INFINITY } else { f64::INFINITY });
    } else if let Some(hex) = lower.strip_prefix("0x") {
        hex_float(hex)?
    } else {
        let digits = without_underscores(&lower).ok_or(NumberError::Syntax)?;
        if !digits.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'e' | b'+' | b'-')) {
            return Err(NumberError::Syntax);
        }
        digits.parse::<f64>().map_err(|_| NumberError::Syntax)?
    };
    if value.is_infinite() {
        return Err(NumberError::Range);
    }
    Ok(if negative { -value } else { value })
}

/// Whether `time.ParseDuration` accepts a text. Ignores that it rejects durations of more than 292 years.
pub(crate) fn is_duration(text: &str) -> bool {
    let mut rest = text.strip_prefix(['+', '-']).unwrap_or(text);
    if rest == "0" {
        return true;
    }
    let is_of_number = |ch: char| ch.is_ascii_digit() || ch == '.';
    while !rest.is_empty() {
        let (number, unit_and_rest) = rest.split_at(rest.find(|ch| !is_of_number(ch)).unwrap_or(rest.len()));
        let (unit, after) =
            unit_and_rest.split_at(unit_and_rest.find(is_of_number).unwrap_or(unit_and_rest.len()));
        let has_digits = number.contains(|ch: char| ch.is_ascii_digit());
        let is_unit = matches!(unit, "ns" | "us" | "\u{b5}s" | "\u{3bc}s" | "ms" | "s" | "m" | "h");
        if !has_digits || number.matches('.').count() > 1 || !is_unit {
            return false;
        }
        rest = after;
    }
    !text.trim_start_matches(['+', '-']).is_empty()
}

/// A number without the underscores between its digits; `None` if there is an underscore elsewhere.
fn without_underscores(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let is_digit = |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_some_and(u8::is_ascii_hexdigit);
    for (at, byte) in bytes.iter().enumerate() {
        if *byte == b'_' && !(is_digit(at.checked_sub(1)) && is_digit(at.checked_add(1))) {
            return None;
        }
    }
    Some(text.replace('_', ""))
}

/// Parses the digits, point and exponent after `0x`.
fn hex_float(text: &str) -> Result<f64, NumberError> {
    let text = text.strip_prefix('_').unwrap_or(text);
    let text = without_underscores(text).ok_or(NumberError::Syntax)?;
    let (mantissa, exponent) = text.split_once('p').ok_or(NumberError::Syntax)?;
    let exponent: i32 = atoi(exponent)?.try_into().map_err(|_| NumberError::Range)?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if whole.is_empty() && fraction.is_empty() {
        return Err(NumberError::Syntax);
    }
    let mut value = 0.0_f64;
    for digit in whole.chars().chain(fraction.chars()) {
        value = value * 16.0 + f64::from(digit.to_digit(16).ok_or(NumberError::Syntax)?);
    }
    let shift =
        exponent.saturating_sub(i32::try_from(fraction.len()).map_or(i32::MAX, |len| len.saturating_mul(4)));
    Ok(value * 2.0_f64.powi(shift))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_are_read_as_go_reads_them() {
        assert_eq!(unquoted(r#""a\tA\x41\101\u0041""#).as_deref(), Some("a\tAAAA"));
        assert_eq!(unquoted("`a\\n`").as_deref(), Some("a\\n"));
        assert_eq!(unquoted(r#""\d""#), None);
        assert_eq!(unquoted("\""), None);
    }

    #[test]
    fn durations_are_read_as_go_reads_them() {
        for text in ["0", "-0", "5m", "1h30m", "1.5h", ".5s", "1.s", "+2us", "3\u{b5}s"] {
            assert!(is_duration(text), "{text}");
        }
        for text in ["", "-", "5", "5 m", "5 minutes", "7d", "1.2.3s", ".s", "m", "--5m"] {
            assert!(!is_duration(text), "{text}");
        }
    }

    #[test]
    fn numbers_are_read_as_go_reads_them() {
        assert_eq!(parse_float("1_000"), Ok(1000.0));
        assert_eq!(parse_float("0x1p-2"), Ok(0.25));
        assert_eq!(parse_float("5."), Ok(5.0));
        assert_eq!(parse_float("1e400"), Err(NumberError::Range));
        assert_eq!(parse_float("10,"), Err(NumberError::Syntax));
        assert_eq!(atoi("010"), Ok(10));
    }
}
