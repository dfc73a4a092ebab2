//! Literals, names, calls without receiver and parenthesized expressions.

use text::{TextRange, TextSize};

use super::{AFTER_PRIMARY, Operand, Parser, RULE_END, Rule, Step, is_reserved, set_of};
use crate::ast::ExprKind;
use crate::issue::IssueCode;
use crate::parser::literals;
use crate::token::{EXPR_START, LITERAL_START, MEMBER_START, Token, TokenKind as T, TokenSet};

impl Parser<'_> {
    pub(super) fn primary(&mut self, follow: TokenSet) -> Operand {
        let read = self.enter(Rule::Primary, follow, |p| {
            let mut result = None;
            let end = p.primary_alternative(&mut result);
            p.leave(end);
            result
        });
        self.present(read)
    }

    pub(super) fn primary_alternative(&mut self, result: &mut Option<Operand>) -> Step {
        self.sync(184, MEMBER_START)?;
        let start = self.current_offset();
        match self.peek() {
            T::LeftParen => {
                self.expect(144, T::LeftParen, EXPR_START)?;
                self.state = 145;
                let inner = self.expr(set_of(T::RightParen));
                let end = self.expect(146, T::RightParen, AFTER_PRIMARY);
                *result = Some(Operand { start, ..inner });
                end.map(|_| ())
            }
            T::LeftBracket => self.create_list(result),
            T::LeftBrace => self.create_map(result),
            T::Dot | T::Identifier => self.name_or_call(result),
            next if LITERAL_START.contains(next) => {
                self.state = 183;
                *result = self.enter(Rule::Literal, RULE_END, |p| {
                    let mut value = None;
                    let end = p.literal(&mut value);
                    p.leave(end);
                    value
                });
                Ok(())
            }
            _ => self.no_viable(self.position(), self.position()),
        }
    }

    pub(super) fn literal(&mut self, result: &mut Option<Operand>) -> Step {
        self.sync(256, LITERAL_START)?;
        let start = self.current_offset();
        let negative = self.peek() == T::Minus;
        let kind = if negative { self.look(2).kind } else { self.peek() };
        if negative {
            if !matches!(kind, T::Int | T::Float) {
                return self.no_viable(self.position(), self.position() + 1);
            }
            self.expect(242, T::Minus, set_of(kind))?;
        } else if !LITERAL_START.contains(kind) {
            return self.no_viable(self.position(), self.position());
        }
        let token = self.expect(245, kind, RULE_END)?;
        let range = self.range_from(start);
        let kind = match literals::value(kind, self.slice(token.range), negative) {
            Ok(value) => ExprKind::Literal(value),
            Err(message) => {
                self.issue(IssueCode::Literal, range, message);
                ExprKind::Error
            }
        };
        let id = self.ast.push(kind, range, start);
        *result = Some(Operand { id, start, depth: 0 });
        Ok(())
    }

    /// An identifier, a call of a function without receiver, or a message.
    pub(super) fn name_or_call(&mut self, result: &mut Option<Operand>) -> Step {
        let start = self.current_offset();
        let mut at = 1;
        if self.peek() == T::Dot {
            if self.look(2).kind != T::Identifier {
                return self.no_viable(self.position(), self.position() + 1);
            }
            at = 2;
        }
        while self.look(at + 1).kind == T::Dot && self.look(at + 2).kind == T::Identifier {
            at += 2;
        }
        if self.look(at + 1).kind == T::LeftBrace {
            return self.create_message(result);
        }
        if self.peek() == T::Dot {
            self.expect(131, T::Dot, set_of(T::Identifier))?;
        }
        let name = self.expect(134, T::Identifier, RULE_END)?;
        let reserved = is_reserved(self.slice(name.range));
        let text = self.slice(name.range);
        let full = if name.range.start == start { text.to_owned() } else { format!(".{text}") };
        if self.look(1).kind == T::LeftParen {
            return self.global_call(result, start, name, &full, reserved);
        }
        let kind = if reserved {
            self.reserved(TextRange::new(start, name.range.end), name);
            ExprKind::Error
        } else {
            ExprKind::Ident(self.ast.intern(&full))
        };
        let anchor = if reserved { start } else { name.range.start };
        let id = self.ast.push(kind, TextRange::new(start, name.range.end), anchor);
        *result = Some(Operand { id, start, depth: 0 });
        Ok(())
    }

    pub(super) fn global_call(
        &mut self,
        result: &mut Option<Operand>,
        start: TextSize,
        name: Token,
        full: &str,
        reserved: bool,
    ) -> Step {
        let paren = self.expect(139, T::LeftParen, EXPR_START)?;
        let issues = self.issues.len();
        let mut args = vec![];
        let end = self.arguments(&mut args, [141, 140, 143]);
        if reserved {
            self.issues.truncate(issues);
            self.reserved(TextRange::new(start, name.range.end), name);
            let id = self.ast.push(ExprKind::Error, self.range_from(start), start);
            *result = Some(Operand { id, start, depth: 0 });
        } else {
            *result = Some(self.call(name.range, full, paren, None, &args, start));
        }
        end
    }

    pub(super) fn reserved(&mut self, range: TextRange, name: Token) {
        let message = format!("reserved identifier: {}", self.slice(name.range));
        self.issue(IssueCode::ReservedWord, range, message);
    }
}
