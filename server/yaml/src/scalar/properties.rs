#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use proptest::prelude::*;

use super::*;

const STYLES: [ScalarStyle; 5] = [
    ScalarStyle::Plain,
    ScalarStyle::SingleQuoted,
    ScalarStyle::DoubleQuoted,
    ScalarStyle::Literal,
    ScalarStyle::Folded,
];

/// Text of fragments that occur in scalars, and of fragments that break them.
fn difficult_text() -> impl Strategy<Value = String> {
    let pieces = [
        "a",
        "b",
        "true",
        "no",
        "false",
        "null",
        "0",
        "é",
        "😀",
        " ",
        "  ",
        "\t",
        "\n",
        "\r",
        "\r\n",
        "\u{85}",
        "\u{2028}",
        "\u{2029}",
        "'",
        "''",
        "\"",
        "\\",
        "\\n",
        "\\x41",
        "\\u00e9",
        "\\U0001F600",
        "\\L",
        "\\\n",
        "|",
        ">",
        "+",
        "-",
        "2",
        "#",
        ":",
        "---",
        "...",
        "\u{feff}",
        "\0",
    ];
    prop::collection::vec(prop::sample::select(pieces.to_vec()), 0..40).prop_map(|parts| parts.concat())
}

/// A scalar of a random style, more often well-formed than not.
fn scalar() -> impl Strategy<Value = (ScalarStyle, String, i32)> {
    (prop::sample::select(STYLES.to_vec()), difficult_text(), any::<bool>(), -1..4).prop_map(
        |(style, body, framed, indent)| {
            let raw = match style {
                ScalarStyle::SingleQuoted if framed => format!("'{body}'"),
                ScalarStyle::DoubleQuoted if framed => format!("\"{body}\""),
                ScalarStyle::Literal if framed => format!("|\n    {}", body.replace('\n', "\n    ")),
                ScalarStyle::Folded if framed => format!(">\n    {}", body.replace('\n', "\n    ")),
                _ => body,
            };
            (style, raw, indent)
        },
    )
}

fn boundaries(text: &str) -> impl Iterator<Item = usize> {
    (0..=text.len()).filter(|at| text.is_char_boundary(*at))
}

proptest! {
    #[test]
    fn a_scalar_is_classified_without_decoding_its_text((style, raw, indent) in scalar()) {
        let decoded = decode(style, &raw, indent);
        let mut pieces = String::new();
        for_each_piece(style, &raw, indent, &mut |piece| pieces.push_str(piece));
        prop_assert_eq!(&pieces, &decoded.text);
        let mark = match style {
            ScalarStyle::Plain => "",
            ScalarStyle::SingleQuoted => "'",
            ScalarStyle::DoubleQuoted => "\"",
            ScalarStyle::Literal => "|",
            ScalarStyle::Folded => ">",
        };
        let is_closed = decoded.errors.iter().all(|error| error.server != "found unexpected end of stream");
        if raw.starts_with(mark) && is_closed {
            prop_assert_eq!(has_errors(style, &raw, indent), !decoded.errors.is_empty());
        }
        if style == ScalarStyle::Plain && is_own_text(&raw) {
            prop_assert_eq!(&decoded.text, &raw);
        }
        if style == ScalarStyle::Plain && (is_text(&raw) || is_own_text(&raw)) {
            prop_assert!(matches!(resolve(decoded.text, style, None), Ok(ResolvedScalar::String(_))));
        }
    }

    #[test]
    fn decoding_and_resolving_never_panic(
        raw in prop_oneof![any::<String>(), difficult_text()],
        indent in any::<i32>(),
        tag in prop::option::of(prop_oneof![any::<String>(), "!!(int|float|bool|null|str|binary|timestamp)"]),
    ) {
        for style in STYLES {
            let decoded = decode(style, &raw, indent);
            prop_assert!(raw.is_char_boundary(decoded.end));
            for error in &decoded.errors {
                prop_assert!(raw.get(error.range.clone()).is_some(), "{error:?}");
                prop_assert!(raw.is_char_boundary(error.mark), "{error:?}");
            }
            if let Ok(key) = resolve_key(decoded.text, style, tag.as_deref()) {
                let _ = to_json(&key);
                let _ = go_syntax(&key);
                let _ = key_text(&key);
            }
        }
    }

    #[test]
    fn a_mapping_is_monotonic_in_bounds_and_on_character_boundaries((style, raw, indent) in scalar()) {
        let decoded = decode(style, &raw, indent).text;
        let mapping = OffsetMap::new(style, &raw, indent);
        let mut last = 0;
        for at in boundaries(&decoded) {
            let back = mapping.to_raw(at);
            prop_assert!(last <= back && raw.is_char_boundary(back), "to_raw({at}) = {back} after {last}");
            last = back;
        }
        last = 0;
        for at in boundaries(&raw) {
            let there = mapping.to_decoded(at);
            prop_assert!(last <= there && decoded.is_char_boundary(there), "to_decoded({at}) = {there}");
            last = there;
        }
        prop_assert_eq!(mapping.to_decoded(raw.len()), decoded.len());
    }

    #[test]
    fn a_verbatim_byte_maps_there_and_back((style, raw, indent) in scalar()) {
        let decoded = decode(style, &raw, indent).text;
        let mapping = OffsetMap::new(style, &raw, indent);
        for (at, character) in decoded.char_indices() {
            let range = mapping.raw_range(at..at + character.len_utf8());
            let source = raw.get(range.clone()).expect("a range within the raw text");
            prop_assert!(!source.is_empty(), "every character comes from somewhere");
            prop_assert_eq!(mapping.to_decoded(range.start), at);
            if source.chars().eq([character]) {
                prop_assert_eq!(mapping.to_raw(at), range.start);
            } else {
                let first = source.chars().next().unwrap();
                prop_assert!(
                    "\\' \t\n\r\u{85}\u{2028}\u{2029}".contains(first),
                    "neither an escape nor a fold: {source:?}"
                );
            }
        }
    }

    #[test]
    fn json_of_a_float_reads_back_as_the_same_float(value in any::<f64>()) {
        prop_assume!(value.is_finite());
        prop_assert_eq!(to_json(&ResolvedScalar::Float(value)).parse::<f64>().unwrap().to_bits(), value.to_bits());
    }
}
