//! The examples in `docs/`: right examples have no findings, and wrong ones have the findings below them.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

mod support {
    pub(crate) mod completed;
    pub(crate) mod examples;
    pub(crate) mod program;
}

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;

use support::examples::Example;
use support::program::{directory, repository, run, stderr, stdout};

const EXPERIMENTS: &str = "[experimental]\nfeatureGates = true\nunions = true\n";
const MODULE: &str = "module example.com/module\n\ngo 1.24\n";
/// The column of the fields of `spec` in a generated definition with one version.
const COLUMN_OF_SPEC: usize = 12;

fn documents() -> Vec<PathBuf> {
    let folders = ["docs", "docs/guide"].map(|folder| repository().join(folder));
    let files =
        folders.iter().flat_map(|folder| fs::read_dir(folder).unwrap()).map(|entry| entry.unwrap().path());
    let mut documents: Vec<PathBuf> =
        files.filter(|path| path.extension().is_some_and(|end| end == "md")).collect();
    documents.sort();
    documents
}

/// The lines of `output` that are findings or changes that matter, without their places.
fn findings(output: &str) -> String {
    let without_place = |line: &str| {
        let line = line.trim();
        let (class, rest) = ["breaking", "risky"]
            .iter()
            .find_map(|class| Some((Some(*class), line.strip_prefix(class)?.trim())))
            .unwrap_or((None, line));
        let (path, rest) = rest.split_once(':')?;
        let (line, rest) = rest.split_once(':')?;
        let (column, message) = rest.split_once(": ")?;
        let is_place = !path.contains(' ') && line.parse::<u32>().is_ok() && column.parse::<u32>().is_ok();
        let class = class.map(|class| format!("{class} ")).unwrap_or_default();
        is_place.then(|| format!("{class}{message}\n"))
    };
    output.lines().filter_map(without_place).collect()
}

/// The findings of the program in the example.
fn findings_of(example: &Example<'_>, all: &[Example<'_>]) -> String {
    if example.language == "go" {
        let files = directory(&[("go.mod", MODULE.as_bytes()), ("v1/types.go", example.text.as_bytes())]);
        return findings(&checked(files.path(), &["v1/types.go"]));
    }
    let texts = example.texts(all).unwrap();
    let settings = if example.option("with") == Some("experiments") { EXPERIMENTS } else { "" };
    let files = directory(&[
        (".crd-ls.toml", settings.as_bytes()),
        ("crd.yaml", texts.definition.as_bytes()),
        ("resource.yaml", texts.resource.as_bytes()),
        ("old.yaml", texts.old.as_bytes()),
        ("stored.yaml", texts.stored.as_bytes()),
    ]);
    let files = files.path();
    if !texts.stored.is_empty() {
        return findings(&checked(files, &["--crd", "crd.yaml", "--old", "stored.yaml", "resource.yaml"]));
    }
    if !texts.resource.is_empty() {
        return findings(&checked(files, &["--crd", "crd.yaml", "resource.yaml"]));
    }
    if texts.old.is_empty() {
        return findings(&checked(files, &["crd.yaml"]));
    }
    let update = findings(&checked(files, &["--old", "old.yaml", "crd.yaml"]));
    update + &findings(&stdout(&run(files, &["diff", "old.yaml", "crd.yaml"])))
}

fn checked(files: &Path, arguments: &[&str]) -> String {
    let arguments = [&["check", "--output", "concise"], arguments].concat();
    let output = run(files, &arguments);
    assert!(output.status.code() != Some(2), "{arguments:?}: {}", stderr(&output));
    stdout(&output)
}

/// The problems with the examples of a document.
fn wrong(path: &Path) -> Vec<String> {
    let markdown = fs::read_to_string(path).unwrap();
    let all = Example::all(&markdown);
    let mut wrong = Vec::new();
    for example in &all {
        let mut add_problem =
            |what: String| wrong.push(format!("{}:{}: {what}", path.display(), example.line + 1));
        let is_excused = example.mark.is_some_and(|mark| mark.starts_with("not checked: "));
        if !example.is_checked() {
            if example.language == "yaml" && !is_excused {
                add_problem("the example has no mark; tests/support/examples.rs describes them".to_owned());
            }
            continue;
        }
        let found = findings_of(example, &all);
        if found != example.listed {
            add_problem(format!("found:\n\n```text\n{found}```\n"));
        }
        let is_serious =
            |line: &str| ["error", "warning", "breaking"].iter().any(|class| line.starts_with(class));
        if !example.is_wrong() && found.lines().any(is_serious) {
            add_problem("the example is marked as right".to_owned());
        }
        if example.is_wrong() && found.is_empty() {
            add_problem("the example is marked as wrong".to_owned());
        }
        if let Some(types) = example.option("generated from") {
            let types =
                all.iter().find(|other| other.option("named") == Some(types)).expect("Go types of that name");
            if !generated(types.text).contains(&indented(example.text)) {
                add_problem(format!("generated:\n{}", generated(types.text)));
            }
        }
    }
    wrong
}

fn generated(types: &str) -> String {
    let files = directory(&[("go.mod", MODULE.as_bytes()), ("v1/types.go", types.as_bytes())]);
    stdout(&run(files.path(), &["generate", "--stdout", "./v1"]))
}

fn indented(schema: &str) -> String {
    schema.lines().map(|line| format!("{:COLUMN_OF_SPEC$}{line}\n", "")).collect()
}

#[test]
fn examples_have_the_listed_findings() {
    let documents = documents();
    let wrong: Vec<String> = thread::scope(|scope| {
        let threads: Vec<_> = documents.iter().map(|path| scope.spawn(|| wrong(path))).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Readers of the guide see both.
#[test]
fn each_page_of_the_guide_has_examples_of_both_kinds() {
    for path in documents().iter().filter(|path| path.parent().unwrap().ends_with("guide")) {
        let markdown = fs::read_to_string(path).unwrap();
        let all = Example::all(&markdown);
        let wrong = all.iter().filter(|example| example.is_wrong()).count();
        let right = all.iter().filter(|example| example.is_checked()).count() - wrong;
        assert!(wrong > 0 && right > 0, "{}: {right} right, {wrong} wrong", path.display());
    }
}
