//! Formats of digits, letters and checksums.

/// 24 hexadecimal digits.
pub(super) fn is_bson_object_id(text: &str) -> bool {
    text.len() == 24 && is_hex(text)
}

/// Padded base64 of at least one byte, without line breaks.
pub(super) fn is_base64(text: &str) -> bool {
    let digits = text.strip_suffix("==").or_else(|| text.strip_suffix('=')).unwrap_or(text);
    let is_digit = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
    !text.is_empty() && text.len().is_multiple_of(4) && digits.bytes().all(is_digit)
}

/// An optional `#`, and 3 or 6 hexadecimal digits.
pub(super) fn is_hex_color(text: &str) -> bool {
    let digits = text.strip_prefix('#').unwrap_or(text);
    matches!(digits.len(), 3 | 6) && is_hex(digits)
}

/// `rgb(1, 2, 3)`, each up to 255 and without leading zeros.
pub(super) fn is_rgb_color(text: &str) -> bool {
    let inner = text.strip_prefix("rgb(").and_then(|rest| rest.strip_suffix(')'));
    let is_level = |level: &str| {
        let level = level.trim_matches(is_space);
        let is_plain = !level.starts_with('0') || level == "0";
        is_plain && is_digits(level) && level.parse::<u8>().is_ok()
    };
    inner.is_some_and(|inner| inner.split(',').count() == 3 && inner.split(',').all(is_level))
}

/// `111-22-3333`, or with spaces.
pub(super) fn is_ssn(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.len() == 11
        && bytes.iter().enumerate().all(|(at, byte)| match at {
            3 | 6 => matches!(byte, b'-' | b' '),
            _ => byte.is_ascii_digit(),
        })
}

/// Digits of a card issuer that the server knows, with a correct checksum; other characters are ignored.
pub(super) fn is_credit_card(text: &str) -> bool {
    let digits: Vec<u32> = text.chars().filter_map(|c| c.to_digit(10)).collect();
    let doubled = |digit: u32| if digit > 4 { 2 * digit - 9 } else { 2 * digit };
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(at, digit)| if at % 2 == 1 { doubled(*digit) } else { *digit })
        .sum();
    is_issued(&digits) && sum.is_multiple_of(10)
}

fn is_issued(digits: &[u32]) -> bool {
    matches!(
        (digits, digits.len()),
        ([4, ..], 13 | 16)
            | ([5, 1..=5, ..], 16)
            | ([6, 0, 1, 1, ..] | [6, 5, ..], 16)
            | ([3, 4 | 7, ..], 15)
            | ([3, 0, 0..=5, ..] | [3, 6 | 8, ..], 14)
            | ([2, 1, 3, 1, ..] | [1, 8, 0, 0, ..], 15)
            | ([3, 5, ..], 16)
    )
}

/// An ISBN of either length.
pub(super) fn is_isbn(text: &str) -> bool {
    is_isbn10(text) || is_isbn13(text)
}

/// Ten digits, the last of which may be `X`, with a correct checksum; spaces and dashes are ignored.
pub(super) fn is_isbn10(text: &str) -> bool {
    let text = without_separators(text);
    let digits: Vec<u32> = text
        .chars()
        .enumerate()
        .filter_map(|(at, c)| if at == 9 && c == 'X' { Some(10) } else { c.to_digit(10) })
        .collect();
    let sum: u32 = digits.iter().zip(1..).map(|(digit, weight)| digit * weight).sum();
    text.len() == 10 && digits.len() == 10 && sum.is_multiple_of(11)
}

/// Thirteen digits with a correct checksum; spaces and dashes are ignored.
pub(super) fn is_isbn13(text: &str) -> bool {
    let text = without_separators(text);
    let digits: Vec<u32> = text.chars().filter_map(|c| c.to_digit(10)).collect();
    let sum: u32 = digits.iter().zip([1, 3].iter().cycle()).map(|(digit, weight)| digit * weight).sum();
    text.len() == 13 && digits.len() == 13 && sum.is_multiple_of(10)
}

fn without_separators(text: &str) -> String {
    text.chars().filter(|c| *c != '-' && !is_space(*c)).collect()
}

/// Hexadecimal digits in groups of 8, 4, 4, 4 and 12; each dash between them is optional.
pub(super) fn is_uuid(text: &str) -> bool {
    uuid_digits(text).is_some()
}

/// A UUID of version 3, of any variant.
pub(super) fn is_uuid3(text: &str) -> bool {
    uuid_digits(text).is_some_and(|digits| digits.get(12) == Some(&b'3'))
}

/// A UUID of version 4.
pub(super) fn is_uuid4(text: &str) -> bool {
    uuid_digits(text).is_some_and(|digits| digits.get(12) == Some(&b'4') && has_variant(&digits))
}

/// A UUID of version 5.
pub(super) fn is_uuid5(text: &str) -> bool {
    uuid_digits(text).is_some_and(|digits| digits.get(12) == Some(&b'5') && has_variant(&digits))
}

fn has_variant(digits: &[u8]) -> bool {
    digits.get(16).is_some_and(|digit| matches!(digit.to_ascii_lowercase(), b'8' | b'9' | b'a' | b'b'))
}

fn uuid_digits(text: &str) -> Option<Vec<u8>> {
    let mut digits = Vec::with_capacity(32);
    let mut after_dash = false;
    for byte in text.bytes() {
        match byte {
            b'-' if !after_dash && matches!(digits.len(), 8 | 12 | 16 | 20) => after_dash = true,
            _ if byte.is_ascii_hexdigit() && digits.len() < 32 => {
                digits.push(byte);
                after_dash = false;
            }
            _ => return None,
        }
    }
    (digits.len() == 32).then_some(digits)
}

fn is_hex(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Go's `\s`.
fn is_space(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\x0C' | '\r' | ' ')
}
