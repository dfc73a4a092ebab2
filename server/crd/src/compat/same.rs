//! Whether conditions within junctors are equal, regardless of their positions.

use std::collections::BTreeMap;

use crate::schema::structural::{
    Child, Extensions, Generic, NestedOrBool, NestedValueValidation, ValueValidation,
};

/// Whether both lists have the same branches in the same order.
pub(super) fn branches(one: &[Child<NestedValueValidation>], other: &[Child<NestedValueValidation>]) -> bool {
    one.len() == other.len()
        && one.iter().zip(other).all(|(one, other)| are_equal_nested(&one.node, &other.node))
}

/// Whether these branches only list the two types of int-or-string, which restricts nothing.
pub(super) fn names_both_types(branches: &[Child<NestedValueValidation>]) -> bool {
    let names_one = |branch: &Child<NestedValueValidation>| {
        let node = &branch.node;
        matches!(&*node.forbidden_generics.type_name, "integer" | "string")
            || names_both_types(&node.value_validation.any_of)
    };
    !branches.is_empty() && branches.iter().all(names_one)
}

pub(super) fn are_equal_nested(one: &NestedValueValidation, other: &NestedValueValidation) -> bool {
    let rules = |node: &NestedValueValidation| -> Vec<Box<str>> {
        node.validations.iter().map(|rule| rule.rule.clone()).collect()
    };
    let additional = match (&one.additional_properties, &other.additional_properties) {
        (None, None) => true,
        (Some(NestedOrBool::Bool(one)), Some(NestedOrBool::Bool(other))) => one == other,
        (Some(NestedOrBool::Nested(one)), Some(NestedOrBool::Nested(other))) => {
            are_equal_nested(&one.node, &other.node)
        }
        _ => false,
    };
    additional
        && values(&one.value_validation, &other.value_validation)
        && rules(one) == rules(other)
        && child(one.items.as_ref(), other.items.as_ref())
        && properties(&one.properties, &other.properties)
        && generics(&one.forbidden_generics, &other.forbidden_generics)
        && extensions(&one.forbidden_extensions, &other.forbidden_extensions)
}

fn child(one: Option<&Child<NestedValueValidation>>, other: Option<&Child<NestedValueValidation>>) -> bool {
    match (one, other) {
        (None, None) => true,
        (Some(one), Some(other)) => are_equal_nested(&one.node, &other.node),
        _ => false,
    }
}

fn properties(
    one: &BTreeMap<Box<str>, Child<NestedValueValidation>>,
    other: &BTreeMap<Box<str>, Child<NestedValueValidation>>,
) -> bool {
    one.len() == other.len()
        && one
            .iter()
            .zip(other)
            .all(|((name, one), (of, other))| name == of && are_equal_nested(&one.node, &other.node))
}

fn values(one: &ValueValidation, other: &ValueValidation) -> bool {
    let names = |of: &ValueValidation| -> Vec<Box<str>> {
        of.required.iter().map(|(name, _)| name.clone()).collect()
    };
    let pattern = |of: &ValueValidation| of.pattern.as_ref().map(|pattern| pattern.as_str().to_owned());
    let bounds = |of: &ValueValidation| {
        (
            (of.maximum, of.exclusive_maximum, of.minimum, of.exclusive_minimum, of.multiple_of),
            (of.max_length, of.min_length, of.max_items, of.min_items, of.unique_items),
            (of.max_properties, of.min_properties),
        )
    };
    one.format == other.format
        && bounds(one) == bounds(other)
        && pattern(one) == pattern(other)
        && one.enumeration == other.enumeration
        && names(one) == names(other)
        && branches(&one.all_of, &other.all_of)
        && branches(&one.one_of, &other.one_of)
        && branches(&one.any_of, &other.any_of)
        && child(one.not.as_ref(), other.not.as_ref())
}

fn generics(one: &Generic, other: &Generic) -> bool {
    (&one.type_name, &one.default, one.nullable) == (&other.type_name, &other.default, other.nullable)
}

fn extensions(one: &Extensions, other: &Extensions) -> bool {
    let flags = |of: &Extensions| (of.preserve_unknown_fields, of.embedded_resource, of.int_or_string);
    flags(one) == flags(other)
        && (&one.list_map_keys, &one.list_type, &one.map_type)
            == (&other.list_map_keys, &other.list_type, &other.map_type)
}
