//! Lists as the API server's own library has them, and maps under construction.

use std::cmp::Ordering;
use std::sync::Arc;

use super::{Context, operators};
use crate::value::equal::equal;
use crate::value::{EvalError, Key, List, Map, MapBuilder, Outcome, UNHASHABLE, Value, display};

type Args<'s, 'a> = &'s mut [Value<'a>];

fn list<'s, 'a>(args: &'s [Value<'a>]) -> Outcome<&'s List<'a>> {
    match args.first() {
        Some(Value::List(list)) => Ok(list),
        _ => Err(EvalError::NoSuchOverload),
    }
}

pub(super) fn is_sorted<'a>(context: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    let list = list(args)?;
    context.bound.work(list.len() as u64)?;
    let mut previous: Option<Value<'a>> = None;
    for element in list.iter() {
        let element = comparable(element?)?;
        // What has no order is no reason to say no.
        if previous.is_some_and(|previous| matches!(previous.compare(&element), Ok(Ordering::Greater))) {
            return Ok(Value::Bool(false));
        }
        previous = Some(element);
    }
    Ok(Value::Bool(true))
}

fn comparable(value: Value<'_>) -> Outcome<Value<'_>> {
    if value.is_comparable() { Ok(value) } else { Err(EvalError::NoSuchOverload) }
}

fn sum<'a>(context: &Context<'_>, args: Args<'_, 'a>, zero: Value<'a>) -> Outcome<Value<'a>> {
    let list = list(args)?;
    context.bound.work(list.len() as u64)?;
    let mut total = zero;
    for element in list.iter() {
        total = operators::add(context, &mut [total, element?])?;
    }
    Ok(total)
}

pub(super) fn sum_ints<'a>(context: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    sum(context, args, Value::Int(0))
}

pub(super) fn sum_uints<'a>(context: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    sum(context, args, Value::Uint(0))
}

pub(super) fn sum_doubles<'a>(context: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    sum(context, args, Value::Double(0.0))
}

pub(super) fn sum_durations<'a>(context: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    sum(context, args, Value::Duration(0))
}

pub(super) fn min<'a>(context: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    extreme(context, args, "min", Ordering::Greater)
}

pub(super) fn max<'a>(context: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    extreme(context, args, "max", Ordering::Less)
}

/// The element that gives way to none: the next one takes its place where it compares as `worse`.
fn extreme<'a>(context: &Context<'_>, args: Args<'_, 'a>, name: &str, worse: Ordering) -> Outcome<Value<'a>> {
    let list = list(args)?;
    context.bound.work(list.len() as u64)?;
    let mut best: Option<Value<'a>> = None;
    for element in list.iter() {
        let element = comparable(element?)?;
        best = match best {
            Some(best) if best.compare(&element) != Ok(worse) => Some(best),
            _ => Some(element),
        };
    }
    best.ok_or_else(|| EvalError::new(format!("{name} called on empty list")))
}

pub(super) fn index_of<'a>(context: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    let [Value::List(list), wanted] = args else { return Err(EvalError::NoSuchOverload) };
    position(context, list, wanted, 0..list.len())
}

pub(super) fn last_index_of<'a>(context: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    let [Value::List(list), wanted] = args else { return Err(EvalError::NoSuchOverload) };
    position(context, list, wanted, (0..list.len()).rev())
}

fn position<'a>(
    context: &Context<'_>,
    list: &List<'a>,
    wanted: &Value<'a>,
    places: impl Iterator<Item = usize>,
) -> Outcome<Value<'a>> {
    for at in places {
        if let Some(Ok(element)) = list.get(at)
            && is_equal(context, &element, wanted)?
        {
            return Ok(Value::Int(at as i64));
        }
    }
    Ok(Value::Int(-1))
}

/// Equality where failures are as good as no.
pub(super) fn is_equal<'a>(context: &Context<'_>, a: &Value<'a>, b: &Value<'a>) -> Outcome<bool> {
    match equal(context.bound, a, b) {
        Err(error) if error.is_final() => Err(error),
        result => Ok(result.unwrap_or(false)),
    }
}

pub(super) fn includes<'a>(context: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    match args {
        [Value::List(list), wanted] => {
            let found = position(context, list, wanted, 0..list.len())?;
            Ok(Value::Bool(!matches!(found, Value::Int(-1))))
        }
        [value, wanted] => is_equal(context, value, wanted).map(Value::Bool),
        _ => Err(EvalError::NoSuchOverload),
    }
}

pub(super) fn sets_contains<'a>(context: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    let [Value::List(all), Value::List(some)] = args else { return Err(EvalError::NoSuchOverload) };
    contains_all(context, all, some).map(Value::Bool)
}

pub(super) fn sets_equivalent<'a>(context: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    let [Value::List(a), Value::List(b)] = args else { return Err(EvalError::NoSuchOverload) };
    Ok(Value::Bool(contains_all(context, a, b)? && contains_all(context, b, a)?))
}

fn contains_all<'a>(context: &Context<'_>, all: &List<'a>, some: &List<'a>) -> Outcome<bool> {
    for element in some.iter() {
        if !crate::value::equal::contains(context.bound, all, &element?)? {
            return Ok(false);
        }
    }
    Ok(true)
}

pub(super) fn sets_intersects<'a>(context: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    let [Value::List(a), Value::List(b)] = args else { return Err(EvalError::NoSuchOverload) };
    for element in a.iter().flatten() {
        match crate::value::equal::contains(context.bound, b, &element) {
            Ok(true) => return Ok(Value::Bool(true)),
            Err(error) if error.is_final() => return Err(error),
            _ => {}
        }
    }
    Ok(Value::Bool(false))
}

/// A map with one more entry.
pub(super) fn map_insert<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    let [Value::Map(map), key, value] = args else { return Err(EvalError::NoSuchOverload) };
    insert(map, key, std::mem::replace(value, Value::Null))?;
    Ok(Value::Map(std::mem::replace(map, Map::of(MapBuilder::default()))))
}

/// A map with the entries of another.
pub(super) fn map_insert_all<'a>(context: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    let [Value::Map(map), Value::Map(other)] = args else { return Err(EvalError::NoSuchOverload) };
    context.bound.work(other.len() as u64)?;
    for (key, value) in other.entries() {
        insert(map, &key, value?)?;
    }
    Ok(Value::Map(std::mem::replace(map, Map::of(MapBuilder::default()))))
}

fn insert<'a>(map: &mut Map<'a>, key: &Value<'a>, value: Value<'a>) -> Outcome<()> {
    match map.find(key) {
        None => {}
        Some(Err(error)) if error == UNHASHABLE => return Err(error),
        Some(_) => {
            let message = format!("insert failed: key {} already exists", display(key));
            return Err(EvalError::new(message));
        }
    }
    if let Value::Bytes(_) = key {
        return Err(UNHASHABLE);
    }
    if let Map::Data(_) = map {
        let entries = map.entries().into_iter();
        let entries = entries.filter_map(|(key, value)| Some((Key::of(&key), value.ok()?)));
        *map = Map::of(entries.collect());
    }
    if let Map::Values(entries) = map {
        Arc::make_mut(entries).insert(Key::of(key), value);
    }
    Ok(())
}
