//! Bounds and enums that other markers exclude: markers beside them, and those of the named type.

use super::combinations::{ListType, Read, default_of};
use super::mistake::{CheckedFile, Mistake, MistakeKind, advised};
use super::types::{has_marker, reads, value_place};
use crate::marker::{Data, Meaning, Value};
use crate::syntax::MarkerComment;
use crate::version::Change;

/// Markers that contradict other markers of the same field or type, or that are wrong by themselves.
const fn is_of_enum(meaning: Meaning) -> bool {
    matches!(meaning, Meaning::Enum | Meaning::MinLength | Meaning::MinItems | Meaning::MinProperties)
}

/// Markers of a field that may contradict those of its type.
pub(super) const fn is_compared(meaning: Meaning) -> bool {
    is_of_enum(meaning)
        || matches!(
            meaning,
            Meaning::Maximum
                | Meaning::Minimum
                | Meaning::MaxLength
                | Meaning::MaxItems
                | Meaning::MaxProperties
                | Meaning::Default
                | Meaning::JsonDefault
        )
}

/// Lower bounds with their upper bounds, and the kind of value.
const BOUNDS: [(Meaning, Meaning, &str); 4] = [
    (Meaning::Minimum, Meaning::Maximum, "number"),
    (Meaning::MinLength, Meaning::MaxLength, "text"),
    (Meaning::MinItems, Meaning::MaxItems, "list"),
    (Meaning::MinProperties, Meaning::MaxProperties, "object"),
];

fn number(value: &Value) -> Option<f64> {
    match &value.data {
        Data::Int(number) => Some(*number as f64),
        Data::Number(number) => Some(*number),
        _ => None,
    }
}

/// The last marker with a meaning, and its number.
fn bound<'r, 'f>(reads: &'r [Read<'f>], meaning: Meaning) -> Option<(&'r Read<'f>, f64)> {
    let read = reads.iter().rfind(|read| read.marker.meaning() == meaning)?;
    Some((read, number(read.marker.argument("")?)?))
}

/// Checks for values of an enum that the bounds beside it exclude, and for negative bounds of sizes.
pub(super) fn check_bounds_of_enum(seen: CheckedFile<'_>, list: &[MarkerComment], found: &mut Vec<Mistake>) {
    if !has_marker(list, is_of_enum) {
        return;
    }
    let reads = reads(seen, list);
    for read in &reads {
        let is_least =
            matches!(read.marker.meaning(), Meaning::MinLength | Meaning::MinItems | Meaning::MinProperties);
        if is_least && matches!(read.value(), Some(Data::Int(number)) if *number < 0) {
            let words = advised(format!("a negative `{}` has no effect", read.name()), "write 0 or more");
            let mistake = Mistake::new(MistakeKind::Value, value_place(seen, read), words);
            let title = format!("Remove `{}`", read.name());
            found.push(mistake.removed(seen, read.comment.comment, title, false));
        }
    }
    let of = |meaning| bound(&reads, meaning);
    let Some(read) = reads.iter().rfind(|read| read.marker.meaning() == Meaning::Enum) else { return };
    let Some(Data::List(values)) = read.value() else { return };
    let mut excluded: Vec<(&Value, &Read<'_>)> = Vec::new();
    for value in values {
        let (size, least, most) = match &value.data {
            Data::Text(text) => (text.chars().count() as f64, Meaning::MinLength, Meaning::MaxLength),
            Data::Int(number) => (*number as f64, Meaning::Minimum, Meaning::Maximum),
            Data::Number(number) => (*number, Meaning::Minimum, Meaning::Maximum),
            _ => continue,
        };
        let broken = of(least)
            .filter(|(_, least)| size < *least)
            .or_else(|| of(most).filter(|(_, most)| size > *most));
        excluded.extend(broken.map(|(bound, _)| (value, bound)));
    }
    let written = |value: &Value| seen.text(read.comment).get(value.range.clone()).unwrap_or("").trim();
    let new_mistake = |problem: String, place, (other, what): (_, &str)| {
        let mistake = Mistake::new(MistakeKind::Bounds, place, advised(problem, "change one of them"));
        mistake.with_related(other, what.to_owned())
    };
    match excluded.as_slice() {
        [] => {}
        [(value, bound)] => {
            let problem = format!("`{}` excludes the value `{}` of the enum", bound.name(), written(value));
            let place = seen.place_in_marker(read.comment, value.range.clone());
            found.push(new_mistake(problem, place, (bound.place(seen), "the bound")));
        }
        // If a bound excludes several values, the bound is probably wrong.
        [(value, bound), rest @ ..] => {
            let problem = format!(
                "`{}={}` excludes {} values of the enum, such as `{}`",
                bound.name(),
                bound.value_text(),
                rest.len() + 1,
                written(value)
            );
            found.push(new_mistake(problem, value_place(seen, bound), (read.place(seen), "the enum")));
        }
    }
}

/// Checks the markers of a field against those of its named type.
pub(super) fn check_bounds_of_type(
    seen: CheckedFile<'_>,
    list: &[MarkerComment],
    (other, name, markers): (CheckedFile<'_>, &str, &[MarkerComment]),
    found: &mut Vec<Mistake>,
) {
    if list.is_empty() || markers.is_empty() {
        return;
    }
    let (own, named) = (reads(seen, list), reads(other, markers));
    let last = |reads: &[Read<'_>]| reads.iter().rposition(|read| read.marker.meaning() == Meaning::Enum);
    if let (Some(mine), Some(its)) = (last(&own), last(&named))
        && seen.version.has(Change::EnumMerge)
        && let (Some(mine), Some(its)) = (own.get(mine), named.get(its))
        && values(mine) != values(its)
    {
        let words = advised(
            format!("the enum of the type `{name}` replaces this one"),
            "remove this one, or that of the type",
        );
        let mistake = Mistake::new(MistakeKind::Overridden, mine.place(seen), words);
        let mistake = mistake.with_related(its.place(other), "this one has the effect".to_owned());
        let title = format!("Remove `{}`, which has no effect", mine.name());
        found.push(mistake.removed(seen, mine.comment.comment, title, false));
    } else if let (Some(mine), Some(its)) = (last(&own), last(&named))
        && let (Some(mine), Some(its)) = (own.get(mine), named.get(its))
    {
        check_enum_of_type((seen, mine), (other, its), name, found);
    }
    let has_own = own.iter().any(|read| read.marker.meaning() == Meaning::ListType);
    if let (Some(default), Some(list)) = (default_of(own.iter()), ListType::of(named.iter()))
        && !has_own
    {
        list.unique(seen, default, found);
    }
    for (lower, upper, what) in BOUNDS {
        contradiction((seen, &own), (other, &named), (lower, upper), what, name, found);
    }
}

/// Checks for values of a field's enum that the enum of its type lacks: older releases keep both enums, and only common
/// values are valid.
fn check_enum_of_type(
    (seen, mine): (CheckedFile<'_>, &Read<'_>),
    (other, its): (CheckedFile<'_>, &Read<'_>),
    name: &str,
    found: &mut Vec<Mistake>,
) {
    let known = values(its);
    let Some(Data::List(own)) = mine.value() else { return };
    let is_unknown = |value: &&Value| value.to_json().is_some_and(|json| !known.contains(&json.encoded()));
    for value in own.iter().filter(is_unknown) {
        let written = seen.text(mine.comment).get(value.range.clone()).unwrap_or("").trim();
        let words = advised(
            format!("no object has `{written}` here, because the enum of the type `{name}` lacks it"),
            "remove the value, or add it to the type",
        );
        let place = seen.place_in_marker(mine.comment, value.range.clone());
        let mistake = Mistake::new(MistakeKind::Bounds, place, words);
        found.push(mistake.with_related(its.place(other), "the enum of the type".to_owned()));
    }
}

/// The values of an enum as JSON.
fn values(read: &Read<'_>) -> Vec<String> {
    let Some(Data::List(values)) = read.value() else { return Vec::new() };
    let mut values: Vec<String> =
        values.iter().filter_map(|value| Some(value.to_json()?.encoded())).collect();
    values.sort();
    values
}

/// Checks for bounds of a field that exclude all values that its type allows. If the two do not set the same keyword, the
/// schema has both, and the check of the schema finds them.
fn contradiction(
    (seen, own): (CheckedFile<'_>, &[Read<'_>]),
    (other, named): (CheckedFile<'_>, &[Read<'_>]),
    (lower, upper): (Meaning, Meaning),
    what: &str,
    name: &str,
    found: &mut Vec<Mistake>,
) {
    let (my_lower, my_upper) = (bound(own, lower), bound(own, upper));
    let (its_lower, its_upper) = (bound(named, lower), bound(named, upper));
    let is_merged =
        (my_lower.is_none() || its_lower.is_none()) && (my_upper.is_none() || its_upper.is_none());
    if is_merged {
        return;
    }
    let too_high = my_lower.zip(its_upper).filter(|((_, mine), (_, its))| mine > its);
    let too_low = my_upper.zip(its_lower).filter(|((_, mine), (_, its))| mine < its);
    if let Some(((mine, _), (its, _))) = too_high.or(too_low) {
        let words = advised(
            format!("no {what} is valid: the type `{name}` has `{}={}`", its.name(), its.value_text()),
            "change one of the two",
        );
        let mistake = Mistake::new(MistakeKind::Bounds, value_place(seen, mine), words);
        found.push(mistake.with_related(its.place(other), "the bound of the type".to_owned()));
    }
}
