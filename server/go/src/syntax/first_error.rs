//! The first syntax error of a file, where Go's own parser finds it.
//!
//! The grammar of tree-sitter recovers from errors in its own way: one missing brace has several errors there, mostly behind
//! it. This parser reads only declarations, stops at the first error, and knows what Go expects there. It runs only for files
//! in which the grammar has found errors. Bodies of functions and values are skipped.

mod types;

use super::Span;
use super::tokens::{GoToken, TokenKind, tokens};

/// What Go expects at the place of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Expectation {
    /// `package`.
    PackageClause,
    /// The keyword of a declaration.
    Declaration,
    /// `{` after the signature of a function, or its end.
    Body,
    /// The name of a declaration.
    Name,
    /// The name of a field.
    FieldName,
    /// A name after a dot.
    Selector,
    /// A type, which begins at this byte.
    Type(u32),
    /// The end of a field.
    FieldEnd,
    /// The end of another declaration.
    End,
    /// An opening bracket.
    Opening(u8),
    /// The bracket that closes the one at this place.
    Closing(u8, Span),
    /// A path in quotes.
    ImportPath,
    /// `=` before a value.
    Equals,
    /// The quote that closes a text.
    Quote(u8),
    /// The end of a comment.
    CommentEnd,
}

/// The first syntax error of a file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FirstError {
    pub(crate) expected: Expectation,
    /// The token that Go finds.
    pub(crate) found: GoToken,
    /// The token before it.
    pub(crate) previous: GoToken,
    /// The start of the declaration around it, with the comments above.
    pub(crate) declaration: u32,
    /// The first tag before it that goes on in another line: its last quote may be missing.
    pub(crate) long_tag: Option<Span>,
}

/// The first error in the declarations of a file; `None` if this parser finds none.
pub(crate) fn first_error(text: &str) -> Option<FirstError> {
    let mut parser = Parser { text, tokens: tokens(text), at: 0, declaration: 0, long_tag: None };
    match parser.file() {
        Err(Stop::Error(error)) => Some(*error),
        Ok(()) | Err(Stop::TooDeep) => None,
    }
}

/// The end of the text after a place that may belong to the same declaration: it excludes the comments above the next one.
pub(crate) fn declaration_end(text: &str, after: u32) -> u32 {
    let all = tokens(text);
    let next = all.iter().position(|token| token.span.start >= after && token.begins_declaration(text));
    let last = next.map_or(Some(text.len() as u32), |next| Some(all.get(next.checked_sub(1)?)?.span.end));
    last.unwrap_or_default().max(after)
}

/// The reason why the parser stops.
enum Stop {
    Error(Box<FirstError>),
    TooDeep,
}

type ParseResult = Result<(), Stop>;

struct Parser<'t> {
    text: &'t str,
    tokens: Vec<GoToken>,
    at: usize,
    declaration: u32,
    long_tag: Option<Span>,
}

impl<'t> Parser<'t> {
    fn token(&self) -> GoToken {
        self.ahead(0)
    }

    fn ahead(&self, count: usize) -> GoToken {
        let end =
            GoToken { kind: TokenKind::End, span: Span::default(), begins_line: true, is_at_margin: true };
        self.tokens.get(self.at + count).or(self.tokens.last()).copied().unwrap_or(end)
    }

    fn previous(&self) -> GoToken {
        self.at.checked_sub(1).and_then(|at| self.tokens.get(at)).copied().unwrap_or_else(|| self.token())
    }

    fn word(&self) -> &'t str {
        match self.token().kind {
            TokenKind::Word => self.token().text(self.text),
            _ => "",
        }
    }

    fn is(&self, sign: u8) -> bool {
        self.token().is(sign)
    }

    /// Whether the statement ends before the current token.
    fn is_ended(&self) -> bool {
        self.token().kind == TokenKind::End
            || self.is(b';')
            || self.token().begins_line && self.previous().ends_statement(self.text)
    }

    fn fail(&self, expected: Expectation) -> Stop {
        let (found, previous) = (self.token(), self.previous());
        let expected = if found.text(self.text) == "/*" { Expectation::CommentEnd } else { expected };
        let Self { declaration, long_tag, .. } = *self;
        Stop::Error(Box::new(FirstError { expected, found, previous, declaration, long_tag }))
    }

    /// Goes past the sign, or fails.
    fn take(&mut self, sign: u8, expected: Expectation) -> ParseResult {
        if !self.is(sign) || self.token().begins_line && self.previous().ends_statement(self.text) {
            return Err(self.fail(expected));
        }
        self.at += 1;
        Ok(())
    }

    /// Goes past a name, or fails.
    fn name(&mut self, expected: Expectation) -> ParseResult {
        if !self.token().is_name(self.text) {
            return Err(self.fail(expected));
        }
        self.at += 1;
        Ok(())
    }

    /// Goes past a text in these quotes, or fails.
    fn literal(&mut self) -> ParseResult {
        let TokenKind::Literal(quote) = self.token().kind else { return Ok(()) };
        let written = self.token().text(self.text);
        if written.len() < 2 || !written.ends_with(char::from(quote)) {
            return Err(self.fail(Expectation::Quote(quote)));
        }
        self.at += 1;
        Ok(())
    }

    fn file(&mut self) -> ParseResult {
        if self.word() != "package" {
            return Err(self.fail(Expectation::PackageClause));
        }
        self.at += 1;
        self.name(Expectation::Name)?;
        let mut lacks_body = false;
        loop {
            if !self.is_ended() {
                return Err(self.fail(Expectation::End));
            }
            self.skip_semicolons();
            if self.token().kind == TokenKind::End {
                return Ok(());
            }
            self.declaration = self.previous().span.end;
            lacks_body = self.declare(lacks_body)?;
        }
    }

    fn skip_semicolons(&mut self) {
        while self.is(b';') {
            self.at += 1;
        }
    }

    /// Reads a declaration. Returns whether it is a function without a body.
    fn declare(&mut self, lacks_body: bool) -> Result<bool, Stop> {
        let keyword = self.word();
        let spec: fn(&mut Self) -> ParseResult = match keyword {
            "import" => Self::import,
            "const" | "var" => Self::values,
            "type" => Self::type_spec,
            "func" => {
                self.at += 1;
                return self.function();
            }
            _ if lacks_body => return Err(self.fail(Expectation::Body)),
            _ => return Err(self.fail(Expectation::Declaration)),
        };
        self.at += 1;
        if !self.is(b'(') {
            spec(self)?;
            return Ok(false);
        }
        let opener = self.token().span;
        self.at += 1;
        loop {
            self.skip_semicolons();
            if self.is(b')') {
                self.at += 1;
                return Ok(false);
            }
            if self.is_outside() {
                return Err(self.fail(Expectation::Closing(b'(', opener)));
            }
            spec(self)?;
            if !self.is_ended() && !self.is(b')') {
                return Err(self.fail(Expectation::End));
            }
        }
    }

    /// Whether the current token is not within brackets: another declaration or the end of the file.
    fn is_outside(&self) -> bool {
        self.token().kind == TokenKind::End || self.token().begins_declaration(self.text)
    }

    fn import(&mut self) -> ParseResult {
        let has_name = self.token().is_name(self.text) || self.is(b'.');
        if has_name && matches!(self.ahead(1).kind, TokenKind::Literal(_) | TokenKind::Word) {
            self.at += 1;
        }
        if !matches!(self.token().kind, TokenKind::Literal(b'"' | b'`')) {
            return Err(self.fail(Expectation::ImportPath));
        }
        self.literal()
    }

    /// The names of constants or variables, their type and their values.
    fn values(&mut self) -> ParseResult {
        self.name(Expectation::Name)?;
        while self.is(b',') {
            self.at += 1;
            self.name(Expectation::Name)?;
        }
        if self.is_ended() || self.is(b')') {
            return Ok(());
        }
        if matches!(self.token().kind, TokenKind::Literal(_)) {
            return Err(self.fail(Expectation::Equals));
        }
        if !self.is(b'=') {
            self.type_expr(0)?;
        }
        if self.is_ended() || self.is(b')') {
            return Ok(());
        }
        self.take(b'=', Expectation::Equals)?;
        self.skip_value()
    }

    /// Goes past values, to the end of their statement.
    fn skip_value(&mut self) -> ParseResult {
        while !self.is_ended() && !self.is(b')') {
            match self.token().kind {
                TokenKind::Literal(_) => self.literal()?,
                TokenKind::Sign(b'(' | b'[' | b'{') => self.skip_brackets()?,
                _ if self.is_outside() => return Err(self.fail(Expectation::End)),
                _ => self.at += 1,
            }
        }
        Ok(())
    }

    /// Goes past the bracket that closes the current one. If there is none, fails before the next declaration.
    fn skip_brackets(&mut self) -> ParseResult {
        let (start, mut depth) = (self.at, 0_usize);
        let TokenKind::Sign(opening) = self.token().kind else { return Ok(()) };
        let opener = self.token().span;
        while let Some(token) = self.tokens.get(self.at) {
            match token.kind {
                TokenKind::Sign(b'(' | b'[' | b'{') => depth += 1,
                TokenKind::Sign(b')' | b']' | b'}') => depth = depth.saturating_sub(1),
                _ => {}
            }
            self.at += 1;
            if depth == 0 {
                return Ok(());
            }
        }
        self.at = start + 1;
        while !self.is_outside() {
            self.at += 1;
        }
        Err(self.fail(Expectation::Closing(opening, opener)))
    }

    fn type_spec(&mut self) -> ParseResult {
        self.name(Expectation::Name)?;
        if self.is(b'[') && !self.ahead(1).is(b']') {
            // Type parameters, or the length of an array.
            self.skip_brackets()?;
        }
        if self.is(b'=') {
            self.at += 1;
        }
        self.type_expr(0)
    }

    /// A function after its keyword. Returns whether it has no body.
    fn function(&mut self) -> Result<bool, Stop> {
        if self.is(b'(') {
            self.skip_brackets()?;
        }
        self.name(Expectation::Name)?;
        if self.is(b'[') {
            self.skip_brackets()?;
        }
        if !self.is(b'(') {
            return Err(self.fail(Expectation::Opening(b'(')));
        }
        while !self.is_ended() {
            let is_type = matches!(self.previous().text(self.text), "struct" | "interface");
            match self.token().kind {
                TokenKind::Sign(b'{') if !is_type => {
                    self.skip_brackets()?;
                    return Ok(false);
                }
                TokenKind::Sign(b'(' | b'[' | b'{') => self.skip_brackets()?,
                _ => self.at += 1,
            }
        }
        Ok(true)
    }
}
