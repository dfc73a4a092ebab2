//! Structural schemas as kube-apiserver holds them (`pkg/apiserver/schema`): what values are pruned, defaulted and
//! validated by.
//!
//! A node knows the places of its keywords relative to where it starts, and how far each node below stands from there,
//! so that an edit makes only the nodes above it anew.

mod admits;
mod build;
mod pattern;
mod places;
mod remembered;
mod repaired;
mod sparse;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::sync::Arc;

use text::{TextRange, TextSize};
use yaml::scalar::Mapping;

use admits::AdmitsCell;
pub use build::structural;
pub(crate) use build::{published_structural, repaired};
pub use pattern::{Pattern, PatternProblem};
pub use places::{KeywordPlace, Places};
pub use remembered::Remembered;
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
    /// What only the spine may have.
    pub generic: Generic,
    /// `x-kubernetes-…`.
    pub extensions: Extensions,
    /// `x-kubernetes-validations`.
    pub validations: Vec<ValidationRule>,
    /// What only values are validated by.
    pub value_validation: SparseValidation,
    /// Where its keywords stand.
    pub places: Places,
    /// Whether a `default` stands here or below, in `items`, `properties` or `additionalProperties`.
    pub has_defaults: bool,
    /// Whether a rule of `x-kubernetes-validations` stands here or below, likewise.
    pub has_rules: bool,
    /// Whether a rule stands here or below, likewise or in `allOf`.
    pub evaluates_rules: bool,
    /// Whether there may be more to it than is known. Only where the definition is broken, in the schema as it would be
    /// after its repair: without a type, nothing is known of its values.
    pub is_open: bool,
    /// Whether it or a node below is open.
    pub has_open: bool,
    /// What those who judge values by it remember of it.
    pub remembered: Remembered,
    /// A hash of what it admits, once that was asked for.
    admits: AdmitsCell,
}

impl Structural {
    /// The only property that is required, if it is a string.
    #[must_use]
    pub fn only_required_text(&self) -> Option<&str> {
        let [(name, _)] = &*self.value_validation.required else { return None };
        let child = self.properties.get(name)?;
        (&*child.node.generic.type_name == "string").then_some(name)
    }
}

/// A node below another one.
#[derive(Debug)]
pub struct Child<T> {
    /// From the start of the upper node to that of the lower one, in bytes. Wraps around where an alias leads out of the
    /// upper node.
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

/// Fields that are not allowed in value validations. `title` and `description`, which are two fifths of real definitions,
/// are not kept: [`Places`] leads to them.
#[derive(Clone, Debug, Default)]
pub struct Generic {
    /// `type`; empty if absent.
    pub type_name: Box<str>,
    /// `default`. Its places are relative to the node; null is as good as absent.
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
    /// Where the rule stands, relative to the node.
    pub range: TextRange,
    /// Where `rule` stands; none if absent.
    pub rule_place: Option<ScalarPlace>,
    /// Where `messageExpression` stands; none if absent.
    pub message_expression_place: Option<ScalarPlace>,
    /// Where the value of `optionalOldSelf` stands, relative to the node; none if absent.
    pub optional_old_self_place: Option<TextRange>,
}

/// Where a scalar stands, and which of its bytes stand for which of its text.
#[derive(Clone, Debug)]
pub struct ScalarPlace {
    /// Relative to the node, in bytes; quotes and block header included.
    pub range: TextRange,
    /// From bytes of its text to bytes of `range`.
    pub mapping: Mapping,
}

impl ScalarPlace {
    /// The bytes that stand for the bytes `part` of its text, if the node starts at `base`.
    #[must_use]
    pub fn at(&self, part: TextRange, base: TextSize) -> TextRange {
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
    /// `pattern`; none if absent or empty.
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
    /// What values are validated by.
    pub value_validation: SparseValidation,
    /// `x-kubernetes-validations`.
    pub validations: Vec<ValidationRule>,
    /// `items`.
    pub items: Option<Child<Self>>,
    /// `properties`.
    pub properties: BTreeMap<Box<str>, Child<Self>>,
    /// `additionalProperties`: forbidden, but for `false`, which the validation of resources heeds.
    pub additional_properties: Option<NestedOrBool>,
    /// Normally empty; int-or-string has types here.
    pub forbidden_generics: Generic,
    /// Normally empty.
    pub forbidden_extensions: Extensions,
    /// Where its keywords stand.
    pub places: Places,
    /// Whether a rule stands here or below, in `items`, `properties`, `additionalProperties` or `allOf`.
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
    /// Where the lower node starts, if the upper one starts at `base`.
    #[must_use]
    pub fn base(&self, base: TextSize) -> TextSize {
        base.wrapping_add(self.distance)
    }
}
