#![allow(clippy::unwrap_used)]

use super::repairs;
use crate::{File, Settings, Surroundings};

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
        assert_eq!(found.len(), 1, "{sign} at {at}: {found:?}\n{:?}\n{text}", repairs(&text));
        let fixes = file.fixes(found[0].range);
        let repaired_text = text::applied(&text, 0, &fixes[0].edits);
        let value = serde_json::from_str::<serde_json::Value>(&repaired_text);
        assert_eq!(value.ok().as_ref(), Some(&right), "{sign} at {at}: {repaired_text}");
        assert!(at > 0 || repaired_text == TEXT, "{repaired_text}");
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
        let found = repairs(text).filter(|repairs| !repairs.is_empty());
        assert!(found.is_none() || text == "{\"a\": b}", "{text}: {found:?}");
    }
    let sound = TEXT.replace("\"Namespaced\"", "Namespaced");
    assert_eq!(File::new(&sound, &Settings::default()).findings(), []);
}

#[test]
fn three_missing_characters_do_not_hide_other_findings() {
    let text = TEXT.replacen("\"kind\"", "\"kind", 1).replacen("\"served\": true,", "\"served\": true", 1);
    let text = text.replacen("\"string\"", "\"strng\"", 1).replacen("\"b\": {\"type", "\"b\": \"type", 1);
    let found = File::new(&text, &Settings::default()).grouped().findings;
    let codes: Vec<&str> = found.iter().map(|one| one.code.as_str()).collect();
    assert_eq!(codes, ["yaml/syntax", "yaml/syntax", "yaml/syntax", "schema/type-unsupported"], "{text}");
}

#[test]
fn each_doubled_character_is_one_finding_and_is_removed() {
    let right: serde_json::Value = serde_json::from_str(TEXT).unwrap();
    for (at, sign) in TEXT.char_indices().filter(|(_, char)| "{}[]\"".contains(*char)) {
        let mut text = TEXT.to_owned();
        text.insert(at, sign);
        // The braces around the whole text may be doubled in a template.
        if at == 0 || at == TEXT.len() - 2 {
            continue;
        }
        let file = File::new(&text, &Settings::default());
        let found = file.grouped().findings;
        assert_eq!(found.len(), 1, "{sign} at {at}: {found:?}\n{:?}\n{text}", repairs(&text));
        let fixes = file.fixes(found[0].range);
        let repaired_text = text::applied(&text, 0, &fixes[0].edits);
        let value = serde_json::from_str::<serde_json::Value>(&repaired_text);
        assert_eq!(value.ok().as_ref(), Some(&right), "{sign} at {at}: {repaired_text}");
    }
}

#[test]
fn each_wrong_or_extra_character_is_one_finding_with_the_fix_that_corrects_it() {
    let right: serde_json::Value = serde_json::from_str(TEXT).unwrap();
    let mut wrong: Vec<(String, &str)> = Vec::new();
    for (at, sign) in TEXT.char_indices() {
        let with = |new: &str| [&TEXT[..at], new, &TEXT[at + 1..]].concat();
        match sign {
            '}' => wrong.extend([(with("]"), "Replace `]` with `}`"), (with(")"), "Replace `)` with `}`")]),
            ']' => wrong.extend([(with("}"), "Replace `}` with `]`"), (with(")"), "Replace `)` with `]`")]),
            // A text that begins with a bracket is a list.
            '{' if at > 0 => wrong.push((with("["), "Replace `[` with `{`")),
            '[' => wrong.push((with("{"), "Replace `{` with `[`")),
            ',' => wrong.extend([
                (with(";"), "Replace `;` with `,`"),
                (with(",,"), "Remove the extra `,`"),
                (with(", // new\n"), "Remove the comment"),
                (with(", /* new */"), "Remove the comment"),
            ]),
            ':' if TEXT[at..].starts_with(": ") => wrong.extend([
                (with("="), "Replace `=` with `:`"),
                (with(";"), "Replace `;` with `:`"),
                (with("::"), "Remove the extra `:`"),
            ]),
            _ => {}
        }
    }
    for line in ["    },\n", "    ]\n", "        }\n"] {
        wrong.extend(TEXT.match_indices(line).map(|(at, _)| {
            let bracket = line.trim().trim_end_matches(',');
            let again = format!("{}{bracket}\n", line.split(bracket).next().unwrap());
            let title = if bracket == "]" { "Remove the extra `]`" } else { "Remove the extra `}`" };
            ([&TEXT[..at], &again, &TEXT[at..]].concat(), title)
        }));
    }
    wrong.push((TEXT.replacen("    \"scope\"", "    // \"scope\"", 1), "Remove the comment"));
    assert!(wrong.len() > 100, "{}", wrong.len());
    for (text, title) in wrong {
        let file = File::new(&text, &Settings::default());
        let found = file.grouped().findings;
        assert_eq!(found.len(), 1, "{title}: {found:?}\n{:?}\n{text}", repairs(&text));
        let fixes = file.fixes(found[0].range);
        assert_eq!(fixes[0].title, title, "{text}");
        let repaired_text = text::applied(&text, 0, &fixes[0].edits);
        let value = serde_json::from_str::<serde_json::Value>(&repaired_text);
        assert_eq!(value.ok().as_ref(), Some(&right), "{title}: {repaired_text}");
    }
}

#[test]
fn signs_of_other_languages_are_one_finding_each_with_the_fix_that_corrects_them() {
    let right: serde_json::Value = serde_json::from_str(TEXT).unwrap();
    for (from, to) in [
        ("\"Namespaced\",", "\"Namespaced\",;"),
        ("\"widgets\"},", "\"widgets\"}:"),
        ("\"scope\":", "\"scope\" =>"),
        ("\"names\": {", "\"names\" => {"),
        ("\"scope\": ", "\"scope:\" "),
        ("\"names\": {", "\"names:\" {"),
        ("      {\n", "      {}\n"),
        ("\"schema\": {", "\"schema\": {}"),
        ("\"schema\": {", "\"schema\": {\n{"),
        ("\"Namespaced\",", "\"Namespaced\",x"),
        ("    \"scope\"", "    x\n    \"scope\""),
        ("            \"required\"", "            }\n            \"required\""),
        ("            }\n", "            }\n            }\n"),
        ("          }\n", "          }\n          }\n"),
    ] {
        let text = TEXT.replacen(from, to, 1);
        assert_ne!(text, TEXT, "{from}");
        let file = File::new(&text, &Settings::default());
        let found = file.grouped().findings;
        assert_eq!(found.len(), 1, "{to}: {found:?}\n{:?}\n{text}", repairs(&text));
        let fixes = file.fixes(found[0].range);
        let repaired_text = text::applied(&text, 0, &fixes[0].edits);
        let value = serde_json::from_str::<serde_json::Value>(&repaired_text);
        assert_eq!(value.ok().as_ref(), Some(&right), "{to}: {repaired_text}");
    }
}

#[test]
fn a_text_that_ends_early_is_one_finding_and_is_closed() {
    let spread = spread();
    for (at, _) in spread.match_indices('\n').skip(12).step_by(3) {
        for cut in [at, at + 3, at + 16] {
            let Some(text) = spread.get(..cut).filter(|text| !text.ends_with(' ')) else { continue };
            let file = File::new(text, &Settings::default());
            let found = file.grouped().findings;
            let of_syntax = |one: &&crate::Finding| one.code.group() == "yaml";
            assert_eq!(found.iter().filter(of_syntax).count(), 1, "{found:?}\n{text}");
            let syntax = found.iter().find(of_syntax).unwrap();
            let repaired_text = text::applied(text, 0, &file.fixes(syntax.range)[0].edits);
            assert!(serde_json::from_str::<serde_json::Value>(&repaired_text).is_ok(), "{repaired_text}");
        }
    }
}

#[test]
fn a_missing_line_with_a_bracket_and_a_comma_is_one_finding() {
    let right: serde_json::Value = serde_json::from_str(TEXT).unwrap();
    let spread = serde_json::to_string_pretty(&right).unwrap();
    let lines: Vec<&str> = spread.lines().collect();
    for (at, line) in lines.iter().enumerate() {
        if !matches!(line.trim(), "}," | "]," | "}" | "]") || at + 1 == lines.len() {
            continue;
        }
        let text = [&lines[..at], &lines[at + 1..]].concat().join("\n");
        let file = File::new(&text, &Settings::default());
        let found = file.grouped().findings;
        assert_eq!(found.len(), 1, "{line}: {found:?}\n{text}");
        let repaired_text = text::applied(&text, 0, &file.fixes(found[0].range)[0].edits);
        let value = serde_json::from_str::<serde_json::Value>(&repaired_text);
        assert_eq!(value.ok().as_ref(), Some(&right), "{line}: {repaired_text}");
    }
}

#[test]
fn the_fixes_for_other_findings_are_made_beside_wrong_characters() {
    let text = TEXT.replacen("\"string\"", "\"strng\"", 1).replacen("\"b\"]", "\"b\"}", 1);
    let file = File::new(&text, &Settings::default());
    let found = file.grouped().findings;
    assert_eq!(found.len(), 2, "{found:?}");
    let mut edits: Vec<_> = found.iter().flat_map(|one| file.fixes(one.range)[0].edits.clone()).collect();
    edits.sort();
    assert_eq!(text::applied(&text, 0, &edits), TEXT);
}

#[test]
fn a_text_with_too_many_mistakes_is_not_repaired() {
    assert_eq!(repairs(&"{\"a".repeat(10_000)), None);
    assert_eq!(repairs(&"{\"a\":[".repeat(10_000)), None);
}

/// The text with a line break after each bracket and comma.
fn spread() -> String {
    let right: serde_json::Value = serde_json::from_str(TEXT).unwrap();
    serde_json::to_string_pretty(&right).unwrap()
}

#[test]
fn a_missing_line_that_opens_an_object_or_a_list_is_one_finding() {
    for newline in ["\n", "\r\n"] {
        let whole = spread().replace('\n', newline);
        for line in ["spec", "names", "versions", "schema", "openAPIV3Schema", "required", "properties", "b"]
        {
            let start = whole.find(&format!("\"{line}\": ")).unwrap();
            let start = whole[..start].rfind('\n').unwrap() + 1;
            let end = start + whole[start..].find('\n').unwrap() + 1;
            let text = [&whole[..start], &whole[end..]].concat();
            let file = File::new(&text, &Settings::default());
            let found = file.grouped().findings;
            assert_eq!(found.len(), 1, "{line}: {found:?}\n{text}");
            let next = start + text[start..].len() - text[start..].trim_start().len();
            assert_eq!(found[0].range.start as usize, next, "{line}: {found:?}");
            let fixes = file.fixes(found[0].range);
            let repaired_text = fixes.first().map(|fix| text::applied(&text, 0, &fix.edits));
            assert_eq!(repaired_text.as_ref(), Some(&whole), "{line}: {fixes:?}");
        }
    }
}

#[test]
fn a_missing_line_with_an_unknown_key_hides_no_other_finding() {
    let whole = spread().replacen("\"required\"", "\"minProperties\": 1,\n            \"required\"", 1);
    let whole = whole.replacen("\"a\",\n", "\"a\"\n", 1).replacen("              \"b\"\n", "", 1);
    let text = whole.replacen("              \"b\": {\n", "", 1).replacen("\"integer\"", "\"intger\"", 1);
    let file = File::new(&text, &Settings::default());
    let found = file.grouped().findings;
    let codes: Vec<&str> = found.iter().map(|one| one.code.as_str()).collect();
    assert_eq!(codes, ["schema/type-unsupported", "yaml/syntax"], "{text}");
    assert_eq!(file.fixes(found[1].range), []);
}

#[test]
fn lines_that_are_indented_unevenly_are_no_slip() {
    let text = spread().replacen("    \"group\"", "        \"group\"", 1);
    assert_eq!(File::new(&text, &Settings::default()).findings(), []);
}

#[test]
fn text_that_is_not_json_is_a_finding_in_a_file_with_that_ending() {
    let file = |text: &str, source: &str| {
        let surroundings = Surroundings { source: source.into(), ..Surroundings::default() };
        File::with_surroundings(text, &Settings::default(), surroundings)
    };
    assert_eq!(file(TEXT, "a.json").findings(), []);
    for (from, to) in [
        ("\"widgets\"}", "\"widgets\",}"),
        ("\"b\"]", "\"b\",]"),
        ("\"scope\":", "'scope':"),
        ("\"scope\":", "scope:"),
        ("\"scope\": \"Namespaced\"", "'scope': 'Namespaced'"),
        ("\"scope\":", "“scope”:"),
        ("\"Namespaced\"", "Namespaced"),
        ("true", "True"),
        ("\"minimum\": 1", "\"minimum\": +1"),
        ("\"minimum\": 1", "\"minimum\": 01"),
        ("\"minimum\": 1", "\"minimum\": 1."),
        ("\"Namespaced\",", "\"Namespaced\", # why"),
        ("    \"scope\"", "    # why\n    \"scope\""),
    ] {
        let text = TEXT.replacen(from, to, 1);
        if !to.contains('“') {
            assert_eq!(file(&text, "a.yaml").findings(), [], "{text}");
        }
        let file = file(&text, "a.json");
        let found = file.grouped().findings;
        assert_eq!(found.len(), 1, "{to}: {found:?}");
        let fixes = file.fixes(found[0].range);
        assert_eq!(text::applied(&text, 0, &fixes[0].edits), TEXT, "{to}");
    }
    // A wrong character and such a part are two findings.
    let text = TEXT.replacen("\"scope\":", "scope:", 1).replacen("\"b\"]", "\"b\"", 1);
    assert_eq!(file(&text, "a.json").grouped().findings.len(), 2);
}

#[test]
fn a_misspelt_boolean_becomes_a_boolean_and_not_a_text() {
    let surroundings = Surroundings { source: "a.json".into(), ..Surroundings::default() };
    let text = TEXT.replacen("\"served\": true", "\"served\": tru", 1);
    let file = File::with_surroundings(&text, &Settings::default(), surroundings);
    let found = file.grouped().findings;
    assert_eq!(found.len(), 1, "{found:?}");
    let fixes = file.fixes(found[0].range);
    let first = fixes.iter().find(|fix| fix.repairs.contains(&(found[0].code, found[0].range))).unwrap();
    assert_eq!(text::applied(&text, 0, &first.edits), TEXT, "{fixes:?}");
}
