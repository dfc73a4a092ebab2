//! Details of a CEL rule that a value violates, in addition to the server's text.

use crate::value::{Kind, Place, Value, float, quoted};

/// The maximum number of characters of a text that are kept.
const LONGEST: usize = 40;

/// A CEL rule that a value violates.
#[derive(Clone, Debug, PartialEq)]
pub struct FailedRule {
    /// The rule in CEL.
    pub expression: Box<str>,
    /// The way in which the rule fails.
    pub failure: Failure,
    /// The fields that the rule reads, in the order of the rule.
    pub values: Vec<ReadValue>,
}

/// The way in which a rule fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The rule is false; contains the author's message, if there is one.
    False(Option<Box<str>>),
    /// The evaluation ends with this error.
    Error(Box<str>),
    /// The rule does not compile.
    NotCompiled,
    /// The server stops here because the evaluation costs too much.
    Stopped {
        /// Whether the server evaluates `messageExpression`.
        is_message: bool,
    },
}

/// A value that a rule reads.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadValue {
    /// The names of the fields from the value of the rule; empty for that value itself.
    pub steps: Vec<String>,
    /// The displayed name, with backticks.
    pub name: String,
    /// The current value.
    pub now: DisplayedValue,
    /// The stored value, if the rule reads it too.
    pub old: Option<DisplayedValue>,
    /// Whether the value is a default of the definition.
    pub is_default: bool,
    /// The place of the value in the text.
    pub place: Place,
}

/// A value in the form that messages show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DisplayedValue {
    /// The value is missing; contains the number of steps that exist, counted from the first.
    Missing(usize),
    /// `null`
    Null,
    /// A boolean or a number as JSON.
    Scalar(Box<str>),
    /// A text in quotes, possibly truncated.
    Text(Box<str>),
    /// A list, with the number of its items.
    List(usize),
    /// An object, or a map.
    Map,
}

impl DisplayedValue {
    /// The displayed form of the value at `steps` below `value`, and the value itself.
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

/// A scalar in the form that messages show: a text in quotes, truncated if it is long; `None` for lists and objects.
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
