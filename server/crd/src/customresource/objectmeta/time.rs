//! Go's errors for texts that are not times in the format of RFC 3339.

use crate::formats::is_date;
use crate::value::quoted;

/// The parts of the format before the zone, with the number of digits of the numbers.
const PARTS: [(&str, usize); 11] = [
    ("2006", 4),
    ("-", 0),
    ("01", 2),
    ("-", 0),
    ("02", 2),
    ("T", 0),
    ("15", 2),
    (":", 0),
    ("04", 2),
    (":", 0),
    ("05", 2),
];

/// Go's error for `text`; `None` if it is a time.
pub(super) fn time_error(text: &str) -> Option<String> {
    match after_seconds(text) {
        Ok(rest) => zone_error(text, without_fraction(rest)),
        Err(error) => Some(error),
    }
}

/// The text after the seconds. Go checks the number of the day later.
fn after_seconds(text: &str) -> Result<&str, String> {
    let mut rest = text;
    for (part, digits) in PARTS {
        let next = match digits {
            0 => rest.strip_prefix(part),
            _ => after_digits(rest, digits),
        };
        let next = next.ok_or_else(|| not_parsed(text, rest, part))?;
        let number = rest.get(..digits).and_then(|head| head.parse::<u32>().ok()).unwrap_or_default();
        let what = match part {
            "01" if !(1..=12).contains(&number) => Some("month"),
            "15" if number > 23 => Some("hour"),
            "04" if number > 59 => Some("minute"),
            "05" if number > 59 => Some("second"),
            _ => None,
        };
        if let Some(what) = what {
            return Err(out_of_range(text, what));
        }
        rest = next;
    }
    Ok(rest)
}

fn after_digits(text: &str, count: usize) -> Option<&str> {
    let (digits, rest) = text.split_at_checked(count)?;
    digits.bytes().all(|byte| byte.is_ascii_digit()).then_some(rest)
}

/// `rest` without a fraction of a second at its start.
fn without_fraction(rest: &str) -> &str {
    match rest.strip_prefix(['.', ',']) {
        Some(fraction) if fraction.starts_with(|c: char| c.is_ascii_digit()) => {
            fraction.trim_start_matches(|c: char| c.is_ascii_digit())
        }
        _ => rest,
    }
}

/// Go's error for the zone at the end of `text`, or for the day, which Go checks after the zone.
fn zone_error(text: &str, zone: &str) -> Option<String> {
    match zone.as_bytes() {
        [b'Z'] => {}
        [b'+' | b'-', a, b, b':', c, d] if [a, b, c, d].iter().all(|byte| byte.is_ascii_digit()) => {}
        [b'Z', ..] => {
            let extra = zone.get(1..).unwrap_or_default();
            return Some(format!("parsing time {}: extra text: {}", quoted(text), quoted(extra)));
        }
        _ => return Some(not_parsed(text, zone, "Z07:00")),
    }
    let date = text.get(..10).unwrap_or_default();
    (!is_date(date)).then(|| out_of_range(text, "day"))
}

fn not_parsed(text: &str, rest: &str, part: &str) -> String {
    let (text, rest) = (quoted(text), quoted(rest));
    format!("parsing time {text} as \"2006-01-02T15:04:05Z07:00\": cannot parse {rest} as \"{part}\"")
}

fn out_of_range(text: &str, what: &str) -> String {
    format!("parsing time {}: {what} out of range", quoted(text))
}
