//! Each fix by name, for tests in editors: `fixtures/fixes/titles.tsv` has the place at which each is
//! offered.
//!
//! Its rows are `code of the finding, fixture, place in bytes, title`. The test searches the code for titles,
//! so a new fix needs a row, and with it a step in Neovim and in VS Code (`tests/editors.rs`,
//! `tests/vscode.rs`).
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, missing_docs)]

#[path = "../../../../tests/support/offers.rs"]
mod offers;
mod titles;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use ide::{Fix, FixKind};
use offers::{NamedFix, analysed, read};
use text::TextRange;
use titles::Title;

/// The folders in which titles are searched, the first choice first.
const FOLDERS: [&str; 11] = [
    "fixes/titles",
    "refactor",
    "migrate",
    "fixes/catalogue",
    "fixes",
    "fixes/cost",
    "fixes/suggested",
    "crd/structural",
    "crd/editor",
    "crd/cases",
    "documents",
];

fn files() -> Vec<String> {
    let files = FOLDERS.into_iter().flat_map(offers::files);
    files.filter(|name| !name.ends_with(".base.yaml")).collect()
}

/// The named fixes of one fixture.
fn named_fixes(file: &str) -> Vec<NamedFix> {
    let Some((text, cursor)) = read(file) else { return Vec::new() };
    let analysis = analysed(file, &text);
    let mut named = Vec::new();
    let row = |offset: u32, code: &str, title: String| NamedFix {
        file: file.to_owned(),
        offset,
        code: code.to_owned(),
        title,
    };
    for finding in analysis.findings() {
        let at = TextRange::empty(finding.range.start);
        let fixes = analysis.fixes(at);
        let own = fixes.iter().filter(|fix| fix.repairs.contains(&(finding.code, finding.range)));
        own.clone().for_each(assert_kind);
        let alone = own.filter(|fix| fixes.iter().filter(|other| other.title == fix.title).count() == 1);
        named.extend(alone.map(|fix| row(at.start, finding.code.as_str(), fix.title.clone())));
    }
    if let Some(cursor) = cursor {
        let known: BTreeSet<String> = named.iter().map(|row| row.title.clone()).collect();
        for (title, _) in offers::offers(&analysis, &text, cursor) {
            if !known.contains(&title) {
                named.push(row(cursor, offers::REFACTORING, title));
            }
        }
    }
    named
}

/// The kind of a fix, on which its order depends, agrees with its title.
fn assert_kind(fix: &Fix) {
    let kinds: &[FixKind] = match fix.title.split(' ').next().unwrap_or_default() {
        "Rename" => &[FixKind::Rename],
        "Remove" => &[FixKind::Removal, FixKind::RemovalOfForeignLines],
        "Declare" => &[FixKind::Declaration],
        _ => &[FixKind::Other, FixKind::WiderInteger],
    };
    assert!(kinds.contains(&fix.kind), "the title must be made by `Title::rename`, `removal` or …: {fix:?}");
}

/// The identity of a row: the title in the form of the code, and the code of the finding.
fn key(titles: &[Title], named: &NamedFix) -> (String, Title) {
    let title =
        Title::most_specific(titles, &named.title).unwrap_or_else(|| panic!("{named:?} is not in the code"));
    (named.code.clone(), title.clone())
}

/// `CRD_LS_UPDATE=1` writes the table again.
#[test]
fn the_table_has_each_fix_by_its_name() {
    let titles = titles::titles();
    let mut seen: BTreeMap<(String, Title), NamedFix> = BTreeMap::new();
    for named in files().iter().flat_map(|file| named_fixes(file)) {
        seen.entry(key(&titles, &named)).or_insert(named);
    }
    if environment::updates() {
        let line =
            |row: &NamedFix| format!("{}\t{}\t{}\t{}\n", row.code.as_str(), row.file, row.offset, row.title);
        fs::write(offers::fixtures().join("fixes/titles.tsv"), seen.values().map(line).collect::<String>())
            .unwrap();
    }
    let rows: BTreeSet<(String, Title)> = offers::table().iter().map(|row| key(&titles, row)).collect();
    let missing: Vec<_> = seen.iter().filter(|(key, _)| !rows.contains(key)).collect();
    assert!(missing.is_empty(), "fixtures show what the table has not: {missing:#?}");
    let named: BTreeSet<&Title> = rows.iter().map(|(_, title)| title).collect();
    let missing: Vec<_> = titles.iter().filter(|title| !named.contains(title)).collect();
    assert!(missing.is_empty(), "no fixture shows these; write one in fixtures/fixes/titles: {missing:#?}");
    println!("{} titles in the code, {} rows", titles.len(), rows.len());
}

/// An editor can distinguish it from the other offers at its place.
#[test]
fn each_row_is_offered_once() {
    for row in offers::table() {
        let (text, _) = read(&row.file).unwrap();
        let offered = offers::offers(&analysed(&row.file, &text), &text, row.offset);
        assert_eq!(offered.iter().filter(|(title, _)| *title == row.title).count(), 1, "{row:?}");
    }
}
