//! Syntax errors as findings.

use text::TextRange;
use yaml::{Document, SyntaxError, SyntaxErrorKind};

use crate::{Finding, Severity};

/// More than this of one document tell nobody anything.
const MOST: usize = 100;

/// The syntax errors of `document`, and the aliases that cannot be followed.
pub(crate) fn findings(document: Document<'_>) -> Vec<Finding> {
    let mut errors = Vec::new();
    document.syntax().for_each_error(&mut |error| errors.push(error));
    let aliases = yaml::alias_problems(document).into_iter().take(MOST);
    let aliases = aliases.map(|(range, problem)| finding("yaml/alias", range, problem.to_string()));
    of_errors(errors).chain(aliases).collect()
}

/// The findings for `errors`. Of wrongly indented lines that follow each other only the first is worth a word.
fn of_errors(mut errors: Vec<SyntaxError>) -> impl Iterator<Item = Finding> {
    errors.sort_by_key(|error| (error.range.start, error.range.end));
    errors.dedup_by(|next, first| next.kind == SyntaxErrorKind::Indentation && first.kind == next.kind);
    errors.into_iter().take(MOST).map(|error| finding(error.kind.code(), error.range, error.kind.to_string()))
}

fn finding(code: &'static str, range: TextRange, message: String) -> Finding {
    Finding {
        code,
        severity: Severity::Error,
        message,
        range,
        field_path: String::new(),
        api_server: None,
        related: Vec::new(),
    }
}
