//! Literals of lists, maps and messages.

use text::{TextRange, TextSize};

use super::{
    AFTER_ITEM, AFTER_PRIMARY, IDENTIFIER_START, Operand, Parser, RULE_END, Rule, Step, or_comma, set_of,
};
use crate::ast::{Entry, EntryKey, ExprKind};
use crate::issue::IssueCode;
use crate::token::{EXPR_START, TokenKind as T, TokenSet};

impl Parser<'_> {
    pub(super) fn create_list(&mut self, result: &mut Option<Operand>) -> Step {
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

    pub(super) fn list_body(&mut self, elements: &mut Vec<(Operand, bool)>) -> Step {
        let item_start = EXPR_START.union(set_of(T::Question));
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
            self.expect(152, T::Comma, set_of(T::RightBracket))?;
        }
        self.expect(155, T::RightBracket, AFTER_PRIMARY).map(|_| ())
    }

    /// Whether a comma and another item follow; a comma at the end belongs to the bracket.
    pub(super) fn another_item(&mut self, start: TokenSet) -> bool {
        self.peek() == T::Comma && start.contains(self.look(2).kind)
    }

    /// `?expr` or `expr`, with the range of the question mark.
    pub(super) fn optional_expr(&mut self, follow: TokenSet) -> (Operand, Option<TextRange>) {
        let mut question = None;
        let read = self.enter(Rule::OptExpr, follow, |p| {
            let begin = p.sync(238, EXPR_START.union(set_of(T::Question))).and_then(|()| {
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

    pub(super) fn create_map(&mut self, result: &mut Option<Operand>) -> Step {
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

    pub(super) fn map_body(&mut self, entries: &mut Vec<Entry>, depth: &mut u16) -> Step {
        let key_start = EXPR_START.union(set_of(T::Question));
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
            self.expect(160, T::Comma, set_of(T::RightBrace))?;
        }
        self.expect(163, T::RightBrace, AFTER_PRIMARY).map(|_| ())
    }

    pub(super) fn map_entry(&mut self, items: &mut Vec<Entry>, depth: &mut u16) -> Step {
        let start = self.current_offset();
        let later = u16::from(!items.is_empty()) * 3;
        let issues = self.issues.len();
        let (key, question) = self.optional_expr(set_of(T::Colon));
        let colon = self.expect(221 + later, T::Colon, EXPR_START);
        self.state = 222 + later;
        let refused = question.is_some() && !self.options.optional_syntax;
        // cel-go does not examine a key without a colon.
        if refused || colon.is_err() {
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

    pub(super) fn create_message(&mut self, result: &mut Option<Operand>) -> Step {
        let start = self.current_offset();
        let mut type_name = String::new();
        if self.peek() == T::Dot {
            self.expect(164, T::Dot, set_of(T::Identifier))?;
            type_name.push('.');
        }
        let name = self.expect(167, T::Identifier, TokenSet::of(&[T::Dot, T::LeftBrace]))?;
        type_name.push_str(self.slice(name.range));
        while self.peek() == T::Dot {
            self.expect(168, T::Dot, set_of(T::Identifier))?;
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

    pub(super) fn message_body(&mut self, fields: &mut Vec<Entry>, depth: &mut u16) -> Step {
        let field_start = IDENTIFIER_START.union(set_of(T::Question));
        self.sync(177, field_start.union(or_comma(T::RightBrace)))?;
        if field_start.contains(self.peek()) {
            self.state = 176;
            *fields = self.enter(Rule::FieldList, or_comma(T::RightBrace), |p| {
                let mut items = vec![];
                let list_start = p.current_offset();
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
            self.expect(179, T::Comma, set_of(T::RightBrace))?;
        }
        self.expect(182, T::RightBrace, AFTER_PRIMARY).map(|_| ())
    }

    pub(super) fn message_field(
        &mut self,
        items: &mut Vec<Entry>,
        list_start: TextSize,
        depth: &mut u16,
    ) -> Step {
        let start = self.current_offset();
        let issues = self.issues.len();
        let later = u16::from(!items.is_empty()) * 4;
        let field_start = IDENTIFIER_START.union(set_of(T::Question));
        let (name, optional) = self.enter(Rule::OptField, set_of(T::Colon), |p| {
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
        if colon.is_err() {
            self.issues.truncate(issues);
        }
        let value = if colon.is_ok() { self.expr(AFTER_ITEM) } else { self.missing() };
        if optional && colon.is_ok() && !self.options.optional_syntax {
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
}
