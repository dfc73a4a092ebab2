//! Enums of strings on integers and booleans.

use super::combinations::Read;
use super::mistake::{CheckedFile, Mistake, MistakeKind, advised, flag_of};
use super::types::{BasicKind, Types, has_marker, reads, value_place};
use crate::marker::{Data, Meaning, Value};
use crate::syntax::{Expr, MarkerComment};

/// Checks for an enum whose values are all strings, on an integer or a boolean: on the type `name`, or on a field with that
/// type. A single misfit is reported on the definition.
pub(super) fn check(
    seen: CheckedFile<'_>,
    list: &[MarkerComment],
    (name, expr): (&str, &Expr),
    types: &Types<'_>,
    found: &mut Vec<Mistake>,
) {
    if !has_marker(list, |meaning| meaning == Meaning::Enum) {
        return;
    }
    let (one, kind) = match types.basic(expr) {
        Some(BasicKind::Integer) => ("integer", BasicKind::Integer),
        Some(BasicKind::Bool) => ("boolean", BasicKind::Bool),
        _ => return,
    };
    let reads = reads(seen, list);
    // The schema then does not describe the Go type.
    if reads.iter().any(|read| matches!(read.marker.meaning(), Meaning::Schemaless | Meaning::Type)) {
        return;
    }
    for read in reads.iter().filter(|read| read.marker.meaning() == Meaning::Enum) {
        let Some(Data::List(values)) = read.value() else { continue };
        // Words for booleans and names of constants have separate findings.
        let is_other = |value: &Value| {
            let is_flag = |text: &str| {
                kind == BasicKind::Bool && flag_of(text).is_some() && text != "true" && text != "false"
            };
            let is_constant = |text: &str| types.integers(name).iter().any(|(constant, _)| *constant == text);
            matches!(&value.data, Data::Text(text) if !is_flag(text) && !is_constant(text))
        };
        if values.is_empty() || !values.iter().all(is_other) {
            continue;
        }
        found.push(unquoted(seen, read, values, (one, kind)).unwrap_or_else(|| {
            let words = advised(
                format!("the enum admits no {one}, because none of its values is one"),
                "remove it, or change the type of the field",
            );
            let mistake = Mistake::new(MistakeKind::Value, value_place(seen, read), words);
            mistake.removed(seen, read.comment.comment, format!("Remove `{}`", read.name()), false)
        }));
    }
}

/// The mistake for values that fit without their quotes.
fn unquoted(
    seen: CheckedFile<'_>,
    read: &Read<'_>,
    values: &[Value],
    (one, kind): (&str, BasicKind),
) -> Option<Mistake> {
    let edits = values.iter().map(|value| {
        let Data::Text(text) = &value.data else { return None };
        let fits = match kind {
            BasicKind::Integer => text.parse::<i64>().is_ok(),
            _ => matches!(&**text, "true" | "false"),
        };
        fits.then(|| (seen.place_in_marker(read.comment, value.range.clone()), text.to_string()))
    });
    let edits: Vec<_> = edits.collect::<Option<_>>()?;
    let problem = format!("the enum admits no {one}, because its values are strings");
    let words = advised(problem, "remove the quotes");
    let mistake = Mistake::new(MistakeKind::Value, value_place(seen, read), words);
    Some(mistake.repaired("Remove the quotes".to_owned(), edits, false))
}
