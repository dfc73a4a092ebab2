//! The recognizer below the grammar: which tokens are allowed, and how the parser recovers from an error.
//!
//! It follows the error strategy of the parser generator that cel-go uses, because the API server's text
//! contains its messages and positions. One superfluous token is deleted, a missing one is inserted;
//! otherwise the rule ends, and tokens are skipped up to one that an enclosing rule expects.

use text::{TextRange, TextSize};

use crate::ast::{Ast, ExprId};
use crate::issue::{Issue, IssueCode};
use crate::lexer::LexError;
use crate::parser::ParseOptions;
use crate::token::{Token, TokenKind, TokenSet};

/// Limits of cel-go's parser.
const MAX_RULE_DEPTH: u16 = 250;
const MAX_RECOVERIES: u32 = 30;
const MAX_SKIPPED_TOKENS: u32 = 256;

/// The rules of the grammar, for the limit on their nesting.
#[derive(Clone, Copy)]
pub(super) enum Rule {
    Expr,
    Or,
    And,
    Relation,
    Calc,
    Unary,
    Member,
    Primary,
    ExprList,
    ListInit,
    FieldList,
    OptField,
    MapList,
    EscapeIdent,
    OptExpr,
    Literal,
}

/// A position in the grammar. The numbers only distinguish positions: an error at the same position and token
/// as the previous one skips a token.
pub(super) type State = u16;

/// Why a rule ends early.
pub(super) enum Failure {
    /// The token is not expected here.
    Mismatch(TokenSet),
    /// The tokens from here to the second index start no alternative.
    NoViable(usize, usize),
    /// The parser stopped.
    Aborted,
}

/// The numbers of issues at a place of the text.
pub(super) struct IssueCounts {
    syntax: usize,
    issues: usize,
}

pub(super) type Step<T = ()> = Result<T, Failure>;

struct Invocation {
    follow: TokenSet,
    /// The union of `follow` of this and all enclosing rules.
    recovery: TokenSet,
}

pub(super) struct Parser<'a> {
    pub(super) text: &'a str,
    tokens: Vec<Token>,
    lex_errors: Vec<LexError>,
    position: usize,
    /// The furthest token that was looked at.
    furthest: usize,
    pub(super) state: State,
    recovering: bool,
    last_error: Option<usize>,
    last_error_states: Vec<State>,
    recoveries: u32,
    stack: Vec<Invocation>,
    depths: [u16; 16],
    aborted: bool,
    pub(super) syntax: Vec<Issue>,
    pub(super) issues: Vec<Issue>,
    /// Nodes that cel-go positions before the text.
    pub(super) unplaced: Vec<ExprId>,
    pub(super) ast: Ast,
    pub(super) options: ParseOptions,
    pub(super) too_deep: bool,
}

impl<'a> Parser<'a> {
    pub(super) fn new(
        text: &'a str,
        tokens: Vec<Token>,
        lex_errors: Vec<LexError>,
        options: ParseOptions,
    ) -> Self {
        Self {
            text,
            tokens,
            lex_errors,
            position: 0,
            furthest: 0,
            state: 0,
            recovering: false,
            last_error: None,
            last_error_states: Vec::new(),
            recoveries: 0,
            stack: Vec::with_capacity(32),
            depths: [0; 16],
            aborted: false,
            syntax: Vec::new(),
            issues: Vec::new(),
            unplaced: Vec::new(),
            ast: Ast::new(),
            options,
            too_deep: false,
        }
    }

    // ---- tokens

    pub(super) fn peek(&mut self) -> TokenKind {
        self.look(1).kind
    }

    /// The `ahead`-th token from here, with 1 as the next one; after the end, the last token.
    pub(super) fn look(&mut self, ahead: usize) -> Token {
        let at = (self.position + ahead - 1).min(self.tokens.len() - 1);
        self.furthest = self.furthest.max(at);
        self.tokens[at]
    }

    pub(super) fn current_offset(&self) -> TextSize {
        self.tokens[self.position].range.start
    }

    /// The end of the previous token, or the start of the text.
    pub(super) fn consumed_end(&self) -> TextSize {
        self.position.checked_sub(1).and_then(|at| self.tokens.get(at)).map_or(0, |token| token.range.end)
    }

    pub(super) fn range_from(&self, start: TextSize) -> TextRange {
        TextRange::new(start, self.consumed_end())
    }

    pub(super) fn slice(&self, range: TextRange) -> &'a str {
        self.text.get(range.as_usize()).unwrap_or_default()
    }

    fn consume(&mut self) -> Token {
        let token = self.tokens[self.position];
        if token.kind != TokenKind::Eof {
            self.position += 1;
        }
        token
    }

    pub(super) fn position(&self) -> usize {
        self.position
    }

    // ---- rules

    /// Runs `body` as an invocation of `rule`, after which the caller expects `follow`.
    pub(super) fn enter<T: Default>(
        &mut self,
        rule: Rule,
        follow: TokenSet,
        body: impl FnOnce(&mut Self) -> T,
    ) -> T {
        if self.aborted {
            return T::default();
        }
        let depth = &mut self.depths[rule as usize];
        if *depth >= MAX_RULE_DEPTH {
            self.abort(Some(format!("expression recursion limit exceeded: {MAX_RULE_DEPTH}")));
            return T::default();
        }
        *depth += 1;
        let recovery = self.recovery_set().union(follow.without_rule_end());
        self.stack.push(Invocation { follow, recovery });
        let state = self.state;
        let result = body(self);
        self.state = state;
        self.stack.pop();
        self.depths[rule as usize] -= 1;
        result
    }

    /// Ends a rule: reports why it failed and skips tokens that no enclosing rule expects.
    pub(super) fn leave(&mut self, outcome: Step) {
        let Err(failure) = outcome else { return };
        self.report(&failure);
        self.recover();
    }

    /// Makes sure that the next token is one of `next` before a choice is made.
    pub(super) fn sync(&mut self, state: State, next: TokenSet) -> Step {
        self.state = state;
        if self.aborted {
            return Err(Failure::Aborted);
        }
        if self.recovering || next.has_rule_end() || next.contains(self.peek()) {
            return Ok(());
        }
        let expected = self.expected(next);
        if self.delete_token(expected).is_some() { Ok(()) } else { Err(Failure::Mismatch(expected)) }
    }

    /// The same between two iterations of a loop: wrong tokens are skipped, and the loop continues or ends.
    pub(super) fn sync_loop(&mut self, state: State, next: TokenSet) -> Step {
        self.state = state;
        if self.aborted {
            return Err(Failure::Aborted);
        }
        if self.recovering || next.has_rule_end() || next.contains(self.peek()) {
            return Ok(());
        }
        let expected = self.expected(next);
        self.report_unwanted(expected);
        self.consume_until(expected.union(self.recovery_set()), None);
        Ok(())
    }

    /// The next token if it is `kind`, else the result of error recovery; `after` are the tokens that may follow.
    pub(super) fn expect(&mut self, state: State, kind: TokenKind, after: TokenSet) -> Step<Token> {
        self.state = state;
        if self.aborted {
            return Err(Failure::Aborted);
        }
        if self.peek() == kind {
            self.end_error();
            return Ok(self.consume());
        }
        self.recover_inline(kind, after)
    }

    pub(super) fn no_viable<T>(&self, from: usize, to: usize) -> Step<T> {
        Err(Failure::NoViable(from, to.min(self.tokens.len() - 1)))
    }

    // ---- errors

    fn recovery_set(&self) -> TokenSet {
        self.stack.last().map_or(TokenSet::EMPTY, |top| top.recovery)
    }

    fn expected(&self, next: TokenSet) -> TokenSet {
        let mut set = next;
        let mut ends = next.has_rule_end();
        for invocation in self.stack.iter().rev() {
            if !ends {
                break;
            }
            set = set.union(invocation.follow);
            ends = invocation.follow.has_rule_end();
        }
        let set = set.without_rule_end();
        if ends { set.union(TokenSet::of(&[TokenKind::Eof])) } else { set }
    }

    fn end_error(&mut self) {
        self.recovering = false;
        self.last_error = None;
        self.last_error_states.clear();
    }

    fn report(&mut self, failure: &Failure) {
        if self.recovering || self.aborted {
            return;
        }
        self.recovering = true;
        match *failure {
            Failure::Mismatch(expected) => {
                let message =
                    format!("mismatched input {} expecting {}", self.token_text(), expected.display());
                self.syntax_error(self.position, message);
            }
            Failure::NoViable(from, to) => {
                let message = self.no_viable_message(from, to);
                self.syntax_error(to, message);
            }
            Failure::Aborted => {}
        }
    }

    fn no_viable_message(&self, from: usize, to: usize) -> String {
        let start = self.tokens[from];
        let last = self.tokens[to];
        if start.kind == TokenKind::Eof {
            return "no viable alternative at input '<EOF>'".to_owned();
        }
        let end = if last.kind == TokenKind::Eof { self.text.len() as TextSize } else { last.range.end };
        let input = self.without_lex_errors(TextRange::new(start.range.start, end));
        // cel-go rewrites `.true`, `.false` and `.null`.
        let mut chars = input.chars();
        if chars.next().is_some_and(|c| c != '\n') && matches!(chars.as_str(), "true" | "false" | "null") {
            return format!("mismatched input '{}' expecting IDENTIFIER", chars.as_str());
        }
        format!("no viable alternative at input {}", quoted(&input))
    }

    fn without_lex_errors(&self, range: TextRange) -> String {
        let mut out = String::new();
        let mut start = range.start;
        for error in self.lex_errors.iter().filter(|error| range.contains_range(error.range)) {
            out.push_str(self.slice(TextRange::new(start, error.range.start)));
            start = error.range.end;
        }
        out.push_str(self.slice(TextRange::new(start, range.end)));
        out
    }

    fn report_unwanted(&mut self, expected: TokenSet) {
        if self.recovering {
            return;
        }
        self.recovering = true;
        let message = format!("extraneous input {} expecting {}", self.token_text(), expected.display());
        self.syntax_error(self.position, message);
    }

    fn token_text(&self) -> String {
        let token = self.tokens[self.position];
        if token.kind == TokenKind::Eof { "'<EOF>'".to_owned() } else { quoted(self.slice(token.range)) }
    }

    fn syntax_error(&mut self, at: usize, message: String) {
        let range = self.tokens[at.min(self.tokens.len() - 1)].range;
        let message = format!("Syntax error: {message}");
        self.syntax.push(Issue {
            code: IssueCode::Syntax,
            range,
            anchor: Some(range.start),
            types: Vec::new(),
            message,
        });
    }

    /// Stops the parser: it reads no further token and reports no further error.
    fn abort(&mut self, message: Option<String>) {
        if let Some(message) = message {
            let range = TextRange::new(0, self.text.len() as TextSize);
            self.syntax.push(Issue {
                code: IssueCode::Limit,
                range,
                anchor: None,
                types: Vec::new(),
                message,
            });
        }
        self.aborted = true;
        self.position = self.tokens.len() - 1;
    }

    /// Disables the optional features of the parser when macros would make the tree too large. The other
    /// issues stay.
    pub(super) fn give_up_macros(&mut self) {
        self.options = ParseOptions { optional_syntax: false, two_variable_macros: false, sort_by: false };
    }

    fn delete_token(&mut self, expected: TokenSet) -> Option<()> {
        if !expected.contains(self.look(2).kind) {
            return None;
        }
        self.report_unwanted(expected);
        self.consume();
        self.end_error();
        Some(())
    }

    fn count_recovery(&mut self) -> Step {
        if self.aborted {
            return Err(Failure::Aborted);
        }
        if self.recoveries == MAX_RECOVERIES {
            self.syntax_error(
                self.position,
                format!("error recovery attempt limit exceeded: {MAX_RECOVERIES}"),
            );
            self.abort(None);
            return Err(Failure::Aborted);
        }
        self.recoveries += 1;
        Ok(())
    }

    fn recover_inline(&mut self, kind: TokenKind, after: TokenSet) -> Step<Token> {
        self.count_recovery()?;
        let wanted = TokenSet::of(&[kind]);
        if self.delete_token(wanted).is_some() {
            return Ok(self.consume());
        }
        let next = self.peek();
        if self.expected(after).contains(next) {
            if !self.recovering {
                self.recovering = true;
                let message = format!("missing {} at {}", wanted.display(), self.token_text());
                self.syntax_error(self.position, message);
            }
            return Ok(Token { kind, range: TextRange::empty(self.consumed_end()) });
        }
        Err(Failure::Mismatch(wanted))
    }

    fn recover(&mut self) {
        if self.count_recovery().is_err() {
            return;
        }
        let mut budget = MAX_SKIPPED_TOKENS;
        if self.last_error == Some(self.position) && self.last_error_states.contains(&self.state) {
            self.consume();
            budget -= 1;
        }
        self.last_error = Some(self.position);
        self.last_error_states.push(self.state);
        self.consume_until(self.recovery_set(), Some(budget));
    }

    fn consume_until(&mut self, set: TokenSet, mut budget: Option<u32>) {
        loop {
            let next = self.peek();
            if next == TokenKind::Eof || set.contains(next) {
                return;
            }
            match &mut budget {
                Some(0) => {
                    let message =
                        format!("error recovery token lookahead limit exceeded: {MAX_SKIPPED_TOKENS}");
                    return self.abort(Some(message));
                }
                Some(left) => *left -= 1,
                None => {}
            }
            self.consume();
        }
    }

    /// Returns to the token at `at`, with all recovery attempts available again; `None` if the parser
    /// stopped. Pass the result to [`Parser::restore`].
    pub(super) fn resume_at(&mut self, at: usize) -> Option<IssueCounts> {
        if self.aborted {
            return None;
        }
        self.position = at;
        self.recoveries = 0;
        self.end_error();
        Some(IssueCounts { syntax: self.syntax.len(), issues: self.issues.len() })
    }

    /// Discards the issues since [`Parser::resume_at`].
    pub(super) fn restore(&mut self, before: IssueCounts) {
        self.syntax.truncate(before.syntax);
        self.issues.truncate(before.issues);
        self.aborted = false;
    }

    pub(super) fn skip(&mut self) {
        self.consume();
    }

    /// All issues in cel-go's order, and the tree.
    pub(super) fn finish(mut self) -> (Ast, Vec<Issue>) {
        let lexical =
            self.lex_errors.iter().filter(|error| error.before_token <= self.furthest).map(|error| Issue {
                code: IssueCode::Lexical,
                range: error.range,
                anchor: Some(error.range.start),
                types: Vec::new(),
                message: format!(
                    "Syntax error: token recognition error at: '{}'",
                    self.text.get(error.range.as_usize()).unwrap_or_default()
                ),
            });
        let mut issues: Vec<_> = lexical.collect();
        issues.append(&mut self.syntax);
        crate::issue::sort(&mut issues);
        if !self.aborted {
            issues.append(&mut self.issues);
            crate::issue::sort(&mut issues);
        }
        (self.ast, issues)
    }
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\t', "\\t").replace('\n', "\\n").replace('\r', "\\r"))
}
