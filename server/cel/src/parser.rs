//! Parses a text to a tree.

mod grammar;
mod literals;
mod macros;
mod recognizer;

use text::{TextRange, TextSize};

use crate::ast::{Ast, ExprKind};
use crate::feature::Feature;
use crate::issue::{Issue, IssueCode};
use crate::lexer;
use recognizer::Parser;

pub use grammar::{is_keyword, is_reserved};
pub use macros::ACCUMULATOR;

/// The longest expression that cel-go parses, in code points.
const MAX_CODE_POINTS: usize = 100_000;

/// The syntax of an environment in addition to the core of the language.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParseOptions {
    /// `a.?b`, `a[?b]`, `[?a]`, `{?a: b}` and the macros `optMap` and `optFlatMap`.
    pub optional_syntax: bool,
    /// `all`, `exists`, `existsOne` and `exists_one` with two variables, `transformList`, `transformMap`,
    /// `transformMapEntry`.
    pub two_variable_macros: bool,
    /// `sortBy`
    pub sort_by: bool,
}

impl ParseOptions {
    /// Whether the macros of a feature are available.
    const fn knows(self, feature: Feature) -> bool {
        match feature {
            Feature::OptionalTypes => self.optional_syntax,
            Feature::TwoVariableMacros => self.two_variable_macros,
            Feature::SortBy => self.sort_by,
            // The syntax does not depend on these features.
            Feature::CrossTypeComparisons | Feature::LiteralValidators | Feature::ReservedWordsAsFields => {
                true
            }
        }
    }
}

/// Parses an expression. There is always a tree, with error nodes at the issues.
#[must_use]
pub fn parse(text: &str, options: ParseOptions) -> (Ast, Vec<Issue>) {
    let size = if text.len() > MAX_CODE_POINTS { text.chars().count() } else { 0 };
    if size > MAX_CODE_POINTS {
        return refuse(text, size);
    }
    let (tokens, lex_errors) = lexer::tokens(text);
    let mut parser = Parser::new(text, tokens, lex_errors, options);
    parser.start();
    parser.finish()
}

fn refuse(text: &str, size: usize) -> (Ast, Vec<Issue>) {
    let range = TextRange::new(0, text.len() as TextSize);
    let message = format!("expression code point size exceeds limit: size: {size}, limit {MAX_CODE_POINTS}");
    let mut ast = Ast::new();
    ast.root = ast.push(ExprKind::Error, range, 0);
    (ast, vec![Issue { code: IssueCode::Limit, range, anchor: None, types: Vec::new(), message }])
}
