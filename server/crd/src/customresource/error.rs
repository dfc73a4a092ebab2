//! What the server says of a value.

use text::TextRange;

use crate::field_path::FieldPath;
use crate::printed::{MAX_SHOWN, shortened};
use crate::report::{ErrorType, ServerError};
use crate::schema::Keyword;
use crate::value::{Place, Value};

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
