//! What an edit of a Go file may change: which types, and so which kinds.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, OnceLock};

use crate::load::{FileId, Files, Place};
use crate::syntax::{DeclarationKind, File, Span, common_end, common_start};
use crate::version::Version;

/// From places in an earlier text of a file to those in a later one.
#[derive(Debug)]
struct Move {
    before: Arc<File>,
    after: Arc<File>,
    /// What both texts have in common at the beginning, and at the end.
    common: OnceLock<(u32, u32)>,
}

impl Move {
    fn between(before: &Arc<File>, after: &Arc<File>) -> Self {
        Self { before: Arc::clone(before), after: Arc::clone(after), common: OnceLock::new() }
    }

    /// The same bytes in the later text; they did not change.
    fn moved(&self, span: Span) -> Span {
        let regions = self.before.regions().around(span);
        let mut kept = regions.filter_map(|(was, name)| {
            let now = self.after.regions().of(name)?;
            (self.after.slice(now) == self.before.slice(was)).then_some((was, now))
        });
        if let Some((was, now)) = kept.next() {
            return Span { start: span.start - was.start + now.start, end: span.end - was.start + now.start };
        }
        let (old, new) = (self.before.text.as_bytes(), self.after.text.as_bytes());
        let (start, end) = *self.common.get_or_init(|| {
            let start = common_start(old, new);
            let (old, new) = (old.get(start..).unwrap_or_default(), new.get(start..).unwrap_or_default());
            (start as u32, common_end(old, new) as u32)
        });
        let (before, after) = (old.len() as u32 - end, new.len() as u32 - end);
        let at = |at: u32| if at < before || at <= start { at } else { at - before + after };
        Span { start: at(span.start), end: at(span.end) }
    }
}

/// The places of earlier texts in those of now.
#[derive(Debug, Default)]
pub(crate) struct Moves(HashMap<FileId, (FileId, Move)>);

impl Moves {
    /// From all earlier texts that are kept.
    pub(crate) fn of(files: &Files) -> Self {
        let moves = files.earlier().filter_map(|(id, before)| {
            let current = files.current(id)?;
            Some((id, (current, Move::between(before, files.get(current)?))))
        });
        Self(moves.collect())
    }

    pub(crate) fn now(&self, place: Place) -> Place {
        let by = self.0.get(&place.file);
        by.map_or(place, |(file, by)| Place { file: *file, span: by.moved(place.span) })
    }
}

/// The names of the types that may be other ones after an edit of a file; none where anything may be.
pub(crate) fn changed_types(before: &File, after: &File, version: Version) -> Option<HashSet<Arc<str>>> {
    if !is_taken(before, version)
        || !is_taken(after, version)
        || shared(before, version) != shared(after, version)
    {
        return None;
    }
    let differs = |one: &File, other: &File| -> Vec<Arc<str>> {
        let changed = one.regions().by_name().filter(|(name, span)| {
            other.regions().of(name).is_none_or(|now| other.slice(now) != one.slice(*span))
        });
        changed.map(|(name, _)| Arc::clone(name)).collect()
    };
    Some(differs(before, after).into_iter().chain(differs(after, before)).collect())
}

/// Whether controller-gen sees the types of a file; without those of one file it sees none of the package.
fn is_taken(file: &File, version: Version) -> bool {
    let associated = file.associated(version);
    let lists = associated.types.iter().chain(associated.fields.iter()).flat_map(|(_, list)| list);
    let mut reads = associated.package.iter().chain(lists).filter_map(|comment| comment.read.as_ref());
    file.errors.is_empty() && reads.all(|read| read.refusals.is_empty())
}

/// What of a file matters to types that stand elsewhere.
fn shared(file: &File, version: Version) -> Vec<String> {
    let associated = file.associated(version);
    let markers = associated.package.iter().map(|comment| file.slice(comment.span).to_owned());
    let imports = file.imports.iter().map(|import| format!("{:?} {}", import.name, import.path));
    let constants = file.declarations.iter().filter(|one| matches!(one.kind, DeclarationKind::Const(_)));
    let constants = constants.map(|one| file.slice(one.span).to_owned());
    let methods = file.marshalers.iter().map(|one| format!("{} {:?}", one.receiver, one.encoding));
    markers.chain(imports).chain(constants).chain(methods).collect()
}

/// The names in `changed`, with those of the types in `files` that name one of them, however indirectly.
pub(crate) fn affected(changed: HashSet<Arc<str>>, files: &[Arc<File>]) -> HashSet<Arc<str>> {
    let mut pending: Vec<Arc<str>> = changed.iter().cloned().collect();
    let mut affected = changed;
    while let Some(name) = pending.pop() {
        for by in files.iter().flat_map(|file| file.types_naming(&name)) {
            if affected.insert(Arc::clone(by)) {
                pending.push(Arc::clone(by));
            }
        }
    }
    affected
}
