//! Selections, calls on a receiver and indices.

use text::{TextRange, TextSize};

use super::{AFTER_ITEM, AFTER_PRIMARY, IDENTIFIER_START, Operand, Parser, RULE_END, Rule, Step, set_of};
use crate::ast::{ExprKind, Literal, Operator};
use crate::issue::IssueCode;
use crate::token::{EXPR_START, Token, TokenKind as T, TokenSet};

impl Parser<'_> {
    pub(super) fn member(&mut self, follow: TokenSet) -> Operand {
        let read = self.enter(Rule::Member, follow, |p| {
            p.state = 102;
            let mut operand = p.primary(AFTER_PRIMARY);
            loop {
                let end = match p.peek() {
                    T::LeftBracket => p.index(&mut operand),
                    T::Dot => p.select_or_call(&mut operand),
                    _ => break,
                };
                if end.is_err() {
                    p.leave(end);
                    break;
                }
            }
            Some(operand)
        });
        self.present(read)
    }

    pub(super) fn index(&mut self, operand: &mut Operand) -> Step {
        let bracket = self.expect(119, T::LeftBracket, EXPR_START)?;
        let anchor = bracket.range.start;
        let mut optional = false;
        let mut index = None;
        let end = self.index_body(&mut optional, &mut index);
        let index = index.unwrap_or_else(|| self.missing());
        if optional && !self.options.optional_syntax {
            self.issue(IssueCode::Unsupported, bracket.range, "unsupported syntax '[?'");
        }
        let operator = if optional { Operator::OptIndex } else { Operator::Index };
        *operand = self.operation(operator, anchor, &[*operand, index], true);
        end
    }

    pub(super) fn index_body(&mut self, optional: &mut bool, index: &mut Option<Operand>) -> Step {
        self.sync(121, EXPR_START.union(set_of(T::Question)))?;
        if self.peek() == T::Question {
            self.expect(120, T::Question, EXPR_START)?;
            *optional = true;
        }
        self.state = 123;
        *index = Some(self.expr(set_of(T::RightBracket)));
        self.expect(124, T::RightBracket, AFTER_PRIMARY).map(|_| ())
    }

    pub(super) fn select_or_call(&mut self, operand: &mut Operand) -> Step {
        self.state = 126;
        match self.look(2).kind {
            T::Identifier if self.look(3).kind == T::LeftParen => self.member_call(operand),
            T::Identifier | T::EscapedIdentifier | T::Question => self.select(operand),
            _ => {
                let dot = self.look(1);
                let failure = self.no_viable(self.position(), self.position() + 1);
                // The dot is present, but the field is not written yet.
                *operand = self.selection(*operand, dot, "", TextRange::empty(dot.range.end), dot.range.end);
                failure
            }
        }
    }

    pub(super) fn select(&mut self, operand: &mut Operand) -> Step {
        let dot = self.expect(105, T::Dot, IDENTIFIER_START)?;
        let optional = self.peek() == T::Question;
        if optional {
            self.expect(106, T::Question, IDENTIFIER_START)?;
        }
        self.state = 109;
        let (field, field_range) = self.escape_ident(AFTER_PRIMARY, None);
        let text = self.slice(field).to_owned();
        if !optional {
            *operand = self.selection(*operand, dot, &text, field_range, self.consumed_end());
            return Ok(());
        }
        if !self.options.optional_syntax {
            self.issue(IssueCode::Unsupported, dot.range, "unsupported syntax '.?'");
        }
        let name =
            self.ast.push(ExprKind::Literal(Literal::String(text.into())), field_range, field_range.start);
        let args = [*operand, Operand { id: name, start: field_range.start, depth: 0 }];
        *operand = self.operation(Operator::OptSelect, dot.range.start, &args, true);
        Ok(())
    }

    pub(super) fn selection(
        &mut self,
        operand: Operand,
        dot: Token,
        field: &str,
        field_range: TextRange,
        end: TextSize,
    ) -> Operand {
        let field = self.ast.intern(field);
        let kind = ExprKind::Select { operand: operand.id, field, field_range, test_only: false };
        let id = self.ast.push(kind, TextRange::new(operand.start, end), dot.range.start);
        self.limited(Operand { id, start: operand.start, depth: operand.depth + 1 })
    }

    pub(super) fn member_call(&mut self, operand: &mut Operand) -> Step {
        self.expect(111, T::Dot, set_of(T::Identifier))?;
        let name = self.expect(112, T::Identifier, set_of(T::LeftParen))?;
        let paren = self.expect(113, T::LeftParen, EXPR_START)?;
        let mut args = vec![];
        let end = self.arguments(&mut args, [115, 114, 117]);
        *operand = self.call(name.range, self.slice(name.range), paren, Some(*operand), &args, operand.start);
        *operand = self.limited(Operand { depth: operand.depth + 1, ..*operand });
        end
    }

    /// The arguments of a call, and the closing parenthesis.
    pub(super) fn arguments(&mut self, args: &mut Vec<Operand>, [before, list, close]: [u16; 3]) -> Step {
        self.sync(before, EXPR_START.union(set_of(T::RightParen)))?;
        if EXPR_START.contains(self.peek()) {
            self.state = list;
            let items = self.enter(Rule::ExprList, set_of(T::RightParen), |p| {
                p.state = 187;
                let mut items = vec![p.expr(AFTER_ITEM)];
                while p.peek() == T::Comma {
                    if let Err(failure) = p.expect(188, T::Comma, EXPR_START) {
                        p.leave(Err(failure));
                        break;
                    }
                    p.state = 189;
                    items.push(p.expr(AFTER_ITEM));
                }
                items
            });
            *args = items;
        }
        self.expect(close, T::RightParen, AFTER_PRIMARY).map(|_| ())
    }

    /// A name, possibly between backticks: the range of its text and the range of the token. If it is
    /// missing, the error is reported at `blamed`, or here.
    pub(super) fn escape_ident(
        &mut self,
        follow: TokenSet,
        blamed: Option<TextSize>,
    ) -> (TextRange, TextRange) {
        let start = self.current_offset();
        let token = self.enter(Rule::EscapeIdent, follow, |p| {
            let read = p.sync(235, IDENTIFIER_START).and_then(|()| match p.peek() {
                kind @ (T::Identifier | T::EscapedIdentifier) => p.expect(233, kind, RULE_END),
                _ => p.no_viable(p.position(), p.position()),
            });
            match read {
                Ok(token) => Some(token),
                Err(failure) => {
                    p.leave(Err(failure));
                    None
                }
            }
        });
        match token {
            Some(Token { kind: T::EscapedIdentifier, range }) => {
                (TextRange::new(range.start + 1, range.end - 1), range)
            }
            Some(Token { range, .. }) => (range, range),
            None => {
                let range = TextRange::empty(blamed.unwrap_or(start));
                self.issue(IssueCode::Syntax, range, "unsupported ident kind");
                (range, range)
            }
        }
    }
}
