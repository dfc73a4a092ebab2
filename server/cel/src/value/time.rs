//! Points in time and durations, parsed and formatted as in Go's `time`.

use std::fmt;
use std::sync::LazyLock;

use jiff::tz::{TimeZone, TimeZoneDatabase};

use super::{EvalError, Outcome, quote};

/// Nanoseconds in a second.
pub(crate) const NANOS: i64 = 1_000_000_000;
/// Seconds of 0001-01-01T00:00:00Z.
const FIRST_SECOND: i64 = -62_135_596_800;
/// Seconds of 9999-12-31T23:59:59Z.
const LAST_SECOND: i64 = 253_402_300_799;
const DAY: i64 = 86_400;

/// A point in time with its time zone offset.
#[derive(Clone, Copy, Debug)]
pub struct Timestamp {
    /// Seconds since the start of 1970.
    pub seconds: i64,
    /// Nanoseconds after the second.
    pub nanos: u32,
    /// Offset from UTC in seconds.
    pub offset: i32,
}

/// A point in time as date and time of day.
pub(crate) struct CivilDateTime {
    pub(crate) year: i64,
    /// From 1.
    pub(crate) month: i64,
    /// From 1.
    pub(crate) day: i64,
    /// From 1.
    pub(crate) day_of_year: i64,
    /// From Sunday, 0.
    pub(crate) weekday: i64,
    /// Seconds since midnight.
    pub(crate) second_of_day: i64,
}

impl Timestamp {
    /// The time in UTC; an error outside the years 1 to 9999.
    pub(crate) fn from_seconds(seconds: i64) -> Outcome<Self> {
        if (FIRST_SECOND..=LAST_SECOND).contains(&seconds) {
            return Ok(Self { seconds, nanos: 0, offset: 0 });
        }
        Err(EvalError::new("timestamp overflow"))
    }

    pub(super) fn is_zero(self) -> bool {
        (self.seconds, self.nanos) == (FIRST_SECOND, 0)
    }

    /// The position on the time line, regardless of the offset: seconds and nanoseconds.
    pub(crate) const fn instant(self) -> (i64, u32) {
        (self.seconds, self.nanos)
    }

    /// RFC 3339 as `time.Parse` accepts it.
    pub(crate) fn parse(text: &str) -> Outcome<Option<Self>> {
        match parse_date_time(text) {
            Some((time, true)) if !(FIRST_SECOND..=LAST_SECOND).contains(&time.seconds) => {
                Err(EvalError::new("timestamp overflow"))
            }
            Some((time, true)) => Ok(Some(time)),
            _ => Ok(None),
        }
    }

    /// The format `date-time`: RFC 3339, or without zone.
    pub(super) fn parse_format(text: &str) -> Option<Self> {
        if text.is_empty() {
            return Some(Self { seconds: 0, nanos: 0, offset: 0 });
        }
        parse_date_time(text).map(|(time, _)| time)
    }

    /// Go's error for a text that looks like a time but that [`Self::parse_format`] does not parse: the
    /// format check is less strict. The last layout that Go tries has no zone.
    pub(super) fn format_error(text: &str) -> String {
        let quoted = super::quote(text);
        let (Some(time), Some(following)) = (text.get(10..), text.get(19..)) else {
            return format!("parsing time {quoted}: it does not follow its format");
        };
        if !time.starts_with('T') {
            let rest = super::quote(time);
            return format!("parsing time {quoted} as \"2006-01-02T15:04:05\": cannot parse {rest} as \"T\"");
        }
        let fraction =
            following.strip_prefix(['.', ',']).filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        let zone = fraction.map_or(following, |rest| rest.trim_start_matches(|c: char| c.is_ascii_digit()));
        format!("parsing time {quoted}: extra text: {}", super::quote(zone))
    }

    /// The format `date`.
    pub(crate) fn parse_date(text: &str) -> Option<Self> {
        let (days, rest) = read_date(text)?;
        rest.is_empty().then_some(Self { seconds: days * DAY, nanos: 0, offset: 0 })
    }

    /// The time `nanos` nanoseconds later.
    pub(crate) fn plus(self, nanos: i64) -> Outcome<Self> {
        let overflow = || EvalError::new("integer overflow");
        let total = i64::from(self.nanos) + nanos % NANOS;
        let seconds = self.seconds.checked_add(nanos / NANOS).ok_or_else(overflow)?;
        let seconds = seconds.checked_add(total.div_euclid(NANOS)).ok_or_else(overflow)?;
        let time = Self::from_seconds(seconds)?;
        Ok(Self { nanos: total.rem_euclid(NANOS) as u32, offset: self.offset, ..time })
    }

    /// The nanoseconds from `other` to this.
    pub(crate) fn since(self, other: Self) -> Outcome<i64> {
        let seconds = self.seconds - other.seconds;
        let nanos = i64::from(self.nanos) - i64::from(other.nanos);
        let total = seconds.checked_mul(NANOS).and_then(|seconds| seconds.checked_add(nanos));
        total.ok_or_else(|| EvalError::new("integer overflow"))
    }

    /// The same time in another zone: the name of a zone, or an offset such as `+02:00`.
    pub(crate) fn in_zone(self, zone: &str) -> Outcome<Self> {
        let offset = match zone.split_once(':') {
            Some((hours, minutes)) => {
                let (hours, minutes) = (atoi(hours)?, atoi(minutes)?);
                let minutes = if zone.starts_with('-') { -minutes } else { minutes };
                let seconds = hours.saturating_mul(60).saturating_add(minutes).saturating_mul(60);
                seconds.clamp(i32::MIN.into(), i32::MAX.into()) as i32
            }
            None => named_offset(zone, self.seconds)?,
        };
        Ok(Self { offset, ..self })
    }

    pub(crate) fn civil(self) -> CivilDateTime {
        let local = self.seconds + i64::from(self.offset);
        let days = local.div_euclid(DAY);
        let (year, month, day) = civil_from_days(days);
        CivilDateTime {
            year,
            month,
            day,
            day_of_year: days - days_from_civil(year, 1, 1) + 1,
            weekday: (days + 4).rem_euclid(7),
            second_of_day: local.rem_euclid(DAY),
        }
    }
}

/// RFC 3339 with as many digits of the second as necessary.
impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let CivilDateTime { year, month, day, second_of_day, .. } = self.civil();
        let (hours, minutes, seconds) = (second_of_day / 3600, second_of_day / 60 % 60, second_of_day % 60);
        write!(f, "{year:04}-{month:02}-{day:02}T{hours:02}:{minutes:02}:{seconds:02}")?;
        if self.nanos > 0 {
            let digits = format!("{:09}", self.nanos);
            write!(f, ".{}", digits.trim_end_matches('0'))?;
        }
        if self.offset == 0 {
            return f.write_str("Z");
        }
        let (sign, minutes) = (if self.offset < 0 { '-' } else { '+' }, self.offset.abs() / 60);
        write!(f, "{sign}{:02}:{:02}", minutes / 60, minutes % 60)
    }
}

fn named_offset(name: &str, seconds: i64) -> Outcome<i32> {
    static ZONES: LazyLock<TimeZoneDatabase> = LazyLock::new(TimeZoneDatabase::bundled);
    // The server's own zone is unknown; usually it is UTC.
    if matches!(name, "" | "UTC" | "Local") {
        return Ok(0);
    }
    if name.split('/').any(|part| part == "..") || name.starts_with(['/', '\\']) {
        return Err(EvalError::new("time: invalid location name"));
    }
    // Go looks up zones as files, by their exact names.
    let zone: Option<TimeZone> = ZONES.get(name).ok().filter(|zone| zone.iana_name() == Some(name));
    let zone = zone.ok_or_else(|| EvalError::new(format!("unknown time zone {name}")))?;
    let range = jiff::Timestamp::MIN.as_second()..=jiff::Timestamp::MAX.as_second();
    let at = jiff::Timestamp::from_second(seconds.clamp(*range.start(), *range.end()))
        .map_err(|error| EvalError::new(error.to_string()))?;
    Ok(zone.to_offset(at).seconds())
}

/// `strconv.Atoi`
fn atoi(text: &str) -> Outcome<i64> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let wrong = |why: &str| EvalError::new(format!("strconv.Atoi: parsing {}: {why}", quote(text)));
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(wrong("invalid syntax"));
    }
    text.parse().map_err(|_| wrong("value out of range"))
}

// ---- reading

/// A date and time, and whether it has a zone.
fn parse_date_time(text: &str) -> Option<(Timestamp, bool)> {
    let (days, rest) = read_date(text)?;
    let rest = rest.strip_prefix('T')?;
    // Go accepts an hour of one digit, too.
    let hour_digits = if rest.as_bytes().get(1) == Some(&b':') { 1 } else { 2 };
    let (hours, rest) = read_number(rest, hour_digits)?;
    let (minutes, rest) = read_number(rest.strip_prefix(':')?, 2)?;
    let (seconds, rest) = read_number(rest.strip_prefix(':')?, 2)?;
    if hours > 23 || minutes > 59 || seconds > 59 {
        return None;
    }
    let (nanos, rest) = read_fraction(rest);
    let (offset, zoned) = match rest {
        "" => (0, false),
        "Z" => (0, true),
        _ => (read_offset(rest)?, true),
    };
    let seconds = days * DAY + hours * 3600 + minutes * 60 + seconds - i64::from(offset);
    Some((Timestamp { seconds, nanos, offset }, zoned))
}

fn read_date(text: &str) -> Option<(i64, &str)> {
    let (year, rest) = read_number(text, 4)?;
    let (month, rest) = read_number(rest.strip_prefix('-')?, 2)?;
    let (day, rest) = read_number(rest.strip_prefix('-')?, 2)?;
    let next = if month == 12 { (year + 1, 1) } else { (year, month + 1) };
    let days = days_from_civil(year, month.clamp(1, 12), 1);
    let in_month = days_from_civil(next.0, next.1, 1) - days;
    let exists = (1..=12).contains(&month) && (1..=in_month).contains(&day);
    exists.then_some((days + day - 1, rest))
}

fn read_number(text: &str, digits: usize) -> Option<(i64, &str)> {
    let (number, rest) = text.split_at_checked(digits)?;
    let all_digits = number.bytes().all(|byte| byte.is_ascii_digit());
    all_digits.then(|| number.parse().ok()).flatten().map(|number| (number, rest))
}

fn read_fraction(text: &str) -> (u32, &str) {
    let Some(rest) = text.strip_prefix(['.', ',']) else { return (0, text) };
    let len = rest.bytes().take_while(u8::is_ascii_digit).count();
    let Some((digits, rest)) = rest.split_at_checked(len).filter(|_| len > 0) else { return (0, text) };
    let first = digits.bytes().chain(std::iter::repeat(b'0')).take(9);
    (first.fold(0, |nanos, digit| nanos * 10 + u32::from(digit - b'0')), rest)
}

fn read_offset(text: &str) -> Option<i32> {
    let sign = if text.starts_with('-') { -1 } else { 1 };
    let (hours, rest) = read_number(text.strip_prefix(['+', '-'])?, 2)?;
    let (minutes, rest) = read_number(rest.strip_prefix(':')?, 2)?;
    // Go accepts offsets of 24 hours and 60 minutes.
    let exists = rest.is_empty() && hours <= 24 && minutes <= 60;
    exists.then(|| sign * (hours * 3600 + minutes * 60) as i32)
}

// ---- calendar: days are counted from 1970-01-01

fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    // Years begin in March, so that the leap day is their last.
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
}

fn civil_from_days(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    (year, month, day_of_year - (153 * shifted + 2) / 5 + 1)
}

// ---- durations

/// The nanoseconds of a duration, as `time.ParseDuration` reads it.
pub(crate) fn parse_duration(text: &str) -> Option<i64> {
    const MOST: u64 = 1 << 63;
    let negative = text.starts_with('-');
    let mut rest = text.strip_prefix(['-', '+']).unwrap_or(text);
    if rest == "0" {
        return Some(0);
    }
    if rest.is_empty() {
        return None;
    }
    let mut total = 0u64;
    while !rest.is_empty() {
        let whole_len = rest.bytes().take_while(u8::is_ascii_digit).count();
        let (whole, following) = rest.split_at_checked(whole_len)?;
        let (fraction, following) = match following.strip_prefix('.') {
            Some(following) => {
                following.split_at_checked(following.bytes().take_while(u8::is_ascii_digit).count())?
            }
            None => ("", following),
        };
        if whole.is_empty() && fraction.is_empty() {
            return None;
        }
        let unit_len = following.bytes().take_while(|byte| *byte != b'.' && !byte.is_ascii_digit()).count();
        let (unit, following) = following.split_at_checked(unit_len)?;
        let unit = unit_nanos(unit)?;
        let whole = if whole.is_empty() { 0 } else { whole.parse::<u64>().ok().filter(|n| *n <= MOST)? };
        let whole = whole.checked_mul(unit).filter(|n| *n <= MOST)?;
        total = total.checked_add(whole)?.checked_add(fraction_of(fraction, unit)).filter(|n| *n <= MOST)?;
        rest = following;
    }
    match (negative, i64::try_from(total)) {
        (true, Ok(total)) => Some(-total),
        (true, Err(_)) => Some(i64::MIN),
        (false, total) => total.ok(),
    }
}

fn unit_nanos(unit: &str) -> Option<u64> {
    Some(match unit {
        "ns" => 1,
        "us" | "\u{b5}s" | "\u{3bc}s" => 1_000,
        "ms" => 1_000_000,
        "s" => 1_000_000_000,
        "m" => 60_000_000_000,
        "h" => 3_600_000_000_000,
        _ => return None,
    })
}

/// `0.fraction` of a unit, with Go's precision.
fn fraction_of(fraction: &str, unit: u64) -> u64 {
    let (mut number, mut scale) = (0u64, 1f64);
    for byte in fraction.bytes() {
        let next = number.checked_mul(10).and_then(|n| n.checked_add(u64::from(byte - b'0')));
        let Some(next) = next.filter(|n| *n < 1 << 63) else { break };
        number = next;
        scale *= 10.0;
    }
    (number as f64 * (unit as f64 / scale)) as u64
}

/// The format `duration`: Go's, or words such as `3 days`.
pub(super) fn parse_format_duration(text: &str) -> Option<i64> {
    if let Some(nanos) = parse_duration(text) {
        return Some(nanos);
    }
    let mut total = None;
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let from = rest.get(start..)?;
        let (number, following) =
            from.split_at_checked(from.bytes().take_while(u8::is_ascii_digit).count())?;
        let following = following.trim_start();
        let (unit, following) =
            following.split_at_checked(following.bytes().take_while(u8::is_ascii_alphabetic).count())?;
        if let Some(unit) = word_nanos(&unit.to_ascii_lowercase()) {
            let part = number.parse::<i64>().ok()?.wrapping_mul(unit);
            total = Some(total.unwrap_or(0i64).wrapping_add(part));
        }
        rest = following;
    }
    total
}

fn word_nanos(unit: &str) -> Option<i64> {
    const UNITS: [(&[&str], i64); 8] = [
        (&["ns", "nano"], 1),
        (&["us", "µs", "micro"], 1_000),
        (&["ms", "milli"], 1_000_000),
        (&["s", "sec"], NANOS),
        (&["m", "min"], 60 * NANOS),
        (&["h", "hr", "hour"], 3_600 * NANOS),
        (&["d", "day"], DAY * NANOS),
        (&["w", "wk", "week"], 7 * DAY * NANOS),
    ];
    let found = UNITS.iter().find(|(names, _)| {
        names.contains(&unit) || names.last().is_some_and(|longest| unit.starts_with(longest))
    });
    found.map(|(_, nanos)| *nanos)
}

/// A duration as `string()` writes it: seconds.
pub(crate) fn duration_text(nanos: i64) -> String {
    let seconds = (nanos / NANOS) as f64 + (nanos % NANOS) as f64 / 1e9;
    format!("{seconds}s")
}

/// A duration as Go prints it: `1h30m0.5s`.
pub(super) fn go_duration(nanos: i64) -> String {
    let (sign, rest) = (if nanos < 0 { "-" } else { "" }, nanos.unsigned_abs());
    let small = |unit: u64, name: &str| format!("{sign}{}{name}", rest as f64 / unit as f64);
    match rest {
        0 => return "0s".to_owned(),
        1..1_000 => return small(1, "ns"),
        1_000..1_000_000 => return small(1_000, "µs"),
        1_000_000..1_000_000_000 => return small(1_000_000, "ms"),
        _ => {}
    }
    let (seconds, minutes) = (rest % 60_000_000_000, rest / 60_000_000_000);
    let fraction = format!("{:09}", seconds % 1_000_000_000);
    let fraction = fraction.trim_end_matches('0');
    let dot = if fraction.is_empty() { "" } else { "." };
    let seconds = format!("{}{dot}{fraction}s", seconds / 1_000_000_000);
    match (minutes / 60, minutes % 60) {
        (0, 0) => format!("{sign}{seconds}"),
        (0, minutes) => format!("{sign}{minutes}m{seconds}"),
        (hours, minutes) => format!("{sign}{hours}h{minutes}m{seconds}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_parsed_as_in_go() {
        assert_eq!(parse_duration("1h30m"), Some(5_400_000_000_000));
        assert_eq!(parse_duration("-1.5s"), Some(-1_500_000_000));
        assert_eq!(parse_duration("0"), Some(0));
        assert_eq!(parse_duration("9223372036854775807ns"), Some(i64::MAX));
        assert_eq!(parse_duration("-9223372036854775808ns"), Some(i64::MIN));
        for refused in ["", "1", "s", "1d", ".", "-", "1.s2", "9223372036854775808ns", "1 s"] {
            assert_eq!(parse_duration(refused), None, "{refused}");
        }
    }

    #[test]
    fn timestamps_are_parsed_as_rfc_3339() {
        let seconds = |text| Timestamp::parse(text).ok().flatten().map(|time| time.seconds);
        assert_eq!(seconds("1970-01-01T00:00:00Z"), Some(0));
        assert_eq!(seconds("2000-02-29T23:59:59.5+01:00"), Some(951_865_199));
        assert_eq!(seconds("0001-01-01T00:00:00Z"), Some(FIRST_SECOND));
        for refused in
            ["", "2001-02-29T00:00:00Z", "2020-01-01", "2020-01-01T24:00:00Z", "0000-01-01T00:00:00Z"]
        {
            assert_eq!(seconds(refused), None, "{refused}");
        }
    }
}
