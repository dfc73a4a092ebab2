//! The classes of the tokens of expressions, for syntax highlighting.

use cel::TokenKind;
use crd::cel::Purpose;
use text::TextRange;

use crate::analysis::caches::Caches;
use crate::features::cel::navigate::is_local;
use crate::features::cel::part::{PartKind, is_operator, parts};
use crate::features::cel::site::{Source, for_each_rule};

/// The class of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenClass {
    /// `self`, `oldSelf`, or the name of a type.
    Variable,
    /// A variable of a macro.
    Parameter,
    /// A field.
    Property,
    /// A function.
    Function,
    /// A macro.
    Macro,
    /// A string.
    String,
    /// A number.
    Number,
    /// `true`, `false`, `null`, `in`.
    Keyword,
    /// An operator.
    Operator,
}

/// The tokens of all rules that overlap `range`, in order; their ranges are in bytes.
pub(crate) fn tokens(
    source: Source<'_>,
    range: TextRange,
    caches: &mut Caches,
) -> Vec<(TextRange, TokenClass)> {
    let mut found = Vec::new();
    for_each_rule(source, range, caches, |view| {
        for purpose in [Purpose::Rule, Purpose::Message] {
            let Some((text, place)) = view.expression(purpose) else { continue };
            let mut named: Vec<(TextRange, TokenClass)> = Vec::new();
            if let Some(inspected) = view.inspect(purpose, text) {
                let class = |kind: PartKind| match kind {
                    PartKind::Variable(id) if is_local(&inspected, id) => Some(TokenClass::Parameter),
                    PartKind::Variable(_) => Some(TokenClass::Variable),
                    PartKind::Binder(..) => Some(TokenClass::Parameter),
                    PartKind::Field(_) => Some(TokenClass::Property),
                    PartKind::Function(_) => Some(TokenClass::Function),
                    PartKind::Macro(_) => Some(TokenClass::Macro),
                    PartKind::Operator(_) | PartKind::Literal(_) => None,
                };
                let parts = parts(text, &inspected.ast);
                named.extend(parts.iter().filter_map(|part| Some((part.range, class(part.kind)?))));
            }
            for token in cel::tokenize(text) {
                let at = named.binary_search_by_key(&token.range.start, |(range, _)| range.start);
                let known = at.ok().and_then(|at| named.get(at)).map(|(_, class)| *class);
                if let Some(class) = known.or_else(|| token_class(token.kind)) {
                    found.push((place.range_of(token.range, view.base()), class));
                }
            }
        }
    });
    found.sort_by_key(|(range, _)| *range);
    // A rule with an anchor belongs to several schemas.
    found.dedup_by_key(|(range, _)| *range);
    found
}

const fn token_class(kind: TokenKind) -> Option<TokenClass> {
    use TokenKind as T;
    match kind {
        T::String | T::Bytes => Some(TokenClass::String),
        T::Int | T::Uint | T::Float => Some(TokenClass::Number),
        T::True | T::False | T::Null | T::In => Some(TokenClass::Keyword),
        T::LeftBracket => None,
        kind if is_operator(kind) => Some(TokenClass::Operator),
        _ => None,
    }
}
