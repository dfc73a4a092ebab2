//! Parses URLs as Go's `net/url` does, with its error texts.

use std::fmt::Write;

use super::ip::parse_address;
use super::{EvalError, Outcome, Url, quote};

/// The parts of a URL, in which different characters are escaped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum UrlPart {
    Path,
    Host,
    Zone,
    User,
    Query,
    Fragment,
}

impl UrlPart {
    pub(super) fn escapes(self, byte: u8) -> bool {
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
            return false;
        }
        match self {
            Self::Host | Self::Zone => !b"!$&'()*+,;=:[]<>\"".contains(&byte),
            Self::Path => !b"$&+,/:;=@".contains(&byte),
            Self::User => !b"$&+,;=".contains(&byte),
            Self::Query => true,
            Self::Fragment => !b"$&+,/:;=?@!()*".contains(&byte),
        }
    }
}

/// The bytes of an escaped text, or the error.
pub(super) fn unescape(text: &str, part: UrlPart) -> Result<Vec<u8>, String> {
    let mut out = Vec::with_capacity(text.len());
    let bytes = text.as_bytes();
    let in_host = matches!(part, UrlPart::Host | UrlPart::Zone);
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'%' => {
                let digits = bytes.get(at + 1..at + 3).and_then(|two| std::str::from_utf8(two).ok());
                let digits = digits.filter(|two| two.bytes().all(|byte| byte.is_ascii_hexdigit()));
                let value = digits.and_then(|two| u8::from_str_radix(two, 16).ok());
                let is_percent = digits == Some("25");
                let value = value.filter(|value| match part {
                    UrlPart::Host => *value >= 0x80 || is_percent,
                    UrlPart::Zone => is_percent || *value == b' ' || !UrlPart::Host.escapes(*value),
                    _ => true,
                });
                let Some(value) = value else {
                    let sequence = bytes.get(at..(at + 3).min(bytes.len())).unwrap_or_default();
                    return Err(format!("invalid URL escape {}", super::go_text::quote_bytes(sequence)));
                };
                out.push(value);
                at += 3;
                continue;
            }
            b'+' if part == UrlPart::Query => out.push(b' '),
            byte if in_host && byte.is_ascii() && part.escapes(*byte) => {
                let c = char::from(*byte).to_string();
                return Err(format!("invalid character {} in host name", quote(&c)));
            }
            byte => out.push(*byte),
        }
        at += 1;
    }
    Ok(out)
}

pub(super) fn escape(bytes: &[u8], part: UrlPart) -> String {
    let mut out = String::with_capacity(bytes.len());
    for byte in bytes {
        if part.escapes(*byte) {
            let _ = write!(out, "%{byte:02X}");
        } else {
            out.push(char::from(*byte));
        }
    }
    out
}

/// Go's error for `text`.
fn wrong(text: &str, why: String) -> String {
    format!("parse {}: {why}", quote(text))
}

impl Url {
    /// Parses a URL as `url()` does: an absolute URI, or an absolute path.
    pub(crate) fn parse(text: &str) -> Outcome<Self> {
        let url = Self::read_request_uri(text).and_then(|_| Self::read(text));
        url.map_err(|why| EvalError::new(format!("URL parse error during conversion from string: {why}")))
    }

    /// `url.Parse`.
    ///
    /// # Errors
    /// Go's error if it rejects `text`.
    pub fn read(text: &str) -> Result<Self, String> {
        let (rest, fragment) = text.split_once('#').unwrap_or((text, ""));
        let mut url = parse(rest, false).map_err(|why| wrong(rest, why))?;
        if !fragment.is_empty() {
            url.fragment = unescape(fragment, UrlPart::Fragment).map_err(|why| wrong(text, why))?;
            let is_plain = escape(&url.fragment, UrlPart::Fragment) == fragment;
            url.raw_fragment = (!is_plain).then(|| fragment.to_owned());
        }
        Ok(url)
    }

    /// `url.ParseRequestURI`: an absolute URI or an absolute path, without a fragment.
    ///
    /// # Errors
    /// Go's error if it rejects `text`.
    pub fn read_request_uri(text: &str) -> Result<Self, String> {
        parse(text, true).map_err(|why| wrong(text, why))
    }
}

fn parse(text: &str, via_request: bool) -> Result<Url, String> {
    if text.bytes().any(|byte| byte < b' ' || byte == 0x7f) {
        return Err("net/url: invalid control character in URL".to_owned());
    }
    if text.is_empty() && via_request {
        return Err("empty url".to_owned());
    }
    let mut url = Url::default();
    if text == "*" {
        url.path = b"*".to_vec();
        return Ok(url);
    }
    let (scheme, mut rest) = split_scheme(text)?;
    url.scheme = scheme.to_ascii_lowercase();
    if rest.ends_with('?') && rest.matches('?').count() == 1 {
        url.force_query = true;
        rest = rest.strip_suffix('?').unwrap_or(rest);
    } else if let Some((path, query)) = rest.split_once('?') {
        rest = path;
        url.raw_query = query.to_owned();
    }
    if !rest.starts_with('/') {
        if !url.scheme.is_empty() {
            url.opaque = rest.to_owned();
            return Ok(url);
        }
        if via_request {
            return Err("invalid URI for request".to_owned());
        }
        if rest.split('/').next().is_some_and(|segment| segment.contains(':')) {
            return Err("first path segment in URL cannot contain colon".to_owned());
        }
    }
    let may_have_host = !url.scheme.is_empty() || (!via_request && !rest.starts_with("///"));
    if let Some(following) = rest.strip_prefix("//").filter(|_| may_have_host) {
        let end = following.find('/').unwrap_or(following.len());
        let (authority, path) = following.split_at_checked(end).unwrap_or((following, ""));
        rest = path;
        parse_authority(&mut url, authority)?;
    } else if !url.scheme.is_empty() && rest.starts_with('/') {
        url.omit_host = true;
    }
    url.path = unescape(rest, UrlPart::Path)?;
    let is_plain = escape(&url.path, UrlPart::Path) == rest;
    url.raw_path = (!is_plain).then(|| rest.to_owned());
    Ok(url)
}

fn split_scheme(text: &str) -> Result<(&str, &str), String> {
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' => {}
            b'0'..=b'9' | b'+' | b'-' | b'.' if at > 0 => {}
            b':' if at == 0 => return Err("missing protocol scheme".to_owned()),
            b':' => return Ok(text.split_once(':').unwrap_or(("", text))),
            _ => break,
        }
    }
    Ok(("", text))
}

fn parse_authority(url: &mut Url, authority: &str) -> Result<(), String> {
    let (user, host) = match authority.rsplit_once('@') {
        Some((user, host)) => (Some(user), host),
        None => (None, authority),
    };
    url.host = parse_host(&url.scheme, host)?;
    let Some(user) = user else { return Ok(()) };
    let is_valid = |byte: u8| byte.is_ascii_alphanumeric() || b"-._:~!$&'()*+,;=%@".contains(&byte);
    if !user.bytes().all(is_valid) {
        return Err("net/url: invalid userinfo".to_owned());
    }
    url.user = Some(match user.split_once(':') {
        Some((name, password)) => (unescape(name, UrlPart::User)?, Some(unescape(password, UrlPart::User)?)),
        None => (unescape(user, UrlPart::User)?, None),
    });
    Ok(())
}

fn parse_host(scheme: &str, host: &str) -> Result<Vec<u8>, String> {
    match host.rfind('[') {
        Some(0) => return parse_literal(host),
        Some(_) => return Err("invalid IP-literal".to_owned()),
        None => {}
    }
    if let Some(first) = host.find(':') {
        let is_http = matches!(scheme, "http" | "https");
        let at = if is_http { first } else { host.rfind(':').unwrap_or(first) };
        check_port(host.get(at..).unwrap_or_default())?;
    }
    unescape(host, UrlPart::Host)
}

/// `[::1]:80`
fn parse_literal(host: &str) -> Result<Vec<u8>, String> {
    let (inside, port) = host
        .strip_prefix('[')
        .and_then(|host| host.rsplit_once(']'))
        .ok_or_else(|| "missing ']' in host".to_owned())?;
    check_port(port)?;
    let mut address = match inside.find("%25").and_then(|at| inside.split_at_checked(at)) {
        Some((address, zone)) => {
            let mut address = unescape(address, UrlPart::Host)?;
            address.extend(unescape(zone, UrlPart::Zone)?);
            address
        }
        None => unescape(inside, UrlPart::Host)?,
    };
    let text = String::from_utf8_lossy(&address);
    let (parsed, _) = parse_address(&text).map_err(|why| format!("invalid host: {why}"))?;
    if parsed.is_ipv4() {
        return Err("invalid IP-literal".to_owned());
    }
    address.insert(0, b'[');
    address.push(b']');
    address.extend(unescape(port, UrlPart::Host)?);
    Ok(address)
}

fn check_port(port: &str) -> Result<(), String> {
    let digits = port.strip_prefix(':');
    let is_port = port.is_empty() || digits.is_some_and(|digits| digits.bytes().all(|b| b.is_ascii_digit()));
    if is_port { Ok(()) } else { Err(format!("invalid port {} after host", quote(port))) }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn error(text: &str) -> String {
        Url::read(text).err().unwrap_or_default()
    }

    #[test]
    fn the_parts_of_urls_are_those_of_go() {
        let url = Url::read("HTTPS://user:pw@example.com:8443/path?query#fragment").unwrap();
        assert_eq!((url.scheme(), url.host().as_str(), url.has_user()), ("https", "example.com:8443", true));
        assert_eq!((url.raw_query(), url.fragment.as_slice()), ("query", &b"fragment"[..]));
        assert_eq!(Url::read("https:example.com").unwrap().host(), "");
        assert_eq!(Url::read("https://[::1%25eth0]:80/").unwrap().host(), "[::1%eth0]:80");
        assert_eq!(Url::read("https://h/?").unwrap().raw_query(), "");
    }

    #[test]
    fn the_errors_of_urls_are_those_of_go() {
        assert_eq!(
            error("https://example.com:x/"),
            "parse \"https://example.com:x/\": invalid port \":x\" after host"
        );
        assert_eq!(error("://a"), "parse \"://a\": missing protocol scheme");
        assert_eq!(error("https://a b/"), "parse \"https://a b/\": invalid character \" \" in host name");
        assert_eq!(error("https://a/%zz"), "parse \"https://a/%zz\": invalid URL escape \"%zz\"");
        assert_eq!(error("a:80/x y"), "");
        assert_eq!(error("1a:80"), "parse \"1a:80\": first path segment in URL cannot contain colon");
        assert_eq!(error("https://[::1"), "parse \"https://[::1\": missing ']' in host");
        assert_eq!(
            error("https://a\n/"),
            "parse \"https://a\\n/\": net/url: invalid control character in URL"
        );
    }

    #[test]
    fn request_uris_are_absolute() {
        assert!(Url::read_request_uri("https://github.com/x/pull/1").is_ok());
        assert_eq!(
            Url::read_request_uri("pull/1").err().unwrap(),
            "parse \"pull/1\": invalid URI for request"
        );
        assert_eq!(Url::read_request_uri("//host/x").unwrap().host(), "");
    }
}
