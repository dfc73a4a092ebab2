//! Values in markers that the Go type cannot hold: numbers beyond its range, and words in the enums of booleans.

use super::combinations::{Read, default_of};
use super::mistake::{CheckedFile, Mistake, MistakeKind, advised, bare, flag_of};
use super::types::{MarkedDeclaration, Types, marked, reads, value_place};
use crate::load::Place;
use crate::marker::{Data, Meaning};
use crate::syntax::{Expr, ExprKind, FileMarkers, MarkerComment, Span};

pub(super) fn check(
    seen: CheckedFile<'_>,
    associated: &FileMarkers,
    types: &Types<'_>,
    found: &mut Vec<Mistake>,
) {
    for MarkedDeclaration { markers, declared, expr } in marked(seen, associated) {
        if !declared.is_some_and(|declared| types.is_encoded(&declared.name.name)) {
            of_markers(seen, markers, expr, types, found);
        }
    }
}

/// The minimum and the maximum of a basic type; `None` if it holds all numbers of its schema.
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

/// Checks the markers of a field or a type with the type `expr`.
fn of_markers(
    seen: CheckedFile<'_>,
    markers: &[MarkerComment],
    expr: &Expr,
    types: &Types<'_>,
    found: &mut Vec<Mistake>,
) {
    if markers.is_empty() {
        return;
    }
    let Some(name) = types.builtin(expr) else { return };
    let reads = reads(seen, markers);
    // With these markers, the author determines which values are decoded.
    let is_free = |read: &Read<'_>| matches!(read.marker.meaning(), Meaning::Schemaless | Meaning::Type);
    if reads.iter().any(is_free) {
        return;
    }
    if name == "bool" {
        words_as_booleans(seen, &reads, found);
    } else if let Some(range) = range(name) {
        numbers(seen, &reads, (name, range), found);
    }
}

/// Checks for words such as `on`, which are texts. All words of an enum are one mistake.
fn words_as_booleans(seen: CheckedFile<'_>, reads: &[Read<'_>], found: &mut Vec<Mistake>) {
    for read in reads {
        let words = enums(seen, std::slice::from_ref(read)).filter_map(|(place, _, data)| {
            let Data::Text(word) = data else { return None };
            let flag = flag_of(word)?;
            let written = seen.file.slice(place.span);
            // Another check reports the same word in quotes.
            let is_reported = written.starts_with(['"', '`', '\'']) && flag == &**word;
            (!is_reported).then_some((place, &**word, flag))
        });
        let words: Vec<(Place, &str, &str)> = words.collect();
        let (Some((first, word, flag)), Some((last, ..))) = (words.first(), words.last()) else { continue };
        let edits = words.iter().map(|(place, _, flag)| (*place, (*flag).to_owned())).collect();
        let (text, title) = match words.len() {
            1 => (
                advised(format!("`{word}` is a text, and the field is a boolean"), format!("write `{flag}`")),
                format!("Change to `{flag}`"),
            ),
            number => (
                advised(
                    format!("{number} values such as `{word}` are texts, and the field is a boolean"),
                    "write `true` and `false`",
                ),
                "Change the values to booleans".to_owned(),
            ),
        };
        let span = Span { start: first.span.start, end: last.span.end };
        let mistake = Mistake::new(MistakeKind::Value, Place { span, ..*first }, text);
        found.push(mistake.repaired(title, edits, false));
    }
}

/// A value of a marker: its place, its description and its data.
type MarkerValue<'r> = (Place, &'static str, &'r Data);

/// The values of the enums.
fn enums<'r>(seen: CheckedFile<'r>, reads: &'r [Read<'r>]) -> impl Iterator<Item = MarkerValue<'r>> {
    let enums = reads.iter().filter(|read| read.marker.meaning() == Meaning::Enum);
    enums.flat_map(move |read| {
        let items = match read.value() {
            Some(Data::List(items)) => items.as_slice(),
            _ => &[],
        };
        items.iter().map(move |item| {
            (seen.place_in_marker(read.comment, item.range.clone()), "the value", &item.data)
        })
    })
}

/// The default, and the values of the enums.
fn values<'r>(seen: CheckedFile<'r>, reads: &'r [Read<'r>]) -> impl Iterator<Item = MarkerValue<'r>> {
    let default = default_of(reads.iter());
    let default = default.and_then(|read| Some((value_place(seen, read), "the default", read.value()?)));
    default.into_iter().chain(enums(seen, reads))
}

/// Checks for numbers that an integer cannot hold, and for bounds that exclude all numbers that it can hold.
fn numbers(
    seen: CheckedFile<'_>,
    reads: &[Read<'_>],
    (name, range): (&str, (i64, i64)),
    found: &mut Vec<Mistake>,
) {
    found.extend(values(seen, reads).filter_map(|(place, what, data)| {
        let number = number(data).filter(|number| *number < range.0 || *number > range.1)?;
        let problem = format!("`{name}` cannot hold {what} {number}, so Go fails to decode the object");
        let remedy = match number < 0 && range.0 == 0 {
            true => "write 0 or more, or use another type".to_owned(),
            false => format!("write {} to {}, or use another type", range.0, range.1),
        };
        Some(Mistake::new(MistakeKind::Encoding, place, advised(problem, remedy)))
    }));
    for read in reads {
        let bound = read.value().and_then(number);
        match (read.marker.meaning(), bound) {
            (Meaning::Maximum, Some(most)) if most < range.0 => {
                found.push(no_number(seen, read, name, (range.0, "or more")));
            }
            (Meaning::Minimum, Some(least)) if least > range.1 => {
                found.push(no_number(seen, read, name, (range.1, "or less")));
            }
            // The format of the schema already sets this bound.
            _ if name == "int32" => {}
            (Meaning::Minimum, Some(least)) if least < range.0 => {
                found.push(beyond_range(seen, read, name, range.0));
            }
            (Meaning::Maximum, Some(most)) if most > range.1 => {
                found.push(beyond_range(seen, read, name, range.1));
            }
            _ => {}
        }
    }
}

/// The mistake for a bound that allows numbers that the type cannot hold.
fn beyond_range(seen: CheckedFile<'_>, read: &Read<'_>, name: &str, limit: i64) -> Mistake {
    let words = advised(
        format!("`{}={}` admits numbers that `{name}` cannot hold", read.name(), read.value_text()),
        format!("write {limit}"),
    );
    let mistake = Mistake::new(MistakeKind::Bounds, value_place(seen, read), words).hint();
    let edits = vec![(mistake.place, limit.to_string())];
    mistake.repaired(format!("Change to `{limit}`"), edits, false)
}

/// The mistake for a bound that excludes all numbers of a type.
fn no_number(seen: CheckedFile<'_>, read: &Read<'_>, name: &str, (limit, side): (i64, &str)) -> Mistake {
    let words = advised(
        format!(
            "no number is valid, because `{}={}` excludes all of `{name}`",
            read.name(),
            read.value_text()
        ),
        format!("write {limit} {side}"),
    );
    let mistake = Mistake::new(MistakeKind::Bounds, value_place(seen, read), words);
    let title = format!("Change to `{limit}`");
    let mistake = mistake.clone().or_repaired(title, vec![(mistake.place, limit.to_string())]);
    let integer = seen.expr_below(read.comment.comment).map(bare);
    match integer.filter(|expr| matches!(&expr.kind, ExprKind::Ident(own) if **own == *name)) {
        Some(expr) if matches!(name, "int32" | "uint32" | "int16" | "uint16" | "int8" | "uint8") => mistake
            .or_repaired(
                format!("Change `{name}` to `int64`"),
                vec![(seen.place(expr.span), "int64".to_owned())],
            ),
        _ => mistake,
    }
}

/// A whole number.
fn number(data: &Data) -> Option<i64> {
    match data {
        Data::Int(number) => Some(*number),
        Data::Number(number) if number.fract() == 0.0 => Some(*number as i64),
        _ => None,
    }
}
