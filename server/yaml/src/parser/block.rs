//! Block style: mappings and sequences by column, and the scalars in them.

use super::property::{SeenProperties, SkippedProperties};
use super::reuse::OldNode;
use super::scan::PlainEnd;
use super::{MAX_COLUMN, OpenNode, Parser, Sig};
use crate::syntax::{Context, SyntaxErrorKind, SyntaxKind};

/// The maximum distance, in lines, from a broken line to the continuation of its block.
const INTERRUPTION: usize = 32;

/// The position of a value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// After `key:`, where a block has to start on a new line.
    Entry,
    /// After `- ` or `---`, or at the start of a line.
    Compact,
    /// After `? `, or after the `: ` of an explicit entry: a block may start on the same line, and dashes may
    /// be at the column of the entry.
    Explicit,
}

impl Parser<'_> {
    /// The value that starts after `from`, below a block at column `outer`; returns its end. The caller
    /// handles white space and comments after the value, and before an absent value.
    pub(super) fn value(
        &mut self,
        open: &OpenNode,
        outer: i32,
        from: usize,
        place: Place,
        old: Option<OldNode<'_>>,
    ) -> usize {
        let mut end = from;
        let mut fresh = place != Place::Entry;
        let mut seen = SeenProperties::default();
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
            if sig.fresh_line && sig.column as i32 <= outer && !self.indicator(sig.pos, b'-') {
                self.error(open, SyntaxErrorKind::FlowIndentation, sig.pos, sig.pos + 1);
            }
            if !matches!(self.byte(sig.pos), Some(b'&' | b'!')) {
                if seen.any() {
                    self.alias_after_properties(open, sig.pos, fresh);
                }
                return self.content(open, outer, sig.pos, fresh, old);
            }
            // Properties followed by a key on the same line belong to the key.
            let SkippedProperties { end: properties_end, next } = self.skip_properties(sig.pos, false);
            if fresh && (self.implicit_key(next).is_some() || self.indicator(next, b':')) {
                return self.collection(open, SyntaxKind::BlockMapping, sig.pos, outer, old);
            }
            self.properties(open, sig.pos, false, &mut seen);
            end = properties_end;
            if !self.line_is_over(end) {
                let next = self.skip_blanks(end);
                self.trivia(open, end, next);
                self.alias_after_properties(open, next, false);
                return self.content(open, outer, next, false, old);
            }
        }
    }

    /// Reports properties before an alias, which may not have any. Properties before an alias that is the
    /// first key of a mapping belong to the mapping.
    pub(super) fn alias_after_properties(&mut self, open: &OpenNode, pos: usize, fresh: bool) {
        if self.byte(pos) == Some(b'*') && !(fresh && self.implicit_key(pos).is_some()) {
            let end = self.name_end(pos + 1);
            self.error(open, SyntaxErrorKind::PropertyOnAlias, pos, end);
        }
    }

    /// Whether the line of `sig` is still below a block at column `outer`.
    fn belongs_below(&mut self, outer: i32, sig: Sig, place: Place) -> bool {
        let column = sig.column as i32;
        // go-yaml allows a `|` or `>` at the block's own column.
        column > outer
            || (column == outer
                && (matches!(self.byte(sig.pos), Some(b'|' | b'>'))
                    || place != Place::Compact && self.indicator(sig.pos, b'-')))
    }

    /// The value at `pos`. `fresh`: a block may start here.
    pub(super) fn content(
        &mut self,
        open: &OpenNode,
        outer: i32,
        pos: usize,
        fresh: bool,
        old: Option<OldNode<'_>>,
    ) -> usize {
        if self.indicator(pos, b'-') {
            if fresh {
                return self.collection(open, SyntaxKind::BlockSequence, pos, outer, old);
            }
            self.error(open, SyntaxErrorKind::MisplacedDash, pos, pos + 1);
            return self.parse_plain(open, outer, pos);
        }
        if !fresh && self.indicator(pos, b'?') {
            self.error(open, SyntaxErrorKind::MisplacedQuestion, pos, pos + 1);
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
        // An unfinished key, above its finished siblings or children.
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

    pub(super) fn starts_plain(&self, pos: usize) -> bool {
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

    /// A scalar, an alias or brackets at `pos`, and any text after it on its line.
    fn inline(&mut self, open: &OpenNode, outer: i32, pos: usize) -> usize {
        let end = match self.byte(pos) {
            Some(quote @ (b'"' | b'\'')) => self.quoted_token(open, quote, pos, outer, self.limit, false),
            Some(b'[' | b'{') => self.flow(open, pos, outer),
            Some(b'*') => {
                let end = self.name_end(pos + 1);
                self.anchor_or_alias(open, SyntaxKind::Alias, pos, end);
                end
            }
            Some(b'|' | b'>') => return self.block_scalar(open, outer, pos),
            Some(b'@' | b'`' | b'%' | b',' | b']' | b'}') => {
                let kind = self.unexpected(pos);
                return self.garbage(open, kind, pos);
            }
            _ => return self.parse_plain(open, outer, pos),
        };
        self.line_rest(open, end)
    }

    /// The text after a value on its line.
    fn line_rest(&mut self, open: &OpenNode, end: usize) -> usize {
        if self.line_is_over(end) {
            return end;
        }
        if self.byte(end) == Some(b'#') {
            self.error(open, SyntaxErrorKind::CommentSpace, end, end + 1);
            let line_end = self.line_end(end);
            self.trivia(open, end, line_end);
            return line_end;
        }
        let extra = self.skip_blanks(end);
        self.trivia(open, end, extra);
        let kind = self.extra_kind(open, extra);
        if kind == SyntaxErrorKind::Dropped {
            self.first_dropped(open, extra);
        }
        self.garbage(open, kind, extra)
    }

    /// Reports faults in the first token of dropped text: go-yaml has read that token nevertheless.
    fn first_dropped(&mut self, open: &OpenNode, pos: usize) {
        let line_end = self.line_end(pos);
        match self.byte(pos) {
            Some(b'|' | b'>') => {
                self.block_header(open, pos, line_end);
            }
            Some(quote @ (b'"' | b'\'')) if self.quote_end_on_line(pos, quote, line_end).is_none() => {
                self.error(open, SyntaxErrorKind::UnclosedQuote, pos, pos + 1);
            }
            _ => {}
        }
    }

    /// The fault of text after a value. After the value of a document, go-yaml reads at most one token.
    pub(super) fn extra_kind(&mut self, open: &OpenNode, pos: usize) -> SyntaxErrorKind {
        match self.byte(pos) {
            Some(b'@' | b'`' | b'%') => self.unexpected(pos),
            Some(b':') if self.blank_at(pos + 1) => SyntaxErrorKind::MultilineBlockKey,
            Some(b'-') if self.blank_at(pos + 1) => SyntaxErrorKind::MisplacedDash,
            Some(b'?') if self.blank_at(pos + 1) => SyntaxErrorKind::MisplacedQuestion,
            // If a colon follows, go-yaml treats the value as a key.
            _ if self.implicit_key(pos).is_some() => SyntaxErrorKind::ExtraContent,
            _ if open.kind == SyntaxKind::Document => SyntaxErrorKind::Dropped,
            _ => SyntaxErrorKind::ExtraContent,
        }
    }

    /// The rest of the line as misplaced text.
    pub(super) fn garbage(&mut self, open: &OpenNode, error: SyntaxErrorKind, pos: usize) -> usize {
        let line_end = self.line_end(pos);
        let end = self.trim_end(pos, line_end).max(pos);
        self.error(open, error, pos, end);
        self.token(open, SyntaxKind::Garbage, pos, end);
        end
    }

    pub(super) fn quoted_token(
        &mut self,
        open: &OpenNode,
        quote: u8,
        pos: usize,
        outer: i32,
        limit: usize,
        flow: bool,
    ) -> usize {
        let quoted = self.quoted(pos, outer, limit, flow);
        if !quoted.closed {
            self.error(open, SyntaxErrorKind::UnclosedQuote, pos, pos + 1);
        } else {
            if quote == b'"' {
                self.escapes(open, pos, quoted.end);
            }
            if !flow {
                self.flow_indentation(open, outer, pos, quoted.end, false);
            }
        }
        let kind = if quote == b'"' { SyntaxKind::DoubleQuoted } else { SyntaxKind::SingleQuoted };
        self.token(open, kind, pos, quoted.end);
        quoted.end
    }

    /// A plain scalar with all its lines.
    fn parse_plain(&mut self, open: &OpenNode, outer: i32, pos: usize) -> usize {
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
            if !continues || self.comment_between(end, sig.pos) || self.is_key_below_plain(sig.pos) {
                break;
            }
            if sig.tabs {
                self.continuation_tab(open, outer, end, sig.pos);
            }
            let line_end = self.line_end(sig.pos);
            (end, stop) = self.plain_on_line(sig.pos, line_end);
        }
        self.token(open, SyntaxKind::Plain, pos, end);
        end
    }

    /// Whether the line at `pos`, below the text of a plain scalar, looks like a key. Quotes are ordinary
    /// characters there, so a ` #` within them turns the colon into a comment.
    fn is_key_below_plain(&mut self, pos: usize) -> bool {
        let line_end = self.line_end(pos);
        self.implicit_key(pos).is_some() && matches!(self.plain_on_line(pos, line_end).1, PlainEnd::Colon(_))
    }

    pub(super) fn comment_between(&self, from: usize, to: usize) -> bool {
        memchr::memchr(b'#', self.bytes.get(from..to).unwrap_or_default()).is_some()
    }

    /// A mapping or sequence whose first entry is at `pos`, below a block at column `outer`.
    pub(super) fn collection(
        &mut self,
        parent: &OpenNode,
        kind: SyntaxKind,
        pos: usize,
        outer: i32,
        old: Option<OldNode<'_>>,
    ) -> usize {
        let column = self.column(pos);
        if column > MAX_COLUMN {
            return self.too_deep(parent, pos, outer);
        }
        let context = Context { column: column as u16, outer: (outer + 1) as u16 };
        let old = old.and_then(|old| old.child(self.edit.as_ref(), pos, kind));
        let old = old.filter(|old| old.node.context == context);
        let open = self.open_node(kind, context, pos);
        let mut end = pos;
        if let Some(old) = old {
            end = self.reuse_front(&open, old);
        }
        loop {
            let sig = if end == pos {
                Sig { pos, column, fresh_line: true, tab: None, tabs: false, end: false }
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
            let on_top = outer < 0 && end == pos;
            if let Some(reused) = old.and_then(|old| self.reuse_back(&open, old, end, sig, on_top)) {
                end = reused;
                break;
            }
            self.reach(&open, end, sig);
            if sig.column != column {
                let line_end = self.line_end(sig.pos);
                let to = self.trim_end(sig.pos, line_end);
                // For go-yaml, the document ends at a line to the left of its first line.
                let dropped = outer < 0 && sig.column < column;
                let kind = if dropped { SyntaxErrorKind::Dropped } else { SyntaxErrorKind::Indentation };
                self.error(&open, kind, sig.pos, to);
            }
            end = match old.and_then(|old| self.reuse_one(&open, old, sig, on_top)) {
                Some(reused) => reused,
                None => self.entry_or_item(&open, sig, on_top, old),
            };
        }
        self.close_into(parent, open, end)
    }

    /// Whether the line of `sig` still belongs to the collection. A line between the columns of the
    /// collection and its parent is wrongly indented; the collection is the closest match.
    fn continues(&mut self, open: &OpenNode, outer: i32, sig: Sig) -> bool {
        if open.kind == SyntaxKind::BlockSequence && sig.column == usize::from(open.context.column) {
            return sig.column as i32 > outer || self.indicator(sig.pos, b'-');
        }
        sig.column as i32 > outer
    }

    /// Whether the line of `sig`, to the left of the collection, is not an entry of any block, and the
    /// collection continues below it: most likely the author is typing that line.
    fn interrupts(&mut self, open: &OpenNode, sig: Sig) -> bool {
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
        let key = self.skip_properties(pos, false).next;
        self.indicator(pos, b'-')
            || self.indicator(pos, b'?')
            || self.indicator(key, b':')
            || self.implicit_key(key).is_some()
    }

    fn too_deep(&mut self, open: &OpenNode, pos: usize, outer: i32) -> usize {
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
}
