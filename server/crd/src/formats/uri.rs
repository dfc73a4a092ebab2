//! URIs, as Go's `url.ParseRequestURI` takes them.

use std::net::Ipv6Addr;

/// A path from the root, or a scheme with anything behind it; an authority, if there is one, must be well-formed.
pub(super) fn is_request_uri(text: &str) -> bool {
    if text == "*" {
        return true;
    }
    if text.is_empty() || text.bytes().any(|byte| byte < b' ' || byte == 0x7F) {
        return false;
    }
    let Some((scheme, rest)) = split_scheme(text) else { return false };
    let path = rest.split('?').next().unwrap_or_default();
    if !path.starts_with('/') {
        // Without a slash, what follows a scheme is taken as it is.
        return scheme.is_some();
    }
    match path.strip_prefix("//").filter(|_| scheme.is_some()) {
        Some(behind) => {
            let (authority, path) = behind.split_at(behind.find('/').unwrap_or(behind.len()));
            is_authority(scheme.unwrap_or_default(), authority) && has_right_escapes(path)
        }
        None => has_right_escapes(path),
    }
}

/// The scheme, if there is one, and the rest; none where a colon comes first.
fn split_scheme(text: &str) -> Option<(Option<&str>, &str)> {
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if byte.is_ascii_alphabetic() => {}
            b'0'..=b'9' | b'+' | b'-' | b'.' if at > 0 => {}
            b':' if at == 0 => return None,
            b':' => return Some((text.get(..at), text.get(at + 1..).unwrap_or_default())),
            _ => break,
        }
    }
    Some((None, text))
}

fn is_authority(scheme: &str, authority: &str) -> bool {
    let Some((user, host)) = authority.rsplit_once('@') else { return is_host(scheme, authority) };
    let is_user_byte = |byte: u8| byte.is_ascii_alphanumeric() || b"-._:~!$&'()*+,;=%@".contains(&byte);
    is_host(scheme, host) && user.bytes().all(is_user_byte) && has_right_escapes(user)
}

fn is_host(scheme: &str, host: &str) -> bool {
    match host.rfind('[') {
        Some(0) => is_bracketed(host),
        Some(_) => false,
        None => {
            // Several hosts with ports, as databases have them, are allowed but for the web.
            let is_web = scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https");
            let colon = if is_web { host.find(':') } else { host.rfind(':') };
            let port = colon.and_then(|at| host.get(at..)).unwrap_or_default();
            is_port(port) && is_host_text(host)
        }
    }
}

/// `[::1]:80`, with a zone behind `%25` if need be.
fn is_bracketed(host: &str) -> bool {
    let inner = host.strip_prefix('[').and_then(|rest| rest.rsplit_once(']'));
    let Some((address, port)) = inner else { return false };
    let (address, zone) = match address.find("%25") {
        Some(at) => address.split_at(at),
        None => (address, ""),
    };
    let zone_is_right = zone.is_empty() || zone.len() > "%25".len() && is_zone(zone);
    is_port(port) && is_host_text(address) && zone_is_right && address.parse::<Ipv6Addr>().is_ok()
}

fn is_port(text: &str) -> bool {
    text.is_empty()
        || text.strip_prefix(':').is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))
}

/// The bytes that may stand in a host; only those beyond ASCII, and `%` itself, may be escaped.
fn is_host_text(text: &str) -> bool {
    let escape_is_right = |value: u8| value >= 0x80 || value == b'%';
    scan(text, escape_is_right, |byte| byte >= 0x80 || is_host_byte(byte))
}

/// As a host, where a space and what could be written plainly may be escaped.
fn is_zone(text: &str) -> bool {
    // Go checks an escaped byte as it would an unescaped one, which those beyond ASCII are not.
    let escape_is_right = |value: u8| matches!(value, b'%' | b' ') || is_host_byte(value);
    scan(text, escape_is_right, |byte| byte >= 0x80 || is_host_byte(byte))
}

fn is_host_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-_.~!$&'()*+,;=:[]<>\"".contains(&byte)
}

fn has_right_escapes(text: &str) -> bool {
    scan(text, |_| true, |_| true)
}

/// Whether each `%` has two digits whose value `escape` takes, and each other byte is one that `plain` takes.
fn scan(text: &str, escape: impl Fn(u8) -> bool, plain: impl Fn(u8) -> bool) -> bool {
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        let right = match byte {
            b'%' => {
                let mut digit = || bytes.next().and_then(|byte| char::from(byte).to_digit(16));
                match (digit(), digit()) {
                    (Some(high), Some(low)) => u8::try_from(16 * high + low).is_ok_and(&escape),
                    _ => false,
                }
            }
            _ => plain(byte),
        };
        if !right {
            return false;
        }
    }
    true
}
