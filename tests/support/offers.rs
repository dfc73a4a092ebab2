//! Each fix and refactoring by its name: the table `fixtures/fixes/titles.tsv`, and the results of the library for its rows.

// Each test program uses a part of it.
#![allow(dead_code)]

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use ide::compat::Base;
use ide::{Catalog, Definitions, Experiments, File, Level, RULES, Settings, StoredObjects, Surroundings};
use text::{TextEdit, TextRange};

/// The code of actions that repair no finding.
pub(crate) const REFACTORING: &str = "refactoring";
/// The mark of the cursor in a fixture.
const CURSOR: char = '‸';

/// A fix by its name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct NamedFix {
    /// A file below `fixtures`.
    pub(crate) file: String,
    /// The offset in bytes at which it is requested.
    pub(crate) offset: u32,
    /// The code of the finding that it repairs, or the kind of a refactoring.
    pub(crate) code: String,
    pub(crate) title: String,
}

pub(crate) fn fixtures() -> PathBuf {
    suites::fixtures()
}

/// The texts in a folder of the fixtures, as [`read`] takes them, in order.
pub(crate) fn files(folder: &str) -> Vec<String> {
    let texts = suites::texts(&fixtures().join(folder)).unwrap();
    let name = |path: PathBuf| format!("{folder}/{}", path.file_name().unwrap().to_str().unwrap());
    texts.into_iter().map(|(path, _)| name(path)).collect()
}

/// The rows of the table.
pub(crate) fn table() -> Vec<NamedFix> {
    let text = fs::read_to_string(fixtures().join("fixes/titles.tsv")).unwrap();
    let row = |line: &str| {
        let mut cells = line.split('\t').map(str::to_owned);
        let mut next = || cells.next().unwrap();
        let (code, file, offset, title) = (next(), next(), next(), next());
        NamedFix { file, offset: offset.parse().unwrap(), code, title }
    };
    text.lines().map(row).collect()
}

/// The text of a fixture, and the place of its cursor; `None` if the fixture is not UTF-8.
pub(crate) fn read(file: &str) -> Option<(String, Option<u32>)> {
    let text = suites::read(&fixtures().join(file)).ok()?;
    let cursor = text.find(CURSOR).map(|at| at as u32);
    Some((text.replace(CURSOR, ""), cursor))
}

/// The text of a fixture in the earlier revision, if a file beside it has that text.
pub(crate) fn earlier_text(file: &str) -> Option<String> {
    suites::read(&fixtures().join(file.replace(".yaml", ".base.yaml"))).ok()
}

/// Settings in which all optional rules are on, and rival definitions of a kind are ignored.
pub(crate) fn settings() -> Settings {
    let mut settings = Settings::default();
    for rule in RULES.iter().filter(|rule| rule.is_optional) {
        settings.rules.set(rule.code.as_str(), Level::As(rule.severity)).unwrap();
    }
    settings.rules.set("resource/rival-definitions", Level::Off).unwrap();
    settings.experiments = Experiments { feature_gates: true, unions: true };
    settings
}

/// The same settings as a file `.crd-ls.toml`.
pub(crate) fn settings_file() -> String {
    let optional = RULES.iter().filter(|rule| rule.is_optional);
    let levels: String = optional
        .map(|rule| format!("\"{}\" = \"{}\"\n", rule.code, format!("{:?}", rule.severity).to_lowercase()))
        .collect();
    format!(
        "compat.base = \"HEAD\"\n[rules]\n\"resource/rival-definitions\" = \"off\"\n{levels}[experimental]\nfeatureGates = true\nunions = true\n"
    )
}

/// The analysis of the fixture `file` with the definitions in its own text.
pub(crate) fn analysed(file: &str, text: &str) -> File {
    let source: Arc<str> = "a.yaml".into();
    let definitions = Definitions::read(&source, text, Definitions::load_kept(text));
    let catalog = Catalog::default().with([(Arc::clone(&source), definitions)]);
    let base = earlier_text(file).map(|text| Base::new(StoredObjects::at_revision(&text, "HEAD"), false));
    File::with_surroundings(
        text,
        &settings(),
        Surroundings { catalog, source, base, ..Surroundings::default() },
    )
}

pub(crate) fn applied(text: &str, edits: &[TextEdit]) -> String {
    let mut text = text.to_owned();
    for edit in edits.iter().rev() {
        text.replace_range(edit.range.as_usize(), &edit.new_text);
    }
    text
}

/// The actions for the cursor at `offset`: their titles, and the text after each.
pub(crate) fn offers(file: &File, text: &str, offset: u32) -> Vec<(String, String)> {
    let range = TextRange::empty(offset);
    let fixes =
        file.fixes(range).into_iter().chain(file.format_rule(offset)).chain(file.write_defaults(range));
    let fixes = fixes.map(|fix| (fix.title, fix.edits));
    let refactorings = file.refactorings(range).into_iter().map(|offer| (offer.title, offer.edits));
    fixes.chain(refactorings).map(|(title, edits)| (title, applied(text, &edits))).collect()
}
