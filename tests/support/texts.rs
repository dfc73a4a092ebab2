//! Texts as a client sees them: the text in a range, and the text after edits. Counts UTF-16 units, with code that
//! shares nothing with the server.

// Each test program uses a part of it.
#![allow(dead_code)]

use serde_json::Value;

/// The bytes of a protocol's range.
fn bytes(text: &str, range: &Value) -> std::ops::Range<usize> {
    offset(text, &range["start"])..offset(text, &range["end"])
}

/// Lines end with LF, CRLF or CR.
fn offset(text: &str, position: &Value) -> usize {
    let (mut line, mut units) = (0, 0);
    let wanted = (position["line"].as_u64().unwrap(), position["character"].as_u64().unwrap());
    for (at, character) in text.char_indices() {
        if (line, units) == wanted {
            return at;
        }
        let ends_line = character == '\n' || character == '\r' && !text[at + 1..].starts_with('\n');
        (line, units) = if ends_line { (line + 1, 0) } else { (line, units + character.len_utf16() as u64) };
    }
    assert_eq!((line, units), wanted, "no such position");
    text.len()
}

/// The text after a protocol's edits.
pub(crate) fn edited(text: &str, edits: &Value) -> String {
    let mut edits: Vec<_> = edits.as_array().unwrap().iter().collect();
    edits.sort_by_key(|edit| bytes(text, &edit["range"]).start);
    let mut edited = text.to_owned();
    for edit in edits.into_iter().rev() {
        edited.replace_range(bytes(text, &edit["range"]), edit["newText"].as_str().unwrap());
    }
    edited
}

/// Line (from 1), marked text and code of each diagnostic.
pub(crate) fn marked(text: &str, diagnostics: &Value) -> Vec<(u64, String, String)> {
    let seen = |diagnostic: &Value| {
        let line = diagnostic["range"]["start"]["line"].as_u64().unwrap() + 1;
        let marked = text[bytes(text, &diagnostic["range"])].to_owned();
        (line, marked, diagnostic["code"].as_str().unwrap().to_owned())
    };
    diagnostics.as_array().unwrap().iter().map(seen).collect()
}

/// The expected result of [`marked`].
pub(crate) fn expected(findings: &[(u64, &str, &str)]) -> Vec<(u64, String, String)> {
    let owned = |(line, marked, code): &(u64, &str, &str)| (*line, (*marked).to_owned(), (*code).to_owned());
    findings.iter().map(owned).collect()
}
