//! Numbers in markers that the integer of the Go type cannot hold: Go fails to decode objects that have them.

use super::mistake::{Mistake, MistakeKind, Seen, advised};
use super::together::{Read, default_of};
use super::types::{Types, reads, value_place};
use crate::load::Place;
use crate::marker::{Data, Meaning};
use crate::syntax::{Associated, Expr, ExprKind, MarkerComment};

pub(super) fn check(seen: Seen<'_>, associated: &Associated, types: &Types<'_>, found: &mut Vec<Mistake>) {
    for (_, declared) in seen.file.types() {
        let name = &declared.name;
        if let Some(markers) = associated.types.get(name.span.start).filter(|_| !types.is_encoded(&name.name))
        {
            of_markers(seen, markers, &declared.expr, types, found);
        }
        let ExprKind::Struct(fields) = &declared.expr.kind else { continue };
        for field in fields {
            if let Some(markers) = associated.fields.get(field.spec.span.start) {
                of_markers(seen, markers, &field.expr, types, found);
            }
        }
    }
}

/// The least and the largest number of a type of the language; none where it holds all that a schema can be made for.
fn range(name: &str) -> Option<(i64, i64)> {
    Some(match name {
        "int8" => (i8::MIN.into(), i8::MAX.into()),
        "int16" => (i16::MIN.into(), i16::MAX.into()),
        "int32" => (i32::MIN.into(), i32::MAX.into()),
        "uint8" | "byte" => (0, u8::MAX.into()),
        "uint16" => (0, u16::MAX.into()),
        "uint32" => (0, u32::MAX.into()),
        "uint" | "uint64" => (0, i64::MAX),
        _ => return None,
    })
}

/// The markers of a field or a type that is made of `expr`.
fn of_markers(
    seen: Seen<'_>,
    markers: &[MarkerComment],
    expr: &Expr,
    types: &Types<'_>,
    found: &mut Vec<Mistake>,
) {
    if markers.is_empty() {
        return;
    }
    let Some((name, range)) = types.builtin(expr).and_then(|name| Some((name, range(name)?))) else { return };
    let reads = reads(seen, markers);
    // What is decoded then is for the author to say.
    let is_free = |read: &Read<'_>| matches!(read.marker.meaning(), Meaning::Schemaless | Meaning::Type);
    if reads.iter().any(is_free) {
        return;
    }
    let told = |place: Place, what: &str, data: &Data| {
        let number = number(data).filter(|number| *number < range.0 || *number > range.1)?;
        let problem = format!("`{name}` cannot hold {what} {number}, so Go fails to decode the object");
        let remedy = match number < 0 && range.0 == 0 {
            true => "write 0 or more, or use another type".to_owned(),
            false => format!("write {} to {}, or use another type", range.0, range.1),
        };
        Some(Mistake::new(MistakeKind::Encoding, place, advised(problem, remedy)))
    };
    if let Some(default) = default_of(reads.iter())
        && let Some(data) = default.value()
    {
        found.extend(told(value_place(seen, default), "the default", data));
    }
    for read in &reads {
        match (read.marker.meaning(), read.value()) {
            (Meaning::Enum, Some(Data::List(items))) => {
                found.extend(items.iter().filter_map(|item| {
                    told(seen.within(read.comment, item.range.clone()), "the value", &item.data)
                }));
            }
            (Meaning::Maximum, Some(data)) if number(data).is_some_and(|most| most < range.0) => {
                found.push(no_number(seen, read, name, format!("{} or more", range.0)));
            }
            (Meaning::Minimum, Some(data)) if number(data).is_some_and(|least| least > range.1) => {
                found.push(no_number(seen, read, name, format!("{} or less", range.1)));
            }
            _ => {}
        }
    }
}

/// A bound that excludes all numbers of a type.
fn no_number(seen: Seen<'_>, read: &Read<'_>, name: &str, remedy: String) -> Mistake {
    let words = advised(
        format!("no number is valid, because `{}={}` excludes all of `{name}`", read.name(), read.written()),
        format!("write {remedy}"),
    );
    Mistake::new(MistakeKind::Bounds, value_place(seen, read), words)
}

/// A whole number.
fn number(data: &Data) -> Option<i64> {
    match data {
        Data::Int(number) => Some(*number),
        Data::Number(number) if number.fract() == 0.0 => Some(*number as i64),
        _ => None,
    }
}
