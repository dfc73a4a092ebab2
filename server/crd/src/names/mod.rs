//! The rules for names that the API machinery shares (`k8s.io/apimachinery`, `util/validation` and
//! `api/validate/content`). Each function returns the server's messages; the list is empty if the name is
//! valid.

use api::{Difference, KubernetesVersion};

pub(crate) use name_messages::{API_VERSION, TOO_LONG, add_to_owner, in_words, subject_of};

mod name_messages;

/// The maximum length of a label, in bytes.
const LABEL: usize = 63;
/// The maximum length of a subdomain, in bytes.
const SUBDOMAIN: usize = 253;

/// `IsDNS1035Label`.
pub(crate) fn dns_1035_label(value: &str) -> Vec<String> {
    let mut messages = too_long(value, LABEL, "characters");
    let starts = value.starts_with(|first: char| first.is_ascii_lowercase());
    if !starts || !is_label(value) {
        messages.push("a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')".to_owned());
    }
    messages
}

/// `IsDNS1123Subdomain`.
pub(crate) fn dns_1123_subdomain(value: &str) -> Vec<String> {
    subdomain(value, "characters")
}

fn subdomain(value: &str, unit: &str) -> Vec<String> {
    let mut messages = too_long(value, SUBDOMAIN, unit);
    if !value.split('.').all(is_label) {
        messages.push("a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')".to_owned());
    }
    messages
}

/// `IsLabelKey`, which was `IsQualifiedName` until 1.34.
pub(crate) fn label_key(value: &str, version: KubernetesVersion) -> Vec<String> {
    let unit = unit(version);
    let (prefix, name) = match value.split('/').collect::<Vec<_>>().as_slice() {
        [name] => (None, *name),
        [prefix, name] => (Some(*prefix), *name),
        _ => {
            let what = if version.has(Difference::LabelWords) { "valid label key" } else { "qualified name" };
            return vec![format!(
                "a {what} {NAME_PART} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"
            )];
        }
    };
    let mut messages = match prefix {
        Some("") => vec!["prefix part must be non-empty".to_owned()],
        Some(prefix) => {
            subdomain(prefix, unit).into_iter().map(|text| format!("prefix part {text}")).collect()
        }
        None => Vec::new(),
    };
    if name.is_empty() {
        messages.push("name part must be non-empty".to_owned());
    }
    messages.extend(too_long(name, LABEL, unit).into_iter().map(|text| format!("name part {text}")));
    if !is_name_part(name) {
        messages.push(format!("name part {NAME_PART}"));
    }
    messages
}

const NAME_PART: &str = "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

/// `IsLabelValue`.
pub(crate) fn label_value(value: &str, version: KubernetesVersion) -> Vec<String> {
    let mut messages = too_long(value, LABEL, unit(version));
    if !value.is_empty() && !is_name_part(value) {
        messages.push("a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')".to_owned());
    }
    messages
}

/// `IsPathSegmentName`; as a prefix, `.` and `..` are valid.
pub(crate) fn path_segment(value: &str, is_prefix: bool) -> Vec<String> {
    if !is_prefix && matches!(value, "." | "..") {
        return vec![format!("may not be '{value}'")];
    }
    ['/', '%']
        .into_iter()
        .filter(|forbidden| value.contains(*forbidden))
        .map(|forbidden| format!("may not contain '{forbidden}'"))
        .collect()
}

/// The unit of the lengths of labels in the server's messages.
fn unit(version: KubernetesVersion) -> &'static str {
    if version.has(Difference::LabelWords) { "bytes" } else { "characters" }
}

fn too_long(value: &str, limit: usize, unit: &str) -> Vec<String> {
    let message = || format!("{TOO_LONG}{limit} {unit}");
    (value.len() > limit).then(message).into_iter().collect()
}

/// `[a-z0-9]([-a-z0-9]*[a-z0-9])?`.
fn is_label(value: &str) -> bool {
    let is_end = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let bytes = value.as_bytes();
    bytes.first().is_some_and(is_end)
        && bytes.last().is_some_and(is_end)
        && bytes.iter().all(|byte| is_end(byte) || *byte == b'-')
}

/// `([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]`.
fn is_name_part(value: &str) -> bool {
    let bytes = value.as_bytes();
    bytes.first().is_some_and(u8::is_ascii_alphanumeric)
        && bytes.last().is_some_and(u8::is_ascii_alphanumeric)
        && bytes.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use crate::names::*;

    const V34: KubernetesVersion = KubernetesVersion { minor: 34 };
    const V35: KubernetesVersion = KubernetesVersion { minor: 35 };

    #[test]
    fn labels_begin_with_a_letter_and_subdomains_need_not() {
        assert!(dns_1035_label("v1alpha1").is_empty());
        assert_eq!(dns_1035_label("1v").len(), 1);
        assert_eq!(dns_1035_label("").len(), 1);
        assert_eq!(dns_1035_label(&"A".repeat(64)).len(), 2);
        assert!(dns_1123_subdomain("1.example-2.com").is_empty());
        assert_eq!(dns_1123_subdomain("example..com").len(), 1);
        assert_eq!(dns_1123_subdomain("-example.com").len(), 1);
    }

    #[test]
    fn keys_have_at_most_one_prefix() {
        assert!(label_key("example.com/My_Name", V35).is_empty());
        assert_eq!(label_key("/name", V35), ["prefix part must be non-empty"]);
        assert_eq!(label_key("a/", V35).len(), 2);
        assert!(label_key("a/b/c", V35)[0].starts_with("a valid label key must consist"));
        assert!(label_key("a/b/c", V34)[0].starts_with("a qualified name must consist"));
        let long = "a".repeat(64);
        assert_eq!(label_key(&long, V35), ["name part must be no more than 63 bytes"]);
        assert_eq!(label_key(&long, V34), ["name part must be no more than 63 characters"]);
    }

    #[test]
    fn values_may_be_empty() {
        assert!(label_value("", V35).is_empty());
        assert_eq!(label_value("-", V35).len(), 1);
    }

    #[test]
    fn url_segments_contain_no_separator() {
        assert_eq!(path_segment("a/b%", false), ["may not contain '/'", "may not contain '%'"]);
        assert_eq!(path_segment("..", false), ["may not be '..'"]);
        assert!(path_segment("..", true).is_empty());
    }
}
