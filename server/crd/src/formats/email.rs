//! Email addresses, as Go's `mail.ParseAddress` accepts them: with a display name, comments, or as a group of
//! one.

use std::net::IpAddr;

/// Exactly one address.
pub(super) fn is_email(text: &str) -> bool {
    let mut reader = Reader { remaining: text };
    reader.address(true) == Some(1) && reader.skip_comments() && reader.remaining.is_empty()
}

struct Reader<'t> {
    remaining: &'t str,
}

impl<'t> Reader<'t> {
    /// Reads an address or, if `group` is set, a group; returns the number of addresses.
    fn address(&mut self, group: bool) -> Option<usize> {
        self.skip_space();
        if self.remaining.is_empty() {
            return None;
        }
        let start = self.remaining;
        if self.bare_address() {
            self.skip_space();
            return (!self.take('(') || self.name_comment()).then_some(1);
        }
        self.remaining = start;
        if !self.remaining.starts_with('<') && !self.phrase() {
            return None;
        }
        self.skip_space();
        if group && self.take(':') {
            return self.group();
        }
        (self.take('<') && self.bare_address() && self.take('>')).then_some(1)
    }

    /// The addresses of a group, up to its `;`.
    fn group(&mut self) -> Option<usize> {
        self.skip_space();
        let mut count = 0;
        if self.take(';') {
            return self.skip_comments().then_some(count);
        }
        loop {
            self.skip_space();
            count += self.address(false)?;
            if !self.skip_comments() {
                return None;
            }
            if self.take(';') {
                return self.skip_comments().then_some(count);
            }
            if !self.take(',') {
                return None;
            }
        }
    }

    /// `local@domain`
    fn bare_address(&mut self) -> bool {
        self.skip_space();
        let local = match self.remaining.starts_with('"') {
            true => self.quoted().is_some_and(|text| !text.is_empty()),
            false => self.atom().is_some_and(is_dotted),
        };
        if !local || !self.take('@') {
            return false;
        }
        self.skip_space();
        match self.take('[') {
            true => self.literal(),
            false => self.atom().is_some_and(is_dotted),
        }
    }

    /// An IP address up to `]`.
    fn literal(&mut self) -> bool {
        let Some((address, rest)) = self.remaining.split_once(']') else { return false };
        self.remaining = rest;
        address.parse::<IpAddr>().is_ok()
    }

    /// One word or more, quoted or not.
    fn phrase(&mut self) -> bool {
        let mut words = 0;
        loop {
            if words > 0 && !self.skip_comments() {
                return false;
            }
            self.skip_space();
            if self.remaining.is_empty() {
                break;
            }
            let word = match self.remaining.starts_with('"') {
                true => self.quoted().is_some(),
                false => self.atom().is_some_and(|word| !is_of_unknown_charset(word)),
            };
            if !word {
                break;
            }
            words += 1;
        }
        words > 0
    }

    /// Reads the text between quotes; does not advance if the closing quote is missing.
    fn quoted(&mut self) -> Option<&'t str> {
        let inner = self.remaining.strip_prefix('"')?;
        let mut escaped = false;
        for (at, c) in inner.char_indices() {
            let is_text = matches!(c, ' ' | '\t') || is_visible(c);
            match c {
                '"' if !escaped => {
                    self.remaining = inner.get(at + 1..)?;
                    return inner.get(..at);
                }
                '\\' if !escaped => escaped = true,
                _ if is_text => escaped = false,
                _ => return None,
            }
        }
        None
    }

    fn atom(&mut self) -> Option<&'t str> {
        let is_part = |c: char| is_visible(c) && !"()<>[]:;@\\,\"".contains(c);
        let rest = self.remaining.trim_start_matches(is_part);
        let atom = self.remaining.get(..self.remaining.len() - rest.len())?;
        self.remaining = rest;
        (!atom.is_empty()).then_some(atom)
    }

    /// A comment after a bare address, after its `(`: its words are a name.
    fn name_comment(&mut self) -> bool {
        let start = self.remaining;
        let closed = self.comment();
        let comment = start.get(..start.len() - self.remaining.len()).unwrap_or_default();
        let comment = comment.strip_suffix(')').unwrap_or(comment);
        closed && !comment.split([' ', '\t']).any(is_of_unknown_charset)
    }

    fn skip_comments(&mut self) -> bool {
        self.skip_space();
        while self.take('(') {
            if !self.comment() {
                return false;
            }
            self.skip_space();
        }
        true
    }

    /// Skips a comment after its `(`; returns whether it is closed.
    fn comment(&mut self) -> bool {
        let mut depth = 1;
        let mut chars = self.remaining.chars();
        while let Some(c) = chars.next() {
            match c {
                '\\' => {
                    chars.next();
                }
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                break;
            }
        }
        self.remaining = chars.as_str();
        depth == 0
    }

    fn skip_space(&mut self) {
        self.remaining = self.remaining.trim_start_matches([' ', '\t']);
    }

    fn take(&mut self, c: char) -> bool {
        match self.remaining.strip_prefix(c) {
            Some(rest) => {
                self.remaining = rest;
                true
            }
            None => false,
        }
    }
}

fn is_dotted(atom: &str) -> bool {
    !atom.starts_with('.') && !atom.ends_with('.') && !atom.contains("..")
}

fn is_visible(c: char) -> bool {
    matches!(c, '!'..='~') || !c.is_ascii()
}

/// Whether a word is encoded (`=?charset?q?text?=`) in a charset that Go does not support, so that Go rejects
/// it.
fn is_of_unknown_charset(word: &str) -> bool {
    let inner = word.strip_prefix("=?").and_then(|rest| rest.strip_suffix("?="));
    let mut parts = inner.unwrap_or_default().splitn(3, '?');
    let (Some(charset), Some(encoding), Some(_)) = (parts.next(), parts.next(), parts.next()) else {
        return false;
    };
    let known = ["utf-8", "iso-8859-1", "us-ascii"];
    !charset.is_empty()
        && matches!(encoding, "q" | "Q" | "b" | "B")
        && !known.iter().any(|known| charset.eq_ignore_ascii_case(known))
}
