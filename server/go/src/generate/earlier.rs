//! What of an earlier generation is used again.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use super::outcome::{Generated, Outcome};
use crate::changes::{affected, changed_types};
use crate::load::{FileId, Missing, Touched};
use crate::schema::KeptTypes;
use crate::syntax::File;
use crate::version::Version;

/// What of an earlier generation an edit left alone.
pub(super) struct Earlier {
    pub(super) files: Vec<Generated>,
    pub(super) types: KeptTypes,
}

/// So many earlier texts of a file are kept. Each is as large as the file.
const MOST_TEXTS: usize = 8;

impl Earlier {
    /// None where anything may be another one.
    pub(super) fn of(
        before: &Outcome,
        touched: &[Touched],
        own: &[Arc<File>],
        version: Version,
    ) -> Option<Self> {
        if before.panic.is_some() {
            return None;
        }
        let mut changed = HashSet::new();
        for (old, new) in touched {
            changed.extend(changed_types(old, new, version)?);
        }
        let (old_types, old_files) = before.of_superfluous_texts();
        changed.extend(old_types);
        let affected = affected(changed, own);
        let files = before.files.iter().filter(|file| {
            !affected.contains(&file.kind.1)
                && !file.texts.iter().any(|text| old_files.contains(text))
                && file.types.iter().all(|id| before.types.is_settled(id))
        });
        // That a package that is built in lacks a type is found out while schemas are made.
        let lacks = |missing: &Missing| before.builtin.iter().any(|other| other.import == missing.import);
        let types = (!before.missing.iter().any(lacks)).then(|| before.types.without(&affected));
        Some(Self { files: files.cloned().collect(), types: types.unwrap_or_default() })
    }
}

impl Outcome {
    /// Where a file was edited in so many places that more of its earlier texts have a use than are kept: the types that were
    /// made of the one with the fewest, and that text.
    fn of_superfluous_texts(&self) -> (Vec<Arc<str>>, Vec<FileId>) {
        let mut by_file: BTreeMap<FileId, Vec<FileId>> = BTreeMap::new();
        for (id, _) in self.kept.files.earlier() {
            by_file.entry(self.kept.files.current(id).unwrap_or(id)).or_default().push(id);
        }
        by_file.retain(|_, texts| texts.len() > MOST_TEXTS);
        if by_file.is_empty() {
            return Default::default();
        }
        let types = self.types.texts();
        let uses = |text: &FileId| types.get(text).map_or(0, Vec::len);
        let fewest = by_file.values().filter_map(|texts| texts.iter().min_by_key(|text| uses(text)));
        let superfluous: Vec<FileId> = fewest.copied().collect();
        let names = superfluous.iter().filter_map(|text| types.get(text)).flatten();
        (names.map(|id| Arc::clone(&id.name)).collect(), superfluous)
    }
}
