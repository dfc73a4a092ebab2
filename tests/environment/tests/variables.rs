//! Variables of tests are read in one place and described in one table.
#![allow(clippy::unwrap_used, missing_docs)]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use regex::Regex;

/// The variables that users set, with the files that read them.
const OF_THE_PROGRAM: [(&str, &str); 4] = [
    ("CRD_LS_LOG", "server/lsp/src/log.rs"),
    // Read when the program is built.
    ("CRD_LS_SITE", "server/api/src/rule.rs"),
    // Read only by a program with debug assertions, which tests run.
    ("CRD_LS_WITHOUT", "server/text/src/shortcut.rs"),
    ("NO_COLOR", "server/lsp/src/output/mod.rs"),
];
/// The variables that users of the template for GitLab set; the template passes them on as arguments.
const OF_GITLAB: [&str; 3] = ["CRD_LS_ARGUMENTS", "CRD_LS_PATHS", "CRD_LS_VERSION"];
/// The variables that systems and build tools set, which may be read anywhere.
const OF_OTHERS: [&str; 11] = [
    "CARGO_TARGET_DIR",
    "CHROME_PATH",
    "GOMODCACHE",
    "GOPATH",
    "GOROOT",
    "GOWORK",
    "HOME",
    "LD_LIBRARY_PATH",
    "OUT_DIR",
    "PATH",
    "USERPROFILE",
];
/// The folder whose code and tests name all variables.
const OURS: &str = "tests/environment";
/// The changelog, which names earlier variables.
const HISTORY: &str = "CHANGELOG.md";

fn repository() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// The files whose names have one of the endings, with their texts, except built and installed files.
fn texts(endings: &[&str]) -> Vec<(String, String)> {
    let mut texts = Vec::new();
    let mut folders = vec![repository().to_owned()];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder).unwrap();
        for path in entries.map(|entry| entry.unwrap().path()) {
            let name = path.file_name().unwrap().to_str().unwrap();
            if path.is_dir() {
                let is_ours =
                    !matches!(name, "target" | "node_modules" | ".git" | "corpus" | "artifacts" | "dist");
                folders.extend(is_ours.then(|| path.clone()));
            } else if endings.iter().any(|ending| name.ends_with(ending)) {
                texts.push((relative(&path), fs::read_to_string(&path).unwrap()));
            }
        }
    }
    texts.sort();
    texts
}

fn relative(path: &Path) -> String {
    path.strip_prefix(repository()).unwrap().to_str().unwrap().replace('\\', "/")
}

#[test]
fn each_variable_in_the_repository_is_read() {
    let name = Regex::new(r"\bCRD_LS_[A-Z][A-Z_]*[A-Z]\b").unwrap();
    let texts =
        texts(&[".rs", ".mjs", ".ts", ".sh", ".py", ".go", ".md", ".yml", ".toml", ".json", ".el", ".lua"]);
    let scripts = [".ci/clone", ".ci/run", ".ci/release"]
        .map(|path| (path.to_owned(), fs::read_to_string(repository().join(path)).unwrap()));
    let texts = texts.iter().filter(|(path, _)| path != HISTORY && !path.starts_with(OURS));
    let (mut seen, mut unknown) = (BTreeSet::new(), BTreeSet::new());
    for (path, text) in texts.chain(&scripts) {
        for name in name.find_iter(text).map(|found| found.as_str()) {
            let is_known = environment::VARIABLES.contains(&name)
                || OF_GITLAB.contains(&name)
                || OF_THE_PROGRAM.iter().any(|(of_program, _)| *of_program == name);
            if !is_known {
                unknown.insert((path, name));
            }
            seen.insert(name);
        }
    }
    assert!(unknown.is_empty(), "nothing reads these: {unknown:#?}");
    assert!(seen.len() > environment::VARIABLES.len() / 2, "{seen:?}");
}

#[test]
fn variables_are_read_in_one_place() {
    let read =
        Regex::new(r#"\bvar(?:_os)?\(\s*([^)]*?)\s*\)|\bprocess\.env\.(\w+)|\bprocess\.env\[([^\]]*)\]"#)
            .unwrap();
    let mut readers = 0;
    for (path, text) in texts(&[".rs", ".mjs", ".ts"]) {
        // An import of `env::var` under another name still names `std::env`.
        if path.ends_with(".rs") && !text.contains("env::") && !text.contains("use std::env") {
            continue;
        }
        if path.starts_with(OURS) {
            continue;
        }
        for found in read.captures_iter(&text) {
            let name = [1, 2, 3].iter().find_map(|group| found.get(*group)).unwrap();
            let name = name.as_str().trim_matches(['"', '\'']);
            let is_of_program = OF_THE_PROGRAM
                .iter()
                .any(|(variable, reader)| *reader == path && (*variable == name || name == "VARIABLE"));
            assert!(
                is_of_program || OF_OTHERS.contains(&name),
                "{path}: `{}` is read outside of {OURS}",
                &found[0]
            );
            readers += 1;
        }
    }
    assert!(readers >= 5, "only {readers} places were found");
}

#[test]
fn each_variable_has_one_row_in_the_table() {
    let rows = |page: &str| -> Vec<String> {
        let text = fs::read_to_string(repository().join(page)).unwrap();
        let table = text.split_once("\n## Environment variables\n").unwrap().1;
        let table = table.split("\n## ").next().unwrap();
        let names = table.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next());
        let mut names: Vec<String> = names.map(str::to_owned).collect();
        names.sort();
        names
    };
    assert_eq!(rows("docs/testing.md"), environment::VARIABLES);
    assert_eq!(rows("docs/editors.md"), OF_THE_PROGRAM.map(|(name, _)| name));
}
