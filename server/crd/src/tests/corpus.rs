//! Real definitions have exactly the errors of the API server.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::time::Instant;

use super::{reports, repository};
use crate::beside;
use crate::{AnswerKind, Completeness};

/// The columns of `fixtures/corpus.tsv`.
struct Fact {
    errors: usize,
    undecoded: usize,
}

#[test]
fn no_error_where_the_server_has_none() {
    let Some(corpus) = beside::shared("corpus", "skipped") else { return };
    let mut checked = 0;
    let mut different = Vec::new();
    let start = Instant::now();
    for (path, fact) in facts() {
        let Ok(text) = fs::read_to_string(corpus.join(&path)) else { continue };
        let reports = reports(&text);
        let whole = reports.iter().filter(|report| report.origin == Completeness::Whole);
        // We report in each version what the server reports once for all versions.
        let errors = whole.clone().enumerate().flat_map(|(document, report)| {
            let servers = report.findings.iter().filter_map(|finding| finding.api_server.as_ref());
            let errors = servers.filter(|server| server.kind == AnswerKind::Error);
            errors.map(move |server| (document, server))
        });
        let errors = errors.collect::<BTreeSet<_>>().len();
        let others = whole.clone().flat_map(|report| &report.findings);
        let others: Vec<String> = others
            .filter(|finding| finding.code.as_str().starts_with("decode/"))
            .map(|finding| finding.message.to_string())
            .collect();
        if !others.is_empty() {
            different.push(format!("{path}: the server reads it without a word: {others:?}"));
        }
        // Missing parts of patches are not errors.
        let is_whole = reports.iter().all(|report| report.origin == Completeness::Whole);
        if is_whole && errors != fact.errors || errors > fact.errors {
            let origins: Vec<Completeness> = reports.iter().map(|report| report.origin).collect();
            different.push(format!("{path}: {errors} errors, the server has {}; {origins:?}", fact.errors));
        }
        let has_templates = reports.iter().any(|report| report.origin == Completeness::Template);
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
        (columns[0].to_owned(), Fact { errors: number(3), undecoded: number(4) })
    });
    rows.collect()
}
