//! What the server says of a value.

use std::sync::Arc;

use text::TextRange;

use super::failed::FailedRule;
use crate::field_path::{FieldPath, Segment};
use crate::message::Message;
use crate::printed::{MAX_SHOWN, shortened};
use crate::report::{ErrorType, ServerError};
use crate::schema::Keyword;
use crate::value::{Place, Value};

const STATUS: &str = "status";

/// How the server begins to say that it left out rules, as an error that comes with others.
pub const NOT_CHECKED: &str = "some validation rules were not checked because the object was invalid";

/// One error of the server on a value.
#[derive(Clone, Debug, PartialEq)]
pub struct ValueError {
    /// Its type.
    pub error: ErrorType,
    /// The field as the server names it: dotted for schemas, `<nil>` where it names none.
    pub field: String,
    /// From the root of the value that was checked to what is wrong; for something missing, to where it belongs.
    pub path: FieldPath,
    /// The value as the server prints it, of a list or object at most 1,000 bytes. None where it prints none.
    pub bad_value: Option<String>,
    /// The server's text; empty where it has none.
    pub detail: String,
    /// The value that is wrong, or what lacks something.
    pub place: Place,
    /// What in the schema is not met.
    pub rule: Option<Rule>,
    /// What else a message about it needs.
    pub facts: Option<Facts>,
}

/// What is known of an error beyond the server's text.
#[derive(Clone, Debug, PartialEq)]
pub enum Facts {
    /// What people read, where whoever found the error knows best.
    Message(Box<Message>),
    /// The value, which the server does not show.
    Value {
        /// Its type in JSON.
        type_name: &'static str,
        /// A scalar as JSON, of a text only the start; of others nothing.
        shown: Box<str>,
        /// What to write instead, where a text stands for an object that is known well enough.
        remedy: Option<Box<str>>,
    },
    /// The characters of a text that is too long.
    Length(usize),
    /// The values of an `enum`, as YAML.
    Allowed(Arc<str>),
    /// What the schemas of a junctor ask, as YAML, where that is short.
    Constraints(Box<str>),
    /// A rule in CEL.
    Rule(Box<FailedRule>),
}

impl Facts {
    pub(crate) fn message(message: Message) -> Option<Self> {
        Some(Self::Message(Box::new(message)))
    }
}

/// The keyword of a schema that a value does not meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Which.
    pub keyword: Keyword,
    /// Where it stands, in bytes of the text of the definition.
    pub range: TextRange,
}

impl ValueError {
    /// What the server reports, as in the `causes` of its answer.
    #[must_use]
    pub fn server_error(&self) -> ServerError {
        let value = self.bad_value.clone().unwrap_or_default();
        ServerError::of_value(self.error, self.field.clone(), value, self.detail.clone())
    }

    /// What the server reports at the endpoint `/status`, where the schema of the status alone is held against the status:
    /// names in texts begin there, and the status itself has none. None where the error is of another part of the object.
    /// Rules are evaluated on the whole.
    #[must_use]
    pub fn server_error_of_status(&self) -> Option<ServerError> {
        let mut answer = self.server_error();
        if !self.rule.is_some_and(|rule| !matches!(rule.keyword, Keyword::Validations)) {
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
pub(crate) fn shown(value: &Value) -> String {
    match value.as_str() {
        Some(_) => value.in_error(),
        None => shortened(value.start_in_error(MAX_SHOWN)),
    }
}

/// The field that the server names for `path` below `prefix`, with keys of maps in brackets.
pub(crate) fn field_of(prefix: &FieldPath, path: &FieldPath) -> String {
    let full = prefix.join(path.segments());
    if full.is_empty() { "<nil>".to_owned() } else { full.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the endpoint `/status` says of an error below `status`, or of the status itself.
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
