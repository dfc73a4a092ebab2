//! The part of an expression at a byte of its text.

use cel::ast::{Ast, ExprId, ExprKind, Function, MacroCall};
use cel::{Token, TokenKind};
use text::{TextRange, TextSize};

/// A written part of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ExpressionPart {
    pub(super) kind: PartKind,
    /// The range of its text: a name, an operator, a literal.
    pub(super) range: TextRange,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PartKind {
    /// A variable, or the name of a type.
    Variable(ExprId),
    /// The field of a selection, or of `a.?b`.
    Field(ExprId),
    /// The name of a called function.
    Function(ExprId),
    /// The name of a macro, by its index in [`Ast::macros`].
    Macro(usize),
    /// The name that a macro gives a variable, by the indices of the macro and of the argument.
    Binder(usize, usize),
    /// An operator.
    Operator(ExprId),
    /// A literal.
    Literal(ExprId),
}

/// All parts that are written in `text`, by their ranges.
pub(super) fn parts(text: &str, ast: &Ast) -> Vec<ExpressionPart> {
    let tokens = cel::tokenize(text);
    let mut parts = Vec::new();
    for (index, call) in ast.macros().iter().enumerate() {
        parts.push(ExpressionPart { kind: PartKind::Macro(index), range: call.name_range });
        let arguments = ast.list(call.args);
        for (at, argument) in arguments.iter().enumerate().take(arguments.len().saturating_sub(1)) {
            if let ExprKind::Ident(_) = ast.kind(*argument) {
                parts.push(ExpressionPart {
                    kind: PartKind::Binder(index, at),
                    range: ast.expr(*argument).range,
                });
            }
        }
    }
    // The argument of `has` is skipped: its expansion is another node, which has a type.
    let is_has = |call: &&MacroCall| ast.name(call.name) == "has";
    let selected: Vec<ExprId> =
        ast.macros().iter().filter(is_has).flat_map(|call| ast.list(call.args)).copied().collect();
    for (id, expr) in ast.exprs().filter(|(id, _)| !selected.contains(id)) {
        let part = match &expr.kind {
            ExprKind::Ident(name) => {
                let is_written = text.get(expr.range.as_usize()) == Some(ast.name(*name));
                is_written.then_some((PartKind::Variable(id), expr.range))
            }
            ExprKind::Select { field_range, .. } => Some((PartKind::Field(id), *field_range)),
            ExprKind::Call { function: Function::Named(_), .. } => {
                cel::name_before(&tokens, expr.anchor).map(|range| (PartKind::Function(id), range))
            }
            ExprKind::Call { function: Function::Operator(cel::ast::Operator::OptSelect), args, .. } => {
                let field = ast.list(*args).get(1);
                field.map(|field| (PartKind::Field(id), ast.expr(*field).range))
            }
            ExprKind::Call { .. } => {
                let token = token_at(&tokens, expr.anchor).filter(|token| is_operator(token.kind));
                token.map(|token| (PartKind::Operator(id), token.range))
            }
            ExprKind::Literal(_) => {
                let token = token_at(&tokens, expr.range.start);
                let is_written = token.is_some_and(|token| is_literal(token.kind))
                    && ast.macros().iter().all(|call| ast.expr(call.expansion).range != expr.range);
                is_written.then_some((PartKind::Literal(id), expr.range))
            }
            _ => None,
        };
        if let Some((kind, range)) = part {
            parts.push(ExpressionPart { kind, range });
        }
    }
    // A name may occur twice: a binder is an unused variable, the field of `a.?b` a literal, and macros copy.
    parts.sort_by_key(|part| (part.range, rank(part.kind)));
    parts.dedup_by_key(|part| part.range);
    parts
}

/// The part at byte `at`; of two adjacent parts, the one that is a name.
pub(super) fn part_at(parts: &[ExpressionPart], at: TextSize) -> Option<ExpressionPart> {
    let touching = parts.iter().filter(|part| part.range.touches(at) && !part.range.is_empty());
    touching.min_by_key(|part| (rank(part.kind), part.range.len())).copied()
}

fn rank(kind: PartKind) -> u8 {
    match kind {
        PartKind::Macro(_) | PartKind::Binder(..) => 0,
        PartKind::Field(_) => 1,
        PartKind::Function(_) => 2,
        PartKind::Variable(_) => 3,
        PartKind::Literal(_) => 4,
        PartKind::Operator(_) => 5,
    }
}

pub(super) fn token_at(tokens: &[Token], start: TextSize) -> Option<Token> {
    let at = tokens.binary_search_by_key(&start, |token| token.range.start).ok()?;
    tokens.get(at).copied()
}

pub(super) const fn is_operator(kind: TokenKind) -> bool {
    use TokenKind as T;
    matches!(
        kind,
        T::EqualEqual
            | T::NotEqual
            | T::In
            | T::Less
            | T::LessEqual
            | T::GreaterEqual
            | T::Greater
            | T::And
            | T::Or
            | T::Minus
            | T::Exclamation
            | T::Question
            | T::Plus
            | T::Star
            | T::Slash
            | T::Percent
            | T::LeftBracket
    )
}

const fn is_literal(kind: TokenKind) -> bool {
    use TokenKind as T;
    matches!(
        kind,
        T::True | T::False | T::Null | T::Float | T::Int | T::Uint | T::String | T::Bytes | T::Minus
    )
}
