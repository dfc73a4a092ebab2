//! The formats of `format.named()`, with the texts of the API server.

use std::fmt;

use super::{Timestamp, Url};

/// A format with a name.
pub struct NamedFormat {
    /// The name in `format.named()`.
    key: &'static str,
    /// The name of the value.
    pub(crate) name: &'static str,
    /// The assumed length of the pattern for costs, in bytes.
    pub(crate) regex_size: u64,
    /// Returns the problems of a text.
    pub(crate) check: fn(&str) -> Vec<String>,
}

impl fmt::Debug for NamedFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

const UUID: &str = "(?i)^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$";
const DATE_TIME: &str = "^([0-9]{2}):([0-9]{2}):([0-9]{2})(.[0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))$";

const fn format(
    key: &'static str,
    name: &'static str,
    regex_size: u64,
    check: fn(&str) -> Vec<String>,
) -> NamedFormat {
    NamedFormat { key, name, regex_size, check }
}

static FORMATS: [NamedFormat; 13] = [
    format("dns1123Label", "DNS1123Label", 30, dns_label),
    format("dns1123Subdomain", "DNS1123Subdomain", 60, dns_subdomain),
    format("dns1035Label", "DNS1035Label", 30, dns_1035_label),
    format("qualifiedName", "QualifiedName", 60, label_key),
    format("dns1123LabelPrefix", "DNS1123LabelPrefix", 30, |text| dns_label(&prefix(text))),
    format("dns1123SubdomainPrefix", "DNS1123SubdomainPrefix", 60, |text| dns_subdomain(&prefix(text))),
    format("dns1035LabelPrefix", "DNS1035LabelPrefix", 30, |text| dns_1035_label(&prefix(text))),
    format("labelValue", "LabelValue", 40, label_value),
    format("uri", "URI", 1103, |text| Url::read_request_uri(text).err().into_iter().collect()),
    format("uuid", "uuid", UUID.len() as u64, |text| unless(is_uuid(text), "does not match the UUID format")),
    format("byte", "byte", 84, |text| unless(is_base64(text), "invalid base64")),
    format("date", "date", DATE_TIME.len() as u64, |text| unless(is_date(text), "invalid date")),
    format("datetime", "datetime", DATE_TIME.len() as u64, |text| {
        unless(is_date_time(text), "invalid datetime")
    }),
];

/// The format of that name.
pub(crate) fn find_format(key: &str) -> Option<&'static NamedFormat> {
    FORMATS.iter().find(|format| format.key == key)
}

fn unless(fine: bool, problem: &str) -> Vec<String> {
    if fine { vec![] } else { vec![problem.to_owned()] }
}

fn too_long(text: &str, most: usize) -> Option<String> {
    (text.len() > most).then(|| format!("must be no more than {most} characters"))
}

/// A prefix may end with a dash; the API server replaces the last two characters.
fn prefix(text: &str) -> String {
    let kept = text.len().checked_sub(2).filter(|_| text.ends_with('-'));
    match kept.and_then(|kept| text.get(..kept)) {
        Some(kept) => format!("{kept}a"),
        None => text.to_owned(),
    }
}

fn is_label(text: &str, first: fn(u8) -> bool, inner: fn(u8) -> bool, last: fn(u8) -> bool) -> bool {
    let bytes = text.as_bytes();
    bytes.first().is_some_and(|byte| first(*byte))
        && bytes.last().is_some_and(|byte| last(*byte))
        && bytes.iter().all(|byte| inner(*byte) || first(*byte) || last(*byte))
}

fn lower(byte: u8) -> bool {
    byte.is_ascii_lowercase() || byte.is_ascii_digit()
}

fn is_dns_label(text: &str) -> bool {
    is_label(text, lower, |byte| byte == b'-', lower)
}

fn is_dns_subdomain(text: &str) -> bool {
    text.split('.').all(is_dns_label)
}

fn dns_label(text: &str) -> Vec<String> {
    let mut problems: Vec<_> = too_long(text, 63).into_iter().collect();
    if is_dns_label(text) {
    } else if is_dns_subdomain(text) {
        problems.push("must not contain dots".to_owned());
    } else {
        problems.push("a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')".to_owned());
    }
    problems
}

fn dns_subdomain(text: &str) -> Vec<String> {
    let mut problems: Vec<_> = too_long(text, 253).into_iter().collect();
    if !is_dns_subdomain(text) {
        problems.push("a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')".to_owned());
    }
    problems
}

fn dns_1035_label(text: &str) -> Vec<String> {
    let mut problems: Vec<_> = too_long(text, 63).into_iter().collect();
    let is_fine = is_label(text, |byte| byte.is_ascii_lowercase(), |byte| byte == b'-', lower)
        && text.bytes().all(|byte| lower(byte) || byte == b'-');
    if !is_fine {
        problems.push("a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')".to_owned());
    }
    problems
}

fn is_name(text: &str) -> bool {
    let ends = |byte: u8| byte.is_ascii_alphanumeric();
    is_label(text, ends, |byte| b"-_.".contains(&byte), ends)
}

const NAME: &str = "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

fn label_key(text: &str) -> Vec<String> {
    let mut problems = vec![];
    let name = match text.split('/').collect::<Vec<_>>()[..] {
        [name] => name,
        [prefix, name] => {
            if prefix.is_empty() {
                problems.push("prefix part must be non-empty".to_owned());
            } else {
                problems.extend(dns_subdomain(prefix).into_iter().map(|why| format!("prefix part {why}")));
            }
            name
        }
        _ => {
            return vec![format!(
                "a valid label key {NAME} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"
            )];
        }
    };
    if name.is_empty() {
        problems.push("name part must be non-empty".to_owned());
    }
    problems.extend(too_long(name, 63).map(|why| format!("name part {why}")));
    if !is_name(name) {
        problems.push(format!("name part {NAME}"));
    }
    problems
}

fn label_value(text: &str) -> Vec<String> {
    let mut problems: Vec<_> = too_long(text, 63).into_iter().collect();
    if !text.is_empty() && !is_name(text) {
        problems.push("a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')".to_owned());
    }
    problems
}

/// Each dash is optional.
fn is_uuid(text: &str) -> bool {
    let mut rest = text;
    for (at, len) in [8, 4, 4, 4, 12].into_iter().enumerate() {
        if at > 0 {
            rest = rest.strip_prefix('-').unwrap_or(rest);
        }
        match rest.split_at_checked(len) {
            Some((digits, following)) if digits.bytes().all(|byte| byte.is_ascii_hexdigit()) => {
                rest = following
            }
            _ => return false,
        }
    }
    rest.is_empty()
}

fn is_base64(text: &str) -> bool {
    let digits = text.strip_suffix("==").or_else(|| text.strip_suffix('=')).unwrap_or(text);
    let is_digit = |byte: u8| byte.is_ascii_alphanumeric() || b"+/".contains(&byte);
    !text.is_empty() && text.len().is_multiple_of(4) && digits.bytes().all(is_digit)
}

fn is_date(text: &str) -> bool {
    Timestamp::parse_date(text).is_some()
}

/// A date, `t`, and a time with a zone; text after another `t` is ignored.
fn is_date_time(text: &str) -> bool {
    let lower = text.to_lowercase();
    let mut parts = lower.split('t');
    let (Some(date), Some(time)) = (parts.next(), parts.next()) else { return false };
    is_date(date) && is_zoned_time(time)
}

fn is_zoned_time(text: &str) -> bool {
    let Some((clock, rest)) = text.split_at_checked(8) else { return false };
    let parts: Vec<_> = clock.split(':').collect();
    let is_two = |part: &str| part.len() == 2 && part.bytes().all(|byte| byte.is_ascii_digit());
    let in_range = parts.iter().zip(["23", "59", "59"]).all(|(part, most)| is_two(part) && *part <= most);
    let is_zone = |zone: &str| {
        let offset = zone.strip_prefix(['+', '-']).and_then(|zone| zone.split_once(':'));
        zone == "z" || offset.is_some_and(|(hours, minutes)| is_two(hours) && is_two(minutes))
    };
    // The fraction of a second may follow any character.
    let mut following = rest.chars();
    let fraction = following.next().filter(|first| *first != '\n').map(|_| following.as_str());
    let zone = fraction.and_then(|fraction| {
        let zone = fraction.trim_start_matches(|c: char| c.is_ascii_digit());
        (zone.len() < fraction.len()).then_some(zone)
    });
    parts.len() == 3 && in_range && (is_zone(rest) || zone.is_some_and(is_zone))
}
