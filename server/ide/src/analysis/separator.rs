//! Lines that YAML reports as lacking a colon: no blank follows the `:` or the `-`, `=` or `;` is written for
//! `: `, or a word is alone or directly before the value.

use std::ops::Range;

use crd::Message;
use text::TextRange;
use yaml::{Document, SyntaxErrorKind};

use crate::analysis::text_at::text_of;

/// Such a line, with its parts.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Separator {
    /// `name:value`, up to the colon.
    Colon(String),
    /// `-value`.
    Dash,
    /// `name = value` or `name; value`: the name, the sign, the value, and the range between name and value.
    /// The value is empty if it is on the lines below.
    Sign(String, char, String, Range<usize>),
    /// Only a name.
    Word(String),
    /// `name value`.
    Blank(String),
}

impl Separator {
    /// Returns the separator of the line at `range` of `document`, if YAML reports there a missing colon or
    /// an indentation that matches no block.
    pub(crate) fn at(document: Document<'_>, range: TextRange) -> Option<Self> {
        let (mut lacks_colon, mut is_stray) = (false, false);
        document.syntax().for_each_error(&mut |error| {
            let is_here = error.range == range;
            lacks_colon |= error.kind == SyntaxErrorKind::MissingColon && is_here;
            is_stray |= error.kind == SyntaxErrorKind::Indentation && is_here;
        });
        let separator = (lacks_colon || is_stray).then(|| Self::of(&text_of(document.syntax(), range)))??;
        let has_no_colon = match &separator {
            Self::Word(_) | Self::Blank(_) => true,
            Self::Sign(_, _, value, _) => value.is_empty(),
            Self::Colon(_) | Self::Dash => false,
        };
        (lacks_colon || has_no_colon).then_some(separator)
    }

    pub(crate) fn of(line: &str) -> Option<Self> {
        let end = line.find(|letter: char| !is_of_name(letter)).unwrap_or(line.len());
        let (name, rest) = line.split_at(end);
        let sign = rest.trim_start().chars().next().filter(|sign| matches!(sign, '=' | ';'));
        let value = sign.and_then(|sign| rest.trim_start().strip_prefix(sign)).map(str::trim_start);
        match (rest.strip_prefix(':'), value.zip(sign)) {
            _ if line.starts_with('-') => {
                line.get(1..)?.starts_with(|next: char| next != '-').then_some(Self::Dash)
            }
            _ if name.is_empty() => None,
            // The text behind the scheme of a URL begins with a slash.
            (Some(value), _) if !value.is_empty() && !value.starts_with('/') => {
                Some(Self::Colon(format!("{name}:")))
            }
            (_, Some((value, sign))) if !value.starts_with(sign) => {
                Some(Self::Sign(name.to_owned(), sign, value.to_owned(), end..line.len() - value.len()))
            }
            _ if rest.is_empty() => Some(Self::Word(name.to_owned())),
            _ => rest.trim_start().starts_with(begins_value).then(|| Self::Blank(name.to_owned())),
        }
    }

    /// The message for it; `None` if the general message for a missing colon fits.
    pub(crate) fn message(&self) -> Option<Message> {
        Some(match self {
            Self::Colon(key) => Message::new(format!("a space is missing after `{key}`")).advise("add it"),
            Self::Dash => Message::new("a space is missing after `-`").advise("add it"),
            Self::Sign(name, sign, value, _) => {
                let value = text::start(value, 40);
                let written = format!("{name}: {value}");
                Message::new(format!("YAML writes `:` between a key and its value, not `{sign}`"))
                    .advise(format!("write `{}`", written.trim_end()))
            }
            Self::Word(_) | Self::Blank(_) => return None,
        })
    }

    /// The name before the value.
    pub(crate) fn name(&self) -> Option<&str> {
        match self {
            Self::Dash => None,
            Self::Colon(key) => key.strip_suffix(':'),
            Self::Sign(name, ..) | Self::Word(name) | Self::Blank(name) => Some(name),
        }
    }

    /// The range to replace on the line, and its replacement.
    pub(crate) fn change(&self) -> (Range<usize>, &'static str) {
        let after = |end: usize| end..end;
        match self {
            Self::Colon(key) => (after(key.len()), " "),
            Self::Dash => (after(1), " "),
            Self::Sign(_, _, value, part) => (part.clone(), if value.is_empty() { ":" } else { ": " }),
            Self::Word(name) | Self::Blank(name) => (after(name.len()), ":"),
        }
    }
}

fn begins_value(letter: char) -> bool {
    letter.is_alphanumeric() || "\"'[{|>./^".contains(letter)
}

const fn is_of_name(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '.' | '/' | '$')
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::Separator;

    #[test]
    fn a_line_is_separated_as_its_author_intended() {
        for (line, repaired) in [
            ("minimum:1", "minimum: 1"),
            ("minimum = 1", "minimum: 1"),
            ("minimum=1", "minimum: 1"),
            ("minimum; 1", "minimum: 1"),
            ("properties=", "properties:"),
            ("properties;", "properties:"),
            ("-Fast", "- Fast"),
            ("-name: a", "- name: a"),
            ("x-kubernetes-list-type", "x-kubernetes-list-type:"),
            ("description |-", "description: |-"),
            ("app.kubernetes.io/name:a", "app.kubernetes.io/name: a"),
        ] {
            let (part, new) = Separator::of(line).unwrap().change();
            let mut text = line.to_owned();
            text.replace_range(part, new);
            assert_eq!(text, repaired);
        }
        for line in ["https://example.com", "--", "a == b", "(a)", "", "ä"] {
            assert_eq!(Separator::of(line), None, "{line}");
        }
    }
}
