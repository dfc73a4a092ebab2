#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use ide::picture::Place;
use ide::{File, Settings};
use regex::Regex;
use sha2::{Digest, Sha256};
use text::{PositionEncoding, TextBuffer};

use super::treemap::tiles;
use super::{FileDefinitions, PageEnvironment, SCRIPT, SCRIPT_HASH, STYLE, STYLE_HASH, Subject, Text, page};

const HOSTILE: &str = "\"><script>alert(1)</script><img src=x onerror=alert(2)>&'`${1}";

fn definition(hostile: &str) -> String {
    let quoted = serde_json::to_string(hostile).unwrap();
    let rule = serde_json::to_string(&format!("self.all(x, self.all(y, x != y || x == {quoted}))")).unwrap();
    format!(
        "apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {{name: widgets.example.com}}
spec:
  group: example.com
  scope: Namespaced
  names: {{plural: widgets, kind: {quoted}}}
  versions:
  - name: v1
    served: true
    storage: true
    deprecated: true
    deprecationWarning: {quoted}
    schema:
      openAPIV3Schema:
        type: object
        description: {quoted}
        properties:
          {quoted}: {{type: string, description: {quoted}, default: {quoted}, enum: [{quoted}], pattern: {quoted}}}
          spec:
            type: object
            properties:
              list:
                type: array
                items: {{type: string}}
                x-kubernetes-validations:
                - {{rule: {rule}, message: {quoted}}}
  - name: {quoted}
    served: true
    storage: false
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec: {{type: object, properties: {{other: {{type: integer, maximum: 3}}}}}}
"
    )
}

fn files(text: &str, name: &str) -> Vec<FileDefinitions> {
    let buffer = TextBuffer::new(text);
    let place = |offset| {
        let at = buffer.position(offset, PositionEncoding::Utf16);
        Place { line: at.line, character: at.character }
    };
    let pictures = File::new(text, &Settings::default()).pictures(&buffer, &place);
    vec![FileDefinitions { name: name.to_owned(), pictures }]
}

fn pages(text: &str, name: &str) -> Vec<String> {
    let files = files(text, name);
    let page = |(subject, shown)| page(&files, subject, shown);
    [Subject::Schema, Subject::Cost]
        .into_iter()
        .flat_map(|subject| [(subject, PageEnvironment::Alone), (subject, PageEnvironment::InEditor)])
        .map(page)
        .collect()
}

#[test]
fn texts_of_definitions_are_escaped_in_pages() {
    let of = |hostile: &str| pages(&definition(hostile), &format!("{hostile}.yaml"));
    let tags = |page: &str| -> Vec<String> {
        let tag = Regex::new(r#"<(/?[a-zA-Z!][^\s>]*)((?:[^>"]|"[^"]*")*)>"#).unwrap();
        let attribute = Regex::new(r#"\s([a-z-]+)(?:="[^"]*")?"#).unwrap();
        // The values of attributes do not matter, as long as they end where they should.
        let names = |tag: &str| {
            attribute.captures_iter(tag).map(|one| one[1].to_owned()).collect::<Vec<_>>().join(" ")
        };
        let body = page.split_once("<body>").unwrap().1.rsplit_once("<script>").unwrap().0;
        tag.captures_iter(body).map(|one| format!("{} {}", &one[1], names(&one[2]))).collect()
    };
    for (hostile, harmless) in of(HOSTILE).iter().zip(of("harmless")) {
        assert!(hostile.contains("&lt;script&gt;"), "it is shown");
        assert_eq!(hostile.matches("<script>").count(), 1, "the page has one script, its own");
        assert!(!hostile.contains("<img"));
        // Some labels are cut at other positions; the rest is the same.
        let kinds = |page: &str| -> std::collections::BTreeSet<String> { tags(page).into_iter().collect() };
        assert_eq!(kinds(hostile), kinds(&harmless));
    }
    assert_eq!(Text("\u{202e}a\u{0}").to_string(), "\u{fffd}a\u{fffd}");
}

#[test]
fn the_policy_admits_only_the_style_and_script_of_the_page() {
    use std::fmt::Write;
    let hash = |text: &str| {
        let digest = Sha256::digest(text.as_bytes());
        base64(&digest)
    };
    let (style, script) = (hash(STYLE), hash(SCRIPT));
    let mut wanted = String::new();
    write!(wanted, "sha256-{style} sha256-{script}").unwrap();
    assert_eq!(format!("{STYLE_HASH} {SCRIPT_HASH}"), wanted, "the style or the script has changed");
    for page in pages(&definition("x"), "x.yaml") {
        assert!(page.contains("default-src 'none'"));
        assert!(!page.contains(" style=") && !page.contains(" onclick") && !page.contains("http:"));
    }
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let number =
            chunk.iter().fold(0u32, |number, byte| number << 8 | u32::from(*byte)) << (8 * (3 - chunk.len()));
        for at in 0..4 {
            let digit = DIGITS[(number >> (18 - 6 * at) & 63) as usize] as char;
            text.push(if at <= chunk.len() { digit } else { '=' });
        }
    }
    text
}

#[test]
fn the_tree_states_levels_and_positions() {
    let schema = pages(&definition("x"), "x.yaml").remove(0);
    let row = |name: &str| {
        let at = schema.find(&format!("<span class=\"name\">{name}</span>")).unwrap();
        schema[..at].rsplit_once("<tr ").unwrap().1.split_once('>').unwrap().0.to_owned()
    };
    assert!(schema.contains("<table role=\"treegrid\" aria-labelledby=\"d0\">"));
    for (name, wanted) in [
        (
            "list",
            "aria-level=\"3\" aria-posinset=\"1\" aria-setsize=\"2\" aria-expanded=\"true\" data-different",
        ),
        ("other", "aria-level=\"3\" aria-posinset=\"2\" aria-setsize=\"2\" data-different"),
        ("spec", "aria-level=\"2\" aria-posinset=\"1\" aria-setsize=\"2\" aria-expanded=\"true\""),
    ] {
        assert!(row(name).contains(wanted), "{name}: {}", row(name));
    }
    // One row accepts the focus; the arrow keys move it to the others.
    assert_eq!(schema.matches("tabindex=\"0\"").count(), 1);
    assert!(schema.contains("<label for=\"s0\">") && schema.contains("role=\"status\""));
}

#[test]
fn costs_are_shown_in_the_picture_and_in_the_table() {
    let [_, _, alone, editor] = pages(&definition("x"), "x.yaml").try_into().unwrap();
    assert!(alone.contains("role=\"group\" aria-label=\"Costs of 1 rule; the table below says the same\""));
    assert!(alone.contains("<a href=\"#r0-0-0\"") && alone.contains("<tr id=\"r0-0-0\" class=\"over\""));
    assert!(alone.contains("<code>maxItems</code> on <span class=\"place\">spec.list (line 24)</span>"));
    assert!(editor.contains("class=\"place\" data-place=\"23:16\">spec.list (line 24)</button>"));
}

#[test]
fn a_file_without_definitions_has_an_empty_page() {
    for page in pages("kind: ConfigMap\n", "a.yaml") {
        assert!(page.contains("No definitions found."));
    }
}

#[test]
fn tiles_fill_the_picture_without_overlap() {
    for weights in [vec![1.0], vec![5.0, 4.0, 3.0, 2.0, 1.0], vec![1.0; 300], vec![20.0, 0.1, 0.1]] {
        let tiles = tiles(&weights, 100.0, 40.0);
        let area: f64 = tiles.iter().map(|tile| tile.width * tile.height).sum();
        assert!((area - 4000.0).abs() < 0.01, "{area}");
        for (tile, weight) in tiles.iter().zip(&weights) {
            let sum: f64 = weights.iter().sum();
            assert!((tile.width * tile.height - weight / sum * 4000.0).abs() < 0.01);
            assert!(tile.x >= -0.01 && tile.x + tile.width <= 100.01 && tile.y + tile.height <= 40.01);
        }
    }
    assert!(tiles(&[], 1.0, 1.0).is_empty());
}
