//! Each rule has a page, and each page's examples do what the page says.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

use std::collections::BTreeSet;
use std::path::Path;

use ide::{File, RULES, Settings};

/// The YAML block of a section.
fn example<'p>(page: &'p str, section: &str) -> Option<&'p str> {
    let (_, rest) = page.split_once(&format!("\n## {section}\n"))?;
    let rest = rest.split("\n## ").next()?;
    let (_, block) = rest.split_once("```yaml\n")?;
    Some(block.split("```").next().unwrap())
}

/// The example as a CRD: a schema becomes that of its only version.
fn definition(code: &str, example: &str) -> String {
    let head = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n";
    if example.starts_with("apiVersion:") {
        return example.to_owned();
    }
    if code == "yaml/alias" {
        // The example is a default, in which any fields may stand.
        let indented: String = example.lines().map(|line| format!("      {line}\n")).collect();
        let schema = format!(
            "type: object\nproperties:\n  a:\n    type: object\n    x-kubernetes-preserve-unknown-fields: true\n    default:\n{indented}"
        );
        return definition("", &schema);
    }
    let indented: String = example.lines().map(|line| format!("        {line}\n")).collect();
    format!(
        "{head}metadata:\n  name: widgets.example.com\nspec:\n  group: example.com\n  scope: Namespaced\n  names:\n    plural: widgets\n    \
         kind: Widget\n  versions:\n  - name: v1\n    served: true\n    storage: true\n    schema:\n      openAPIV3Schema:\n{indented}"
    )
}

fn codes(text: &str) -> BTreeSet<&'static str> {
    File::new(text, &Settings::default()).findings().iter().map(|finding| finding.code).collect()
}

#[test]
fn the_list_is_sorted_and_complete() {
    assert!(RULES.is_sorted_by(|one, other| one.code < other.code));
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/rules");
    let mut pages = BTreeSet::new();
    for group in std::fs::read_dir(&folder).unwrap().map(Result::unwrap).filter(|entry| entry.path().is_dir())
    {
        for page in std::fs::read_dir(group.path()).unwrap() {
            let name = page.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned();
            pages.insert(format!("{}/{name}", group.file_name().to_str().unwrap()));
        }
    }
    assert_eq!(pages, RULES.iter().map(|rule| rule.code.to_owned()).collect());
}

#[test]
fn every_page_has_its_form() {
    for rule in RULES {
        assert!(rule.page.starts_with(&format!("# {}\n", rule.code)), "{}", rule.code);
        assert!(rule.summary().ends_with('.'), "{}: {:?}", rule.code, rule.summary());
        for section in ["What it checks", "Why kube-apiserver refuses it", "Fix", "Source"] {
            assert!(rule.page.contains(&format!("\n## {section}\n\n")), "{}: {section}", rule.code);
        }
    }
}

/// What the server reports beside a rule in any case, as the page says.
const COMES_ALONG: [(&str, &str); 3] = [
    ("structural/junctor-list-map-keys", "schema/list-map-keys-type"),
    ("structural/junctor-list-type", "schema/list-type-array"),
    ("structural/junctor-map-type", "schema/map-type-object"),
];

#[test]
fn what_is_wrong_is_found_and_nothing_else() {
    for rule in RULES.iter().filter(|rule| !rule.code.starts_with("file/")) {
        let wrong = example(rule.page, "Wrong").unwrap_or_else(|| panic!("{}: no example", rule.code));
        let along = COMES_ALONG.iter().filter(|(code, _)| *code == rule.code).map(|(_, along)| *along);
        let expected: BTreeSet<&str> = along.chain([rule.code]).collect();
        assert_eq!(codes(&definition(rule.code, wrong)), expected, "{}", rule.code);
    }
}

#[test]
fn what_is_right_has_no_findings() {
    for rule in RULES.iter().filter(|rule| !rule.code.starts_with("file/")) {
        let right = example(rule.page, "Right").unwrap_or_else(|| panic!("{}: no example", rule.code));
        assert_eq!(codes(&definition(rule.code, right)), BTreeSet::new(), "{}", rule.code);
    }
}
