//! Planted mistakes in definitions, and the results of fix-all.
//!
//! The definitions are those of the corpus, or of the fixtures if there is no corpus. With `CRD_LS_ORACLE`
//! (the program in `tests/oracle`), the API server's code checks whether it accepts each text in which we
//! find no error. `CRD_LS_CASES` and `CRD_LS_SEED` select the cases.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, missing_docs)]

#[path = "../../../../tests/support/beside.rs"]
mod beside;

#[path = "../../../../tests/support/edits.rs"]
#[allow(dead_code)]
mod edits;
#[path = "../support/fix_all.rs"]
mod fix_all;
mod grounds;
#[path = "../../../crd/tests/mutations/kinds.rs"]
mod kinds;
mod more;
mod pairs;
mod plant;
mod rules;
mod several;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use edits::Random;
use fix_all::{applied, fixed};
use ide::{Applicability, File, Settings, Severity};
use kinds::KINDS;
use serde_json::Value as Json;

/// The kinds whose only right repair is the definition before the mistake, which follows from the rest of the
/// definition. Of the others, some leave a choice (which group, which bound, which of two types), some lose
/// information (a removed pattern or list type), and some are rejected for more than one reason.
const ONE_ANSWER: [&str; 24] = [
    "$schema",
    "no kind",
    "list of items",
    "name of another group",
    "name in capitals",
    "no name",
    "namespace",
    "no group",
    "group without dot",
    "group in capitals",
    "scope in lower case",
    "no plural",
    "plural in capitals",
    "version twice",
    "additionalItems",
    "definitions",
    "root type array",
    "no root type",
    "nullable root",
    "constrained metadata",
    "metadata of another type",
    "id",
    "closed object",
    "preserve false",
];

struct Definition {
    name: String,
    text: String,
    data: Json,
}

/// The results of the cases of one kind.
#[derive(Default)]
struct Row {
    cases: usize,
    /// Cases with an error of the server.
    wrong: usize,
    /// Cases that fix-all changed.
    changed: usize,
    /// Cases without errors after fix-all.
    clean: usize,
    /// Cases that the oracle accepts.
    accepted: usize,
    /// Cases with a safe fix for each error.
    safe: usize,
    /// Of these, the cases without errors after fix-all.
    safe_clean: usize,
    /// Cases with the data of the definition before the mistake.
    equal: usize,
    /// Cases without errors after the first suggestion for each error that fix-all leaves.
    suggested: usize,
    /// Of these, the cases that the oracle accepts.
    suggested_accepted: usize,
}

#[test]
fn planted_mistakes_are_repaired() {
    let corpus = corpus();
    let is_corpus = corpus.is_some();
    let definitions = corpus.unwrap_or_else(fixtures);
    let wanted = environment::made_up(400);
    let mut random = Random(environment::seed(1));
    let mut rows: BTreeMap<&str, Row> = BTreeMap::new();
    let mut oracle = Oracle::new();
    let mut done = 0;
    let kinds = KINDS.iter().chain(more::KINDS);
    for (kind, plant) in kinds.cycle().take(wanted * 20) {
        if done == wanted {
            break;
        }
        let definition = &definitions[random.below(definitions.len())];
        let mut data = definition.data.clone();
        if plant(&mut data, &mut random).is_none() {
            continue;
        }
        let tree = yaml::Tree::parse(&definition.text);
        let document = tree.documents().next().unwrap();
        let Some(edits) = plant::edits(document, &definition.data, &data) else { continue };
        let planted = applied(&definition.text, &edits);
        if data_of(&planted).as_ref() != Some(&data) {
            continue;
        }
        done += 1;
        let row = rows.entry(kind).or_default();
        row.cases += 1;
        let before = errors(&planted);
        if before.is_empty() {
            continue;
        }
        row.wrong += 1;
        let is_safe = has_safe_fixes(&planted);
        row.safe += usize::from(is_safe);
        let fixed = fixed(&planted);
        row.changed += usize::from(fixed != planted);
        let place = format!("{kind} in {}", definition.name);
        let after = errors(&fixed);
        // A removed item changes the paths of later items.
        for (error, count) in counts(&after) {
            let known = counts(&before).get(&error).copied().unwrap_or(0);
            assert!(count <= known, "{place}: fix-all brings {error:?}");
        }
        let comments = comments(&fixed);
        for (comment, count) in self::comments(&planted) {
            assert!(
                comments.get(&comment).is_some_and(|left| *left >= count),
                "{place}: fix-all loses {comment}"
            );
        }
        let is_equal = data_of(&fixed).as_ref() == Some(&definition.data);
        row.equal += usize::from(is_equal);
        if after.is_empty() {
            row.clean += 1;
            row.safe_clean += usize::from(is_safe);
            oracle.push(kind, true, place, fixed);
            continue;
        }
        let followed = followed(fixed);
        if errors(&followed).is_empty() {
            row.suggested += 1;
            oracle.push(kind, false, place, followed);
        }
    }
    assert_eq!(done, wanted, "mistakes could not be planted");
    for (kind, is_safe) in oracle.accepted() {
        let row = rows.get_mut(kind).unwrap();
        *(if is_safe { &mut row.accepted } else { &mut row.suggested_accepted }) += 1;
    }
    report(&rows, is_corpus);
}

fn report(rows: &BTreeMap<&str, Row>, is_corpus: bool) {
    println!("kind | cases | wrong | changed | safe | clean | accepted | equal | suggested | accepted");
    for (kind, row) in rows {
        let Row {
            cases,
            wrong,
            changed,
            safe,
            safe_clean: _,
            clean,
            accepted,
            equal,
            suggested,
            suggested_accepted,
        } = row;
        println!(
            "{kind} | {cases} | {wrong} | {changed} | {safe} | {clean} | {accepted} | {equal} | {suggested} | {suggested_accepted}"
        );
    }
    let sum = |of: fn(&Row) -> usize, wanted: &dyn Fn(&str) -> bool| -> usize {
        rows.iter().filter(|(kind, _)| wanted(kind)).map(|(_, row)| of(row)).sum()
    };
    let all = |_: &str| true;
    let one = |kind: &str| ONE_ANSWER.contains(&kind) || more::ONE_ANSWER.contains(&kind);
    let (wrong, clean) = (sum(|row| row.wrong, &all), sum(|row| row.clean, &all));
    println!(
        "{} kinds, {wrong} with errors, {clean} clean by fix-all, {} accepted",
        rows.len(),
        sum(|row| row.accepted, &all)
    );
    let (safe, repaired) = (sum(|row| row.safe, &all), sum(|row| row.safe_clean, &all));
    println!("a safe fix for each error: {safe}, of which {repaired} clean by fix-all");
    assert!(repaired * 100 >= safe * 98, "{repaired} of {safe}");
    let (suggested, accepted) = (sum(|row| row.suggested, &all), sum(|row| row.suggested_accepted, &all));
    println!("by the first suggestions: {suggested} more clean, {accepted} accepted");
    let (wrong, equal) = (sum(|row| row.wrong, &one), sum(|row| row.equal, &one));
    println!("one right answer: {wrong} with errors, {} clean, {equal} equal", sum(|row| row.clean, &one));
    // Fixtures are intentionally unusual: they may contain the same mistake already, in another context.
    let least = if is_corpus { 95 } else { 85 };
    assert!(equal * 100 >= wrong * least, "{equal} of {wrong}");
}

/// Whether a safe fix is offered for each error.
fn has_safe_fixes(text: &str) -> bool {
    let file = File::new(text, &Settings::default());
    let mut wrong = file.findings().iter().filter(|finding| finding.severity == Severity::Error);
    wrong.all(|finding| {
        file.fixes(finding.range).iter().any(|fix| {
            fix.applicability == Applicability::Safe && fix.repairs.contains(&(finding.code, finding.range))
        })
    })
}

/// Applies the first suggestion for the first error that has one, repeatedly.
fn followed(mut text: String) -> String {
    for _ in 0..8 {
        let file = File::new(&text, &Settings::default());
        let mut wrong = file.findings().iter().filter(|finding| finding.severity == Severity::Error);
        let first = wrong.find_map(|finding| {
            let fixes = file.fixes(finding.range);
            fixes.into_iter().find(|fix| fix.repairs.contains(&(finding.code, finding.range)))
        });
        let Some(fix) = first else { break };
        text = fixed(&applied(&text, &fix.edits));
    }
    text
}

/// The errors for which the server rejects the text.
fn errors(text: &str) -> Vec<(&'static str, String)> {
    let file = File::new(text, &Settings::default());
    let errors = file.findings().iter().filter(|finding| finding.severity == Severity::Error);
    errors.map(|finding| (finding.code.as_str(), finding.field_path.to_string())).collect()
}

/// The number of occurrences of each error, regardless of the item.
fn counts(errors: &[(&'static str, String)]) -> BTreeMap<(&'static str, String), usize> {
    let mut counts = BTreeMap::new();
    for (code, path) in errors {
        let items = path.split(']').map(|step| step.trim_end_matches(|char: char| char.is_ascii_digit()));
        *counts.entry((*code, items.collect())).or_default() += 1;
    }
    counts
}

/// The number of occurrences of each comment.
fn comments(text: &str) -> BTreeMap<String, usize> {
    fn visit(node: yaml::syntax::NodeRef<'_>, comments: &mut BTreeMap<String, usize>) {
        for token in node.tokens().filter(|token| token.kind == yaml::SyntaxKind::Comment) {
            *comments.entry(token.text.trim_end().to_owned()).or_default() += 1;
        }
        node.nodes().for_each(|below| visit(below, comments));
    }
    let mut comments = BTreeMap::new();
    yaml::Tree::parse(text).documents().for_each(|document| visit(document.syntax(), &mut comments));
    comments
}

fn data_of(text: &str) -> Option<Json> {
    let tree = yaml::Tree::parse(text);
    let document = tree.documents().next()?;
    serde_json::from_str(&yaml::decode(document).ok()?.json.to_string()).ok()
}

/// The texts that the API server's code should check.
struct Oracle {
    program: Option<PathBuf>,
    texts: Vec<(&'static str, bool, String, String)>,
}

impl Oracle {
    fn new() -> Self {
        let program = environment::oracle();
        if program.is_none() {
            beside::skipped(
                "CRD_LS_ORACLE names no oracle; what the API server says of the results is not asked",
            );
        }
        Self { program, texts: Vec::new() }
    }

    fn push(&mut self, kind: &'static str, is_safe: bool, place: String, text: String) {
        self.texts.push((kind, is_safe, place, text));
    }

    /// The kinds of the accepted texts, and whether safe fixes made them.
    fn accepted(&self) -> Vec<(&'static str, bool)> {
        let Some(program) = &self.program else { return Vec::new() };
        let work = std::env::temp_dir().join(format!("crd-ls-repairs-{}", std::process::id()));
        fs::create_dir_all(&work).unwrap();
        let path = |index: usize| work.join(format!("{index}.yaml"));
        let mut accepted = Vec::new();
        for start in (0..self.texts.len()).step_by(200) {
            let some: Vec<usize> = (start..self.texts.len().min(start + 200)).collect();
            for index in &some {
                fs::write(path(*index), &self.texts[*index].3).unwrap();
            }
            let output = Command::new(program)
                .arg("crd")
                .args(some.iter().map(|index| path(*index)))
                .output()
                .expect("the oracle runs");
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            for line in str::from_utf8(&output.stdout).unwrap().lines() {
                let verdict: Json = serde_json::from_str(line).unwrap();
                let index = some.iter().find(|index| verdict["file"] == path(**index).to_str().unwrap());
                let (kind, is_safe, place, text) = &self.texts[*index.unwrap()];
                let is_empty = |name: &str| verdict[name].as_array().is_none_or(Vec::is_empty);
                if is_empty("errors") && is_empty("decodeErrors") && is_empty("strictErrors") {
                    accepted.push((*kind, *is_safe));
                } else {
                    println!("{place} is refused: {line}");
                    if let Some(folder) = environment::keep() {
                        fs::write(folder.join(format!("{kind}.yaml")), text).unwrap();
                    }
                }
            }
        }
        fs::remove_dir_all(&work).unwrap();
        accepted
    }
}

/// The accepted definitions of the corpus with fewer than 60,000 bytes, if the corpus exists.
fn corpus() -> Option<Vec<Definition>> {
    let folder = beside::shared("corpus", "plants mistakes in the fixtures")?;
    let mut paths = Vec::new();
    let mut folders = vec![folder];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            let is_yaml = path.extension().is_some_and(|extension| extension == "yaml");
            if path.is_dir() {
                folders.push(path);
            } else if is_yaml && fs::metadata(&path).unwrap().len() < 60_000 {
                paths.push(path);
            }
        }
    }
    paths.sort();
    // Bytes that are not UTF-8 never reach the parser.
    let texts = paths.iter().filter_map(|path| Some((path, fs::read_to_string(path).ok()?)));
    Some(texts.flat_map(|(path, text)| definitions(path, &text)).collect())
}

/// The accepted definitions in our fixtures.
fn fixtures() -> Vec<Definition> {
    let folders = ["fixes", "fixes/catalogue", "crd/editor"].map(|folder| suites::fixtures().join(folder));
    let mut texts: Vec<_> = folders.iter().flat_map(|folder| suites::texts(folder).unwrap()).collect();
    texts.sort();
    texts.iter().flat_map(|(path, text)| definitions(path, text)).collect()
}

fn definitions(path: &Path, text: &str) -> Vec<Definition> {
    let tree = yaml::Tree::parse(text);
    let mut definitions = Vec::new();
    for document in tree.documents() {
        let text = document.syntax().text();
        let Some(data) = data_of(&text) else { continue };
        let is_definition = data["kind"] == "CustomResourceDefinition"
            && data["apiVersion"] == "apiextensions.k8s.io/v1"
            && data["spec"]["versions"].is_array();
        if is_definition && errors(&text).is_empty() {
            definitions.push(Definition { name: path.display().to_string(), text, data });
        }
    }
    definitions
}
