//! Each rule has a page, and each page's examples do what the page says.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use ide::{File, RULES, Settings, Severity};

/// The example as a CRD: a schema becomes that of its only version.
fn definition(code: &str, example: &str) -> String {
    let head = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n";
    if example.starts_with("apiVersion:") {
        return example.to_owned();
    }
    if code == "yaml/alias" {
        return format!("{example}\n{head}spec: {{group: example.com, names: {{}}, versions: []}}\n");
    }
    let indented: String = example.lines().map(|line| format!("        {line}\n")).collect();
    format!(
        "{head}metadata:\n  name: widgets.example.com\nspec:\n  group: example.com\n  scope: Namespaced\n  names:\n    plural: widgets\n    \
         kind: Widget\n  versions:\n  - name: v1\n    served: true\n    storage: true\n    schema:\n      openAPIV3Schema:\n{indented}"
    )
}

/// The codes and severities of what is found.
fn findings(text: &str) -> BTreeSet<(&'static str, Severity)> {
    let file = File::new(text, &Settings::default());
    file.findings().iter().map(|finding| (finding.code, finding.severity)).collect()
}

/// What tells that a page is written by a program.
const MARK: &str = "<!-- Written from server/ide/src/rules by `CRD_LS_UPDATE=1 cargo test -p crd-ls-ide --test pages`. -->\n";

#[test]
fn codes_are_there_once() {
    assert!(RULES.is_sorted_by(|one, other| one.code < other.code));
}

#[test]
fn the_pages_are_those_of_the_table() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/rules");
    let pages: BTreeMap<PathBuf, String> = RULES
        .iter()
        .map(|rule| (folder.join(format!("{}.md", rule.code)), format!("{MARK}{}", rule.page())))
        .collect();
    if std::env::var_os("CRD_LS_UPDATE").is_some() {
        // Whatever is left of rules that are gone goes with the folder.
        fs::remove_dir_all(&folder).unwrap();
        for (path, page) in &pages {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, page).unwrap();
        }
    }
    let groups = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
    let there = groups.flat_map(|group| fs::read_dir(group).unwrap()).map(|entry| entry.unwrap().path());
    let there: BTreeMap<PathBuf, String> =
        there.map(|path| (path.clone(), fs::read_to_string(path).unwrap())).collect();
    let update = "CRD_LS_UPDATE=1 cargo test -p crd-ls-ide --test pages";
    assert_eq!(there.keys().collect::<Vec<_>>(), pages.keys().collect::<Vec<_>>(), "{update}");
    for (path, page) in &pages {
        assert_eq!(&there[path], page, "{}: {update}", path.display());
    }
}

#[test]
fn every_rule_says_what_there_is_to_say() {
    for rule in RULES.iter() {
        assert!(rule.title.ends_with('.') && !rule.title.contains('\n'), "{}: {:?}", rule.code, rule.title);
        for text in [rule.checks, rule.why, rule.fix, rule.source] {
            assert!(!text.is_empty(), "{}", rule.code);
        }
    }
}

#[test]
fn what_is_wrong_is_found_and_nothing_else() {
    for rule in RULES.iter().filter(|rule| !rule.code.starts_with("file/")) {
        assert!(!rule.wrong.is_empty(), "{}: no example", rule.code);
        let found = findings(&definition(rule.code, rule.wrong));
        let expected = BTreeSet::from([(rule.code, rule.severity)]);
        assert_eq!(found, expected, "{}", rule.code);
    }
}

#[test]
fn what_is_right_has_no_findings() {
    for rule in RULES.iter().filter(|rule| !rule.code.starts_with("file/")) {
        assert!(!rule.right.is_empty(), "{}: no example", rule.code);
        assert_eq!(findings(&definition(rule.code, rule.right)), BTreeSet::new(), "{}", rule.code);
    }
}
