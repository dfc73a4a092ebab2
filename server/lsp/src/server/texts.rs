//! The texts of files of the workspace that are not open.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use answers::lsp::addresses::{file_path, file_uri};
use memchr::memmem;
use tower_lsp::ls_types::Uri;

use super::requests::Context;
use super::snapshot::Snapshot;
use crate::definitions::files_below;
use crate::guarded_files;
use crate::limits::MAX_BYTES;

/// The maximum number of files that are searched.
pub(super) const MOST_FILES: usize = 50_000;

/// The files of the workspace that are not open, by path; at most one more than [`MOST_FILES`].
pub(super) fn closed_files(context: &Context) -> BTreeSet<PathBuf> {
    closed_files_of(&context.snapshot)
}

/// The same of a snapshot.
pub(super) fn closed_files_of(snapshot: &Snapshot) -> BTreeSet<PathBuf> {
    let open = open_files(snapshot);
    let all = snapshot.folders.iter().flat_map(|folder| files_below(folder, |_, _| true).0);
    all.filter(|path| !open.contains(path)).take(MOST_FILES + 1).collect()
}

/// The files that are not open and may hold resources of `kind`: from the index, or, while it is incomplete, from the disk.
pub(super) fn closed_files_with(context: &Context, kind: &str) -> BTreeSet<PathBuf> {
    closed_files_of_kind(&context.snapshot, kind)
}

/// The same of a snapshot.
pub(super) fn closed_files_of_kind(snapshot: &Snapshot, kind: &str) -> BTreeSet<PathBuf> {
    if !snapshot.resources.is_complete {
        return closed_files_of(snapshot);
    }
    let open = open_files(snapshot);
    let is_ours = |path: &&Path| {
        !open.contains(*path) && snapshot.folders.iter().any(|folder| path.starts_with(folder))
    };
    snapshot.resources.files_with(kind).filter(is_ours).take(MOST_FILES).map(Path::to_owned).collect()
}

/// Whether a file that is not open may have resources of a kind; `open` has the open files.
pub(super) fn may_be_closed(snapshot: &Snapshot, kind: &str, open: &BTreeSet<PathBuf>) -> bool {
    !snapshot.resources.is_complete || snapshot.resources.files_with(kind).any(|path| !open.contains(path))
}

pub(super) fn open_files(snapshot: &Snapshot) -> BTreeSet<PathBuf> {
    let documents = snapshot.documents.values();
    documents.filter_map(|view| file_path(&view.uri)).collect()
}

/// The URI and the text of a file that contains all of `words`. `None` also if it cannot be read, which was reported when it
/// was indexed.
pub(super) fn text_with(path: &Path, words: &[&str]) -> Option<(Uri, String)> {
    let bytes = guarded_files::read_found(path, MAX_BYTES).ok()?;
    let is_missing = |word: &&str| memmem::find(&bytes, word.as_bytes()).is_none();
    if bytes.len() > MAX_BYTES || words.iter().any(is_missing) {
        return None;
    }
    Some((file_uri(path)?, String::from_utf8(bytes).ok()?))
}
