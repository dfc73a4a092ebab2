//! Tags of fields.

mod commas;
mod metadata;
mod misspelt;
mod names;
mod punctuation;

use std::ops::Range;

use super::combinations::Read;
use super::keys;
use super::mistake::{CheckedFile, Mistake, MistakeKind, MistakeText, advised, nearest};
use crate::marker::{Data, Meaning};
use crate::schema::json_types;
use crate::syntax::{Expr, ExprKind, Field, FileMarkers, MarkerComment, Span, Tag, json_tag};

/// The options after the name that `encoding/json` and controller-gen know.
const OPTIONS: [&str; 4] = ["omitempty", "omitzero", "inline", "string"];

/// The maximum number of letters in which a misspelt option differs.
const MAX_DISTANCE: usize = 2;

/// The minimum length of a part of an option. A shorter part may mean anything.
const SHORTEST: usize = 4;

/// Options of encoders for other formats.
const OF_OTHERS: [&str; 5] = ["flow", "squash", "remain", "attr", "chardata"];

/// Words for which there are markers, but which people write as options.
const MARKERS: [&str; 3] = ["required", "optional", "nullable"];

pub(super) fn check(
    seen: CheckedFile<'_>,
    associated: &FileMarkers,
    is_merged: bool,
    found: &mut Vec<Mistake>,
) {
    for declared in seen.types() {
        if let ExprKind::Struct(fields) = &declared.expr.kind {
            let markers = |field: &Field| associated.fields.get(field.spec.span.start).unwrap_or_default();
            let tagged = tagged(fields);
            fields
                .iter()
                .filter_map(|field| Some((field, field.tag.as_ref()?)))
                .for_each(|(field, tag)| keys::check(seen, tag, &json_value(field, markers(field)), found));
            names::duplicate_names(seen, &tagged, found);
            misspelt::json_names(seen, &tagged, found);
            misspelt::fields(seen, fields, found);
            metadata::check(seen, fields, &tagged, found);
            for one in &tagged {
                blank(seen, one, found);
                commas::check(seen, one, found);
                dash(seen, one, found);
                punctuation::check(seen, one, found);
                options(seen, one, found);
                misspelt::options(seen, one, found);
                if is_merged {
                    nameless(seen, one, found);
                }
                names::unexported(seen, one, found);
                markers_of_excluded(seen, one, markers(one.field), found);
                required(seen, one, markers(one.field), found);
                required_inline(seen, one, markers(one.field), found);
            }
        }
    }
}

/// A field with the value of `json` in its tag.
pub(super) struct TaggedField<'f> {
    pub(super) field: &'f Field,
    pub(super) tag: &'f Tag,
    pub(super) value: String,
    pub(super) range: Range<usize>,
}

/// The fields with such a tag.
pub(super) fn tagged(fields: &[Field]) -> Vec<TaggedField<'_>> {
    let tagged = fields.iter().filter_map(|field| {
        let tag = field.tag.as_ref()?;
        let (value, range) = json_tag(&tag.text)?;
        Some(TaggedField { field, tag, value, range })
    });
    tagged.collect()
}

impl TaggedField<'_> {
    /// The name, and the offset of its start.
    pub(super) fn name(&self) -> Option<(&str, usize)> {
        let name = self.value.split(',').next().unwrap_or("");
        (!matches!(name, "" | "-")).then_some((name, self.range.start))
    }
}

/// The place of a part of the value of `json` in a tag; the whole tag if it may contain escapes.
pub(super) fn place_in(tag: &Tag, start: usize, len: usize) -> Span {
    if tag.is_raw() { tag.part(start, len) } else { tag.span }
}

/// Checks for a name with a blank, which becomes part of the property.
fn blank(seen: CheckedFile<'_>, one: &TaggedField<'_>, found: &mut Vec<Mistake>) {
    let Some((name, start)) = one.name().filter(|(name, _)| name.contains([' ', '\t'])) else { return };
    let place = seen.place(place_in(one.tag, start, name.len()));
    let words = advised(format!("the space in \"{name}\" is part of the JSON name"), "remove it");
    let mistake = Mistake::new(MistakeKind::Tag, place, words).of_go();
    let trimmed = name.trim();
    let parts: Vec<&str> = name.split_whitespace().collect();
    if let [name, options @ ..] = parts.as_slice()
        && !options.is_empty()
        && options.iter().all(|option| OPTIONS.contains(option))
        && one.tag.is_raw()
    {
        let intended =
            options.iter().fold((*name).to_owned(), |intended, option| format!("{intended},{option}"));
        let words = advised(
            format!("the space in \"{trimmed}\" is part of the JSON name"),
            "write `,` before an option",
        );
        let mistake = Mistake::new(MistakeKind::Tag, place, words).of_go();
        found.push(mistake.replaced(format!("Change `{trimmed}` to `{intended}`"), intended));
        return;
    }
    let squeezed: String = parts.concat();
    let is_of_field = one.field.names.first().is_some_and(|field| squeezed.eq_ignore_ascii_case(&field.name));
    if parts.len() > 1 && is_of_field && one.tag.is_raw() {
        let title = format!("Change `{name}` to `{squeezed}`");
        found.push(mistake.repaired(title, vec![(place, squeezed)], false));
        return;
    }
    let is_at_end = !trimmed.is_empty() && !trimmed.contains([' ', '\t']) && one.tag.is_raw();
    found.push(match is_at_end {
        true => mistake.repaired(
            format!("Change `{name}` to `{trimmed}`"),
            vec![(place, trimmed.to_owned())],
            false,
        ),
        false => mistake,
    });
}

/// Checks for a field with the name `-` that is meant to be excluded from the object.
fn dash(seen: CheckedFile<'_>, one: &TaggedField<'_>, found: &mut Vec<Mistake>) {
    if !one.value.starts_with("-,") {
        return;
    }
    let place = seen.place(place_in(one.tag, one.range.start, one.value.len()));
    let problem = "the JSON name of this field is `-`, because a comma follows it".to_owned();
    let words = advised(problem, "write `json:\"-\"` to exclude the field");
    let mistake = Mistake::new(MistakeKind::Tag, place, words).of_go();
    found.push(match one.tag.is_raw() {
        true => {
            let title = "Set `json:\"-\"` (the field is not part of the API)".to_owned();
            mistake.repaired(title, vec![(place, "-".to_owned())], false)
        }
        false => mistake,
    });
}

/// Checks for options without effect, such as one that starts with a blank.
fn options(seen: CheckedFile<'_>, one: &TaggedField<'_>, found: &mut Vec<Mistake>) {
    let TaggedField { tag, value, range, .. } = one;
    if let Some((name, start)) = one.name()
        && let Some((before, option)) = name.rsplit_once([';', '.', '|', ':', '/', '-', '=', '_', '(', '['])
        && let option = option.trim_end_matches([')', ']'])
        && OPTIONS.contains(&option)
        // Names may end with `.string`.
        && (name.contains(';') || option.starts_with("omit"))
    {
        let mark = name.get(before.len()..before.len() + 1).unwrap_or(";");
        let words = advised(
            format!("`{mark}{option}` is part of the JSON name `{name}`"),
            "write `,` before an option",
        );
        let place = seen.place(place_in(tag, start, name.len()));
        let mistake = Mistake::new(MistakeKind::Tag, place, words).of_go();
        found.push(match tag.is_raw() {
            true => {
                let title = match name.ends_with([')', ']']) {
                    true => format!("Change `{name}` to `{before},{option}`"),
                    false => format!("Change `{mark}` to `,` after `{before}`"),
                };
                mistake.replaced(title, format!("{before},{option}"))
            }
            false => mistake,
        });
    }
    // Other checks report an option in place of the name, and a field without a name.
    let is_reversed = one.name().is_some_and(|(name, _)| OPTIONS.contains(&name));
    let is_nameless = value.starts_with(',') && !one.field.names.is_empty();
    let mut at = range.start;
    for (number, option) in value.split(',').enumerate() {
        let (start, len) = (at, option.len());
        at += len + 1;
        let is_known = OPTIONS.contains(&option) || OF_OTHERS.contains(&option);
        if number == 0 || option.is_empty() || is_known || is_reversed {
            continue;
        }
        if MARKERS.contains(&option) {
            let words = advised(
                format!("`{option}` is not an option of a JSON tag and has no effect"),
                format!("remove it, and write the marker `+{option}`"),
            );
            let mistake =
                Mistake::new(MistakeKind::Tag, seen.place(place_in(tag, start, len)), words).of_go();
            found.push(match tag.is_raw() {
                true => {
                    let edits = vec![(seen.place(tag.part(start - 1, len + 1)), String::new())];
                    mistake.repaired(format!("Remove `,{option}`"), edits, false)
                }
                false => mistake,
            });
            continue;
        }
        let is_start = |known: &&str| option.len() >= SHORTEST && known.starts_with(option);
        let nearest = nearest(option.trim(), OPTIONS, MAX_DISTANCE);
        let Some(nearest) = nearest.or_else(|| OPTIONS.into_iter().find(is_start)) else {
            if !is_nameless {
                found.push(misspelt::useless_option(seen, tag, (start, option)));
            }
            continue;
        };
        let words = advised(
            format!("`{option}` is not an option of a JSON tag and has no effect"),
            format!("write `{nearest}`"),
        );
        let place = seen.place(place_in(tag, start, len));
        let mistake = Mistake::new(MistakeKind::Tag, place, words).of_go();
        let is_raw = tag.is_raw();
        found.push(if is_raw {
            mistake.replaced(format!("Change `{option}` to `{nearest}`"), nearest.to_owned())
        } else {
            mistake
        });
    }
}

/// A mistake at the name of a marker, with the fix that removes the marker.
fn removable_marker(
    seen: CheckedFile<'_>,
    read: &Read<'_>,
    kind: MistakeKind,
    words: MistakeText,
) -> Mistake {
    let title = format!("Remove `{}`", read.name());
    Mistake::new(kind, read.place(seen), words).removed(seen, read.comment.comment, title, false)
}

/// Checks for markers of a field that is not in the schema. Markers that other tools may read are only hints.
fn markers_of_excluded(
    seen: CheckedFile<'_>,
    one: &TaggedField<'_>,
    markers: &[MarkerComment],
    found: &mut Vec<Mistake>,
) {
    if one.value != "-" {
        return;
    }
    for read in markers.iter().filter_map(|comment| Read::of(seen, comment)) {
        let name = read.name();
        let words = advised(
            format!("`{name}` has no effect, because the tag `json:\"-\"` omits the field"),
            "remove it, or name the field in the tag",
        );
        let mistake = removable_marker(seen, &read, MistakeKind::Unused, words);
        found.push(if name.starts_with("kubebuilder:") { mistake } else { mistake.hint() });
    }
}

/// Checks for a marker that requires an inlined field: controller-gen then requires a property with an empty name.
fn required_inline(
    seen: CheckedFile<'_>,
    one: &TaggedField<'_>,
    markers: &[MarkerComment],
    found: &mut Vec<Mistake>,
) {
    let mut parts = one.value.split(',');
    // For a field with a name, the tag itself is the mistake.
    let is_embedded = one.field.names.is_empty();
    if !is_embedded || parts.next() != Some("") || !parts.any(|option| option == "inline") {
        return;
    }
    for read in markers.iter().filter_map(|comment| Read::of(seen, comment)) {
        if !matches!(read.marker.meaning(), Meaning::Required | Meaning::K8sRequired) {
            continue;
        }
        let words = advised(
            format!("`{}` on an inlined field requires a property with an empty name", read.name()),
            "remove it",
        );
        found.push(removable_marker(seen, &read, MistakeKind::Target, words));
    }
}

/// Checks for a field without a JSON name whose schema controller-gen cannot merge into that of the struct.
fn nameless(seen: CheckedFile<'_>, one: &TaggedField<'_>, found: &mut Vec<Mistake>) {
    let Some(field) = one.field.names.first() else { return };
    let is_list = matches!(one.field.expr.kind, ExprKind::Slice(_) | ExprKind::Array(_));
    let is_map = matches!(one.field.expr.kind, ExprKind::Map(..));
    if !one.value.split(',').next().unwrap_or("").is_empty()
        || !(is_list || !is_map && is_builtin(&one.field.expr))
    {
        return;
    }
    let place = seen.place(place_in(one.tag, one.range.start, one.value.len()));
    let words = advised(
        format!(
            "`{}` has no JSON name, and controller-gen cannot merge its type into the struct",
            field.name
        ),
        "write a name in its `json` tag",
    );
    let mistake = Mistake::new(MistakeKind::Tag, place, words);
    let name = json_name(&field.name);
    let value = with_name(one, &name);
    found.push(match one.tag.is_raw() && field.name.starts_with(char::is_uppercase) {
        true => mistake.repaired(format!("Set the name `{name}`"), vec![(place, value)], false),
        false => mistake,
    });
}

/// Checks for a named field whose schema controller-gen merges into the struct, although Go encodes it as a separate
/// field.
pub(super) fn merged(seen: CheckedFile<'_>, one: &TaggedField<'_>) -> Option<Mistake> {
    let field = one.field.names.first().filter(|field| field.name.starts_with(char::is_uppercase))?;
    let (name, options) = one.value.split_once(',').unwrap_or((&one.value, ""));
    let is_inline = options.split(',').any(|option| option == "inline");
    let is_map = matches!(one.field.expr.kind, ExprKind::Map(..));
    // controller-gen rejects fields that cannot be merged.
    if name == "-" || !name.is_empty() && !is_inline || !is_map && is_builtin(&one.field.expr) {
        return None;
    }
    let encoded = if name.is_empty() { &field.name } else { name };
    let remedy = match name.is_empty() {
        true => "write a name in its `json` tag, or embed the type",
        false => "remove `inline`",
    };
    let problem =
        format!("Go encodes this field as `{encoded}`, but controller-gen merges its schema into the struct");
    let place = seen.place(place_in(one.tag, one.range.start, one.value.len()));
    let mistake = Mistake::new(MistakeKind::Tag, place, advised(problem, remedy));
    let of_type = match &one.field.expr.kind {
        ExprKind::Qualified(_, of_type) => Some(of_type),
        _ => None,
    };
    if is_inline && name.is_empty() && of_type.is_some_and(|of_type| **of_type == *field.name) {
        let span = Span { start: field.span.start, end: one.field.expr.span.start };
        let place = seen.place(field.span);
        let title = format!("Embed `{}`", seen.file.slice(one.field.expr.span));
        let edits = vec![(seen.place(span), String::new())];
        return Some(Mistake { place, ..mistake }.repaired(title, edits, false));
    }
    let (title, intended) = match name.is_empty() {
        true => {
            let name = json_name(&field.name);
            (format!("Set the name `{name}`"), with_name(one, &name))
        }
        false => ("Remove `inline`".to_owned(), with_name(one, name)),
    };
    Some(match one.tag.is_raw() {
        true => mistake.repaired(title, vec![(place, intended)], false),
        false => mistake,
    })
}

/// The value of a tag with a name and without `inline`.
fn with_name(one: &TaggedField<'_>, name: &str) -> String {
    let options = one.value.split(',').skip(1).filter(|option| *option != "inline");
    options.fold(name.to_owned(), |value, option| format!("{value},{option}"))
}

/// Checks for a required field that Go omits if it is empty, although the schema accepts the empty value.
fn required(
    seen: CheckedFile<'_>,
    one: &TaggedField<'_>,
    markers: &[MarkerComment],
    found: &mut Vec<Mistake>,
) {
    let TaggedField { field, tag, value, range } = one;
    let Some(at) = value.find(",omitempty") else { return };
    let mut is_required = false;
    for comment in markers {
        let Some(marker) = comment.read.as_ref().map(|read| &read.marker) else { continue };
        if marker.definition.items {
            continue;
        }
        let is_positive = match marker.argument("").map(|value| &value.data) {
            Some(Data::Int(number)) => *number > 0,
            Some(Data::Number(number)) => *number > 0.0,
            _ => false,
        };
        match marker.meaning() {
            Meaning::Required => is_required = true,
            Meaning::MinLength | Meaning::MinItems | Meaning::MinProperties | Meaning::Minimum
                if is_positive =>
            {
                return;
            }
            // Other markers may exclude the empty value or replace it.
            Meaning::K8sRequired
            | Meaning::Optional
            | Meaning::Enum
            | Meaning::Pattern
            | Meaning::Format
            | Meaning::Type
            | Meaning::Validation
            | Meaning::Default
            | Meaning::JsonDefault
            | Meaning::Maximum
            | Meaning::ExclusiveMinimum => return,
            _ => {}
        }
    }
    if is_required && is_builtin(&field.expr) {
        let span = place_in(tag, range.start + at + 1, "omitempty".len());
        let words =
            advised("Go clients omit this required field if its value is empty", "remove `omitempty`");
        let mistake = Mistake::new(MistakeKind::RequiredOmitted, seen.place(span), words);
        let with_comma = Span { start: span.start - 1, end: span.end };
        let is_raw = tag.is_raw();
        found.push(if is_raw {
            mistake.repaired(
                "Remove `omitempty`".to_owned(),
                vec![(seen.place(with_comma), String::new())],
                false,
            )
        } else {
            mistake
        });
    }
}

/// Whether a type is built in: Go omits its empty value, and the type has no markers that could exclude that value.
pub(super) fn is_builtin(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Ident(name) => json_types(name).is_some(),
        ExprKind::Slice(_) | ExprKind::Map(..) => true,
        _ => false,
    }
}

/// The JSON name of a field in the style of Kubernetes: `URLPath` becomes `urlPath`.
#[must_use]
pub fn json_name(field: &str) -> String {
    let capitals = field.chars().take_while(|ch| ch.is_uppercase()).count();
    let is_word = field.chars().nth(capitals).is_some_and(char::is_lowercase);
    let lowered = if is_word && capitals > 1 { capitals - 1 } else { capitals };
    let of = |(at, ch): (usize, char)| if at < lowered { ch.to_ascii_lowercase() } else { ch };
    field.chars().enumerate().map(of).collect()
}

/// The value of a `json` tag for a field without one: an optional field is omitted if it is empty.
pub(super) fn json_value(field: &Field, markers: &[MarkerComment]) -> String {
    let name = field.names.first().map_or_else(String::new, |first| json_name(&first.name));
    let is_optional = |comment: &MarkerComment| {
        let meaning = comment.read.as_deref().map(|read| read.marker.meaning());
        matches!(meaning, Some(Meaning::Optional))
    };
    let options = if markers.iter().any(is_optional) { ",omitempty" } else { "" };
    format!("{name}{options}")
}
