//! Invalid values in the form that kube-apiserver prints after `Invalid value:`, from Kubernetes 1.34 on:
//! strings in Go's quotes, lists and objects as JSON.

mod structs;

use yaml::Json;

use crate::schema::structural::ValidationRule;

pub(crate) use structs::{schema, schemas, version_of_name, versions};

/// The maximum length of a printed list or object, in bytes.
pub(crate) const MAX_SHOWN: usize = 1_000;

/// `text`, truncated to the maximum length.
pub(crate) fn shortened(mut text: String) -> String {
    if text.len() > MAX_SHOWN {
        text.truncate(text::floor_char_boundary(&text, MAX_SHOWN));
        text.push('…');
        text.shrink_to_fit();
    }
    text
}

/// A string in JSON.
pub(crate) fn json_string(text: &str) -> String {
    Json::String(text.to_owned()).to_string()
}

/// A list of strings in JSON.
pub(crate) fn json_strings<T: AsRef<str>>(items: impl IntoIterator<Item = T>) -> String {
    list(items.into_iter().map(|item| json_string(item.as_ref())))
}

/// A list of printed `items`. Items beyond the maximum length are not printed.
pub(crate) fn list(items: impl IntoIterator<Item = String>) -> String {
    let mut list = "[".to_owned();
    for item in items {
        if list.len() > MAX_SHOWN {
            break;
        }
        if list.len() > 1 {
            list.push(',');
        }
        list.push_str(&item);
    }
    list.push(']');
    shortened(list)
}

/// A rule, with the field names of the server's internal type.
pub(crate) fn rule(rule: &ValidationRule) -> String {
    let reason = rule.reason.as_deref().map_or_else(|| "null".to_owned(), json_string);
    let optional_old_self =
        rule.optional_old_self.map_or_else(|| "null".to_owned(), |value| value.to_string());
    shortened(format!(
        r#"{{"Rule":{},"Message":{},"MessageExpression":{},"Reason":{reason},"FieldPath":{},"OptionalOldSelf":{optional_old_self}}}"#,
        json_string(&rule.rule),
        json_string(&rule.message),
        json_string(&rule.message_expression),
        json_string(&rule.field_path),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_list_is_truncated() {
        assert_eq!(json_strings(["a", "<b>"]), r#"["a","\u003cb\u003e"]"#);
        assert_eq!(json_strings::<&str>([]), "[]");
        let long = json_strings(std::iter::repeat_n("some name", 1_000_000));
        assert!(long.len() <= MAX_SHOWN + '…'.len_utf8() && long.ends_with('…'), "{long}");
    }
}
