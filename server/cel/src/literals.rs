//! Texts of durations and points in time, as Go reads them.

use std::ops::RangeInclusive;

/// The points in time that CEL knows, in seconds since 1970: the years 1 to 9999.
pub const TIMESTAMP_SECONDS: RangeInclusive<i64> = -62_135_596_800..=253_402_300_799;

/// The nanoseconds of a duration such as `1h30m` or `-1.5s`; none for what Go's `time.ParseDuration` refuses.
#[must_use]
pub fn duration_nanoseconds(text: &str) -> Option<i64> {
    let (negative, mut rest) = match text.as_bytes().first()? {
        b'-' => (true, text.get(1..)?),
        b'+' => (false, text.get(1..)?),
        _ => (false, text),
    };
    if rest == "0" {
        return Some(0);
    }
    if rest.is_empty() {
        return None;
    }
    // Go adds up in 64 bits without sign; one more than the greatest int is allowed below zero.
    let limit = 1u64 << 63;
    let mut total = 0u64;
    while !rest.is_empty() {
        let (part, behind) = duration_part(rest)?;
        total = total.checked_add(part).filter(|total| *total <= limit)?;
        rest = behind;
    }
    if negative {
        return 0i64.checked_sub_unsigned(total);
    }
    i64::try_from(total).ok()
}

/// The nanoseconds of a number with its unit, and what follows.
fn duration_part(text: &str) -> Option<(u64, &str)> {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let (whole, mut rest) = text.split_at(digits(text));
    let mut fraction = "";
    if let Some(behind) = rest.strip_prefix('.') {
        (fraction, rest) = behind.split_at(digits(behind));
    }
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let unit_end = rest.find(|c: char| c == '.' || c.is_ascii_digit()).unwrap_or(rest.len());
    let (unit, rest) = rest.split_at(unit_end);
    let unit = match unit {
        "ns" => 1u64,
        "us" | "µs" | "μs" => 1_000,
        "ms" => 1_000_000,
        "s" => 1_000_000_000,
        "m" => 60_000_000_000,
        "h" => 3_600_000_000_000,
        _ => return None,
    };
    let whole: u64 = if whole.is_empty() { 0 } else { whole.parse().ok()? };
    let mut value = whole.checked_mul(unit).filter(|value| *value <= 1 << 63)?;
    let (mut part, mut scale) = (0u64, 1.0f64);
    for digit in fraction.bytes() {
        let Some(next) = part.checked_mul(10).and_then(|part| part.checked_add(u64::from(digit - b'0')))
        else {
            break;
        };
        if next > (1 << 63) - 1 {
            break;
        }
        part = next;
        scale *= 10.0;
    }
    if part > 0 {
        value = value.checked_add((part as f64 * (unit as f64 / scale)) as u64)?;
    }
    (value <= 1 << 63).then_some((value, rest))
}

/// The seconds since 1970 of a point in time in RFC 3339, as Go's `time.Parse` reads it; none where it refuses it or
/// the year is not 1 to 9999. Fractions of a second are left out.
#[must_use]
pub fn timestamp_seconds(text: &str) -> Option<i64> {
    let mut text = text;
    let year = number(&mut text, 4, 4)?;
    literal(&mut text, '-')?;
    let month = number(&mut text, 2, 2).filter(|month| (1..=12).contains(month))?;
    literal(&mut text, '-')?;
    let day = number(&mut text, 2, 2)?;
    literal(&mut text, 'T')?;
    // Go lets an hour have one digit.
    let hour = number(&mut text, 1, 2).filter(|hour| *hour < 24)?;
    literal(&mut text, ':')?;
    let minute = number(&mut text, 2, 2).filter(|minute| *minute < 60)?;
    literal(&mut text, ':')?;
    let second = number(&mut text, 2, 2).filter(|second| *second < 60)?;
    if text.starts_with(['.', ',']) {
        let digits = text.bytes().skip(1).take_while(u8::is_ascii_digit).count();
        if digits == 0 {
            return None;
        }
        text = text.get(1 + digits..)?;
    }
    let offset = zone_offset(text)?;
    if day < 1 || day > days_in(year, month) {
        return None;
    }
    let seconds = days_since_1970(year, month, day) * 86_400 + hour * 3_600 + minute * 60 + second - offset;
    TIMESTAMP_SECONDS.contains(&seconds).then_some(seconds)
}

/// The seconds that the zone is ahead of UTC.
fn zone_offset(text: &str) -> Option<i64> {
    let mut rest = match text.as_bytes() {
        b"Z" => return Some(0),
        [b'+' | b'-', ..] => text.get(1..)?,
        _ => return None,
    };
    let hours = number(&mut rest, 2, 2).filter(|hours| *hours <= 24)?;
    literal(&mut rest, ':')?;
    let minutes = number(&mut rest, 2, 2).filter(|minutes| *minutes <= 60)?;
    let seconds = hours * 3_600 + minutes * 60;
    rest.is_empty().then_some(if text.starts_with('-') { -seconds } else { seconds })
}

fn number(text: &mut &str, least: usize, most: usize) -> Option<i64> {
    let digits = text.bytes().take(most).take_while(u8::is_ascii_digit).count();
    let (number, rest) = text.split_at(digits);
    *text = rest;
    if digits < least { None } else { number.parse().ok() }
}

fn literal(text: &mut &str, wanted: char) -> Option<()> {
    *text = text.strip_prefix(wanted)?;
    Some(())
}

const fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

const fn days_in(year: i64, month: i64) -> i64 {
    match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

fn days_since_1970(year: i64, month: i64, day: i64) -> i64 {
    // Years that begin in March put the leap day at their end.
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_those_of_go() {
        assert_eq!(duration_nanoseconds("1h30m"), Some(5_400_000_000_000));
        assert_eq!(duration_nanoseconds("-1.5s"), Some(-1_500_000_000));
        assert_eq!(duration_nanoseconds("0"), Some(0));
        assert_eq!(duration_nanoseconds("9223372036854775807ns"), Some(i64::MAX));
        assert_eq!(duration_nanoseconds("-9223372036854775808ns"), Some(i64::MIN));
        for refused in ["", "1", "s", "1d", ".", "-", "1.s2", "9223372036854775808ns", "1 s"] {
            assert_eq!(duration_nanoseconds(refused), None, "{refused}");
        }
    }

    #[test]
    fn points_in_time_are_those_of_rfc_3339() {
        assert_eq!(timestamp_seconds("1970-01-01T00:00:00Z"), Some(0));
        assert_eq!(timestamp_seconds("2000-02-29T23:59:59.5+01:00"), Some(951_865_199));
        assert_eq!(timestamp_seconds("0001-01-01T00:00:00Z"), Some(*TIMESTAMP_SECONDS.start()));
        for refused in
            ["", "2001-02-29T00:00:00Z", "2020-01-01", "2020-01-01T24:00:00Z", "0000-01-01T00:00:00Z"]
        {
            assert_eq!(timestamp_seconds(refused), None, "{refused}");
        }
    }
}
