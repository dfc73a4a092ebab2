//! Fields that Go encodes or decodes differently than controller-gen describes them.

use std::collections::{HashMap, HashSet};

use super::combinations::{Read, default_of};
use super::mistake::{CheckedFile, Mistake, MistakeKind, advised};
use super::tags::{TaggedField, place_in, tagged};
use super::types::{BasicKind, Types, reads, value_place};
use crate::definition::name_of_meta;
use crate::marker::{Data, Meaning};
use crate::strings::is_duration;
use crate::syntax::{Expr, ExprKind, Field, File, FileMarkers, Span};

pub(super) fn check(
    seen: CheckedFile<'_>,
    associated: &FileMarkers,
    types: &Types<'_>,
    found: &mut Vec<Mistake>,
) {
    let mut names_left = MOST_NAMES;
    for (_, declared) in seen.file.types() {
        let ExprKind::Struct(fields) = &declared.expr.kind else { continue };
        if types.is_encoded(&declared.name.name) {
            continue;
        }
        let tagged = tagged(fields);
        for one in &tagged {
            let markers = associated.fields.get(one.field.spec.span.start).unwrap_or_default();
            let reads = || reads(seen, markers);
            as_string(seen, one, types, &reads, found);
            bytes(seen, one.field, &reads, found);
            times(seen, one.field, &reads, found);
        }
        embedded(seen, &tagged, types, &mut names_left, found);
    }
}

/// Whether markers set the schema of the field.
fn has_other_schema(reads: &[Read<'_>]) -> bool {
    reads.iter().any(|read| {
        matches!(
            read.marker.meaning(),
            Meaning::Schemaless | Meaning::Type | Meaning::Format | Meaning::IntOrString
        )
    })
}

/// Checks for a number or a boolean with the option `string`, which controller-gen does not know.
fn as_string<'f>(
    seen: CheckedFile<'_>,
    one: &TaggedField<'_>,
    types: &Types<'_>,
    reads: &dyn Fn() -> Vec<Read<'f>>,
    found: &mut Vec<Mistake>,
) {
    let Some(at) = one.value.find(",string") else { return };
    let is_option = one.value.split(',').skip(1).any(|option| option == "string");
    let json = match types.basic(&one.field.expr) {
        Some(BasicKind::Integer) => "integer",
        Some(BasicKind::Bool) => "boolean",
        _ => return,
    };
    if !is_option || has_other_schema(&reads()) {
        return;
    }
    let with_comma = place_in(one.tag, one.range.start + at, ",string".len());
    let is_raw = one.tag.is_raw();
    let option = if is_raw { Span { start: with_comma.start + 1, ..with_comma } } else { with_comma };
    let words = advised(
        format!("Go encodes this field as a string, but controller-gen describes it as `{json}`"),
        "remove `string`, or add the marker `kubebuilder:validation:Type=string`",
    );
    let mistake = Mistake::new(MistakeKind::Encoding, seen.place(option), words);
    found.push(match is_raw {
        // The encoding of objects changes, so the fix is not safe.
        true => mistake.repaired(
            "Remove `string`".to_owned(),
            vec![(seen.place(with_comma), String::new())],
            false,
        ),
        false => mistake,
    });
}

/// Checks for bytes that are written as `uint8`, which controller-gen describes as a list of integers.
fn bytes<'f>(
    seen: CheckedFile<'_>,
    field: &Field,
    reads: &dyn Fn() -> Vec<Read<'f>>,
    found: &mut Vec<Mistake>,
) {
    let mut expr = &field.expr;
    while let ExprKind::Pointer(inner) = &expr.kind {
        expr = inner;
    }
    let ExprKind::Slice(items) = &expr.kind else { return };
    if !matches!(&items.kind, ExprKind::Ident(name) if &**name == "uint8") || has_other_schema(&reads()) {
        return;
    }
    let words = advised(
        "Go encodes `[]uint8` as a string in base64, but controller-gen describes it as a list of integers",
        "write `[]byte`, which is the same type",
    );
    let mistake = Mistake::new(MistakeKind::Encoding, seen.place(items.span), words);
    found.push(mistake.replaced("Change `uint8` to `byte`".to_owned(), "byte".to_owned()));
}

/// Checks for times and durations with values that Go cannot decode.
fn times<'f>(
    seen: CheckedFile<'_>,
    field: &Field,
    reads: &dyn Fn() -> Vec<Read<'f>>,
    found: &mut Vec<Mistake>,
) {
    match type_of_meta(seen.file, &field.expr) {
        Some("Duration") => {
            let reads = reads();
            let Some(default) = default_of(reads.iter()) else { return };
            let text = match default.value() {
                Some(Data::Text(text)) => text,
                Some(Data::Int(number)) => {
                    found.push(without_unit(seen, default, *number));
                    return;
                }
                _ => return,
            };
            if !is_duration(text) {
                let words = advised(
                    format!("Go cannot decode the default \"{text}\" as a duration"),
                    "write it with the units h, m, s or ms, such as `1h30m`",
                );
                found.push(Mistake::new(MistakeKind::Encoding, value_place(seen, default), words));
            }
        }
        Some("Time" | "MicroTime") => {
            let reads = reads();
            let format = reads.iter().rfind(|read| read.marker.meaning() == Meaning::Format);
            let Some(format) = format.filter(|read| matches!(read.marker.text(""), "date" | "duration"))
            else {
                return;
            };
            let words = advised(
                format!(
                    "Go encodes this field as a date with a time, which the format `{}` rejects",
                    format.marker.text("")
                ),
                "write `date-time`, or remove the marker",
            );
            let mistake = Mistake::new(MistakeKind::Encoding, value_place(seen, format), words);
            found.push(mistake.replaced("Change to `date-time`".to_owned(), "date-time".to_owned()));
        }
        _ => {}
    }
}

/// The mistake for a default of a duration that is a number.
fn without_unit(seen: CheckedFile<'_>, default: &Read<'_>, number: i64) -> Mistake {
    let place = value_place(seen, default);
    let problem = format!("the default is the number {number}, not a duration");
    let words = advised(problem, format!("write it with a unit, such as `\"{number}s\"`"));
    let mistake = Mistake::new(MistakeKind::Value, place, words);
    let better = crate::strings::quoted(&format!("{number}s"));
    mistake.repaired(format!("Change to `{better}`"), vec![(place, better)], false)
}

/// The name of a type in the package of `ObjectMeta`, also through pointers.
fn type_of_meta<'e>(file: &File, expr: &'e Expr) -> Option<&'e str> {
    match &expr.kind {
        ExprKind::Pointer(inner) => type_of_meta(file, inner),
        ExprKind::Qualified(package, name) => (name_of_meta(file) == Some(package)).then_some(name),
        _ => None,
    }
}

/// The maximum number of compared names in embedded structs of one file: many structs may embed the same large ones.
const MOST_NAMES: usize = 100_000;

/// Checks for names that several embedded structs have at the same depth: Go encodes none of these fields.
fn embedded(
    seen: CheckedFile<'_>,
    fields: &[TaggedField<'_>],
    types: &Types<'_>,
    names_left: &mut usize,
    found: &mut Vec<Mistake>,
) {
    if *names_left == 0 {
        return;
    }
    let is_embedded =
        |one: &TaggedField<'_>| one.field.names.is_empty() && one.value.split(',').next() == Some("");
    let mut level: Vec<(&TaggedField<'_>, &str, Vec<TaggedField<'_>>)> = Vec::new();
    for one in fields.iter().filter(|one| is_embedded(one)) {
        if let Some((name, inner)) = types.fields(&one.field.expr) {
            level.push((one, name, tagged(inner)));
        }
    }
    if level.len() < 2 {
        return;
    }
    let mut taken: HashSet<String> = fields.iter().filter_map(|one| Some(one.name()?.0.to_owned())).collect();
    let mut reported: Vec<&TaggedField<'_>> = Vec::new();
    // Go considers a type only at the least depth at which it is embedded.
    let mut known: HashSet<&str> = level.iter().map(|(_, name, _)| *name).collect();
    while !level.is_empty() {
        let mut first: HashMap<String, (&TaggedField<'_>, &str)> = HashMap::new();
        let mut next = Vec::new();
        let mut times: HashMap<&str, usize> = HashMap::new();
        for (through, of, inner) in &level {
            for one in inner {
                let Some(left) = names_left.checked_sub(1) else { return };
                *names_left = left;
                match one.name() {
                    Some((name, _)) if taken.contains(name) => {}
                    Some((name, _)) => match first.get(name) {
                        // Two fields of one struct are reported at that struct.
                        Some((before, _)) if std::ptr::eq(*before, *through) => {}
                        // One finding covers all names that two structs have in common.
                        Some(_) if reported.iter().any(|one| std::ptr::eq(*one, *through)) => {}
                        Some((before, other)) => {
                            reported.push(through);
                            found.push(duplicate_name(seen, name, (through, of), (before, other)));
                        }
                        None => {
                            first.insert(name.to_owned(), (through, of));
                        }
                    },
                    None if is_embedded(one) => {
                        let Some((name, inner)) = types.fields(&one.field.expr) else { continue };
                        // Embedding a struct more than twice has the same effect as embedding it twice.
                        let times = times.entry(name).or_insert(0);
                        *times += 1;
                        if *times <= 2 && !known.contains(name) {
                            next.push((*through, name, tagged(inner)));
                        }
                    }
                    None => {}
                }
            }
        }
        taken.extend(first.into_keys());
        known.extend(times.into_keys());
        level = next;
    }
}

/// The mistake for a name that both the embedded `later` and the embedded `first` have.
fn duplicate_name(
    seen: CheckedFile<'_>,
    name: &str,
    (later, of): (&TaggedField<'_>, &str),
    (first, other): (&TaggedField<'_>, &str),
) -> Mistake {
    let what = match of == other {
        true => format!("`{of}` is embedded twice, so Go does not encode its field `{name}`"),
        false => format!("`{other}` and `{of}` both have a field `{name}`, so Go encodes neither"),
    };
    let words = advised(what, "rename one, or embed one of the structs only");
    let mistake = Mistake::new(MistakeKind::Tag, seen.place(later.field.expr.span), words).of_go();
    mistake.with_related(seen.place(first.field.expr.span), "the other embedded struct".to_owned())
}
