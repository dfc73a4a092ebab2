//! Our own format: `NAME_test.yaml` beside a definition.

use api::{EXPECTED, EXPECTED_ERROR, ObjectType, TEST_CASE, TEST_OBJECT, TEST_SUITE};
use crd::value::Value;
use text::{LineIndex, TextSize};
use yaml::{Mapping, Tree};

use crate::suite::{Case, CaseFormat, ExpectedError, ExpectedResponse, Object, Problem, Suite};
use crate::suite_values::{Page, object_of};

/// Reads another file, by its path relative to the suite's.
pub type ReadFile<'r> = &'r dyn Fn(&str) -> Result<String, String>;

/// Reads the suites of a text, one for each document.
#[must_use]
pub fn read(text: &str, file: ReadFile<'_>) -> Vec<Suite> {
    let tree = Tree::parse(text);
    let lines = LineIndex::new(text);
    let documents = tree.documents().filter(|document| document.root().is_some());
    let suites = documents.map(|document| match Page::new(document, &lines) {
        Ok(page) => Parser { page: &page, file, problems: Vec::new() }.suite(),
        Err(problem) => Suite { line: problem.line, problems: vec![problem], ..Suite::default() },
    });
    let suites: Vec<Suite> = suites.collect();
    if suites.is_empty() {
        let text = "the suite is empty; it needs `cases`".to_owned();
        return vec![Suite { line: 1, problems: vec![Problem { line: 1, text }], ..Suite::default() }];
    }
    suites
}

struct Parser<'p, 't> {
    page: &'p Page<'t>,
    file: ReadFile<'p>,
    problems: Vec<Problem>,
}

impl<'t> Parser<'_, 't> {
    fn suite(mut self) -> Suite {
        let root = self.page.root;
        self.knows(root, &TEST_SUITE);
        let (name, file, version) =
            (self.text(root, "name"), self.text(root, "definition"), self.text(root, "version"));
        if self.page.member(root, "cases").is_none() {
            self.report(
                root.range().start,
                "`cases` is missing; write a list of `name`, `given` and `expect`",
            );
        }
        let mut suite =
            Suite { name: name.unwrap_or_default(), file, version, line: self.page.line, ..Suite::default() };
        for one in self.page.objects(root, "cases", &mut self.problems) {
            suite.cases.extend(self.cases(one));
        }
        suite.problems = self.problems;
        suite
    }

    /// A case; for a file with several objects, one case for each object.
    fn cases(&mut self, of: Mapping<'t>) -> Vec<Case> {
        let before = self.problems.len();
        self.knows(of, &TEST_CASE);
        let start = of.range().start;
        let known = self.problems.len();
        let name = self.text(of, "name").unwrap_or_default();
        // An unreadable case has already been reported.
        if name.is_empty() && self.problems.len() == known {
            self.report(start, "`name` is missing; describe in one sentence what the case shows");
        }
        let expected = self.expected(of);
        let update = self.object(of, "update");
        let given = self.object(of, "given");
        if given.is_none() && self.page.member(of, "given").is_none() {
            self.report(start, "`given` is missing; write the object, or `file:` with its path");
        }
        if self.problems.len() > before {
            return Vec::new();
        }
        let line = self.page.line(start);
        let case = |name: String, given: Option<Object>, object: Object, expected| Case {
            name,
            line,
            form: CaseFormat::Own,
            patches: Vec::new(),
            given,
            object,
            expected,
        };
        let given = given.unwrap_or_default();
        let Some(update) = update else {
            let count = given.len();
            let mut expected = Some(expected);
            let one = |(index, object): (usize, Object)| {
                let name = if count > 1 { format!("{name} ({})", index + 1) } else { name.clone() };
                let expected = expected.take().unwrap_or_else(|| self.expected(of));
                case(name, None, object, expected)
            };
            return given.into_iter().enumerate().map(one).collect();
        };
        match (<[Object; 1]>::try_from(given), <[Object; 1]>::try_from(update)) {
            (Ok([given]), Ok([update])) => vec![case(name, Some(given), update, expected)],
            _ => {
                let text =
                    "an update needs exactly one object before and one after; select it with `document: N`";
                self.report(start, text);
                Vec::new()
            }
        }
    }

    fn expected(&mut self, of: Mapping<'t>) -> ExpectedResponse {
        let Some(value) = self.page.member(of, "expect") else {
            self.report(of.range().start, "`expect` is missing; write `accepted: true` or `errors`");
            return ExpectedResponse::default();
        };
        let Some(expect) = value.as_mapping() else {
            self.report(value.range().start, "`expect` is not an object; write `accepted: true` or `errors`");
            return ExpectedResponse::default();
        };
        self.knows(expect, &EXPECTED);
        let accepted = self.page.member(expect, "accepted").map(|value| self.page.value(value).kind);
        let accepted = match accepted {
            None => None,
            Some(crd::value::Kind::Bool(accepted)) => Some(accepted),
            Some(_) => {
                self.report(expect.range().start, "`accepted` is neither `true` nor `false`");
                None
            }
        };
        let mut errors = Vec::new();
        for error in self.page.objects(expect, "errors", &mut self.problems) {
            self.knows(error, &EXPECTED_ERROR);
            let (field, text) = (self.text(error, "field"), self.text(error, "text").unwrap_or_default());
            errors.push(ExpectedError { field, text });
        }
        let stored = self.object(expect, "stored").map(|objects| match <[Object; 1]>::try_from(objects) {
            Ok([object]) => object,
            Err(_) => Err("`stored`: the file has several objects; select one with `document: N`".to_owned()),
        });
        if accepted == Some(true) && !errors.is_empty() {
            self.report(expect.range().start, "`accepted: true` and `errors` exclude each other; remove one");
        }
        if accepted == Some(false) && stored.is_some() {
            self.report(
                expect.range().start,
                "`accepted: false` and `stored` exclude each other; remove one",
            );
        }
        ExpectedResponse {
            accepted,
            stored,
            errors,
            warnings: self.page.texts(expect, "warnings", &mut self.problems),
            ..ExpectedResponse::default()
        }
    }

    /// An object that is written here, or the objects of a file.
    fn object(&mut self, of: Mapping<'t>, name: &str) -> Option<Vec<Object>> {
        let written = self.page.member(of, name)?;
        let Some(mapping) = written.as_mapping() else {
            self.report(written.range().start, &format!("`{name}` is not an object; write one, or `file:`"));
            return None;
        };
        let value = self.page.value(written);
        let Some(path) = value.get("file").and_then(Value::as_str).filter(|_| value.get("spec").is_none())
        else {
            return Some(vec![Ok(value)]);
        };
        self.knows(mapping, &TEST_OBJECT);
        let number = match value.get("document").map(|number| &number.kind) {
            None => None,
            Some(crd::value::Kind::Int(number)) => usize::try_from(*number).ok(),
            Some(_) => {
                self.report(written.range().start, "`document` must be a number, counted from 1");
                return None;
            }
        };
        match (self.file)(path).and_then(|text| objects(&text, number)) {
            Ok(objects) => Some(objects),
            Err(problem) => {
                self.report(written.range().start, &format!("{path}: {problem}"));
                None
            }
        }
    }

    fn text(&mut self, of: Mapping<'t>, name: &str) -> Option<String> {
        self.page.optional_text(of, name, &mut self.problems).map(|text| text.into_owned())
    }

    /// Reports unknown keys: otherwise, the author would not notice that they have no effect.
    fn knows(&mut self, of: Mapping<'t>, object: &ObjectType) {
        for (key, entry) in self.page.reader.entries(of) {
            if object.field(&key).is_none() {
                let known: Vec<&str> = object.fields.iter().map(|field| field.name).collect();
                let text = format!("`{key}` is unknown; use {}", known.join(", "));
                self.report(entry.key_range().start, &text);
            }
        }
    }

    fn report(&mut self, at: TextSize, text: &str) {
        self.page.report(at, text.to_owned(), &mut self.problems);
    }
}

/// The objects in a file, or only the one with that number, from 1.
fn objects(text: &str, number: Option<usize>) -> Result<Vec<Object>, String> {
    let tree = Tree::parse(text);
    let documents = tree.documents().filter(|document| document.root().is_some());
    let mut objects: Vec<Object> = documents.map(object_of).collect();
    let count = objects.len();
    match number {
        Some(number) if (1..=count).contains(&number) => Ok(vec![objects.swap_remove(number - 1)]),
        Some(number) => Err(format!("there is no document {number}; the file has {count}")),
        None if count == 0 => Err("the file has no object".to_owned()),
        None => Ok(objects),
    }
}
