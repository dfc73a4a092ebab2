//! Markers for strategic merge patches with a strategy that does not exist, or a key that the items lack.

use super::mistake::{CheckedFile, Mistake, MistakeKind, advised, nearest};
use super::tags::tagged;
use super::types::Types;
use crate::load::Place;
use crate::syntax::{Expr, ExprKind, FileMarkers, MarkerComment};

/// The strategies of patches.
const STRATEGIES: [&str; 4] = ["merge", "replace", "retainKeys", "delete"];

/// The maximum number of letters in which a misspelt value differs.
const MAX_DISTANCE: usize = 2;

pub(super) fn check(
    seen: CheckedFile<'_>,
    associated: &FileMarkers,
    types: &Types<'_>,
    found: &mut Vec<Mistake>,
) {
    for (_, declared) in seen.file.types() {
        let ExprKind::Struct(fields) = &declared.expr.kind else { continue };
        for field in fields {
            let markers = associated.fields.get(field.spec.span.start).unwrap_or_default();
            for comment in markers.iter().filter(|comment| comment.read.is_none()) {
                found.extend(strategy(seen, comment));
                found.extend(key(seen, comment, &field.expr, types));
            }
        }
    }
}

/// The value of a marker with this name, and its place.
fn value<'f>(seen: CheckedFile<'f>, comment: &MarkerComment, name: &str) -> Option<(&'f str, Place)> {
    let written = seen.text(comment).trim_end();
    let value = written.strip_prefix('+')?.strip_prefix(name)?.strip_prefix('=')?;
    Some((value, seen.place_in_marker(comment, written.len() - value.len()..written.len())))
}

/// Checks the strategies of a field.
fn strategy(seen: CheckedFile<'_>, comment: &MarkerComment) -> Option<Mistake> {
    let (written, place) = value(seen, comment, "patchStrategy")?;
    if written.contains(',') || STRATEGIES.contains(&written) {
        return None;
    }
    let intended = nearest(written, STRATEGIES, MAX_DISTANCE)?;
    let problem = format!("`{written}` is not a strategy of patches");
    Some(Mistake::replaced_word(MistakeKind::Value, place, problem, (written, intended)))
}

/// Checks whether the items of a list have the key.
fn key(seen: CheckedFile<'_>, comment: &MarkerComment, expr: &Expr, types: &Types<'_>) -> Option<Mistake> {
    let (written, place) = value(seen, comment, "patchMergeKey")?;
    let (of, fields) = types.fields(types.items(expr)?)?;
    // Embedded types have further fields.
    if fields.iter().any(|field| field.names.is_empty()) {
        return None;
    }
    let tagged = tagged(fields);
    let names: Vec<&str> = tagged.iter().filter_map(|one| Some(one.name()?.0)).collect();
    // A name with a space around it is a mistake in its tag.
    if names.is_empty() || names.iter().any(|name| name.trim() == written) {
        return None;
    }
    let problem = format!("`{of}` has no field `{written}`, by which patches merge its items");
    Some(match nearest(written, names, MAX_DISTANCE) {
        Some(intended) => Mistake::replaced_word(MistakeKind::Value, place, problem, (written, intended)),
        None => Mistake::new(MistakeKind::Value, place, advised(problem, "write the JSON name of a field")),
    })
}
