//! The expressions of the definition that an update replaces (`findPreexistingExpressions`).

use api::Difference;
use cel::Environment;
use rustc_hash::FxHashSet;

use super::compile::Purpose;
use crate::KubernetesVersion;
use crate::schema::structural::{
    NestedOrBool, NestedValueValidation, Structural, ValidationRule, ValueValidation,
};

/// The texts of all stored rules and message expressions; these may use every feature that the server supports.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct StoredTexts {
    rules: FxHashSet<Box<str>>,
    messages: FxHashSet<Box<str>>,
}

impl StoredTexts {
    /// The environment in which the server compiles `text`.
    pub(crate) fn environment(
        &self,
        text: &str,
        purpose: Purpose,
        version: KubernetesVersion,
    ) -> Environment {
        let stored = match purpose {
            Purpose::Rule => &self.rules,
            Purpose::Message => &self.messages,
        };
        match version.has(Difference::StoredExpressions) && stored.contains(text) {
            true => Environment::for_stored_rules().on_server(version.minor),
            false => Environment::for_new_rules(version.minor),
        }
    }

    /// Records all expressions of a schema.
    pub(crate) fn note(&mut self, schema: &Structural) {
        self.rules(&schema.validations);
        self.values(&schema.value_validation);
        let below = schema.properties.values().chain(&schema.items).chain(schema.additional_schema());
        for child in below {
            self.note(&child.node);
        }
    }

    fn add_nested(&mut self, schema: &NestedValueValidation) {
        self.rules(&schema.validations);
        self.values(&schema.value_validation);
        let additional = match &schema.additional_properties {
            Some(NestedOrBool::Nested(child)) => Some(child),
            _ => None,
        };
        for child in schema.properties.values().chain(&schema.items).chain(additional) {
            self.add_nested(&child.node);
        }
    }

    fn values(&mut self, values: &ValueValidation) {
        let lists = [&values.all_of, &values.any_of, &values.one_of];
        for child in lists.into_iter().flatten().chain(&values.not) {
            self.add_nested(&child.node);
        }
    }

    fn rules(&mut self, rules: &[ValidationRule]) {
        for rule in rules {
            self.rules.insert(rule.rule.clone());
            if !rule.message_expression.is_empty() {
                self.messages.insert(rule.message_expression.clone());
            }
        }
    }
}
