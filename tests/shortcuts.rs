//! Shortcuts do not change results: the output of the program is the same when all of them are disabled.
//!
//! An edit within one entry is not among these runs: `server/yaml/src/parser` compares trees after edits with trees of the
//! text.
#![allow(clippy::unwrap_used, clippy::panic)]

#[path = "support/beside.rs"]
mod beside;

use std::fs;
use std::path::Path;
use std::process::Command;

use text::Shortcut;

/// The output of the program for all files in `folder`, with the shortcuts in `without` disabled.
fn report_of(folder: &Path, output: &str, without: &str) -> String {
    let checked = Command::new(env!("CARGO_BIN_EXE_crd-ls"))
        .args(["check", ".", "--output", output])
        .env("CRD_LS_WITHOUT", without)
        .current_dir(folder)
        .output()
        .unwrap();
    String::from_utf8(checked.stdout).unwrap()
}

/// The text after the first difference.
fn difference(with: &str, without: &str) -> Option<String> {
    let same = with.bytes().zip(without.bytes()).take_while(|(with, without)| with == without).count();
    let rest =
        |text: &str| String::from_utf8_lossy(&text.as_bytes()[same..]).chars().take(300).collect::<String>();
    (with != without).then(|| format!("  with {}\n  without {}", rest(with), rest(without)))
}

fn compare(folder: &Path, output: &str) {
    let with = report_of(folder, output, "");
    assert!(with.len() > 100_000, "{} bytes are nothing to compare", with.len());
    let each = environment::takes_all().then(|| Shortcut::ALL.map(Shortcut::name));
    for without in ["all"].into_iter().chain(each.into_iter().flatten()) {
        if let Some(difference) = difference(&with, &report_of(folder, output, without)) {
            panic!("the answers of {output} differ without the shortcut `{without}`:\n{difference}");
        }
    }
}

#[test]
fn reports_on_fixtures_are_independent_of_shortcuts() {
    let folder = tempfile::tempdir().unwrap();
    let texts = suites::texts_below(&suites::fixtures()).unwrap();
    assert!(texts.len() > 2_000, "{} texts", texts.len());
    for (number, (path, text)) in texts.iter().enumerate() {
        // Separate folders by topic, because definitions of one topic often have the same kind.
        let topic = folder.path().join((number / 50).to_string());
        fs::create_dir_all(&topic).unwrap();
        let ending = path.extension().map_or("yaml", |ending| ending.to_str().unwrap());
        fs::write(topic.join(format!("{number}.{ending}")), text).unwrap();
    }
    compare(folder.path(), "github");
}

#[test]
fn reports_on_real_definitions_are_independent_of_shortcuts() {
    let Some(corpus) = beside::shared("corpus", "real definitions are not compared") else { return };
    compare(&corpus, "github");
    compare(&corpus, "json");
}
