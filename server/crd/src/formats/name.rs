//! Names of hosts and of Kubernetes objects.

use crate::regexp::UnicodeClass;

/// One label with a dash only in second place; or labels joined by dots, the last of at least two letters.
/// Symbols of any script count as letters, except in the last label.
pub(super) fn is_hostname(text: &str) -> bool {
    let labels: Vec<&str> = text.split('.').collect();
    if text.len() > 255 || labels.iter().any(|label| label.len() > 63) {
        return false;
    }
    let letters = Letters::of(text);
    match labels.as_slice() {
        [] => false,
        [single] => is_single_label(single, &letters),
        [rest @ .., last] => {
            let length = last.chars().count();
            (2..=63).contains(&length)
                && last.chars().all(|c| letters.is_letter(c))
                && rest.iter().all(|label| is_label(label, &letters))
        }
    }
}

/// A letter, digit or symbol; then an optional dash; then up to 62 more letters, digits or symbols.
fn is_single_label(label: &str, letters: &Letters) -> bool {
    let mut chars = label.chars();
    let starts = chars.next().is_some_and(|c| letters.is_part(c));
    let rest = chars.as_str();
    let rest = rest.strip_prefix('-').unwrap_or(rest);
    starts && rest.chars().count() <= 62 && rest.chars().all(|c| letters.is_part(c))
}

fn is_label(label: &str, letters: &Letters) -> bool {
    !label.is_empty()
        && !label.starts_with('-')
        && !label.ends_with('-')
        && label.chars().all(|c| c == '-' || letters.is_part(c))
}

/// `\p{L}` and `\p{S}`, looked up only for texts that are not plain ASCII.
#[derive(Default)]
struct Letters {
    letters: Vec<(u32, u32)>,
    symbols: Vec<(u32, u32)>,
}

impl Letters {
    fn of(text: &str) -> Self {
        if text.is_ascii() {
            return Self::default();
        }
        let ranges = |name| UnicodeClass::named(name).map(UnicodeClass::ranges).unwrap_or_default();
        Self { letters: ranges("L"), symbols: ranges("S") }
    }

    fn is_letter(&self, c: char) -> bool {
        c.is_ascii_alphabetic() || !c.is_ascii() && contains(&self.letters, c)
    }

    fn is_part(&self, c: char) -> bool {
        match c.is_ascii() {
            true => c.is_ascii_alphanumeric() || "$+<=>^`|~".contains(c),
            false => contains(&self.letters, c) || contains(&self.symbols, c),
        }
    }
}

fn contains(ranges: &[(u32, u32)], c: char) -> bool {
    let c = u32::from(c);
    let at = ranges.partition_point(|&(_, hi)| hi < c);
    ranges.get(at).is_some_and(|&(lo, _)| lo <= c)
}

/// A DNS label in lower case.
pub(super) fn is_short_name(text: &str) -> bool {
    text.len() <= 63 && is_dns_label(text)
}

/// DNS labels in lower case, each of any length, joined by dots.
pub(super) fn is_long_name(text: &str) -> bool {
    text.len() <= 253 && text.split('.').all(is_dns_label)
}

/// Lower case letters, digits and, not at the ends, dashes.
pub(crate) fn is_dns_label(text: &str) -> bool {
    let is_end = |byte: Option<u8>| byte.is_some_and(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
    is_end(text.bytes().next())
        && is_end(text.bytes().next_back())
        && text.bytes().all(|byte| byte == b'-' || is_end(Some(byte)))
}
