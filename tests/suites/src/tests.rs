#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use crate::{Case, all_below, cases, read, record, texts, unpack};

/// A folder with those files.
fn folder(files: &[(&str, &[u8])]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in files {
        fs::write(folder.path().join(name), bytes).unwrap();
    }
    folder
}

fn cases_of(suite: &str) -> Vec<Case> {
    cases(folder(&[("suite.md", suite.as_bytes())]).path()).unwrap()
}

fn refusal(suite: &str) -> String {
    let folder = folder(&[("suite.md", suite.as_bytes())]);
    cases(folder.path()).unwrap_err().to_string().replace(&folder.path().display().to_string(), "")
}

#[test]
fn a_case_has_a_story_texts_and_findings() {
    let suite = "# Names\n\nChecks.\n\n## 001-one\n\nIt shows *this*,\nand `that`.\n\n```yaml old\na: 1\n```\n\n\
                 ```yaml new\na: 2\n\n```\n\n```json server\n{}\n```\n\n```findings\n1:1 a\n```\n";
    let [case] = cases_of(suite).try_into().unwrap();
    assert_eq!((case.name.as_str(), case.line), ("001-one", 5));
    assert_eq!(case.story, "It shows *this*,\nand `that`.");
    let texts: Vec<_> = case.texts.iter().map(|text| (text.file_name(), text.as_utf8().unwrap())).collect();
    assert_eq!(
        texts,
        [("001-one.old.yaml".to_owned(), "a: 1\n"), ("001-one.new.yaml".to_owned(), "a: 2\n\n")]
    );
    assert_eq!(case.checked(), case.part("new"));
    assert_eq!((case.server.as_deref(), case.findings.as_deref()), (Some("{}\n"), Some("1:1 a\n")));
}

#[test]
fn texts_are_the_contents_of_fences_byte_for_byte() {
    for text in [
        "",
        "\n",
        "\n\n",
        "a: 1\n",
        "\ta: 1 \t \n  \n",
        "    indented: 1\n\n\n",
        "## no heading\n# none\n---\n...\n",
        "a: |\n  ```yaml\n  ```\n",
        "```\n````\n",
        "a: 'ä‸\u{2028}'\n~~~\n> b\n<!-- c\n",
        "a: &amp; \\* [b](c) <d>\n",
    ] {
        let longer = "`````";
        let [case] = cases_of(&format!("## a\n\nB.\n\n{longer}yaml\n{text}{longer}\n")).try_into().unwrap();
        assert_eq!(case.texts[0].as_utf8(), Some(text));
        let [case] = cases_of(&format!("## a\n\nB.\n\n{longer}yaml unterminated\n{text}{longer}\n"))
            .try_into()
            .unwrap();
        assert_eq!(case.texts[0].as_utf8(), Some(text.strip_suffix('\n').unwrap_or(text)));
    }
}

#[test]
fn recorded_findings_can_be_read() {
    let suite = "## a\n\nB.\n\n```yaml\na: 1\n```\n\n## b\n\nC.\n\n```yaml\n```\n\n```findings\nold\n```\n\n```json server\n{}\n```";
    let folder = folder(&[("suite.md", suite.as_bytes())]);
    for found in ["", "one\n", "````\n", "no end"] {
        let answer = |case: &Case| Some(format!("{}\n{found}", case.name));
        record(folder.path(), "findings", answer).unwrap();
        let findings: Vec<String> =
            cases(folder.path()).unwrap().into_iter().map(|case| case.findings.unwrap()).collect();
        assert_eq!(findings, [format!("a\n{found}"), format!("b\n{found}")]);
        assert_eq!(record(folder.path(), "findings", answer).unwrap(), 0);
    }
    assert_eq!(record(folder.path(), "findings", |_| None).unwrap(), 0);
    assert_eq!(record(folder.path(), "yaml", |case| Some(format!("{}: 1\r\n", case.name))).unwrap(), 1);
    let text = fs::read_to_string(folder.path().join("suite.md")).unwrap();
    assert!(text.starts_with("## a\n\nB.\n\n```yaml\na: 1\r\n```\n\n```findings unterminated\n"), "{text}");
    assert!(text.ends_with("```\n\n```json server\n{}\n```"), "{text}");
}

#[test]
fn bytes_that_markdown_cannot_hold_are_in_files() {
    let suite =
        "## odd\n\nCR LF, and no UTF-8.\n\n```yaml from=odd.yaml\n```\n\n```json server from=odd.json\n```\n";
    let folder = folder(&[("suite.md", suite.as_bytes()), ("odd.yaml", b"a: \xff\r\n"), ("odd.json", b"{}")]);
    let [case] = cases(folder.path()).unwrap().try_into().unwrap();
    assert_eq!(
        (case.texts[0].bytes.as_slice(), case.server.as_deref()),
        (b"a: \xff\r\n".as_slice(), Some("{}"))
    );
    assert_eq!(texts(folder.path()).unwrap(), []);
    assert_eq!(all_below(folder.path()).unwrap(), case.texts);
    assert_eq!(record(folder.path(), "yaml", |_| Some("b: 1\r\n".to_owned())).unwrap(), 0);
    assert_eq!(fs::read(folder.path().join("odd.yaml")).unwrap(), b"b: 1\r\n");
}

#[test]
fn a_text_may_come_from_an_earlier_case() {
    let suite = "## a\n\nB.\n\n```yaml crd\na: 1\n```\n\n```yaml cr\n```\n\n\
                 ## b\n\nB.\n\n```yaml crd as=a\n```\n\n```yaml cr\n```\n\n\
                 ## c\n\nB.\n\n```yaml crd as=b\n```\n\n```yaml cr\n```\n";
    let definitions: Vec<_> = cases_of(suite).iter().map(|case| case.part("crd").cloned().unwrap()).collect();
    let names_and_texts: Vec<_> =
        definitions.iter().map(|text| (text.file_name(), text.as_utf8().unwrap())).collect();
    let expected = ["a", "b", "c"].map(|name| (format!("{name}.crd.yaml"), "a: 1\n"));
    assert_eq!(names_and_texts, expected);
}

#[test]
fn files_are_cases_and_are_sorted_by_file() {
    let suite = "## b\n\nTold.\n\n```yaml\nb: 1\n```\n\n## a-z\n\nTold.\n\n```yaml\naz: 1\n```\n";
    let folder = folder(&[
        ("suite.md", suite.as_bytes()),
        ("README.md", b"# About"),
        ("a.yaml", b"# Lies here.\na: 1\n"),
        ("a.expect.json", b"{}"),
        ("c.old.yaml", b"old"),
        ("c.new.yaml", b"new"),
        ("c.new.expect.json", b"[]"),
    ]);
    let cases = cases(folder.path()).unwrap();
    let names: Vec<_> = cases.iter().map(|case| (case.name.as_str(), case.server.as_deref())).collect();
    assert_eq!(names, [("a-z", None), ("a", Some("{}")), ("b", None), ("c", Some("[]"))]);
    assert_eq!(cases[1].story, "Lies here.");
    assert_eq!(read(&folder.path().join("b.yaml")).unwrap(), "b: 1\n");
    assert_eq!(read(&folder.path().join("a.yaml")).unwrap(), "# Lies here.\na: 1\n");
    assert!(read(&folder.path().join("d.yaml")).is_err());

    let unpacked = tempfile::tempdir().unwrap();
    unpack(folder.path(), unpacked.path()).unwrap();
    let mut files: Vec<_> =
        fs::read_dir(unpacked.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    files.sort();
    assert_eq!(files, ["a-z.yaml", "a.yaml", "b.yaml", "c.new.yaml", "c.old.yaml"]);
}

#[test]
fn invalid_forms_are_rejected_with_their_place() {
    for (suite, expected) in [
        ("```yaml\n```\n", "/suite.md:1: a block before the first case"),
        ("## a\n\n```yaml\n```\n", "/suite.md:1: a case without a story"),
        ("## a\n\nB.\n", "/suite.md:1: a case without a text"),
        ("## a\n\nB.\n\n```yaml\na: 1\n", "/suite.md:5: an open block"),
        ("## a\n\nB.\n\n~~~yaml\na: 1\n~~~\n", "/suite.md:5: an open block"),
        ("## a\n\nB.\n\n```yaml\n```\n\nC.\n\n```json server\n```\n", "/suite.md:8: prose behind a block"),
        (
            "## a\n\nB.\n\n```yaml\n```\n\nC.\n\n## b\n\nB.\n\n```yaml\n```\n",
            "/suite.md:8: prose behind a block",
        ),
        ("## a\n\nB.\n\n```yaml\n```\n\n```yaml\n```\n", "/suite.md:8: a second block yaml"),
        (
            "## a\n\nB.\n\n```yaml\n```\n\n```findings\n```\n\n```findings\n```\n",
            "/suite.md:11: a second block findings",
        ),
        ("## a\n\nB.\n\n```yml\n```\n", "/suite.md:5: no such block: yml"),
        ("## a\n\nB.\n\n```yaml a b\n```\n", "/suite.md:5: no such block: yaml a b"),
        ("## a\n\nB.\n\n```yaml server\n```\n", "/suite.md:5: no such block: yaml server"),
        ("## a\n\nB.\n\n```yaml from=a.yaml\nb: 1\n```\n", "/suite.md:5: a text in two places"),
        (
            "## a\n\nB.\n\n```yaml as=b\n```\n\n## b\n\nB.\n\n```yaml\n```\n",
            "/suite.md:5: no yaml before it in a case b",
        ),
        ("## a\n\nB.\n\n```yaml\n```\n\n## a\n\nB.\n\n```yaml\n```\n", "/a.yaml is declared twice"),
    ] {
        assert_eq!(refusal(suite), expected, "{suite}");
    }
    assert!(refusal("## a\n\nB.\n\n```yaml from=none.yaml\n```\n").starts_with("/suite.md:5: /none.yaml: "));
}

#[test]
fn a_failing_case_shows_its_story() {
    let [case] =
        cases_of("# T\n\n## one\n\nIt shows this.\n\n```yaml\na: 1\n\nb: 2\n```\n").try_into().unwrap();
    let failed = case.failed("that", "these\nand those");
    let (place, rest) = failed.split_once("suite.md").unwrap();
    assert!(Path::new(place).is_absolute(), "{failed}");
    assert_eq!(
        rest,
        ":3: one\n\nIt shows this.\n\none.yaml:\n    a: 1\n\n    b: 2\n\nexpected:\n    that\n\nfound:\n    these\n    and those\n"
    );
}
