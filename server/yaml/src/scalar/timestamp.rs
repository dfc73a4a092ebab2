//! Timestamps: needed only to determine which `!!timestamp` go-yaml v2 rejects, because their value is their text.

/// Whether go-yaml reads `text` as a timestamp: a date with one- or two-digit fields, alone, or with a time
/// after `T` or `t` and a zone, or with a time after spaces and no zone (Go's `time.Parse`).
pub(super) fn is_timestamp(text: &str) -> bool {
    parse(text).is_some()
}

fn parse(text: &str) -> Option<()> {
    let (year, rest) = fixed(text, 4)?;
    let (month, rest) = one_or_two(rest.strip_prefix('-')?)?;
    let (day, rest) = one_or_two(rest.strip_prefix('-')?)?;
    if !(1..=12).contains(&month) || day < 1 || day > days_in(month, year) {
        return None;
    }
    if rest.is_empty() {
        return Some(());
    }
    let (time, zoned) = match rest.strip_prefix(['T', 't']) {
        Some(time) => (time, true),
        None => (rest.strip_prefix(' ')?.trim_start_matches(' '), false),
    };
    let (hour, rest) = one_or_two(time)?;
    let (minute, rest) = one_or_two(rest.strip_prefix(':')?)?;
    let (second, rest) = one_or_two(rest.strip_prefix(':')?)?;
    let rest = skip_fraction(rest);
    let zone_is_right = if zoned { is_zone(rest) } else { rest.is_empty() };
    (hour < 24 && minute < 60 && second < 60 && zone_is_right).then_some(())
}

fn days_in(month: u32, year: u32) -> u32 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => 29,
        2 => 28,
        _ => 31,
    }
}

/// Skips a fraction of a second, after `.` or `,`.
fn skip_fraction(text: &str) -> &str {
    match text.strip_prefix(['.', ',']) {
        Some(digits) if digits.starts_with(|character: char| character.is_ascii_digit()) => {
            digits.trim_start_matches(|character: char| character.is_ascii_digit())
        }
        _ => text,
    }
}

fn is_zone(text: &str) -> bool {
    if text == "Z" {
        return true;
    }
    let zone = || {
        let (hour, rest) = fixed(text.strip_prefix(['+', '-'])?, 2)?;
        let (minute, rest) = fixed(rest.strip_prefix(':')?, 2)?;
        Some(hour <= 24 && minute <= 60 && rest.is_empty())
    };
    zone().unwrap_or(false)
}

fn fixed(text: &str, digits: usize) -> Option<(u32, &str)> {
    let (number, rest) = text.split_at_checked(digits)?;
    let all_digits = number.bytes().all(|byte| byte.is_ascii_digit());
    if all_digits { Some((number.parse().ok()?, rest)) } else { None }
}

fn one_or_two(text: &str) -> Option<(u32, &str)> {
    fixed(text, 2).or_else(|| fixed(text, 1))
}
