//! Every recorded case with the parser and checker: the texts and positions of the API server's errors.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, clippy::print_stderr)]

mod support;

use cel::issue::place;
use support::{cases, compile, context, schemas};

#[derive(Default)]
struct Count {
    cases: usize,
    verdict: usize,
    place: usize,
    all_places: usize,
    texts: usize,
    types: usize,
    typed: usize,
    refused: usize,
    details: usize,
    detailed: usize,
}

/// The line, the column and the text of an issue.
type LocatedIssue = (i64, i64, String);

impl Count {
    /// Compares our issues with those of the server.
    fn add_issues(&mut self, ours: &[LocatedIssue], theirs: &[LocatedIssue]) {
        let first = |issues: &[LocatedIssue]| issues.first().map(|(line, column, _)| (*line, *column));
        let places = |issues: &[LocatedIssue]| -> Vec<_> { issues.iter().map(|i| (i.0, i.1)).collect() };
        self.refused += 1;
        self.place += usize::from(first(ours) == first(theirs));
        self.all_places += usize::from(places(ours) == places(theirs));
        self.texts += usize::from(ours == theirs);
    }
}

fn print_counts(groups: &[(String, Count)]) {
    println!(
        "{:<10} {:>6} {:>8} {:>8} {:>6} {:>6} {:>6} {:>6} {:>6} {:>6} {:>6}",
        "group",
        "cases",
        "verdict",
        "refused",
        "first",
        "places",
        "texts",
        "typed",
        "types",
        "detail",
        "same"
    );
    for (name, c) in groups {
        println!(
            "{name:<10} {:>6} {:>8} {:>8} {:>6} {:>6} {:>6} {:>6} {:>6} {:>6} {:>6}",
            c.cases,
            c.verdict,
            c.refused,
            c.place,
            c.all_places,
            c.texts,
            c.typed,
            c.types,
            c.detailed,
            c.details
        );
    }
}

#[test]
fn verdicts_places_and_types_are_those_of_the_api_server() {
    let schemas = schemas();
    let mut groups: Vec<(String, Count)> = Vec::new();
    let mut wrong = Vec::new();
    for case in cases() {
        let group = case.id.split('/').next().unwrap().to_owned();
        if groups.last().is_none_or(|(name, _)| *name != group) {
            groups.push((group, Count::default()));
        }
        let count = &mut groups.last_mut().unwrap().1;
        let declarations = case.declarations(&schemas);
        let variables = case.variables(&declarations);
        let context = context(case.env(), &variables, &declarations);
        let (issues, ast, checked) = compile(&case.text, &context);
        let ours: Vec<_> = issues
            .iter()
            .map(|issue| {
                let at = place(&case.text, issue.anchor);
                (at.line, at.column, issue.message.clone())
            })
            .collect();
        let theirs = case.located();
        count.cases += 1;
        let verdict = ours.is_empty() == theirs.is_empty();
        count.verdict += usize::from(verdict);
        let mut complaint = None;
        if !verdict {
            complaint = Some("verdict");
        }
        if !theirs.is_empty() {
            count.add_issues(&ours, &theirs);
            if ours != theirs {
                complaint.get_or_insert("issues");
            }
        }
        if let Some(detail) = case.json["detail"].as_str()
            && let Some((_, detail)) = detail.split_once("compilation failed: ")
        {
            count.detailed += 1;
            let same = cel::issue::render(&case.text, &issues) == detail;
            count.details += usize::from(same);
            if !same {
                complaint.get_or_insert("detail");
            }
        }
        if let Some(theirs) = case.json["type"].as_str() {
            count.typed += 1;
            let ours = checked.type_of(ast.root()).runtime_name();
            count.types += usize::from(ours == theirs);
            if ours != theirs {
                complaint.get_or_insert("type");
            }
        }
        if let Some(complaint) = complaint {
            wrong.push(format!(
                "{} ({complaint}) {:?}\n   ours {:?} {}\n theirs {:?} {}",
                case.id,
                case.text.chars().take(150).collect::<String>(),
                ours.iter().take(5).collect::<Vec<_>>(),
                checked.type_of(ast.root()),
                theirs.iter().take(5).collect::<Vec<_>>(),
                case.json["type"],
            ));
        }
    }
    print_counts(&groups);
    assert!(wrong.is_empty(), "{} cases differ:\n{}", wrong.len(), wrong.join("\n"));
}
