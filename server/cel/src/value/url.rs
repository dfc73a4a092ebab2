//! URLs as Go's `net/url` stores and formats them.

use std::fmt;

use super::url_parse::{UrlPart, escape, unescape};

/// A URL.
#[derive(Clone, Debug, Default)]
pub struct Url {
    pub(crate) scheme: String,
    pub(super) opaque: String,
    pub(super) user: Option<(Vec<u8>, Option<Vec<u8>>)>,
    /// Includes the port.
    pub(super) host: Vec<u8>,
    pub(super) path: Vec<u8>,
    /// The path as written, if it differs from the default encoding of the path.
    pub(super) raw_path: Option<String>,
    pub(super) raw_query: String,
    pub(super) force_query: bool,
    pub(super) fragment: Vec<u8>,
    pub(super) raw_fragment: Option<String>,
    pub(super) omit_host: bool,
}

impl Url {
    /// The scheme in lower case; empty if there is none.
    #[must_use]
    pub fn scheme(&self) -> &str {
        &self.scheme
    }

    /// Host and port.
    #[must_use]
    pub fn host(&self) -> String {
        text(&self.host)
    }

    /// Whether the URL has a user.
    #[must_use]
    pub fn has_user(&self) -> bool {
        self.user.is_some()
    }

    /// The user and the password as they are sent; empty if there is no user.
    #[must_use]
    pub fn user(&self) -> String {
        match &self.user {
            None => String::new(),
            Some((name, None)) => escape(name, UrlPart::User),
            Some((name, Some(password))) => {
                format!("{}:{}", escape(name, UrlPart::User), escape(password, UrlPart::User))
            }
        }
    }

    /// The text after the question mark, as written.
    #[must_use]
    pub fn raw_query(&self) -> &str {
        &self.raw_query
    }

    /// Whether there is text after a `#`.
    #[must_use]
    pub fn has_fragment(&self) -> bool {
        !self.fragment.is_empty()
    }

    /// The text after the `#`, without escapes.
    #[must_use]
    pub fn fragment(&self) -> String {
        text(&self.fragment)
    }

    /// The host without port and brackets.
    #[must_use]
    pub fn hostname(&self) -> String {
        text(split_port(&self.host).0)
    }

    /// The port as written; empty if there is none.
    #[must_use]
    pub fn port(&self) -> String {
        text(split_port(&self.host).1)
    }

    /// The path as it is sent.
    #[must_use]
    pub fn escaped_path(&self) -> String {
        if let Some(raw) = &self.raw_path
            && is_valid(raw, UrlPart::Path)
            && unescape(raw, UrlPart::Path).is_ok_and(|path| path == self.path)
        {
            return raw.clone();
        }
        if self.path == b"*" { "*".to_owned() } else { escape(&self.path, UrlPart::Path) }
    }

    fn escaped_fragment(&self) -> String {
        if let Some(raw) = &self.raw_fragment
            && is_valid(raw, UrlPart::Fragment)
        {
            return raw.clone();
        }
        escape(&self.fragment, UrlPart::Fragment)
    }

    /// The names and values of the query in their order; invalid parts are skipped.
    pub(crate) fn query(&self) -> Vec<(String, String)> {
        const MOST: usize = 10_000;
        if self.raw_query.matches('&').count() >= MOST {
            return vec![];
        }
        let parts = self.raw_query.split('&').filter(|part| !part.is_empty() && !part.contains(';'));
        parts
            .filter_map(|part| {
                let (key, value) = part.split_once('=').unwrap_or((part, ""));
                let key = unescape(key, UrlPart::Query).ok()?;
                Some((text(&key), text(&unescape(value, UrlPart::Query).ok()?)))
            })
            .collect()
    }
}

/// Bytes as text; invalid bytes become U+FFFD, although Go keeps them.
fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn split_port(host: &[u8]) -> (&[u8], &[u8]) {
    let colon = host.iter().rposition(|byte| *byte == b':');
    let (name, port) = match colon.and_then(|at| Some((host.get(..at)?, host.get(at + 1..)?))) {
        Some((name, port)) if port.iter().all(u8::is_ascii_digit) => (name, port),
        _ => (host, &b""[..]),
    };
    let bare = name.strip_prefix(b"[").and_then(|name| name.strip_suffix(b"]"));
    (bare.unwrap_or(name), port)
}

fn is_valid(raw: &str, part: UrlPart) -> bool {
    raw.bytes().all(|byte| b"!$&'()*+,;=:@[]%".contains(&byte) || !part.escapes(byte))
}

impl fmt::Display for Url {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut is_empty = true;
        if !self.scheme.is_empty() {
            write!(f, "{}:", self.scheme)?;
            is_empty = false;
        }
        if !self.opaque.is_empty() {
            f.write_str(&self.opaque)?;
        } else {
            let has_authority = !self.host.is_empty() || self.user.is_some();
            if has_authority || (!self.scheme.is_empty() && !self.omit_host) {
                if has_authority || !self.path.is_empty() {
                    f.write_str("//")?;
                    is_empty = false;
                }
                if self.has_user() {
                    write!(f, "{}@", self.user())?;
                }
                f.write_str(&escape(&self.host, UrlPart::Host))?;
            }
            let path = self.escaped_path();
            if !path.is_empty() && !path.starts_with('/') && !self.host.is_empty() {
                f.write_str("/")?;
            }
            if is_empty && path.split('/').next().is_some_and(|segment| segment.contains(':')) {
                f.write_str("./")?;
            }
            f.write_str(&path)?;
        }
        if self.force_query || !self.raw_query.is_empty() {
            write!(f, "?{}", self.raw_query)?;
        }
        if !self.fragment.is_empty() {
            write!(f, "#{}", self.escaped_fragment())?;
        }
        Ok(())
    }
}
