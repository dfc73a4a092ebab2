//! The texts of errors where they depend on the release or on the endpoint.

use api::{Difference, KubernetesVersion};
use crd::ServerError;
use crd::customresource::ValueError;
use crd::schema::Keyword;
use crd::value::Value;
use yaml::{Json, Reader, Tree};

/// The error as the release prints it: older ones print lists and objects as Go does, and null as a text.
pub(super) fn printed(error: &ServerError, server: KubernetesVersion) -> String {
    if server.has(Difference::JsonInErrors) {
        return error.message();
    }
    let value = match error.value.as_str() {
        "null" => "\"null\"".to_owned(),
        value if value.starts_with(['{', '[']) => {
            read(value).map_or_else(|| value.to_owned(), |value| go(&value))
        }
        value => value.to_owned(),
    };
    ServerError { value, ..error.clone() }.message()
}

fn read(json: &str) -> Option<Json> {
    let tree = Tree::parse(json);
    let document = tree.documents().next()?;
    yaml::decode(document).ok()?;
    Some(Value::read(document.root()?, &Reader::new(document)).to_json())
}

/// A value as Go's `%#v` prints it.
fn go(value: &Json) -> String {
    match value {
        Json::Null => "interface {}(nil)".to_owned(),
        Json::Array(items) => {
            let items: Vec<String> = items.iter().map(go).collect();
            format!("[]interface {{}}{{{}}}", items.join(", "))
        }
        Json::Object(members) => {
            let member =
                |(key, value): (&String, &Json)| format!("{}:{}", Json::String(key.clone()), go(value));
            let members: Vec<String> = members.iter().map(member).collect();
            format!("map[string]interface {{}}{{{}}}", members.join(", "))
        }
        scalar => scalar.to_string(),
    }
}

/// The error at the endpoint of the status, where only the status is held against its schema: the names in texts begin
/// there. None where it is of another part of the object. Rules are evaluated on the whole.
pub(super) fn of_status(error: &ValueError) -> Option<ServerError> {
    let mut answer = error.server_error();
    let is_of_schema = error.rule.as_ref().is_some_and(|rule| !matches!(rule.keyword, Keyword::Validations));
    if !is_of_schema {
        return Some(answer);
    }
    let first = error.path.segments().first().and_then(crd::Segment::key);
    if first.is_some_and(|first| first != "status") {
        return None;
    }
    if let Some(rest) = answer.detail.strip_prefix("status.") {
        answer.detail = rest.to_owned();
    } else if let Some(rest) = answer.detail.strip_prefix("\"status.") {
        answer.detail = format!("\"{rest}");
    }
    // The root is the status.
    if answer.field == "<nil>" {
        answer.field = "status".to_owned();
    }
    Some(answer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_releases_print_values_as_go_does() {
        let error = |value: &str| {
            ServerError::of_value(
                crd::ErrorType::Duplicate,
                "spec.l[1]".to_owned(),
                value.to_owned(),
                String::new(),
            )
        };
        let old = KubernetesVersion { minor: 32 };
        let objects = error(r#"{"a":"x","b":[1]}"#);
        assert_eq!(
            printed(&objects, old),
            r#"spec.l[1]: Duplicate value: map[string]interface {}{"a":"x", "b":[]interface {}{1}}"#
        );
        assert_eq!(
            printed(&objects, KubernetesVersion::NEWEST),
            r#"spec.l[1]: Duplicate value: {"a":"x","b":[1]}"#
        );
        assert_eq!(printed(&error("null"), old), r#"spec.l[1]: Duplicate value: "null""#);
    }
}
