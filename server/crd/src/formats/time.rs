//! Dates, times and durations.

/// `2006-01-02`, a valid day of the calendar.
pub(crate) fn is_date(text: &str) -> bool {
    let bytes = text.as_bytes();
    let shape = b"0000-00-00";
    let shaped = bytes.len() == shape.len()
        && bytes.iter().zip(shape).all(|(byte, shape)| match shape {
            b'0' => byte.is_ascii_digit(),
            _ => byte == shape,
        });
    let number = |range: std::ops::Range<usize>| text.get(range).and_then(|digits| digits.parse().ok());
    let (Some(year), Some(month), Some(day)) = (number(0..4), number(5..7), number(8..10)) else {
        return false;
    };
    shaped && day >= 1 && day <= days_in(month, year)
}

fn days_in(month: u32, year: u32) -> u32 {
    let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if is_leap => 29,
        2 => 28,
        1..=12 => 31,
        _ => 0,
    }
}

/// A date, `t`, and a time with `z` or an offset of any two numbers. A second `t` and the text after it are
/// ignored, as is the character before the fraction of a second.
pub(super) fn is_date_time(text: &str) -> bool {
    let lower = text.to_lowercase();
    let mut parts = lower.split('t');
    match (parts.next(), parts.next()) {
        (Some(date), Some(time)) => is_date(date) && is_time(time),
        _ => false,
    }
}

fn is_time(text: &str) -> bool {
    let (Some(clock), Some(rest)) = (text.get(..8), text.get(8..)) else { return false };
    let in_range = clock.split(':').zip(["23", "59", "59"]);
    let is_clock = clock.split(':').count() == 3
        && in_range.clone().all(|(part, most)| is_two_digits(part) && part <= most);
    let mut rest_of_fraction = rest.chars();
    let fraction = rest_of_fraction.next().filter(|first| *first != '\n').map(|_| rest_of_fraction.as_str());
    let zone = fraction.and_then(|fraction| {
        let zone = fraction.trim_start_matches(|c: char| c.is_ascii_digit());
        (zone.len() < fraction.len()).then_some(zone)
    });
    is_clock && (is_zone(rest) || zone.is_some_and(is_zone))
}

fn is_zone(text: &str) -> bool {
    let offset = text.strip_prefix(['+', '-']).and_then(|offset| offset.split_once(':'));
    text == "z" || offset.is_some_and(|(hours, minutes)| is_two_digits(hours) && is_two_digits(minutes))
}

fn is_two_digits(text: &str) -> bool {
    text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// A Go duration, or any text that contains a number with a unit.
pub(super) fn is_duration(text: &str) -> bool {
    is_go_duration(text) || has_number_with_unit(text)
}

/// The units of Go's durations, in nanoseconds.
const GO_UNITS: &[(&str, u64)] = &[
    ("ns", 1),
    ("us", 1_000),
    ("µs", 1_000),
    ("μs", 1_000),
    ("ms", 1_000_000),
    ("s", 1_000_000_000),
    ("m", 60_000_000_000),
    ("h", 3_600_000_000_000),
];

fn is_go_duration(text: &str) -> bool {
    let negative = text.starts_with('-');
    let mut rest = text.strip_prefix(['+', '-']).unwrap_or(text);
    if rest == "0" {
        return true;
    }
    let most = (1_u64 << 63) - u64::from(!negative);
    let mut total = 0_u64;
    while !rest.is_empty() {
        match go_term(rest) {
            Some((nanoseconds, after_term)) if nanoseconds <= most - total => {
                (total, rest) = (total + nanoseconds, after_term);
            }
            _ => return false,
        }
    }
    !text.is_empty() && !text.ends_with(['+', '-'])
}

/// The nanoseconds of the number with a unit at the start of `text`, and the rest of the text.
fn go_term(text: &str) -> Option<(u64, &str)> {
    let is_digit = |c: char| c.is_ascii_digit();
    let after_whole = text.trim_start_matches(is_digit);
    let whole = text.get(..text.len() - after_whole.len())?;
    let after_point = after_whole.strip_prefix('.').unwrap_or(after_whole);
    let after_fraction = match after_whole.len() - after_point.len() {
        0 => after_whole,
        _ => after_point.trim_start_matches(is_digit),
    };
    let fraction = after_point.get(..after_point.len() - after_fraction.len())?;
    let after_digits = after_fraction.trim_start_matches(|c: char| c != '.' && !is_digit(c));
    let unit = after_fraction.get(..after_fraction.len() - after_digits.len())?;
    let (_, unit) = GO_UNITS.iter().find(|(name, _)| *name == unit)?;
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let whole: u64 = if whole.is_empty() { 0 } else { whole.parse().ok()? };
    let part = format!("0.{fraction}0").parse::<f64>().ok()? * *unit as f64;
    whole.checked_mul(*unit)?.checked_add(part as u64).map(|nanoseconds| (nanoseconds, after_digits))
}

/// Whether the text contains numbers followed by letters, at least one of them with a unit, and none too
/// large.
fn has_number_with_unit(text: &str) -> bool {
    let mut found = false;
    let mut rest = text;
    while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
        let number = rest.get(at..).unwrap_or_default();
        let after_digits = number.trim_start_matches(|c: char| c.is_ascii_digit());
        let letters = after_digits.trim_start_matches(['\t', '\n', '\x0C', '\r', ' ']);
        let after = letters.trim_start_matches(|c: char| c.is_ascii_alphabetic() || c == 'µ');
        let unit = letters.get(..letters.len() - after.len()).unwrap_or_default();
        rest = after;
        if unit.is_empty() {
            continue;
        }
        let digits = number.get(..number.len() - after_digits.len()).unwrap_or_default();
        if digits.parse::<i64>().is_err() {
            return false;
        }
        found |= is_unit(&unit.to_lowercase());
    }
    found
}

/// Units written in full, and the beginnings of their long names.
fn is_unit(unit: &str) -> bool {
    matches!(unit, "ns" | "us" | "µs" | "ms" | "s" | "m" | "h" | "hr" | "d" | "w" | "wk")
        || ["nano", "micro", "milli", "sec", "min", "hour", "day", "week"]
            .iter()
            .any(|beginning| unit.starts_with(beginning))
}
