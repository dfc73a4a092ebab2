//! Rules that read fields that objects may lack, so that they fail with `no such key`.

use crate::Cache;
use std::hash::{DefaultHasher, Hash, Hasher};

use cel::presence::{CheckedAst, UnguardedRead, unguarded_each};
use text::{TextRange, TextSize};

use super::compile::Expression;
use super::types::DeclaredTypes;
use super::walk::RuleNode;
use crate::cel::SchemaNode;
use crate::field_path::Segment;
use crate::schema::Keyword;
use crate::schema::structural::{
    Child, NestedOrBool, NestedValueValidation, Structural, StructuralOrBool, ValueValidation,
};

/// The unguarded reads of the rules of one node, each with the index of its rule.
pub(crate) type UnguardedReads = Vec<(usize, UnguardedRead)>;

/// Whether objects of the type `owner` may lack `field`. The server ensures that resources have `apiVersion`,
/// `kind` and metadata, even if their schema does not declare them.
pub(crate) fn is_optional(types: &DeclaredTypes<'_>, owner: &str, field: &str) -> bool {
    let Some(of) = types.declared(owner) else { return false };
    let is_resource = ["apiVersion", "kind", "metadata"].iter().all(|field| of.field(field).is_some());
    if is_resource && matches!(field, "apiVersion" | "kind" | "metadata") || owner.ends_with(".metadata") {
        return false;
    }
    of.field(field).is_some_and(|field| !field.required && !field.has_default)
}

/// The unguarded reads of `expressions`, the rules of `node`. Each rule is examined as if the other rules
/// held: if one does not, the server rejects the object with that rule's message.
pub(crate) fn unguarded_reads(
    node: &RuleNode<'_, '_>,
    expressions: &[Option<Expression<'_>>],
    cache: &mut Cache,
) -> UnguardedReads {
    let Ok(of) = &node.schema_type else { return UnguardedReads::new() };
    let types = DeclaredTypes::new(&of.decl_type);
    let mut hasher = DefaultHasher::new();
    expressions.iter().for_each(|rule| rule.as_ref().map(Expression::hash).hash(&mut hasher));
    let all = cache.answer(hasher.finish(), || {
        let inspected: Vec<_> = expressions.iter().map(|one| one.as_ref().map(Expression::inspect)).collect();
        let trees: Vec<Option<CheckedAst<'_>>> =
            inspected.iter().map(|one| one.as_ref().map(|one| (&one.ast, &one.checked))).collect();
        unguarded_each(&trees, &|owner, field| is_optional(&types, owner, field))
    });
    all.iter().filter(|(_, one)| !may_be_required(node, &types, one)).cloned().collect()
}

/// Whether a value validation, here or on a node above, may require the field; the read is then not reported.
fn may_be_required(node: &RuleNode<'_, '_>, types: &DeclaredTypes<'_>, one: &UnguardedRead) -> bool {
    let field = one.owner.as_deref().and_then(|owner| types.declared(owner)?.field(&one.field));
    let property = field.map_or(&*one.field, |field| &field.property);
    if node.above.iter().any(|above| requires(&above.value_validation, property)) {
        return true;
    }
    let Some(nodes) = one.owner.as_deref().map(|owner| nodes(node, types, owner)) else {
        return requires(&node.schema.value_validation, property);
    };
    let owner = nodes.last().map_or(node.schema, |(schema, _)| *schema);
    let least = owner.value_validation.min_properties.and_then(|least| usize::try_from(least).ok());
    least.is_some_and(|least| least >= owner.properties.len())
        || nodes.iter().any(|(schema, _)| requires(&schema.value_validation, property))
        || requires(&node.schema.value_validation, property)
}

/// The key of the property that is read, in bytes; `None` for a key of a map.
pub(crate) fn declaration(node: &RuleNode<'_, '_>, one: &UnguardedRead) -> Option<TextRange> {
    let Ok(of) = &node.schema_type else { return None };
    let types = DeclaredTypes::new(&of.decl_type);
    let owner = one.owner.as_deref()?;
    let nodes = nodes(node, &types, owner);
    let (schema, base) = nodes.last().map_or((node.schema, node.base), |(schema, base)| (*schema, *base));
    let property = &types.declared(owner)?.field(&one.field)?.property;
    Some(schema.properties.get(property.as_str())?.key.wrapping_shifted(base))
}

/// The path from the root of the schema to the object whose field `one` reads, and the property; `None` for a
/// key of a map.
pub(crate) fn owner(node: &RuleNode<'_, '_>, one: &UnguardedRead) -> Option<(Vec<Segment>, String)> {
    let types = DeclaredTypes::new(&node.schema_type.as_ref().ok()?.decl_type);
    let name = one.owner.as_deref()?;
    let mut path = node.path.clone();
    let mut at = SchemaNode::new(node.schema, node.base, types.declared(name.split('.').next()?)?);
    for step in name.split('.').skip(1) {
        let below = match step {
            "@idx" | "@elem" => at.element()?,
            field => at.field(field)?,
        };
        match step {
            "@idx" => path.push_name(Keyword::Items.as_str()),
            "@elem" => path.push_name(Keyword::AdditionalProperties.as_str()),
            field => {
                path.push_name(Keyword::Properties.as_str());
                path.push_key(&at.decl_type.field(field)?.property);
            }
        }
        at = below;
    }
    let property = &at.decl_type.field(&one.field)?.property;
    at.schema.properties.contains_key(property.as_str()).then(|| (path.segments().to_vec(), property.clone()))
}

/// The nodes on the path from the node of the rule to the object type `owner`, each with its start.
fn nodes<'s>(
    node: &RuleNode<'_, 's>,
    types: &DeclaredTypes<'_>,
    owner: &str,
) -> Vec<(&'s Structural, TextSize)> {
    let mut nodes = Vec::new();
    let (mut schema, mut base) = (node.schema, node.base);
    let ends = owner.match_indices('.').map(|(at, _)| at).chain([owner.len()]);
    let ends: Vec<usize> = ends.collect();
    for pair in ends.windows(2) {
        let &[start, end] = pair else { continue };
        let (Some(outer), Some(step)) = (owner.get(..start), owner.get(start + 1..end)) else { break };
        let Some(child) = child(schema, types, outer, step) else { break };
        base = child.base(base);
        schema = &child.node;
        nodes.push((schema, base));
    }
    nodes
}

fn child<'s>(
    schema: &'s Structural,
    types: &DeclaredTypes<'_>,
    outer: &str,
    step: &str,
) -> Option<&'s Child<Structural>> {
    match (step, &schema.additional_properties) {
        ("@idx", _) => schema.items.as_ref(),
        ("@elem", Some(StructuralOrBool::Structural(child))) => Some(child),
        _ => schema.properties.get(types.declared(outer)?.field(step)?.property.as_str()),
    }
}

/// Whether a branch of `allOf`, `anyOf`, `oneOf` or `not` of `values` requires `property`, at any depth.
fn requires(values: &ValueValidation, property: &str) -> bool {
    let branches = values.all_of.iter().chain(&values.any_of).chain(&values.one_of).chain(&values.not);
    branches.into_iter().any(|branch| nested_requires(&branch.node, property))
}

fn nested_requires(nested: &NestedValueValidation, property: &str) -> bool {
    let values = match &nested.additional_properties {
        Some(NestedOrBool::Nested(child)) => Some(child),
        _ => None,
    };
    nested.value_validation.required.iter().any(|(name, _)| **name == *property)
        || requires(&nested.value_validation, property)
        || nested
            .properties
            .values()
            .chain(&nested.items)
            .chain(values)
            .any(|child| nested_requires(&child.node, property))
}
