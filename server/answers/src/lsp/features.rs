//! Hover, outline and folds.

use super::error::Result;
use ide::{FoldKind, Symbol, SymbolKind as Kind};
use ls_types::{
    DocumentSymbol, DocumentSymbolParams, DocumentSymbolResponse, FoldingRange, FoldingRangeKind,
    FoldingRangeParams, Hover, HoverContents, HoverParams, Location, MarkupContent, MarkupKind,
    SymbolInformation, SymbolKind,
};
use serde_json::{Value, json};
use text::PositionRange;

use super::Context;
use super::convert::{Converter, range};

/// The maximum number of symbols of an outline; above it, the deepest levels are omitted. A client needs
/// hundreds of megabytes for more, and nobody reads them.
const MAX_SYMBOLS: usize = 10_000;
/// The maximum number of folds, if the client does not want fewer; above it, the shortest are omitted.
const MAX_FOLDS: usize = 10_000;

/// The Kubernetes release that this document is checked against, `1.NN`; null for a file that is neither YAML
/// nor JSON.
pub(super) fn kubernetes_version(context: &Context<'_>) -> Value {
    let version = context.file.map(|file| file.settings().kubernetes_version);
    version.map_or(Value::Null, |version| json!(format!("1.{}", version.minor)))
}

/// The objects of the text that are not checked, or only in part.
pub(super) fn not_judged(context: &Context<'_>) -> Value {
    let converter = context.converter();
    let all = context.file.map(|file| file.not_judged()).unwrap_or_default().into_iter();
    let one = |one: ide::NotJudged| {
        json!({
            "range": converter.range(one.range),
            "apiVersion": one.api_version,
            "kind": one.kind,
            "reason": one.reason.as_str(),
        })
    };
    all.map(one).collect()
}

pub(super) fn hover(context: &Context<'_>, params: HoverParams) -> Result<Option<Hover>> {
    let converter = context.converter();
    let offset = converter.offset(params.text_document_position_params.position);
    let hover = context.subject.and_then(|subject| subject.hover(offset));
    let kind = if context.profile.markdown_hover { MarkupKind::Markdown } else { MarkupKind::PlainText };
    Ok(hover.map(|hover| Hover {
        contents: HoverContents::Markup(MarkupContent { kind, value: hover.markdown }),
        range: Some(converter.range(hover.range)),
    }))
}

pub(super) fn symbols(context: &Context<'_>, _: DocumentSymbolParams) -> Result<DocumentSymbolResponse> {
    let outline = context.file.map(|file| file.outline(context.profile.encoding, MAX_SYMBOLS));
    let (documents, depth) = outline.unwrap_or_default();
    let converter = context.converter();
    let all = documents.iter().enumerate().map(|(index, document)| {
        let symbol = &*document.content;
        let name = match &*symbol.name {
            "" => format!("document {}", index + 1),
            name => name.to_owned(),
        };
        (name, symbol, converter.position(document.start).line)
    });
    Ok(if context.profile.nested_symbols {
        let nested =
            all.map(|(name, symbol, line)| DocumentSymbol { name, ..document_symbol(symbol, line, depth) });
        DocumentSymbolResponse::Nested(nested.collect())
    } else {
        let mut flat = Vec::new();
        for (name, symbol, line) in all {
            flatten(name, symbol, None, &converter, line, depth, &mut flat);
        }
        DocumentSymbolResponse::Flat(flat)
    })
}

/// The symbol with `depth` levels, of a document that begins at `line`.
fn document_symbol(symbol: &Symbol, line: u32, depth: usize) -> DocumentSymbol {
    let below = symbol.children.iter().filter(|_| depth > 1);
    let children: Vec<DocumentSymbol> = below.map(|child| document_symbol(child, line, depth - 1)).collect();
    // The protocol's type has a deprecated field.
    #[allow(deprecated)]
    DocumentSymbol {
        name: name(&symbol.name),
        detail: (!symbol.detail.is_empty()).then(|| symbol.detail.clone()),
        kind: kind(symbol.kind),
        tags: None,
        deprecated: None,
        range: range(symbol.range.below(line)),
        selection_range: range(symbol.selection.below(line)),
        children: (!children.is_empty()).then_some(children),
    }
}

fn flatten(
    name_of: String,
    symbol: &Symbol,
    container: Option<&str>,
    converter: &Converter<'_>,
    line: u32,
    depth: usize,
    flat: &mut Vec<SymbolInformation>,
) {
    // The protocol's type has a deprecated field.
    #[allow(deprecated)]
    flat.push(SymbolInformation {
        name: name_of.clone(),
        kind: kind(symbol.kind),
        tags: None,
        deprecated: None,
        location: Location { uri: converter.uri().clone(), range: range(symbol.range.below(line)) },
        container_name: container.map(str::to_owned),
    });
    for child in symbol.children.iter().filter(|_| depth > 1) {
        flatten(name(&child.name), child, Some(&name_of), converter, line, depth - 1, flat);
    }
}

/// VS Code rejects the whole outline for one empty name.
fn name(name: &str) -> String {
    if name.trim().is_empty() { "\"\"".to_owned() } else { name.to_owned() }
}

const fn kind(kind: Kind) -> SymbolKind {
    match kind {
        Kind::Document => SymbolKind::MODULE,
        Kind::Object => SymbolKind::OBJECT,
        Kind::List => SymbolKind::ARRAY,
        Kind::String => SymbolKind::STRING,
        Kind::Number => SymbolKind::NUMBER,
        Kind::Boolean => SymbolKind::BOOLEAN,
        Kind::Null => SymbolKind::NULL,
    }
}

pub(super) fn folds(context: &Context<'_>, _: FoldingRangeParams) -> Result<Vec<FoldingRange>> {
    let documents = context.file.map(|file| file.folds(context.profile.encoding));
    let converter = context.converter();
    let mut all = Vec::new();
    for document in documents.unwrap_or_default() {
        let line = converter.position(document.start).line;
        all.extend(document.content.iter().map(|fold| (fold.range.below(line), fold.kind)));
    }
    let limit = context.profile.fold_limit.map_or(MAX_FOLDS, |limit| MAX_FOLDS.min(limit as usize));
    keep_longest(&mut all, limit);
    let lines_only = context.profile.line_folding_only;
    Ok(all.into_iter().map(|(range, kind)| fold(range, kind, lines_only)).collect())
}

/// Keeps the `most` longest folds; among equally long folds, the first.
fn keep_longest(folds: &mut Vec<(PositionRange, FoldKind)>, most: usize) {
    if folds.len() <= most {
        return;
    }
    let lines = |range: &PositionRange| range.end.line - range.start.line;
    let mut all: Vec<u32> = folds.iter().map(|(range, _)| lines(range)).collect();
    all.sort_unstable_by(|one, other| other.cmp(one));
    let shortest = all.get(most).copied().unwrap_or_default();
    let longer = all.partition_point(|length| *length > shortest);
    let mut room = most - longer;
    folds.retain(|(range, _)| {
        let is_last = lines(range) == shortest && room > 0;
        room -= usize::from(is_last);
        is_last || lines(range) > shortest
    });
}

fn fold(range: PositionRange, kind: FoldKind, lines_only: bool) -> FoldingRange {
    // In the protocol, regions are marked by comments; editors have a separate command that folds them.
    let kind = match kind {
        FoldKind::Region => None,
        FoldKind::Comment => Some(FoldingRangeKind::Comment),
    };
    FoldingRange {
        start_line: range.start.line,
        start_character: (!lines_only).then_some(range.start.character),
        end_line: range.end.line,
        end_character: (!lines_only).then_some(range.end.character),
        kind,
        collapsed_text: None,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

    use text::{Position, TextBuffer};

    use super::super::profile::ClientProfile;
    use super::*;

    fn symbol(name: &str, children: Vec<Symbol>) -> Symbol {
        let (detail, kind) = (String::new(), Kind::Object);
        Symbol { name: name.to_owned(), detail, kind, range: lines(0, 0), selection: lines(0, 0), children }
    }

    fn lines(first: u32, last: u32) -> PositionRange {
        let at = |line| Position { line, character: 0 };
        PositionRange { start: at(first), end: at(last) }
    }

    #[test]
    fn symbols_nest_or_name_their_container() {
        let tree = symbol("a", vec![symbol("", vec![])]);
        let document = document_symbol(&tree, 3, 2);
        let child = &document.children.as_ref().unwrap()[0];
        assert_eq!((child.name.as_str(), child.range.start.line), ("\"\"", 3));
        assert_eq!(document_symbol(&tree, 3, 1).children, None);
        let (buffer, profile) = (TextBuffer::new("a: b\n"), ClientProfile::default());
        let uri = "file:///a.yaml".parse().unwrap();
        let converter = Converter::new(&buffer, &uri, &profile);
        let mut flat = Vec::new();
        flatten("a".to_owned(), &tree, None, &converter, 0, 2, &mut flat);
        let pairs: Vec<_> = flat.iter().map(|s| (s.name.as_str(), s.container_name.as_deref())).collect();
        assert_eq!(pairs, [("a", None), ("\"\"", Some("a"))]);
    }

    #[test]
    fn nested_answers_stay_readable_for_clients() {
        let deep = (0..1000).fold(symbol("leaf", vec![]), |child, _| symbol("x", vec![child]));
        let json =
            serde_json::to_string(&json!({"result": [document_symbol(&deep, 0, ide::MOST_LEVELS)]})).unwrap();
        assert!(serde_json::from_str::<Value>(&json).is_ok());
    }

    #[test]
    fn the_longest_folds_are_kept_within_the_limit() {
        let fold = |first, last| (lines(first, last), FoldKind::Region);
        let mut folds = vec![fold(0, 9), fold(1, 2), fold(3, 5), fold(6, 8), fold(7, 8)];
        keep_longest(&mut folds, 2);
        assert_eq!(folds, [fold(0, 9), fold(3, 5)]);
        keep_longest(&mut folds, 2);
        assert_eq!(folds.len(), 2);
    }

    #[test]
    fn folds_have_columns_for_clients_that_support_them() {
        let of = |lines_only| fold(lines(1, 2), FoldKind::Region, lines_only);
        assert_eq!((of(true).end_line, of(true).end_character), (2, None));
        assert_eq!(of(false).end_character, Some(0));
        assert_eq!(of(false).kind, None);
    }
}
