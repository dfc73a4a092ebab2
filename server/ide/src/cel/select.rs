//! What is selected step by step around a cursor in a rule.

use text::{TextRange, TextSize};

use super::at::parts;
use super::site::{Source, with_site};
use crate::document::Caches;

/// The parts of the expression around `offset` (in bytes), from the inside to the outside: a name, what it is selected
/// from, the arguments and operators around it, the whole rule, its scalar.
pub(crate) fn selections(source: Source<'_>, offset: TextSize, caches: &mut Caches) -> Vec<TextRange> {
    let selected = with_site(source, offset, caches, |site, spot| {
        let cursor = site.written.cursor(offset, |_| false).filter(|_| !spot.on_key)?;
        let at = TextSize::try_from(cursor.at).ok()?;
        let ast = &site.inspected.ast;
        let names = parts(&site.written.text, ast).into_iter().map(|part| part.range);
        let around = ast.exprs().map(|(_, expr)| expr.range).chain(names);
        let mut around: Vec<TextRange> =
            around.filter(|range| range.touches(at) && !range.is_empty()).collect();
        around.sort_by_key(|range| (range.len(), range.start));
        let mut chain: Vec<TextRange> = Vec::new();
        for range in around {
            // Where two meet at the cursor, the first goes on.
            if chain.last().is_none_or(|inner| *inner != range && range.contains_range(*inner)) {
                chain.push(range);
            }
        }
        let mut chain: Vec<TextRange> = chain.into_iter().map(|range| site.written.range(range)).collect();
        chain.push(site.written.whole());
        chain.dedup();
        Some(chain)
    });
    selected.unwrap_or_default()
}
