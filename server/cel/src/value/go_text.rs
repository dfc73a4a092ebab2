//! Text in the formats of Go's `strconv` and `fmt`.

use std::fmt::Write;

use super::Value;

/// `strconv.Quote`
pub(crate) fn quote(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        push_quoted(&mut out, c);
    }
    out.push('"');
    out
}

/// `strconv.Quote` of bytes that may not be UTF-8.
pub(crate) fn quote_bytes(bytes: &[u8]) -> String {
    let mut out = String::from('"');
    for chunk in bytes.utf8_chunks() {
        chunk.valid().chars().for_each(|c| push_quoted(&mut out, c));
        for byte in chunk.invalid() {
            let _ = write!(out, "\\x{byte:02x}");
        }
    }
    out.push('"');
    out
}

fn push_quoted(out: &mut String, c: char) {
    let _ = match c {
        '"' | '\\' => write!(out, "\\{c}"),
        '\x07' => write!(out, "\\a"),
        '\x08' => write!(out, "\\b"),
        '\x0c' => write!(out, "\\f"),
        '\n' => write!(out, "\\n"),
        '\r' => write!(out, "\\r"),
        '\t' => write!(out, "\\t"),
        '\x0b' => write!(out, "\\v"),
        c if is_print(c) => write!(out, "{c}"),
        c if c.is_ascii() => write!(out, "\\x{:02x}", u32::from(c)),
        c if u32::from(c) <= 0xFFFF => write!(out, "\\u{:04x}", u32::from(c)),
        c => write!(out, "\\U{:08x}", u32::from(c)),
    };
}

/// `strconv.IsPrint`
fn is_print(c: char) -> bool {
    if c.is_ascii() {
        return c == ' ' || c.is_ascii_graphic();
    }
    // After another character, combining marks are not escaped, as in Go.
    format!("a{c}").escape_debug().count() == 2
}

/// `%g`: the shortest text that reads back as the same number.
pub(crate) fn double_g(number: f64) -> String {
    if number.is_nan() {
        return "NaN".to_owned();
    }
    if number.is_infinite() {
        return if number > 0.0 { "+Inf" } else { "-Inf" }.to_owned();
    }
    let scientific = format!("{number:e}");
    let parts = scientific
        .split_once('e')
        .and_then(|(mantissa, exponent)| Some((mantissa, exponent.parse::<i32>().ok()?)));
    let Some((mantissa, exponent)) = parts else { return scientific };
    // Go treats the shortest text as one of 6 digits when it chooses the form.
    if number == 0.0 || (-4..6).contains(&exponent) {
        return format!("{number}");
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{mantissa}e{sign}{:02}", exponent.unsigned_abs())
}

/// `%v` of a value, the format of keys and indices in messages.
pub(crate) fn display(value: &Value<'_>) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Int(number) => number.to_string(),
        Value::Uint(number) => number.to_string(),
        Value::Double(number) => double_g(*number),
        Value::String(text) => text.to_string(),
        Value::Bytes(bytes) => {
            let numbers: Vec<_> = bytes.iter().map(u8::to_string).collect();
            format!("[{}]", numbers.join(" "))
        }
        Value::Duration(nanos) => super::time::go_duration(*nanos),
        Value::Timestamp(time) => time.to_string(),
        Value::Type(name) => name.to_string(),
        Value::Optional(None) => "optional.none()".to_owned(),
        Value::Optional(Some(value)) => format!("optional({})", display(value)),
        Value::List(list) => {
            let items: Vec<_> = (0..list.len().min(100)).filter_map(|at| list.get(at)?.ok()).collect();
            let items: Vec<_> = items.iter().map(display).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Map(map) => {
            let entries: Vec<_> = map.entries().into_iter().take(100).collect();
            let entries: Vec<_> = entries
                .iter()
                .filter_map(|(key, value)| {
                    Some(format!("{}: {}", display(key), display(value.as_ref().ok()?)))
                })
                .collect();
            format!("{{{}}}", entries.join(", "))
        }
        Value::Ip(address) => address.to_string(),
        Value::Cidr(cidr) => cidr.to_string(),
        Value::Quantity(quantity) => quantity.to_string(),
        Value::Url(url) => url.to_string(),
        Value::Semver(version) => version.to_string(),
        Value::Format(format) => format.name.to_owned(),
        Value::Preserved(_) => "unknown".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_are_formatted_as_in_go() {
        let cases = [
            (1.0, "1"),
            (1.5, "1.5"),
            (100_000.0, "100000"),
            (1_000_000.0, "1e+06"),
            (1_234_567.0, "1.234567e+06"),
            (0.0001, "0.0001"),
            (0.00001, "1e-05"),
            (1e21, "1e+21"),
            (-0.0, "-0"),
            (f64::INFINITY, "+Inf"),
        ];
        for (number, text) in cases {
            assert_eq!(double_g(number), text);
        }
    }

    #[test]
    fn text_is_quoted_as_in_go() {
        assert_eq!(quote("a\"\\\n\u{1}é\u{a0}"), r#""a\"\\\n\x01é\u00a0""#);
        assert_eq!(quote_bytes(b"a\xffb"), r#""a\xffb""#);
    }
}
