//! The parts of an earlier generation that are reused.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use super::outcome::{GeneratedFile, Outcome};
use crate::changes::{affected, changed_types};
use crate::load::{ChangedFile, FileId, MissingModule};
use crate::schema::{KeptTypes, SchemaOptions};
use crate::syntax::File;

/// The results of an earlier generation that an edit does not affect.
pub(super) struct EarlierResults {
    pub(super) files: Vec<GeneratedFile>,
    pub(super) types: KeptTypes,
}

/// The maximum number of earlier texts to keep for a file. Each is as large as the file.
const MOST_TEXTS: usize = 8;

impl EarlierResults {
    /// `None` if anything may have changed.
    pub(super) fn of(
        before: &Outcome,
        touched: &[ChangedFile],
        own: &[Arc<File>],
        options: SchemaOptions,
    ) -> Option<Self> {
        if before.panic.is_some() {
            return None;
        }
        let mut changed = HashSet::new();
        for (old, new) in touched {
            changed.extend(changed_types(old, new, options)?);
        }
        let (old_types, old_files) = before.of_superfluous_texts();
        changed.extend(old_types);
        let affected = affected(changed, own);
        let files = before.files.iter().filter(|file| {
            !affected.contains(&file.kind.1)
                && !file.texts.iter().any(|text| old_files.contains(text))
                && file.types.iter().all(|id| before.types.is_settled(id))
        });
        // While schemas are generated, it turns out whether a built-in package lacks a type.
        let is_builtin =
            |missing: &MissingModule| before.builtin.iter().any(|other| other.import == missing.import);
        let types = (!before.missing.iter().any(is_builtin)).then(|| before.types.without_types(&affected));
        Some(Self { files: files.cloned().collect(), types: types.unwrap_or_default() })
    }
}

impl Outcome {
    /// If places refer to more earlier texts of a file than are kept: the text that the fewest types were made from, and
    /// these types.
    fn of_superfluous_texts(&self) -> (Vec<Arc<str>>, Vec<FileId>) {
        let mut by_file: BTreeMap<FileId, Vec<FileId>> = BTreeMap::new();
        for (id, _) in self.loaded.files.earlier() {
            by_file.entry(self.loaded.files.current(id).unwrap_or(id)).or_default().push(id);
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
