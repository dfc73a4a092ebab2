//! Hover, outline, folds and pulled diagnostics.

use ide::{Fold, FoldKind, Symbol, SymbolKind as Kind};
use serde_json::{Value, json};
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{
    DocumentDiagnosticParams, DocumentDiagnosticReport, DocumentSymbol, DocumentSymbolParams,
    DocumentSymbolResponse, FoldingRange, FoldingRangeKind, FoldingRangeParams, FullDocumentDiagnosticReport,
    Hover, HoverContents, HoverParams, MarkupContent, MarkupKind, RelatedFullDocumentDiagnosticReport,
    RelatedUnchangedDocumentDiagnosticReport, SymbolInformation, SymbolKind,
    UnchangedDocumentDiagnosticReport,
};

use super::convert::Converter;
use super::requests::Context;

/// Deeper symbols are left out: clients refuse deeply nested JSON, and nobody reads such an outline.
const MAX_SYMBOL_DEPTH: usize = 64;
/// Of an outline with more symbols than this the deepest levels are left out: what a client makes of them takes
/// hundreds of megabytes, and nobody reads them.
const MAX_SYMBOLS: usize = 10_000;

/// The release whose API server is asked about this document, `1.NN`; null for a file of another kind.
pub(super) fn kubernetes_version(context: &Context) -> Value {
    let version = context.analysis.file().map(|file| file.settings().kubernetes_version);
    version.map_or(Value::Null, |version| json!(format!("1.{}", version.minor)))
}

/// The objects of the text that are not checked, or not in whole.
pub(super) fn not_judged(context: &Context) -> Value {
    let converter = context.converter();
    let all = context.analysis.file().map(|file| file.not_judged()).unwrap_or_default().into_iter();
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

pub(super) fn hover(context: &Context, params: HoverParams) -> Result<Option<Hover>> {
    let converter = context.converter();
    let offset = converter.offset(params.text_document_position_params.position);
    let hover = context.analysis.file().and_then(|file| file.hover(offset));
    let kind = if context.profile.markdown_hover { MarkupKind::Markdown } else { MarkupKind::PlainText };
    Ok(hover.map(|hover| Hover {
        contents: HoverContents::Markup(MarkupContent { kind, value: hover.markdown }),
        range: Some(converter.range(hover.range)),
    }))
}

pub(super) fn symbols(context: &Context, _: DocumentSymbolParams) -> Result<DocumentSymbolResponse> {
    let symbols = context.analysis.file().map(ide::File::symbols).unwrap_or_default();
    let converter = context.converter();
    let depth = readable_depth(&symbols);
    Ok(if context.profile.nested_symbols {
        DocumentSymbolResponse::Nested(nested(symbols, &converter, depth))
    } else {
        let mut flat = Vec::new();
        flatten(symbols, None, &converter, depth, &mut flat);
        DocumentSymbolResponse::Flat(flat)
    })
}

/// How many levels of `symbols` hold no more than [`MAX_SYMBOLS`]; at least one.
fn readable_depth(symbols: &[Symbol]) -> usize {
    let mut total = symbols.len();
    let mut level: Vec<&Symbol> = symbols.iter().collect();
    for depth in 1..MAX_SYMBOL_DEPTH {
        level = level.into_iter().flat_map(|symbol| &symbol.children).collect();
        total += level.len();
        if total > MAX_SYMBOLS {
            return depth;
        }
    }
    MAX_SYMBOL_DEPTH
}

fn nested(symbols: Vec<Symbol>, converter: &Converter<'_>, depth: usize) -> Vec<DocumentSymbol> {
    if depth == 0 {
        return Vec::new();
    }
    let convert = |symbol: Symbol| {
        let children = nested(symbol.children, converter, depth - 1);
        // The protocol's type has a field that it deprecates.
        #[allow(deprecated)]
        DocumentSymbol {
            name: name(symbol.name),
            detail: (!symbol.detail.is_empty()).then_some(symbol.detail),
            kind: kind(symbol.kind),
            tags: None,
            deprecated: None,
            range: converter.range(symbol.range),
            selection_range: converter.range(symbol.selection),
            children: (!children.is_empty()).then_some(children),
        }
    };
    symbols.into_iter().map(convert).collect()
}

fn flatten(
    symbols: Vec<Symbol>,
    container: Option<&str>,
    converter: &Converter<'_>,
    depth: usize,
    flat: &mut Vec<SymbolInformation>,
) {
    if depth == 0 {
        return;
    }
    for symbol in symbols {
        let name = name(symbol.name);
        // The protocol's type has a field that it deprecates.
        #[allow(deprecated)]
        flat.push(SymbolInformation {
            name: name.clone(),
            kind: kind(symbol.kind),
            tags: None,
            deprecated: None,
            location: converter.location(symbol.range),
            container_name: container.map(str::to_owned),
        });
        flatten(symbol.children, Some(&name), converter, depth - 1, flat);
    }
}

/// VS Code rejects the whole outline for one empty name.
fn name(name: String) -> String {
    if name.trim().is_empty() { "\"\"".to_owned() } else { name }
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

pub(super) fn folds(context: &Context, _: FoldingRangeParams) -> Result<Vec<FoldingRange>> {
    let folds = context.analysis.file().map(ide::File::folds).unwrap_or_default();
    let limit = context.profile.fold_limit.map_or(usize::MAX, |limit| limit as usize);
    let converter = context.converter();
    let lines_only = context.profile.line_folding_only;
    Ok(folds.iter().filter_map(|f| fold(f, &converter, lines_only)).take(limit).collect())
}

/// `None` for what stays on one line.
fn fold(fold: &Fold, converter: &Converter<'_>, lines_only: bool) -> Option<FoldingRange> {
    let range = converter.range(fold.range);
    let kind = match fold.kind {
        FoldKind::Region => FoldingRangeKind::Region,
        FoldKind::Comment => FoldingRangeKind::Comment,
    };
    (range.end.line > range.start.line).then(|| FoldingRange {
        start_line: range.start.line,
        start_character: (!lines_only).then_some(range.start.character),
        end_line: range.end.line,
        end_character: (!lines_only).then_some(range.end.character),
        kind: Some(kind),
        collapsed_text: None,
    })
}

pub(super) fn diagnostics(
    context: &Context,
    params: DocumentDiagnosticParams,
) -> Result<DocumentDiagnosticReport> {
    // A restarted server counts anew.
    let result_id = format!("{}.{}", std::process::id(), context.analysis.since);
    if params.previous_result_id.as_ref() == Some(&result_id) {
        let unchanged = UnchangedDocumentDiagnosticReport { result_id };
        return Ok(DocumentDiagnosticReport::Unchanged(RelatedUnchangedDocumentDiagnosticReport {
            related_documents: None,
            unchanged_document_diagnostic_report: unchanged,
        }));
    }
    let converter = context.converter();
    let findings = context.analysis.findings(&context.profile);
    let items = findings.iter().map(|finding| converter.diagnostic(finding)).collect();
    Ok(DocumentDiagnosticReport::Full(RelatedFullDocumentDiagnosticReport {
        related_documents: None,
        full_document_diagnostic_report: FullDocumentDiagnosticReport { result_id: Some(result_id), items },
    }))
}

/// The pulled diagnostics of a document that is not open.
pub(super) fn no_diagnostics() -> Value {
    json!({ "kind": "full", "items": [] })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

    use text::{TextBuffer, TextRange};

    use super::super::profile::ClientProfile;
    use super::*;

    fn symbol(name: &str, children: Vec<Symbol>) -> Symbol {
        let range = TextRange::new(0, 4);
        let selection = TextRange::new(0, 1);
        Symbol {
            name: name.to_owned(),
            detail: String::new(),
            kind: Kind::Object,
            range,
            selection,
            children,
        }
    }

    #[test]
    fn an_outline_keeps_as_many_levels_as_can_be_read() {
        let many = |count: usize, children: &dyn Fn() -> Vec<Symbol>| -> Vec<Symbol> {
            (0..count).map(|index| symbol(&index.to_string(), children())).collect()
        };
        let two_levels = many(50, &|| many(100, &Vec::new));
        assert_eq!(readable_depth(&two_levels), MAX_SYMBOL_DEPTH);
        let three_levels = many(50, &|| many(10, &|| many(20, &Vec::new)));
        assert_eq!(readable_depth(&three_levels), 2);
        assert_eq!(readable_depth(&many(MAX_SYMBOLS + 1, &Vec::new)), 1);
    }

    fn with_converter<T>(test: impl FnOnce(&Converter<'_>) -> T) -> T {
        let (buffer, profile) = (TextBuffer::new("a: b\n  c: d\n"), ClientProfile::default());
        test(&Converter::new(&buffer, &"file:///a.yaml".parse().unwrap(), &profile))
    }

    #[test]
    fn symbols_nest_or_name_their_container() {
        with_converter(|converter| {
            let tree = || vec![symbol("a", vec![symbol("", vec![])])];
            let nested = nested(tree(), converter, MAX_SYMBOL_DEPTH);
            assert_eq!(nested[0].children.as_ref().unwrap()[0].name, "\"\"");
            let mut flat = Vec::new();
            flatten(tree(), None, converter, MAX_SYMBOL_DEPTH, &mut flat);
            let pairs: Vec<_> = flat.iter().map(|s| (s.name.as_str(), s.container_name.as_deref())).collect();
            assert_eq!(pairs, [("a", None), ("\"\"", Some("a"))]);
        });
    }

    #[test]
    fn symbols_end_at_a_depth() {
        with_converter(|converter| {
            let tree = (0..1000).fold(symbol("leaf", vec![]), |child, _| symbol("x", vec![child]));
            let mut flat = Vec::new();
            flatten(vec![tree], None, converter, MAX_SYMBOL_DEPTH, &mut flat);
            assert_eq!(flat.len(), MAX_SYMBOL_DEPTH);
        });
    }

    #[test]
    fn folds_are_of_two_lines_at_least() {
        with_converter(|converter| {
            let of = |start, end| Fold { range: TextRange::new(start, end), kind: FoldKind::Region };
            assert_eq!(fold(&of(0, 4), converter, false), None);
            let lines = fold(&of(4, 11), converter, true).unwrap();
            assert_eq!((lines.start_line, lines.end_line, lines.end_character), (0, 1, None));
            assert_eq!(fold(&of(4, 11), converter, false).unwrap().end_character, Some(6));
        });
    }
}
