//! Where findings go: from a node, a code and the server's words to a finding.

use api::{Code, Severity};
use text::TextRange;

use crate::field_path::Segment;
use crate::finding::{Finding, Related};
use crate::go;
use crate::message::Message;
use crate::names;
use crate::object::Node;
use crate::report::{ErrorType, SUPPORTED_VALUES, ServerError, with_subject};

/// How the server begins to list what it supports.
const ONE_OF: &str = "must be one of ";
/// More findings than this are not listed.
const MOST: usize = 10_000;

/// Collects the findings of one definition.
pub(super) struct Findings<'v> {
    pub(super) findings: &'v mut Vec<Finding>,
    /// Whether the server gets as far as to report them.
    pub(super) reported: bool,
    /// Whether the server's decoder refuses a value somewhere.
    pub(super) has_wrong_types: bool,
    /// Whether the last problem was left out.
    pub(super) is_silent: bool,
}

/// The server's words for something wrong, before it has a place in the text.
pub(super) struct Problem<'s> {
    pub(super) code: Code,
    pub(super) error: ErrorType,
    /// The server's path.
    pub(super) field: &'s str,
    /// The server's detail.
    pub(super) detail: String,
    /// What to do, as an imperative; empty where the server's words say it all.
    pub(super) advice: &'s str,
}

/// What people read of a problem with `subject`, which may be a field that is not set.
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
        if let Some(message) = names::in_words(&names::thing(field, detail), subject, detail) {
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

/// A text to which a remedy is added: without the full stop of its last sentence.
fn without_full_stop(text: &str) -> &str {
    let is_of_sentence = |rest: &&str| rest.ends_with(char::is_alphanumeric);
    text.strip_suffix('.').filter(is_of_sentence).unwrap_or(text)
}

impl Findings<'_> {
    /// Adds `problem` where the value of `node` stands, or its key.
    pub(super) fn add(&mut self, node: &Node<'_, '_>, problem: Problem<'_>) {
        self.add_at(node.range(), node, problem);
    }

    /// Adds `problem`, which is about the key of `node`.
    pub(super) fn add_at_key(&mut self, node: &Node<'_, '_>, problem: Problem<'_>) {
        self.add_about(node.key(), node, problem, |node, _| {
            go::quoted(node.path().last().and_then(Segment::key).unwrap_or_default())
        });
    }

    /// Adds `problem` with `node` at `range`. The server prints the text of `node` as the wrong value, unless
    /// [`Self::print_value`] says otherwise.
    pub(super) fn add_at(&mut self, range: TextRange, node: &Node<'_, '_>, problem: Problem<'_>) {
        self.add_about(range, node, problem, |node, field| match node.is_set() {
            true => go::quoted(&node.text()),
            // It follows from other fields.
            false => format!("`{}`", field.rsplit('.').next().unwrap_or_default()),
        });
    }

    /// Adds `problem`, about what `subject` makes of the node and of the server's path.
    fn add_about(
        &mut self,
        range: TextRange,
        node: &Node<'_, '_>,
        problem: Problem<'_>,
        subject: fn(&Node<'_, '_>, &str) -> String,
    ) {
        // Of what does not decode enough is said already.
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

    /// What `add` adds the server finds only once something else is repaired.
    pub(super) fn hidden(&mut self, add: impl FnOnce(&mut Self)) {
        let reported = std::mem::replace(&mut self.reported, false);
        let count = self.findings.len();
        add(self);
        self.reported = reported;
        if reported {
            self.findings.iter_mut().skip(count).for_each(|finding| finding.message.is_later = true);
        }
    }

    /// Adds a lint of ours at `range`, about `node`.
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

    /// Gives what was added last another problem, and a remedy.
    pub(super) fn reword(&mut self, message: Message) {
        if let Some(last) = self.findings.last_mut().filter(|_| !self.is_silent) {
            last.message.problem = message.problem;
            last.message.remedy = message.remedy.or_else(|| last.message.remedy.take());
        }
    }

    /// Makes `value` what the server prints as the wrong value of what was added last.
    pub(super) fn print_value(&mut self, value: impl FnOnce() -> String) {
        let last = self.findings.last_mut().filter(|_| !self.is_silent);
        if let Some(server) = last.and_then(|last| last.api_server.as_mut()) {
            server.value = value();
        }
    }

    /// Marks what was added last as following from the text at `cause`.
    pub(super) fn follows_from(&mut self, cause: TextRange, because: &str) {
        if let Some(last) = self.findings.last_mut().filter(|_| !self.is_silent) {
            last.related.push(Related::here(cause, because));
        }
    }
}

/// To use one of two values: the one that differs from `written` only in its case, else either.
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

/// The problem of an error to which the server adds no detail.
fn bare_problem(error: ErrorType, field: &str) -> String {
    let name = name_of(field);
    match error {
        ErrorType::Required => format!("`{name}` is required"),
        ErrorType::Duplicate => format!("the value of `{name}` is a duplicate"),
        ErrorType::Forbidden => format!("`{name}` is not allowed here"),
        _ => format!("the value of `{name}` is invalid"),
    }
}
