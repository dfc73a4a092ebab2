//! Types and fields, up to their first error.

use super::{Expectation, ParseResult, Parser, Stop, TokenKind};

/// The maximum depth of nested types.
const MAX_DEPTH: usize = 64;

impl Parser<'_> {
    pub(super) fn type_expr(&mut self, depth: usize) -> ParseResult {
        if depth > MAX_DEPTH {
            return Err(Stop::TooDeep);
        }
        let start = self.token().span.start;
        self.type_from(start, depth)
    }

    /// A type that is a part of the one at `start`.
    fn type_from(&mut self, start: u32, depth: usize) -> ParseResult {
        if depth > MAX_DEPTH {
            return Err(Stop::TooDeep);
        }
        if self.is_ended() {
            return Err(self.fail(Expectation::Type(start)));
        }
        match (self.token().kind, self.word()) {
            (_, "struct") => {
                self.at += 1;
                self.fields(depth)
            }
            (_, "interface") => {
                self.at += 1;
                if !self.is(b'{') {
                    return Err(self.fail(Expectation::Opening(b'{')));
                }
                self.skip_brackets()
            }
            (_, "map") => {
                self.at += 1;
                let opener = self.token().span;
                self.take(b'[', Expectation::Opening(b'['))?;
                self.type_from(start, depth + 1)?;
                self.take(b']', Expectation::Closing(b'[', opener))?;
                self.type_from(start, depth + 1)
            }
            (_, "chan") | (TokenKind::Sign(b'*'), _) => {
                self.at += 1;
                self.type_from(start, depth + 1)
            }
            (_, "func") => {
                self.at += 1;
                if !self.is(b'(') {
                    return Err(self.fail(Expectation::Opening(b'(')));
                }
                self.skip_brackets()?;
                let has_result = !self.is_ended()
                    && (self.token().kind == TokenKind::Word
                        || self.is(b'*')
                        || self.is(b'[')
                        || self.is(b'('));
                if has_result { self.type_from(start, depth + 1) } else { Ok(()) }
            }
            (TokenKind::Sign(b'['), _) => {
                self.length()?;
                self.type_from(start, depth + 1)
            }
            (TokenKind::Sign(b'('), _) => self.skip_brackets(),
            (TokenKind::Sign(b'<'), _) => {
                self.at += 2;
                self.type_from(start, depth + 1)
            }
            (TokenKind::Word, _) if self.token().is_name(self.text) => self.type_name(),
            _ => Err(self.fail(Expectation::Type(start))),
        }
    }

    /// `[]` or `[N]`.
    fn length(&mut self) -> ParseResult {
        let opener = self.token().span;
        self.at += 1;
        while !self.is(b']') {
            let is_part = matches!(self.token().kind, TokenKind::Word)
                || matches!(self.token().kind, TokenKind::Sign(sign) if b".*+-/".contains(&sign));
            if !is_part || self.is_ended() {
                return Err(self.fail(Expectation::Closing(b'[', opener)));
            }
            self.at += 1;
        }
        self.at += 1;
        Ok(())
    }

    /// The name of a type, with its package and its arguments.
    fn type_name(&mut self) -> ParseResult {
        self.at += 1;
        if self.is(b'.') && !self.is_ended() {
            self.at += 1;
            if self.token().begins_line || !self.token().is_name(self.text) {
                return Err(self.fail(Expectation::Selector));
            }
            self.at += 1;
        }
        let has_arguments = self.is(b'[') && !self.is_ended() && !self.ahead(1).is(b']');
        if has_arguments { self.skip_brackets() } else { Ok(()) }
    }

    /// The fields of a struct, after its keyword.
    fn fields(&mut self, depth: usize) -> ParseResult {
        let opener = self.token().span;
        self.take(b'{', Expectation::Opening(b'{'))?;
        loop {
            self.skip_semicolons();
            if self.is(b'}') {
                self.at += 1;
                return Ok(());
            }
            if self.is_outside() {
                return Err(self.fail(Expectation::Closing(b'{', opener)));
            }
            self.field(depth)?;
        }
    }

    fn field(&mut self, depth: usize) -> ParseResult {
        if self.is(b'*') || self.is(b'(') {
            self.type_expr(depth + 1)?;
        } else if !self.token().is_name(self.text) {
            return Err(self.fail(Expectation::FieldName));
        } else if self.ahead(1).is(b'.') {
            self.type_name()?;
        } else {
            self.at += 1;
            while self.is(b',') {
                self.at += 1;
                self.name(Expectation::FieldName)?;
            }
            let is_embedded = self.is_ended()
                || self.is(b'}')
                || matches!(self.token().kind, TokenKind::Literal(_))
                || self.is_generic();
            if !is_embedded {
                self.type_expr(depth + 1)?;
            }
        }
        self.tag()?;
        if self.is_ended() || self.is(b'}') { Ok(()) } else { Err(self.fail(Expectation::FieldEnd)) }
    }

    /// Whether the brackets at the current token have the arguments of an embedded type. Goes past them if so.
    fn is_generic(&mut self) -> bool {
        if !self.is(b'[') || self.ahead(1).is(b']') {
            return false;
        }
        let (mut depth, mut at) = (0_usize, self.at);
        while let Some(token) = self.tokens.get(at).filter(|token| !token.begins_line) {
            match token.kind {
                TokenKind::Sign(b'[') => depth += 1,
                TokenKind::Sign(b']') => depth = depth.saturating_sub(1),
                TokenKind::Word | TokenKind::Sign(b'.' | b',' | b'*') => {}
                _ => return false,
            }
            at += 1;
            if depth == 0 {
                break;
            }
        }
        let (before, next) = (self.at, self.tokens.get(at).copied());
        let is_generic =
            next.is_some_and(|next| next.begins_line || matches!(next.kind, TokenKind::Literal(_)));
        self.at = if is_generic { at } else { before };
        is_generic
    }

    fn tag(&mut self) -> ParseResult {
        if self.is_ended() || !matches!(self.token().kind, TokenKind::Literal(b'"' | b'`')) {
            return Ok(());
        }
        if self.long_tag.is_none() && self.token().text(self.text).contains('\n') {
            self.long_tag = Some(self.token().span);
        }
        self.literal()
    }
}
