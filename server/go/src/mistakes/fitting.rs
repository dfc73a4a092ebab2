//! Markers that do not fit their Go type.

use super::bounds;
use super::combinations::Read;
use super::constants::local_type_name;
use super::mistake::{CheckedFile, Mistake, MistakeKind, advised, bare};
use super::number_enums;
use super::tags::{merged, tagged};
use super::types::{BasicKind, Types, has_marker, reads, value_place};
use crate::marker::{self, Data, Meaning, Target, Value};
use crate::strings;
use crate::syntax::{Expr, ExprKind, Field, FileMarkers, MarkerComment, TypeDeclaration, json_tag};

/// The marker that sets the enum of the items of a list.
const ENUM_OF_ITEMS: &str = "kubebuilder:validation:items:Enum";

/// Checks whether markers fit. Without kinds, types may belong to other objects, which only Go encodes.
pub(super) fn check(
    seen: CheckedFile<'_>,
    associated: &FileMarkers,
    types: &Types<'_>,
    has_kinds: bool,
    found: &mut Vec<Mistake>,
) {
    for (_, declared) in seen.file.types() {
        if declared.is_alias {
            of_alias(seen, associated, declared, types, found);
            continue;
        }
        if let Some(list) = associated.types.get(declared.name.span.start)
            && !types.is_encoded(&declared.name.name)
        {
            of_basic(seen, list, &declared.expr, types, found);
            bounds::check_bounds_of_enum(seen, list, found);
            of_items(seen, list, &declared.expr, types, found);
            of_texts(seen, list, &declared.expr, types, found);
            number_enums::check(seen, list, (&declared.name.name, &declared.expr), types, found);
        }
        let ExprKind::Struct(fields) = &declared.expr.kind else { continue };
        let markers = associated.types.get(declared.name.span.start).unwrap_or_default();
        if has_marker(markers, Meaning::is_union) {
            reads(seen, markers).iter().for_each(|read| of_union(seen, read, fields, found));
        }
        // A struct with its own encoding may merge fields.
        if !types.is_encoded(&declared.name.name) {
            let merged = tagged(fields).into_iter().filter_map(|one| merged(seen, &one));
            found.extend(merged.map(|mistake| if has_kinds { mistake } else { mistake.hint() }));
        }
        for field in fields {
            let Some(list) = associated.fields.get(field.spec.span.start) else { continue };
            // With this option, Go encodes numbers as strings.
            let is_string = || {
                let tag = field.tag.as_ref().and_then(|tag| json_tag(&tag.text));
                tag.is_some_and(|(value, _)| value.split(',').skip(1).any(|option| option == "string"))
            };
            if has_marker(list, is_of_basic) && !is_string() {
                of_basic(seen, list, &field.expr, types, found);
            }
            bounds::check_bounds_of_enum(seen, list, found);
            of_items(seen, list, &field.expr, types, found);
            of_texts(seen, list, &field.expr, types, found);
            let name = local_type_name(&field.expr).unwrap_or_default();
            number_enums::check(seen, list, (name, &field.expr), types, found);
            if has_marker(list, bounds::is_compared)
                && let Some((other, named, markers)) = types.own(&field.expr)
            {
                bounds::check_bounds_of_type(seen, list, (*other, &named.name.name, markers), found);
            }
        }
    }
}

/// Checks for fields of a union that are listed by their Go names, or in other letters.
fn of_union(seen: CheckedFile<'_>, read: &Read<'_>, fields: &[Field], found: &mut Vec<Mistake>) {
    let Some(Data::List(items)) = read.value().filter(|_| read.marker.meaning().is_union()) else { return };
    let tagged = tagged(fields);
    for item in items {
        let Data::Text(written) = &item.data else { continue };
        let is_in_json = |name: &str| tagged.iter().any(|one| one.name().is_some_and(|(own, _)| own == name));
        let is_of_go = |field: &Field| field.names.iter().any(|name| *name.name == **written);
        let intended = tagged.iter().find_map(|one| {
            let (name, _) = one.name()?;
            (is_of_go(one.field) || name.eq_ignore_ascii_case(written)).then_some(name)
        });
        let Some(intended) = intended.filter(|_| !is_in_json(written)) else { continue };
        let place = seen.place_in_marker(read.comment, item.range.clone());
        let problem = format!("no field is called `{written}` in JSON");
        found.push(Mistake::replaced_word(MistakeKind::Value, place, problem, (written, intended)));
    }
}

/// Checks for markers of an alias of a named type, which its fields in the same package do not have.
fn of_alias(
    seen: CheckedFile<'_>,
    associated: &FileMarkers,
    declared: &TypeDeclaration,
    types: &Types<'_>,
    found: &mut Vec<Mistake>,
) {
    let ExprKind::Ident(target) = &declared.expr.kind else { return };
    if !types.declares(target) {
        return;
    }
    for read in reads(seen, associated.types.get(declared.name.span.start).unwrap_or_default()) {
        let (name, alias) = (read.name(), &declared.name.name);
        let words = advised(
            format!("fields of this package do not have `{name}`, because {alias} is an alias of {target}"),
            format!("declare `type {alias} {target}`, or move the marker to {target}"),
        );
        found.push(Mistake::new(MistakeKind::Unused, read.place(seen), words));
    }
}

/// Markers that depend on the values of the Go type.
const fn is_of_basic(meaning: Meaning) -> bool {
    matches!(meaning, Meaning::PreserveUnknownFields | Meaning::IntOrString | Meaning::Type)
}

/// Checks the markers on a text, a number or a boolean.
fn of_basic(
    seen: CheckedFile<'_>,
    list: &[MarkerComment],
    expr: &Expr,
    types: &Types<'_>,
    found: &mut Vec<Mistake>,
) {
    if !has_marker(list, is_of_basic) {
        return;
    }
    let reads = reads(seen, list);
    of_list(seen, &reads, expr, types, found);
    // The schema then does not describe the Go type.
    let is_other = |read: &Read<'_>| match read.marker.meaning() {
        Meaning::Schemaless => true,
        Meaning::Type => matches!(read.value(), Some(Data::Text(kind)) if kind == "object"),
        _ => false,
    };
    if reads.iter().any(is_other) {
        return;
    }
    let mut basic = None;
    for read in reads {
        let meaning = read.marker.meaning();
        if !is_of_basic(meaning) {
            continue;
        }
        if meaning == Meaning::PreserveUnknownFields
            && let Some(items) = types.items(expr).and_then(|items| types.basic(items))
        {
            found.push(without_fields(seen, &read, &format!("a list of {}", items.several())));
            continue;
        }
        let Some(basic) = *basic.get_or_insert_with(|| types.basic(expr)) else { return };
        let (go, json) = match basic {
            BasicKind::Text => ("a string", "string"),
            BasicKind::Integer => ("an integer", "integer"),
            BasicKind::Bool => ("a boolean", "boolean"),
        };
        match meaning {
            Meaning::PreserveUnknownFields => {
                found.push(without_fields(seen, &read, go));
            }
            Meaning::IntOrString => {
                let words = advised(
                    format!("`{}` admits integers and strings, but Go decodes only {go} here", read.name()),
                    "use `intstr.IntOrString`, or remove it",
                );
                let mistake = Mistake::new(MistakeKind::Unused, read.place(seen), words);
                let title = format!("Remove `{}`", read.name());
                found.push(mistake.removed(seen, read.comment.comment, title, false));
            }
            _ => {
                let Some(Data::Text(kind)) = read.value() else { continue };
                let is_same = kind == json || kind == "number" && basic == BasicKind::Integer;
                let is_type =
                    matches!(&**kind, "string" | "integer" | "number" | "boolean" | "array" | "object");
                // The check of type names has the fix for another word for the same type.
                let means = |wanted: &str| {
                    kind.is_empty() || wanted.starts_with(kind.trim_end_matches(char::is_numeric))
                };
                if is_same || !is_type && means(json) {
                    continue;
                }
                let problem = match is_type {
                    true => format!("Go cannot decode a value of type `{kind}` as {go}"),
                    false => format!("`{kind}` is not a type of JSON, and Go decodes {go} here"),
                };
                let words = advised(problem, format!("write `{json}`"));
                let place = value_place(seen, &read);
                let mistake = Mistake::new(MistakeKind::Value, place, words);
                found.push(mistake.replaced(format!("Change to `{json}`"), json.to_owned()));
            }
        }
    }
}

/// Checks for a list with another type for its values.
fn of_list(
    seen: CheckedFile<'_>,
    reads: &[Read<'_>],
    expr: &Expr,
    types: &Types<'_>,
    found: &mut Vec<Mistake>,
) {
    let has = |meaning: Meaning| reads.iter().any(|read| read.marker.meaning() == meaning);
    let Some(items) = types.items(expr) else { return };
    // Go encodes bytes as a string.
    if matches!(&items.kind, ExprKind::Ident(name) if matches!(&**name, "byte" | "uint8")) {
        return;
    }
    for read in reads.iter().filter(|read| read.marker.meaning() == Meaning::Type) {
        let Some(Data::Text(kind)) = read.value() else { continue };
        if matches!(&**kind, "string" | "integer" | "number" | "boolean" | "object") {
            let is_free = has(Meaning::Schemaless);
            let remedy = if is_free { "remove the marker" } else { "write `array`" };
            let words = advised(format!("Go cannot decode a value of type `{kind}` as a list"), remedy);
            let mistake = Mistake::new(MistakeKind::Value, value_place(seen, read), words);
            found.push(match is_free {
                // Without a schema, an array has no schema for its items.
                true => {
                    let title = format!("Remove `{}`", read.name());
                    mistake.removed(seen, read.comment.comment, title, false)
                }
                false => mistake.replaced("Change to `array`".to_owned(), "array".to_owned()),
            });
        }
    }
}

/// Checks for an enum of a list whose values are those of its items.
fn of_items(
    seen: CheckedFile<'_>,
    list: &[MarkerComment],
    expr: &Expr,
    types: &Types<'_>,
    found: &mut Vec<Mistake>,
) {
    if !has_marker(list, |meaning| meaning == Meaning::Enum) {
        return;
    }
    let reads = reads(seen, list);
    let has = |meaning: Meaning| reads.iter().any(|read| read.marker.meaning() == meaning);
    // The values then belong to another schema.
    if has(Meaning::Schemaless) || has(Meaning::Type) {
        return;
    }
    if matches!(bare(expr).kind, ExprKind::Map(..) | ExprKind::Struct(_)) || types.fields(expr).is_some() {
        reads.iter().for_each(|read| enum_of_objects(seen, read, found));
        return;
    }
    let Some(basic) = types.items(expr).and_then(|items| types.basic(items)) else { return };
    let fits = |value: &Data| match value {
        Data::Text(_) => basic == BasicKind::Text,
        Data::Int(_) => basic == BasicKind::Integer,
        Data::Bool(_) => basic == BasicKind::Bool,
        _ => false,
    };
    for read in reads.iter().filter(|read| read.marker.meaning() == Meaning::Enum) {
        let Some(Data::List(values)) = read.value() else { continue };
        if values.is_empty() || !values.iter().all(|value| fits(&value.data)) {
            continue;
        }
        if marker::lookup(&format!("+{ENUM_OF_ITEMS}"), Target::Field, seen.version).is_none() {
            continue;
        }
        let what = "the enum admits no list, because its values are those of the items";
        let words = advised(what, format!("write `{ENUM_OF_ITEMS}`"));
        let mistake = Mistake::new(MistakeKind::Value, value_place(seen, read), words);
        let edits = vec![(read.place(seen), ENUM_OF_ITEMS.to_owned())];
        found.push(mistake.repaired(format!("Change to `{ENUM_OF_ITEMS}`"), edits, true));
    }
}

/// Checks for several numbers or booleans in the enum of a string. A single one is reported on the definition.
fn of_texts(
    seen: CheckedFile<'_>,
    list: &[MarkerComment],
    expr: &Expr,
    types: &Types<'_>,
    found: &mut Vec<Mistake>,
) {
    if !has_marker(list, |meaning| meaning == Meaning::Enum) || types.basic(expr) != Some(BasicKind::Text) {
        return;
    }
    let reads = reads(seen, list);
    let has = |meaning: Meaning| reads.iter().any(|read| read.marker.meaning() == meaning);
    // The values then belong to another schema.
    if has(Meaning::Schemaless) || has(Meaning::Type) {
        return;
    }
    for read in reads.iter().filter(|read| read.marker.meaning() == Meaning::Enum) {
        let Some(Data::List(values)) = read.value() else { continue };
        let is_other = |value: &&Value| matches!(value.data, Data::Int(_) | Data::Number(_) | Data::Bool(_));
        let others: Vec<&Value> = values.iter().filter(is_other).collect();
        let [first, .., last] = others.as_slice() else { continue };
        let written = |value: &Value| seen.text(read.comment).get(value.range.clone()).unwrap_or("").trim();
        let shown = match others.len() - 1 {
            1 => format!("`{}` and `{}` are", written(first), written(last)),
            more => format!("`{}` and {more} more values are", written(first)),
        };
        let words = advised(format!("{shown} not strings, so no value equals them"), "quote them");
        let end = last.range.start + written(last).len();
        let place = seen.place_in_marker(read.comment, first.range.start..end);
        let quote = |value: &&Value| {
            let written = written(value);
            let range = value.range.start..value.range.start + written.len();
            (seen.place_in_marker(read.comment, range), strings::quoted(written))
        };
        let edits = others.iter().map(quote).collect();
        let mistake = Mistake::new(MistakeKind::Value, place, words);
        found.push(mistake.repaired("Quote the values".to_owned(), edits, false));
    }
}

/// Checks for an enum of strings or numbers on an object.
fn enum_of_objects(seen: CheckedFile<'_>, read: &Read<'_>, found: &mut Vec<Mistake>) {
    let Some(Data::List(values)) = read.value().filter(|_| read.marker.meaning() == Meaning::Enum) else {
        return;
    };
    let is_object = |value: &Value| matches!(value.data, Data::Map(_));
    if values.is_empty() || values.iter().any(is_object) {
        return;
    }
    let words = advised(
        "the enum admits no object, because none of its values is one",
        "move it to a field of the object, or remove it",
    );
    let mistake = Mistake::new(MistakeKind::Value, value_place(seen, read), words);
    found.push(mistake.removed(seen, read.comment.comment, format!("Remove `{}`", read.name()), false));
}

/// The mistake for `PreserveUnknownFields` on a value without fields.
fn without_fields(seen: CheckedFile<'_>, read: &Read<'_>, go: &str) -> Mistake {
    let words = advised(format!("`{}` has no effect on {go}, which has no fields", read.name()), "remove it");
    let mistake = Mistake::new(MistakeKind::Unused, read.place(seen), words);
    mistake.removed(seen, read.comment.comment, format!("Remove `{}`", read.name()), true)
}
