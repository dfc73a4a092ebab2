//! A tree in the event notation of the YAML test suite.

use yaml::scalar::{self, ScalarStyle};
use yaml::{Scalar, SyntaxKind, TagHandles, Tree, Value, ValueKind};

/// The events of all documents, one line for each.
pub(crate) fn events(tree: &Tree) -> Vec<String> {
    let mut lines = vec!["+STR".to_owned()];
    for document in tree.documents() {
        let marked = |kind| document.syntax().tokens().any(|token| token.kind == kind);
        lines.push(if marked(SyntaxKind::DocumentStart) { "+DOC ---" } else { "+DOC" }.to_owned());
        let handles = TagHandles::of(document);
        match document.root() {
            Some(root) => value_events(root, &handles, &mut lines),
            None => lines.push("=VAL :".to_owned()),
        }
        lines.push(if marked(SyntaxKind::DocumentEnd) { "-DOC ..." } else { "-DOC" }.to_owned());
    }
    lines.push("-STR".to_owned());
    lines
}

fn value_events(value: Value<'_>, handles: &TagHandles<'_>, lines: &mut Vec<String>) {
    let anchor = value.anchor().map_or(String::new(), |anchor| format!(" {}", anchor.text));
    let tag = value.tag().map_or(String::new(), |tag| {
        format!(" <{}>", handles.resolve(tag.text).unwrap_or_else(|| "unknown handle".to_owned()))
    });
    let properties = anchor + &tag;
    match value.kind() {
        ValueKind::Mapping(mapping) => {
            lines.push(format!("+MAP{}{properties}", if mapping.is_flow() { " {}" } else { "" }));
            for entry in mapping.entries() {
                value_events(entry.key(), handles, lines);
                value_events(entry.value(), handles, lines);
            }
            lines.push("-MAP".to_owned());
        }
        ValueKind::Sequence(sequence) => {
            lines.push(format!("+SEQ{}{properties}", if sequence.is_flow() { " []" } else { "" }));
            sequence.items().for_each(|item| value_events(item.value(), handles, lines));
            lines.push("-SEQ".to_owned());
        }
        ValueKind::Scalar(scalar) => {
            let style = match scalar.style() {
                ScalarStyle::Plain => ':',
                ScalarStyle::SingleQuoted => '\'',
                ScalarStyle::DoubleQuoted => '"',
                ScalarStyle::Literal => '|',
                ScalarStyle::Folded => '>',
            };
            lines.push(format!("=VAL{properties} {style}{}", escaped(&yaml_1_2_text(scalar))));
        }
        ValueKind::Alias(token) => lines.push(format!("=ALI {}", token.text)),
        ValueKind::Absent => lines.push(format!("=VAL{properties} :")),
    }
}

fn escaped(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('\n', "\\n").replace('\t', "\\t");
    text.replace('\r', "\\r").replace('\u{8}', "\\b")
}

/// The text of `scalar` by YAML 1.2. Our text is go-yaml's, which adds no line break at the end of the input,
/// and requires indentation of a block scalar even if it is the whole document.
fn yaml_1_2_text(scalar: Scalar<'_>) -> String {
    let (style, outer) = (scalar.style(), scalar.outer_column());
    if !style.is_block() {
        return scalar.text().into_owned();
    }
    let mut raw = scalar.token().text.to_owned();
    if !raw.ends_with('\n') {
        raw.push('\n');
    }
    let decoded = scalar::decode(style, &raw, outer);
    if outer < 0 && decoded.end < raw.len() {
        let indented = raw.trim_end().replace('\n', "\n ") + "\n";
        return scalar::decode(style, &indented, outer).text.into_owned();
    }
    decoded.text.into_owned()
}
