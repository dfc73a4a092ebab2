//! Anchors and tags.

use super::directive::is_word;
use super::{OpenNode, Parser};
use crate::syntax::{SyntaxErrorKind, SyntaxKind};
use crate::tags::handle_len;

/// The properties of a value found so far.
#[derive(Clone, Copy, Default)]
pub(super) struct SeenProperties {
    anchor: bool,
    tag: bool,
}

impl SeenProperties {
    pub(super) fn any(self) -> bool {
        self.anchor || self.tag
    }
}

/// The anchors and tags before a value.
pub(super) struct SkippedProperties {
    /// Their end.
    pub(super) end: usize,
    /// The position of the text after them.
    pub(super) next: usize,
}

impl Parser<'_> {
    /// Skips anchors and tags from `pos` on, at most one line.
    pub(super) fn skip_properties(&mut self, pos: usize, flow: bool) -> SkippedProperties {
        let (mut end, mut next) = (pos, pos);
        while matches!(self.byte(next), Some(b'&' | b'!')) {
            end = self.property_end(next, flow);
            next = self.skip_blanks(end);
            if next == end {
                break;
            }
        }
        SkippedProperties { end, next }
    }

    fn property_end(&mut self, pos: usize, flow: bool) -> usize {
        if self.byte(pos) == Some(b'&') {
            return self.name_end(pos + 1);
        }
        if self.byte(pos + 1) == Some(b'<') {
            let line_end = self.line_end(pos);
            let rest = self.bytes.get(pos..line_end).unwrap_or_default();
            return memchr::memchr(b'>', rest).map_or(line_end, |at| pos + at + 1);
        }
        let mut end = pos + 1;
        let indicator = |byte| matches!(byte, Some(b',' | b'[' | b']' | b'{' | b'}'));
        while !self.blank_at(end) && (!flow || !indicator(self.byte(end))) {
            end += 1;
        }
        self.touch(end + 1);
        end
    }

    /// The anchors and tags at `pos` as tokens.
    pub(super) fn properties(
        &mut self,
        open: &OpenNode,
        pos: usize,
        flow: bool,
        seen: &mut SeenProperties,
    ) -> usize {
        let properties_end = self.skip_properties(pos, flow).end;
        let mut at = pos;
        while at < properties_end {
            let end = self.property_end(at, flow);
            let anchor = self.byte(at) == Some(b'&');
            let before = std::mem::replace(if anchor { &mut seen.anchor } else { &mut seen.tag }, true);
            if before {
                self.error(open, SyntaxErrorKind::RepeatedProperty, at, end);
            }
            if anchor {
                self.anchor_or_alias(open, SyntaxKind::Anchor, at, end);
            } else {
                self.tag(open, at, end, flow);
            }
            at = self.skip_blanks(end).min(properties_end).max(end);
            self.trivia(open, end, at);
        }
        properties_end
    }

    /// An anchor or alias.
    pub(super) fn anchor_or_alias(&mut self, open: &OpenNode, kind: SyntaxKind, pos: usize, end: usize) {
        let name = self.bytes.get(pos + 1..end).unwrap_or_default();
        if name.is_empty() {
            self.error(open, SyntaxErrorKind::MissingName, pos, end);
        } else if let Some(wrong) = name.iter().position(|&byte| !is_word(byte)) {
            let at = pos + 1 + wrong;
            let cut = wrong > 0 && matches!(self.byte(at), Some(b':' | b'?')) && !self.blank_at(at + 1);
            let kind = if cut { SyntaxErrorKind::AnchorCut } else { SyntaxErrorKind::AnchorName };
            self.error(open, kind, at, end);
        }
        self.token(open, kind, pos, end);
    }

    fn tag(&mut self, open: &OpenNode, pos: usize, end: usize, flow: bool) {
        if let Some((kind, start, end)) = self.tag_problem(open, pos, end, flow) {
            self.error(open, kind, start, end);
        }
        self.token(open, SyntaxKind::Tag, pos, end);
    }

    /// The fault of the tag from `pos` to `end`, and its range.
    fn tag_problem(
        &mut self,
        open: &OpenNode,
        pos: usize,
        end: usize,
        flow: bool,
    ) -> Option<(SyntaxErrorKind, usize, usize)> {
        let text = self.bytes.get(pos + 1..end).unwrap_or_default();
        let indicator = matches!(self.byte(end), Some(b',' | b'[' | b']' | b'{' | b'}'));
        if text.first() == Some(&b'<') {
            let Some(b'>') = text.last() else { return Some((SyntaxErrorKind::UnclosedTag, pos, end)) };
            if let Some((kind, wrong)) = uri_problem(text.get(1..text.len() - 1).unwrap_or_default()) {
                return Some((kind, pos + 2 + wrong, pos + 3 + wrong));
            }
            if text.len() == 2 {
                return Some((SyntaxErrorKind::EmptyTag, pos, end));
            }
            return match self.blank_at(end) {
                true => None,
                false if flow && indicator => Some((SyntaxErrorKind::FlowTag, end, end + 1)),
                false => Some((SyntaxErrorKind::TagCharacter, end, end + 1)),
            };
        }
        let comma = |byte: u8| matches!(byte, b',' | b'[' | b']');
        let wrong = text.iter().position(|&byte| !is_tag_character(byte) && !comma(byte));
        if let Some(at) = wrong.map(|wrong| pos + 1 + wrong) {
            return Some((SyntaxErrorKind::TagCharacter, at, at + 1));
        }
        if let Some(at) = wrong_escape(text).map(|wrong| pos + 1 + wrong) {
            return Some((SyntaxErrorKind::TagEscape, at, at + 1));
        }
        let handle = handle_len(self.src.get(pos..end).unwrap_or_default());
        // In a tag after its handle, YAML 1.2 does not allow `!` either.
        let suffix = handle.unwrap_or(1) - 1;
        let odd = |(at, &byte): (usize, &u8)| comma(byte) || (byte == b'!' && at >= suffix);
        if let Some(at) = text.iter().enumerate().position(odd).map(|at| pos + 1 + at) {
            return Some((SyntaxErrorKind::TagComma, at, at + 1));
        }
        if flow && indicator {
            let kind = if self.takes_comma(open, end) {
                SyntaxErrorKind::FlowTagComma
            } else {
                SyntaxErrorKind::FlowTag
            };
            return Some((kind, end, end + 1));
        }
        if handle == Some(end - pos) {
            return Some((SyntaxErrorKind::EmptyTag, pos, end));
        }
        None
    }

    /// Whether go-yaml continues when it reads the comma at `comma` as the end of a tag within brackets: a
    /// value without a tag has to follow, and after a colon it must not be a pair.
    fn takes_comma(&mut self, open: &OpenNode, comma: usize) -> bool {
        if self.byte(comma) != Some(b',') || !self.blank_at(comma + 1) {
            return false;
        }
        let mut at = comma + 1;
        while matches!(self.byte(at), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            at += 1;
        }
        let next = self.byte(at);
        let in_pair =
            self.elements.iter().skip(open.elements).any(|element| element.kind == SyntaxKind::Colon);
        while in_pair && !matches!(self.byte(at), None | Some(b',' | b']' | b'}' | b':' | b'\n' | b'\r')) {
            at += 1;
        }
        self.touch(at + 1);
        let refused = matches!(next, Some(b'!' | b',')) || (in_pair && self.byte(at) == Some(b':'));
        !refused
    }
}

/// The fault of a verbatim tag or of the prefix of a `%TAG` line, and its byte offset in `text`.
pub(super) fn uri_problem(text: &[u8]) -> Option<(SyntaxErrorKind, usize)> {
    let wrong = |&byte: &u8| !is_tag_character(byte) && !matches!(byte, b',' | b'[' | b']');
    let character = text.iter().position(wrong).map(|at| (SyntaxErrorKind::TagCharacter, at));
    character.or_else(|| wrong_escape(text).map(|at| (SyntaxErrorKind::TagEscape, at)))
}

/// The offset of the first `%` in `text` that does not begin a character in UTF-8 with each byte written as
/// `%` and two hexadecimal digits.
fn wrong_escape(text: &[u8]) -> Option<usize> {
    let mut from = 0;
    while let Some(at) = memchr::memchr(b'%', text.get(from..)?).map(|at| from + at) {
        let width = match escaped_byte(text, at) {
            Some(0..0x80) => 1,
            Some(0xc0..0xe0) => 2,
            Some(0xe0..0xf0) => 3,
            Some(0xf0..0xf8) => 4,
            _ => return Some(at),
        };
        let is_rest = |index| matches!(escaped_byte(text, at + 3 * index), Some(0x80..0xc0));
        if !(1..width).all(is_rest) {
            return Some(at);
        }
        from = at + 3 * width;
    }
    None
}

/// The byte that is written as `%XX` at `at`.
fn escaped_byte(text: &[u8], at: usize) -> Option<u8> {
    let [b'%', high, low] = *text.get(at..at + 3)? else { return None };
    let digit = |digit: u8| char::from(digit).to_digit(16);
    u8::try_from(digit(high)? * 16 + digit(low)?).ok()
}

/// Whether a tag may hold `byte` (YAML 1.2, ns-tag-char; `!` in a handle).
fn is_tag_character(byte: u8) -> bool {
    is_word(byte)
        || matches!(
            byte,
            b'!' | b';'
                | b'/'
                | b'?'
                | b':'
                | b'@'
                | b'&'
                | b'='
                | b'+'
                | b'$'
                | b'.'
                | b'~'
                | b'*'
                | b'\''
                | b'('
                | b')'
                | b'%'
        )
}
