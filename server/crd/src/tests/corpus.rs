//! Real definitions: no error where the API server has none, and all that it has.

use std::collections::BTreeMap;
use std::fs;
use std::time::Instant;

use super::{reports, repository};
use crate::{Origin, Severity};

/// The columns of `fixtures/corpus.tsv`.
struct Fact {
    structural: usize,
    undecoded: usize,
}

#[test]
fn no_error_where_the_server_has_none() {
    let corpus = repository().join("../shared/corpus");
    if !corpus.is_dir() {
        eprintln!("skipped: no corpus of real definitions beside the repository");
        return;
    }
    let mut checked = 0;
    let mut different = Vec::new();
    let start = Instant::now();
    for (path, fact) in facts() {
        let Ok(text) = fs::read_to_string(corpus.join(&path)) else { continue };
        let reports = reports(&text);
        let whole = reports.iter().filter(|report| report.origin == Origin::Whole);
        let errors = whole.clone().flat_map(|report| &report.violations);
        let errors = errors.filter(|violation| violation.severity == Severity::Error).count();
        if errors != fact.structural {
            let origins: Vec<Origin> = reports.iter().map(|report| report.origin).collect();
            different
                .push(format!("{path}: {errors} errors, the server has {}; {origins:?}", fact.structural));
        }
        let has_templates = reports.iter().any(|report| report.origin == Origin::Template);
        if fact.undecoded > 0 && !has_templates {
            different.push(format!("{path}: no template was found in what does not decode"));
        }
        checked += 1;
    }
    eprintln!("{checked} files of the corpus in {:?}", start.elapsed());
    assert!(checked > 0, "the corpus holds none of the files that are listed");
    assert!(different.is_empty(), "{} of {checked} differ:\n{}", different.len(), different.join("\n"));
}

fn facts() -> BTreeMap<String, Fact> {
    let table = fs::read_to_string(repository().join("fixtures/corpus.tsv")).expect("the facts");
    let rows = table.lines().skip(1).map(|line| {
        let columns: Vec<&str> = line.split('\t').collect();
        let number = |at: usize| columns.get(at).and_then(|text| text.parse().ok()).expect("a number");
        (columns[0].to_owned(), Fact { structural: number(2), undecoded: number(4) })
    });
    rows.collect()
}
