//! Completion in the fields of a rule.

mod globals;
mod idioms;
mod item;
mod members;
pub(super) mod path;
mod values;

use crate::analysis::text_at;
use cel::ast::ExprId;
use cel::{Token, TokenKind};
use crd::cel::{InspectedExpression, Purpose};
use crd::rules::RuleView;
use text::TextSize;
use yaml::Tree;

use item::ProposalList;
pub use item::{Completion, CompletionKind};
pub(crate) use item::{plain_text, snippet};
pub(crate) use values::literal;

use crate::analysis::caches::Caches;
use crate::analysis::cel::rule_field::{self, RuleField};
use crate::features::cel::field_text::{FieldText, TextCursor};
use crate::features::cel::part::token_at;
use crate::features::cel::site::{Source, purpose, with_rule};

/// The proposals at `offset` (in bytes) in the values of a rule; none elsewhere.
pub(crate) fn complete(source: Source<'_>, offset: TextSize, caches: &mut Caches) -> Vec<Completion> {
    let found = with_text(source, offset, caches, |view, written, cursor, field, before| {
        let mut items = ProposalList::new(written, offset, cursor.at);
        match (purpose(field), field) {
            (Some(purpose), _) => {
                CompletionPlace::new(source.tree, view, purpose, written, before)?.complete(&mut items)
            }
            (None, RuleField::Reason) => values::reasons(&mut items),
            (None, _) => path::complete(source.tree, view, &before, &mut items),
        }
        Some(items.finish())
    });
    found.unwrap_or_default()
}

/// The answer of `ask` for the position in an expression at `offset` (in bytes); `None` elsewhere.
pub(super) fn with_place<T>(
    source: Source<'_>,
    offset: TextSize,
    caches: &mut Caches,
    ask: impl Fn(&CompletionPlace<'_>) -> Option<T>,
) -> Option<T> {
    with_text(source, offset, caches, |view, written, _, field, before| {
        ask(&CompletionPlace::new(source.tree, view, purpose(field)?, written, before)?)
    })
}

/// The answer of `ask` for the field of a rule at `offset` (in bytes), with the text before the cursor.
fn with_text<T>(
    source: Source<'_>,
    offset: TextSize,
    caches: &mut Caches,
    ask: impl Fn(&RuleView<'_>, &FieldText, &TextCursor, RuleField, String) -> Option<T>,
) -> Option<T> {
    let position = rule_field::find(source.tree, offset).filter(|position| !position.on_key)?;
    let written = FieldText::of(&position);
    let cursor =
        written.cursor(offset, |gap| written.continues_after(&text_at::text_of(source.tree.root(), gap)))?;
    with_rule(source, &position, caches, |view| {
        let mut before = written.text.get(..cursor.at)?.to_owned();
        before.extend(std::iter::repeat_n(' ', cursor.blanks));
        ask(view, &written, &cursor, position.field, before)
    })
}

/// A position in an expression.
pub(super) struct CompletionPlace<'p> {
    tree: &'p Tree,
    view: &'p RuleView<'p>,
    purpose: Purpose,
    /// The text before the cursor.
    text_before: String,
    tokens: Vec<Token>,
    /// The start of the word that the cursor is in or behind; otherwise the cursor.
    word_start: usize,
    /// The text behind the cursor.
    text_after: &'p str,
}

impl<'p> CompletionPlace<'p> {
    /// `None` in a comment.
    fn new(
        tree: &'p Tree,
        view: &'p RuleView<'p>,
        purpose: Purpose,
        written: &'p FieldText,
        before: String,
    ) -> Option<Self> {
        let mut tokens = cel::tokenize(&before);
        let last = tokens.last().map_or(0, |token| token.range.end as usize);
        if before.get(last..)?.contains("//") {
            return None;
        }
        let is_word = |token: &Token| {
            use TokenKind as T;
            matches!(token.kind, T::Identifier | T::In | T::True | T::False | T::Null)
                && token.range.end as usize == before.len()
        };
        let word = match tokens.last().filter(|token| is_word(token)) {
            Some(token) => token.range.start as usize,
            None => before.len(),
        };
        if word < before.len() {
            tokens.pop();
        }
        let after = written.text.get(before.len().min(written.text.len())..)?;
        Some(Self { tree, view, purpose, text_before: before, tokens, word_start: word, text_after: after })
    }

    fn complete(&self, items: &mut ProposalList<'_>) {
        if let Some((start, quote)) = open_string(&self.text_before, &self.tokens) {
            return values::strings(self, start, quote, items);
        }
        let rest =
            self.text_after.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
        let typed = self.text_before.len() - self.word_start;
        items.replace(typed, rest);
        items.is_called = self.text_after.get(rest..).is_some_and(|after| after.starts_with('('));
        let last = self.tokens.last().map(|token| token.kind);
        match last {
            Some(TokenKind::Dot) => members::complete(self, self.tokens.last(), false, items),
            Some(TokenKind::Question) => {
                let dot = self.tokens.iter().rev().nth(1);
                let is_optional = dot.is_some_and(|dot| dot.kind == TokenKind::Dot);
                match is_optional {
                    true => members::complete(self, dot, true, items),
                    false => globals::complete(self, items),
                }
            }
            Some(kind) if ends_operand(kind) => globals::operators(items),
            Some(TokenKind::Int | TokenKind::Uint | TokenKind::Float) if typed == 0 => {}
            _ => {
                idioms::complete(self, items);
                values::compared(self, items);
                globals::complete(self, items);
            }
        }
    }

    /// The tree of the text before the word, followed by `end`.
    fn inspect(&self, end: &str) -> Option<InspectedExpression> {
        let mut text = self.text_before.get(..self.word_start)?.to_owned();
        text.push_str(end);
        // The argument of `has` becomes a field only when it is complete.
        if let Some(call) = self.open_call()
            && call.name == "has"
        {
            text.replace_range(call.start..call.start + call.name.len(), "dyn");
        }
        self.view.inspect(self.purpose, &text)
    }

    /// The tree of the text before the cursor, with a placeholder if the argument of `call` is not typed yet.
    pub(super) fn inspect_call(&self, call: &OpenCall<'_>) -> Option<InspectedExpression> {
        let behind = self.text_before.get(call.paren as usize + 1..)?;
        let text = match behind.trim_end() {
            "" => format!("{}''", self.text_before),
            written if written.ends_with(',') => format!("{}''", self.text_before),
            _ => self.text_before.clone(),
        };
        self.view.inspect(self.purpose, &text)
    }

    /// The innermost call that is not closed before the cursor.
    pub(super) fn open_call(&self) -> Option<OpenCall<'_>> {
        open_call(&self.text_before, &self.tokens)
    }

    /// The node whose anchor is the token at `anchor` and that `matches` accepts.
    fn node_at(
        inspected: &InspectedExpression,
        anchor: TextSize,
        mut matches: impl FnMut(&cel::ast::ExprKind) -> Option<ExprId>,
    ) -> Option<ExprId> {
        let at = inspected.ast.exprs().filter(|(_, expr)| expr.anchor == anchor);
        // Behind an error, the parser may use a dot a second time for an outer node.
        at.filter_map(|(_, expr)| matches(&expr.kind)).next()
    }
}

/// A call whose parenthesis is still open.
pub(super) struct OpenCall<'t> {
    /// The name of the function; empty for a parenthesis without a function.
    pub(super) name: &'t str,
    /// The start of the name.
    pub(super) start: usize,
    /// The `(`.
    pub(super) paren: TextSize,
    /// The number of its commas, without those of nested calls.
    pub(super) commas: usize,
    /// Whether it is called on a value.
    pub(super) is_member: bool,
}

/// The innermost call that is not closed in `before`, which has these `tokens`.
pub(super) fn open_call<'t>(before: &'t str, tokens: &[Token]) -> Option<OpenCall<'t>> {
    use TokenKind as T;
    let mut depth = 0_usize;
    let mut commas = 0;
    for (at, token) in tokens.iter().enumerate().rev() {
        match token.kind {
            T::RightParen | T::RightBracket | T::RightBrace => depth += 1,
            T::LeftParen | T::LeftBracket | T::LeftBrace if depth > 0 => depth -= 1,
            T::LeftBracket | T::LeftBrace => commas = 0,
            T::Comma if depth == 0 => commas += 1,
            T::LeftParen => {
                let ahead = tokens.get(..at).unwrap_or_default();
                let name = ahead.last().filter(|name| name.kind == T::Identifier);
                let Some(name) = name else {
                    commas = 0;
                    continue;
                };
                let dot = ahead.len().checked_sub(2).and_then(|dot| ahead.get(dot));
                return Some(OpenCall {
                    name: before.get(name.range.as_usize())?,
                    start: name.range.start as usize,
                    paren: token.range.start,
                    commas,
                    is_member: dot.is_some_and(|dot| dot.kind == T::Dot),
                });
            }
            _ => {}
        }
    }
    None
}

/// The start and the quote of the string that is not closed.
fn open_string(before: &str, tokens: &[Token]) -> Option<(usize, char)> {
    let mut end = 0;
    let ends = tokens.iter().map(|token| token.range.as_usize());
    for token in ends.chain(std::iter::once(before.len()..before.len())) {
        let gap = before.get(end..token.start).unwrap_or_default();
        // Comments end with their lines.
        let mut at = end;
        for line in gap.split_inclusive('\n') {
            let code = line.split("//").next().unwrap_or_default();
            if let Some((start, quote)) = code.char_indices().find(|(_, c)| matches!(c, '\'' | '"')) {
                return Some((at + start, quote));
            }
            at += line.len();
        }
        end = token.end;
    }
    None
}

const fn ends_operand(kind: TokenKind) -> bool {
    use TokenKind as T;
    matches!(
        kind,
        T::Identifier
            | T::RightParen
            | T::RightBracket
            | T::RightBrace
            | T::String
            | T::Bytes
            | T::True
            | T::False
            | T::Null
    )
}

/// The last token that ends at or before `end`.
fn token_before(tokens: &[Token], end: usize) -> Option<Token> {
    let at = tokens.partition_point(|token| token.range.end as usize <= end);
    let last = tokens.get(at.checked_sub(1)?)?;
    token_at(tokens, last.range.start)
}
