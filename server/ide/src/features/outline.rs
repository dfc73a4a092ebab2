//! Outline and folds of a text, by document. The results for unchanged documents are cached.

use std::sync::Arc;

use memo::{ByNode, table_of};
use text::{LineIndex, PositionEncoding, TextSize};
use yaml::{Document, Node, NodeRef};

use crate::features::{folds, symbols};
use crate::{File, Fold, Symbol};

/// The maximum number of levels; deeper symbols are omitted. Clients reject JSON of more than 127 levels, and
/// each level of symbols takes two.
pub const MOST_LEVELS: usize = 60;

/// The outline or the folds of a document, with positions relative to its first line.
#[derive(Clone, Debug)]
pub struct DocumentPart<T> {
    /// Where the document starts, in bytes.
    pub start: TextSize,
    /// The outline or the folds.
    pub content: Arc<T>,
}

#[derive(Debug, Default)]
struct KnownSymbols {
    documents: ByNode<Node, Arc<OutlinedDocument>>,
}

#[derive(Debug, Default)]
struct KnownFolds {
    documents: ByNode<Node, FoldedDocument>,
}

table_of!(KnownSymbols, documents);
table_of!(KnownFolds, documents);

/// The outline of a document.
#[derive(Clone, Debug)]
struct OutlinedDocument {
    encoding: PositionEncoding,
    /// The number of symbols on each level.
    counts: Vec<usize>,
    /// The number of levels in `symbol`.
    depth: usize,
    symbol: Arc<Symbol>,
}

#[derive(Clone, Debug)]
struct FoldedDocument {
    encoding: PositionEncoding,
    /// Whether the document was one of several.
    several: bool,
    folds: Arc<Vec<Fold>>,
}

/// Returns the outline, one symbol for each document, and the number of levels that have at most `most`
/// symbols together, at least one. The outline may have more levels.
pub(crate) fn outline(
    file: &File,
    encoding: PositionEncoding,
    most: usize,
) -> (Vec<DocumentPart<Symbol>>, usize) {
    let documents: Vec<Document<'_>> = file.tree().documents().collect();
    let mut known: Vec<Option<Arc<OutlinedDocument>>> = {
        let mut caches = file.caches();
        let table = caches.table::<KnownSymbols>();
        let known = documents.iter().map(|document| table.documents.get(document.syntax().node()).cloned());
        known.map(|known| known.filter(|known| known.encoding == encoding)).collect()
    };
    let mut totals = Vec::new();
    known.iter().flatten().for_each(|known| add(&mut totals, &known.counts));
    let keep = |document: &Document<'_>, outlined: OutlinedDocument| {
        let outlined = Arc::new(outlined);
        let mut caches = file.caches();
        caches.table::<KnownSymbols>().documents.insert(document.syntax().node(), Arc::clone(&outlined));
        Some(outlined)
    };
    // The tables are not locked during this work, because an edit waits for them.
    for (document, known) in documents.iter().zip(&mut known).filter(|(_, known)| known.is_none()) {
        let outlined = OutlinedDocument::of(*document, encoding, |counts| {
            add(&mut totals, counts);
            cached_levels(&totals, most)
        });
        *known = keep(document, outlined);
    }
    let depth = visible_levels(&totals, most);
    let lacks_levels = |known: &Arc<OutlinedDocument>| known.depth < depth.min(known.counts.len());
    for (document, known) in documents.iter().zip(&mut known) {
        if known.as_ref().is_some_and(lacks_levels) {
            *known =
                keep(document, OutlinedDocument::of(*document, encoding, |_| cached_levels(&totals, most)));
        }
    }
    let all = documents.iter().zip(known.iter().flatten());
    let shown = |(document, known): (&Document<'_>, &Arc<OutlinedDocument>)| DocumentPart {
        start: document.range().start,
        content: Arc::clone(&known.symbol),
    };
    (all.map(shown).collect(), depth)
}

/// The folds, by document.
pub(crate) fn folded(file: &File, encoding: PositionEncoding) -> Vec<DocumentPart<Vec<Fold>>> {
    let several = file.tree().documents().nth(1).is_some();
    let of = |node: NodeRef<'_>| {
        let known = file.caches().table::<KnownFolds>().documents.get(node.node()).cloned();
        let known = known.filter(|known| (known.encoding, known.several) == (encoding, several));
        let known = known.unwrap_or_else(|| {
            let folds = Arc::new(folds_of(node, encoding, several));
            let known = FoldedDocument { encoding, several, folds };
            file.caches().table::<KnownFolds>().documents.insert(node.node(), known.clone());
            known
        });
        DocumentPart { start: node.range().start, content: known.folds }
    };
    file.tree().root().nodes().map(of).collect()
}

fn folds_of(node: NodeRef<'_>, encoding: PositionEncoding, several: bool) -> Vec<Fold> {
    let node = node.alone();
    let text = node.text();
    let lines = LineIndex::new(&text);
    let place = |fold: crate::Fold<_>| Fold { range: lines.range(fold.range, encoding), kind: fold.kind };
    folds::folds(node, &text, &lines, several).into_iter().map(place).collect()
}

impl OutlinedDocument {
    /// The outline of `document`. `depth` receives the number of symbols on each level and returns the number
    /// of levels.
    fn of(document: Document<'_>, encoding: PositionEncoding, depth: impl FnOnce(&[usize]) -> usize) -> Self {
        let document = document.alone();
        let text = document.syntax().text();
        let lines = LineIndex::new(&text);
        let symbol = symbols::symbol(document);
        let mut counts = Vec::new();
        let mut level = vec![&symbol];
        while !level.is_empty() && counts.len() < MOST_LEVELS {
            counts.push(level.len());
            level = level.into_iter().flat_map(|symbol| &symbol.children).collect();
        }
        let depth = depth(&counts);
        let symbol = Arc::new(placed(symbol, &|range| lines.range(range, encoding), depth));
        Self { encoding, depth, counts, symbol }
    }
}

/// The symbol with positions from `place`, and with that number of levels.
fn placed<R, S>(symbol: Symbol<R>, place: &impl Fn(R) -> S, levels: usize) -> Symbol<S> {
    let below = symbol.children.into_iter().filter(|_| levels > 1);
    Symbol {
        name: symbol.name,
        detail: symbol.detail,
        kind: symbol.kind,
        range: place(symbol.range),
        selection: place(symbol.selection),
        children: below.map(|child| placed(child, place, levels - 1)).collect(),
    }
}

fn add(totals: &mut Vec<usize>, counts: &[usize]) {
    totals.resize(totals.len().max(counts.len()), 0);
    totals.iter_mut().zip(counts).for_each(|(total, count)| *total += count);
}

/// The number of levels that have at most `most` symbols together; at least one.
fn visible_levels(totals: &[usize], most: usize) -> usize {
    let mut sum = 0;
    let fits = totals.iter().take_while(|count| {
        sum += **count;
        sum <= most
    });
    fits.count().max(1)
}

/// The number of levels to keep: one more, so that an edit across the limit and back does not rebuild the
/// outline of all documents.
fn cached_levels(totals: &[usize], most: usize) -> usize {
    visible_levels(totals, most) + 1
}

#[cfg(test)]
mod tests {
    use crate::Settings;
    use crate::features::outline::*;

    #[test]
    fn an_outline_has_as_many_levels_as_fit_the_limit() {
        assert_eq!(visible_levels(&[50, 5_000], 10_000), 2);
        assert_eq!(visible_levels(&[50, 500, 10_000], 10_000), 2);
        assert_eq!(visible_levels(&[10_001], 10_000), 1);
    }

    #[test]
    fn omitted_levels_appear_when_there_is_room() {
        let text = "a: {b: {c: 1}}\n---\nd: {e: {f: 1}}\n";
        let file = File::new(text, &Settings::default());
        let levels = |most: usize| {
            fn levels(symbol: &Symbol) -> usize {
                1 + symbol.children.iter().map(levels).max().unwrap_or_default()
            }
            let (documents, depth) = outline(&file, PositionEncoding::Utf16, most);
            let all = documents.iter().map(|document| levels(&document.content));
            (all.min().unwrap_or_default(), depth)
        };
        assert_eq!(levels(4), (3, 2), "one level more is kept");
        assert_eq!(levels(2), (3, 1));
        assert_eq!(levels(100), (4, 4));
    }
}
