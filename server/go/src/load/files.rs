//! The files that were read, and the texts that they had before edits.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::{File, FileId};

/// Files by number, each with its current text; and earlier texts, as long as places refer to them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Files {
    now: Vec<Arc<File>>,
    ids: Vec<FileId>,
    earlier: HashMap<FileId, Arc<File>>,
}

impl Files {
    /// All files with their current texts.
    pub(crate) fn all_current(&self) -> &[Arc<File>] {
        &self.now
    }

    /// A file with one of its texts.
    pub(crate) fn get(&self, id: FileId) -> Option<&Arc<File>> {
        match self.current(id)? {
            now if now == id => self.now.get(id.file as usize),
            _ => self.earlier.get(&id),
        }
    }

    /// The ID of the current text of the same file.
    pub(crate) fn current(&self, id: FileId) -> Option<FileId> {
        self.ids.get(id.file as usize).copied()
    }

    /// The files that `is_one_of` accepts, with their IDs.
    pub(crate) fn matching(&self, is_one_of: impl Fn(&File) -> bool) -> Vec<(FileId, Arc<File>)> {
        let all = self.ids.iter().zip(&self.now).filter(|(_, file)| is_one_of(file));
        all.map(|(id, file)| (*id, Arc::clone(file))).collect()
    }

    pub(super) fn add(&mut self, file: Arc<File>) -> FileId {
        let id = FileId { file: self.now.len() as u32, text: 0 };
        self.now.push(file);
        self.ids.push(id);
        id
    }

    /// Replaces the text of a file.
    pub(super) fn replace(&mut self, id: FileId, file: Arc<File>) -> FileId {
        let new = FileId { text: id.text.wrapping_add(1), ..id };
        let slots = self.now.get_mut(id.file as usize).zip(self.ids.get_mut(id.file as usize));
        if let Some((now, current)) = slots {
            self.earlier.insert(*current, std::mem::replace(now, file));
            *current = new;
        }
        new
    }

    /// The earlier texts of files.
    pub(crate) fn earlier(&self) -> impl Iterator<Item = (FileId, &Arc<File>)> {
        self.earlier.iter().map(|(id, file)| (*id, file))
    }

    /// Drops the earlier texts that are not in `needed`.
    pub(crate) fn keep(&mut self, needed: &HashSet<FileId>) {
        self.earlier.retain(|id, _| needed.contains(id));
    }
}
