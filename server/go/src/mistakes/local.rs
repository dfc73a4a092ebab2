//! Mistakes that depend on one declaration only, kept across edits: a keystroke in a declaration checks only that
//! declaration.

use std::collections::HashMap;
use std::sync::Arc;

use super::mistake::{CheckedFile, Mistake};
use super::{combinations, conventions, names, objects, position, tags, values};
use crate::load::{FileId, Place};
use crate::marker::Target;
use crate::syntax::{Edit, FileMarkers, MarkerComment, Span};
use crate::version::Version;

/// The mistakes of an outcome by file number.
pub(super) type MistakesByFile = HashMap<u32, Arc<FileMistakes>>;

/// Whether fields are optional unless a marker requires them.
pub(super) type IsOptional = bool;

/// Everything beside the declaration on which the mistakes in it depend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Context {
    pub(super) version: Version,
    /// Whether the package names its group.
    pub(super) has_group: bool,
    /// Whether schemas of different types were merged.
    pub(super) is_merged: bool,
    /// Whether the package makes fields optional; `None` if conventions of the Kubernetes API are not checked.
    pub(super) conventions: Option<IsOptional>,
}

/// The mistakes in the declarations of a file.
#[derive(Debug)]
pub(super) struct FileMistakes {
    /// The text that was checked.
    text: FileId,
    /// Its markers.
    associated: Arc<FileMarkers>,
    context: Context,
    pub(super) mistakes: Vec<Mistake>,
}

impl FileMistakes {
    /// The mistakes of a file. Reuses the known mistakes of the file, or of the declarations that an edit does not affect.
    pub(super) fn find_or_reuse(
        seen: CheckedFile<'_>,
        associated: &Arc<FileMarkers>,
        context: Context,
        known: Option<&Arc<Self>>,
    ) -> Arc<Self> {
        let known = known.filter(|known| known.context == context);
        if let Some(same) =
            known.filter(|known| known.text == seen.id && Arc::ptr_eq(&known.associated, associated))
        {
            return Arc::clone(same);
        }
        let edit = known.and_then(|known| Some((known, seen.file.edit(associated, &known.associated)?)));
        let found = match edit {
            None => mistakes_in_scope(seen, associated, context),
            Some((known, edit)) => {
                let seen = CheckedFile { scope: edit.current, ..seen };
                let fresh = mistakes_in_scope(seen, associated, context);
                let kept = known.mistakes.iter().filter_map(|mistake| moved_mistake(mistake, edit, seen.id));
                kept.chain(fresh).collect()
            }
        };
        Arc::new(Self { text: seen.id, associated: Arc::clone(associated), context, mistakes: found })
    }
}

/// A mistake, moved by the edit that created `text`; `None` if the edit affects its declaration.
fn moved_mistake(mistake: &Mistake, edit: Edit, text: FileId) -> Option<Mistake> {
    let by = i32::try_from(i64::from(edit.current.end) - i64::from(edit.end_before)).ok()?;
    // A fix may change another declaration than the one with the mistake.
    let moved = |place: Place| {
        let by = match place.span.start {
            at if at < edit.current.start => 0,
            at if at >= edit.end_before => by,
            _ => return None,
        };
        let at = |at: u32| at.saturating_add_signed(by);
        Some(Place { file: text, span: Span { start: at(place.span.start), end: at(place.span.end) } })
    };
    let mut mistake = mistake.clone();
    mistake.place = moved(mistake.place)?;
    mistake.related = mistake.related.and_then(|(place, what)| Some((moved(place)?, what)));
    mistake.repairs.retain_mut(|repair| {
        repair.edits.iter_mut().all(|(place, _)| match moved(*place) {
            Some(now) => {
                *place = now;
                true
            }
            None => false,
        })
    });
    Some(mistake)
}

fn mistakes_in_scope(seen: CheckedFile<'_>, associated: &FileMarkers, context: Context) -> Vec<Mistake> {
    let mut found = Vec::new();
    for (target, comment, list) in markers_in_order(seen, associated) {
        if target == Target::Field
            && let Some(mistake) = position::behind_brace(seen, comment)
        {
            found.push(mistake);
            continue;
        }
        found.extend(names::check(seen, (comment, list), target, context.has_group));
        values::check(seen, (comment, list), &mut found);
    }
    position::check(seen, associated, context.has_group, &mut found);
    tags::check(seen, associated, context.is_merged, &mut found);
    objects::check(seen, associated, &mut found);
    combinations::check(seen, associated, &mut found);
    if let Some(is_optional) = context.conventions {
        conventions::check(seen, associated, is_optional, &mut found);
    }
    found
}

/// Each marker, with the markers of the same declaration.
fn markers_in_order<'a>(
    seen: CheckedFile<'_>,
    associated: &'a FileMarkers,
) -> Vec<(Target, &'a MarkerComment, &'a [MarkerComment])> {
    let package = associated.package.iter().filter(|comment| seen.includes(comment.span.start));
    let package = package.map(|comment| (Target::Package, comment, associated.package.as_slice()));
    let each = |target: Target, list: &'a [MarkerComment]| list.iter().map(move |one| (target, one, list));
    let types = associated.types.markers_within(seen.scope).flat_map(|(_, list)| each(Target::Type, list));
    let fields = associated.fields.markers_within(seen.scope).flat_map(|(_, list)| each(Target::Field, list));
    let mut all: Vec<_> = package.chain(types).chain(fields).collect();
    all.sort_by_key(|(_, comment, _)| comment.span.start);
    all
}
