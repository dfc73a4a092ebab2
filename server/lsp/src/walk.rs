//! The files of a directory that are checked.

use std::path::Path;

use ignore::{DirEntry, WalkBuilder};

use crate::ignore_lists::IgnoreRules;

/// The entries of a walk over `directory`, without those that are hidden, named by `.gitignore` or refused by `is_wanted`, and
/// the problems of the walk. A `.gitignore` also applies in an unpacked archive. Symbolic links are not followed, so that the
/// walk ends.
pub(crate) fn entries(
    directory: &Path,
    is_wanted: impl Fn(&DirEntry) -> bool + Send + Sync + 'static,
) -> (Vec<DirEntry>, WalkMessages) {
    let ignored = IgnoreRules::below(directory);
    let (mut entries, mut walked) = (Vec::new(), WalkMessages::default());
    let filter = ignored.clone();
    let mut walker = WalkBuilder::new(directory);
    walker.standard_filters(false).filter_entry(move |entry| !filter.excludes(entry) && is_wanted(entry));
    for entry in walker.build() {
        match entry {
            Ok(entry) => entries.push(entry),
            Err(error) => walked.problems.push(error.to_string()),
        }
    }
    walked.remarks = ignored.problems();
    (entries, walked)
}

/// The messages of a walk.
#[derive(Debug, Default)]
pub(crate) struct WalkMessages {
    /// The entries that could not be read.
    pub(crate) problems: Vec<String>,
    /// The ignore lists that were not read, and their ignored lines.
    pub(crate) remarks: Vec<String>,
}

/// Whether an entry is a YAML or JSON file.
pub(crate) fn is_candidate(entry: &DirEntry) -> bool {
    entry.file_type().is_some_and(|kind| kind.is_file()) && has_our_name(entry.path())
}

/// Whether a file has the extension of YAML or JSON.
pub(crate) fn has_our_name(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|extension| ["yaml", "yml", "json"].contains(&extension))
}
