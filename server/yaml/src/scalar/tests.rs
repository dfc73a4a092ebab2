#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::borrow::Cow;
use std::time::Duration;

use super::*;
use cpu_time::ThreadTime;
use suites::unescape;

fn text(style: ScalarStyle, raw: &str) -> String {
    decode(style, raw, 0).text.into_owned()
}

/// One row of the measured table.
struct Row<'a> {
    key: bool,
    style: ScalarStyle,
    indent: i32,
    tag: Option<&'a str>,
    raw: String,
    result: String,
}

fn row(line: &str) -> Row<'_> {
    let fields: Vec<&str> = line.split('\t').collect();
    let [role, style, indent, tag, raw, result] = fields[..] else { panic!("six fields: {line}") };
    Row {
        key: match role {
            "key" => true,
            "value" => false,
            _ => panic!("role: {line}"),
        },
        style: match style {
            "plain" => ScalarStyle::Plain,
            "single" => ScalarStyle::SingleQuoted,
            "double" => ScalarStyle::DoubleQuoted,
            "literal" => ScalarStyle::Literal,
            "folded" => ScalarStyle::Folded,
            _ => panic!("style: {line}"),
        },
        indent: indent.parse().unwrap(),
        tag: (!tag.is_empty()).then_some(tag),
        raw: unescape(raw).unwrap(),
        result: unescape(result).unwrap(),
    }
}

/// The crate's result for a row, in the format of the table.
fn outcome(row: &Row<'_>) -> String {
    let decoded = decode(row.style, &row.raw, row.indent);
    if let Some(error) = decoded.errors.first() {
        return format!("ERR yaml: {}", error.server);
    }
    let result = if row.key {
        resolve_key(decoded.text, row.style, row.tag).map_err(|error| error.to_string()).and_then(|key| {
            let name = key_text(&key).map_err(|error| error.message("\"x\""))?;
            Ok(to_json(&ResolvedScalar::String(name)))
        })
    } else {
        resolve(decoded.text, row.style, row.tag)
            .map(|value| to_json(&value))
            .map_err(|error| error.to_string())
    };
    match result {
        // Go prints a byte that is not UTF-8 as an escape; here it is already the replacement character.
        Ok(json) => json.replace('\u{FFFD}', "\\ufffd"),
        Err(error) => format!("ERR {error}"),
    }
}

#[test]
fn every_measured_scalar_has_the_value_of_the_server() {
    let table = include_str!("../../../../fixtures/yaml/scalars.tsv");
    let lines: Vec<&str> = table.lines().filter(|line| !line.starts_with('#')).collect();
    let wrong: Vec<String> = lines
        .iter()
        .map(|line| (line, outcome(&row(line)), row(line).result))
        .filter(|(_, ours, servers)| ours != servers)
        .map(|(line, ours, servers)| format!("{line}\n  ours   {ours}\n  server {servers}"))
        .collect();
    assert!(lines.len() >= 360, "{} rows", lines.len());
    assert!(wrong.is_empty(), "{} of {} rows:\n{}", wrong.len(), lines.len(), wrong.join("\n"));
}

#[test]
fn verbatim_text_is_borrowed() {
    for (style, raw) in [
        (ScalarStyle::Plain, "two words"),
        (ScalarStyle::SingleQuoted, "'two words'"),
        (ScalarStyle::DoubleQuoted, "\"two words\""),
        (ScalarStyle::Literal, "|\n  two words\n"),
    ] {
        let decoded = decode(style, raw, 0);
        assert_eq!(decoded.text.trim_end(), "two words");
        assert!(matches!(decoded.text, Cow::Borrowed(_)), "{style:?}");
    }
}

#[test]
fn an_error_has_a_range_and_decoding_continues_after_it() {
    let decoded = decode(ScalarStyle::DoubleQuoted, r#""a\/b\x4\ud800c"#, 0);
    assert_eq!(decoded.text, r"a/b\x4\ud800c");
    let found: Vec<_> = decoded.errors.iter().map(|error| (error.range.clone(), error.server)).collect();
    assert_eq!(
        found,
        [
            (2..4, "found unknown escape character"),
            (5..8, "did not find expected hexdecimal number"),
            (8..14, "found invalid Unicode character escape code"),
            (0..1, "found unexpected end of stream"),
        ]
    );
    assert_eq!(decoded.errors[0].message, r"`\/` is not an escape; write `/`");
    assert_eq!(decoded.errors[3].mark, 15, "the server is at the end when it finds the quote missing");
}

#[test]
fn a_line_indented_with_a_tab_keeps_the_text_below_it() {
    let decoded = decode(ScalarStyle::Literal, "|\n  a\n\tb\n  c\n", 0);
    assert_eq!(decoded.text, "a\n\nc\n");
    assert_eq!(decoded.errors[0].range, 6..7);
}

#[test]
fn the_end_is_where_the_server_stops_reading() {
    assert_eq!(decode(ScalarStyle::SingleQuoted, "'a' b", 0).end, 3);
    assert_eq!(decode(ScalarStyle::Plain, "a b  ", 0).end, 3);
    assert_eq!(decode(ScalarStyle::Literal, "|\n   a\n  b\n", 0).end, 7);
    assert_eq!(
        decode(ScalarStyle::Literal, "|\n     \n  a\n", 0).end,
        8,
        "the blank line sets the indentation"
    );
}

#[test]
fn indentation_indicators_count_from_the_parent() {
    assert_eq!(decode(ScalarStyle::Literal, "|2\n     a\n", 2).text, " a\n");
    assert_eq!(decode(ScalarStyle::Literal, "|2\n   a\n", -1).text, " a\n");
}

#[test]
fn a_mapping_leads_through_escapes_and_folds() {
    let raw = "\"a\\u00e9  \n   b\"";
    let mapping = OffsetMap::new(ScalarStyle::DoubleQuoted, raw, 0);
    assert_eq!(text(ScalarStyle::DoubleQuoted, raw), "aé b");
    assert_eq!(mapping.raw_range(0..1), 1..2);
    assert_eq!(mapping.raw_range(1..3), 2..8, "the whole escape");
    assert_eq!(mapping.raw_range(3..4), 8..14, "the whole fold");
    assert_eq!(mapping.raw_range(4..5), 14..15);
    assert_eq!(mapping.to_decoded(0), 0, "the opening quote gives the first character");
    assert_eq!(mapping.to_decoded(5), 1, "within the escape");
    assert_eq!(mapping.to_decoded(16), 5);
    assert_eq!(mapping.to_raw(5), 15, "the end is in front of the closing quote");
}

#[test]
fn a_mapping_omits_the_indentation_of_a_block() {
    let mapping = OffsetMap::new(ScalarStyle::Literal, "|-\n  ab\n  cd\n", 0);
    assert_eq!(mapping.raw_range(3..5), 10..12);
    assert_eq!(mapping.raw_range(1..4), 6..11);
    assert_eq!(mapping.to_decoded(9), 3);
}

#[test]
fn infinities_and_nan_are_keys_but_no_values() {
    let infinite = || Cow::Borrowed(".inf");
    let error = resolve(infinite(), ScalarStyle::Plain, None).unwrap_err();
    assert_eq!(error.to_string(), "json: unsupported value: +Inf");
    let key = resolve_key(infinite(), ScalarStyle::Plain, None).unwrap();
    assert_eq!(key_text(&key).unwrap(), ".inf");
}

#[test]
fn a_null_key_is_rejected_with_its_value_in_go_syntax() {
    let error = key_text(&ResolvedScalar::Null).unwrap_err();
    let value = ResolvedScalar::String(Cow::Borrowed("a\"\u{7f}\u{e9}\u{2028}"));
    assert_eq!(
        error.message(&go_syntax(&value)),
        r#"unsupported map key of type: %!s(<nil>), key: <nil>, value: "a\"\x7fé\u2028""#
    );
}

#[test]
fn only_a_plain_or_tagged_arrow_merges() {
    assert!(is_merge_key("<<", ScalarStyle::Plain, None));
    assert!(!is_merge_key("<<", ScalarStyle::SingleQuoted, None));
    assert!(is_merge_key("<<", ScalarStyle::SingleQuoted, Some("!!merge")));
    assert!(is_merge_key("<<", ScalarStyle::SingleQuoted, Some("!")));
    assert!(!is_merge_key("<<", ScalarStyle::Plain, Some("!!str")));
}

#[test]
fn hostile_scalars_take_linear_time() {
    let size = 1 << 20;
    let started = ThreadTime::now();
    for (style, raw) in [
        (ScalarStyle::Plain, format!("a{}", "\n \n b".repeat(size / 5))),
        (ScalarStyle::Plain, format!("a{}", " ".repeat(size))),
        (ScalarStyle::SingleQuoted, "'".repeat(size)),
        (ScalarStyle::DoubleQuoted, "\"".to_owned() + &"\\".repeat(size)),
        (ScalarStyle::DoubleQuoted, "\"".to_owned() + &"\n--- \\q".repeat(size / 7)),
        (ScalarStyle::Literal, "|\n".to_owned() + &"\n \t".repeat(size / 3)),
        (ScalarStyle::Folded, ">\n a".to_owned() + &"\n b\n".repeat(size / 4)),
    ] {
        let decoded = decode(style, &raw, 0);
        let mapping = OffsetMap::new(style, &raw, 0);
        assert_eq!(mapping.to_decoded(raw.len()), decoded.text.len());
    }
    for text in
        ["1".repeat(size), "1_".repeat(size / 2), format!("0.{}e9", "9".repeat(size)), "-".repeat(size)]
    {
        resolve(Cow::Owned(text), ScalarStyle::Plain, None).unwrap();
    }
    // Quadratic work on a mebibyte takes minutes; linear work takes milliseconds.
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
}

#[test]
fn one_line_is_printable_and_ends_in_no_blank() {
    for byte in 0..0x80_u8 {
        for at in 0..9 {
            let mut text = "abcdefghi".to_owned().into_bytes();
            text[at] = byte;
            let text = String::from_utf8(text).unwrap();
            let expected = matches!(byte, 0x20..0x7F) && !(byte == b' ' && at == 8);
            assert_eq!(decode::is_one_line(&text), expected, "{text:?}");
        }
    }
    assert!(!decode::is_one_line("abcdef\u{e4}"));
}

#[test]
fn a_scalar_that_is_not_a_string_is_recognized_without_decoding() {
    let words = ["y", "n", "yes", "no", "on", "off", "true", "false", "null", "~", ""];
    let cased = words.iter().flat_map(|word| {
        let mut capital = word.to_string();
        if let Some(first) = capital.get_mut(..1) {
            first.make_ascii_uppercase();
        }
        [word.to_string(), capital, word.to_uppercase()]
    });
    let numbers =
        ["0", "-1", "+1", ".5", "1e3", "0x1F", "0o7", "1_000", ".inf", "-.inf", ".nan"].map(str::to_owned);
    for text in cased.chain(numbers) {
        let resolved = resolve_key(text.as_str().into(), ScalarStyle::Plain, None);
        assert!(!matches!(resolved, Ok(ResolvedScalar::String(_))), "{text:?} is a string");
        assert!(!is_string_on_line(&text), "{text:?}");
    }
    for text in ["type", "name", "title", "to", "nothing", "falsehood", "from", "x"] {
        assert!(is_string_on_line(text), "{text:?}");
    }
}
