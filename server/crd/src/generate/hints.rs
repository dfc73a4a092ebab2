//! The literals and fields in rules, which determine the rules' results for a value.

use std::collections::BTreeSet;
use std::hash::BuildHasher;

use cel::Environment;
use cel::ast::{Ast, Expr, ExprKind, Function, Literal, Operator};
use rustc_hash::FxBuildHasher;

/// The maximum number of literals of one kind.
const MOST: usize = 64;
/// The maximum length of a text, in bytes.
const LONGEST: usize = 1_024;
/// The maximum number of texts that are joined in pairs.
const MOST_JOINED: usize = 8;
/// The maximum length of a text that is joined, in bytes.
const LONGEST_JOINED: usize = 32;

/// The literals and fields of expressions.
#[derive(Clone, Debug, Default)]
pub struct Hints {
    /// The names of the fields that are read, in the spelling of the schema.
    pub(super) names: BTreeSet<Box<str>>,
    /// Texts, in the order of the expressions.
    pub(super) texts: Vec<Box<str>>,
    /// Patterns of `matches`.
    pub(super) patterns: Vec<Box<str>>,
    /// The separators of `split`.
    separators: Vec<Box<str>>,
    /// The arguments of `startsWith`, and those of `contains` and `endsWith`.
    starts: Vec<Box<str>>,
    contained: Vec<Box<str>>,
    /// Integers.
    pub(super) ints: Vec<i64>,
    /// Other numbers.
    pub(super) floats: Vec<f64>,
}

impl Hints {
    /// The hints of `expressions`. An expression with syntax errors gives the hints of its parsed parts.
    #[must_use]
    pub fn of<'e>(expressions: impl IntoIterator<Item = &'e str>) -> Self {
        let mut hints = Self::default();
        for expression in expressions {
            let (ast, _) = cel::parse(expression, Environment::for_stored_rules().parse_options());
            ast.exprs().for_each(|(_, expr)| hints.read(&ast, expr));
        }
        hints
    }

    /// Adds a pattern; matching texts are generated.
    pub(super) fn add_pattern(&mut self, pattern: &str) {
        if !pattern.is_empty() && pattern.len() <= LONGEST {
            push(&mut self.patterns, pattern.into());
        }
    }

    /// A hash of all hints.
    pub(super) fn fingerprint(&self) -> u64 {
        let floats: Vec<u64> = self.floats.iter().map(|float| float.to_bits()).collect();
        FxBuildHasher.hash_one((
            &self.names,
            &self.texts,
            &self.patterns,
            (&self.separators, &self.starts, &self.contained),
            &self.ints,
            floats,
        ))
    }

    /// Whether an expression reads a field with this name.
    #[must_use]
    pub fn reads(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    /// The names of the fields that the expressions read, alphabetically.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(|name| &**name)
    }

    /// Texts that consist of two literals with a separator between them.
    pub(super) fn joined_literals(&self) -> impl Iterator<Item = String> {
        let is_word = |text: &&str| {
            !text.is_empty()
                && !self.separators.iter().any(|one| **one == **text)
                && !text.contains(['^', '$', '[', '\\'])
        };
        let words: Vec<&str> = self.texts().filter(is_word).take(MOST_JOINED).collect();
        let pairs = words.clone().into_iter().rev().take(2).flat_map(move |end| {
            words.clone().into_iter().filter(move |start| *start != end).map(move |start| (start, end))
        });
        pairs.flat_map(|(start, end)| self.separators.iter().map(move |at| format!("{start}{at}{end}")))
    }

    /// Texts that start with an argument of `startsWith` and end with one of `contains` or `endsWith`.
    pub(super) fn within_others(&self) -> impl Iterator<Item = String> {
        let short = |texts: &'_ [Box<str>]| {
            let short = texts.iter().filter(|text| (1..=LONGEST_JOINED).contains(&text.len()));
            short.cloned().collect::<Vec<_>>()
        };
        let (starts, held) = (short(&self.starts), short(&self.contained));
        let pairs = held
            .into_iter()
            .flat_map(move |held| starts.clone().into_iter().map(move |start| (start, held.clone())));
        pairs.filter(|(start, held)| start != held).map(|(start, held)| format!("{start}{held}")).take(MOST)
    }

    /// The texts in the expressions.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.texts.iter().map(|text| &**text)
    }

    /// Whether there are no hints.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.names.is_empty() && self.texts.is_empty() && self.ints.is_empty() && self.floats.is_empty()
    }

    fn read(&mut self, ast: &Ast, expr: &Expr) {
        match &expr.kind {
            ExprKind::Select { field, .. } => self.name(ast.name(*field)),
            ExprKind::Literal(literal) => self.literal(literal),
            ExprKind::Call { function, args, .. } => {
                let args = ast.list(*args);
                let text = |index: usize| match args.get(index).map(|id| ast.kind(*id)) {
                    Some(ExprKind::Literal(Literal::String(text))) => Some(text.clone()),
                    _ => None,
                };
                match function {
                    Function::Operator(Operator::Index | Operator::OptIndex | Operator::OptSelect) => {
                        text(1).iter().for_each(|name| self.name(name));
                    }
                    Function::Named(name) if ast.name(*name) == "matches" => {
                        let pattern = text(args.len().saturating_sub(1));
                        pattern.into_iter().for_each(|text| push(&mut self.patterns, text));
                    }
                    Function::Named(name) if ast.name(*name) == "startsWith" => {
                        text(1).or_else(|| text(0)).into_iter().for_each(|text| push(&mut self.starts, text));
                    }
                    Function::Named(name) if matches!(ast.name(*name), "contains" | "endsWith") => {
                        text(1)
                            .or_else(|| text(0))
                            .into_iter()
                            .for_each(|text| push(&mut self.contained, text));
                    }
                    Function::Named(name) if ast.name(*name) == "split" => {
                        text(1)
                            .or_else(|| text(0))
                            .into_iter()
                            .for_each(|text| push(&mut self.separators, text));
                    }
                    _ => {}
                }
            }
            _ => {}
        }
    }

    fn literal(&mut self, literal: &Literal) {
        match literal {
            Literal::String(text) if text.len() <= LONGEST => push(&mut self.texts, text.clone()),
            Literal::Int(number) => push(&mut self.ints, *number),
            Literal::Uint(number) => {
                i64::try_from(*number).into_iter().for_each(|number| push(&mut self.ints, number));
            }
            Literal::Double(number) => push(&mut self.floats, *number),
            _ => {}
        }
    }

    fn name(&mut self, name: &str) {
        let name = cel::declarations::property(name);
        if self.names.len() < MOST * 4 && name.len() <= LONGEST {
            self.names.insert(name.into());
        }
    }
}

fn push<T: PartialEq>(list: &mut Vec<T>, value: T) {
    if list.len() < MOST && !list.contains(&value) {
        list.push(value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_and_fields_are_read() {
        let hints = Hints::of([
            "has(self.a.b) && self.a__dash__b['x'] == 'y' || size(self.list) > 3",
            "self.c.matches('^v[0-9]$') && self.?d.orValue(1.5) < 2.5",
        ]);
        assert_eq!(hints.names().collect::<Vec<_>>(), ["a", "a-b", "b", "c", "d", "list", "x"]);
        assert_eq!(hints.texts.iter().map(|text| &**text).collect::<Vec<_>>(), ["x", "y", "^v[0-9]$", "d"]);
        assert_eq!(hints.patterns.iter().map(|text| &**text).collect::<Vec<_>>(), ["^v[0-9]$"]);
        let split = Hints::of(["self.split('@')[0] in ['a', 'b'] && self.split('@')[1] == 'latest'"]);
        assert_eq!(split.joined_literals().collect::<Vec<_>>(), ["a@latest", "b@latest", "a@b", "latest@b"]);
        assert_eq!((hints.ints, hints.floats), (vec![3], vec![1.5, 2.5]));
    }

    #[test]
    fn an_unfinished_expression_gives_the_readable_hints() {
        assert!(Hints::of(["self.a == 'b' && ("]).reads("a"));
        assert!(Hints::of(["", "((("]).is_empty());
    }
}
