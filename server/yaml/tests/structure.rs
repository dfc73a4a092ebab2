//! Whole documents as JSON, compared with the result of the API server's decoder.
#![allow(clippy::unwrap_used, clippy::print_stdout, clippy::panic, missing_docs)]

use suites::unescape;
use yaml::{Json, Tree};

/// One row of the measured table.
struct Row {
    document: String,
    /// JSON, or the error text without its line.
    result: Result<String, String>,
    /// The error under strict decoding.
    strict: Option<String>,
}

fn rows() -> Vec<Row> {
    let table = include_str!("../../../fixtures/yaml/structure.tsv");
    let lines = table.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let [document, result, strict] = line.split('\t').collect::<Vec<_>>()[..] else {
                panic!("three fields: {line}")
            };
            let result = unescape(result).unwrap();
            Row {
                document: unescape(document).unwrap(),
                result: match result.strip_prefix("ERR ") {
                    Some(error) => Err(without_line(error)),
                    None => Ok(result),
                },
                strict: (!strict.is_empty()).then(|| unescape(strict).unwrap()),
            }
        })
        .collect()
}

/// `text` without `line 12: `.
fn without_line(text: &str) -> String {
    match text.strip_prefix("yaml: line ").and_then(|rest| rest.split_once(": ")) {
        Some((_, words)) => format!("yaml: {words}"),
        None => text.to_owned(),
    }
}

/// Our result for the first document of `text`; the server reads no other.
fn ours(text: &str) -> (Result<String, String>, Option<String>) {
    let tree = Tree::parse(text);
    let Some(document) = tree.documents().next() else {
        // A `...` without a document is nevertheless an error.
        let error = tree.errors().into_iter().find_map(|error| error.kind.server_text());
        return (error.map_or(Ok(Json::Null.to_string()), |error| Err(format!("yaml: {error}"))), None);
    };
    match yaml::decode(document) {
        Ok(decoded) => (Ok(decoded.json.to_string()), decoded.strict_error(document)),
        Err(error) => (Err(error.message), None),
    }
}

/// Documents that we read differently from the server, and why.
const DIFFERENT: &[(&str, &str)] = &[
    ("\"a\": 1\n? a", "the line of a value that is not written is that of the next token, for go-yaml"),
    (
        "{!t, x}",
        "YAML 1.2 ends the tag at the comma, go-yaml behind it; the finding says what the server makes of it",
    ),
    ("&a:b c", "YAML 1.2 calls the anchor `a:b`; the finding says what the server makes of it"),
];

#[test]
fn every_measured_document_has_the_value_of_the_server() {
    let rows = rows();
    assert!(rows.len() >= 190, "{} rows", rows.len());
    let mut wrong = Vec::new();
    let (mut refused, mut same_words) = (0, 0);
    for row in &rows {
        let (result, strict) = ours(&row.document);
        let same = match (&result, &row.result) {
            (Ok(ours), Ok(servers)) => ours == servers && strict == row.strict,
            (Err(ours), Err(servers)) => {
                refused += 1;
                same_words += usize::from(ours == servers);
                if ours != servers {
                    println!("{:?}: {servers}; we say {ours}", row.document);
                }
                true
            }
            _ => false,
        };
        let known = DIFFERENT.iter().any(|(document, _)| *document == row.document);
        assert!(!(same && known), "{:?} is read as the server reads it by now", row.document);
        if !same && !known {
            wrong.push(format!(
                "{:?}\n  ours   {result:?} {strict:?}\n  server {:?} {:?}",
                row.document, row.result, row.strict
            ));
        }
    }
    println!("{} documents, {refused} refused, {same_words} with the server's words", rows.len());
    assert!(wrong.is_empty(), "{} of {} rows:\n{}", wrong.len(), rows.len(), wrong.join("\n"));
}
