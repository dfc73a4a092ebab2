//! The ranges that an editor selects step by step around a cursor.

use text::{TextRange, TextSize};
use yaml::{Document, ValueKind};

use crate::analysis::caches::Caches;
use crate::features::cel::part::parts;
use crate::features::cel::site::{Source, with_site};

/// The ranges around `offset` (in bytes), from the innermost to the outermost. In a rule these are a name,
/// the field access that it belongs to, the operators and calls around it, and the whole rule; then follow
/// scalars, entries, mappings and sequences.
pub(crate) fn selections(source: Source<'_>, offset: TextSize, caches: &mut Caches) -> Vec<TextRange> {
    let mut chain = in_rule(source, offset, caches).unwrap_or_default();
    let document = crate::analysis::text_at::document_at(source.tree, offset);
    for range in document.into_iter().flat_map(|document| in_document(document, offset)) {
        if chain.last().is_none_or(|inner| *inner != range && range.contains_range(*inner)) {
            chain.push(range);
        }
    }
    chain
}

fn in_rule(source: Source<'_>, offset: TextSize, caches: &mut Caches) -> Option<Vec<TextRange>> {
    with_site(source, offset, caches, |site, position| {
        let cursor = site.field_text.cursor(offset, |_| false).filter(|_| !position.on_key)?;
        let at = TextSize::try_from(cursor.at).ok()?;
        let ast = &site.inspected.ast;
        let names = parts(&site.field_text.text, ast).into_iter().map(|part| part.range);
        let around = ast.exprs().map(|(_, expr)| expr.range).chain(names);
        let mut around: Vec<TextRange> =
            around.filter(|range| range.touches(at) && !range.is_empty()).collect();
        // Of two ranges that meet at the cursor, the shorter one comes first.
        around.sort_by_key(|range| (range.len(), range.start));
        let mut chain: Vec<TextRange> = Vec::new();
        for range in around {
            if chain.last().is_none_or(|inner| *inner != range && range.contains_range(*inner)) {
                chain.push(range);
            }
        }
        // An offset before a line of a block scalar maps to the first character of the line, whose range does
        // not contain the offset.
        let written = chain.into_iter().map(|range| site.field_text.range(range));
        Some(written.filter(|range| range.touches(offset)).collect())
    })
}

/// The values and entries around `offset`, from the innermost to the outermost. It descends in a loop.
fn in_document(document: Document<'_>, offset: TextSize) -> Vec<TextRange> {
    let mut chain = vec![document.range()];
    let mut next = document.root();
    while let Some(value) = next.filter(|value| value.range().touches(offset)) {
        chain.push(value.range());
        next = match value.kind() {
            ValueKind::Mapping(mapping) => {
                let entry = mapping.entries().rfind(|entry| entry.range().start <= offset);
                entry.filter(|entry| entry.range().touches(offset)).and_then(|entry| {
                    chain.push(entry.range());
                    let on_key = entry.key_range().touches(offset);
                    chain.extend(on_key.then(|| entry.key_range()));
                    (!on_key).then(|| entry.value())
                })
            }
            ValueKind::Sequence(sequence) => {
                let item = sequence.items().take_while(|item| item.range().start <= offset).last();
                item.map(|item| item.value())
            }
            _ => None,
        };
    }
    chain.reverse();
    chain
}
