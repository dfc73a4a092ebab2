//! Tags of the fields that Kubernetes reads from every object: its type, its metadata, its status, the items of a list.

use super::combinations::Read;
use super::kinds::embeds_meta;
use super::mistake::{CheckedFile, Mistake, MistakeKind, advised, bare};
use super::tags::{TaggedField, place_in, tagged};
use crate::marker::Meaning;
use crate::syntax::{Expr, ExprKind, Field, FileMarkers, Ident, MarkerComment, Span};

pub(super) fn check(seen: CheckedFile<'_>, associated: &FileMarkers, found: &mut Vec<Mistake>) {
    for declared in seen.types() {
        let ExprKind::Struct(fields) = &declared.expr.kind else { continue };
        let markers = associated.types.get(declared.name.span.start).unwrap_or_default();
        let tagged = tagged(fields);
        items(seen, fields, found);
        found.extend(items_of_other_type(seen, &declared.name, fields));
        meta(seen, &tagged, found);
        let before = found.len();
        status(seen, markers, &tagged, found);
        if found.len() == before {
            parts(seen, &declared.expr, &tagged, found);
        }
    }
}

/// Checks for metadata of a kind under another name than the one that Kubernetes reads.
fn meta(seen: CheckedFile<'_>, tagged: &[TaggedField<'_>], found: &mut Vec<Mistake>) {
    let kind_of = |one: &TaggedField<'_>| match &one.field.expr.kind {
        ExprKind::Qualified(_, name) if one.field.names.is_empty() => match &**name {
            "TypeMeta" => Some(""),
            "ObjectMeta" | "ListMeta" => Some("metadata"),
            _ => None,
        },
        _ => None,
    };
    let embedded: Vec<(&TaggedField<'_>, &str)> =
        tagged.iter().filter_map(|one| Some((one, kind_of(one)?))).collect();
    let has = |name: &str| embedded.iter().any(|(_, wanted)| *wanted == name);
    if !has("") || !has("metadata") {
        return;
    }
    for (one, wanted) in &embedded {
        let name = one.value.split(',').next().unwrap_or("");
        // A missing comma before `inline` or another option is reported.
        let is_option = name.strip_prefix(wanted).is_some_and(|rest| rest.starts_with([';', ' ', '.', '|']));
        if name == *wanted || name == "inline" && wanted.is_empty() || is_option && !wanted.is_empty() {
            continue;
        }
        let words = if wanted.is_empty() {
            advised(
                format!("`apiVersion` and `kind` are inside `{name}`, where Kubernetes does not read them"),
                "write `json:\",inline\"`",
            )
        } else {
            advised(
                match name {
                    "" => "Kubernetes reads the metadata of an object from `metadata`, not from the object"
                        .to_owned(),
                    name => format!(
                        "Kubernetes reads the metadata of an object from `metadata`, not from `{name}`"
                    ),
                },
                "write `json:\"metadata\"`",
            )
        };
        let len = if name.is_empty() { one.value.len() } else { name.len() };
        let place = seen.place(place_in(one.tag, one.range.start, len));
        let mistake = Mistake::new(MistakeKind::Tag, place, words);
        let is_raw = one.tag.is_raw();
        let is_name = !name.is_empty() && !wanted.is_empty() && is_raw;
        if !is_name && is_raw {
            let whole = if wanted.is_empty() { ",inline" } else { "metadata,omitempty" };
            let place = seen.place(place_in(one.tag, one.range.start, one.value.len()));
            let title = format!("Change `{}` to `{whole}`", one.value);
            found.push(mistake.repaired(title, vec![(place, whole.to_owned())], false));
            continue;
        }
        found.push(match is_name {
            // The encoding of objects changes, so the fix is not safe.
            true => mistake.repaired(
                format!("Change `{name}` to `{wanted}`"),
                vec![(place, (*wanted).to_owned())],
                false,
            ),
            false => mistake,
        });
    }
}

/// Checks for items of a list of objects without a tag. controller-gen does not report them, because it generates nothing
/// from lists.
fn items(seen: CheckedFile<'_>, fields: &[Field], found: &mut Vec<Mistake>) {
    let is_of_list = |field: &Field| {
        let is_meta = matches!(&field.expr.kind, ExprKind::Qualified(_, name) if &**name == "ListMeta");
        is_meta && field.names.is_empty() && field.tag.is_some()
    };
    let is_items = |field: &&Field| matches!(field.names.as_slice(), [name] if &*name.name == "Items");
    let Some(field) = fields.iter().find(is_items) else { return };
    let Some(name) = field.names.first().filter(|_| fields.iter().any(is_of_list)) else { return };
    let problem = |of: &str| {
        format!("Go clients read the items of the list from `{of}`, but kube-apiserver sends `items`")
    };
    if field.tag.is_none() {
        let mistake =
            Mistake::new(MistakeKind::Tag, seen.place(name.span), advised(problem("Items"), "add a tag"));
        let end = field.spec.span.end;
        let edits = vec![(seen.place(Span { start: end, end }), " `json:\"items\"`".to_owned())];
        found.push(mistake.repaired("Add `json:\"items\"`".to_owned(), edits, true));
        return;
    }
    let one = tagged(std::slice::from_ref(field)).pop();
    // Go ignores the case of names when it decodes.
    let other = |one: &TaggedField<'_>| {
        let (name, start) = one.name().filter(|(name, _)| !name.eq_ignore_ascii_case("items"))?;
        Some((name.to_owned(), seen.place(place_in(one.tag, start, name.len())), one.tag.is_raw()))
    };
    let Some((name, place, is_raw)) = one.as_ref().and_then(other) else { return };
    let mistake = Mistake::new(MistakeKind::Tag, place, advised(problem(&name), "write `items`"));
    found.push(match is_raw {
        true => mistake.replaced(format!("Change `{name}` to `items`"), "items".to_owned()),
        false => mistake,
    });
}

/// The mistake for a list of a kind of the file with items of another type.
fn items_of_other_type(seen: CheckedFile<'_>, list: &Ident, fields: &[Field]) -> Option<Mistake> {
    let is_items = |field: &&Field| matches!(field.names.as_slice(), [name] if &*name.name == "Items");
    let of_list =
        |field: &Field| matches!(&field.expr.kind, ExprKind::Qualified(_, name) if &**name == "ListMeta");
    let kind = list.name.strip_suffix("List").filter(|_| fields.iter().any(of_list))?;
    let items = &fields.iter().find(is_items)?.expr;
    let inner = match &items.kind {
        ExprKind::Slice(inner) => bare(inner),
        _ => items,
    };
    let ExprKind::Ident(name) = &inner.kind else { return None };
    let is_slice = matches!(items.kind, ExprKind::Slice(_));
    let declared = |wanted: &str| {
        let mut types = seen.file.types().map(|(_, declared)| declared);
        types.find(|declared| *declared.name.name == *wanted)
    };
    let is_kind = declared(kind).is_some_and(|declared| embeds_meta(&declared.expr));
    // A type that is not declared is an error of Go.
    if !is_kind || is_slice && **name == *kind || declared(name).is_none() {
        return None;
    }
    let written = seen.file.slice(items.span);
    let words = advised(
        format!("the items of {} have the type `{written}`, not that of the kind", list.name),
        format!("write `[]{kind}`"),
    );
    let mistake = Mistake::new(MistakeKind::Tag, seen.place(items.span), words);
    let better = format!("[]{kind}");
    let edits = vec![(mistake.place, better.clone())];
    Some(mistake.repaired(format!("Change `{written}` to `{better}`"), edits, false))
}

/// Checks for the spec or the status of a kind with a JSON name that differs only in case.
fn parts(seen: CheckedFile<'_>, expr: &Expr, tagged: &[TaggedField<'_>], found: &mut Vec<Mistake>) {
    if !embeds_meta(expr) {
        return;
    }
    for one in tagged {
        let Some((name, start)) = one.name() else { continue };
        let intended = name.to_lowercase();
        let is_taken = || tagged.iter().any(|other| other.name().is_some_and(|(name, _)| name == intended));
        if name == intended || !matches!(&*intended, "spec" | "status") || is_taken() {
            continue;
        }
        let words = advised(
            format!("the JSON name of the {intended} is `{name}`, so that users cannot write `{intended}`"),
            format!("write `{intended}`"),
        );
        let place = seen.place(place_in(one.tag, start, name.len()));
        let mistake = Mistake::new(MistakeKind::Tag, place, words).with_intended_name(&intended);
        found.push(match one.tag.is_raw() {
            true => {
                mistake.repaired(format!("Change `{name}` to `{intended}`"), vec![(place, intended)], false)
            }
            false => mistake,
        });
    }
}

/// Checks for the status of a kind with the subresource under another name than the one that the subresource writes.
fn status(
    seen: CheckedFile<'_>,
    markers: &[MarkerComment],
    tagged: &[TaggedField<'_>],
    found: &mut Vec<Mistake>,
) {
    let is_status = |comment: &MarkerComment| {
        Read::of(seen, comment).is_some_and(|read| read.marker.meaning() == Meaning::Status)
    };
    let is_of_go =
        |one: &&TaggedField<'_>| one.field.names.first().is_some_and(|name| &*name.name == "Status");
    let Some(one) = tagged.iter().find(is_of_go).filter(|_| markers.iter().any(is_status)) else { return };
    let Some((name, start)) = one.name().filter(|(name, _)| *name != "status" && *name != "-") else {
        return;
    };
    if tagged.iter().any(|other| other.name().is_some_and(|(name, _)| name == "status")) {
        return;
    }
    let words = advised(
        format!("the status subresource writes the field `status`, but this one is `{name}` in JSON"),
        "write `status`",
    );
    let place = seen.place(place_in(one.tag, start, name.len()));
    // Another field may have the name, which is reported there.
    if found.iter().any(|other| other.place == place) {
        return;
    }
    let mistake = Mistake::new(MistakeKind::Tag, place, words).with_intended_name("status");
    let edits = vec![(place, "status".to_owned())];
    found.push(match one.tag.is_raw() {
        true => mistake.repaired(format!("Change `{name}` to `status`"), edits, false),
        false => mistake,
    });
}
