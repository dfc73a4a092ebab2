//! Block style: mappings and sequences by column, and the scalars in them.

use super::reuse::Old;
use super::scan::PlainEnd;
use super::{MAX_COLUMN, Open, Parser, Sig};
use crate::syntax::{Context, SyntaxErrorKind, SyntaxKind};

/// How many lines a broken line may stand away from where its block goes on.
const INTERRUPTION: usize = 32;

/// Where a value stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// Behind `key:`, where a block has to start on a line of its own.
    Entry,
    /// Behind `- `, `? `, `: ` or `---`, or on a line of its own.
    Compact,
}

impl Parser<'_> {
    /// The value that starts behind `from`, below a block at column `outer`; returns where it ends. White space and
    /// comments behind it are left to the caller, and before an absent one as well.
    pub(super) fn value(
        &mut self,
        open: &Open,
        outer: i32,
        from: usize,
        place: Place,
        old: Option<Old<'_>>,
    ) -> usize {
        let mut end = from;
        let mut fresh = place == Place::Compact;
        loop {
            let sig = self.sig(end);
            if sig.end {
                return end;
            }
            if sig.fresh_line && end > open.start && !self.belongs_below(outer, sig, place) {
                return end;
            }
            fresh |= sig.fresh_line;
            self.reach(open, end, sig);
            if !matches!(self.byte(sig.pos), Some(b'&' | b'!')) {
                return self.content(open, outer, sig.pos, fresh, old);
            }
            // Properties with a key behind them on their line are the key's.
            let (properties_end, next) = self.skip_properties(sig.pos);
            if fresh && self.implicit_key(next).is_some() {
                return self.collection(open, SyntaxKind::BlockMapping, sig.pos, outer, old);
            }
            self.properties(open, sig.pos);
            end = properties_end;
            if !self.line_is_over(end) {
                let next = self.skip_blanks(end);
                self.trivia(open, end, next);
                return self.content(open, outer, next, false, old);
            }
        }
    }

    /// Whether the line of `sig` is still below a block at column `outer`.
    fn belongs_below(&mut self, outer: i32, sig: Sig, place: Place) -> bool {
        let column = sig.column as i32;
        column > outer || (column == outer && place == Place::Entry && self.indicator(sig.pos, b'-'))
    }

    /// White space and comments from `from` up to `sig`.
    pub(super) fn reach(&mut self, open: &Open, from: usize, sig: Sig) {
        self.trivia(open, from, sig.pos);
        if let Some(tab) = sig.tab {
            self.error(open, SyntaxErrorKind::TabIndentation, tab, tab + 1);
        }
    }

    /// The value at `pos`. `fresh`: a block may start here.
    fn content(&mut self, open: &Open, outer: i32, pos: usize, fresh: bool, old: Option<Old<'_>>) -> usize {
        if self.indicator(pos, b'-') {
            if fresh {
                return self.collection(open, SyntaxKind::BlockSequence, pos, outer, old);
            }
            self.error(open, SyntaxErrorKind::MisplacedDash, pos, pos + 1);
            return self.plain(open, outer, pos);
        }
        if fresh && self.starts_mapping(pos) {
            return self.collection(open, SyntaxKind::BlockMapping, pos, outer, old);
        }
        self.inline(open, outer, pos)
    }

    fn starts_mapping(&mut self, pos: usize) -> bool {
        if self.indicator(pos, b'?') || self.indicator(pos, b':') || self.implicit_key(pos).is_some() {
            return true;
        }
        // A key that is still being typed, above its finished siblings or children.
        let end = self.line_end(pos);
        if !self.starts_plain(pos) {
            return false;
        }
        let next = self.sig(end);
        !next.end
            && next.fresh_line
            && next.column >= self.column(pos)
            && self.implicit_key(next.pos).is_some()
    }

    fn starts_plain(&self, pos: usize) -> bool {
        !matches!(
            self.byte(pos),
            None | Some(
                b'"' | b'\''
                    | b'['
                    | b'{'
                    | b'*'
                    | b'|'
                    | b'>'
                    | b'#'
                    | b'@'
                    | b'`'
                    | b'%'
                    | b','
                    | b']'
                    | b'}'
                    | b'&'
                    | b'!'
            )
        )
    }

    /// A scalar, an alias or brackets at `pos`, and whatever stands behind it on its line.
    fn inline(&mut self, open: &Open, outer: i32, pos: usize) -> usize {
        let end = match self.byte(pos) {
            Some(quote @ (b'"' | b'\'')) => self.quoted_token(open, quote, pos, outer, self.limit, false),
            Some(b'[' | b'{') => self.flow(open, pos, outer),
            Some(b'*') => {
                let end = self.name_end(pos + 1);
                self.named(open, SyntaxKind::Alias, pos, end);
                end
            }
            Some(b'|' | b'>') => return self.block_scalar(open, outer, pos),
            Some(b'@' | b'`' | b'%' | b',' | b']' | b'}') => {
                return self.garbage(open, SyntaxErrorKind::UnexpectedCharacter, pos);
            }
            _ => return self.plain(open, outer, pos),
        };
        if self.line_is_over(end) {
            return end;
        }
        let extra = self.skip_blanks(end);
        self.trivia(open, end, extra);
        self.garbage(open, SyntaxErrorKind::ExtraContent, extra)
    }

    /// The rest of the line as text that fits nowhere.
    pub(super) fn garbage(&mut self, open: &Open, error: SyntaxErrorKind, pos: usize) -> usize {
        let line_end = self.line_end(pos);
        let end = self.trim_end(pos, line_end).max(pos);
        self.error(open, error, pos, end);
        self.token(open, SyntaxKind::Garbage, pos, end);
        end
    }

    pub(super) fn quoted_token(
        &mut self,
        open: &Open,
        quote: u8,
        pos: usize,
        outer: i32,
        limit: usize,
        flow: bool,
    ) -> usize {
        let quoted = self.quoted(pos, outer, limit, flow);
        if !quoted.closed {
            self.error(open, SyntaxErrorKind::UnclosedQuote, pos, pos + 1);
        }
        let kind = if quote == b'"' { SyntaxKind::DoubleQuoted } else { SyntaxKind::SingleQuoted };
        self.token(open, kind, pos, quoted.end);
        quoted.end
    }

    fn named(&mut self, open: &Open, kind: SyntaxKind, pos: usize, end: usize) {
        if end == pos + 1 && kind != SyntaxKind::Tag {
            self.error(open, SyntaxErrorKind::MissingName, pos, end);
        }
        self.token(open, kind, pos, end);
    }

    /// Anchors and tags from `pos` on, one line at most: where they end, and where the next thing stands.
    fn skip_properties(&mut self, pos: usize) -> (usize, usize) {
        let (mut end, mut next) = (pos, pos);
        while matches!(self.byte(next), Some(b'&' | b'!')) {
            end = self.property_end(next);
            next = self.skip_blanks(end);
            if next == end {
                break;
            }
        }
        (end, next)
    }

    fn property_end(&mut self, pos: usize) -> usize {
        if self.byte(pos) == Some(b'!') && self.byte(pos + 1) == Some(b'<') {
            let line_end = self.line_end(pos);
            let rest = self.bytes.get(pos..line_end).unwrap_or_default();
            return memchr::memchr(b'>', rest).map_or(line_end, |at| pos + at + 1);
        }
        self.name_end(pos + 1)
    }

    /// The anchors and tags at `pos` as tokens.
    pub(super) fn properties(&mut self, open: &Open, pos: usize) -> usize {
        let (properties_end, _) = self.skip_properties(pos);
        let mut at = pos;
        while at < properties_end {
            let kind = if self.byte(at) == Some(b'&') { SyntaxKind::Anchor } else { SyntaxKind::Tag };
            let end = self.property_end(at);
            self.named(open, kind, at, end);
            at = self.skip_blanks(end).min(properties_end).max(end);
            self.trivia(open, end, at);
        }
        properties_end
    }

    /// A plain scalar, over as many lines as are its own.
    fn plain(&mut self, open: &Open, outer: i32, pos: usize) -> usize {
        let line_end = self.line_end(pos);
        let (mut end, mut stop) = self.plain_on_line(pos, line_end);
        if let PlainEnd::Colon(colon) = stop {
            self.error(open, SyntaxErrorKind::NestedColon, colon, colon + 1);
            let mut at = colon + 1;
            while let PlainEnd::Colon(colon) = stop {
                at = at.max(colon + 1);
                (end, stop) = self.plain_on_line(at, line_end);
            }
            end = end.max(colon + 1);
        }
        while stop == PlainEnd::Line {
            let sig = self.sig(end);
            let continues = !sig.end && sig.fresh_line && sig.column as i32 > outer;
            if !continues || self.comment_between(end, sig.pos) || self.implicit_key(sig.pos).is_some() {
                break;
            }
            let line_end = self.line_end(sig.pos);
            (end, stop) = self.plain_on_line(sig.pos, line_end);
        }
        self.token(open, SyntaxKind::Plain, pos, end);
        end
    }

    fn comment_between(&self, from: usize, to: usize) -> bool {
        memchr::memchr(b'#', self.bytes.get(from..to).unwrap_or_default()).is_some()
    }

    /// A `|` or `>` block at `pos`.
    fn block_scalar(&mut self, open: &Open, outer: i32, pos: usize) -> usize {
        let kind = if self.byte(pos) == Some(b'|') { SyntaxKind::Literal } else { SyntaxKind::Folded };
        let header_end = self.line_end(pos);
        let mut at = pos + 1;
        let (mut digit, mut keep) = (None, false);
        while let Some(byte @ (b'0'..=b'9' | b'+' | b'-')) = self.byte(at) {
            keep |= byte == b'+';
            if byte.is_ascii_digit() {
                digit = Some(i32::from(byte - b'0'));
            }
            at += 1;
        }
        if !self.line_is_over(at) || digit == Some(0) {
            self.error(open, SyntaxErrorKind::BlockHeader, at.min(header_end), header_end.max(at));
        }
        let mut indentation = digit.map(|digit| outer.max(0) + digit);
        let mut end = header_end;
        let mut line = header_end;
        while line < self.limit {
            line = self.behind_break(line);
            let mut content = line;
            while self.byte(content) == Some(b' ') {
                content += 1;
            }
            self.touch(content + 1);
            let column = (content - line) as i32;
            let line_end = self.line_end(content);
            if self.break_at(content) || (self.byte(content) == Some(b'\t') && self.line_is_over(content)) {
                let below = indentation.is_some_and(|indentation| column > indentation);
                if keep || below {
                    end = self.behind_break(line_end);
                }
            } else {
                if column <= outer || indentation.is_some_and(|indentation| column < indentation) {
                    break;
                }
                indentation.get_or_insert(column);
                end = self.behind_break(line_end);
            }
            line = line_end;
        }
        self.token(open, kind, pos, end);
        end
    }

    /// A mapping or sequence whose first entry is at `pos`, below a block at column `outer`.
    fn collection(
        &mut self,
        parent: &Open,
        kind: SyntaxKind,
        pos: usize,
        outer: i32,
        old: Option<Old<'_>>,
    ) -> usize {
        let column = self.column(pos);
        if column > MAX_COLUMN {
            return self.too_deep(parent, pos, outer);
        }
        let context = Context { column: column as u16, outer: (outer + 1) as u16 };
        let old = old.and_then(|old| old.child(self.edit.as_ref(), pos, kind));
        let old = old.filter(|old| old.node.context == context);
        let open = self.open(kind, context, pos);
        let mut end = pos;
        if let Some(old) = old {
            end = self.reuse_front(&open, old);
        }
        loop {
            let sig = if end == pos {
                Sig { pos, column, fresh_line: true, tab: None, end: false }
            } else {
                self.sig(end)
            };
            if sig.end || !sig.fresh_line {
                break;
            }
            if !self.continues(&open, outer, sig) {
                if !self.interrupts(&open, sig) {
                    break;
                }
                self.reach(&open, end, sig);
                end = self.garbage(&open, SyntaxErrorKind::Indentation, sig.pos);
                continue;
            }
            if let Some(reused) = old.and_then(|old| self.reuse_back(&open, old, end, sig)) {
                end = reused;
                break;
            }
            self.reach(&open, end, sig);
            if sig.column != column {
                let line_end = self.line_end(sig.pos);
                let to = self.trim_end(sig.pos, line_end);
                self.error(&open, SyntaxErrorKind::Indentation, sig.pos, to);
            }
            end = match old.and_then(|old| self.reuse_one(&open, old, sig)) {
                Some(reused) => reused,
                None if kind == SyntaxKind::BlockSequence => self.item(&open, sig, old),
                None => self.entry(&open, sig, old),
            };
        }
        self.close_into(parent, open, end)
    }

    /// Whether the line of `sig` still belongs to the collection. A line between the columns of the collection and
    /// of what holds it is wrongly indented; it is nearest to the collection.
    fn continues(&mut self, open: &Open, outer: i32, sig: Sig) -> bool {
        if open.kind == SyntaxKind::BlockSequence && sig.column == usize::from(open.context.column) {
            return sig.column as i32 > outer || self.indicator(sig.pos, b'-');
        }
        sig.column as i32 > outer
    }

    /// Whether the line of `sig`, to the left of the collection, is no entry of any block, and the collection goes on
    /// below it: most likely the author is typing that line.
    fn interrupts(&mut self, open: &Open, sig: Sig) -> bool {
        if self.may_be_entry(sig.pos) {
            return false;
        }
        let mut end = self.line_end(sig.pos);
        for _ in 0..INTERRUPTION {
            let next = self.sig(end);
            let column = usize::from(open.context.column);
            if next.end {
                return false;
            }
            if next.column <= column && self.may_be_entry(next.pos) {
                let item = self.indicator(next.pos, b'-');
                return next.column == column && item == (open.kind == SyntaxKind::BlockSequence);
            }
            end = self.line_end(next.pos);
        }
        false
    }

    /// Whether the line's content at `pos` is an entry or item, perhaps with properties.
    pub(super) fn may_be_entry(&mut self, pos: usize) -> bool {
        let (_, key) = self.skip_properties(pos);
        self.indicator(pos, b'-') || self.indicator(pos, b'?') || self.implicit_key(key).is_some()
    }

    fn too_deep(&mut self, open: &Open, pos: usize, outer: i32) -> usize {
        let mut end = self.line_end(pos);
        loop {
            let sig = self.sig(end);
            if sig.end || !sig.fresh_line || sig.column as i32 <= outer {
                break;
            }
            end = self.line_end(sig.pos);
        }
        end = self.trim_end(pos, end);
        self.error(open, SyntaxErrorKind::TooDeep, pos, end);
        self.token(open, SyntaxKind::Garbage, pos, end);
        end
    }

    pub(super) fn item(&mut self, parent: &Open, sig: Sig, old: Option<Old<'_>>) -> usize {
        let pos = sig.pos;
        let old = old.and_then(|old| old.child(self.edit.as_ref(), pos, SyntaxKind::BlockItem));
        let open = self.open(SyntaxKind::BlockItem, Context { column: sig.column as u16, outer: 0 }, pos);
        let column = sig.column as i32;
        let end = if self.indicator(pos, b'-') {
            self.token(&open, SyntaxKind::Dash, pos, pos + 1);
            self.value(&open, column, pos + 1, Place::Compact, old)
        } else {
            let line_end = self.line_end(pos);
            let to = self.trim_end(pos, line_end);
            self.error(&open, SyntaxErrorKind::MissingDash, pos, to);
            self.entry(&open, sig, old)
        };
        let end = self.stray_block(&open, column, end, old);
        self.close_into(parent, open, end)
    }

    pub(super) fn entry(&mut self, parent: &Open, sig: Sig, old: Option<Old<'_>>) -> usize {
        let pos = sig.pos;
        let column = sig.column as i32;
        let old = old.and_then(|old| old.child(self.edit.as_ref(), pos, SyntaxKind::BlockEntry));
        let open = self.open(SyntaxKind::BlockEntry, Context { column: sig.column as u16, outer: 0 }, pos);
        let mut end = if self.indicator(pos, b'?') {
            self.explicit_key(&open, column, pos, old)
        } else if self.indicator(pos, b'-') {
            self.error(&open, SyntaxErrorKind::MisplacedDash, pos, pos + 1);
            self.collection(&open, SyntaxKind::BlockSequence, pos, column - 1, old)
        } else {
            self.implicit_entry(&open, column, pos, old)
        };
        end = self.stray_block(&open, column, end, old);
        self.close_into(parent, open, end)
    }

    fn explicit_key(&mut self, open: &Open, column: i32, pos: usize, old: Option<Old<'_>>) -> usize {
        self.token(open, SyntaxKind::Question, pos, pos + 1);
        let end = self.value(open, column, pos + 1, Place::Compact, old);
        let sig = self.sig(end);
        if sig.end || !sig.fresh_line || sig.column as i32 != column || !self.indicator(sig.pos, b':') {
            return end;
        }
        self.reach(open, end, sig);
        self.token(open, SyntaxKind::Colon, sig.pos, sig.pos + 1);
        self.value(open, column, sig.pos + 1, Place::Compact, old)
    }

    fn implicit_entry(&mut self, open: &Open, column: i32, pos: usize, old: Option<Old<'_>>) -> usize {
        let properties_end = self.properties(open, pos);
        let key_start = if properties_end > pos { self.skip_blanks(properties_end) } else { pos };
        self.trivia(open, properties_end, key_start);
        if self.indicator(key_start, b':') {
            self.token(open, SyntaxKind::Colon, key_start, key_start + 1);
            return self.value(open, column, key_start + 1, Place::Entry, old);
        }
        let Some(key) = self.implicit_key(key_start) else {
            return self.unfinished(open, key_start);
        };
        match self.byte(key_start) {
            Some(b'[' | b'{') => self.flow_key(open, key_start, column, key.end),
            byte => {
                let kind = match byte {
                    Some(b'"') => SyntaxKind::DoubleQuoted,
                    Some(b'\'') => SyntaxKind::SingleQuoted,
                    Some(b'*') => SyntaxKind::Alias,
                    _ => SyntaxKind::Plain,
                };
                self.token(open, kind, key_start, key.end);
            }
        }
        self.trivia(open, key.end, key.colon);
        self.token(open, SyntaxKind::Colon, key.colon, key.colon + 1);
        self.value(open, column, key.colon + 1, Place::Entry, old)
    }

    /// A line among the entries that has no colon: most likely a key that is being typed.
    fn unfinished(&mut self, open: &Open, pos: usize) -> usize {
        if !self.starts_plain(pos) && !matches!(self.byte(pos), Some(b'"' | b'\'' | b'*')) {
            return self.garbage(open, SyntaxErrorKind::UnexpectedCharacter, pos);
        }
        let line_end = self.line_end(pos);
        let kind = match self.byte(pos) {
            Some(b'"') => SyntaxKind::DoubleQuoted,
            Some(b'\'') => SyntaxKind::SingleQuoted,
            Some(b'*') => SyntaxKind::Alias,
            _ => SyntaxKind::Plain,
        };
        let end = match kind {
            SyntaxKind::Plain => self.plain_on_line(pos, line_end).0,
            _ => self.trim_end(pos, line_end),
        };
        let end = end.max(pos + 1);
        self.error(open, SyntaxErrorKind::MissingColon, pos, end);
        self.token(open, kind, pos, end);
        end
    }

    /// A block below a key or item that has a value already, or a key without colon: most likely the author is about
    /// to change what stands before it, so the block keeps its place.
    fn stray_block(&mut self, open: &Open, column: i32, end: usize, old: Option<Old<'_>>) -> usize {
        let sig = self.sig(end);
        if sig.end || !sig.fresh_line || sig.column as i32 <= column || !self.may_be_entry(sig.pos) {
            return end;
        }
        self.reach(open, end, sig);
        let line_end = self.line_end(sig.pos);
        let to = self.trim_end(sig.pos, line_end);
        self.error(open, SyntaxErrorKind::Indentation, sig.pos, to);
        self.content(open, column, sig.pos, true, old)
    }
}
