//! JSON with missing tokens: the tokens are inserted, and the document is checked with them.
//!
//! In YAML, a missing quote or brace changes all keys behind it. The text is therefore read as JSON up to the
//! first error. Of the tokens that may be missing there, the one is inserted with which most of the text can
//! be read.

mod scan;

use api::Code;
use crd::{FieldPath, Message};
use text::{TextRange, TextSize};
use yaml::{Document, NodeRef, SyntaxKind};

use crate::analysis::text_at::text_of;
use crate::{Finding, Severity};
use scan::fault;

/// The maximum size of a document that is read as JSON.
const MOST_BYTES: TextSize = 100_000;
/// The maximum number of bytes before the start of JSON.
const HEAD: TextSize = 200;
/// The maximum number of missing tokens; a text that lacks more is probably not JSON.
const MOST_SLIPS: usize = 3;
/// The maximum number of tokens that are tried at one offset.
const MOST_TRIED: usize = 32;

/// A missing character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Slip {
    /// The offset in the file where it is missing.
    pub(crate) at: TextSize,
    pub(crate) sign: char,
    /// The range that follows the missing character: the next token, or the last one at the end of the text.
    pub(crate) range: TextRange,
}

/// A document in which all missing characters are inserted.
pub(crate) struct RepairedJson {
    pub(crate) slips: Vec<Slip>,
    /// The text with these characters.
    pub(crate) text: String,
    /// The start of the document in the file.
    start: TextSize,
}

impl RepairedJson {
    /// Inserts the missing characters into `document`, if it is JSON with them.
    pub(crate) fn of(document: Document<'_>) -> Option<Self> {
        let whole = document.range();
        let head = |len| text_of(document.syntax(), TextRange::new(whole.start, whole.start + len));
        let is_blank = |ch: char| matches!(ch, '\u{feff}' | ' ' | '\t' | '\r' | '\n');
        // A definition in YAML is checked on each keystroke.
        let begins = |text: &str| text.starts_with(['{', '"']);
        let is_json = match head(1) {
            first if first.starts_with(is_blank) => begins(head(HEAD).trim_start_matches(is_blank)),
            first => begins(&first),
        };
        if !is_json || whole.len() > MOST_BYTES || !is_broken(document) {
            return None;
        }
        let (start, text) = (whole.start, document.syntax().text());
        let begin = text.len() - text.trim_start_matches(is_blank).len();
        let (head, body) = text.split_at_checked(begin)?;
        let of_body = |signs: Vec<(usize, char)>| signs.into_iter().map(|(at, sign)| (begin + at, sign));
        let inserted: Vec<(usize, char)> = match body.starts_with('{') {
            true => of_body(missing(body)?).collect(),
            // The opening brace of the root was before the line break.
            false if body.trim_end().ends_with('}') => {
                let signs = missing(&format!("{{{body}"))?.into_iter();
                let root = (head.find(|char| char != '\u{feff}').unwrap_or(begin), '{');
                let others = signs.map(|(at, sign)| (at.saturating_sub(1), sign)).collect();
                std::iter::once(root).chain(of_body(others)).collect()
            }
            false => return None,
        };
        if inserted.is_empty() {
            return None;
        }
        let mut repaired = text.clone();
        for (at, sign) in inserted.iter().rev() {
            repaired.insert(*at, *sign);
        }
        let slip = |&(at, sign): &(usize, char)| {
            let (from, to) = token(&text, at);
            let range = TextRange::new(start + from as TextSize, start + to as TextSize);
            Slip { at: start + at as TextSize, sign, range }
        };
        Some(Self { slips: inserted.iter().map(slip).collect(), text: repaired, start })
    }

    /// The findings on the missing signs.
    pub(crate) fn findings(&self) -> impl Iterator<Item = Finding> {
        self.slips.iter().map(|slip| Finding {
            code: if slip.is_closing() { Code::YamlUnclosed } else { Code::YamlSyntax },
            severity: Severity::Error,
            message: Message::new(format!("a `{}` is missing before this", slip.sign)).advise("add it"),
            range: slip.range,
            field_path: FieldPath::root(),
            api_server: None,
            related: Vec::new(),
        })
    }

    /// Returns the range in the file of `range` in the repaired text.
    pub(crate) fn range_in_file(&self, range: TextRange) -> TextRange {
        let moved = |at: TextSize| {
            let before = (0..).zip(&self.slips);
            let inserted = before.filter(|(index, slip)| slip.at - self.start + index < at).count();
            self.start + at - inserted as TextSize
        };
        TextRange::new(moved(range.start), moved(range.end))
    }
}

impl Slip {
    const fn is_closing(self) -> bool {
        matches!(self.sign, '}' | ']')
    }
}

/// Whether `document` has YAML errors, or a plain scalar with a quote.
fn is_broken(document: Document<'_>) -> bool {
    let mut has_error = false;
    document.syntax().for_each_error(&mut |error| has_error |= error.kind.verdict().server_rejects());
    has_error || has_torn_text(document.syntax())
}

fn has_torn_text(node: NodeRef<'_>) -> bool {
    node.tokens().any(|token| token.kind == SyntaxKind::Plain && token.text.contains('"'))
        || node.nodes().any(has_torn_text)
}

/// Returns the characters that are missing in `text`, by offset; `None` if a few more do not make it JSON.
fn missing(text: &str) -> Option<Vec<(usize, char)>> {
    let mut repaired = text.to_owned();
    let mut inserted: Vec<(usize, char)> = Vec::new();
    while let Some(fault) = fault(&repaired) {
        if inserted.len() == MOST_SLIPS {
            return None;
        }
        let mut best: Option<(usize, (usize, char))> = None;
        for sign in fault.missing.into_iter().take(MOST_TRIED) {
            if !repaired.is_char_boundary(sign.0) {
                continue;
            }
            repaired.insert(sign.0, sign.1);
            let reached = scan::fault(&repaired).map_or(usize::MAX, |next| next.at);
            repaired.remove(sign.0);
            // The inserted character is one byte.
            if reached > fault.at + 1 && best.is_none_or(|(furthest, _)| reached > furthest) {
                best = Some((reached, sign));
            }
        }
        let (_, sign) = best?;
        repaired.insert(sign.0, sign.1);
        for (at, _) in inserted.iter_mut().filter(|(at, _)| *at >= sign.0) {
            *at += 1;
        }
        inserted.push(sign);
        inserted.sort_unstable();
    }
    Some((0..).zip(inserted).map(|(before, (at, sign))| (at - before, sign)).collect())
}

/// The token of `text` at `at` or behind it; the last one if there are no more.
fn token(text: &str, at: usize) -> (usize, usize) {
    let rest = text.get(at..).unwrap_or_default();
    let start = at + rest.len() - rest.trim_start().len();
    let Some(first) = text.get(start..).and_then(|rest| rest.chars().next()) else {
        let end = text.trim_end().len();
        let last = text.get(..end).and_then(|text| text.chars().next_back()).map_or(0, char::len_utf8);
        return (end - last, end);
    };
    let rest = text.get(start..).unwrap_or_default();
    let length = match first {
        '"' => rest.get(1..).and_then(|inner| inner.find(['"', '\n'])).map_or(1, |end| end + 2),
        ':' | ',' | '{' | '}' | '[' | ']' => 1,
        _ => rest.find(|char: char| char.is_whitespace() || "{}[],:\"".contains(char)).unwrap_or(rest.len()),
    };
    (start, (start + length).min(text.len()))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::missing;
    use crate::{File, Settings};

    const TEXT: &str = r#"{
  "apiVersion": "apiextensions.k8s.io/v1",
  "kind": "CustomResourceDefinition",
  "metadata": {"name": "widgets.example.com"},
  "spec": {
    "group": "example.com",
    "scope": "Namespaced",
    "names": {"kind": "Widget", "plural": "widgets"},
    "versions": [
      {
        "name": "v1",
        "served": true,
        "storage": true,
        "schema": {
          "openAPIV3Schema": {
            "type": "object",
            "required": ["a", "b"],
            "properties": {
              "a": {"type": "integer", "minimum": 1},
              "b": {"type": "string"}
            }
          }
        }
      }
    ]
  }
}
"#;

    #[test]
    fn each_missing_character_is_one_finding_with_a_fix_that_restores_it() {
        let right: serde_json::Value = serde_json::from_str(TEXT).unwrap();
        for (at, sign) in TEXT.char_indices().filter(|(_, char)| "{}[]:,\"".contains(*char)) {
            let mut text = TEXT.to_owned();
            text.remove(at);
            if serde_json::from_str::<serde_json::Value>(&text).is_ok() {
                continue;
            }
            let file = File::new(&text, &Settings::default());
            let found = file.grouped().findings;
            assert_eq!(found.len(), 1, "{sign} at {at}: {found:?}\n{:?}\n{text}", missing(&text));
            let fixes = file.fixes(found[0].range);
            let repaired = text::applied(&text, 0, &fixes[0].edits);
            let value = serde_json::from_str::<serde_json::Value>(&repaired);
            assert_eq!(value.ok().as_ref(), Some(&right), "{sign} at {at}: {repaired}");
            assert!(at > 0 || repaired == TEXT, "{repaired}");
        }
    }

    #[test]
    fn yaml_in_braces_is_not_json() {
        for text in [
            "{a: b",
            "{\"a\": b}",
            "{'a': [1, 2}",
            "{\"a\": 1,}",
            "{\"a\": 1} # \"",
            "{\"a\" : {{ .Values.a }} }",
            "\"a\": 1\n\"b\": {}",
        ] {
            let found = missing(text).filter(|signs| !signs.is_empty());
            assert!(found.is_none() || text == "{\"a\": b}", "{text}: {found:?}");
        }
        let sound = TEXT.replace("\"Namespaced\"", "Namespaced");
        assert_eq!(File::new(&sound, &Settings::default()).findings(), []);
    }

    #[test]
    fn three_missing_characters_do_not_hide_other_findings() {
        let text =
            TEXT.replacen("\"kind\"", "\"kind", 1).replacen("\"served\": true,", "\"served\": true", 1);
        let text = text.replacen("\"string\"", "\"strng\"", 1).replacen("\"b\": {\"type", "\"b\": \"type", 1);
        let found = File::new(&text, &Settings::default()).grouped().findings;
        let codes: Vec<&str> = found.iter().map(|one| one.code.as_str()).collect();
        assert_eq!(codes, ["yaml/syntax", "yaml/syntax", "yaml/syntax", "schema/type-unsupported"], "{text}");
    }

    #[test]
    fn a_text_with_too_many_mistakes_is_not_repaired() {
        assert_eq!(missing(&"{\"a".repeat(10_000)), None);
        assert_eq!(missing(&"{\"a\":[".repeat(10_000)), None);
    }
}
