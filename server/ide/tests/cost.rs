//! Fixes of rules that are too expensive: `fixtures/fixes/cost`, each with the code and the title in its first line, and
//! definitions of the corpus whose bounds were taken away.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::path::{Path, PathBuf};

use ide::{File, Finding, Fix, Settings};
use text::TextRange;

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/fixes/cost")
}

fn applied(text: &str, fix: &Fix) -> String {
    let mut text = text.to_owned();
    fix.edits.iter().rev().for_each(|edit| text.replace_range(edit.range.as_usize(), &edit.new_text));
    text
}

fn of_code<'f>(file: &'f File, code: &str) -> Option<&'f Finding> {
    file.findings().iter().find(|finding| finding.code == code)
}

#[test]
fn each_fixture_is_repaired_as_it_says() {
    let updates = std::env::var_os("CRD_LS_UPDATE").is_some();
    let mut names: Vec<PathBuf> =
        std::fs::read_dir(fixtures()).unwrap().map(|entry| entry.unwrap().path()).collect();
    names.retain(|path| path.to_string_lossy().ends_with(".before.yaml"));
    names.sort();
    assert!(names.len() > 9);
    for path in names {
        let before = std::fs::read_to_string(&path).unwrap();
        let (head, text) = before.split_once('\n').unwrap();
        let (code, title) = head.trim_start_matches("# ").split_once(": ").unwrap();
        let file = File::new(text, &Settings::default());
        let finding = of_code(&file, code).unwrap_or_else(|| panic!("{code} of {}: {:#?}", path.display(), file.findings()));
        let at = TextRange::empty(finding.range.start);
        let fixes: Vec<Fix> = file
            .fixes(at)
            .into_iter()
            .filter(|fix| fix.repairs.contains(&(finding.code, finding.range)))
            .collect();
        let titles: Vec<&str> = fixes.iter().map(|fix| fix.title.as_str()).collect();
        println!("{}: {titles:#?}", path.display());
        let fix = fixes.iter().find(|fix| fix.title == title);
        let fix = fix.or_else(|| fixes.first().filter(|_| updates));
        let fix = fix.unwrap_or_else(|| panic!("{}: {titles:#?}", path.display()));
        let after = applied(text, fix);
        let left = File::new(&after, &Settings::default());
        assert!(of_code(&left, code).is_none(), "{}:\n{after}", path.display());
        let of_after = path.to_string_lossy().replace(".before.yaml", ".after.yaml");
        if updates {
            std::fs::write(&path, format!("# {code}: {}\n{text}", fix.title)).unwrap();
            std::fs::write(&of_after, &after).unwrap();
        }
        assert_eq!(after, std::fs::read_to_string(&of_after).unwrap(), "{}", path.display());
    }
}
