//! Lists of the API server's own library, and maps under construction.

use std::cmp::Ordering;
use std::sync::Arc;

use super::costs::{Forecast, Price};
use super::declaration::{Availability, Body, Function, INTERNAL, Precomputation, Run, Signature};
use super::{Args, Context, operators};
use crate::documentation::{Example, Origin};
use crate::value::equal::equal;
use crate::value::{EvalError, Key, List, Map, MapBuilder, Outcome, UNHASHABLE, Value, display};

/// The functions that are declared here.
#[rustfmt::skip]
pub(super) const FUNCTIONS: &[Function] = &[
    Function {
        name: "cel.@mapInsert",
        doc: INTERNAL,
        example: Example::Gives("{'a': 1}.transformMap(k, v, v + 1)", "{'a': 2}"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "@mapInsert_map_key_value", text: "cel.@mapInsert(map(K, V), K, V) -> map(K, V)",
                since: Availability::Release(32), run: Run::Fitting(map_insert),
                estimate: Forecast::One, price: Price::One },
            Signature { id: "@mapInsert_map_map", text: "cel.@mapInsert(map(K, V), map(K, V)) -> map(K, V)",
                since: Availability::Release(32), run: Run::Fitting(map_insert_all),
                estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "includes",
        doc: "whether the list contains the value, or the string the substring",
        example: Example::Gives("[1, 2].includes(2)", "true"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::Traversal,
        signatures: &[
            Signature { id: "list_includes_dyn_dyn", text: "(dyn).includes(dyn) -> bool",
                since: Availability::Release(37), run: Run::Fitting(includes),
                estimate: Forecast::Includes, price: Price::Traversal },
        ],
    },
    Function {
        name: "isSorted",
        doc: "whether the elements are in ascending order",
        example: Example::Gives("[1, 2, 2].isSorted()", "true"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::Traversal,
        signatures: &[
            Signature { id: "list_int_is_sorted_bool", text: "(list(int)).isSorted() -> bool",
                since: Availability::Always, run: Run::Fitting(is_sorted),
                estimate: Forecast::Traversal, price: Price::Traversal },
            Signature { id: "list_uint_is_sorted_bool", text: "(list(uint)).isSorted() -> bool",
                since: Availability::Always, run: Run::Fitting(is_sorted),
                estimate: Forecast::Traversal, price: Price::Traversal },
            Signature { id: "list_double_is_sorted_bool", text: "(list(double)).isSorted() -> bool",
                since: Availability::Always, run: Run::Fitting(is_sorted),
                estimate: Forecast::Traversal, price: Price::Traversal },
            Signature { id: "list_bool_is_sorted_bool", text: "(list(bool)).isSorted() -> bool",
                since: Availability::Always, run: Run::Fitting(is_sorted),
                estimate: Forecast::Traversal, price: Price::Traversal },
            Signature { id: "list_duration_is_sorted_bool", text: "(list(duration)).isSorted() -> bool",
                since: Availability::Always, run: Run::Fitting(is_sorted),
                estimate: Forecast::Traversal, price: Price::Traversal },
            Signature { id: "list_timestamp_is_sorted_bool", text: "(list(timestamp)).isSorted() -> bool",
                since: Availability::Always, run: Run::Fitting(is_sorted),
                estimate: Forecast::Traversal, price: Price::Traversal },
            Signature { id: "list_string_is_sorted_bool", text: "(list(string)).isSorted() -> bool",
                since: Availability::Always, run: Run::Fitting(is_sorted),
                estimate: Forecast::Traversal, price: Price::Traversal },
            Signature { id: "list_bytes_is_sorted_bool", text: "(list(bytes)).isSorted() -> bool",
                since: Availability::Always, run: Run::Fitting(is_sorted),
                estimate: Forecast::Traversal, price: Price::Traversal },
        ],
    },
    Function {
        name: "max",
        doc: "the greatest element; fails for an empty list",
        example: Example::Gives("[1, 3, 2].max()", "3"),
        origin: Origin::Element,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::Traversal,
        signatures: &[
            Signature { id: "list_int_max_int", text: "(list(int)).max() -> int",
                since: Availability::Always, run: Run::Fitting(max),
                estimate: Forecast::Traversal, price: Price::Traversal },
            Signature { id: "list_uint_max_uint", text: "(list(uint)).max() -> uint",
                since: Availability::Always, run: Run::Fitting(max),
                estimate: Forecast::Traversal, price: Price::Traversal },
            Signature { id: "list_double_max_double", text: "(list(double)).max() -> double",
                since: Availability::Always, run: Run::Fitting(max),
                estimate: Forecast::Traversal, price: Price::Traversal },
            Signature { id: "list_bool_max_bool", text: "(list(bool)).max() -> bool",
                since: Availability::Always, run: Run::Fitting(max),
                estimate: Forecast::Traversal, price: Price::Traversal },
            Signature { id: "list_duration_max_duration", text: "(list(duration)).max() -> duration",
                since: Availability::Always, run: Run::Fitting(max),
                estimate: Forecast::Traversal, price: Price::Traversal },
            Signature { id: "list_timestamp_max_timestamp", text: "(list(timestamp)).max() -> timestamp",
                since: Availability::Always, run: Run::Fitting(max),
                estimate: Forecast::Traversal, price: Price::Traversal },
            Signature { id: "list_string_max_string", text: "(list(string)).max() -> string",
                since: Availability::Always, run: Run::Fitting(max),
                estimate: Forecast::Traversal, price: Price::Traversal },
            Signature { id: "list_bytes_max_bytes", text: "(list(bytes)).max() -> bytes",
                since: Availability::Always, run: Run::Fitting(max),
                estimate: Forecast::Traversal, price: Price::Traversal },
        ],
    },
    Function {
        name: "min",
        doc: "the smallest element; fails for an empty list",
        example: Example::Gives("[2, 1, 3].min()", "1"),
        origin: Origin::Element,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::Traversal,
        signatures: &[
            Signature { id: "list_int_min_int", text: "(list(int)).min() -> int",
                since: Availability::Always, run: Run::Fitting(min),
                estimate: Forecast::Traversal, price: Price::Traversal },
            Signature { id: "list_uint_min_uint", text: "(list(uint)).min() -> uint",
                since: Availability::Always, run: Run::Fitting(min),
                estimate: Forecast::Traversal, price: Price::Traversal },
            Signature { id: "list_double_min_double", text: "(list(double)).min() -> double",
                since: Availability::Always, run: Run::Fitting(min),
                estimate: Forecast::Traversal, price: Price::Traversal },
            Signature { id: "list_bool_min_bool", text: "(list(bool)).min() -> bool",
                since: Availability::Always, run: Run::Fitting(min),
                estimate: Forecast::Traversal, price: Price::Traversal },
            Signature { id: "list_duration_min_duration", text: "(list(duration)).min() -> duration",
                since: Availability::Always, run: Run::Fitting(min),
                estimate: Forecast::Traversal, price: Price::Traversal },
            Signature { id: "list_timestamp_min_timestamp", text: "(list(timestamp)).min() -> timestamp",
                since: Availability::Always, run: Run::Fitting(min),
                estimate: Forecast::Traversal, price: Price::Traversal },
            Signature { id: "list_string_min_string", text: "(list(string)).min() -> string",
                since: Availability::Always, run: Run::Fitting(min),
                estimate: Forecast::Traversal, price: Price::Traversal },
            Signature { id: "list_bytes_min_bytes", text: "(list(bytes)).min() -> bytes",
                since: Availability::Always, run: Run::Fitting(min),
                estimate: Forecast::Traversal, price: Price::Traversal },
        ],
    },
    Function {
        name: "sets.contains",
        doc: "whether the first list contains all elements of the second",
        example: Example::Gives("sets.contains([1, 2, 3], [2])", "true"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "list_sets_contains_list", text: "sets.contains(list(T), list(T)) -> bool",
                since: Availability::Release(29), run: Run::Fitting(sets_contains),
                estimate: Forecast::Sets(1.0), price: Price::Sets(1.0) },
        ],
    },
    Function {
        name: "sets.equivalent",
        doc: "whether each list contains all elements of the other",
        example: Example::Gives("sets.equivalent([1, 2, 2], [2, 1])", "true"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "list_sets_equivalent_list", text: "sets.equivalent(list(T), list(T)) -> bool",
                since: Availability::Release(29), run: Run::Fitting(sets_equivalent),
                estimate: Forecast::Sets(2.0), price: Price::Sets(2.0) },
        ],
    },
    Function {
        name: "sets.intersects",
        doc: "whether the lists have an element in common",
        example: Example::Gives("sets.intersects([1, 2], [3])", "false"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "list_sets_intersects_list", text: "sets.intersects(list(T), list(T)) -> bool",
                since: Availability::Release(29), run: Run::Fitting(sets_intersects),
                estimate: Forecast::Sets(1.0), price: Price::Sets(1.0) },
        ],
    },
    Function {
        name: "sum",
        doc: "the sum of the elements",
        example: Example::Gives("[1, 2, 3].sum()", "6"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::Traversal,
        signatures: &[
            Signature { id: "list_int_sum_int", text: "(list(int)).sum() -> int",
                since: Availability::Always, run: Run::Fitting(sum_ints),
                estimate: Forecast::Traversal, price: Price::Traversal },
            Signature { id: "list_uint_sum_uint", text: "(list(uint)).sum() -> uint",
                since: Availability::Always, run: Run::Fitting(sum_uints),
                estimate: Forecast::Traversal, price: Price::Traversal },
            Signature { id: "list_double_sum_double", text: "(list(double)).sum() -> double",
                since: Availability::Always, run: Run::Fitting(sum_doubles),
                estimate: Forecast::Traversal, price: Price::Traversal },
            Signature { id: "list_duration_sum_duration", text: "(list(duration)).sum() -> duration",
                since: Availability::Always, run: Run::Fitting(sum_durations),
                estimate: Forecast::Traversal, price: Price::Traversal },
        ],
    },
];

fn list<'s, 'a>(args: &'s [Value<'a>]) -> Outcome<&'s List<'a>> {
    match args.first() {
        Some(Value::List(list)) => Ok(list),
        _ => Err(EvalError::NoSuchOverload),
    }
}

fn is_sorted<'a>(context: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    let list = list(args)?;
    context.bound.work(list.len() as u64)?;
    let mut previous: Option<Value<'a>> = None;
    for element in list.iter() {
        let element = comparable(element?)?;
        // Values without an order do not make the result false.
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

fn sum_ints<'a>(context: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    sum(context, args, Value::Int(0))
}

fn sum_uints<'a>(context: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    sum(context, args, Value::Uint(0))
}

fn sum_doubles<'a>(context: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    sum(context, args, Value::Double(0.0))
}

fn sum_durations<'a>(context: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    sum(context, args, Value::Duration(0))
}

fn min<'a>(context: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    extreme(context, args, "min", Ordering::Greater)
}

fn max<'a>(context: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    extreme(context, args, "max", Ordering::Less)
}

/// The minimum or maximum: the next element replaces the current one if the current one compares as `worse`.
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

/// Equality, with errors treated as false.
pub(super) fn is_equal<'a>(context: &Context<'_>, a: &Value<'a>, b: &Value<'a>) -> Outcome<bool> {
    match equal(context.bound, a, b) {
        Err(error) if error.is_final() => Err(error),
        result => Ok(result.unwrap_or(false)),
    }
}

fn includes<'a>(context: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    match args {
        [Value::List(list), wanted] => {
            let found = position(context, list, wanted, 0..list.len())?;
            Ok(Value::Bool(!matches!(found, Value::Int(-1))))
        }
        [value, wanted] => is_equal(context, value, wanted).map(Value::Bool),
        _ => Err(EvalError::NoSuchOverload),
    }
}

fn sets_contains<'a>(context: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    let [Value::List(all), Value::List(some)] = args else { return Err(EvalError::NoSuchOverload) };
    contains_all(context, all, some).map(Value::Bool)
}

fn sets_equivalent<'a>(context: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
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

fn sets_intersects<'a>(context: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
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
fn map_insert<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    let [Value::Map(map), key, value] = args else { return Err(EvalError::NoSuchOverload) };
    insert(map, key, std::mem::replace(value, Value::Null))?;
    Ok(Value::Map(std::mem::replace(map, Map::of(MapBuilder::default()))))
}

/// A map with the entries of another.
fn map_insert_all<'a>(context: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
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
