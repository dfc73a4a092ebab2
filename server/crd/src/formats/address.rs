//! Addresses in the forms that Go's `net` accepts; IPv4 in the lenient form that Kubernetes still accepts.

use std::net::Ipv6Addr;

/// An address with a dot in it: IPv4, or IPv6 with an IPv4 tail.
pub(super) fn is_ipv4(text: &str) -> bool {
    text.contains('.') && is_lenient_ip(text)
}

/// An IPv6 address without a zone.
pub(super) fn is_ipv6(text: &str) -> bool {
    text.contains(':') && text.parse::<Ipv6Addr>().is_ok()
}

/// An address and the length of a prefix.
pub(super) fn is_cidr(text: &str) -> bool {
    let Some((address, bits)) = text.split_once('/') else { return false };
    let most = match () {
        () if is_lenient_ipv4(address) => 32,
        () if is_lenient_ipv6(address) => 128,
        () => return false,
    };
    octet_like(bits, most)
}

/// 6, 8 or 20 bytes in hexadecimal: in pairs of digits joined by `:` or `-`, in fours joined by `.`, or without
/// separators.
pub(super) fn is_mac(text: &str) -> bool {
    let bytes = text.as_bytes();
    if bytes.len() < 12 {
        return false;
    }
    let (group, separator) = match (bytes.get(2), bytes.get(4)) {
        (Some(&separator @ (b':' | b'-')), _) => (2, Some(separator)),
        (_, Some(b'.')) => (4, Some(b'.')),
        _ => (2, None),
    };
    let stride = group + usize::from(separator.is_some());
    let is_right = |(at, byte): (usize, &u8)| match at % stride {
        place if place < group => byte.is_ascii_hexdigit(),
        _ => Some(*byte) == separator,
    };
    let padded = bytes.len() + usize::from(separator.is_some());
    let size = padded / stride * group / 2;
    padded.is_multiple_of(stride) && matches!(size, 6 | 8 | 20) && bytes.iter().enumerate().all(is_right)
}

fn is_lenient_ip(text: &str) -> bool {
    match text.find(['.', ':']) {
        Some(at) if text.as_bytes().get(at) == Some(&b'.') => is_lenient_ipv4(text),
        Some(_) => is_lenient_ipv6(text),
        None => false,
    }
}

/// Four numbers up to 255; leading zeros are ignored.
fn is_lenient_ipv4(text: &str) -> bool {
    let mut octets = text.split('.');
    octets.by_ref().take(4).filter(|octet| octet_like(octet, 255)).count() == 4 && octets.next().is_none()
}

/// Like the strict form, but with leading zeros in groups and in an IPv4 tail.
fn is_lenient_ipv6(text: &str) -> bool {
    if !text.contains(':') {
        return false;
    }
    let mut strict = String::with_capacity(text.len());
    for (at, group) in text.split(':').enumerate() {
        if at > 0 {
            strict.push(':');
        }
        for (at, part) in group.split('.').enumerate() {
            if at > 0 {
                strict.push('.');
            }
            let trimmed = part.trim_start_matches('0');
            strict.push_str(if trimmed.is_empty() && !part.is_empty() { "0" } else { trimmed });
        }
    }
    is_ipv6(&strict)
}

/// Whether `text` is a decimal number up to `most`.
fn octet_like(text: &str, most: u32) -> bool {
    let digits = text.trim_start_matches('0');
    !text.is_empty()
        && text.bytes().all(|byte| byte.is_ascii_digit())
        && (digits.is_empty() || digits.parse::<u32>().is_ok_and(|number| number <= most))
}
