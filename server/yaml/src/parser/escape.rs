//! Escapes in double quotes that YAML or go-yaml does not define.

use super::{OpenNode, Parser};
use crate::syntax::SyntaxErrorKind;

impl Parser<'_> {
    /// Reports the invalid escapes of the double-quoted scalar from `start` to `end`.
    pub(super) fn escapes(&mut self, open: &OpenNode, start: usize, end: usize) {
        let mut at = start;
        loop {
            let rest = self.bytes.get(at..end).unwrap_or_default();
            let Some(found) = memchr::memchr(b'\\', rest) else { return };
            at += found;
            let digits = match self.bytes.get(at + 1) {
                Some(b'x') => 2,
                Some(b'u') => 4,
                Some(b'U') => 8,
                _ => 0,
            };
            let escape = self.src.get(at + 1..end).and_then(|rest| rest.chars().next());
            let mut escape_end = at + 1 + escape.map_or(0, char::len_utf8);
            let error = match escape {
                _ if digits > 0 => {
                    let (read, error) = self.code(escape_end, digits);
                    escape_end += read;
                    error
                }
                Some(letter) => wrong_letter(letter),
                None => None,
            };
            if let Some(kind) = error {
                self.error(open, kind, at, escape_end);
            }
            at = escape_end.max(at + 1);
        }
    }

    /// How many of `digits` hexadecimal digits are at `pos`, and the error, if any.
    fn code(&self, pos: usize, digits: usize) -> (usize, Option<SyntaxErrorKind>) {
        let text = self.bytes.get(pos..).unwrap_or_default();
        let read = text.iter().take(digits).take_while(|byte| byte.is_ascii_hexdigit()).count();
        if read < digits {
            return (read, Some(SyntaxErrorKind::EscapeDigits));
        }
        let code = self.src.get(pos..pos + read).and_then(|code| u32::from_str_radix(code, 16).ok());
        let error = code.and_then(char::from_u32).is_none().then_some(SyntaxErrorKind::EscapeCharacter);
        (read, error)
    }
}

/// The error of `\` followed by `letter`. For go-yaml, NEL, LS and PS are line breaks, as in YAML 1.1.
fn wrong_letter(letter: char) -> Option<SyntaxErrorKind> {
    match letter {
        '0' | 'a' | 'b' | 't' | '\t' | 'n' | 'v' | 'f' | 'r' | 'e' | ' ' | '"' | '\\' | 'N' | '_' | 'L'
        | 'P' | '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}' => None,
        '/' => Some(SyntaxErrorKind::SlashEscape),
        '\'' => Some(SyntaxErrorKind::QuoteEscape),
        _ => Some(SyntaxErrorKind::UnknownEscape),
    }
}
