//! Structural schemas as in kube-apiserver (`pkg/apiserver/schema`), by which values are pruned, defaulted
//! and validated.
//!
//! A node stores the places of its keywords relative to its start, and the distance from there to each node
//! below, so that an edit rebuilds only the nodes above it.

mod admits;
mod build;
mod node_answers;
mod pattern;
mod places;
mod repair;
mod sparse;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::sync::Arc;

use text::{TextRange, TextSize};
use yaml::scalar::OffsetMap;

use admits::AdmitsCell;
pub use build::structural;
pub(crate) use build::{published_structural, repaired};
pub use node_answers::TypeMap;
pub use pattern::{Pattern, PatternProblem};
pub use places::{KeywordPlace, Places};
pub use sparse::SparseValidation;

use crate::value::Value;

/// A structural schema.
#[derive(Debug, Default)]
pub struct Structural {
    /// `items`.
    pub items: Option<Child<Self>>,
    /// `properties`.
    pub properties: BTreeMap<Box<str>, Child<Self>>,
    /// `additionalProperties`.
    pub additional_properties: Option<StructuralOrBool>,
    /// The fields that value validations must not have.
    pub generic: Generic,
    /// `x-kubernetes-…`.
    pub extensions: Extensions,
    /// `x-kubernetes-validations`.
    pub validations: Vec<ValidationRule>,
    /// The fields that only validate values.
    pub value_validation: SparseValidation,
    /// The places of its keywords.
    pub places: Places,
    /// Whether the node, or one below in `items`, `properties` or `additionalProperties`, has a `default`.
    pub has_defaults: bool,
    /// Whether the node, or one below in the same keywords, has a rule of `x-kubernetes-validations`.
    pub has_rules: bool,
    /// Whether the node, or one below in the same keywords or in `allOf`, has a rule.
    pub evaluates_rules: bool,
    /// Whether parts of the schema may be unknown. This happens only in the repaired schema of a broken
    /// definition: without a type, nothing is known of its values.
    pub is_open: bool,
    /// Whether it or a node below is open.
    pub has_open: bool,
    /// The answers of other modules that are cached on the node.
    pub remembered: TypeMap,
    /// A hash of the values that it accepts, computed on demand.
    admits: AdmitsCell,
}

impl Structural {
    /// The schema in `additionalProperties`.
    #[must_use]
    pub const fn additional_schema(&self) -> Option<&Child<Self>> {
        match &self.additional_properties {
            Some(StructuralOrBool::Structural(child)) => Some(child),
            _ => None,
        }
    }

    /// The only required property, if it is a string.
    #[must_use]
    pub fn only_required_text(&self) -> Option<&str> {
        let [(name, _)] = &*self.value_validation.required else { return None };
        let child = self.properties.get(name)?;
        (&*child.node.generic.type_name == "string").then_some(name)
    }
}

/// A node below another node.
#[derive(Debug)]
pub struct Child<T> {
    /// The distance from the start of the upper node to the start of the lower one, in bytes. Wraps around if
    /// an alias leads outside the upper node.
    pub distance: TextSize,
    /// The key that holds it, relative to the start of the upper node.
    pub key: TextRange,
    /// The lower node.
    pub node: Arc<T>,
}

/// `additionalProperties`.
#[derive(Debug)]
pub enum StructuralOrBool {
    /// A boolean.
    Bool(bool),
    /// A schema.
    Structural(Child<Structural>),
}

/// Fields that are not allowed in value validations. `title` and `description`, which are two fifths of real
/// definitions, are not stored: [`Places`] leads to them.
#[derive(Clone, Debug, Default)]
pub struct Generic {
    /// `type`; empty if absent.
    pub type_name: Box<str>,
    /// `default`. Its places are relative to the node; null is treated as absent.
    pub default: Option<Value>,
    /// `nullable`.
    pub nullable: bool,
}

/// The vendor extensions.
#[derive(Clone, Debug, Default)]
pub struct Extensions {
    /// `x-kubernetes-preserve-unknown-fields`.
    pub preserve_unknown_fields: bool,
    /// `x-kubernetes-embedded-resource`.
    pub embedded_resource: bool,
    /// `x-kubernetes-int-or-string`.
    pub int_or_string: bool,
    /// `x-kubernetes-list-map-keys`.
    pub list_map_keys: Vec<Box<str>>,
    /// `x-kubernetes-list-type`.
    pub list_type: Option<Box<str>>,
    /// `x-kubernetes-map-type`.
    pub map_type: Option<Box<str>>,
}

/// A rule of `x-kubernetes-validations`.
#[derive(Clone, Debug, Default)]
pub struct ValidationRule {
    /// `rule`; empty if absent.
    pub rule: Box<str>,
    /// `message`; empty if absent.
    pub message: Box<str>,
    /// `messageExpression`; empty if absent.
    pub message_expression: Box<str>,
    /// `reason`.
    pub reason: Option<Box<str>>,
    /// `fieldPath`; empty if absent.
    pub field_path: Box<str>,
    /// `optionalOldSelf`.
    pub optional_old_self: Option<bool>,
    /// The range of the rule, relative to the node.
    pub range: TextRange,
    /// The place of `rule`; `None` if it is absent.
    pub rule_place: Option<ScalarPlace>,
    /// The place of `messageExpression`; `None` if it is absent.
    pub message_expression_place: Option<ScalarPlace>,
    /// The range of the value of `optionalOldSelf`, relative to the node; `None` if it is absent.
    pub optional_old_self_place: Option<TextRange>,
}

/// The place of a scalar, with the mapping from its value to the text.
#[derive(Clone, Debug)]
pub struct ScalarPlace {
    /// The range relative to the node, in bytes, including quotes and block header.
    pub range: TextRange,
    /// The mapping from bytes of the scalar's value to bytes of `range`.
    pub mapping: OffsetMap,
}

impl ScalarPlace {
    /// The range in the text of the bytes `part` of the scalar's value, if the node starts at `base`.
    #[must_use]
    pub fn range_of(&self, part: TextRange, base: TextSize) -> TextRange {
        let raw = self.mapping.raw_range(part.as_usize());
        let start = base.wrapping_add(self.range.start);
        let offset = |raw: usize| start.wrapping_add(TextSize::try_from(raw).unwrap_or(TextSize::MAX));
        TextRange { start: offset(raw.start), end: offset(raw.end) }
    }
}

/// Fields that do not contribute to the structure.
#[derive(Debug, Default)]
pub struct ValueValidation {
    /// `format`; empty if absent.
    pub format: Box<str>,
    /// `maximum`.
    pub maximum: Option<f64>,
    /// `exclusiveMaximum`.
    pub exclusive_maximum: bool,
    /// `minimum`.
    pub minimum: Option<f64>,
    /// `exclusiveMinimum`.
    pub exclusive_minimum: bool,
    /// `maxLength`, in code points.
    pub max_length: Option<i64>,
    /// `minLength`, in code points.
    pub min_length: Option<i64>,
    /// `pattern`; `None` if it is absent or empty.
    pub pattern: Option<Pattern>,
    /// `maxItems`.
    pub max_items: Option<i64>,
    /// `minItems`.
    pub min_items: Option<i64>,
    /// `uniqueItems`.
    pub unique_items: bool,
    /// `multipleOf`.
    pub multiple_of: Option<f64>,
    /// `enum`. Places are relative to the node.
    pub enumeration: Vec<Value>,
    /// `maxProperties`.
    pub max_properties: Option<i64>,
    /// `minProperties`.
    pub min_properties: Option<i64>,
    /// `required`, with the place of each name relative to the node.
    pub required: Vec<(Box<str>, TextRange)>,
    /// `allOf`.
    pub all_of: Vec<Child<NestedValueValidation>>,
    /// `oneOf`.
    pub one_of: Vec<Child<NestedValueValidation>>,
    /// `anyOf`.
    pub any_of: Vec<Child<NestedValueValidation>>,
    /// `not`.
    pub not: Option<Child<NestedValueValidation>>,
}

/// A value validation within `allOf`, `oneOf`, `anyOf` or `not`.
#[derive(Debug, Default)]
pub struct NestedValueValidation {
    /// The fields that validate values.
    pub value_validation: SparseValidation,
    /// `x-kubernetes-validations`.
    pub validations: Vec<ValidationRule>,
    /// `items`.
    pub items: Option<Child<Self>>,
    /// `properties`.
    pub properties: BTreeMap<Box<str>, Child<Self>>,
    /// `additionalProperties`: forbidden, except for `false`, which the validation of resources applies.
    pub additional_properties: Option<NestedOrBool>,
    /// Normally empty; for int-or-string, it has types.
    pub forbidden_generics: Generic,
    /// Normally empty.
    pub forbidden_extensions: Extensions,
    /// The places of its keywords.
    pub places: Places,
    /// Whether the node, or one below in `items`, `properties`, `additionalProperties` or `allOf`, has a
    /// rule.
    pub has_rules: bool,
}

/// `additionalProperties` of a value validation.
#[derive(Debug)]
pub enum NestedOrBool {
    /// A boolean.
    Bool(bool),
    /// A schema.
    Nested(Child<NestedValueValidation>),
}

impl<T> Child<T> {
    /// The start of the lower node, if the upper one starts at `base`.
    #[must_use]
    pub fn base(&self, base: TextSize) -> TextSize {
        base.wrapping_add(self.distance)
    }
}
