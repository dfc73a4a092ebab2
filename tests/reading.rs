//! Hover, outline and folds of a definition, on the real program.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod support {
    pub(crate) mod client;
}

use serde_json::{Value, json};
use support::client::{Client, URI, document};

const WIDGETS: &str = include_str!("../fixtures/first-light/widgets.yaml");

fn client_with(capabilities: Value) -> Client {
    let (mut client, _) = Client::initialized(capabilities);
    client.open("yaml", WIDGETS);
    client
}

fn hover(client: &mut Client, line: u32, character: u32) -> Value {
    let place = json!({"line": line, "character": character});
    client.ask("textDocument/hover", json!({"textDocument": {"uri": URI}, "position": place}))
}

/// A range on one line.
fn range(line: u32, start: u32, end: u32) -> Value {
    json!({"start": {"line": line, "character": start}, "end": {"line": line, "character": end}})
}

#[test]
fn a_keyword_is_explained() {
    let mut client = client_with(json!({"textDocument": {"hover": {"contentFormat": ["markdown"]}}}));
    let shown = hover(&mut client, 32, 20);
    assert_eq!(shown["range"], range(32, 18, 23));
    assert_eq!(shown["contents"]["kind"], "markdown");
    let text = shown["contents"]["value"].as_str().unwrap();
    assert!(text.starts_with("**`anyOf`**"), "{text}");
    assert!(text.contains("must match at least one"), "{text}");
}

#[test]
fn a_hover_over_a_property_shows_its_schema() {
    let mut client = client_with(json!({"textDocument": {"hover": {"contentFormat": ["markdown"]}}}));
    // `size`, which `spec` requires.
    let shown = hover(&mut client, 31, 17);
    assert_eq!(shown["range"], range(31, 16, 20));
    assert_eq!(shown["contents"]["value"], "**`spec.size`**: required");
    // The declared `metadata`.
    assert_eq!(hover(&mut client, 18, 14)["contents"]["value"], "**`metadata`**: `object`");
}

#[test]
fn white_space_and_comments_have_no_hover() {
    let mut client = client_with(json!({}));
    for (line, character) in [(3, 0), (31, 3), (30, 20), (42, 0), (99, 99)] {
        assert_eq!(hover(&mut client, line, character), Value::Null, "{line}:{character}");
    }
}

#[test]
fn a_client_without_markdown_gets_plain_text() {
    let mut client = client_with(json!({"textDocument": {"hover": {"contentFormat": ["plaintext"]}}}));
    assert_eq!(hover(&mut client, 32, 20)["contents"]["kind"], "plaintext");
}

#[test]
fn the_outline_is_nested_where_the_client_nests() {
    let announced = json!({"textDocument": {"documentSymbol": {"hierarchicalDocumentSymbolSupport": true}}});
    let mut client = client_with(announced);
    let symbols = client.ask("textDocument/documentSymbol", document());
    assert_eq!(symbols.as_array().unwrap().len(), 1);
    assert_eq!(names(&symbols[0]["children"]), ["apiVersion", "kind", "metadata", "spec"]);
    let size = below(&symbols[0], &["spec", "versions", "v1", "openAPIV3Schema", "spec", "size"]);
    assert_eq!(size["selectionRange"], range(31, 16, 20));
    let around = json!({"start": {"line": 31, "character": 16}, "end": {"line": 36, "character": 53}});
    assert_eq!(size["range"], around);
    assert_contained(&symbols[0]);
}

/// The first symbol with the last name below symbols with the names before it; symbols in between are skipped.
fn below<'s>(symbol: &'s Value, names: &[&str]) -> &'s Value {
    let Some((first, rest)) = names.split_first() else { return symbol };
    fn find<'s>(symbol: &'s Value, name: &str) -> Option<&'s Value> {
        let children = symbol["children"].as_array()?;
        let direct = children.iter().find(|child| child["name"] == name);
        direct.or_else(|| children.iter().find_map(|child| find(child, name)))
    }
    below(find(symbol, first).unwrap_or_else(|| panic!("no {first} in {symbol}")), rest)
}

fn names(symbols: &Value) -> Vec<&str> {
    symbols.as_array().unwrap().iter().map(|symbol| symbol["name"].as_str().unwrap()).collect()
}

/// Clients reject an outline whose name ranges leave their symbols' ranges.
fn assert_contained(symbol: &Value) {
    let place =
        |of: &Value, end: &str| (of[end]["line"].as_u64().unwrap(), of[end]["character"].as_u64().unwrap());
    let (outer, inner) = (&symbol["range"], &symbol["selectionRange"]);
    assert!(place(outer, "start") <= place(inner, "start"), "{symbol}");
    assert!(place(inner, "end") <= place(outer, "end"), "{symbol}");
    symbol["children"].as_array().into_iter().flatten().for_each(assert_contained);
}

#[test]
fn the_outline_is_flat_for_other_clients() {
    let mut client = client_with(json!({}));
    let symbols = client.ask("textDocument/documentSymbol", document());
    let size = symbols.as_array().unwrap().iter().find(|symbol| symbol["name"] == "size").unwrap();
    assert_eq!(size["containerName"], "spec");
    assert_eq!(size["location"]["uri"], URI);
    assert_eq!(size["location"]["range"]["start"], json!({"line": 31, "character": 16}));
    assert_eq!((size.get("children"), size.get("selectionRange")), (None, None));
}

#[test]
fn folds_reach_from_a_key_to_the_end_of_its_value() {
    let mut client = client_with(json!({}));
    let folds = client.ask("textDocument/foldingRange", document());
    let size = json!({
        "startLine": 31, "startCharacter": 21, "endLine": 36, "endCharacter": 53
    });
    assert!(folds.as_array().unwrap().contains(&size), "{folds}");
    // `group: shop.example.com` is one line.
    assert!(folds.as_array().unwrap().iter().all(|fold| fold["startLine"] != 5), "{folds}");
}

#[test]
fn folds_are_whole_lines_and_the_longest_that_the_client_wants() {
    let announced = json!({"textDocument": {"foldingRange": {"lineFoldingOnly": true, "rangeLimit": 3}}});
    let mut client = client_with(announced);
    let folds = client.ask("textDocument/foldingRange", document());
    let expected = json!([
        {"startLine": 4, "endLine": 41},
        {"startLine": 10, "endLine": 41},
        {"startLine": 11, "endLine": 41},
    ]);
    assert_eq!(folds, expected);
}
