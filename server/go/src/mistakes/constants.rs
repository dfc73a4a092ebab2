//! Values of enums and defaults that mean a constant of the type, but contain its name or a misspelt value.

use super::brackets::bracketed_items;
use super::combinations::{Read, default_of};
use super::mistake::{CheckedFile, Mistake, MistakeKind, MistakeText, advised, nearest};
use super::types::{MarkedDeclaration, Types, marked, reads, value_place};
use crate::load::Place;
use crate::marker::{Data, Meaning};
use crate::schema::is_basic;
use crate::strings;
use crate::syntax::{DeclarationKind, Expr, ExprKind, FileMarkers, MarkerComment, Span};

/// The minimum length of a value. Shorter values are similar by chance.
const SHORTEST: usize = 4;

/// Values that differ in at most this number of letters are considered misspelt.
const MAX_DISTANCE: usize = 2;

/// The maximum number of values or constants to compare: longer lists are not written by hand.
const LONGEST: usize = 500;

pub(super) fn check(
    seen: CheckedFile<'_>,
    associated: &FileMarkers,
    types: &Types<'_>,
    found: &mut Vec<Mistake>,
) {
    for MarkedDeclaration { markers, declared, expr } in marked(seen, associated) {
        if let Some(name) = declared.map(|declared| &*declared.name.name).or_else(|| local_type_name(expr)) {
            of_markers(seen, markers, (name, types.constants(name)), found);
            of_integers(seen, markers, (name, types.integers(name)), found);
        }
    }
}

/// The name of a type in the package.
pub(super) fn local_type_name(expr: &Expr) -> Option<&str> {
    match &expr.kind {
        ExprKind::Pointer(inner) => local_type_name(inner),
        ExprKind::Ident(name) => Some(name),
        _ => None,
    }
}

/// Checks the markers of a type that has constants, or of a field of that type.
fn of_markers(
    seen: CheckedFile<'_>,
    markers: &[MarkerComment],
    (kind, constants): (&str, &[(&str, &str)]),
    found: &mut Vec<Mistake>,
) {
    // A basic type such as `string` has unrelated constants.
    if constants.is_empty() || markers.is_empty() || is_basic(kind) {
        return;
    }
    let reads = reads(seen, markers);
    let Some(list) = reads.iter().rfind(|read| read.marker.meaning() == Meaning::Enum) else {
        // Another check reports a default that an enum excludes.
        default(seen, &reads, constants, found);
        return;
    };
    let Some(Data::List(items)) = list.value() else { return };
    if items.len().max(constants.len()) > LONGEST || bracketed_items(seen.text(list.comment), items).is_some()
    {
        return;
    }
    let text = |data: &Data| match data {
        Data::Text(text) => Some(text.to_string()),
        _ => None,
    };
    let texts: Vec<String> = items.iter().filter_map(|item| text(&item.data)).collect();
    let missing = || {
        let values = constants.iter().map(|(_, value)| *value);
        values.filter(|value| texts.iter().all(|text| text != value))
    };
    for item in items {
        let Some(written) = text(&item.data) else { continue };
        if constants.iter().any(|(_, value)| **value == *written) {
            continue;
        }
        // The quotes are a separate mistake.
        if written.starts_with('\'') && written.ends_with('\'') {
            continue;
        }
        let place = seen.place_in_marker(list.comment, item.range.clone());
        if let Some(mistake) = misspelt_constant(seen, (place, &written), (kind, constants)) {
            found.push(mistake);
        } else if let Some(mistake) = by_name(place, &written, constants) {
            found.push(mistake);
        } else if written.chars().count() >= SHORTEST
            && let Some(intended) = nearest(&written, missing(), MAX_DISTANCE)
            // The value may contain a separator, which is a separate mistake.
            && found.iter().all(|other| other.place != place)
        {
            let words = advised(
                format!("no constant of `{kind}` has the value `{written}`"),
                format!("write `{intended}`, which the enum lacks"),
            );
            found.push(with_replacement(Mistake::new(MistakeKind::Value, place, words), intended));
        }
    }
}

/// Checks for names of constants where their integer values are required.
fn of_integers(
    seen: CheckedFile<'_>,
    markers: &[MarkerComment],
    (kind, constants): (&str, &[(&str, i64)]),
    found: &mut Vec<Mistake>,
) {
    if constants.is_empty() || markers.is_empty() || is_basic(kind) {
        return;
    }
    let reads = reads(seen, markers);
    let mut report = |place: Place, data: &Data| {
        let Data::Text(written) = data else { return };
        let Some((_, value)) = constants.iter().find(|(name, _)| **name == **written) else { return };
        let mistake = Mistake::new(MistakeKind::Value, place, named_value(written, &value.to_string()));
        let edits = vec![(place, value.to_string())];
        found.push(mistake.repaired(format!("Change to `{value}`"), edits, false));
    };
    for list in reads.iter().filter(|read| read.marker.meaning() == Meaning::Enum) {
        let Some(Data::List(items)) = list.value() else { continue };
        items
            .iter()
            .for_each(|item| report(seen.place_in_marker(list.comment, item.range.clone()), &item.data));
    }
    if let Some(default) = default_of(reads.iter())
        && let Some(data) = default.value()
    {
        report(value_place(seen, default), data);
    }
}

/// The message for the name of a constant.
fn named_value(name: &str, value: &str) -> MistakeText {
    advised(
        format!("`{name}` is the name of a constant, which has the value `{value}`"),
        format!("write `{value}`"),
    )
}

/// Checks for a default that is the name of a constant.
fn default(seen: CheckedFile<'_>, reads: &[Read<'_>], constants: &[(&str, &str)], found: &mut Vec<Mistake>) {
    let Some(default) = default_of(reads.iter()) else { return };
    let Some(Data::Text(written)) = default.value() else { return };
    if constants.iter().all(|(_, value)| **value != **written) {
        found.extend(by_name(value_place(seen, default), written, constants));
    }
}

/// The mistake if a value is the name of a constant.
fn by_name(place: Place, written: &str, constants: &[(&str, &str)]) -> Option<Mistake> {
    let (_, value) = constants.iter().find(|(name, _)| *name == written)?;
    Some(with_replacement(Mistake::new(MistakeKind::Value, place, named_value(written, value)), value))
}

/// The mistake for a constant of this file whose value differs from its name and from the value in the enum by a slip.
fn misspelt_constant(
    seen: CheckedFile<'_>,
    (place, written): (Place, &str),
    (kind, constants): (&str, &[(&str, &str)]),
) -> Option<Mistake> {
    let is_slip = |value: &str| {
        written.chars().count() >= SHORTEST && value != written && strsim::osa_distance(value, written) == 1
    };
    let mut named = constants.iter().filter(|(name, value)| ends_with(name, written) && is_slip(value));
    let ((name, value), None) = (named.next()?, named.next()) else { return None };
    let declared = seen.file.declarations.iter().filter_map(|declaration| match &declaration.kind {
        DeclarationKind::Const(constants) => Some(constants),
        _ => None,
    });
    let ident =
        declared.flatten().flat_map(|constant| &constant.names).find(|ident| &*ident.name == *name)?;
    let rest = seen.file.text.get(ident.span.end as usize..)?.lines().next()?;
    let start = ident.span.end + rest.find(&format!("\"{value}\""))? as u32 + 1;
    let at = seen.place(Span { start, end: start + value.len() as u32 });
    let words = advised(
        format!("the constant `{name}` of `{kind}` has the value `{value}`, which the enum lacks"),
        format!("write `{written}`"),
    );
    let mistake = Mistake::new(MistakeKind::Value, at, words);
    let mistake = mistake.with_related(place, "the value in the enum".to_owned());
    let edits = vec![(at, written.to_owned())];
    Some(mistake.repaired(format!("Change `{value}` to `{written}`"), edits, false))
}

/// Whether the name of a constant ends with a value, with any capitals.
fn ends_with(name: &str, value: &str) -> bool {
    let start = name.len().checked_sub(value.len());
    start.and_then(|start| name.get(start..)).is_some_and(|end| end.eq_ignore_ascii_case(value))
}

/// Adds the fix that writes another value, quoted if necessary. Existing resources may have the current value.
fn with_replacement(mistake: Mistake, value: &str) -> Mistake {
    let is_word = value.starts_with(|ch: char| ch.is_ascii_alphabetic())
        && value.chars().all(|ch| ch.is_ascii_alphanumeric());
    let text = if is_word { value.to_owned() } else { strings::quoted(value) };
    let place = mistake.place;
    mistake.repaired(format!("Change to `{text}`"), vec![(place, text)], false)
}
