#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use proptest::prelude::*;

use super::*;
use crate::Tree;

/// Documents of short lines, many of them with different keys that become the same JSON key.
fn document() -> impl Strategy<Value = String> {
    let keys = [
        "a", "b", "type", "y", "yes", "1", "1.0", "\"a\"", "'b'", "<<", "~", "!!str a", "? a\n", "*x", "&x a",
    ];
    let values = [
        "",
        "b",
        "1e400",
        ".inf",
        "-.nan",
        "12345678901234567890",
        "0x1F",
        "\"\\q\"",
        "\"\\n\"",
        "*x",
        "&x c",
        "!!int d",
        "[a, b]",
        "{a: 1, a: 2}",
        "{a: 1, b: 2}",
        "[a: b]",
        "|\n      text",
        ">-\n\ttext",
        "`",
        "@a",
        "\ttab",
        "\u{7}",
    ];
    let line = (
        0..3_usize,
        any::<bool>(),
        prop::sample::select(keys.to_vec()),
        prop::sample::select(values.to_vec()),
    );
    let line = line.prop_map(|(depth, item, key, value)| {
        let indent = "  ".repeat(depth);
        let dash = if item { "- " } else { "" };
        format!("{indent}{dash}{key}: {value}\n")
    });
    prop::collection::vec(line, 0..8).prop_map(|lines| lines.concat())
}

proptest! {
    #[test]
    fn a_strictly_decoded_document_has_no_error_or_duplicate(text in document()) {
        for document in Tree::parse(&text).documents() {
            if decodes_strictly(document) {
                let decoded = decode(document);
                prop_assert!(decoded.as_ref().is_ok_and(|decoded| decoded.duplicates.is_empty()), "{decoded:?}");
            }
        }
    }
}

#[test]
fn usual_documents_decode_strictly() {
    for (text, expected) in [
        ("kind: Widget\nspec:\n  b: 1\n  a: [x, {y1: true}]\n", true),
        ("", true),
        ("a: 1\na: 2\n", false),
        ("y: 1\nyes: 2\n", false),
        ("a: {b: 1, b: 2}\n", false),
        ("a: .inf\n", false),
        ("a: &b c\n", false),
        ("a: [\n", false),
    ] {
        let all = Tree::parse(text).documents().all(decodes_strictly);
        assert_eq!(all, expected, "{text}");
    }
}
