//! Suites of `openshift/api`, as they are written for its runner.

use text::LineIndex;
use yaml::{Mapping, Tree};

use crate::suite::{Case, CaseFormat, ExpectedResponse, Problem, Suite};
use crate::suite_values::{Page, object_of_text};

/// Whether `text` may be a suite: it has cases and names a definition.
#[must_use]
pub fn is_suite(text: &str) -> bool {
    let has =
        |key: &str| text.lines().any(|line| line.strip_prefix(key).is_some_and(|it| it.starts_with(':')));
    has("tests") && (has("crdName") || has("crd"))
}

/// Reads a suite. If it is unreadable, the result has that problem and no cases.
#[must_use]
pub fn read(text: &str) -> Suite {
    let tree = Tree::parse(text);
    let lines = LineIndex::new(text);
    // The runner reads the first document.
    let Some(document) = tree.documents().next() else {
        return of_problem(Problem {
            line: 1,
            text: "the suite is empty; it needs `crdName` and `tests`".to_owned(),
        });
    };
    match Page::new(document, &lines) {
        Ok(page) => suite(&page),
        Err(problem) => of_problem(problem),
    }
}

fn of_problem(problem: Problem) -> Suite {
    Suite { line: problem.line, problems: vec![problem], ..Suite::default() }
}

fn suite(page: &Page<'_>) -> Suite {
    let mut wrong = Vec::new();
    let mut own = |name| {
        let text = page.optional_text(page.root, name, &mut wrong).map(|text| text.into_owned());
        text.filter(|text| !text.is_empty())
    };
    let mut suite = Suite {
        name: own("name").unwrap_or_default(),
        file: own("crd"),
        definition: own("crdName"),
        version: own("version"),
        line: page.line,
        ..Suite::default()
    };
    let feature_set = own("featureSet");
    suite.feature_gates = page.texts(page.root, "featureGates", &mut wrong);
    suite.feature_sets = page.texts(page.root, "featureSets", &mut wrong);
    suite.feature_sets.extend(feature_set);
    suite.problems = wrong;
    let problems = &mut suite.problems;
    if suite.file.is_none() && suite.definition.is_none() {
        let text = "`crdName` is missing; name the definition, such as `widgets.example.com`";
        problems.push(Problem { line: page.line, text: text.to_owned() });
    }
    let Some(tests) = page.member(page.root, "tests").and_then(yaml::Value::as_mapping) else {
        let text = "`tests` is missing; write the cases below `tests.onCreate` and `tests.onUpdate`";
        problems.push(Problem { line: page.line, text: text.to_owned() });
        return suite;
    };
    for one in page.objects(tests, "onCreate", problems) {
        suite.cases.extend(case(page, one, false, problems));
    }
    for one in page.objects(tests, "onUpdate", problems) {
        suite.cases.extend(case(page, one, true, problems));
    }
    suite
}

fn case(page: &Page<'_>, of: Mapping<'_>, is_update: bool, problems: &mut Vec<Problem>) -> Option<Case> {
    let before = problems.len();
    // A missing text is empty, as in Go.
    let mut text = |name| page.optional_text(of, name, problems).unwrap_or_default().into_owned();
    let name = text("name");
    let initial = text("initial");
    let updated = text("updated");
    let (error, status_error) = (text("expectedError"), text("expectedStatusError"));
    let expected = text("expected");
    let patches = page.patches(of, "initialCRDPatches", problems);
    if problems.len() > before {
        return None;
    }
    let object = |text: &str, what: &str| object_of_text(text).map_err(|error| format!("`{what}`: {error}"));
    let initial = object(&initial, "initial");
    let (given, object_under_test) =
        if is_update { (Some(initial), object(&updated, "updated")) } else { (None, initial) };
    Some(Case {
        name,
        line: page.line(of.range().start),
        form: CaseFormat::OpenShift,
        patches,
        given,
        object: object_under_test,
        expected: ExpectedResponse {
            stored: Some(object(&expected, "expected")),
            error,
            status_error: if is_update { status_error } else { String::new() },
            ..ExpectedResponse::default()
        },
    })
}
