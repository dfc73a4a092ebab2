//! Defaults and nulls, as `pkg/apiserver/schema/defaulting` treats them.

use text::TextSize;

use super::objectmeta::member_schema;
use crate::schema::structural::{Child, Structural};
use crate::value::{Kind, Member, Place, Value};

/// Drops null members that are not nullable and have no default. Items of lists are kept.
pub fn prune_nulls(value: &mut Value, schema: Option<&Structural>) {
    match &mut value.kind {
        Kind::Map(map) => map.retain(|key, member| {
            let below = schema.and_then(|schema| member_schema(schema, key).0).map(|child| &*child.node);
            let dropped = member.value.is_null()
                && below.is_some_and(|below| !below.generic.nullable && below.generic.default.is_none());
            if !dropped {
                prune_nulls(&mut member.value, below);
            }
            !dropped
        }),
        Kind::List(items) => {
            let below = schema.and_then(|schema| schema.items.as_ref()).map(|child| &*child.node);
            items.iter_mut().for_each(|item| prune_nulls(item, below));
        }
        _ => {}
    }
}

/// Adds the defaults of `schema`, which starts at `base`, in bytes of the definition; the added values have
/// their places there.
pub fn fill_defaults(value: &mut Value, schema: &Structural, base: TextSize) {
    if !schema.has_defaults {
        return;
    }
    match &mut value.kind {
        Kind::Map(map) => {
            for (key, child) in schema.properties.iter().filter(|(_, child)| child.node.has_defaults) {
                let Some(default) = default_of(child, base) else { continue };
                match map.get_mut(key) {
                    None => {
                        map.insert(key.clone(), Member { key: Place::Nowhere, value: default });
                    }
                    Some(member) if member.value.is_null() && !child.node.generic.nullable => {
                        member.value = default;
                    }
                    Some(_) => {}
                }
            }
            for (key, member) in map.iter_mut() {
                let (Some(child), _) = member_schema(schema, key) else { continue };
                if !schema.properties.contains_key(key) {
                    replace_null(&mut member.value, child, base);
                }
                fill_defaults(&mut member.value, &child.node, child.base(base));
            }
        }
        Kind::List(items) => {
            let Some(child) = &schema.items else { return };
            for item in items {
                replace_null(item, child, base);
                fill_defaults(item, &child.node, child.base(base));
            }
        }
        _ => {}
    }
}

fn replace_null(value: &mut Value, child: &Child<Structural>, base: TextSize) {
    if value.is_null()
        && !child.node.generic.nullable
        && let Some(default) = default_of(child, base)
    {
        *value = default;
    }
}

fn default_of(child: &Child<Structural>, base: TextSize) -> Option<Value> {
    child.node.generic.default.as_ref().map(|default| default.shifted(child.base(base)))
}
