//! The JSON that the API server's decoder makes of a document: go-yaml v2 decodes into `interface{}`,
//! `sigs.k8s.io/yaml` converts the keys to strings, and Go's `encoding/json` prints the result.

mod json;
mod problems;
#[cfg(test)]
mod properties;
mod tree;

use std::fmt;

use text::{Shortcut, TextRange};

use crate::aliases::alias_problems;
use crate::ast::{Document, Mapping, Value};
use crate::syntax::NodeRef;

pub use json::Json;
pub use problems::{ValueProblem, value_problems};
use tree::Decoder;

/// Why the API server's decoder rejects a document; displays as the server's text, without the line of a syntax error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecodeError {
    /// The position in bytes.
    pub range: TextRange,
    /// The server's text.
    pub message: String,
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for DecodeError {}

/// A key that its mapping already has. The later value wins; strict field validation rejects the document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Duplicate {
    /// The key in Go syntax, as the server prints it.
    pub key: String,
    /// The byte range of the second occurrence of the key. For a key from a merged mapping, its range in that
    /// mapping.
    pub range: TextRange,
    /// The byte offset where the value starts: the server counts lines up to here.
    pub value_start: text::TextSize,
}

/// The result of decoding a document.
#[derive(Clone, Debug, PartialEq)]
pub struct DecodedDocument {
    /// The value.
    pub json: Json,
    /// The keys that occur more than once, in the order in which the server finds them.
    pub duplicates: Vec<Duplicate>,
}

impl DecodedDocument {
    /// The server's error under strict decoding, if there are duplicate keys. `document` is the decoded one.
    #[must_use]
    pub fn strict_error(&self, document: Document<'_>) -> Option<String> {
        self.error_with_lines(document, |_| 0)
    }

    /// The same for a document that a Kubernetes client extracts from a file: the client drops the line of
    /// the separator `---`, so the next line is line 1.
    #[must_use]
    pub fn strict_error_of_part(&self, document: Document<'_>) -> Option<String> {
        self.error_with_lines(document, separator_len)
    }

    /// Line numbers start at the offset that `skipped` returns for the text of the document.
    fn error_with_lines(&self, document: Document<'_>, skipped: fn(&str) -> usize) -> Option<String> {
        if self.duplicates.is_empty() {
            return None;
        }
        let text = document.syntax().text();
        let from = skipped(&text);
        let ends = line_ends(text.get(from..).unwrap_or_default());
        let lines = self.duplicates.iter().map(|duplicate| {
            let at = duplicate.value_start.saturating_sub(document.range().start) as usize;
            let line = 1 + ends.partition_point(|end| end + from <= at);
            format!("\n  line {line}: key {} already set in map", duplicate.key)
        });
        Some(format!("yaml: unmarshal errors:{}", lines.collect::<String>()))
    }
}

/// The length in bytes of the separator's line, if `text` starts with a separator followed by at most a comment.
fn separator_len(text: &str) -> usize {
    let line = text.split_inclusive('\n').next().unwrap_or_default();
    let after = line.strip_prefix("---").map(str::trim_start);
    let is_separator = after.is_some_and(|after| after.is_empty() || after.starts_with('#'));
    if is_separator { line.len() } else { 0 }
}

/// The byte offsets after each line break of `text`. go-yaml counts NEL, LS and PS as line breaks too.
fn line_ends(text: &str) -> Vec<usize> {
    let breaks = text.match_indices(['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}']);
    let ends = breaks.map(|(at, found)| (at + found.len(), found));
    ends.filter(|(end, found)| *found != "\r" || text.as_bytes().get(*end) != Some(&b'\n'))
        .map(|(end, _)| end)
        .collect()
}

/// Decodes `document`. An empty document is null.
///
/// # Errors
/// If the server rejects the document because of its syntax, aliases, tags, keys that JSON cannot have, or
/// infinite numbers.
pub fn decode(document: Document<'_>) -> Result<DecodedDocument, DecodeError> {
    syntax_error(document).map_or(Ok(()), Err)?;
    let end = document.end_for_server();
    let aliases = alias_problems(document).into_iter().filter(|(range, _)| range.start < end);
    if let Some((range, problem)) = aliases.min_by_key(|(range, _)| range.start) {
        return Err(DecodeError { range, message: format!("yaml: {problem}") });
    }
    let mut decoder = Decoder::new(document);
    let tree = match document.first_value() {
        Some(root) => decoder.value(root, 0)?,
        None => tree::Tree::null(document.range()),
    };
    let json = tree.into_json()?;
    Ok(DecodedDocument { json, duplicates: decoder.duplicates })
}

/// Whether [`decode`] is certain to return neither an error nor a duplicate, which holds for nearly all
/// documents. Decodes no value.
#[must_use]
pub fn decodes_strictly(document: Document<'_>) -> bool {
    let flags = document.syntax().node().flags();
    let is_unusual = flags.errors || flags.anchors || flags.aliases || flags.unusual;
    Shortcut::StrictDecoding.is_on() && !is_unusual && has_distinct_keys(document.syntax())
}

fn has_distinct_keys(node: NodeRef<'_>) -> bool {
    Value::of_node(node).as_mapping().is_none_or(Mapping::has_distinct_keys)
        && node.nodes().all(has_distinct_keys)
}

/// The first syntax error for which the server rejects `document`.
fn syntax_error(document: Document<'_>) -> Option<DecodeError> {
    let first = document.refusals().into_iter().next()?;
    let text = first.kind.server_text()?;
    Some(DecodeError { range: first.range, message: format!("yaml: {text}") })
}
