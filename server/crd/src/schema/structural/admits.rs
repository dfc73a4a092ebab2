//! A hash of the values that a node accepts: equal for nodes that differ only in places and in descriptions.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::OnceLock;

use super::{
    Child, Extensions, Generic, NestedOrBool, NestedValueValidation, Structural, StructuralOrBool,
    ValidationRule, ValueValidation,
};
use crate::value::{Kind, Value};

/// Caches the hash of a node, so that an edit only requires new hashes of the nodes above it.
#[derive(Debug, Default)]
pub(crate) struct AdmitsCell(OnceLock<u64>);

impl Structural {
    /// A hash of the values that the node accepts, and of its messages for the others.
    pub(crate) fn admits(&self) -> u64 {
        *self.admits.0.get_or_init(|| {
            let mut hasher = DefaultHasher::new();
            self.items.as_ref().map(|child| child.node.admits()).hash(&mut hasher);
            self.properties.len().hash(&mut hasher);
            for (name, child) in &self.properties {
                (name, child.node.admits()).hash(&mut hasher);
            }
            match &self.additional_properties {
                None => 0_u8.hash(&mut hasher),
                Some(StructuralOrBool::Bool(is_open)) => (1_u8, is_open).hash(&mut hasher),
                Some(StructuralOrBool::Structural(child)) => (2_u8, child.node.admits()).hash(&mut hasher),
            }
            generic(&self.generic, &mut hasher);
            extensions(&self.extensions, &mut hasher);
            rules(&self.validations, &mut hasher);
            value_validation(&self.value_validation, &mut hasher);
            self.is_open.hash(&mut hasher);
            hasher.finish()
        })
    }
}

fn generic(generic: &Generic, hasher: &mut DefaultHasher) {
    let Generic { type_name, default, nullable } = generic;
    (type_name, nullable, default.is_some()).hash(hasher);
    default.iter().for_each(|default| value(default, hasher));
}

fn extensions(extensions: &Extensions, hasher: &mut DefaultHasher) {
    let Extensions {
        preserve_unknown_fields,
        embedded_resource,
        int_or_string,
        list_map_keys,
        list_type,
        map_type,
    } = extensions;
    (preserve_unknown_fields, embedded_resource, int_or_string).hash(hasher);
    (list_map_keys, list_type, map_type).hash(hasher);
}

fn rules(rules: &[ValidationRule], hasher: &mut DefaultHasher) {
    rules.len().hash(hasher);
    for one in rules {
        (&one.rule, &one.message, &one.message_expression).hash(hasher);
        (&one.reason, &one.field_path, one.optional_old_self).hash(hasher);
    }
}

fn value_validation(values: &ValueValidation, hasher: &mut DefaultHasher) {
    let number = |number: Option<f64>| number.map(f64::to_bits);
    let texts = (&values.format, values.pattern.as_ref().map(|pattern| pattern.as_str()));
    let numbers = (number(values.minimum), number(values.maximum), number(values.multiple_of));
    let ends = (values.exclusive_minimum, values.exclusive_maximum, values.unique_items);
    let lengths = (values.min_length, values.max_length, values.min_items, values.max_items);
    (texts, numbers, ends, lengths, values.min_properties, values.max_properties).hash(hasher);
    list(&values.enumeration, hasher);
    values.required.len().hash(hasher);
    values.required.iter().for_each(|(name, _)| name.hash(hasher));
    for branches in [&values.all_of, &values.one_of, &values.any_of] {
        branches.len().hash(hasher);
        branches.iter().for_each(|branch| hash_nested(branch, hasher));
    }
    optional(values.not.as_ref(), hasher);
}

fn hash_nested(child: &Child<NestedValueValidation>, hasher: &mut DefaultHasher) {
    let node = &child.node;
    value_validation(&node.value_validation, hasher);
    rules(&node.validations, hasher);
    optional(node.items.as_ref(), hasher);
    node.properties.len().hash(hasher);
    for (name, child) in &node.properties {
        name.hash(hasher);
        hash_nested(child, hasher);
    }
    match &node.additional_properties {
        None => 0_u8.hash(hasher),
        Some(NestedOrBool::Bool(is_open)) => (1_u8, is_open).hash(hasher),
        Some(NestedOrBool::Nested(child)) => {
            2_u8.hash(hasher);
            hash_nested(child, hasher);
        }
    }
    generic(&node.forbidden_generics, hasher);
    extensions(&node.forbidden_extensions, hasher);
}

fn optional(child: Option<&Child<NestedValueValidation>>, hasher: &mut DefaultHasher) {
    child.is_some().hash(hasher);
    child.into_iter().for_each(|child| hash_nested(child, hasher));
}

fn value(of: &Value, hasher: &mut DefaultHasher) {
    std::mem::discriminant(&of.kind).hash(hasher);
    match &of.kind {
        Kind::Null => {}
        Kind::Bool(of) => of.hash(hasher),
        Kind::Int(of) => of.hash(hasher),
        Kind::Float(of) => of.to_bits().hash(hasher),
        Kind::String(of) => of.hash(hasher),
        Kind::List(items) => list(items, hasher),
        Kind::Map(members) => {
            members.len().hash(hasher);
            for (key, member) in members {
                key.hash(hasher);
                value(&member.value, hasher);
            }
        }
    }
}

fn list(items: &[Value], hasher: &mut DefaultHasher) {
    items.len().hash(hasher);
    items.iter().for_each(|item| value(item, hasher));
}
