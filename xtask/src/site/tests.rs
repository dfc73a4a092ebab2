//! Tests of the pages before the generator runs.
#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use api::RULES;
use serde_json::Value;

use super::{index, navigation, pages, place};

/// Documents that are not on the site.
const FOR_CONTRIBUTORS: [&str; 6] =
    ["decisions.md", "new-release.md", "performance.md", "releases.md", "style.md", "testing.md"];

/// The lines of a page that are not in a block of code, fenced or indented.
fn prose(page: &str) -> impl Iterator<Item = &str> {
    let mut is_code = false;
    page.lines().filter(move |line| {
        let is_fence = line.starts_with("```");
        is_code ^= is_fence;
        !is_code && !is_fence && !line.starts_with("    ")
    })
}

/// The targets of the links of a page.
fn links(page: &str) -> impl Iterator<Item = &str> {
    prose(page).flat_map(|line| line.split("](").skip(1)).filter_map(|rest| Some(rest.split_once(')')?.0))
}

/// The anchors of a page, as the generator derives them from its headings.
fn anchors(page: &str) -> BTreeSet<String> {
    let headings = prose(page).filter_map(|line| line.strip_prefix('#'));
    headings.map(|heading| anchor(heading.trim_start_matches('#').trim())).collect()
}

fn anchor(heading: &str) -> String {
    let is_kept = |letter: &char| letter.is_ascii_alphanumeric() || " _-".contains(*letter);
    let kept: String = heading.to_lowercase().chars().filter(is_kept).collect();
    kept.split([' ', '-']).filter(|word| !word.is_empty()).collect::<Vec<_>>().join("-")
}

fn markdown_in(folder: &str) -> BTreeSet<String> {
    let files = fs::read_dir(place::repository().join(folder)).unwrap();
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name.ends_with(".md")).collect()
}

#[test]
fn the_index_has_each_rule_once() {
    let index = index();
    for rule in &RULES {
        let link = format!("| [{0}]({0}.md) |", rule.code);
        assert_eq!(index.matches(&link).count(), 1, "{}", rule.code);
    }
}

#[test]
fn each_document_is_on_the_site_or_for_contributors() {
    let mut all = markdown_in("docs");
    all.extend(markdown_in("docs/guide").iter().map(|name| format!("guide/{name}")));
    let named = navigation::documents().chain(FOR_CONTRIBUTORS).map(str::to_owned).collect();
    assert_eq!(all, named);
}

#[test]
fn the_navigation_has_each_page_once() {
    let settings = navigation::settings(true).unwrap();
    let nav = settings.lines().find(|line| line.starts_with("nav = ")).unwrap();
    for page in pages().unwrap().keys() {
        assert_eq!(nav.matches(&format!("{page:?}")).count(), 1, "{page}");
    }
    assert!(nav.contains("playground/index.html") && settings.contains("extra_javascript"));
    let without = navigation::settings(false).unwrap();
    assert!(!without.contains("playground/index.html") && !without.contains("extra_javascript"));
}

/// Diagnostics link to the pages (`Rule::url`).
#[test]
fn pages_of_rules_are_where_diagnostics_link_to() {
    let pages = pages().unwrap();
    for rule in &RULES {
        assert!(pages.contains_key(&format!("rules/{}.md", rule.code)), "{}", rule.code);
    }
    assert!(navigation::settings(false).unwrap().contains("\nuse_directory_urls = false\n"));
}

#[test]
fn links_lead_to_pages_and_headings() {
    let pages = pages().unwrap();
    let anchors: BTreeMap<&str, BTreeSet<String>> =
        pages.iter().map(|(path, page)| (path.as_str(), anchors(page))).collect();
    let mut wrong = Vec::new();
    for (path, page) in &pages {
        for link in links(page).filter(|link| !link.contains("://")) {
            let (target, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target =
                if target.is_empty() { path.clone() } else { super::links::resolve_link(path, target) };
            let picture = crate::place::repository().join("docs").join(&target);
            if target.starts_with(super::PICTURES) && picture.is_file() {
                continue;
            }
            let found = anchors.get(target.as_str());
            if !found.is_some_and(|anchors| anchor.is_empty() || anchors.contains(anchor)) {
                wrong.push(format!("{path}: {link}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Exceptions: proposals that are explained with parts of definitions, and YAML that is not for crd-ls.
#[test]
fn each_example_opens_in_the_playground() {
    for (path, page) in pages().unwrap() {
        let examples = page.matches("\n```yaml\n").count();
        let links = page.matches("\n<!-- playground ").count();
        let is_excused = ["ci.md", "testing-definitions.md", "experiments.md"].contains(&path.as_str());
        assert_eq!(links, if is_excused { 0 } else { examples }, "{path}");
    }
}

#[test]
fn examples_are_definitions_or_resources_for_the_playground() {
    let mut count = 0;
    for (path, page) in pages().unwrap() {
        assert!(!page.contains("<!-- example: "), "{path}");
        for line in page.lines() {
            let Some(comment) = line.strip_prefix("<!-- playground ") else { continue };
            let json = comment.strip_suffix(" -->").unwrap();
            assert!(!json.contains("--"), "{path}: the comment ends early");
            let shown: Value = serde_json::from_str(json).unwrap();
            let text = |name: &str| shown["texts"][name].as_str().unwrap().to_owned();
            let is_of_yaml = path.starts_with("rules/yaml/");
            assert!(is_of_yaml || !text("definition").is_empty() || !text("resource").is_empty(), "{path}");
            for name in ["definition", "old"] {
                let is_definition = text(name).contains("kind: CustomResourceDefinition");
                assert!(
                    is_of_yaml || text(name).is_empty() || is_definition,
                    "{path}: {name}:\n{}",
                    text(name)
                );
            }
            let code = path.strip_prefix("rules/").and_then(|path| path.strip_suffix(".md"));
            let rule = code.and_then(api::rule);
            let needs = rule.is_some_and(|rule| rule.is_optional || rule.experiment().is_some());
            assert_eq!(!shown["texts"]["settings"].is_null(), needs, "{path}");
            count += 1;
        }
    }
    assert!(count > 500, "only {count} examples");
}
