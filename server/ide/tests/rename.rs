//! Renames properties of real definitions and back again.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

#[path = "../../../tests/support/beside.rs"]
mod beside;

use std::collections::BTreeMap;
use std::path::Path;

use ide::{File, Settings};
use text::TextEdit;

/// The number of renamed properties per file; those that rules name come first.
const PER_FILE: usize = 4;
/// The largest file that is tested, in bytes.
const LARGEST: usize = 400_000;

#[test]
fn a_name_and_back_again_is_the_same_text() {
    let Some(corpus) = beside::shared("corpus", "skipped") else { return };
    let (mut renamed, mut in_rules) = (0, 0);
    let mut refused: BTreeMap<String, usize> = BTreeMap::new();
    for path in yaml_files(&corpus) {
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        if text.len() > LARGEST || !text.contains("kind: CustomResourceDefinition") {
            continue;
        }
        let file = File::new(&text, &Settings::default());
        for offset in properties(&text, &file) {
            match there_and_back(&text, &file, offset) {
                Ok(names_rule) => {
                    renamed += 1;
                    in_rules += usize::from(names_rule);
                }
                Err(reason) => *refused.entry(reason).or_default() += 1,
            }
        }
    }
    println!(
        "{renamed} properties renamed and back, {in_rules} of them named by rules; refused: {refused:#?}"
    );
    assert!(renamed > 100 && in_rules > 10);
}

/// The positions of declared properties that can be renamed.
fn properties(text: &str, file: &File) -> Vec<u32> {
    let mut found = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let name = line.trim_start().trim_end().trim_end_matches(':');
        let at = start + line.len() - line.trim_start().len();
        start += line.len();
        if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            continue;
        }
        let offset = u32::try_from(at).unwrap();
        let rank = usize::from(!text.contains(&format!("self.{name}")));
        found.push((rank, found.len() % 97, offset));
    }
    found.sort_unstable();
    let is_property = |offset: &u32| file.rename_target(*offset).is_ok();
    found.into_iter().map(|(_, _, offset)| offset).take(200).filter(is_property).take(PER_FILE).collect()
}

/// Whether rules name it; otherwise the reason why it cannot be renamed.
fn there_and_back(text: &str, file: &File, offset: u32) -> Result<bool, String> {
    let old = file.rename_target(offset)?.name;
    let without_name = |reason: String| reason.replace(&old, "…");
    let edits =
        file.renamed(&file.rename(offset, "another-name").map_err(without_name)?).map_err(without_name)?;
    let names_rule = edits.iter().any(|edit| edit.new_text == "another__dash__name");
    let after = applied(text, &edits);
    let shift: i64 = edits.iter().filter(|edit| edit.range.end <= offset).map(growth).sum();
    let offset = u32::try_from(i64::from(offset) + shift).unwrap();
    let again = File::new(&after, file.settings());
    assert_eq!(again.rename_target(offset).unwrap().name, "another-name");
    let back = again.renamed(&again.rename(offset, &old).unwrap()).unwrap();
    assert_eq!(applied(&after, &back), text, "{old}");
    Ok(names_rule)
}

fn growth(edit: &TextEdit) -> i64 {
    i64::try_from(edit.new_text.len()).unwrap() - i64::from(edit.range.end - edit.range.start)
}

fn applied(text: &str, edits: &[TextEdit]) -> String {
    let mut text = text.to_owned();
    for edit in edits.iter().rev() {
        text.replace_range(edit.range.as_usize(), &edit.new_text);
    }
    text
}

fn yaml_files(directory: &Path) -> Vec<std::path::PathBuf> {
    let mut files = Vec::new();
    let mut pending = vec![directory.to_owned()];
    while let Some(directory) = pending.pop() {
        for entry in std::fs::read_dir(directory).unwrap().flatten() {
            let path = entry.path();
            if entry.file_type().unwrap().is_dir() {
                pending.push(path);
            } else if path.extension().is_some_and(|extension| extension == "yaml") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}
