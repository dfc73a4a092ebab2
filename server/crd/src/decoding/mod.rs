//! kube-apiserver's errors while it decodes JSON into Go types: wrong types, of which it reports only one, and
//! unknown fields in strict decoding.
//!
//! [`crate::schema::decode`] is a fast check for errors; this module produces the messages.

mod field_synonyms;
mod go_types;
mod misfit_messages;
#[cfg(test)]
mod tests;
mod unknown;
mod walk;

use api::{Code, Severity};

use crate::finding::Finding;
use crate::message::Message;
use crate::report::{AnswerKind, ServerError};
use walk::{Problem, ProblemKind};

/// The maximum number of strict errors that the server lists.
const MAX_STRICT_ERRORS: usize = 100;

pub use field_synonyms::field_meant;
pub(crate) use walk::{DecodingProblems, find};

impl DecodingProblems {
    /// The findings for fields and types. `reported` is true if the server can parse the YAML.
    pub(crate) fn findings(self, reported: bool) -> impl Iterator<Item = Finding> {
        let Self { problems, reported_index: named } = self;
        let mut strict = 0;
        problems.into_iter().enumerate().map(move |(index, problem)| {
            let answer = match &problem.kind {
                ProblemKind::WrongType { .. } => (named == Some(index)).then_some(AnswerKind::DecodeError),
                ProblemKind::UnknownField { noticed, .. } => {
                    strict += usize::from(*noticed);
                    let is_listed = *noticed && named.is_none() && strict <= MAX_STRICT_ERRORS;
                    is_listed.then_some(AnswerKind::StrictError)
                }
                ProblemKind::Dropped { .. } => None,
            };
            finding(problem, answer.filter(|_| reported))
        })
    }
}

fn finding(problem: Problem, answer: Option<AnswerKind>) -> Finding {
    let (code, severity, message, text) = match problem.kind {
        ProblemKind::WrongType { text, message } => (Code::DecodeType, Severity::Error, message, text),
        ProblemKind::UnknownField { text, noticed, message } => {
            let severity = if noticed { Severity::Error } else { Severity::Warning };
            (Code::DecodeUnknownField, severity, message, text)
        }
        ProblemKind::Dropped { field, kept_since } => {
            let problem = format!(
                "`{field}` has no effect before Kubernetes 1.{kept_since}, where its feature gate is off by default"
            );
            let message = Message::new(problem).advise("remove it, or turn the gate on");
            (Code::DecodeDroppedField, Severity::Warning, message, String::new())
        }
    };
    Finding {
        code,
        severity,
        message,
        range: problem.range,
        field_path: problem.path,
        api_server: answer.map(|kind| ServerError::text(kind, text)),
        related: Vec::new(),
    }
}
