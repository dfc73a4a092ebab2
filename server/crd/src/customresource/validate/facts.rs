//! Facts that messages add to the server's text of an error.

use std::sync::Arc;

use super::Validator;
use super::node::SchemaNode;
use crate::customresource::error::Facts;
use crate::customresource::failed_rule::scalar;
use crate::schema::Keyword;
use crate::schema::structural::{Child, NestedValueValidation};
use crate::value::{Value, float};

/// The maximum length of a displayed constraint, in bytes.
const LONGEST: usize = 60;

impl Validator<'_, '_> {
    pub(super) fn facts(&self, value: &Value, node: SchemaNode<'_>, keyword: Keyword) -> Option<Facts> {
        let validation = node.validation();
        match keyword {
            Keyword::Type | Keyword::Nullable | Keyword::IntOrString | Keyword::Format => {
                let shown = scalar(value).unwrap_or_default().into();
                let remedy = value.as_str().and_then(|text| node.object_of(text)).map(String::into);
                Some(Facts::Value { type_name: value.type_name(), shown, remedy })
            }
            Keyword::MaxLength => Some(Facts::Length(value.as_str()?.chars().count())),
            Keyword::Enum => Some(Facts::Allowed(self.allowed(&validation.enumeration))),
            Keyword::Not => constraints(validation.not.as_slice()),
            Keyword::AnyOf => constraints(&validation.any_of),
            Keyword::OneOf => constraints(&validation.one_of),
            _ => None,
        }
    }

    /// The possible values of an `enum`, in the form of a message's list. The last list is cached because many
    /// values may have the same `enum`.
    fn allowed(&self, allowed: &[Value]) -> Arc<str> {
        let mut known = self.allowed.borrow_mut();
        if let Some((_, words)) = known.as_ref().filter(|(of, _)| *of == allowed.as_ptr()) {
            return Arc::clone(words);
        }
        // Null never equals an entry.
        let names = allowed.iter().filter(|value| !value.is_null());
        let names: Vec<String> = names.map(|value| format!("`{}`", as_yaml(value))).collect();
        let words: Arc<str> = names.join(", ").into();
        *known = Some((allowed.as_ptr(), Arc::clone(&words)));
        words
    }
}

/// The constraints of each branch, if all of them are simple and short.
fn constraints(branches: &[Child<NestedValueValidation>]) -> Option<Facts> {
    let mut all = String::new();
    for branch in branches {
        let separator = if all.is_empty() { "" } else { " or " };
        all.push_str(separator);
        all.push_str(&format!("`{}`", constraint(&branch.node)?));
        if all.len() > LONGEST {
            return None;
        }
    }
    (!all.is_empty()).then(|| Facts::Constraints(all.into()))
}

/// The only keyword of a branch with its value; `None` if the branch has several keywords or an unsupported one.
fn constraint(branch: &NestedValueValidation) -> Option<String> {
    let validation = &*branch.value_validation;
    let is_nested = !branch.properties.is_empty()
        || branch.items.is_some()
        || branch.additional_properties.is_some()
        || !branch.validations.is_empty()
        || !branch.forbidden_generics.type_name.is_empty()
        || validation.not.is_some()
        || [&validation.all_of, &validation.any_of, &validation.one_of].iter().any(|all| !all.is_empty());
    if is_nested || validation.exclusive_minimum || validation.exclusive_maximum || validation.unique_items {
        return None;
    }
    let list = |items: Vec<String>| (!items.is_empty()).then(|| format!("[{}]", items.join(", ")));
    let whole = |value: Option<i64>| value.map(|value| value.to_string());
    let text = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    let required = validation.required.iter().take(LONGEST).map(|(name, _)| name.to_string()).collect();
    let values = validation.enumeration.iter().take(LONGEST).map(as_yaml).collect();
    let keywords = [
        (Keyword::Enum, list(values)),
        (Keyword::Required, list(required)),
        (Keyword::Format, text(&validation.format)),
        (Keyword::Pattern, validation.pattern.as_ref().map(|pattern| pattern.as_str().to_owned())),
        (Keyword::Minimum, validation.minimum.map(float)),
        (Keyword::Maximum, validation.maximum.map(float)),
        (Keyword::MultipleOf, validation.multiple_of.map(float)),
        (Keyword::MinLength, whole(validation.min_length)),
        (Keyword::MaxLength, whole(validation.max_length)),
        (Keyword::MinItems, whole(validation.min_items)),
        (Keyword::MaxItems, whole(validation.max_items)),
        (Keyword::MinProperties, whole(validation.min_properties)),
        (Keyword::MaxProperties, whole(validation.max_properties)),
    ];
    let mut set = keywords.into_iter().filter_map(|(keyword, value)| Some((keyword, value?)));
    let (keyword, value) = set.next()?;
    let is_plain = set.next().is_none() && !value.contains(['`', '\n']);
    is_plain.then(|| format!("{}: {value}", keyword.as_str()))
}

/// A value in YAML on one line.
fn as_yaml(value: &Value) -> String {
    match value.as_str() {
        Some(text) => yaml::edit::scalar(text),
        None => value.to_json().to_string(),
    }
}
