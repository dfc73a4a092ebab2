//! Equality in cel-go and in the API server's own values: each kind of value determines the result for values
//! of other types, for errors and for the order of elements.

use std::cmp::Ordering;
use std::collections::hash_map::Entry;

use rustc_hash::{FxHashMap, FxHashSet};

use super::compare::compare_numbers;
use super::data::deep_equal;
use super::list::{DataList, merge_key, set_key};
use super::map::DataMap;
use super::{Bound, EvalError, Json, JsonKind, List, ListType, Map, Outcome, Value};

/// `a == b`
pub(crate) fn equals(bound: &Bound, a: &Value<'_>, b: &Value<'_>) -> Outcome<bool> {
    match (a, b) {
        (Value::Null, Value::Null) => Ok(true),
        (Value::Null, _) | (_, Value::Null) => Ok(false),
        _ => equal(bound, a, b),
    }
}

/// Compares by the rules of `a`'s type: the result may differ if `a` and `b` are exchanged.
pub(crate) fn equal(bound: &Bound, a: &Value<'_>, b: &Value<'_>) -> Outcome<bool> {
    bound.work(1)?;
    Ok(match (a, b) {
        (Value::Null, _) => matches!(b, Value::Null),
        (Value::Bool(a), Value::Bool(b)) => a == b,
        (Value::String(a), Value::String(b)) => **a == **b,
        (Value::Bytes(a), Value::Bytes(b)) => a == b,
        (Value::Duration(a), Value::Duration(b)) => a == b,
        (Value::Timestamp(a), Value::Timestamp(b)) => a.instant() == b.instant(),
        (Value::Type(a), Value::Type(b)) => **a == **b,
        (Value::Double(number), _) | (_, Value::Double(number)) if number.is_nan() => false,
        (Value::Int(_) | Value::Uint(_) | Value::Double(_), _) => {
            compare_numbers(a, b) == Some(Ordering::Equal)
        }
        (Value::Optional(a), Value::Optional(b)) => match (a, b) {
            (Some(a), Some(b)) => return bound.deeper(|| equal(bound, a, b)),
            (a, b) => a.is_none() && b.is_none(),
        },
        (Value::List(a), Value::List(b)) => return bound.deeper(|| lists(bound, a, b)),
        (Value::Map(a), Value::Map(b)) => return bound.deeper(|| maps(bound, a, b)),
        (Value::Ip(a), Value::Ip(b)) => a == b,
        (Value::Cidr(a), Value::Cidr(b)) => a == b,
        (Value::Url(a), Value::Url(b)) => a.to_string() == b.to_string(),
        (Value::Format(a), Value::Format(b)) => a.name == b.name,
        (Value::Semver(a), Value::Semver(b)) => a.compare(b) == Ordering::Equal,
        // In the API server, results of `add` and `sub` are pointers, which no quantity equals.
        (Value::Quantity(a), Value::Quantity(b)) if !b.is_computed => a.compare(b) == Ordering::Equal,
        (Value::Preserved(a), Value::Preserved(b)) => return deep_equal(bound, *a, *b),
        (Value::Preserved(a), b) => return preserved(bound, *a, b),
        (
            Value::Ip(_)
            | Value::Cidr(_)
            | Value::Url(_)
            | Value::Format(_)
            | Value::Semver(_)
            | Value::Quantity(_)
            | Value::List(List::Data(_) | List::Set(_) | List::Keyed(..))
            | Value::Map(Map::Data(_)),
            _,
        ) => return Err(EvalError::NoSuchOverload),
        _ => false,
    })
}

fn preserved(bound: &Bound, a: &dyn Json, b: &Value<'_>) -> Outcome<bool> {
    Ok(match (a.kind(), b) {
        (JsonKind::Bool(a), Value::Bool(b)) => a == *b,
        (JsonKind::Int(a), Value::Int(b)) => a == *b,
        (JsonKind::Float(a), Value::Double(b)) => a == *b,
        (JsonKind::String(a), Value::String(b)) => *a == **b,
        (_, Value::List(List::Data(list))) => return deep_equal(bound, a, list.data),
        (_, Value::Map(Map::Data(map))) => return deep_equal(bound, a, map.data),
        _ => false,
    })
}

fn lists(bound: &Bound, a: &List<'_>, b: &List<'_>) -> Outcome<bool> {
    if a.len() != b.len() {
        return Ok(false);
    }
    match a {
        List::Values(_) => Ok(in_order(bound, a, b)?.0),
        List::Joined(_) => match in_order(bound, a, b)? {
            (true, Some(error)) => Err(error),
            (equal, _) => Ok(equal),
        },
        List::Set(_) => as_sets(bound, a, b),
        List::Keyed(_, keys) => by_merge_keys(bound, a, b, keys),
        List::Data(list) => match list.list_type() {
            ListType::Atomic => {
                for (a, b) in a.iter().zip(b.iter()) {
                    let a = a?;
                    let Ok(b) = b else { return Ok(false) };
                    if !equal(bound, &a, &b)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            ListType::Set => as_sets(bound, a, b),
            ListType::Map(keys) => by_data_keys(bound, *list, b, keys),
        },
    }
}

/// Compares element by element. Elements that fail count as equal, and the first failure is returned.
fn in_order(bound: &Bound, a: &List<'_>, b: &List<'_>) -> Outcome<(bool, Option<EvalError>)> {
    let mut failure = None;
    for (a, b) in a.iter().zip(b.iter()) {
        let result = match (a, b) {
            (Ok(a), Ok(b)) => equals(bound, &a, &b),
            (Err(error), _) => Err(error),
            (Ok(_), Err(_)) => Ok(false),
        };
        match result {
            Ok(true) => {}
            Ok(false) => return Ok((false, None)),
            Err(error) if error.is_final() => return Err(error),
            Err(error) => {
                failure.get_or_insert(error);
            }
        }
    }
    Ok((true, failure))
}

fn as_sets(bound: &Bound, a: &List<'_>, b: &List<'_>) -> Outcome<bool> {
    bound.work(a.len() as u64)?;
    let mut ours = FxHashSet::default();
    for element in a.iter() {
        ours.insert(set_key(&element?)?);
    }
    let mut seen = FxHashSet::default();
    for element in b.iter() {
        let key = set_key(&element?)?;
        if !ours.contains(&key) {
            return Ok(false);
        }
        seen.insert(key);
    }
    Ok(seen.len() == ours.len())
}

fn by_merge_keys(bound: &Bound, a: &List<'_>, b: &List<'_>, keys: &[String]) -> Outcome<bool> {
    let mut ours = FxHashMap::default();
    for element in a.iter() {
        let element = element?;
        ours.insert(merge_key(&element, keys), element);
    }
    let mut seen = FxHashSet::default();
    for element in b.iter() {
        let element = element?;
        let key = merge_key(&element, keys);
        match ours.get(&key) {
            Some(our) if equal(bound, our, &element)? => seen.insert(key),
            _ => return Ok(false),
        };
    }
    Ok(seen.len() == ours.len())
}

/// Compares a list of the data by its keys, which are looked up in the data by their escaped names, as in the
/// API server.
fn by_data_keys(bound: &Bound, list: DataList<'_>, b: &List<'_>, keys: &[String]) -> Outcome<bool> {
    bound.work(b.len() as u64)?;
    let key_of = |element: &dyn Json| -> Vec<String> {
        keys.iter().map(|key| format!("{:?}", element.member(key).map(Json::kind))).collect()
    };
    let mut ours = FxHashMap::default();
    for index in 0..b.len() {
        if let Some(element) = list.data.item(index) {
            match ours.entry(key_of(element)) {
                Entry::Occupied(mut last) => {
                    last.insert(index);
                }
                Entry::Vacant(place) => {
                    place.insert(index);
                }
            }
        }
    }
    let mut seen = FxHashSet::default();
    for element in b.iter() {
        let element = element?;
        let Value::Map(Map::Data(map)) = &element else { return Ok(false) };
        let key = key_of(map.data);
        let Some(our) = ours.get(&key).and_then(|index| list.get(*index)) else { return Ok(false) };
        if !equal(bound, &our?, &element)? {
            return Ok(false);
        }
        seen.insert(key);
    }
    Ok(seen.len() == ours.len())
}

fn maps(bound: &Bound, a: &Map<'_>, b: &Map<'_>) -> Outcome<bool> {
    if a.len() != b.len() {
        return Ok(false);
    }
    match a {
        Map::Data(map) => data_map(bound, *map, b),
        Map::Values(entries) => {
            for (key, value) in entries.iter() {
                let other = match b.find(&key.value()) {
                    None => return Ok(false),
                    Some(Err(_)) => continue,
                    Some(Ok(other)) => other,
                };
                match equals(bound, value, &other) {
                    Ok(false) => return Ok(false),
                    Err(error) if error.is_final() => return Err(error),
                    _ => {}
                }
            }
            Ok(true)
        }
    }
}

fn data_map(bound: &Bound, map: DataMap<'_>, b: &Map<'_>) -> Outcome<bool> {
    for (name, value) in map.data.members() {
        if map.schema_of(name).is_some() {
            // The API server treats the key as an escaped name here, too.
            match (map.find(name), b.find(&Value::text(name))) {
                (None, None) => {}
                (Some(ours), Some(theirs)) => {
                    let ours = ours?;
                    let Ok(theirs) = theirs else { return Ok(false) };
                    if !equal(bound, &ours, &theirs)? {
                        return Ok(false);
                    }
                }
                _ => return Ok(false),
            }
            continue;
        }
        let Map::Data(other) = b else { return Err(EvalError::NoSuchOverload) };
        if let Some(other) = other.data.member(name)
            && !deep_equal(bound, value, other)?
        {
            return Ok(false);
        }
    }
    Ok(true)
}

/// `elem in list`
pub(crate) fn contains(bound: &Bound, list: &List<'_>, wanted: &Value<'_>) -> Outcome<bool> {
    let mut failure = None;
    for element in list.iter() {
        // For a list of the data, the element's type determines the result; for other lists, that of `wanted`.
        let result = match (list, element) {
            (List::Data(_), element) => element.and_then(|element| equal(bound, &element, wanted)),
            (_, Ok(element)) => equal(bound, wanted, &element),
            (_, Err(_)) => Ok(false),
        };
        match result {
            Ok(true) => return Ok(true),
            Ok(false) => {}
            Err(error) if error.is_final() => return Err(error),
            Err(error) => {
                failure.get_or_insert(error);
            }
        }
    }
    match (list, failure) {
        (List::Data(_), Some(error)) => Err(error),
        _ => Ok(false),
    }
}
