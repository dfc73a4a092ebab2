//! Test cases in open documents: their results, and the command that runs them.

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use answers::lsp::Subject;
use answers::lsp::addresses::file_path;
use answers::lsp::convert::Converter;
use answers::lsp::profile::TEST;
use ide::picture::{Picture, Place};
use ide::{Completion, File, Hint, Hover, Signatures, TestSuite, TokenClass};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use text::{LineIndex, TextBuffer, TextRange, TextSize};
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types::{
    CodeLens, Command, Diagnostic, DiagnosticSeverity, ExecuteCommandParams, Range, Uri,
};

use super::analysis::{Analysis, FinishedAnalysis};
use super::document::{Document, FindingsChange};
use super::requests::{Context, read};
use super::writer::Writer;
use crate::definitions::may_define;
use crate::suites::{CaseResult, may_have_suites, results_in};

/// The texts of open documents, which take precedence over their files.
#[derive(Clone, Debug, Default)]
pub(super) struct OpenFiles(Arc<HashMap<PathBuf, TextBuffer>>);

impl OpenFiles {
    pub(super) fn text(&self, path: &Path) -> Option<String> {
        self.0.get(path).map(TextBuffer::to_string)
    }
}

impl Writer {
    /// The open documents, for the analysis of a document that may have test cases; empty for others.
    pub(super) fn open_files_for(&self, uri: &Uri) -> OpenFiles {
        if !file_path(uri).is_some_and(|path| may_have_suites(&path)) {
            return OpenFiles::default();
        }
        let views = self.documents.values().map(Document::view);
        let files = views.filter_map(|view| Some((file_path(&view.uri)?, view.buffer)));
        OpenFiles(Arc::new(files.collect()))
    }

    /// Runs the cases of open suites again after an edit of a definition.
    pub(super) fn definition_analysed(
        &mut self,
        analysed: &FinishedAnalysis,
        findings_change: FindingsChange,
    ) {
        if findings_change != FindingsChange::OfText || analysed.analysis.cases.is_some() {
            return;
        }
        let suites = self.open_suites();
        if !suites.is_empty() && may_define(analysed.analysis.buffer.to_string().as_bytes()) {
            self.run_suites(suites);
        }
    }

    /// The open documents with cases.
    pub(super) fn open_suites(&self) -> Vec<String> {
        let with_cases = self.documents.iter().filter(|(_, document)| document.has_cases());
        with_cases.map(|(uri, _)| uri.clone()).collect()
    }

    /// Analyses documents with cases again, because their definitions may have changed.
    pub(super) fn run_suites(&mut self, suites: Vec<String>) {
        self.analyse_again(suites, Document::revise);
    }
}

/// A suite in the format of crd-ls, whose fields and objects are known; other requests are answered as for any text.
pub(super) struct SuiteSubject<'a> {
    file: &'a File,
    suite: TestSuite<'a>,
}

impl<'a> SuiteSubject<'a> {
    pub(super) fn of(context: &'a Context) -> Option<Self> {
        let tested = context.analysis.cases.as_ref()?.tested.as_deref()?;
        let suite = TestSuite { tested, catalog: &context.snapshot.catalog };
        Some(Self { file: context.analysis.file()?, suite })
    }
}

impl Subject for SuiteSubject<'_> {
    fn hover(&self, offset: TextSize) -> Option<Hover> {
        self.file.hover_in_suite(offset, &self.suite)
    }

    fn completions(&self, offset: TextSize) -> Vec<Completion> {
        self.file.completions_in_suite(offset, &self.suite)
    }

    fn signatures(&self, offset: TextSize) -> Option<Signatures> {
        self.file.signatures(offset)
    }

    fn hints(&self, range: TextRange) -> Vec<Hint> {
        self.file.hints(range)
    }

    fn tokens(&self, range: TextRange) -> Vec<(TextRange, TokenClass)> {
        self.file.tokens(range)
    }

    fn pictures(&self, buffer: &TextBuffer, place: &dyn Fn(TextSize) -> Place) -> Vec<Picture> {
        self.file.pictures(buffer, place)
    }
}

/// Whether a request is the command [`TEST`].
pub(super) fn is_test(method: &str, params: &Value) -> bool {
    method == "workspace/executeCommand" && params.get("command").is_some_and(|name| name == TEST)
}

/// The argument of [`TEST`]: all cases of the document, or the one at a line, from 0.
#[derive(Deserialize)]
struct TestRequest {
    line: Option<usize>,
}

/// The answer of [`TEST`].
#[derive(Serialize)]
pub(super) struct TestResponse {
    passed: usize,
    failed: usize,
    cases: Vec<Case>,
}

#[derive(Serialize)]
struct Case {
    uri: Uri,
    /// The line, from 0.
    line: usize,
    /// The name of the case; `None` for an error in the suite.
    name: Option<String>,
    /// The reason why it failed; `None` if it passed.
    failure: Option<String>,
}

/// Runs the cases, with the current texts of definitions in open documents.
pub(super) fn run(context: &Context, params: ExecuteCommandParams) -> Result<TestResponse> {
    let request = params.arguments.into_iter().next().unwrap_or(Value::Null);
    let request: TestRequest = read(request)?;
    let path = file_path(&context.view.uri);
    let path = path.ok_or_else(|| Error::invalid_params("the document is not in a file"))?;
    let file = context.analysis.file().ok_or_else(Error::internal_error)?;
    let server = file.settings().kubernetes_version;
    let text = context.analysis.buffer.to_string();
    let open = |path: &Path| Some(context.snapshot.document_at(path)?.buffer.to_string());
    let results = results_in(&path, &text, server, &open);
    let results = results.ok_or_else(|| Error::invalid_params("the document has no test cases"))?.results;
    // The case at the cursor is the last one that begins above it.
    let chosen = request.line.and_then(|line| results.iter().rev().find(|result| result.line <= line + 1));
    let results: Vec<&CaseResult> = match (request.line, chosen) {
        (Some(_), Some(one)) => results.iter().filter(|result| result.line == one.line).collect(),
        (Some(_), None) => Vec::new(),
        (None, _) => results.iter().collect(),
    };
    let failed = results.iter().filter(|result| result.failure.is_some()).count();
    let case = |result: &&CaseResult| Case {
        uri: context.view.uri.clone(),
        line: result.line.saturating_sub(1),
        name: result.name.clone(),
        failure: result.failure.clone(),
    };
    Ok(TestResponse { passed: results.len() - failed, failed, cases: results.iter().map(case).collect() })
}

fn results_of(analysis: &Analysis) -> &[CaseResult] {
    analysis.cases.as_ref().map_or(&[], |cases| &cases.results)
}

/// The failures, each at its case.
pub(super) fn diagnostics<'a>(
    analysis: &'a Analysis,
    converter: &'a Converter<'_>,
) -> impl Iterator<Item = Diagnostic> + 'a {
    let results = results_of(analysis);
    let text = if results.is_empty() { String::new() } else { analysis.buffer.to_string() };
    let lines = LineIndex::new(&text);
    let failures = results.iter().filter_map(|result| Some((result, result.failure.as_ref()?)));
    let failures: Vec<Diagnostic> = failures
        .map(|(result, failure)| Diagnostic {
            range: line_of(result, &text, &lines, converter),
            severity: Some(DiagnosticSeverity::ERROR),
            source: Some("crd-ls".to_owned()),
            message: match &result.name {
                Some(_) => format!("the case fails: {failure}"),
                None => failure.clone(),
            },
            ..Diagnostic::default()
        })
        .collect();
    failures.into_iter()
}

/// The lenses of the text, with those of its test cases.
pub(super) fn with_lenses(context: &Context) -> Option<Vec<CodeLens>> {
    let mut lenses = answers::lsp::lenses::lenses(&context.shared(None))?;
    lenses.extend(of_cases(context, &context.converter()));
    Some(lenses)
}

/// The lenses of cases: one above the first line that runs all cases, and one above each case that runs it.
fn of_cases(context: &Context, converter: &Converter<'_>) -> Vec<CodeLens> {
    let results = results_of(&context.analysis);
    if results.is_empty() {
        return Vec::new();
    }
    let text = context.analysis.buffer.to_string();
    let lines = LineIndex::new(&text);
    let uri = &context.view.uri;
    let lens = |range: Range, title: String, argument: Value| {
        let arguments = Some(vec![argument]);
        CodeLens { range, command: Some(Command { title, command: TEST.to_owned(), arguments }), data: None }
    };
    let failed = results.iter().filter(|result| result.failure.is_some()).count();
    let title = match failed {
        0 => format!("run {} test cases: all pass", results.len()),
        failed => format!("run {} test cases: {failed} fail", results.len()),
    };
    let all = lens(converter.range(TextRange::empty(0)), title, json!({ "uri": uri }));
    let each = results.iter().filter(|result| result.name.is_some()).map(|result| {
        let range = line_of(result, &text, &lines, converter);
        let title = if result.failure.is_some() { "run: fails" } else { "run: passes" };
        lens(
            Range { end: range.start, ..range },
            title.to_owned(),
            json!({ "uri": uri, "line": range.start.line }),
        )
    });
    std::iter::once(all).chain(each).collect()
}

/// The line of a case, without its indentation.
fn line_of(result: &CaseResult, text: &str, lines: &LineIndex<'_>, converter: &Converter<'_>) -> Range {
    let line = u32::try_from(result.line.saturating_sub(1)).unwrap_or(u32::MAX);
    let range = lines.line(line).unwrap_or_else(|| TextRange::empty(0));
    let written: Cow<'_, str> = text.get(range.as_usize()).unwrap_or_default().into();
    let start = range.start + (written.len() - written.trim_start().len()) as u32;
    let end = range.start + written.trim_end().len() as u32;
    converter.range(TextRange::new(start.min(end), end))
}
