//! URLs as Go's `net/url` reads them, with its error texts.

use std::net::Ipv6Addr;

use yaml::scalar::go_quote;

/// The parts of a URL that the server asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Url {
    /// In lower case.
    pub(super) scheme: String,
    pub(super) host: String,
    pub(super) has_user: bool,
    pub(super) query: String,
    pub(super) fragment: String,
}

/// What a percent sign may stand for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Host,
    Zone,
    Other,
}

impl Url {
    /// `url.Parse`; the error is Go's text.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let (before, fragment) = text.split_once('#').unwrap_or((text, ""));
        let wrap = |url: &str, error: String| format!("parse {}: {error}", go_quote(url));
        let mut url = Self::read(before, false).map_err(|error| wrap(before, error))?;
        unescape(fragment, Part::Other).map_err(|error| wrap(text, error))?;
        url.fragment = fragment.to_owned();
        Ok(url)
    }

    /// `url.ParseRequestURI`: an absolute path or URL, without a fragment.
    pub(super) fn parse_request_uri(text: &str) -> Result<Self, String> {
        Self::read(text, true)
    }

    fn read(text: &str, via_request: bool) -> Result<Self, String> {
        if text.bytes().any(|byte| byte < b' ' || byte == 0x7F) {
            return Err("net/url: invalid control character in URL".to_owned());
        }
        if text.is_empty() && via_request {
            return Err("empty url".to_owned());
        }
        let mut url = Self::default();
        if text == "*" {
            return Ok(url);
        }
        let (scheme, rest) = split_scheme(text)?;
        url.scheme = scheme.to_lowercase();
        let mut rest = rest;
        match rest.strip_suffix('?').filter(|before| !before.contains('?')) {
            Some(before) => rest = before,
            None => {
                if let Some((before, query)) = rest.split_once('?') {
                    url.query = query.to_owned();
                    rest = before;
                }
            }
        }
        if !rest.starts_with('/') {
            if !url.scheme.is_empty() {
                return Ok(url);
            }
            if via_request {
                return Err("invalid URI for request".to_owned());
            }
            if rest.split('/').next().is_some_and(|segment| segment.contains(':')) {
                return Err("first path segment in URL cannot contain colon".to_owned());
            }
        }
        let may_have_host = !url.scheme.is_empty() || !via_request && !rest.starts_with("///");
        if let Some(authority) = rest.strip_prefix("//").filter(|_| may_have_host) {
            let end = authority.find('/').unwrap_or(authority.len());
            let (authority, path) = authority.split_at_checked(end).unwrap_or((authority, ""));
            url.authority(authority)?;
            rest = path;
        }
        unescape(rest, Part::Other)?;
        Ok(url)
    }

    fn authority(&mut self, authority: &str) -> Result<(), String> {
        let (user, host) = match authority.rsplit_once('@') {
            Some((user, host)) => (Some(user), host),
            None => (None, authority),
        };
        self.host = read_host(&self.scheme, host)?;
        let Some(user) = user else { return Ok(()) };
        let is_valid =
            |character: char| character.is_ascii_alphanumeric() || "-._:~!$&'()*+,;=%@".contains(character);
        if !user.chars().all(is_valid) {
            return Err("net/url: invalid userinfo".to_owned());
        }
        for part in user.splitn(2, ':') {
            unescape(part, Part::Other)?;
        }
        self.has_user = true;
        Ok(())
    }
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

fn read_host(scheme: &str, host: &str) -> Result<String, String> {
    match host.rfind('[') {
        Some(0) => return read_literal(host),
        Some(_) => return Err("invalid IP-literal".to_owned()),
        None => {}
    }
    if let (Some(first), Some(last)) = (host.find(':'), host.rfind(':')) {
        // Other schemes may list several hosts with their ports.
        let colon = if matches!(scheme, "http" | "https") { first } else { last };
        check_port(host.get(colon..).unwrap_or_default())?;
    }
    unescape(host, Part::Host)
}

/// An address in brackets, perhaps with a zone, and perhaps a port behind it.
fn read_literal(host: &str) -> Result<String, String> {
    let (inner, port) = host.rsplit_once(']').ok_or("missing ']' in host")?;
    check_port(port)?;
    let port = unescape(port, Part::Host)?;
    let inner = inner.strip_prefix('[').unwrap_or(inner);
    let address = match inner.find("%25").and_then(|at| inner.split_at_checked(at)) {
        Some((address, zone)) => unescape(address, Part::Host)? + &unescape(zone, Part::Zone)?,
        None => unescape(inner, Part::Host)?,
    };
    let (bare, zone) =
        address.split_once('%').map_or((address.as_str(), None), |(bare, zone)| (bare, Some(zone)));
    if zone == Some("") {
        return Err(format!(
            "invalid host: ParseAddr({}): zone must be a non-empty string",
            go_quote(&address)
        ));
    }
    if bare.parse::<std::net::Ipv4Addr>().is_ok() {
        return Err("invalid IP-literal".to_owned());
    }
    if bare.parse::<Ipv6Addr>().is_err() {
        return Err(format!("invalid host: ParseAddr({}): unable to parse IP", go_quote(&address)));
    }
    Ok(format!("[{address}]{port}"))
}

fn check_port(port: &str) -> Result<(), String> {
    let is_valid = port.is_empty()
        || port.strip_prefix(':').is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()));
    if is_valid { Ok(()) } else { Err(format!("invalid port {} after host", go_quote(port))) }
}

/// `unescape`, as far as its result matters: bytes that are no UTF-8 are replaced.
fn unescape(text: &str, part: Part) -> Result<String, String> {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        if byte != b'%' {
            if part != Part::Other && byte < 0x80 && !may_stand_in_host(byte) {
                let character = go_quote(&char::from(byte).to_string());
                return Err(format!("invalid character {character} in host name"));
            }
            out.push(byte);
            at += 1;
            continue;
        }
        let escape = bytes.get(at..).unwrap_or_default();
        let escape = escape.get(..3).unwrap_or(escape);
        let value = match escape {
            [_, high, low] => hexadecimal(*high).zip(hexadecimal(*low)).map(|(high, low)| high << 4 | low),
            _ => None,
        };
        let refused = |value: u8| match part {
            Part::Host => value < 0x80 && escape != b"%25",
            Part::Zone => escape != b"%25" && value != b' ' && !may_stand_in_host(value),
            Part::Other => false,
        };
        match value.filter(|value| !refused(*value)) {
            Some(value) => out.push(value),
            None => {
                let escape = go_quote(&String::from_utf8_lossy(escape));
                return Err(format!("invalid URL escape {escape}"));
            }
        }
        at += 3;
    }
    Ok(String::from_utf8_lossy(&out).into_owned())
}

fn hexadecimal(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok())
}

fn may_stand_in_host(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-_.~!$&'()*+,;=:[]<>\"".contains(&byte)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn error(text: &str) -> String {
        Url::parse(text).err().unwrap_or_default()
    }

    #[test]
    fn parts_are_go_s() {
        let url = Url::parse("HTTPS://user:pw@example.com:8443/path?query#fragment").unwrap();
        assert_eq!(
            (url.scheme.as_str(), url.host.as_str(), url.has_user),
            ("https", "example.com:8443", true)
        );
        assert_eq!((url.query.as_str(), url.fragment.as_str()), ("query", "fragment"));
        assert_eq!(Url::parse("https:example.com").unwrap().host, "");
        assert_eq!(Url::parse("https://[::1%25eth0]:80/").unwrap().host, "[::1%eth0]:80");
        assert_eq!(Url::parse("https://h/?").unwrap().query, "");
    }

    #[test]
    fn errors_are_go_s() {
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
    fn requests_are_absolute() {
        assert!(Url::parse_request_uri("https://github.com/x/pull/1").is_ok());
        assert_eq!(Url::parse_request_uri("pull/1").err().unwrap(), "invalid URI for request");
        assert_eq!(Url::parse_request_uri("//host/x").unwrap().host, "");
    }
}
