//! Converts nodes, codes and the server's messages to findings.

use api::{Code, Severity};
use text::TextRange;

use crate::field_path::Segment;
use crate::finding::{Finding, RelatedInformation};
use crate::go;
use crate::message::Message;
use crate::names;
use crate::object::Node;
use crate::report::{ErrorType, SUPPORTED_VALUES, ServerError, with_subject};

/// The beginning of the server's list of supported values.
const ONE_OF: &str = "must be one of ";
/// The maximum number of findings.
const MOST: usize = 10_000;

/// Collects the findings of one definition.
pub(super) struct Findings<'v> {
    pub(super) findings: &'v mut Vec<Finding>,
    /// Whether the server reaches these checks and reports the findings.
    pub(super) reported: bool,
    /// Whether the server's decoder rejects a value somewhere.
    pub(super) has_wrong_types: bool,
    /// Whether the last problem was skipped.
    pub(super) is_silent: bool,
}

/// The server's message for an error, before it has a place in the text.
pub(super) struct Problem<'s> {
    pub(super) code: Code,
    pub(super) error: ErrorType,
    /// The server's path.
    pub(super) field: &'s str,
    /// The server's detail.
    pub(super) detail: String,
    /// The remedy, as an imperative; empty if the server's message is sufficient.
    pub(super) advice: &'s str,
}

/// The message for a problem with `subject`, which may be a missing field.
fn message(problem: &Problem<'_>, subject: &str, is_set: bool) -> Message {
    let Problem { error, field, detail, advice, .. } = problem;
    if advice.is_empty() {
        if let Some(allowed) = detail.strip_prefix(ONE_OF) {
            let words = if is_set {
                format!("unsupported `{}` {subject}", name_of(field))
            } else {
                format!("{subject} is required")
            };
            return Message::new(words).advise(format!("use one of `{}`", allowed.replace(',', "`, `")));
        }
        if let Some(message) = names::in_words(&names::subject_of(field, detail), subject, detail) {
            return message;
        }
    }
    let words = match detail.as_str() {
        "" => bare_problem(*error, field),
        detail if advice.is_empty() => with_subject(field, detail),
        detail if detail.starts_with(SUPPORTED_VALUES) => {
            format!("unsupported `{}` {subject}", name_of(field))
        }
        detail => with_subject(field, without_full_stop(detail)),
    };
    let message = Message::new(words);
    if advice.is_empty() { message } else { message.advise(*advice) }
}

/// A text to which a remedy is added: the full stop of its last sentence is removed.
fn without_full_stop(text: &str) -> &str {
    let is_of_sentence = |rest: &&str| rest.ends_with(char::is_alphanumeric);
    text.strip_suffix('.').filter(is_of_sentence).unwrap_or(text)
}

impl Findings<'_> {
    /// Adds `problem` at the value of `node`, or at its key.
    pub(super) fn add(&mut self, node: &Node<'_, '_>, problem: Problem<'_>) {
        self.add_at(node.range(), node, problem);
    }

    /// Adds `problem`, which is about the key of `node`.
    pub(super) fn add_at_key(&mut self, node: &Node<'_, '_>, problem: Problem<'_>) {
        self.add_with_subject(node.key(), node, problem, |node, _| {
            go::quoted(node.path().last().and_then(Segment::key).unwrap_or_default())
        });
    }

    /// Adds `problem` with `node` at `range`. The server prints the text of `node` as the wrong value, unless
    /// [`Self::print_value`] replaces it.
    pub(super) fn add_at(&mut self, range: TextRange, node: &Node<'_, '_>, problem: Problem<'_>) {
        self.add_with_subject(range, node, problem, |node, field| match node.is_set() {
            true => go::quoted(&node.text()),
            // The value follows from other fields.
            false => format!("`{}`", field.rsplit('.').next().unwrap_or_default()),
        });
    }

    /// Adds `problem`. `subject` derives the subject of the message from the node and the server's path.
    fn add_with_subject(
        &mut self,
        range: TextRange,
        node: &Node<'_, '_>,
        problem: Problem<'_>,
        subject: fn(&Node<'_, '_>, &str) -> String,
    ) {
        // A value that does not decode already has a finding.
        self.is_silent = self.findings.len() >= MOST || self.has_wrong_types && node.is_misread();
        if self.is_silent {
            return;
        }
        let message = message(&problem, &subject(node, problem.field), node.is_set());
        let Problem { code, error, field, detail, .. } = problem;
        self.findings.push(Finding {
            code,
            severity: Severity::Error,
            message,
            range,
            field_path: node.path().clone(),
            api_server: self
                .reported
                .then(|| ServerError::of_value(error, field.to_owned(), go::quoted(&node.text()), detail)),
            related: Vec::new(),
        });
    }

    /// Marks the findings that `add` adds: the server reports them only after another error is fixed.
    pub(super) fn hidden(&mut self, add: impl FnOnce(&mut Self)) {
        let reported = std::mem::replace(&mut self.reported, false);
        let count = self.findings.len();
        add(self);
        self.reported = reported;
        if reported {
            self.findings.iter_mut().skip(count).for_each(|finding| finding.message.is_later = true);
        }
    }

    /// Adds a lint at `range`, about `node`.
    pub(super) fn lint(
        &mut self,
        code: Code,
        range: TextRange,
        node: &Node<'_, '_>,
        message: impl Into<Message>,
    ) {
        if self.findings.len() >= MOST {
            return;
        }
        self.findings.push(Finding {
            code,
            severity: crate::report::lint_severity(code).unwrap_or(Severity::Warning),
            message: message.into(),
            range,
            field_path: node.path().clone(),
            api_server: None,
            related: Vec::new(),
        });
    }

    /// Replaces the problem of the last finding, and also its remedy if the message has one.
    pub(super) fn reword(&mut self, message: Message) {
        if let Some(last) = self.findings.last_mut().filter(|_| !self.is_silent) {
            last.message.problem = message.problem;
            last.message.remedy = message.remedy.or_else(|| last.message.remedy.take());
        }
    }

    /// Sets the wrong value that the server prints for the last finding.
    pub(super) fn print_value(&mut self, value: impl FnOnce() -> String) {
        let last = self.findings.last_mut().filter(|_| !self.is_silent);
        if let Some(server) = last.and_then(|last| last.api_server.as_mut()) {
            server.value = value();
        }
    }

    /// Marks the last finding as a consequence of the text at `cause`.
    pub(super) fn follows_from(&mut self, cause: TextRange, because: &str) {
        if let Some(last) = self.findings.last_mut().filter(|_| !self.is_silent) {
            last.related.push(RelatedInformation::here(cause, because));
        }
    }
}

/// Advice to use one of two values. A value that differs from `written` only in case is the only advice.
pub(super) fn one_of(written: &str, values: [&str; 2]) -> String {
    match values.iter().find(|value| value.eq_ignore_ascii_case(written)) {
        Some(value) => format!("write `{value}`"),
        None => format!("use `{}` or `{}`", values[0], values[1]),
    }
}

/// The last name of the server's path.
fn name_of(field: &str) -> &str {
    field.rsplit('.').next().unwrap_or(field)
}

/// The problem for an error to which the server adds no detail.
fn bare_problem(error: ErrorType, field: &str) -> String {
    let name = name_of(field);
    match error {
        ErrorType::Required => format!("`{name}` is required"),
        ErrorType::Duplicate => format!("the value of `{name}` is a duplicate"),
        ErrorType::Forbidden => format!("`{name}` is not allowed here"),
        _ => format!("the value of `{name}` is invalid"),
    }
}
