//! Definitions in JSON stay JSON after all actions: fixes, migrations, refactorings.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, missing_docs)]

#[path = "../../../tests/support/offers.rs"]
mod offers;

use ide::UnknownFields;
use offers::{analysed, applied, read};
use serde_json::Value;
use text::TextRange;

/// The documents of the fixtures in a folder, as JSON on one line and on several lines.
fn documents(folder: &str) -> Vec<(String, String)> {
    let mut documents = Vec::new();
    for file in offers::files(folder) {
        let Some((text, _)) = read(&file) else { continue };
        let tree = yaml::Tree::parse(&text);
        let decoded = tree.documents().filter_map(|document| yaml::decode(document).ok());
        for json in decoded.map(|decoded| decoded.json.to_string()) {
            let data: Value = serde_json::from_str(&json).unwrap();
            documents.push((file.clone(), serde_json::to_string_pretty(&data).unwrap()));
            documents.push((file.clone(), json));
        }
    }
    documents
}

fn assert_json(what: &str, text: &str) {
    if let Err(error) = serde_json::from_str::<Value>(text) {
        panic!("{what}: {error} in {text}");
    }
}

#[test]
fn fixes_of_json_are_json() {
    let folders = [
        "fixes/titles",
        "fixes/catalogue",
        "fixes",
        "fixes/suggested",
        "migrate",
        "crd/structural",
        "crd/editor",
    ];
    let (mut fixes, mut migrations) = (0, 0);
    for (file, text) in folders.into_iter().flat_map(documents) {
        let whole = TextRange::new(0, text.len() as u32);
        let analysis = analysed(&file, &text);
        for fix in analysis.fixes(whole) {
            assert_json(&format!("{file}: {}", fix.title), &applied(&text, &fix.edits));
            fixes += 1;
        }
        assert_json(&format!("{file}: fix all"), &applied(&text, &analysis.fix_all()));
        for unknown in [UnknownFields::Keep, UnknownFields::Drop] {
            for migration in analysis.migrations(whole, unknown).into_iter().flatten() {
                assert_json(&format!("{file}: migration"), &applied(&text, &migration.edits));
                migrations += 1;
            }
        }
    }
    println!("{fixes} fixes, {migrations} migrations");
    assert!(fixes > 1000 && migrations > 20, "{fixes} fixes, {migrations} migrations");
}

#[test]
fn refactorings_of_json_are_json() {
    let mut titles = std::collections::BTreeSet::new();
    for (file, text) in documents("refactor") {
        let analysis = analysed(&file, &text);
        let keys = text.match_indices('"').step_by(2).map(|(at, _)| at as u32 + 1);
        for at in keys.collect::<Vec<_>>() {
            for offer in analysis.refactorings(TextRange::empty(at)) {
                assert_json(&format!("{file}: {}", offer.title), &applied(&text, &offer.edits));
                titles.insert(offer.title);
            }
        }
    }
    println!("{titles:#?}");
    assert!(titles.len() > 10, "{titles:#?}");
    assert!(!titles.iter().any(|title| title.contains("anchor")), "JSON has none");
}
