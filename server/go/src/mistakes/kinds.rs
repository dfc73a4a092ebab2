//! Types that are meant as kinds, but for which nothing is generated.

use std::collections::HashSet;

use super::above::above_type;
use super::combinations::Read;
use super::mistake::{CheckedFile, Mistake, MistakeKind, MistakeText, advised, bare};
use crate::load::{FileId, Place};
use crate::syntax::{Expr, ExprKind, Field, FileMarkers, MarkerComment, Span, TypeDeclaration};

/// The marker of types that are objects.
pub(super) const ROOT: &str = "+kubebuilder:object:root=true";

/// Checks for markers of kinds on other types. If there is no kind at all, markers alone are not a mistake: the types may
/// become kinds later.
pub(super) fn check(
    seen: CheckedFile<'_>,
    associated: &FileMarkers,
    kinds: &HashSet<(FileId, u32)>,
    has_any: bool,
    found: &mut Vec<Mistake>,
) {
    for (_, declared) in seen.file.types() {
        let name = &declared.name;
        // A kind is not in a definition if all its versions are skipped.
        if embeds_meta(&declared.expr) {
            continue;
        }
        if kinds.contains(&(seen.id, name.span.start)) {
            found.extend(incomplete_version(seen, declared));
            continue;
        }
        let markers = associated.types.get(name.span.start).unwrap_or_default();
        let read = markers.iter().filter_map(|comment| Read::of(seen, comment));
        let mut of_kind = read.filter(|read| read.marker.meaning().is_of_kind()).peekable();
        // Types of configuration files have a type and no metadata.
        let is_root = || {
            let is_marked = markers.iter().any(|comment| seen.text(comment).starts_with(ROOT));
            is_marked && embedded(&declared.expr, "ListMeta").is_some()
        };
        if (of_kind.peek().is_some() || is_root())
            && let Some(mistake) = incomplete_kind(seen, declared)
        {
            found.push(mistake);
        } else if let Some(mistake) = root_without_parts(seen, declared, markers) {
            found.push(mistake);
        } else if has_any {
            for read in of_kind {
                let words = MistakeText::new(format!(
                    "`{}` has no effect, because {} is not a kind; a kind embeds `metav1.TypeMeta` and `metav1.ObjectMeta`",
                    read.name(),
                    name.name
                ));
                let mistake = Mistake::new(MistakeKind::Unused, read.place(seen), words);
                found.push(match to_kind(seen, &name.name, &read) {
                    Some((kind, edits)) => {
                        mistake.repaired(format!("Move `{}` above {kind}", read.name()), edits, false)
                    }
                    None => {
                        let title = format!("Remove `{}`", read.name());
                        mistake.removed(seen, read.comment.comment, title, false)
                    }
                });
            }
        }
    }
}

/// The mistake for the marker of objects on a struct that embeds nothing: the function that it generates does not compile.
fn root_without_parts(
    seen: CheckedFile<'_>,
    declared: &TypeDeclaration,
    markers: &[MarkerComment],
) -> Option<Mistake> {
    let ExprKind::Struct(fields) = &declared.expr.kind else { return None };
    let is_part = ["Spec", "Status"].into_iter().any(|part| declared.name.name.ends_with(part));
    if !is_part || fields.iter().any(|field| field.names.is_empty()) {
        return None;
    }
    let comment = markers.iter().find(|comment| seen.text(comment).trim_end() == ROOT)?;
    let name = ROOT.trim_start_matches('+').split('=').next().unwrap_or_default();
    let words = advised(
        format!("`{name}` is for kinds and lists, and {} embeds no `metav1.TypeMeta`", declared.name.name),
        "remove it",
    );
    let place = seen.place_in_marker(comment, 1..1 + name.len());
    let title = format!("Remove `{name}`");
    Some(Mistake::new(MistakeKind::Unused, place, words).removed(seen, comment.comment, title, false))
}

/// The kind's name, and the edits that move a marker of the type `part` to the only kind of the file, if that has a field of
/// the type and no such marker.
fn to_kind<'f>(
    seen: CheckedFile<'f>,
    part: &str,
    read: &Read<'_>,
) -> Option<(&'f str, Vec<(Place, String)>)> {
    let mut kinds = seen.file.types().map(|(_, declared)| declared).filter(|one| embeds_meta(&one.expr));
    let kind = kinds.next().filter(|_| kinds.next().is_none())?;
    let ExprKind::Struct(fields) = &kind.expr.kind else { return None };
    let is_part = |field: &Field| matches!(&bare(&field.expr).kind, ExprKind::Ident(name) if **name == *part);
    fields.iter().any(is_part).then_some(())?;
    let associated = seen.file.associated(seen.version);
    let mut own = associated.types.get(kind.name.span.start).unwrap_or_default().iter();
    let is_same = |own: &Read<'_>| own.marker.meaning() == read.marker.meaning();
    if own.any(|comment| Read::of(seen, comment).is_some_and(|own| is_same(&own))) {
        return None;
    }
    let edits = above_type(seen, (seen.text(read.comment), read.comment.comment), kind)?;
    Some((&kind.name.name, edits))
}

/// Whether a struct embeds the types that make it a kind.
pub(super) fn embeds_meta(expr: &Expr) -> bool {
    embedded(expr, "TypeMeta").is_some() && embedded(expr, "ObjectMeta").is_some()
}

/// The embedded field of a struct whose type in another package is called `wanted`.
pub(super) fn embedded<'e>(expr: &'e Expr, wanted: &str) -> Option<&'e Field> {
    of_type(expr, wanted).filter(|field| field.names.is_empty())
}

/// The first field of a struct whose type in another package is called `wanted`.
fn of_type<'e>(expr: &'e Expr, wanted: &str) -> Option<&'e Field> {
    let ExprKind::Struct(fields) = &expr.kind else { return None };
    fields.iter().find(|field| matches!(&field.expr.kind, ExprKind::Qualified(_, name) if &**name == wanted))
}

/// The mistake for a kind with the metadata of a list, although it has no items.
fn with_metadata_of_list(seen: CheckedFile<'_>, declared: &TypeDeclaration, meta: &Field) -> Option<Mistake> {
    let ExprKind::Struct(fields) = &declared.expr.kind else { return None };
    let ExprKind::Qualified(package, name) = &meta.expr.kind else { return None };
    let has_items = fields.iter().flat_map(|field| &field.names).any(|field| &*field.name == "Items");
    if has_items || declared.name.name.ends_with("List") {
        return None;
    }
    let words = advised(
        format!(
            "controller-gen makes no definition of {}, because `{name}` is the metadata of lists",
            declared.name.name
        ),
        format!("embed `{package}.ObjectMeta`"),
    );
    let mistake = Mistake::new(MistakeKind::Unused, seen.place(meta.expr.span), words);
    let new = format!("{package}.ObjectMeta");
    Some(mistake.replaced(format!("Change `{package}.{name}` to `{new}`"), new))
}

/// The mistake for the missing part of a kind that is embedded as a pointer, which controller-gen ignores.
fn by_pointer(seen: CheckedFile<'_>, declared: &TypeDeclaration, missing: &str) -> Option<Mistake> {
    let ExprKind::Struct(fields) = &declared.expr.kind else { return None };
    let is_it = |field: &&Field| match &field.expr.kind {
        ExprKind::Pointer(inner) => {
            field.names.is_empty()
                && matches!(&inner.kind, ExprKind::Qualified(_, name) if **name == *missing)
        }
        _ => false,
    };
    let field = fields.iter().find(is_it)?;
    let place = seen.place(field.expr.span);
    let written = seen.file.slice(field.expr.span).trim_start_matches('*').to_owned();
    let words = advised(
        format!(
            "no definition is generated of {}, because it embeds `{written}` as a pointer",
            declared.name.name
        ),
        "remove `*`",
    );
    let mistake = Mistake::new(MistakeKind::Unused, place, words);
    Some(mistake.repaired(format!("Embed `{written}`"), vec![(place, written)], false))
}

/// The mistake for a version of a kind without its type, which is generated because another version is complete.
fn incomplete_version(seen: CheckedFile<'_>, declared: &TypeDeclaration) -> Option<Mistake> {
    embedded(&declared.expr, "ObjectMeta")?;
    let mistake = incomplete_kind(seen, declared)?;
    let problem = format!(
        "{} does not embed `TypeMeta`, so its schema lacks `apiVersion` and `kind`",
        declared.name.name
    );
    Some(Mistake { problem, ..mistake })
}

/// The mistake for a struct with one of the two parts of a kind, for which nothing is generated. A list has
/// the other metadata.
fn incomplete_kind(seen: CheckedFile<'_>, declared: &TypeDeclaration) -> Option<Mistake> {
    let (present, missing) = match embedded(&declared.expr, "ObjectMeta") {
        Some(meta) => (meta, "TypeMeta"),
        None if let Some(meta) = embedded(&declared.expr, "ListMeta") => {
            return with_metadata_of_list(seen, declared, meta);
        }
        None => (embedded(&declared.expr, "TypeMeta")?, "ObjectMeta"),
    };
    let ExprKind::Qualified(package, _) = &present.expr.kind else { return None };
    let name = &declared.name;
    let problem = format!(
        "no definition is generated of {}, because it does not embed `{package}.{missing}`",
        name.name
    );
    let remedy = match missing {
        "TypeMeta" => format!("embed `{package}.TypeMeta` before `{package}.ObjectMeta`"),
        _ => format!("embed `{package}.ObjectMeta` after `{package}.TypeMeta`"),
    };
    let mistake = Mistake::new(MistakeKind::Unused, seen.place(name.span), advised(problem, remedy));
    if let Some(mistake) = by_pointer(seen, declared, missing) {
        return Some(mistake);
    }
    let mistake = match of_type(&declared.expr, missing) {
        Some(field) => Mistake { place: seen.place(field.spec.span), ..mistake },
        None => mistake,
    };
    let (start, end, text) = match of_type(&declared.expr, missing).map(|field| (field, &*field.names)) {
        // Without its name, the field is embedded.
        Some((field, [_])) => (field.spec.span.start, field.expr.span.start, String::new()),
        Some(_) => return Some(mistake),
        None if missing == "TypeMeta" => {
            let start = present.spec.span.start;
            (start, start, format!("{package}.TypeMeta `json:\",inline\"`\n\t"))
        }
        None => {
            let tag = present.tag.as_ref().map_or(0, |tag| tag.span.end);
            let end = tag.max(present.spec.span.end);
            (end, end, format!("\n\t{package}.ObjectMeta `json:\"metadata,omitempty\"`"))
        }
    };
    let edits = vec![(seen.place(Span { start, end }), text)];
    Some(mistake.repaired(format!("Embed `{package}.{missing}`"), edits, false))
}
