//! What kube-apiserver says while it reads JSON into Go types: wrong types, of which it names one and stops, and with
//! strict decoding fields that it does not know.
//!
//! [`crate::schema::decode`] finds out fast whether there is anything to say; here is what.

mod go_types;
mod suggest;
mod texts;
mod walk;

use yaml::Reader;

use crate::check::{Budget, Cache};
use crate::object::CustomResourceDefinition;
use crate::report::{AnswerKind, ServerError, Severity, Violation};
pub(crate) use suggest::closest;
use walk::{Problem, What};

/// The server lists so many strict errors, and is silent about more.
const MAX_STRICT_ERRORS: usize = 100;

/// Adds what is wrong with the fields and types of `definition`. `reported` says whether the server can read the YAML.
pub(crate) fn check<'t>(
    definition: &CustomResourceDefinition<'_, 't>,
    reader: &Reader<'t>,
    cache: &Cache,
    budget: &mut Budget,
    reported: bool,
    violations: &mut Vec<Violation>,
) {
    let found = walk::problems(definition, reader, cache, budget);
    let decodes = found.named.is_none();
    let mut strict = 0;
    for (index, problem) in found.problems.into_iter().enumerate() {
        let answer = match &problem.what {
            What::WrongType { .. } => (found.named == Some(index)).then_some(AnswerKind::DecodeError),
            What::UnknownField { noticed, .. } => {
                strict += usize::from(*noticed);
                let is_listed = *noticed && decodes && strict <= MAX_STRICT_ERRORS;
                is_listed.then_some(AnswerKind::StrictError)
            }
        };
        violations.push(violation(problem, answer.filter(|_| reported)));
    }
}

fn violation(problem: Problem, answer: Option<AnswerKind>) -> Violation {
    let (code, severity, message, text) = match problem.what {
        What::WrongType { text, advice } => {
            ("decode/type", Severity::Error, format!("{text}: {advice}"), text)
        }
        What::UnknownField { text, noticed, advice } => {
            let severity = if noticed { Severity::Error } else { Severity::Warning };
            let silent = if noticed { "" } else { "; kube-apiserver drops it here without a word" };
            let advice = advice.map(|advice| format!(": {advice}")).unwrap_or_default();
            ("decode/unknown-field", severity, format!("{text}{silent}{advice}"), text)
        }
    };
    Violation {
        code,
        severity,
        message,
        range: problem.range,
        field_path: problem.path,
        server: answer.map(|kind| ServerError::text(kind, text)),
        related: Vec::new(),
    }
}
