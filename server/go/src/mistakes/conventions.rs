//! Conventions of the Kubernetes API for Go types that a schema does not show. Checked only on request.

use super::mistake::{CheckedFile, Mistake, MistakeKind, advised};
use super::tags::{TaggedField, place_in, tagged};
use super::types::Types;
use crate::load::Place;
use crate::marker::Meaning;
use crate::syntax::{Expr, ExprKind, Field, FileMarkers, MarkerComment, Span};
use crate::version::Change;

/// Structs of apimachinery and of the core API that are common types of fields.
const STRUCTS: [&str; 10] = [
    "Time",
    "MicroTime",
    "Duration",
    "Quantity",
    "IntOrString",
    "LabelSelector",
    "ObjectReference",
    "LocalObjectReference",
    "ObjectMeta",
    "Condition",
];

/// Checks each field on its own. `is_optional`: whether fields of the package are optional unless a marker requires them.
pub(super) fn check(
    seen: CheckedFile<'_>,
    associated: &FileMarkers,
    is_optional: bool,
    found: &mut Vec<Mistake>,
) {
    for one in fields(seen) {
        let Some((name, _)) = one.name() else { continue };
        let markers = associated.fields.get(one.field.spec.span.start).unwrap_or_default();
        comment(seen, one.field, name, found);
        requirement(seen, &one, markers, is_optional, found);
        numbers(seen, &one.field.expr, found);
    }
}

/// The fields that have a name in Go and in JSON.
fn fields(seen: CheckedFile<'_>) -> impl Iterator<Item = TaggedField<'_>> {
    let tagged = seen.types().flat_map(|declared| match &declared.expr.kind {
        ExprKind::Struct(fields) => tagged(fields),
        _ => Vec::new(),
    });
    tagged.filter(|one| one.name().is_some() && !one.field.names.is_empty())
}

/// Checks fields whose types another file may declare.
pub(super) fn structs(seen: CheckedFile<'_>, types: &Types<'_>, found: &mut Vec<Mistake>) {
    for one in fields(seen).filter(|one| is_struct(&one.field.expr, types)) {
        omitted(seen, &one, found);
    }
}

fn is_struct(expr: &Expr, types: &Types<'_>) -> bool {
    match &expr.kind {
        ExprKind::Struct(_) => true,
        ExprKind::Ident(name) => types.is_struct(name),
        ExprKind::Qualified(_, name) => STRUCTS.contains(&&**name),
        _ => false,
    }
}

/// Checks that the documentation of a field starts with its JSON name.
fn comment(seen: CheckedFile<'_>, field: &Field, name: &str, found: &mut Vec<Mistake>) {
    let Some((word, place)) = first_word(seen, field) else { return };
    if word == name {
        return;
    }
    let words = advised(
        format!("the comment begins with `{word}`, not with the field's name in JSON"),
        format!("begin with `{name}`"),
    );
    let mistake = Mistake::new(MistakeKind::CommentStart, place, words);
    let is_go_name = field.names.first().is_some_and(|first| first.name.eq_ignore_ascii_case(&word));
    found.push(match is_go_name || word.eq_ignore_ascii_case(name) {
        true => mistake.replaced(format!("Change `{word}` to `{name}`"), name.to_owned()),
        false => mistake,
    });
}

/// The first word of a field's documentation, without trailing punctuation.
fn first_word(seen: CheckedFile<'_>, field: &Field) -> Option<(String, Place)> {
    let text = seen.file.documentation(field.spec.doc, true);
    let is_end = |ch: char| ch.is_whitespace() || matches!(ch, ',' | ':' | ';');
    let word = text.split(is_end).next().filter(|word| !word.is_empty())?;
    let group = seen.file.groups.get(field.spec.doc?)?;
    // Markers above the field may also start with the word, and they are not documentation.
    let comment = group.comments.clone().find_map(|number| {
        let (comment, span) = (seen.file.comment(number), seen.file.comments.get(number)?);
        let after = comment.trim_start_matches(['/', '*', ' ', '\t', '\n', '\r']);
        after.starts_with(word).then(|| span.start + (comment.len() - after.len()) as u32)
    })?;
    let span = Span { start: comment, end: comment + word.len() as u32 };
    Some((word.to_owned(), seen.place(span)))
}

/// Checks that a marker states whether a field is required.
fn requirement(
    seen: CheckedFile<'_>,
    one: &TaggedField<'_>,
    markers: &[MarkerComment],
    is_optional: bool,
    found: &mut Vec<Mistake>,
) {
    let of_requirement = [Meaning::Required, Meaning::K8sRequired, Meaning::Optional];
    let mut read = markers.iter().filter_map(|comment| comment.read.as_ref());
    if read.any(|read| !read.marker.known.items && of_requirement.contains(&read.marker.meaning())) {
        return;
    }
    let omits = one.value.split(',').skip(1).any(|option| matches!(option, "omitempty" | "omitzero"));
    let marker = match is_optional || omits {
        true => "optional",
        false if seen.version.has(Change::RequiredAndDefault) => "required",
        false => "kubebuilder:validation:Required",
    };
    let Some(name) = one.field.names.first() else { return };
    let words = advised(
        format!("no marker says whether `{}` is required", name.name),
        format!("write `+{marker}`, which keeps the schema"),
    );
    let mistake = Mistake::new(MistakeKind::Requirement, seen.place(name.span), words);
    let start = one.field.spec.span.start;
    let line = seen.file.text.get(..start as usize).unwrap_or("").rsplit('\n').next().unwrap_or("");
    found.push(if line.trim().is_empty() {
        let at = seen.place(Span { start, end: start });
        mistake.repaired(format!("Add `+{marker}`"), vec![(at, format!("// +{marker}\n{line}"))], true)
    } else {
        mistake
    });
}

/// Checks for number types that not all clients support, and for durations.
fn numbers(seen: CheckedFile<'_>, expr: &Expr, found: &mut Vec<Mistake>) {
    match &expr.kind {
        ExprKind::Pointer(inner) | ExprKind::Slice(inner) | ExprKind::Array(inner) => {
            numbers(seen, inner, found)
        }
        ExprKind::Map(_, values) => numbers(seen, values, found),
        ExprKind::Ident(name) => {
            let better = match &**name {
                "int" | "uint" | "uint32" | "uint64" => "int64",
                "int8" | "int16" | "uint8" | "uint16" => "int32",
                _ => return,
            };
            let words = advised(
                format!("the Kubernetes API uses `int32` and `int64`, not `{name}`"),
                format!("use `{better}` with a minimum and a maximum"),
            );
            found.push(Mistake::new(MistakeKind::IntegerType, seen.place(expr.span), words));
        }
        ExprKind::Qualified(_, name) if &**name == "Duration" => {
            let words = advised(
                "clients in other languages cannot parse Go's durations",
                "use an integer whose name ends in the unit, such as `timeoutSeconds`",
            );
            found.push(Mistake::new(MistakeKind::Duration, seen.place(expr.span), words));
        }
        _ => {}
    }
}

/// Checks for structs with `omitempty`, because Go never omits a struct.
fn omitted(seen: CheckedFile<'_>, one: &TaggedField<'_>, found: &mut Vec<Mistake>) {
    let mut options = one.value.split(',').skip(1);
    let Some(at) = one.value.find(",omitempty").filter(|_| !options.any(|option| option == "omitzero"))
    else {
        return;
    };
    let span = place_in(one.tag, one.range.start + at + 1, "omitempty".len());
    let has_zero = seen.version.has(Change::OmitZero);
    let advice = if has_zero { "write `omitzero`, or make it a pointer" } else { "make it a pointer" };
    let words = advised("`omitempty` has no effect on a struct, so Go clients always send the field", advice);
    let mistake = Mistake::new(MistakeKind::StructOmitted, seen.place(span), words);
    let is_raw = one.tag.is_raw();
    found.push(if has_zero && is_raw {
        let edits = vec![(seen.place(span), "omitzero".to_owned())];
        mistake.repaired("Change `omitempty` to `omitzero`".to_owned(), edits, false)
    } else {
        mistake
    });
}
