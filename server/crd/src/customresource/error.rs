//! The server's errors on values.

use std::sync::Arc;

use text::TextRange;

use super::failed_rule::FailedRule;
use crate::field_path::{FieldPath, Segment};
use crate::message::Message;
use crate::printed::{MAX_SHOWN, shortened};
use crate::report::{ErrorType, ServerError};
use crate::schema::Keyword;
use crate::value::{Place, Value};

const STATUS: &str = "status";

/// The beginning of the server's error that it skipped rules; it is reported only with other errors.
pub const NOT_CHECKED: &str = "some validation rules were not checked because the object was invalid";

/// One error of the server on a value.
#[derive(Clone, Debug, PartialEq)]
pub struct ValueError {
    /// Its type.
    pub error: ErrorType,
    /// The field as the server names it: dotted for schemas, `<nil>` where it names none.
    pub field: String,
    /// The path from the root of the checked value to the wrong value; for a missing value, to its place.
    pub path: FieldPath,
    /// The value as the server prints it, of a list or object at most 1,000 bytes. `None` if it prints none.
    pub bad_value: Option<String>,
    /// The server's text; may be empty.
    pub detail: String,
    /// The wrong value, or the value in which something is missing.
    pub place: Place,
    /// The keyword of the schema that the value violates.
    pub rule: Option<Rule>,
    /// Further facts that a message about the error needs.
    pub facts: Option<Facts>,
}

/// Facts about an error that the server's text does not contain.
#[derive(Clone, Debug, PartialEq)]
pub enum Facts {
    /// The message, if the check that found the error provides it.
    Message(Box<Message>),
    /// The value, if the server does not print it.
    Value {
        /// Its type in JSON.
        type_name: &'static str,
        /// The start of a string, or another scalar as JSON; empty for other values.
        shown: Box<str>,
        /// The replacement, if a string was written for an object whose schema is known well enough.
        remedy: Option<Box<str>>,
    },
    /// The number of characters of a string that is too long.
    Length(usize),
    /// The values of an `enum`, as YAML.
    Allowed(Arc<str>),
    /// The constraints in the schemas of a junctor, as YAML, if they are short.
    Constraints(Box<str>),
    /// A rule in CEL.
    Rule(Box<FailedRule>),
}

impl Facts {
    pub(crate) fn message(message: Message) -> Option<Self> {
        Some(Self::Message(Box::new(message)))
    }
}

/// The keyword of a schema that a value violates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The keyword.
    pub keyword: Keyword,
    /// The range of the keyword, in bytes of the text of the definition.
    pub range: TextRange,
}

impl ValueError {
    /// Whether the value has another type than its schema requires, or a format that does not match.
    pub(crate) fn is_of_type(&self) -> bool {
        use Keyword::{Format, IntOrString, Nullable, Type};
        self.rule.is_some_and(|rule| matches!(rule.keyword, Format | IntOrString | Nullable | Type))
    }

    /// The server's error, as in the `causes` of its answer.
    #[must_use]
    pub fn server_error(&self) -> ServerError {
        let value = self.bad_value.clone().unwrap_or_default();
        ServerError::of_value(self.error, self.field.clone(), value, self.detail.clone())
    }

    /// The server's error at the endpoint `/status`. There, the server validates the status alone by the
    /// schema of the status: names in texts begin at the status, and the status itself has no name. `None` if
    /// the error is in another part of the object. Rules are evaluated on the whole object.
    #[must_use]
    pub fn server_error_of_status(&self) -> Option<ServerError> {
        let mut answer = self.server_error();
        if self.rule.is_none_or(|rule| matches!(rule.keyword, Keyword::Validations)) {
            return Some(answer);
        }
        let first = self.path.segments().first().and_then(Segment::key);
        if first.is_some_and(|first| first != STATUS) {
            return None;
        }
        let detail = &mut answer.detail;
        let (quote, rest) = match detail.strip_prefix('"') {
            Some(rest) => ("\"", rest),
            None => ("", detail.as_str()),
        };
        match rest.strip_prefix(STATUS) {
            Some(rest) if rest.starts_with(' ') && quote.is_empty() => *detail = rest.to_owned(),
            Some(rest) if rest.starts_with('.') => *detail = format!("{quote}{}", &rest[1..]),
            _ => {}
        }
        // The root is the status.
        if answer.field == "<nil>" {
            answer.field = STATUS.to_owned();
        }
        Some(answer)
    }

    /// The error as the server prints it in a text (Kubernetes 1.34 and newer).
    #[must_use]
    pub fn message(&self) -> String {
        self.server_error().message()
    }
}

/// `value` as an error shows it.
pub(crate) fn error_text(value: &Value) -> String {
    match value.as_str() {
        Some(_) => value.in_error(),
        None => shortened(value.start_in_error(MAX_SHOWN)),
    }
}

/// The field name in the server's error for `path` below `prefix`, with keys of maps in brackets.
pub(crate) fn field_of(prefix: &FieldPath, path: &FieldPath) -> String {
    let full = prefix.join(path.segments());
    if full.is_empty() { "<nil>".to_owned() } else { full.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The field and the detail at the endpoint `/status` for an error at `path`.
    fn at_status(path: FieldPath, detail: &str) -> Option<(String, String)> {
        let error = ValueError {
            error: ErrorType::Invalid,
            field: field_of(&FieldPath::root(), &path),
            path,
            bad_value: None,
            detail: detail.to_owned(),
            place: Place::Nowhere,
            rule: Some(Rule { keyword: Keyword::Type, range: TextRange::default() }),
            facts: None,
        };
        error.server_error_of_status().map(|answer| (answer.field, answer.detail))
    }

    #[test]
    fn names_begin_at_the_status() {
        let status = FieldPath::root().child("status");
        let answer = |field: &str, detail: &str| Some((field.to_owned(), detail.to_owned()));
        assert_eq!(
            at_status(status.child("size"), "status.size in body must be of type integer: \"string\""),
            answer("status.size", "size in body must be of type integer: \"string\"")
        );
        assert_eq!(
            at_status(status.clone(), "status in body must be of type object: \"string\""),
            answer("status", " in body must be of type object: \"string\"")
        );
        assert_eq!(
            at_status(status.child("a"), "\"status.a\" must not validate the schema (not)"),
            answer("status.a", "\"a\" must not validate the schema (not)")
        );
        assert_eq!(at_status(FieldPath::root().child("spec"), "spec in body must be of type object"), None);
    }
}
