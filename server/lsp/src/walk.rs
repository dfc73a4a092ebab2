//! Which files of a directory are looked at.

use std::path::Path;

use ignore::{DirEntry, WalkBuilder};

use crate::ignored::Ignored;

/// The entries of a walk over `directory`, without what is hidden, what `.gitignore` names and what `is_wanted` refuses,
/// and what could not be looked at. A `.gitignore` counts in an unpacked archive too. Symbolic links are not followed, so
/// that the walk ends.
pub(crate) fn entries(
    directory: &Path,
    is_wanted: impl Fn(&DirEntry) -> bool + Send + Sync + 'static,
) -> (Vec<DirEntry>, Walked) {
    let ignored = Ignored::below(directory);
    let (mut entries, mut walked) = (Vec::new(), Walked::default());
    let filter = ignored.clone();
    let mut walker = WalkBuilder::new(directory);
    walker.standard_filters(false).filter_entry(move |entry| !filter.leaves_out(entry) && is_wanted(entry));
    for entry in walker.build() {
        match entry {
            Ok(entry) => entries.push(entry),
            Err(error) => walked.problems.push(error.to_string()),
        }
    }
    walked.remarks = ignored.problems();
    (entries, walked)
}

/// What there is to say of a walk.
#[derive(Debug, Default)]
pub(crate) struct Walked {
    /// What could not be looked at.
    pub(crate) problems: Vec<String>,
    /// Lists of what is left out that are not heeded.
    pub(crate) remarks: Vec<String>,
}

/// Whether it is a file of YAML or JSON.
pub(crate) fn is_candidate(entry: &DirEntry) -> bool {
    entry.file_type().is_some_and(|kind| kind.is_file()) && has_our_name(entry.path())
}

/// Whether it is named as YAML and JSON are.
pub(crate) fn has_our_name(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|extension| ["yaml", "yml", "json"].contains(&extension))
}
