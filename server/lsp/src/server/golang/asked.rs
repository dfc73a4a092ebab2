//! Further questions about a Go file: signatures, costs, colours, and where names are declared.

use ide::{Hint, Signatures, TokenClass};
use text::{TextBuffer, TextRange, TextSize};

use super::analysis::{GoFile, located};
use super::cursor::Cursor;
use super::expression::{Expression, argument_at, arguments_of};
use super::packages::Packages;

impl GoFile {
    /// The signatures of the call of an expression that a place is in.
    pub(in crate::server) fn signatures(&self, offset: TextSize) -> Option<Signatures> {
        let cursor = Cursor::at(&self.text, offset)?;
        let argument = argument_at(&cursor, self.version())?;
        let expression = Expression::of(self, &cursor, &argument)?;
        expression.made.file.signatures(expression.to_made(offset)?)
    }

    /// Where the name at a place of an expression is declared: the name of the file, its text, and the bytes.
    pub(in crate::server) fn definition(
        &self,
        offset: TextSize,
        packages: &Packages,
    ) -> Option<(std::sync::Arc<str>, TextBuffer, TextRange)> {
        let cursor = Cursor::at(&self.text, offset)?;
        let argument = argument_at(&cursor, self.version())?;
        let expression = Expression::of(self, &cursor, &argument)?;
        let found = expression.made.file.definition(expression.to_made(offset)?)?;
        // What a macro names is within the expression.
        let (path, range) = expression.origin_of(found.target)?;
        located(expression.generated, packages, &path, range)
    }

    /// What the rules cost whose markers are in `range`, at the ends of these.
    pub(in crate::server) fn hints(&self, range: TextRange) -> Vec<Hint> {
        let mut hints = Vec::new();
        self.for_each_expression(range, |cursor, expression| {
            let found = expression.made.file.hints(expression.range()).into_iter();
            let offset = TextSize::try_from(cursor.start + cursor.text.len()).unwrap_or(TextSize::MAX);
            hints.extend(found.take(1).map(|hint| Hint { offset, ..hint }));
        });
        hints.dedup_by_key(|hint| hint.offset);
        hints
    }

    /// What the parts of the expressions are whose markers are in `range`, by place.
    pub(in crate::server) fn tokens(&self, range: TextRange) -> Vec<(TextRange, TokenClass)> {
        let mut tokens = Vec::new();
        self.for_each_expression(range, |_, expression| {
            let found = expression.made.file.tokens(expression.range()).into_iter();
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

    /// The definition that is generated of the type or field at a place; without one there, all of this file's kinds, or of
    /// its package.
    pub(in crate::server) fn schema(&self, offset: Option<TextSize>) -> String {
        let at = offset.and_then(|offset| {
            self.generated.iter().find_map(|generated| {
                let (node, _) = self.node_at(generated, offset)?;
                let product = node.made.product(node.place.value.start)?;
                Some(format!("# {}\n{}", product.name, product.text))
            })
        });
        let all = |is_meant: &dyn Fn(&std::path::Path) -> bool| {
            let made = self.generated.iter().flat_map(|generated| &generated.made);
            let texts = made.filter(|made| is_meant(&made.path)).flat_map(|made| {
                made.products().iter().map(|product| format!("# {}\n{}", product.name, product.text))
            });
            texts.collect::<Vec<String>>().join("")
        };
        let mut text = at.unwrap_or_else(|| all(&|path| path == self.path));
        if text.is_empty() {
            text = all(&|_| true);
        }
        if text.is_empty() { "# Nothing is generated of this package.\n".to_owned() } else { text }
    }
}
