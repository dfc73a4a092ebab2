//! Which types, and therefore which kinds, an edit of a Go file may change.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::{Arc, OnceLock};

use crate::load::{FileId, Files, Place};
use crate::schema::{SchemaOptions, is_basic};
use crate::syntax::{DeclarationKind, File, Span, common_end, common_start, with_kinds};
use crate::version::Version;

/// Maps places in an earlier text of a file to places in a later text.
#[derive(Debug)]
struct Move {
    before: Arc<File>,
    after: Arc<File>,
    /// The lengths of the common start and of the common end of both texts.
    common: OnceLock<(u32, u32)>,
}

impl Move {
    fn between(before: &Arc<File>, after: &Arc<File>) -> Self {
        Self { before: Arc::clone(before), after: Arc::clone(after), common: OnceLock::new() }
    }

    /// The same bytes in the later text. The edit must not have changed them.
    fn moved(&self, span: Span) -> Span {
        let regions = self.before.regions().regions_containing(span);
        let mut kept = regions.filter_map(|(was, name)| {
            let now = self.after.regions().region_of(name)?;
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

/// Maps places in earlier texts to places in the current texts.
#[derive(Debug, Default)]
pub(crate) struct Moves(HashMap<FileId, (FileId, Move)>);

impl Moves {
    /// Covers all earlier texts that are kept.
    pub(crate) fn of(files: &Files) -> Self {
        let moves = files.earlier().filter_map(|(id, before)| {
            let current = files.current(id)?;
            Some((id, (current, Move::between(before, files.get(current)?))))
        });
        Self(moves.collect())
    }

    pub(crate) fn current_place(&self, place: Place) -> Place {
        let by = self.0.get(&place.file);
        by.map_or(place, |(file, by)| Place { file: *file, span: by.moved(place.span) })
    }
}

/// The names of the types that an edit of a file may have changed; `None` if it may have changed any type.
pub(crate) fn changed_types(
    before: &File,
    after: &File,
    options: SchemaOptions,
) -> Option<HashSet<Arc<str>>> {
    let version = options.version;
    if !is_accepted(before, options)
        || !is_accepted(after, options)
        || shared(before, version) != shared(after, version)
    {
        return None;
    }
    let differs = |one: &File, other: &File| -> Vec<Arc<str>> {
        let changed = one.regions().by_name().filter(|(name, span)| {
            other.regions().region_of(name).is_none_or(|now| other.slice(now) != one.slice(*span))
        });
        changed.map(|(name, _)| Arc::clone(name)).collect()
    };
    let (old, new) = (constants(before), constants(after));
    let of_constants = old.keys().chain(new.keys()).filter(|kind| old.get(*kind) != new.get(*kind));
    let of_constants = of_constants.map(|kind| Arc::from(*kind));
    Some(differs(before, after).into_iter().chain(differs(after, before)).chain(of_constants).collect())
}

/// The constants of each declared type, in order: their names and values. Schemas depend on nothing else in the
/// declarations of constants.
fn constants(file: &File) -> BTreeMap<&str, Vec<String>> {
    let mut by_kind: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for declaration in &file.declarations {
        let DeclarationKind::Const(constants) = &declaration.kind else { continue };
        for (kind, constant) in with_kinds(constants).filter(|(kind, _)| !is_basic(kind)) {
            let names = constant.names.iter().map(|name| &name.name);
            let value = format!("{:?} {:?}", names.collect::<Vec<_>>(), constant.values);
            by_kind.entry(kind).or_default().push(value);
        }
    }
    by_kind
}

/// Whether the types of a file are used. If controller-gen rejects one file, it uses no types of the package.
fn is_accepted(file: &File, options: SchemaOptions) -> bool {
    let associated = file.associated(options.version);
    file.errors.is_empty() && (options.skips_rejected || associated.rejected().next().is_none())
}

/// The parts of a file on which types in other files depend.
fn shared(file: &File, version: Version) -> Vec<String> {
    let associated = file.associated(version);
    let markers = associated.package.iter().map(|comment| file.slice(comment.span).to_owned());
    let imports = file.imports.iter().map(|import| format!("{:?} {}", import.name, import.path));
    let methods = file.marshalers.iter().map(|one| format!("{} {:?}", one.receiver, one.encoding));
    markers.chain(imports).chain(methods).collect()
}

/// The names in `changed`, and those of all types in `files` that refer to one of them, directly or indirectly.
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
