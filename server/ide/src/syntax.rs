//! Syntax errors as findings.

use yaml::{SyntaxError, SyntaxErrorKind};

use crate::{Finding, Severity};

/// More than this of one document tell nobody anything.
const MOST: usize = 100;

/// The findings for `errors`. Of wrongly indented lines that follow each other only the first is worth a word.
pub(crate) fn findings(mut errors: Vec<SyntaxError>) -> impl Iterator<Item = Finding> {
    errors.sort_by_key(|error| (error.range.start, error.range.end));
    errors.dedup_by(|next, first| next.kind == SyntaxErrorKind::Indentation && first.kind == next.kind);
    errors.into_iter().take(MOST).map(|error| Finding {
        code: error.kind.code(),
        severity: Severity::Error,
        message: error.kind.to_string(),
        range: error.range,
        field_path: String::new(),
        api_server: None,
        related: Vec::new(),
    })
}
