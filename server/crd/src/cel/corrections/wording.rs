//! Rules in the syntax of other languages: `and`, `=`, `has(m['key'])`, the variables of admission policies.

use std::ops::Range;

use cel::{DeclKind, TokenKind, Type};
use text::TextRange;

use super::tokens::Tokens;
use super::{Correction, CorrectionEffect};
use crate::cel::compile::Expression;

/// Corrections of `expression` to CEL. `holder` is the path of the field that `self` refers to, empty for the
/// resource; `None` if it is unknown.
pub(crate) fn reworded(expression: &Expression<'_>, holder: Option<&str>) -> Vec<Correction> {
    let words = RuleWording { tokens: Tokens::of(expression.text) };
    let all = 0..words.tokens.len();
    let mut corrections = Vec::new();
    corrections.extend(words.operators());
    corrections.extend(all.clone().filter_map(|index| words.presence(expression, index)));
    corrections.extend(
        all.clone().filter_map(|index| holder.and_then(|holder| words.policy_variable(index, holder))),
    );
    let has_fields = matches!(expression.self_type.decl_type.kind, DeclKind::Object(_));
    if let Some(name) = holder.and_then(|holder| holder.rsplit('.').next()).filter(|_| !has_fields) {
        corrections.extend(words.itself(name));
    }
    corrections
}

struct RuleWording<'e> {
    tokens: Tokens<'e>,
}

impl<'e> RuleWording<'e> {
    fn is(&self, index: usize, kind: TokenKind) -> bool {
        self.tokens.kind(index) == Some(kind)
    }

    /// Whether the word at `index` is the name of a field or a function.
    fn is_name(&self, index: usize) -> bool {
        index.checked_sub(1).is_some_and(|before| self.is(before, TokenKind::Dot))
            || self.is(index + 1, TokenKind::Dot)
    }

    /// `self.a`, `self.spec.a` or `a` in a rule of the field `a`, which has no fields. The field always exists when its rule is
    /// evaluated, so a guard before an operand is removed.
    fn itself(&self, name: &str) -> Option<Correction> {
        let mut changes = Vec::new();
        let (mut written, mut index) = (None, 0);
        while index < self.tokens.len() {
            if let Some(after) = self.guard_before(index, name) {
                changes.push((
                    TextRange::new(self.tokens.range(index).start, self.tokens.range(after).start),
                    String::new(),
                ));
                index = after;
                continue;
            }
            if let Some(last) = self.own_path(index, name) {
                let range = TextRange::new(self.tokens.range(index).start, self.tokens.range(last).end);
                written = written.or_else(|| self.tokens.text.get(range.as_usize()));
                changes.push((range, "self".to_owned()));
                index = last;
            }
            index += 1;
        }
        let meaning = CorrectionEffect::Converted { written: written?.to_owned(), new: "self".to_owned() };
        Some(Correction { meaning, changes })
    }

    /// The index of the operand after `has(self.a) &&`.
    fn guard_before(&self, index: usize, name: &str) -> Option<usize> {
        let is_has = self.tokens.word(index) == "has" && self.is(index + 1, TokenKind::LeftParen);
        let last = self.own_path(index + 2, name).filter(|_| is_has)?;
        let is_guard = self.tokens.word(last + 1) == ")" && self.tokens.word(last + 2) == "&&";
        (is_guard && last + 3 < self.tokens.len()).then_some(last + 3)
    }

    /// The index of the last token of a path that means the field itself.
    fn own_path(&self, index: usize, name: &str) -> Option<usize> {
        let is_selected = index.checked_sub(1).is_some_and(|before| self.is(before, TokenKind::Dot));
        let is_end = |last: usize| self.tokens.word(last) == name && !self.is(last + 1, TokenKind::LeftParen);
        if is_selected {
            return None;
        }
        if self.tokens.word(index) != "self" {
            // A macro declares its variable before a comma.
            return (is_end(index) && !self.is(index + 1, TokenKind::Comma)).then_some(index);
        }
        let mut last = index;
        while self.is(last + 1, TokenKind::Dot) {
            last += 2;
            if is_end(last) {
                return Some(last);
            }
        }
        None
    }

    /// Replaces `and`, `or`, `not` and `=` together: with one of them left, the expression does not parse.
    fn operators(&self) -> Option<Correction> {
        let mut changes: Vec<(TextRange, String)> = Vec::new();
        let mut written = Vec::new();
        for index in 0..self.tokens.len() {
            if let Some(range) = self.equals_sign_before(index) {
                written.push("==");
                changes.push((range, "==".to_owned()));
            }
            let operator = match self.tokens.word(index) {
                "and" | "AND" if !self.is_name(index) => "&&",
                "or" | "OR" if !self.is_name(index) => "||",
                "not" | "NOT" if !self.is_name(index) => {
                    let after = self.end_of_operand(index + 1);
                    if after == index + 1 {
                        return None;
                    }
                    let end = self.tokens.range(after - 1).end;
                    let not =
                        TextRange::new(self.tokens.range(index).start, self.tokens.range(index + 1).start);
                    if self.is_selection(index + 1..after) {
                        changes.push((not, "!".into()));
                    } else {
                        changes.push((not, "!(".into()));
                        changes.push((TextRange::empty(end), ")".into()));
                    }
                    written.push("!");
                    continue;
                }
                _ => continue,
            };
            written.push(operator);
            changes.push((self.tokens.range(index), operator.to_owned()));
        }
        if changes.is_empty() {
            return None;
        }
        changes.sort_by_key(|(range, _)| *range);
        written.sort_unstable();
        written.dedup();
        Some(Correction { meaning: CorrectionEffect::Operators(written), changes })
    }

    /// Whether tokens are a path, a call or an expression in brackets, to which `!` applies as a whole.
    fn is_selection(&self, tokens: Range<usize>) -> bool {
        let mut depth = 0_usize;
        tokens.into_iter().all(|index| match self.tokens.kind(index) {
            Some(TokenKind::LeftParen | TokenKind::LeftBracket) => {
                depth += 1;
                true
            }
            Some(TokenKind::RightParen | TokenKind::RightBracket) => {
                depth = depth.saturating_sub(1);
                true
            }
            kind => {
                depth > 0
                    || matches!(
                        kind,
                        Some(TokenKind::Identifier | TokenKind::EscapedIdentifier | TokenKind::Dot)
                    )
            }
        })
    }

    /// The range of a `=`, which is not a token, if it is alone between two tokens.
    fn equals_sign_before(&self, index: usize) -> Option<TextRange> {
        let start = self.tokens.range(index.checked_sub(1)?).end;
        let gap = self.tokens.text.get(start as usize..self.tokens.range(index).start as usize)?;
        let at = gap.find('=').filter(|_| gap.trim() == "=")?;
        Some(TextRange::at(start + at as u32, 1))
    }

    /// The token after the operand of `not`: the next `and`, `or`, bracket or comma of the same level.
    fn end_of_operand(&self, start: usize) -> usize {
        let mut depth = 0_usize;
        for index in start..self.tokens.len() {
            let ends = match self.tokens.kind(index) {
                Some(TokenKind::LeftParen | TokenKind::LeftBracket | TokenKind::LeftBrace) => {
                    depth += 1;
                    false
                }
                Some(TokenKind::RightParen | TokenKind::RightBracket | TokenKind::RightBrace) => {
                    depth = match depth.checked_sub(1) {
                        Some(less) => less,
                        None => return index,
                    };
                    false
                }
                Some(
                    TokenKind::And
                    | TokenKind::Or
                    | TokenKind::Question
                    | TokenKind::Colon
                    | TokenKind::Comma
                    | TokenKind::Eof,
                ) => depth == 0,
                _ => depth == 0 && matches!(self.tokens.word(index), "and" | "AND" | "or" | "OR"),
            };
            if ends {
                return index;
            }
        }
        self.tokens.len()
    }

    /// `has(m['key'])` is `'key' in m`, and `has(self.a-b)` tests the property `a-b`.
    fn presence(&self, expression: &Expression<'_>, index: usize) -> Option<Correction> {
        if self.tokens.word(index) != "has" || !self.is(index + 1, TokenKind::LeftParen) {
            return None;
        }
        let close = self.end_of_operand(index + 2);
        let inside = TextRange::new(self.tokens.range(index + 1).end, self.tokens.range(close).start);
        let of = self.tokens.text.get(inside.as_usize())?;
        if !self.is(close, TokenKind::RightParen) {
            return None;
        }
        if self.is(close - 1, TokenKind::RightBracket) {
            let open = (index + 2..close).rev().find(|index| self.is(*index, TokenKind::LeftBracket))?;
            let map =
                self.tokens.text.get(inside.start as usize..self.tokens.range(open).start as usize)?.trim();
            let key = self
                .tokens
                .text
                .get(self.tokens.range(open).end as usize..self.tokens.range(close - 1).start as usize)?
                .trim();
            let binds = |index: usize| {
                self.tokens.list.get(index).is_some_and(|token| {
                    !matches!(
                        token.kind,
                        TokenKind::And
                            | TokenKind::Or
                            | TokenKind::LeftParen
                            | TokenKind::RightParen
                            | TokenKind::Comma
                            | TokenKind::Question
                            | TokenKind::Colon
                            | TokenKind::Eof
                    )
                })
            };
            let is_bound = index.checked_sub(1).is_some_and(binds) || binds(close + 1);
            let new = if is_bound { format!("({key} in {map})") } else { format!("{key} in {map}") };
            let range = TextRange::new(self.tokens.range(index).start, self.tokens.range(close).end);
            let meaning = CorrectionEffect::Key { key: key.to_owned(), map: map.to_owned() };
            return Some(Correction { meaning, changes: vec![(range, new)] });
        }
        let dot = (index + 2..close).rev().find(|index| self.is(*index, TokenKind::Dot))?;
        let (owner, written) = (
            of.get(..(self.tokens.range(dot).start - inside.start) as usize)?,
            of.get((self.tokens.range(dot).end - inside.start) as usize..)?,
        );
        let inspected = Expression { text: owner, ..*expression }.inspect();
        let Type::Object(name) = inspected.checked.type_of(inspected.ast.root()).unwrap_optional().0 else {
            return None;
        };
        let DeclKind::Object(object) = &expression.declared(name)?.kind else { return None };
        let (escaped, _) = object
            .fields
            .iter()
            .find(|(escaped, field)| *field.property == *written.trim() && *escaped != written.trim())?;
        let range = TextRange::new(self.tokens.range(dot).end, inside.end);
        let meaning =
            CorrectionEffect::Converted { written: written.trim().to_owned(), new: escaped.clone() };
        Some(Correction { meaning, changes: vec![(range, escaped.clone())] })
    }

    /// `object.spec.a` of an admission policy is `self.a` in a rule of `spec`, which is `holder`.
    fn policy_variable(&self, index: usize, holder: &str) -> Option<Correction> {
        let is_field = index.checked_sub(1).is_some_and(|before| self.is(before, TokenKind::Dot));
        let variable = match self.tokens.word(index) {
            "object" => "self",
            "oldObject" => "oldSelf",
            _ => return None,
        };
        let start = self.tokens.range(index).start;
        let chain = if holder.is_empty() {
            self.tokens.word(index).to_owned()
        } else {
            format!("{}.{holder}", self.tokens.word(index))
        };
        let rest = self.tokens.text.get(start as usize..)?.strip_prefix(chain.as_str())?;
        if is_field || rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_') {
            return None;
        }
        let range = TextRange::at(start, chain.len() as u32);
        let meaning = CorrectionEffect::Converted { written: chain, new: variable.to_owned() };
        Some(Correction { meaning, changes: vec![(range, variable.to_owned())] })
    }
}
