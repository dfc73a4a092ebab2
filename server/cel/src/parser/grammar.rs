//! The grammar, rule by rule, and the tree that each rule makes.

use text::{TextRange, TextSize};

use super::literals;
use super::recognizer::{Parser, Rule, Step};
use crate::ast::{Entry, EntryKey, ExprId, ExprKind, Function, Literal, Operator};
use crate::issue::{Issue, IssueCode};
use crate::token::{EXPR_START, LITERAL_START, MEMBER_START, Token, TokenKind as T, TokenSet};

/// How deep operators, selections, indices and receivers may nest in cel-go.
const MAX_DEPTH: u16 = 250;

/// A part of the tree that a rule has read.
#[derive(Clone, Copy)]
pub(super) struct Operand {
    pub(super) id: ExprId,
    /// Its first byte, parentheses included.
    pub(super) start: TextSize,
    /// How deep operators, selections, indices and receivers nest in it.
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

const fn only(kind: T) -> TokenSet {
    TokenSet::of(&[kind])
}

const fn or_comma(kind: T) -> TokenSet {
    TokenSet::of(&[kind, T::Comma])
}

impl Parser<'_> {
    pub(super) fn start(&mut self) {
        self.state = 34;
        let root = self.expr(only(T::Eof));
        let end = self.expect(35, T::Eof, RULE_END);
        self.leave(end.map(|_| ()));
        self.ast.root = root.id;
    }

    // ---- operators

    fn expr(&mut self, follow: TokenSet) -> Operand {
        let read = self.enter(Rule::Expr, follow, |p| {
            p.state = 37;
            let mut result = p.or(only(T::Question).or_rule_end());
            let end = p.conditional(&mut result);
            p.leave(end);
            Some(result)
        });
        self.present(read)
    }

    fn conditional(&mut self, result: &mut Operand) -> Step {
        if self.peek() != T::Question {
            return Ok(());
        }
        let operator = self.expect(38, T::Question, EXPR_START)?;
        self.state = 39;
        let yes = self.or(only(T::Colon));
        let colon = self.expect(40, T::Colon, EXPR_START);
        self.state = 41;
        let no = if colon.is_ok() { self.expr(RULE_END) } else { self.missing() };
        *result = self.operation(Operator::Conditional, operator.range.start, &[*result, yes, no], true);
        colon.map(|_| ())
    }

    fn or(&mut self, follow: TokenSet) -> Operand {
        let read = self.enter(Rule::Or, follow, |p| {
            let and = |p: &mut Self| p.and(only(T::Or).or_rule_end());
            Some(p.logic(Operator::Or, T::Or, [45, 46, 47], and))
        });
        self.present(read)
    }

    fn and(&mut self, follow: TokenSet) -> Operand {
        let read = self.enter(Rule::And, follow, |p| {
            let relation = |p: &mut Self| p.relation(0, only(T::And).or_rule_end());
            Some(p.logic(Operator::And, T::And, [53, 54, 55], relation))
        });
        self.present(read)
    }

    fn logic(
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
    fn balanced(&mut self, operator: Operator, terms: &[Operand], anchors: &[TextSize]) -> Operand {
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

    fn relation(&mut self, precedence: u8, follow: TokenSet) -> Operand {
        let read = self.enter(Rule::Relation, follow, |p| {
            p.state = 62;
            let mut left = p.calc(0, AFTER_RELATION);
            while precedence <= 1 {
                let next = p.peek();
                let Some(operator) = relation_operator(next) else { break };
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

    fn calc(&mut self, precedence: u8, follow: TokenSet) -> Operand {
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

    fn unary(&mut self, follow: TokenSet) -> Operand {
        let read = self.enter(Rule::Unary, follow, |p| {
            let mut result = None;
            let end = p.unary_alternative(&mut result);
            p.leave(end);
            result
        });
        self.present(read)
    }

    fn unary_alternative(&mut self, result: &mut Option<Operand>) -> Step {
        self.sync(99, EXPR_START)?;
        let start = self.here();
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

    /// An even number of `!` or `-` is nothing at all.
    fn prefixed(&mut self, operator: Operator, start: TextSize, count: usize, operand: Operand) -> Operand {
        if count % 2 == 0 {
            return Operand { start, ..operand };
        }
        let args = self.ast.push_list(&[operand.id]);
        let kind = ExprKind::Call { function: Function::Operator(operator), target: None, args };
        let id = self.ast.push(kind, self.range_from(start), start);
        Operand { id, start, depth: operand.depth }
    }

    // ---- members

    fn member(&mut self, follow: TokenSet) -> Operand {
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

    fn index(&mut self, operand: &mut Operand) -> Step {
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

    fn index_body(&mut self, optional: &mut bool, index: &mut Option<Operand>) -> Step {
        self.sync(121, EXPR_START.union(only(T::Question)))?;
        if self.peek() == T::Question {
            self.expect(120, T::Question, EXPR_START)?;
            *optional = true;
        }
        self.state = 123;
        *index = Some(self.expr(only(T::RightBracket)));
        self.expect(124, T::RightBracket, AFTER_PRIMARY).map(|_| ())
    }

    fn select_or_call(&mut self, operand: &mut Operand) -> Step {
        match self.look(2).kind {
            T::Identifier if self.look(3).kind == T::LeftParen => self.member_call(operand),
            T::Identifier | T::EscapedIdentifier | T::Question => self.select(operand),
            _ => {
                let dot = self.look(1);
                let failure = self.no_viable(self.position(), self.position() + 1);
                // The dot is there, the field is still to come.
                *operand = self.selection(*operand, dot, "", TextRange::empty(dot.range.end), dot.range.end);
                failure
            }
        }
    }

    fn select(&mut self, operand: &mut Operand) -> Step {
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

    fn selection(
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

    fn member_call(&mut self, operand: &mut Operand) -> Step {
        self.expect(111, T::Dot, only(T::Identifier))?;
        let name = self.expect(112, T::Identifier, only(T::LeftParen))?;
        let paren = self.expect(113, T::LeftParen, EXPR_START)?;
        let mut args = vec![];
        let end = self.arguments(&mut args, [115, 114, 117]);
        *operand = self.call(name.range, self.slice(name.range), paren, Some(*operand), &args, operand.start);
        *operand = self.limited(Operand { depth: operand.depth + 1, ..*operand });
        end
    }

    /// What stands between the parentheses of a call, and the closing one.
    fn arguments(&mut self, args: &mut Vec<Operand>, [before, list, close]: [u16; 3]) -> Step {
        self.sync(before, EXPR_START.union(only(T::RightParen)))?;
        if EXPR_START.contains(self.peek()) {
            self.state = list;
            let items = self.enter(Rule::ExprList, only(T::RightParen), |p| {
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

    /// A name, possibly between backticks: the range of its text and that of the token. Where it is missing, the error
    /// is reported at `blamed` or here.
    fn escape_ident(&mut self, follow: TokenSet, blamed: Option<TextSize>) -> (TextRange, TextRange) {
        let start = self.here();
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

    // ---- primaries

    fn primary(&mut self, follow: TokenSet) -> Operand {
        let read = self.enter(Rule::Primary, follow, |p| {
            let mut result = None;
            let end = p.primary_alternative(&mut result);
            p.leave(end);
            result
        });
        self.present(read)
    }

    fn primary_alternative(&mut self, result: &mut Option<Operand>) -> Step {
        self.sync(184, MEMBER_START)?;
        let start = self.here();
        match self.peek() {
            T::LeftParen => {
                self.expect(144, T::LeftParen, EXPR_START)?;
                self.state = 145;
                let inner = self.expr(only(T::RightParen));
                let end = self.expect(146, T::RightParen, AFTER_PRIMARY);
                *result = Some(Operand { start, ..inner });
                end.map(|_| ())
            }
            T::LeftBracket => self.create_list(result),
            T::LeftBrace => self.create_map(result),
            T::Dot | T::Identifier => self.named(result),
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

    fn literal(&mut self, result: &mut Option<Operand>) -> Step {
        self.sync(256, LITERAL_START)?;
        let start = self.here();
        let negative = self.peek() == T::Minus;
        let kind = if negative { self.look(2).kind } else { self.peek() };
        if negative {
            if !matches!(kind, T::Int | T::Float) {
                return self.no_viable(self.position(), self.position() + 1);
            }
            self.expect(242, T::Minus, only(kind))?;
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

    fn create_list(&mut self, result: &mut Option<Operand>) -> Step {
        let bracket = self.expect(148, T::LeftBracket, EXPR_START)?;
        let mut elements = vec![];
        let end = self.list_body(&mut elements);
        let ids: Vec<_> = elements.iter().map(|(element, _)| element.id).collect();
        let elements_list = self.ast.push_list(&ids);
        let optional: Vec<_> = (0u32..).zip(&elements).filter(|(_, (_, o))| *o).map(|(at, _)| at).collect();
        let optional = self.ast.push_indices(&optional);
        let depth = elements.iter().map(|(element, _)| element.depth).max().unwrap_or(0);
        let start = bracket.range.start;
        let kind = ExprKind::List { elements: elements_list, optional };
        let id = self.ast.push(kind, self.range_from(start), start);
        *result = Some(Operand { id, start, depth });
        end
    }

    fn list_body(&mut self, elements: &mut Vec<(Operand, bool)>) -> Step {
        let item_start = EXPR_START.union(only(T::Question));
        self.sync(150, item_start.union(or_comma(T::RightBracket)))?;
        if item_start.contains(self.peek()) {
            self.state = 149;
            *elements = self.enter(Rule::ListInit, or_comma(T::RightBracket), |p| {
                p.state = 194;
                let mut items = vec![p.optional_expr(AFTER_ITEM)];
                while p.another_item(item_start) {
                    if p.expect(195, T::Comma, item_start).is_err() {
                        break;
                    }
                    p.state = 196;
                    items.push(p.optional_expr(AFTER_ITEM));
                }
                let optional_syntax = p.options.optional_syntax;
                items
                    .into_iter()
                    .map(|(item, question)| {
                        if let Some(question) = question.filter(|_| !optional_syntax) {
                            p.issue(IssueCode::Unsupported, question, "unsupported syntax '?'");
                        }
                        (item, question.is_some())
                    })
                    .collect()
            });
        }
        self.sync(153, or_comma(T::RightBracket))?;
        if self.peek() == T::Comma {
            self.expect(152, T::Comma, only(T::RightBracket))?;
        }
        self.expect(155, T::RightBracket, AFTER_PRIMARY).map(|_| ())
    }

    /// Whether a comma and another item follow; a comma at the end belongs to the bracket.
    fn another_item(&mut self, start: TokenSet) -> bool {
        self.peek() == T::Comma && start.contains(self.look(2).kind)
    }

    /// `?expr` or `expr`, with the place of the question mark.
    fn optional_expr(&mut self, follow: TokenSet) -> (Operand, Option<TextRange>) {
        let mut question = None;
        let read = self.enter(Rule::OptExpr, follow, |p| {
            let begin = p.sync(238, EXPR_START.union(only(T::Question))).and_then(|()| {
                if p.peek() == T::Question {
                    question = Some(p.expect(237, T::Question, EXPR_START)?.range);
                }
                Ok(())
            });
            if begin.is_err() {
                p.leave(begin);
                return None;
            }
            p.state = 240;
            Some(p.expr(RULE_END))
        });
        (self.present(read), question)
    }

    fn create_map(&mut self, result: &mut Option<Operand>) -> Step {
        let brace = self.expect(156, T::LeftBrace, EXPR_START)?;
        let mut entries = vec![];
        let mut depth = 0;
        let end = self.map_body(&mut entries, &mut depth);
        let start = brace.range.start;
        let entries = self.ast.push_entries(&entries);
        let id = self.ast.push(ExprKind::Map(entries), self.range_from(start), start);
        *result = Some(Operand { id, start, depth });
        end
    }

    fn map_body(&mut self, entries: &mut Vec<Entry>, depth: &mut u16) -> Step {
        let key_start = EXPR_START.union(only(T::Question));
        self.sync(158, key_start.union(or_comma(T::RightBrace)))?;
        if key_start.contains(self.peek()) {
            self.state = 157;
            *entries = self.enter(Rule::MapList, or_comma(T::RightBrace), |p| {
                let mut items = vec![];
                p.state = 220;
                loop {
                    if let Err(failure) = p.map_entry(&mut items, depth) {
                        p.leave(Err(failure));
                        break;
                    }
                    if !p.another_item(key_start) || p.expect(223, T::Comma, key_start).is_err() {
                        break;
                    }
                    p.state = 224;
                }
                items
            });
        }
        self.sync(161, or_comma(T::RightBrace))?;
        if self.peek() == T::Comma {
            self.expect(160, T::Comma, only(T::RightBrace))?;
        }
        self.expect(163, T::RightBrace, AFTER_PRIMARY).map(|_| ())
    }

    fn map_entry(&mut self, items: &mut Vec<Entry>, depth: &mut u16) -> Step {
        let start = self.here();
        let later = u16::from(!items.is_empty()) * 3;
        let issues = self.issues.len();
        let (key, question) = self.optional_expr(only(T::Colon));
        let colon = self.expect(221 + later, T::Colon, EXPR_START);
        self.state = 222 + later;
        let refused = question.is_some() && !self.options.optional_syntax;
        if refused {
            self.issues.truncate(issues);
        }
        let value = if colon.is_ok() { self.expr(AFTER_ITEM) } else { self.missing() };
        if refused {
            self.issues.truncate(issues);
            self.issue(IssueCode::Unsupported, TextRange::at(start, 1), "unsupported syntax '?'");
        }
        *depth = (*depth).max(key.depth).max(value.depth);
        items.push(Entry {
            key: EntryKey::Expr(key.id),
            value: value.id,
            optional: question.is_some(),
            anchor: colon.as_ref().map_or(start, |colon| colon.range.start),
        });
        colon.map(|_| ())
    }

    /// An identifier, a call of a function without receiver, or a message.
    fn named(&mut self, result: &mut Option<Operand>) -> Step {
        let start = self.here();
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
            self.expect(131, T::Dot, only(T::Identifier))?;
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
        let id = self.ast.push(kind, TextRange::new(start, name.range.end), name.range.start);
        *result = Some(Operand { id, start, depth: 0 });
        Ok(())
    }

    fn global_call(
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

    fn reserved(&mut self, range: TextRange, name: Token) {
        let message = format!("reserved identifier: {}", self.slice(name.range));
        self.issue(IssueCode::ReservedWord, range, message);
    }

    fn create_message(&mut self, result: &mut Option<Operand>) -> Step {
        let start = self.here();
        let mut type_name = String::new();
        if self.peek() == T::Dot {
            self.expect(164, T::Dot, only(T::Identifier))?;
            type_name.push('.');
        }
        let name = self.expect(167, T::Identifier, TokenSet::of(&[T::Dot, T::LeftBrace]))?;
        type_name.push_str(self.slice(name.range));
        while self.peek() == T::Dot {
            self.expect(168, T::Dot, only(T::Identifier))?;
            let name = self.expect(169, T::Identifier, TokenSet::of(&[T::Dot, T::LeftBrace]))?;
            type_name.push('.');
            type_name.push_str(self.slice(name.range));
        }
        let brace = self.expect(175, T::LeftBrace, IDENTIFIER_START)?;
        let mut fields = vec![];
        let mut depth = 0;
        let end = self.message_body(&mut fields, &mut depth);
        let fields = self.ast.push_entries(&fields);
        let type_name = self.ast.intern(&type_name);
        let kind = ExprKind::Struct { type_name, fields };
        let id = self.ast.push(kind, self.range_from(start), brace.range.start);
        *result = Some(Operand { id, start, depth });
        end
    }

    fn message_body(&mut self, fields: &mut Vec<Entry>, depth: &mut u16) -> Step {
        let field_start = IDENTIFIER_START.union(only(T::Question));
        self.sync(177, field_start.union(or_comma(T::RightBrace)))?;
        if field_start.contains(self.peek()) {
            self.state = 176;
            *fields = self.enter(Rule::FieldList, or_comma(T::RightBrace), |p| {
                let mut items = vec![];
                let list_start = p.here();
                p.state = 202;
                loop {
                    if let Err(failure) = p.message_field(&mut items, list_start, depth) {
                        p.leave(Err(failure));
                        break;
                    }
                    if !p.another_item(field_start) || p.expect(205, T::Comma, field_start).is_err() {
                        break;
                    }
                    p.state = 206;
                }
                items
            });
        }
        self.sync(180, or_comma(T::RightBrace))?;
        if self.peek() == T::Comma {
            self.expect(179, T::Comma, only(T::RightBrace))?;
        }
        self.expect(182, T::RightBrace, AFTER_PRIMARY).map(|_| ())
    }

    fn message_field(&mut self, items: &mut Vec<Entry>, list_start: TextSize, depth: &mut u16) -> Step {
        let start = self.here();
        let later = u16::from(!items.is_empty()) * 4;
        let field_start = IDENTIFIER_START.union(only(T::Question));
        let (name, optional) = self.enter(Rule::OptField, only(T::Colon), |p| {
            let begin = p.sync(216, field_start);
            if begin.is_err() {
                p.leave(begin);
                return (TextRange::empty(start), false);
            }
            let optional = p.peek() == T::Question && p.expect(215, T::Question, IDENTIFIER_START).is_ok();
            p.state = 218;
            (p.escape_ident(RULE_END, Some(list_start)).0, optional)
        });
        let colon = self.expect(203 + later, T::Colon, EXPR_START);
        self.state = 204 + later;
        let value = if colon.is_ok() { self.expr(AFTER_ITEM) } else { self.missing() };
        if optional && !self.options.optional_syntax {
            self.issue(IssueCode::Unsupported, TextRange::at(start, 1), "unsupported syntax '?'");
        }
        *depth = (*depth).max(value.depth);
        let text = self.slice(name);
        let field = self.ast.intern(text);
        items.push(Entry {
            key: EntryKey::Field(field),
            value: value.id,
            optional,
            anchor: colon.as_ref().map_or(start, |colon| colon.range.start),
        });
        colon.map(|_| ())
    }

    // ---- nodes

    pub(super) fn issue(&mut self, code: IssueCode, range: TextRange, message: impl Into<String>) {
        self.issues.push(Issue { code, range, anchor: Some(range.start), message: message.into() });
    }

    fn present(&mut self, operand: Option<Operand>) -> Operand {
        operand.unwrap_or_else(|| self.missing())
    }

    /// An expression that was not written.
    fn missing(&mut self) -> Operand {
        let start = self.consumed_end();
        let id = self.ast.push(ExprKind::Error, TextRange::empty(start), start);
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

    /// What nests too deep for cel-go is given up, so that nothing behind the parser can run out of stack.
    fn limited(&mut self, operand: Operand) -> Operand {
        if operand.depth <= MAX_DEPTH {
            return operand;
        }
        if !self.too_deep {
            self.too_deep = true;
            let range = TextRange::new(0, self.text.len() as TextSize);
            let message = "max recursion depth exceeded".to_owned();
            self.issues.push(Issue { code: IssueCode::Limit, range, anchor: None, message });
        }
        let range = self.ast.expr(operand.id).range;
        let id = self.ast.push(ExprKind::Error, range, operand.start);
        Operand { id, start: operand.start, depth: 0 }
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

/// The operator and how strongly it binds.
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

/// Words that name neither variables nor functions.
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
