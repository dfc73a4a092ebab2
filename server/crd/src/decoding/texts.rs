//! Go's words for strings that are no base64 and no time.

use yaml::scalar::go_quote;

/// `base64.CorruptInputError`; none where `text` is base64.
pub(super) fn base64(text: &str) -> Option<String> {
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
                    (Some((_, b'=')), Some((behind, _))) => refused(*behind),
                    (Some((other, _)), _) => refused(other.saturating_sub(1)),
                };
            }
            b'=' if digits == 3 => {
                return bytes.get(index + 1).and_then(|(behind, _)| refused(*behind));
            }
            _ => return refused(at),
        }
    }
    if digits == 0 { None } else { refused(text.len().saturating_sub(digits)) }
}

/// The pieces of RFC 3339 with the greatest value of each number.
const PIECES: [(&str, &str, u32); 11] = [
    ("2006", "", 9999),
    ("-", "", 0),
    ("01", "month", 12),
    ("-", "", 0),
    ("02", "day", 31),
    ("T", "", 0),
    ("15", "hour", 23),
    (":", "", 0),
    ("04", "minute", 59),
    (":", "", 0),
    ("05", "second", 59),
];

/// The error of `time.Parse` with the layout of RFC 3339, as far as its reason is told; none where `text` is a time.
pub(super) fn time(text: &str) -> Option<String> {
    const LAYOUT: &str = "2006-01-02T15:04:05Z07:00";
    let value = go_quote(text);
    let cannot = |rest: &str, piece: &str| {
        let (layout, rest, piece) = (go_quote(LAYOUT), go_quote(rest), go_quote(piece));
        Some(format!("parsing time {value} as {layout}: cannot parse {rest} as {piece}"))
    };
    let mut rest = text;
    for (piece, name, most) in PIECES {
        let Some((head, tail)) = rest.split_at_checked(piece.len()) else { return cannot(rest, piece) };
        let is_number = piece.starts_with(|first: char| first.is_ascii_digit());
        if is_number && !head.bytes().all(|byte| byte.is_ascii_digit()) || !is_number && head != piece {
            return cannot(rest, piece);
        }
        let number = head.parse::<u32>().ok().filter(|_| is_number && !name.is_empty());
        let least = u32::from(matches!(name, "month" | "day"));
        if number.is_some_and(|number| !(least..=most).contains(&number)) {
            return Some(format!("parsing time {value}: {name} out of range"));
        }
        rest = tail;
    }
    if let Some(fraction) =
        rest.strip_prefix(['.', ',']).filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    {
        rest = fraction.trim_start_matches(|c: char| c.is_ascii_digit());
    }
    if let Some(behind) = rest.strip_prefix('Z') {
        return (!behind.is_empty())
            .then(|| format!("parsing time {value}: extra text: {}", go_quote(behind)));
    }
    let (zone, behind) = rest.split_at_checked(6).unwrap_or((rest, ""));
    match zone.as_bytes() {
        [b'+' | b'-', a, b, b':', c, d] if [a, b, c, d].into_iter().all(u8::is_ascii_digit) => {
            (!behind.is_empty()).then(|| format!("parsing time {value}: extra text: {}", go_quote(behind)))
        }
        _ => cannot(rest, "Z07:00"),
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
    }
}
