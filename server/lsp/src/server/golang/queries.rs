//! Further requests on a Go file: signatures, costs, semantic tokens, and previews.

use ide::picture::{Picture, Place};
use ide::{Hint, Signatures, TokenClass};
use text::{TextEdit, TextRange, TextSize};

use super::analysis::GoFile;
use super::cursor::Cursor;
use super::expression::{Expression, argument_at, arguments_of};
use crate::generated_definitions::{GeneratedDefinitions, GoFileDefinitions};

impl GoFile {
    /// The signatures of the call around a place in an expression.
    pub(in crate::server) fn signatures(&self, offset: TextSize) -> Option<Signatures> {
        let cursor = Cursor::at(&self.text, offset)?;
        let argument = argument_at(&cursor, self.version())?;
        let expression = Expression::of(self, &cursor, &argument)?;
        expression.definitions.file.signatures(expression.to_made(offset)?)
    }

    /// The edit that writes the expression at a place in canonical form, with its title.
    pub(in crate::server) fn format_rule(&self, offset: TextSize) -> Option<(String, TextEdit)> {
        let cursor = Cursor::at(&self.text, offset)?;
        let argument = argument_at(&cursor, self.version())?;
        let expression = Expression::of(self, &cursor, &argument)?;
        let formatted = expression.definitions.file.rule_in_one_line(expression.to_made(offset)?)?;
        let edit = TextEdit::replace(expression.full_range(), expression.encode(&formatted.text)?);
        Some((formatted.title, edit))
    }

    /// The costs of the rules whose markers are in `range`, at the ends of the markers.
    pub(in crate::server) fn hints(&self, range: TextRange) -> Vec<Hint> {
        let mut hints = Vec::new();
        self.for_each_expression(range, |cursor, expression| {
            let found = expression.definitions.file.hints(expression.range()).into_iter();
            let offset = TextSize::try_from(cursor.start + cursor.text.len()).unwrap_or(TextSize::MAX);
            hints.extend(found.take(1).map(|hint| Hint { offset, ..hint }));
        });
        hints.dedup_by_key(|hint| hint.offset);
        hints
    }

    /// The token classes in the expressions whose markers are in `range`, by place.
    pub(in crate::server) fn tokens(&self, range: TextRange) -> Vec<(TextRange, TokenClass)> {
        let mut tokens = Vec::new();
        self.for_each_expression(range, |_, expression| {
            let found = expression.definitions.file.tokens(expression.range()).into_iter();
            tokens.extend(found.filter_map(|(range, class)| Some((expression.to_go(range)?, class))));
        });
        tokens.sort_by_key(|(range, _)| *range);
        tokens.dedup_by_key(|(range, _)| *range);
        tokens
    }

    fn for_each_expression(&self, range: TextRange, mut visit: impl FnMut(&Cursor<'_>, &Expression<'_>)) {
        let version = self.version();
        let range = range.start as usize..(range.end as usize).min(self.text.len());
        for cursor in Cursor::all_in(&self.text, range) {
            for argument in arguments_of(&cursor, version) {
                if let Some(expression) = Expression::of(self, &cursor, &argument) {
                    visit(&cursor, &expression);
                }
            }
        }
    }

    /// The definition that is generated from the type or field at a place. If there is none, all definitions of this file's
    /// kinds, or of its package.
    pub(in crate::server) fn schema(&self, offset: Option<TextSize>) -> String {
        let at = offset.and_then(|offset| {
            self.generated.iter().find_map(|generated| {
                let (node, _) = self.node_at(generated, offset)?;
                let product = node.file.product(node.place.value.start)?;
                Some(format!("# {}\n{}", product.name, product.text))
            })
        });
        let text = at.unwrap_or_else(|| {
            let products = self.shown_definitions().into_iter().flat_map(|(_, made)| made.products());
            products.map(|product| format!("# {}\n{}", product.name, product.text)).collect()
        });
        if text.is_empty() { "# Nothing is generated of this package.\n".to_owned() } else { text }
    }
    /// Pictures of the definitions that are generated from this file's kinds, or from its package. `place` converts offsets
    /// to lines and columns. Parts that another file declares lead to their kind.
    pub(in crate::server) fn pictures(&self, place: &dyn Fn(TextSize) -> Place) -> Vec<Picture> {
        let mut pictures = Vec::new();
        for (generated, made) in self.shown_definitions() {
            let shift = self.shift(generated.outcome.sources());
            let here = |offset: TextSize| {
                let range = TextRange::new(offset, offset.saturating_add(1));
                let (path, range) = generated.origin_of(made, range)?;
                if path == self.path { shift.range(range) } else { None }
            };
            let of_kind = |offset| here(made.product(offset)?.start);
            pictures.extend(made.file.pictures(&made.buffer, &|offset| {
                place(here(offset).or_else(|| of_kind(offset)).map_or(0, |range| range.start))
            }));
        }
        pictures
    }

    /// The definitions of this file's kinds; of all kinds of its package, if it has none.
    fn shown_definitions(&self) -> Vec<(&GeneratedDefinitions, &GoFileDefinitions)> {
        let all = self.generated.iter();
        let all = all.flat_map(|generated| generated.files.iter().map(move |made| (&**generated, made)));
        let (here, others): (Vec<_>, Vec<_>) = all.partition(|(_, made)| made.path == self.path);
        if here.is_empty() { others } else { here }
    }
}
