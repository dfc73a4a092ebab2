//! Positions in the text of a marker.

use std::ops::Range;

use crate::marker::{Argument, Quote, QuotedValue};
use crate::strings;

/// The text of a marker, starting with its `+`.
#[derive(Clone, Copy)]
pub(super) struct MarkerText<'w> {
    pub(super) text: &'w str,
    /// The arguments of the marker.
    pub(super) arguments: &'static [Argument],
}

impl<'w> MarkerText<'w> {
    pub(super) fn slice(&self, range: Range<usize>) -> &'w str {
        self.text.get(range).unwrap_or("")
    }

    /// The end of the text, without trailing blanks.
    pub(super) fn end(&self) -> usize {
        self.text.trim_end().len()
    }

    /// The argument whose value contains a position, and the start of the value.
    pub(super) fn argument_at(&self, at: usize) -> Option<(&'static Argument, usize)> {
        let name = self.text.find('=')?;
        let equals =
            self.outside_quotes(name).take_while(|(place, _)| *place < at).filter(|(_, ch)| *ch == '=');
        let named = equals.filter_map(|(equals, _)| {
            let before = self.slice(0..equals).trim_end();
            let begins = before.rfind(|ch: char| !ch.is_alphanumeric() && ch != '_').map_or(0, |at| at + 1);
            let argument =
                self.arguments.iter().find(|argument| before.get(begins..) == Some(argument.name))?;
            let value = self.slice(equals + 1..self.text.len());
            Some((argument, equals + 1 + (value.len() - value.trim_start().len())))
        });
        named.last()
    }

    /// The intended end of the value that starts at `from`: before the next argument, or at the end of the marker.
    pub(super) fn intended_end(&self, from: usize) -> usize {
        let rest = self.slice(from..self.end());
        let next = rest.match_indices(',').find(|(at, _)| self.names_argument(from + at + 1));
        next.map_or(self.end(), |(at, _)| from + rest.get(..at).unwrap_or("").trim_end().len())
    }

    /// Whether an argument of the marker starts at a position, after blanks.
    pub(super) fn names_argument(&self, at: usize) -> bool {
        let rest = self.slice(at..self.text.len()).trim_start();
        self.arguments.iter().any(|argument| {
            rest.strip_prefix(argument.name).is_some_and(|after| after.trim_start().starts_with('='))
        })
    }

    /// Whether a value is a complete text in quotes.
    pub(super) fn is_quoted(&self, start: usize, end: usize) -> bool {
        let value = QuotedValue::read(self.slice(start..end).trim_end());
        value.quote != Quote::Bare && value.is_closed
    }

    /// The range of the value from `start` on, and the value in quotes.
    pub(super) fn quoted(&self, start: usize) -> (Range<usize>, String) {
        let range = start..self.intended_end(start);
        let written = self.slice(range.clone());
        let in_single = written.strip_prefix('\'').and_then(|inner| inner.strip_suffix('\''));
        let in_double =
            written.strip_prefix('"').map_or(written, |inner| inner.strip_suffix('"').unwrap_or(inner));
        let inner = in_single.filter(|inner| !inner.contains('\'')).unwrap_or(in_double);
        let quoted = if inner.contains('`') { strings::quoted(inner) } else { format!("`{inner}`") };
        (range, quoted)
    }

    /// The characters from `from` on that are outside of quotes.
    pub(super) fn outside_quotes(&self, from: usize) -> impl Iterator<Item = (usize, char)> {
        let mut quote = None;
        let mut is_escaped = false;
        self.slice(from..self.end()).char_indices().filter_map(move |(at, ch)| {
            let was_escaped = is_escaped;
            is_escaped = quote == Some('"') && ch == '\\' && !was_escaped;
            match quote {
                Some(open) if ch == open && !was_escaped => quote = None,
                Some(_) => return None,
                None if matches!(ch, '"' | '`') => quote = Some(ch),
                None => return Some((from + at, ch)),
            }
            None
        })
    }

    /// The open braces at a position, the outermost first.
    pub(super) fn open_braces(&self, at: usize) -> Vec<usize> {
        let value = self.text.find('=').unwrap_or(self.text.len());
        let mut open = Vec::new();
        for (at, ch) in self.outside_quotes(value).take_while(|(place, _)| *place < at) {
            match ch {
                '{' => open.push(at),
                '}' => drop(open.pop()),
                _ => {}
            }
        }
        open
    }
}

/// The escapes of a text in double quotes, each with its position.
pub(super) fn escapes(written: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(next) = written.get(at..).and_then(|rest| rest.find('\\')) {
        let start = at + next;
        let len = written.get(start + 1..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
        at = start + 1 + len;
        found.push((start, written.get(start..at).unwrap_or("\\")));
    }
    found
}

/// Whether Go supports an escape. Ignores the number of its digits.
pub(super) fn is_escape(escape: &str) -> bool {
    escape.chars().nth(1).is_some_and(|ch| "abfnrtv\\\"01234567xuU".contains(ch))
}
