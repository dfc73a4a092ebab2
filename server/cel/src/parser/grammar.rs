//! The grammar, rule by rule, and the tree of each rule.

mod aggregates;
mod members;
mod operators;
mod primaries;

use text::{TextRange, TextSize};

use super::recognizer::{Parser, Rule, Step};
use crate::ast::{ExprId, ExprKind, Function, Operator};
use crate::issue::{Issue, IssueCode};
use crate::token::{EXPR_START, TokenKind as T, TokenSet};

/// The maximum nesting of operators, selections, indices and receivers in cel-go.
const MAX_DEPTH: u16 = 250;

/// A part of the tree that a rule has parsed.
#[derive(Clone, Copy)]
pub(super) struct Operand {
    pub(super) id: ExprId,
    /// Its start, including parentheses.
    pub(super) start: TextSize,
    /// The nesting depth of operators, selections, indices and receivers in it.
    pub(super) depth: u16,
}

const RULE_END: TokenSet = TokenSet::RULE_END;
const AFTER_PRIMARY: TokenSet = TokenSet::of(&[T::Dot, T::LeftBracket]).or_rule_end();
const AFTER_CALC: TokenSet = TokenSet::of(&[T::Star, T::Slash, T::Percent, T::Plus, T::Minus]).or_rule_end();
const AFTER_RELATION: TokenSet =
    TokenSet::of(&[T::EqualEqual, T::NotEqual, T::In, T::Less, T::LessEqual, T::GreaterEqual, T::Greater])
        .or_rule_end();
const AFTER_ITEM: TokenSet = TokenSet::of(&[T::Comma]).or_rule_end();
const IDENTIFIER_START: TokenSet = TokenSet::of(&[T::Identifier, T::EscapedIdentifier]);

const fn set_of(kind: T) -> TokenSet {
    TokenSet::of(&[kind])
}

const fn or_comma(kind: T) -> TokenSet {
    TokenSet::of(&[kind, T::Comma])
}

impl Parser<'_> {
    pub(super) fn start(&mut self) {
        self.state = 34;
        let root = self.expr(set_of(T::Eof));
        let end = self.expect(35, T::Eof, RULE_END);
        let following = end.is_err().then(|| self.position());
        self.leave(end.map(|_| ()));
        self.ast.root = root.id;
        if let Some(following) = following {
            self.read_the_rest(following);
        }
    }

    /// Parses text that error recovery skipped, for hovers and completion. Its errors are not reported, as
    /// the API server does not parse it.
    fn read_the_rest(&mut self, from: usize) {
        let Some(saved) = self.resume_at(from) else { return };
        while self.peek() != T::Eof {
            let before = self.position();
            if EXPR_START.contains(self.peek()) {
                let part = self.expr(set_of(T::Eof));
                self.ast.rest.push(part.id);
            }
            if self.position() == before {
                self.skip();
            }
        }
        self.restore(saved);
    }

    pub(super) fn issue(&mut self, code: IssueCode, range: TextRange, message: impl Into<String>) {
        self.issues.push(Issue {
            code,
            range,
            anchor: Some(range.start),
            types: Vec::new(),
            message: message.into(),
        });
    }

    fn present(&mut self, operand: Option<Operand>) -> Operand {
        operand.unwrap_or_else(|| self.missing())
    }

    /// A missing expression.
    fn missing(&mut self) -> Operand {
        let missing = self.missing_at(self.consumed_end());
        self.unplaced.push(missing.id);
        missing
    }

    fn missing_at(&mut self, anchor: TextSize) -> Operand {
        let start = self.consumed_end();
        let id = self.ast.push(ExprKind::Error, TextRange::empty(start), anchor);
        Operand { id, start, depth: 0 }
    }

    fn operation(
        &mut self,
        operator: Operator,
        anchor: TextSize,
        operands: &[Operand],
        nests: bool,
    ) -> Operand {
        let start = operands.first().map_or(anchor, |first| first.start);
        let depth = operands.iter().map(|operand| operand.depth).max().unwrap_or(0);
        let mut ids = [ExprId::FIRST; 3];
        for (id, operand) in ids.iter_mut().zip(operands) {
            *id = operand.id;
        }
        let args = self.ast.push_list(ids.get(..operands.len()).unwrap_or(&ids));
        let kind = ExprKind::Call { function: Function::Operator(operator), target: None, args };
        let end = match operator {
            Operator::And | Operator::Or => {
                operands.last().map_or(anchor, |last| self.ast.expr(last.id).range.end).max(anchor)
            }
            _ => self.consumed_end(),
        };
        let id = self.ast.push(kind, TextRange::new(start, end), anchor);
        self.limited(Operand { id, start, depth: depth + u16::from(nests) })
    }

    /// Replaces an expression that is nested too deeply for cel-go, so that no later stage can overflow the stack.
    fn limited(&mut self, operand: Operand) -> Operand {
        if operand.depth <= MAX_DEPTH {
            return operand;
        }
        if !self.too_deep {
            self.too_deep = true;
            let range = TextRange::new(0, self.text.len() as TextSize);
            let message = "max recursion depth exceeded".to_owned();
            self.issues.push(Issue {
                code: IssueCode::Limit,
                range,
                anchor: None,
                types: Vec::new(),
                message,
            });
        }
        let range = self.ast.expr(operand.id).range;
        let id = self.ast.push(ExprKind::Error, range, operand.start);
        Operand { id, start: operand.start, depth: 0 }
    }
}

/// Words of the grammar: the reserved words that cannot be names of fields either.
#[must_use]
pub fn is_keyword(word: &str) -> bool {
    matches!(word, "in" | "true" | "false" | "null")
}

/// Words that cannot be names of variables or functions.
#[must_use]
pub fn is_reserved(word: &str) -> bool {
    matches!(
        word,
        "as" | "break"
            | "const"
            | "continue"
            | "else"
            | "false"
            | "for"
            | "function"
            | "if"
            | "import"
            | "in"
            | "let"
            | "loop"
            | "package"
            | "namespace"
            | "null"
            | "return"
            | "true"
            | "var"
            | "void"
            | "while"
    )
}
