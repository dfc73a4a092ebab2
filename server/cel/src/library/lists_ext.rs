//! Lists of cel-go's extension.

use std::cmp::Ordering;

use super::costs::{Forecast, Price, STRING};
use super::declaration::{Availability, Body, Function, INTERNAL, Precomputation, Run, Signature};
use super::lists::is_equal;
use super::{Args, Context, Trait};
use crate::documentation::{Example, Origin};
use crate::value::{EvalError, List, Outcome, Value};

/// The functions that are declared here.
#[rustfmt::skip]
pub(super) const FUNCTIONS: &[Function] = &[
    Function {
        name: "@sortByAssociatedKeys",
        doc: INTERNAL,
        example: Example::Gives("[3, 1, 2].sortBy(x, x)", "[1, 2, 3]"),
        origin: Origin::Computed,
        body: Body::All(sort_by_keys, Trait::IsList), ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "list_int_sortByAssociatedKeys",
                text: "(list(T)).@sortByAssociatedKeys(list(int)) -> list(T)",
                since: Availability::Release(34), run: Run::OfFunction,
                estimate: Forecast::Sort(1, 2.0), price: Price::Sort(1) },
            Signature { id: "list_uint_sortByAssociatedKeys",
                text: "(list(T)).@sortByAssociatedKeys(list(uint)) -> list(T)",
                since: Availability::Release(34), run: Run::OfFunction,
                estimate: Forecast::Sort(1, 2.0), price: Price::Sort(1) },
            Signature { id: "list_double_sortByAssociatedKeys",
                text: "(list(T)).@sortByAssociatedKeys(list(double)) -> list(T)",
                since: Availability::Release(34), run: Run::OfFunction,
                estimate: Forecast::Sort(1, 2.0), price: Price::Sort(1) },
            Signature { id: "list_bool_sortByAssociatedKeys",
                text: "(list(T)).@sortByAssociatedKeys(list(bool)) -> list(T)",
                since: Availability::Release(34), run: Run::OfFunction,
                estimate: Forecast::Sort(1, 2.0), price: Price::Sort(1) },
            Signature { id: "list_google.protobuf.Duration_sortByAssociatedKeys",
                text: "(list(T)).@sortByAssociatedKeys(list(duration)) -> list(T)",
                since: Availability::Release(34), run: Run::OfFunction,
                estimate: Forecast::Sort(1, 2.0), price: Price::Sort(1) },
            Signature { id: "list_google.protobuf.Timestamp_sortByAssociatedKeys",
                text: "(list(T)).@sortByAssociatedKeys(list(timestamp)) -> list(T)",
                since: Availability::Release(34), run: Run::OfFunction,
                estimate: Forecast::Sort(1, 2.0), price: Price::Sort(1) },
            Signature { id: "list_string_sortByAssociatedKeys",
                text: "(list(T)).@sortByAssociatedKeys(list(string)) -> list(T)",
                since: Availability::Release(34), run: Run::OfFunction,
                estimate: Forecast::Sort(1, 2.0 + STRING), price: Price::Sort(1) },
            Signature { id: "list_bytes_sortByAssociatedKeys",
                text: "(list(T)).@sortByAssociatedKeys(list(bytes)) -> list(T)",
                since: Availability::Release(34), run: Run::OfFunction,
                estimate: Forecast::Sort(1, 2.0 + STRING), price: Price::Sort(1) },
        ],
    },
    Function {
        name: "distinct",
        doc: "the list without repeated elements; the first of each is kept",
        example: Example::Gives("[1, 2, 1].distinct()", "[1, 2]"),
        origin: Origin::Receiver,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "list_distinct", text: "(list(T)).distinct() -> list(T)",
                since: Availability::Release(34), run: Run::Fitting(distinct),
                estimate: Forecast::Sort(0, 2.0), price: Price::Sort(0) },
        ],
    },
    Function {
        name: "flatten",
        doc: "the list with nested lists flattened, down to the given depth (default 1)",
        example: Example::Gives("[[1], [2, 3]].flatten()", "[1, 2, 3]"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "list_flatten", text: "(list(list(T))).flatten() -> list(T)",
                since: Availability::Release(34), run: Run::Any(flatten),
                estimate: Forecast::SameList, price: Price::Flatten },
            Signature { id: "list_flatten_int", text: "(list(dyn)).flatten(int) -> list(dyn)",
                since: Availability::Release(34), run: Run::Any(flatten),
                estimate: Forecast::Flatten, price: Price::Flatten },
        ],
    },
    Function {
        name: "lists.range",
        doc: "the integers from 0 up to, but not including, the number",
        example: Example::Gives("lists.range(3)", "[0, 1, 2]"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "lists_range", text: "lists.range(int) -> list(int)",
                since: Availability::Release(34), run: Run::Fitting(range),
                estimate: Forecast::Range, price: Price::NewList },
        ],
    },
    Function {
        name: "reverse",
        doc: "the list in reverse order",
        example: Example::Gives("[1, 2, 3].reverse()", "[3, 2, 1]"),
        origin: Origin::Receiver,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "list_reverse", text: "(list(T)).reverse() -> list(T)",
                since: Availability::Release(34), run: Run::Fitting(reverse),
                estimate: Forecast::SameList, price: Price::NewList },
        ],
    },
    Function {
        name: "slice",
        doc: "the elements from the first index up to, but not including, the second",
        example: Example::Gives("[1, 2, 3, 4].slice(1, 3)", "[2, 3]"),
        origin: Origin::Receiver,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "list_slice", text: "(list(T)).slice(int, int) -> list(T)",
                since: Availability::Release(34), run: Run::Fitting(slice),
                estimate: Forecast::Slice, price: Price::NewList },
        ],
    },
    Function {
        name: "sort",
        doc: "the elements in ascending order",
        example: Example::Gives("[3, 1, 2].sort()", "[1, 2, 3]"),
        origin: Origin::Receiver,
        body: Body::All(sort, Trait::IsList), ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "list_int_sort", text: "(list(int)).sort() -> list(int)",
                since: Availability::Release(34), run: Run::OfFunction,
                estimate: Forecast::Sort(0, 2.0), price: Price::Sort(0) },
            Signature { id: "list_uint_sort", text: "(list(uint)).sort() -> list(uint)",
                since: Availability::Release(34), run: Run::OfFunction,
                estimate: Forecast::Sort(0, 2.0), price: Price::Sort(0) },
            Signature { id: "list_double_sort", text: "(list(double)).sort() -> list(double)",
                since: Availability::Release(34), run: Run::OfFunction,
                estimate: Forecast::Sort(0, 2.0), price: Price::Sort(0) },
            Signature { id: "list_bool_sort", text: "(list(bool)).sort() -> list(bool)",
                since: Availability::Release(34), run: Run::OfFunction,
                estimate: Forecast::Sort(0, 2.0), price: Price::Sort(0) },
            Signature { id: "list_google.protobuf.Duration_sort",
                text: "(list(duration)).sort() -> list(duration)",
                since: Availability::Release(34), run: Run::OfFunction,
                estimate: Forecast::Sort(0, 2.0), price: Price::Sort(0) },
            Signature { id: "list_google.protobuf.Timestamp_sort",
                text: "(list(timestamp)).sort() -> list(timestamp)",
                since: Availability::Release(34), run: Run::OfFunction,
                estimate: Forecast::Sort(0, 2.0), price: Price::Sort(0) },
            Signature { id: "list_string_sort", text: "(list(string)).sort() -> list(string)",
                since: Availability::Release(34), run: Run::OfFunction,
                estimate: Forecast::Sort(0, 2.0 + STRING), price: Price::Sort(0) },
            Signature { id: "list_bytes_sort", text: "(list(bytes)).sort() -> list(bytes)",
                since: Availability::Release(34), run: Run::OfFunction,
                estimate: Forecast::Sort(0, 2.0 + STRING), price: Price::Sort(0) },
        ],
    },
];

/// The longest list that `lists.range` creates.
const MAX_RANGE: i64 = 1_000_000;

fn range<'a>(context: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
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

/// A list costs one unit for each element; a list that exceeds the budget is not created.
fn affordable(context: &Context<'_>, elements: u64) -> Outcome<()> {
    if elements > context.budget { Err(EvalError::CostLimit) } else { context.bound.work(elements) }
}

fn slice<'a>(context: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
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

fn reverse<'a>(context: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    let [Value::List(list)] = args else { return Err(EvalError::NoSuchOverload) };
    affordable(context, list.len() as u64)?;
    let mut elements = list.collect(context.bound)?;
    elements.reverse();
    Ok(Value::list(elements))
}

fn flatten<'a>(context: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
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

fn distinct<'a>(context: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    let [Value::List(list)] = args else { return Err(EvalError::NoSuchOverload) };
    if list.is_empty() {
        return Ok(Value::List(list.clone()));
    }
    let mut unique: Vec<Value<'a>> = vec![];
    for (at, element) in list.collect(context.bound)?.into_iter().enumerate() {
        let mut seen = false;
        // cel-go skips the comparison with the unique element whose index equals that of the element.
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

fn sort<'a>(context: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    let [Value::List(list)] = args else { return Err(EvalError::NoSuchOverload) };
    sort_by(context, list, list)
}

fn sort_by_keys<'a>(context: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
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
    // Go sorts few elements by insertion, which is stable; for many elements, it is not.
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
