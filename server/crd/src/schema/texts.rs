//! Go's errors for strings that are not base64 or not times.

use std::ops::RangeInclusive;

use yaml::scalar::go_quote;

/// `base64.CorruptInputError`; `None` if `text` is base64.
pub(crate) fn base64(text: &str) -> Option<String> {
    let refused = |at: usize| Some(format!("illegal base64 data at input byte {at}"));
    let bytes: Vec<(usize, u8)> =
        text.bytes().enumerate().filter(|(_, byte)| !matches!(byte, b'\r' | b'\n')).collect();
    let mut digits = 0;
    for (index, &(at, byte)) in bytes.iter().enumerate() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'+' | b'/' => digits = (digits + 1) % 4,
            b'=' if digits == 2 => {
                return match (bytes.get(index + 1), bytes.get(index + 2)) {
                    (None, _) => refused(text.len()),
                    (Some((_, b'=')), None) => None,
                    (Some((_, b'=')), Some((after, _))) => refused(*after),
                    (Some((other, _)), _) => refused(other.saturating_sub(1)),
                };
            }
            b'=' if digits == 3 => {
                return bytes.get(index + 1).and_then(|(after, _)| refused(*after));
            }
            _ => return refused(at),
        }
    }
    if digits == 0 { None } else { refused(text.len().saturating_sub(digits)) }
}

/// The pieces of RFC 3339; those with a name have a range of valid numbers. The day is checked last.
const PIECES: [(&str, &str, RangeInclusive<u32>); 11] = [
    ("2006", "", 0..=9999),
    ("-", "", 0..=0),
    ("01", "month", 1..=12),
    ("-", "", 0..=0),
    ("02", "", 0..=99),
    ("T", "", 0..=0),
    ("15", "hour", 0..=23),
    (":", "", 0..=0),
    ("04", "minute", 0..=59),
    (":", "", 0..=0),
    ("05", "second", 0..=59),
];

/// The error of `time.Parse` with the layout of RFC 3339, as far as it gives the reason; `None` if `text` is
/// a time.
pub(crate) fn time(text: &str) -> Option<String> {
    const LAYOUT: &str = "2006-01-02T15:04:05Z07:00";
    let value = go_quote(text);
    let cannot = |rest: &str, piece: &str| {
        let (layout, rest, piece) = (go_quote(LAYOUT), go_quote(rest), go_quote(piece));
        Some(format!("parsing time {value} as {layout}: cannot parse {rest} as {piece}"))
    };
    let out_of_range = |what: &str| Some(format!("parsing time {value}: {what} out of range"));
    let mut rest = text;
    let mut numbers = Vec::with_capacity(6);
    for (piece, name, range) in &PIECES {
        let Some((head, tail)) = rest.split_at_checked(length(piece, rest)) else {
            return cannot(rest, piece);
        };
        if !piece.starts_with(|first: char| first.is_ascii_digit()) {
            if head != *piece {
                return cannot(rest, piece);
            }
        } else {
            let digits = Some(head).filter(|head| head.bytes().all(|byte| byte.is_ascii_digit()));
            let Some(number) = digits.and_then(|digits| digits.parse().ok()) else {
                return cannot(rest, piece);
            };
            if !range.contains(&number) {
                return out_of_range(name);
            }
            numbers.push(number);
        }
        rest = tail;
    }
    if let Some(fraction) =
        rest.strip_prefix(['.', ',']).filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    {
        rest = fraction.trim_start_matches(|c: char| c.is_ascii_digit());
    }
    let after = match zone(rest) {
        Some(Ok(after)) => after,
        Some(Err(what)) => return out_of_range(what),
        None => return cannot(rest, "Z07:00"),
    };
    if !after.is_empty() {
        return Some(format!("parsing time {value}: extra text: {}", go_quote(after)));
    }
    match numbers.as_slice() {
        [year, month, day, ..] if !(1..=days(*year, *month)).contains(day) => out_of_range("day"),
        _ => None,
    }
}

/// The number of bytes of `rest` that belong to `piece`: Go also accepts an hour with one digit.
fn length(piece: &str, rest: &str) -> usize {
    match rest.as_bytes() {
        [first, second, ..] if piece == "15" && first.is_ascii_digit() && !second.is_ascii_digit() => 1,
        _ => piece.len(),
    }
}

/// The text after the zone at the start of `rest`, or the part of the zone that is out of range; `None` if
/// there is no zone.
fn zone(rest: &str) -> Option<Result<&str, &'static str>> {
    if let Some(after) = rest.strip_prefix('Z') {
        return Some(Ok(after));
    }
    let (zone, after) = rest.split_at_checked("+07:00".len())?;
    let [b'+' | b'-', digits @ ..] = zone.as_bytes() else { return None };
    let [a, b, b':', c, d] = digits else { return None };
    let number =
        |tens: u8, ones: u8| Some(char::from(tens).to_digit(10)? * 10 + char::from(ones).to_digit(10)?);
    let (hours, minutes) = (number(*a, *b)?, number(*c, *d)?);
    if hours > 24 {
        return Some(Err("time zone offset hour"));
    }
    Some(if minutes > 60 { Err("time zone offset minute") } else { Ok(after) })
}

fn days(year: u32, month: u32) -> u32 {
    let is_leap = year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400);
    match month {
        2 if is_leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_padded() {
        assert_eq!(base64("bm90IGE="), None);
        assert_eq!(base64("bm90\nIGE=\n"), None);
        assert_eq!(base64("bm9!"), Some("illegal base64 data at input byte 3".to_owned()));
        assert_eq!(base64("bm90I"), Some("illegal base64 data at input byte 4".to_owned()));
        assert_eq!(base64("bm=0"), Some("illegal base64 data at input byte 2".to_owned()));
        assert_eq!(base64("bm90IGE=x"), Some("illegal base64 data at input byte 8".to_owned()));
    }

    #[test]
    fn times_are_rfc_3339() {
        assert_eq!(time("2024-01-02T03:04:05.6+02:00"), None);
        assert_eq!(
            time("yesterday").as_deref(),
            Some(
                r#"parsing time "yesterday" as "2006-01-02T15:04:05Z07:00": cannot parse "yesterday" as "2006""#
            )
        );
        assert_eq!(
            time("2024-13-02T03:04:05Z").as_deref(),
            Some(r#"parsing time "2024-13-02T03:04:05Z": month out of range"#)
        );
        for (text, wrong) in [
            ("2024-02-29T03:04:05Z", None),
            ("2023-02-29T03:04:05Z", Some("day out of range")),
            ("1900-02-29T00:00:00Z", Some("day out of range")),
            ("2024-04-31T23:00:05Z", Some("day out of range")),
            ("2024-01-00T00:00:00Z", Some("day out of range")),
            ("2024-02-30T25:04:05Z", Some("hour out of range")),
            ("2024-02-30T03:04:05Zx", Some("extra text: \"x\"")),
            ("2024-01-02T3:04:05Z", None),
            ("2024-01-02T03:04:05+24:00", None),
            ("2024-01-02T03:04:05+25:00", Some("time zone offset hour out of range")),
            ("2024-01-02T03:04:05+10:61", Some("time zone offset minute out of range")),
        ] {
            let wrong = wrong.map(|wrong| format!("parsing time \"{text}\": {wrong}"));
            assert_eq!(time(text), wrong, "{text}");
        }
    }
}
