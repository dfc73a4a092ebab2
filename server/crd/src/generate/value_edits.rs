//! Copies of values with a change at a path.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

use crate::field_path::Segment;
use crate::value::{Kind, Member, Place, Value};

/// A hash of a value, independent of its place.
pub(super) fn fingerprint(value: &Value) -> u64 {
    fn hash(value: &Value, hasher: &mut FxHasher) {
        std::mem::discriminant(&value.kind).hash(hasher);
        match &value.kind {
            Kind::Null => {}
            Kind::Bool(value) => value.hash(hasher),
            Kind::Int(value) => value.hash(hasher),
            Kind::Float(value) => value.to_bits().hash(hasher),
            Kind::String(text) => text.hash(hasher),
            Kind::List(items) => {
                items.len().hash(hasher);
                items.iter().for_each(|item| hash(item, hasher));
            }
            Kind::Map(map) => {
                map.len().hash(hasher);
                for (key, member) in map {
                    key.hash(hasher);
                    hash(&member.value, hasher);
                }
            }
        }
    }
    let mut hasher = FxHasher::default();
    hash(value, &mut hasher);
    hasher.finish()
}

pub(super) fn step(path: &[Segment], segment: Segment) -> Vec<Segment> {
    path.iter().cloned().chain(Some(segment)).collect()
}

/// The value at `path`.
#[must_use]
pub fn value_at<'v>(value: &'v Value, path: &[Segment]) -> Option<&'v Value> {
    path.iter().try_fold(value, |value, segment| match segment {
        Segment::Index(index) => value.as_list()?.get(*index),
        other => value.get(other.key()?),
    })
}

/// `object` with `value` at `path`; `None` if the parent does not exist.
#[must_use]
pub fn put(object: &Value, path: &[Segment], value: &Value) -> Option<Value> {
    let mut changed = object.clone();
    let (last, above) = path.split_last()?;
    match (&mut at_mut(&mut changed, above)?.kind, last) {
        (Kind::List(items), Segment::Index(index)) => *items.get_mut(*index)? = value.clone(),
        (Kind::Map(map), name) => {
            map.insert(name.key()?.into(), Member { key: Place::Nowhere, value: value.clone() });
        }
        _ => return None,
    }
    Some(changed)
}

/// Like `put`, but `path` may also be that of the object itself.
pub(super) fn put_at(object: &Value, path: &[Segment], value: &Value) -> Option<Value> {
    if path.is_empty() { Some(value.clone()) } else { put(object, path, value) }
}

/// `object` without the value at `path`; `None` if there is no such value.
pub(super) fn without_value(object: &Value, path: &[Segment]) -> Option<Value> {
    let mut changed = object.clone();
    let (last, above) = path.split_last()?;
    match (&mut at_mut(&mut changed, above)?.kind, last) {
        (Kind::List(items), Segment::Index(index)) if *index < items.len() => {
            items.remove(*index);
        }
        (Kind::Map(map), name) => {
            map.remove(name.key()?)?;
        }
        _ => return None,
    }
    Some(changed)
}

fn at_mut<'v>(value: &'v mut Value, path: &[Segment]) -> Option<&'v mut Value> {
    path.iter().try_fold(value, |value, segment| match (&mut value.kind, segment) {
        (Kind::List(items), Segment::Index(index)) => items.get_mut(*index),
        (Kind::Map(map), name) => map.get_mut(name.key()?).map(|member| &mut member.value),
        _ => None,
    })
}
