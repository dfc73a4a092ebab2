//! A short description of a version's declaration of a field.

use std::borrow::Cow;
use std::fmt;

use super::same;
use crate::schema::structural::{Structural, ValueValidation};

/// The maximum length of an enumeration in a table, in characters.
const WIDEST: usize = 60;
/// The maximum length of a condition.
const WIDEST_CONDITION: usize = 40;

/// The prefix of rules among the conditions.
const RULE: &str = "rule ";

/// The declaration of a field in one version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldDeclaration {
    type_name: String,
    /// The values of `enum`, as JSON.
    allowed: Vec<String>,
    /// `default`, as JSON.
    default: Option<String>,
    /// The other conditions on values.
    conditions: Vec<String>,
    required: bool,
}

impl FieldDeclaration {
    /// The declaration of a field by `schema`.
    #[must_use]
    pub fn of(schema: &Structural, required: bool) -> Self {
        let type_name = match &*schema.generic.type_name {
            _ if schema.extensions.int_or_string => "int-or-string",
            "" => "any",
            name => name,
        };
        let allowed = schema.value_validation.enumeration.iter().map(|value| value.to_json().to_string());
        Self {
            type_name: type_name.to_owned(),
            allowed: allowed.collect(),
            default: schema.generic.default.as_ref().map(|default| default.to_json().to_string()),
            conditions: conditions(schema),
            required,
        }
    }

    /// The type, or `int-or-string` or `any`.
    #[must_use]
    pub fn type_name(&self) -> &str {
        &self.type_name
    }

    /// The values of `enum`, as JSON.
    #[must_use]
    pub fn allowed(&self) -> &[String] {
        &self.allowed
    }

    /// `default`, as JSON.
    #[must_use]
    pub fn default(&self) -> Option<&str> {
        self.default.as_deref()
    }

    /// The other conditions on values, without the rules.
    pub fn bounds(&self) -> impl Iterator<Item = &str> {
        let all = self.conditions.iter().map(String::as_str);
        all.filter(|condition| !condition.starts_with(RULE))
    }

    /// A shorter description for display beside `others`. It omits the conditions that all of them share; of
    /// a long enumeration, it lists only the values that some of them lack. Long conditions are truncated.
    #[must_use]
    pub fn summary_beside(&self, others: &[&Self]) -> String {
        let (own, shared): (Vec<&String>, Vec<&String>) =
            self.allowed.iter().partition(|value| others.iter().any(|other| !other.allowed.contains(value)));
        let all = self.allowed.join("|");
        let allowed = match (all.chars().count() > WIDEST && !shared.is_empty(), own.as_slice()) {
            (false, _) => all,
            (true, []) => format!("{} values", self.allowed.len()),
            (true, own) => {
                let own: Vec<&str> = own.iter().map(|value| value.as_str()).collect();
                format!("{} and {} other values", own.join("|"), shared.len())
            }
        };
        let is_own =
            |one: &&String| others.is_empty() || others.iter().any(|other| !other.conditions.contains(one));
        self.description(
            allowed,
            self.conditions.iter().filter(is_own).map(|one| text::start(one, WIDEST_CONDITION)),
        )
    }

    fn description<'c>(&self, allowed: String, conditions: impl Iterator<Item = Cow<'c, str>>) -> String {
        let mut parts = vec![self.type_name.clone()];
        parts.extend(Some(allowed).filter(|allowed| !allowed.is_empty()));
        parts.extend(self.default.iter().map(|default| format!("default {default}")));
        parts.extend(conditions.map(Cow::into_owned));
        parts.extend(self.required.then(|| "required".to_owned()));
        parts.join(", ")
    }
}

impl fmt::Display for FieldDeclaration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            &self.description(self.allowed.join("|"), self.conditions.iter().map(|one| one.as_str().into())),
        )
    }
}

fn conditions(schema: &Structural) -> Vec<String> {
    let values = &schema.value_validation;
    let mut all: Vec<String> = schema.generic.nullable.then(|| "nullable".to_owned()).into_iter().collect();
    all.extend((!values.format.is_empty()).then(|| format!("format {}", values.format)));
    all.extend(bounds(values));
    all.extend(values.pattern.as_ref().map(|pattern| format!("pattern {}", pattern.as_str())));
    // A list without a list type is atomic.
    let list = schema.extensions.list_type.as_deref().filter(|of| *of != "atomic");
    all.extend(list.map(|of| format!("list type {of}")));
    let junctors = [("allOf", &values.all_of), ("oneOf", &values.one_of), ("anyOf", &values.any_of)];
    for (name, branches) in junctors {
        let is_redundant = schema.extensions.int_or_string && same::names_both_types(branches);
        all.extend((!branches.is_empty() && !is_redundant).then(|| format!("{name} of {}", branches.len())));
    }
    all.extend(values.not.is_some().then(|| "not".to_owned()));
    let rule = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    all.extend(schema.validations.iter().map(|one| format!("{RULE}{}", rule(&one.rule))));
    all
}

fn bounds(values: &ValueValidation) -> Vec<String> {
    let exclusive = |name: &str, is: bool| if is { format!("{name} (exclusive)") } else { name.to_owned() };
    let numbers = [
        (exclusive("minimum", values.exclusive_minimum), values.minimum),
        (exclusive("maximum", values.exclusive_maximum), values.maximum),
        ("multipleOf".to_owned(), values.multiple_of),
    ];
    let sizes = [
        ("minLength", values.min_length),
        ("maxLength", values.max_length),
        ("minItems", values.min_items),
        ("maxItems", values.max_items),
        ("minProperties", values.min_properties),
        ("maxProperties", values.max_properties),
    ];
    let numbers = numbers.iter().filter_map(|(name, bound)| Some(format!("{name} {}", (*bound)?)));
    numbers.chain(sizes.iter().filter_map(|(name, bound)| Some(format!("{name} {}", (*bound)?)))).collect()
}
