//! What is known of a rule in CEL that a value does not pass, beside the server's text.

use crate::value::{Kind, Place, Value, float, quoted};

/// Characters of a text that are kept.
const LONGEST: usize = 40;

/// A rule that a value does not pass.
#[derive(Clone, Debug, PartialEq)]
pub struct FailedRule {
    /// The rule in CEL.
    pub expression: Box<str>,
    /// How it fails.
    pub failure: Failure,
    /// What it reads by way of fields, in the order of the rule.
    pub values: Vec<ReadValue>,
}

/// How a rule fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// It is false; with the words of its author, if there are any.
    False(Option<Box<str>>),
    /// The evaluation ends with this error.
    Error(Box<str>),
    /// It does not compile.
    NotCompiled,
    /// The server stops here, as the evaluation costs too much.
    Stopped {
        /// Whether it evaluates `messageExpression`.
        is_message: bool,
    },
}

/// A value that a rule reads.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadValue {
    /// The names of the fields from the value of the rule; none for that value itself.
    pub steps: Vec<String>,
    /// What it is called, with backticks.
    pub name: String,
    /// What it is.
    pub now: Seen,
    /// What is stored in its place, where the rule reads that, too.
    pub old: Option<Seen>,
    /// Whether the definition fills it in.
    pub is_default: bool,
    /// Where it was written.
    pub place: Place,
}

/// A value as a message shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Seen {
    /// There is none. The fields that are there, from the first one.
    Missing(usize),
    /// `null`
    Null,
    /// A boolean or a number as JSON.
    Scalar(Box<str>),
    /// A text in quotes, which may be cut.
    Text(Box<str>),
    /// A list of so many items.
    List(usize),
    /// An object, or a map.
    Map,
}

impl Seen {
    /// The value at `steps` below `value`, and that value itself.
    pub(super) fn at<'v>(value: &'v Value, steps: &[String]) -> (Self, Option<&'v Value>) {
        let mut value = value;
        for (at, step) in steps.iter().enumerate() {
            match value.get(step) {
                Some(below) => value = below,
                None => return (Self::Missing(at), None),
            }
        }
        let seen = match &value.kind {
            Kind::Null => Self::Null,
            Kind::List(items) => Self::List(items.len()),
            Kind::Map(_) => Self::Map,
            Kind::String(text) => Self::Text(quoted(&text::start(text, LONGEST)).into()),
            Kind::Bool(_) | Kind::Int(_) | Kind::Float(_) => {
                Self::Scalar(scalar(value).unwrap_or_default().into())
            }
        };
        (seen, Some(value))
    }
}

/// A scalar as a message shows it: a text in quotes, and only its start if it is long; none of lists and objects.
pub(super) fn scalar(value: &Value) -> Option<String> {
    match &value.kind {
        Kind::Null => Some("null".to_owned()),
        Kind::Bool(value) => Some(value.to_string()),
        Kind::Int(value) => Some(value.to_string()),
        Kind::Float(value) => Some(float(*value)),
        Kind::String(text) => Some(quoted(&text::start(text, LONGEST))),
        Kind::List(_) | Kind::Map(_) => None,
    }
}
