//! The values that the scale endpoint reads and writes.

use super::error::{Facts, ValueError, error_text};
use super::failed_rule::scalar;
use super::version::Scale;
use crate::field_path::{FieldPath, Segment};
use crate::message::Message;
use crate::printed::shortened;
use crate::report::ErrorType;
use crate::value::{Kind, Value, float};

/// The server's errors for the replicas and the selector of `resource`.
pub(super) fn validate_scale(resource: &Value, scale: &Scale) -> Vec<ValueError> {
    let mut errors = Vec::new();
    for path in [&scale.spec_replicas, &scale.status_replicas] {
        let detail = match find(resource, path) {
            Err(wrong) => {
                Some((wrong.describe("int64"), Some(Value::made(Kind::Int(0))), wrong.message("an integer")))
            }
            Ok(None) => None,
            Ok(Some(value)) => match value.kind {
                Kind::Int(number @ ..0) => Some((
                    "should be a non-negative integer".to_owned(),
                    None,
                    Message::new(format!("{number} is less than 0")).advise("use 0 or more"),
                )),
                Kind::Int(number @ 2_147_483_648..) => Some((
                    "should be less than or equal to 2147483647".to_owned(),
                    None,
                    Message::new(format!("{number} exceeds the maximum 2147483647"))
                        .advise("use 2147483647 or less"),
                )),
                Kind::Int(_) => None,
                _ => {
                    let wrong = WrongType { path: path.clone(), value, expected: None };
                    let zero = Some(Value::made(Kind::Int(0)));
                    Some((wrong.describe("int64"), zero, wrong.message("an integer")))
                }
            },
        };
        if let Some((detail, zero, message)) = detail {
            errors.push(error(resource, path, detail, zero, message));
        }
    }
    if let Some(path) = &scale.label_selector {
        let wrong = match find(resource, path) {
            Err(wrong) => Some(wrong),
            Ok(Some(value)) if value.as_str().is_none() => {
                Some(WrongType { path: path.clone(), value, expected: None })
            }
            Ok(_) => None,
        };
        if let Some(wrong) = wrong {
            let empty = Some(Value::text(""));
            let message = wrong.message("a string");
            errors.push(error(resource, path, wrong.describe("string"), empty, message));
        }
    }
    errors
}

/// A value of the wrong type on a path or at its end.
struct WrongType<'v> {
    /// With the leading dot.
    path: String,
    value: &'v Value,
    /// The expected type, if the value is not at the end of the path.
    expected: Option<&'static str>,
}

impl WrongType<'_> {
    /// The message for the value; `at_end` is the type that the scale endpoint requires at the end of the path.
    fn message(&self, at_end: &str) -> Message {
        let path = self.path.strip_prefix('.').unwrap_or(&self.path);
        // The path of the value that should be an object, without the name of its missing field.
        let (path, wanted) = match self.expected {
            Some(_) => (path.rsplit_once('.').map_or(path, |(above, _)| above), "an object"),
            None => (path, at_end),
        };
        let actual = match (&self.value.kind, scalar(self.value)) {
            (Kind::Float(_) | Kind::Bool(_), Some(shown)) => shown,
            (Kind::Map(_) | Kind::Int(_) | Kind::List(_), _) => format!("an {}", self.value.type_name()),
            _ => format!("a {}", self.value.type_name()),
        };
        Message::new(format!("`{path}` is {actual}, but the scale subresource needs {wanted}"))
            .advise(format!("make the value and its `type` in the definition {wanted}"))
    }

    fn describe(&self, at_end: &str) -> String {
        let ty = match &self.value.kind {
            Kind::Null => "<nil>",
            Kind::Bool(_) => "bool",
            Kind::Int(_) => "int64",
            Kind::Float(_) => "float64",
            Kind::String(_) => "string",
            Kind::List(_) => "[]interface {}",
            Kind::Map(_) => "map[string]interface {}",
        };
        let printed = shortened(printed(self.value));
        let expected = self.expected.unwrap_or(at_end);
        let path = self.path.strip_prefix('.').unwrap_or(&self.path);
        format!(".{path} accessor error: {printed} is of the type {ty}, expected {expected}")
    }
}

/// A value in the form that Go's `%v` prints.
fn printed(value: &Value) -> String {
    match &value.kind {
        Kind::Null => "<nil>".to_owned(),
        Kind::Bool(value) => value.to_string(),
        Kind::Int(value) => value.to_string(),
        Kind::Float(value) => float(*value),
        Kind::String(text) => text.to_string(),
        Kind::List(items) => {
            let items: Vec<String> = items.iter().map(printed).collect();
            format!("[{}]", items.join(" "))
        }
        Kind::Map(map) => {
            let members = map.iter().map(|(key, member)| format!("{key}:{}", printed(&member.value)));
            format!("map[{}]", members.collect::<Vec<_>>().join(" "))
        }
    }
}

/// The value at a path such as `.spec.replicas`, if it exists.
fn find<'v>(resource: &'v Value, path: &str) -> Result<Option<&'v Value>, WrongType<'v>> {
    let mut value = resource;
    let mut walked = String::new();
    for name in names(path) {
        match &value.kind {
            Kind::Null => return Ok(None),
            Kind::Map(map) => match map.get(name) {
                Some(member) => value = &member.value,
                None => return Ok(None),
            },
            _ => {
                walked.push('.');
                walked.push_str(name);
                return Err(WrongType { path: walked, value, expected: Some("map[string]interface{}") });
            }
        }
        walked.push('.');
        walked.push_str(name);
    }
    Ok(Some(value))
}

fn names(path: &str) -> impl Iterator<Item = &str> {
    path.strip_prefix('.').unwrap_or(path).split('.')
}

/// The server prints zero for a value that it cannot decode.
fn error(resource: &Value, path: &str, detail: String, shows: Option<Value>, message: Message) -> ValueError {
    let value = find(resource, path).ok().flatten();
    let segments: Vec<Segment> = names(path).map(|name| Segment::Name(name.to_owned().into())).collect();
    ValueError {
        error: ErrorType::Invalid,
        field: path.to_owned(),
        path: FieldPath::from(segments),
        bad_value: shows.as_ref().or(value).map(error_text),
        detail,
        place: value.map(|value| value.place).unwrap_or_default(),
        rule: None,
        facts: Facts::message(message),
    }
}
