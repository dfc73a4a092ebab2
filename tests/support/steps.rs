//! The table of fixes by their names as steps in an editor.

use std::fs;
use std::path::{Path, PathBuf};

use git2::Repository;

use crate::offers::{NamedFix, REFACTORING, analysed, earlier_text, offers, read, settings_file};
use crate::repository::commit_all;

/// A row of the table as a step of a test in an editor.
pub(crate) struct Step {
    pub(crate) named: NamedFix,
    /// The path of the file below the folder of the test.
    pub(crate) path: PathBuf,
    /// The text of the file after the step.
    pub(crate) after: String,
}

/// Writes the file of each of `chosen`, rows of the table, to a separate folder below `work`. `work` is a repository with the
/// earlier texts, the settings, and `steps.json`, which describes the steps: `file`, `line` and `title`, `byte` and `unit`
/// (UTF-16) of the line, all from 0, and `finding`, whether there is one.
pub(crate) fn write_steps(work: &Path, chosen: Vec<NamedFix>) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut entries = Vec::new();
    let mut texts = Vec::new();
    for (index, named) in chosen.into_iter().enumerate() {
        let (text, _) = read(&named.file).unwrap();
        let name = Path::new(&named.file).file_name().unwrap();
        let path = Path::new(&index.to_string()).join(name);
        fs::create_dir(work.join(index.to_string())).unwrap();
        if let Some(before) = earlier_text(&named.file) {
            fs::write(work.join(&path), before).unwrap();
        }
        texts.push((work.join(&path), text.clone()));
        let offered = offers(&analysed(&named.file, &text), &text, named.offset);
        let after = offered.into_iter().find(|(title, _)| *title == named.title);
        let (_, after) = after.unwrap_or_else(|| panic!("{named:?} is not offered"));
        let before = &text[..named.offset as usize];
        let line = before.rsplit('\n').next().unwrap();
        entries.push(serde_json::json!({
            "file": path,
            "title": named.title,
            "line": before.matches('\n').count(),
            "byte": line.len(),
            "unit": line.encode_utf16().count(),
            "finding": named.code != REFACTORING,
        }));
        steps.push(Step { named, path, after });
    }
    commit_all(&Repository::init(work).unwrap());
    texts.into_iter().for_each(|(path, text)| fs::write(path, text).unwrap());
    fs::write(work.join(".crd-ls.toml"), settings_file()).unwrap();
    fs::write(work.join("steps.json"), serde_json::to_vec(&entries).unwrap()).unwrap();
    steps
}

/// Compares the files that an editor wrote below `work` with the expected ones.
pub(crate) fn assert_written(editor: &str, work: &Path, steps: &[Step]) {
    let mut wrong = String::new();
    for Step { named, path, after } in steps {
        let written = fs::read_to_string(work.join(path)).unwrap();
        if written != *after {
            wrong.push_str(&format!("{named:?}:\n{written}\ninstead of\n{after}\n"));
        }
    }
    assert!(wrong.is_empty(), "{editor} wrote another text: {wrong}");
}
