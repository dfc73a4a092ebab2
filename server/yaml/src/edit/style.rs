use text::TextSize;

use super::json;
use super::source::Source;
use crate::ast::{Document, Value, ValueKind};
use crate::syntax::SyntaxKind;

/// The layout of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Style {
    /// Columns from a key to the keys below it.
    pub(crate) step: usize,
    /// Columns from a key to the dashes below it; 0 if lists are at the column of their key.
    pub(crate) dash: usize,
    pub(crate) line_break: &'static str,
    /// Whether it is JSON.
    pub(crate) json: bool,
    /// Whether it is JSON with a line for each member.
    pub(crate) json_lines: bool,
}

/// The number of nodes that are examined to determine a document's layout.
const SAMPLE: usize = 2_000;

impl Style {
    pub(crate) fn of(document: Document<'_>, source: &Source) -> Self {
        let line_break = source.line_break();
        if json::is_json(document) {
            let first = document.root().and_then(first_member);
            let column = first.filter(|at| source.starts_line(*at)).map(|at| source.column(at));
            return Self {
                step: column.filter(|column| *column > 0).unwrap_or(2),
                dash: 0,
                line_break,
                json: true,
                json_lines: column.is_some(),
            };
        }
        let (mut step, mut dash) = (None, None);
        let mut open: Vec<(Value<'_>, usize)> = document.root().map(|root| (root, 0)).into_iter().collect();
        let mut seen = 0;
        while let Some((value, outer)) = open.pop() {
            seen += 1;
            if seen > SAMPLE || (step.is_some() && dash.is_some()) {
                break;
            }
            match value.kind() {
                ValueKind::Mapping(mapping) => {
                    let Some(column) = mapping.column() else { continue };
                    if column > outer && step.is_none() {
                        step = Some(column - outer);
                    }
                    open.extend(mapping.entries().map(|entry| (entry.value(), column)));
                }
                ValueKind::Sequence(sequence) => {
                    let Some(column) = sequence.column() else { continue };
                    if column >= outer && dash.is_none() {
                        dash = Some(column - outer);
                    }
                    // The keys of an item are after the dash, which does not show the step.
                    open.extend(sequence.items().flat_map(|item| {
                        let inner = item.value().as_mapping();
                        let column = inner.and_then(crate::ast::Mapping::column).unwrap_or(column);
                        inner.into_iter().flat_map(move |mapping| {
                            mapping.entries().map(move |entry| (entry.value(), column))
                        })
                    }));
                }
                _ => {}
            }
        }
        Self { step: step.unwrap_or(2), dash: dash.unwrap_or(0), line_break, json: false, json_lines: false }
    }
}

/// The start of the first member of a mapping or sequence.
fn first_member(value: Value<'_>) -> Option<TextSize> {
    match value.kind() {
        ValueKind::Mapping(mapping) => Some(mapping.entries().next()?.range().start),
        ValueKind::Sequence(sequence) => Some(sequence.items().next()?.range().start),
        _ => None,
    }
}

/// Whether `document` has more scalars in double quotes than in single quotes, judging from a sample.
pub(crate) fn prefers_double_quotes(document: Document<'_>) -> bool {
    let (mut double, mut single) = (0_usize, 0_usize);
    let mut open = vec![document.syntax()];
    for _ in 0..SAMPLE {
        let Some(node) = open.pop() else { break };
        for token in node.tokens() {
            match token.kind {
                SyntaxKind::DoubleQuoted => double += 1,
                SyntaxKind::SingleQuoted => single += 1,
                _ => {}
            }
        }
        open.extend(node.nodes());
    }
    double > single
}
