//! The texts of errors that depend on the release.

use api::{Difference, KubernetesVersion};
use crd::ServerError;
use crd::value::Value;
use yaml::{Json, Reader, Tree};

/// The error as the release prints it: older releases print lists and objects as Go does, and null as a text.
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
