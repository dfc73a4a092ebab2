//! The schemas that apply to one value: its own, those of `allOf`, and the first branch of each choice.

use std::collections::BTreeMap;

use yaml::Json;

type Object = BTreeMap<String, Json>;

/// The schemas of a value.
#[derive(Clone, Debug, Default)]
pub(super) struct View<'j> {
    schemas: Vec<&'j Object>,
}

impl<'j> View<'j> {
    pub(super) fn new(schema: &'j Object) -> Self {
        let mut view = Self::default();
        view.add(schema);
        view
    }

    fn add(&mut self, schema: &'j Object) {
        self.schemas.push(schema);
        for (junctor, most) in [("allOf", usize::MAX), ("oneOf", 1), ("anyOf", 1)] {
            if let Some(Json::Array(branches)) = schema.get(junctor) {
                for branch in branches.iter().take(most) {
                    if let Json::Object(branch) = branch {
                        self.add(branch);
                    }
                }
            }
        }
    }

    /// The value of that keyword, in the first schema that has it.
    pub(super) fn keyword(&self, name: &str) -> Option<&'j Json> {
        self.schemas.iter().find_map(|schema| schema.get(name))
    }

    /// All values of that keyword.
    pub(super) fn all(&self, name: &str) -> impl Iterator<Item = &'j Json> {
        self.schemas.iter().filter_map(move |schema| schema.get(name))
    }

    /// The number that satisfies all schemas, selected by `choose`.
    pub(super) fn number(&self, name: &str, choose: fn(f64, f64) -> f64) -> Option<f64> {
        self.all(name).filter_map(as_number).reduce(choose)
    }

    pub(super) fn is_true(&self, name: &str) -> bool {
        self.all(name).any(|value| *value == Json::Bool(true))
    }

    pub(super) fn text(&self, name: &str) -> &'j str {
        self.keyword(name).and_then(Json::as_str).unwrap_or_default()
    }

    /// The names of the properties in alphabetical order, required ones first.
    pub(super) fn names(&self) -> Vec<&'j str> {
        let mut names: Vec<&str> = self
            .all("properties")
            .filter_map(|properties| match properties {
                Json::Object(properties) => Some(properties.keys().map(String::as_str)),
                _ => None,
            })
            .flatten()
            .collect();
        names.sort_by_key(|name| (!self.requires(name), *name));
        names.dedup();
        names
    }

    pub(super) fn has_properties(&self) -> bool {
        self.keyword("properties").is_some()
    }

    pub(super) fn declares(&self, name: &str) -> bool {
        self.names().contains(&name)
    }

    /// The names of the required properties.
    pub(super) fn required(&self) -> Vec<&'j str> {
        let mut names: Vec<&str> = self
            .all("required")
            .flat_map(|names| match names {
                Json::Array(names) => names.as_slice(),
                _ => &[],
            })
            .filter_map(Json::as_str)
            .collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    pub(super) fn requires(&self, name: &str) -> bool {
        self.required().contains(&name)
    }

    /// The schemas of a property. For an undeclared property, those of `additionalProperties`.
    pub(super) fn property(&self, name: &str) -> Self {
        let mut view = Self::default();
        for properties in self.all("properties") {
            if let Json::Object(properties) = properties
                && let Some(Json::Object(schema)) = properties.get(name)
            {
                view.add(schema);
            }
        }
        if view.schemas.is_empty() { self.below("additionalProperties") } else { view }
    }

    /// The schemas of items or of undeclared properties.
    pub(super) fn below(&self, keyword: &str) -> Self {
        let mut view = Self::default();
        for schema in self.all(keyword) {
            if let Json::Object(schema) = schema {
                view.add(schema);
            }
        }
        view
    }

    /// Whether the schema itself states a value.
    pub(super) fn has_fixed_value(&self) -> bool {
        ["default", "example", "enum"].iter().any(|name| self.keyword(name).is_some())
    }

    /// The constraints and the default of the value, in words.
    pub(super) fn facts(&self) -> Option<String> {
        let mut facts = Vec::new();
        if let Some(Json::Array(choices)) = self.keyword("enum") {
            let choices: Vec<String> = choices.iter().map(ToString::to_string).collect();
            facts.push(format!("one of {}", choices.join(", ")));
        }
        if let Some(default) = self.keyword("default") {
            facts.push(format!("default {default}"));
        }
        for name in
            ["format", "minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "pattern"]
        {
            if let Some(value) = self.keyword(name) {
                let value = if let Json::String(text) = value { text.clone() } else { value.to_string() };
                facts.push(format!("{name} {value}"));
            }
        }
        (!facts.is_empty()).then(|| facts.join("; "))
    }
}

pub(super) fn as_number(json: &Json) -> Option<f64> {
    match json {
        Json::Int(number) => Some(*number as f64),
        Json::Uint(number) => Some(*number as f64),
        Json::Float(number) => Some(*number),
        _ => None,
    }
}
