//! Operators, from `? :` down to `!` and `-`.

use text::TextSize;

use super::{AFTER_CALC, AFTER_RELATION, Operand, Parser, RULE_END, Rule, Step, set_of};
use crate::ast::{ExprKind, Function, Operator};
use crate::token::{EXPR_START, MEMBER_START, TokenKind as T, TokenSet};

impl Parser<'_> {
    pub(super) fn expr(&mut self, follow: TokenSet) -> Operand {
        let read = self.enter(Rule::Expr, follow, |p| {
            p.state = 37;
            let mut result = p.or(set_of(T::Question).or_rule_end());
            let end = p.conditional(&mut result);
            p.leave(end);
            Some(result)
        });
        self.present(read)
    }

    pub(super) fn conditional(&mut self, result: &mut Operand) -> Step {
        if self.peek() != T::Question {
            return Ok(());
        }
        let operator = self.expect(38, T::Question, EXPR_START)?;
        self.state = 39;
        let yes = self.or(set_of(T::Colon));
        let colon = self.expect(40, T::Colon, EXPR_START);
        self.state = 41;
        let no = if colon.is_ok() { self.expr(RULE_END) } else { self.missing() };
        *result = self.operation(Operator::Conditional, operator.range.start, &[*result, yes, no], true);
        colon.map(|_| ())
    }

    pub(super) fn or(&mut self, follow: TokenSet) -> Operand {
        let read = self.enter(Rule::Or, follow, |p| {
            let and = |p: &mut Self| p.and(set_of(T::Or).or_rule_end());
            Some(p.logic(Operator::Or, T::Or, [45, 46, 47], and))
        });
        self.present(read)
    }

    pub(super) fn and(&mut self, follow: TokenSet) -> Operand {
        let read = self.enter(Rule::And, follow, |p| {
            let relation = |p: &mut Self| p.relation(0, set_of(T::And).or_rule_end());
            Some(p.logic(Operator::And, T::And, [53, 54, 55], relation))
        });
        self.present(read)
    }

    pub(super) fn logic(
        &mut self,
        operator: Operator,
        token: T,
        [first, on, next]: [u16; 3],
        operand: impl Fn(&mut Self) -> Operand,
    ) -> Operand {
        self.state = first;
        let mut terms = vec![];
        let mut anchors = vec![];
        let mut last = operand(self);
        while self.peek() == token {
            match self.expect(on, token, EXPR_START) {
                Ok(token) => anchors.push(token.range.start),
                Err(failure) => {
                    self.leave(Err(failure));
                    break;
                }
            }
            terms.push(last);
            self.state = next;
            last = operand(self);
        }
        if terms.is_empty() {
            return last;
        }
        terms.push(last);
        self.balanced(operator, &terms, &anchors)
    }

    /// Chains of `&&` and `||` become balanced trees.
    pub(super) fn balanced(
        &mut self,
        operator: Operator,
        terms: &[Operand],
        anchors: &[TextSize],
    ) -> Operand {
        let mid = anchors.len() / 2;
        let (Some((&anchor, rest)), Some((left, right))) =
            (anchors.get(mid..).and_then(<[_]>::split_first), terms.split_at_checked(mid + 1))
        else {
            return terms.first().copied().unwrap_or_else(|| self.missing());
        };
        let before = anchors.get(..mid).unwrap_or_default();
        let left = self.balanced(operator, left, before);
        let right = self.balanced(operator, right, rest);
        self.operation(operator, anchor, &[left, right], false)
    }

    pub(super) fn relation(&mut self, precedence: u8, follow: TokenSet) -> Operand {
        let read = self.enter(Rule::Relation, follow, |p| {
            p.state = 62;
            let mut left = p.calc(0, AFTER_RELATION);
            loop {
                let next = p.peek();
                let Some(operator) = relation_operator(next).filter(|_| precedence <= 1) else { break };
                let token = p.expect(65, next, EXPR_START);
                p.state = 66;
                let right = p.relation(2, AFTER_RELATION);
                let Ok(token) = token else { break };
                left = p.operation(operator, token.range.start, &[left, right], true);
            }
            Some(left)
        });
        self.present(read)
    }

    pub(super) fn calc(&mut self, precedence: u8, follow: TokenSet) -> Operand {
        let read = self.enter(Rule::Calc, follow, |p| {
            p.state = 73;
            let mut left = p.unary(AFTER_CALC);
            loop {
                let next = p.peek();
                let Some((operator, strength)) = calc_operator(next) else { break };
                if strength < precedence {
                    break;
                }
                let token = p.expect(76, next, EXPR_START);
                p.state = if strength == 2 { 77 } else { 80 };
                let right = p.calc(strength + 1, AFTER_CALC);
                let Ok(token) = token else { break };
                left = p.operation(operator, token.range.start, &[left, right], true);
            }
            Some(left)
        });
        self.present(read)
    }

    pub(super) fn unary(&mut self, follow: TokenSet) -> Operand {
        let start = self.current_offset();
        let read = self.enter(Rule::Unary, follow, |p| {
            let mut result = None;
            let end = p.unary_alternative(&mut result);
            p.leave(end);
            result
        });
        // cel-go places a missing operand at the token found instead.
        read.unwrap_or_else(|| self.missing_at(start))
    }

    pub(super) fn unary_alternative(&mut self, result: &mut Option<Operand>) -> Step {
        self.sync(99, EXPR_START)?;
        let start = self.current_offset();
        match self.peek() {
            T::Exclamation => {
                let mut count = 0;
                loop {
                    self.expect(87, T::Exclamation, EXPR_START)?;
                    count += 1;
                    self.sync_loop(90, EXPR_START)?;
                    if self.peek() != T::Exclamation {
                        break;
                    }
                }
                self.state = 92;
                let operand = self.member(RULE_END);
                *result = Some(self.prefixed(Operator::Not, start, count, operand));
                Ok(())
            }
            T::Minus if !matches!(self.look(2).kind, T::Int | T::Float) => {
                if !MEMBER_START.contains(self.look(2).kind) {
                    return self.no_viable(self.position(), self.position() + 1);
                }
                let mut count = 0;
                let failure = loop {
                    self.expect(93, T::Minus, MEMBER_START)?;
                    count += 1;
                    self.sync_loop(96, MEMBER_START)?;
                    let next = self.peek();
                    if next == T::Minus {
                        if MEMBER_START.contains(self.look(2).kind) {
                            continue;
                        }
                        break self.no_viable(self.position(), self.position() + 1);
                    }
                    if MEMBER_START.contains(next) {
                        break Ok(());
                    }
                    break self.no_viable(self.position(), self.position());
                };
                failure?;
                self.state = 98;
                let operand = self.member(RULE_END);
                *result = Some(self.prefixed(Operator::Negate, start, count, operand));
                Ok(())
            }
            next if MEMBER_START.contains(next) => {
                self.state = 86;
                *result = Some(self.member(RULE_END));
                Ok(())
            }
            _ => self.no_viable(self.position(), self.position()),
        }
    }

    /// An even number of `!` or `-` has no effect.
    pub(super) fn prefixed(
        &mut self,
        operator: Operator,
        start: TextSize,
        count: u32,
        operand: Operand,
    ) -> Operand {
        if count.is_multiple_of(2) {
            return Operand { start, ..operand };
        }
        let args = self.ast.push_list(&[operand.id]);
        let kind = ExprKind::Call { function: Function::Operator(operator), target: None, args };
        let id = self.ast.push(kind, self.range_from(start), start);
        Operand { id, start, depth: operand.depth }
    }
}

fn relation_operator(kind: T) -> Option<Operator> {
    Some(match kind {
        T::EqualEqual => Operator::Equals,
        T::NotEqual => Operator::NotEquals,
        T::In => Operator::In,
        T::Less => Operator::Less,
        T::LessEqual => Operator::LessEquals,
        T::GreaterEqual => Operator::GreaterEquals,
        T::Greater => Operator::Greater,
        _ => return None,
    })
}

/// The operator and its precedence.
fn calc_operator(kind: T) -> Option<(Operator, u8)> {
    Some(match kind {
        T::Star => (Operator::Multiply, 2),
        T::Slash => (Operator::Divide, 2),
        T::Percent => (Operator::Modulo, 2),
        T::Plus => (Operator::Add, 1),
        T::Minus => (Operator::Subtract, 1),
        _ => return None,
    })
}
