//! Lists as cel-go's extension has them.

use std::cmp::Ordering;

use super::Context;
use super::lists::is_equal;
use crate::value::{EvalError, List, Outcome, Value};

type Args<'s, 'a> = &'s mut [Value<'a>];

/// The longest list that `lists.range` makes.
const MAX_RANGE: i64 = 1_000_000;

pub(super) fn range<'a>(context: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    let [Value::Int(count)] = *args else { return Err(EvalError::NoSuchOverload) };
    if count < 0 {
        let message = format!("lists.range: size must be non-negative, got {count}");
        return Err(EvalError::new(message));
    }
    if count > MAX_RANGE {
        let message = format!("lists.range: size {count} exceeds maximum allowed ({MAX_RANGE})");
        return Err(EvalError::new(message));
    }
    affordable(context, count as u64)?;
    Ok(Value::list((0..count).map(Value::Int).collect()))
}

/// A list costs as many units as it has elements; what cannot be paid is not made.
fn affordable(context: &Context<'_>, elements: u64) -> Outcome<()> {
    if elements > context.budget { Err(EvalError::CostLimit) } else { context.bound.work(elements) }
}

pub(super) fn slice<'a>(context: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    let [Value::List(list), Value::Int(start), Value::Int(end)] = args else {
        return Err(EvalError::NoSuchOverload);
    };
    let (start, end, len) = (*start, *end, list.len() as i64);
    let wrong = |why: String| Err(EvalError::new(format!("cannot slice({start}, {end}), {why}")));
    if start < 0 || end < 0 {
        return wrong("negative indexes not supported".to_owned());
    }
    if start > end {
        return wrong("start index must be less than or equal to end index".to_owned());
    }
    if len < end {
        return wrong(format!("list is length {len}"));
    }
    affordable(context, (end - start) as u64)?;
    let elements = (start..end).filter_map(|at| list.get(at as usize));
    elements.collect::<Outcome<_>>().map(Value::list)
}

pub(super) fn reverse<'a>(context: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    let [Value::List(list)] = args else { return Err(EvalError::NoSuchOverload) };
    affordable(context, list.len() as u64)?;
    let mut elements = list.collect(context.bound)?;
    elements.reverse();
    Ok(Value::list(elements))
}

pub(super) fn flatten<'a>(context: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    let (list, depth) = match args {
        [Value::List(list)] => (list, 1),
        [Value::List(list), Value::Int(depth)] => (list, *depth),
        _ => return Err(EvalError::NoSuchOverload),
    };
    if depth < 0 {
        return Err(EvalError::new("level must be non-negative"));
    }
    let mut elements = vec![];
    flatten_into(context, list, depth, &mut elements)?;
    Ok(Value::list(elements))
}

fn flatten_into<'a>(
    context: &Context<'_>,
    list: &List<'a>,
    depth: i64,
    elements: &mut Vec<Value<'a>>,
) -> Outcome<()> {
    context.bound.elements(elements.len().saturating_add(list.len()))?;
    for element in list.iter() {
        match element? {
            Value::List(inner) if depth > 0 => {
                context.bound.deeper(|| flatten_into(context, &inner, depth - 1, elements))?;
            }
            element => elements.push(element),
        }
    }
    Ok(())
}

pub(super) fn distinct<'a>(context: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    let [Value::List(list)] = args else { return Err(EvalError::NoSuchOverload) };
    if list.is_empty() {
        return Ok(Value::List(list.clone()));
    }
    let mut unique: Vec<Value<'a>> = vec![];
    for (at, element) in list.collect(context.bound)?.into_iter().enumerate() {
        let mut seen = false;
        // cel-go compares no element with the one that has its own place among the different ones.
        for (place, other) in unique.iter().enumerate() {
            if place != at && is_equal(context, &element, other)? {
                seen = true;
                break;
            }
        }
        if !seen {
            unique.push(element);
        }
    }
    Ok(Value::list(unique))
}

pub(super) fn sort<'a>(context: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    let [Value::List(list)] = args else { return Err(EvalError::NoSuchOverload) };
    sort_by(context, list, list)
}

pub(super) fn sort_by_keys<'a>(context: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    let [Value::List(list), Value::List(keys)] = args else { return Err(EvalError::NoSuchOverload) };
    sort_by(context, list, keys)
}

fn sort_by<'a>(context: &Context<'_>, list: &List<'a>, keys: &List<'a>) -> Outcome<Value<'a>> {
    if list.len() != keys.len() {
        let message = format!(
            "@sortByAssociatedKeys() expected a list of the same size as the associated keys list, but got {} and {} elements respectively",
            list.len(),
            keys.len()
        );
        return Err(EvalError::new(message));
    }
    let Some(first) = keys.get(0) else { return Ok(Value::List(list.clone())) };
    let first = first?;
    if !first.is_comparable() {
        return Err(EvalError::new("list elements must be comparable"));
    }
    let keys = keys.collect(context.bound)?;
    if keys.iter().any(|key| key.type_name() != first.type_name()) {
        return Err(EvalError::new("list elements must have the same type"));
    }
    let elements = list.collect(context.bound)?;
    let mut pairs: Vec<_> = keys.into_iter().zip(elements).collect();
    // Go sorts few elements by insertion and so keeps the order of equal ones; of many, it does not.
    insertion_or_merge(&mut pairs);
    Ok(Value::list(pairs.into_iter().map(|(_, element)| element).collect()))
}

fn insertion_or_merge(pairs: &mut [(Value<'_>, Value<'_>)]) {
    const FEW: usize = 12;
    if pairs.len() > FEW {
        return pairs.sort_by(|(a, _), (b, _)| match (a, b) {
            (Value::Double(a), Value::Double(b)) => a.total_cmp(b),
            _ => a.compare(b).unwrap_or(Ordering::Equal),
        });
    }
    for end in 1..pairs.len() {
        let mut at = end;
        while at > 0 && is_less(pairs, at, at - 1) {
            pairs.swap(at, at - 1);
            at -= 1;
        }
    }
}

fn is_less(pairs: &[(Value<'_>, Value<'_>)], a: usize, b: usize) -> bool {
    match (pairs.get(a), pairs.get(b)) {
        (Some((a, _)), Some((b, _))) => a.compare(b) == Ok(Ordering::Less),
        _ => false,
    }
}
