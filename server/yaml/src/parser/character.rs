//! Characters that YAML does not allow, or that only go-yaml treats as line breaks.

use super::{OpenNode, Parser};
use crate::syntax::{SyntaxErrorKind, SyntaxKind};

impl Parser<'_> {
    /// Reports the first invalid character of the token from `start` to `end`.
    pub(super) fn characters(&mut self, open: &OpenNode, kind: SyntaxKind, start: usize, end: usize) {
        let text = self.bytes.get(start..end).unwrap_or_default();
        let usual = |byte: u8| (0x20..0x7F).contains(&byte) || matches!(byte, b'\t' | b'\n' | b'\r');
        // Without an early exit, the compiler can process many bytes at once.
        if kind == SyntaxKind::Whitespace || !text.iter().fold(false, |odd, &byte| odd | !usual(byte)) {
            return;
        }
        let quoted = matches!(kind, SyntaxKind::SingleQuoted | SyntaxKind::DoubleQuoted);
        let text = self.src.get(start..end).unwrap_or_default();
        let wrong = text.char_indices().find_map(|(at, character)| {
            let kind = match character {
                '\u{85}' | '\u{2028}' | '\u{2029}' if quoted => return None,
                '\u{85}' | '\u{2028}' | '\u{2029}' => SyntaxErrorKind::UnicodeBreak,
                other if is_printable(other) => return None,
                _ => SyntaxErrorKind::ControlCharacter,
            };
            Some((kind, start + at, start + at + character.len_utf8()))
        });
        if let Some((kind, start, end)) = wrong {
            self.error(open, kind, start, end);
        }
    }
}

/// Whether go-yaml reads `character`; these are almost the characters that YAML calls printable.
fn is_printable(character: char) -> bool {
    matches!(character, '\t' | '\n' | '\r' | ' '..='~' | '\u{A0}'..='\u{D7FF}' | '\u{E000}'..='\u{FFFD}' | '\u{10000}'..)
}
