//! Rejected markers, and the kinds that depend on them.

use std::collections::HashSet;
use std::sync::Arc;

use super::outcome::Outcome;
use crate::changes::affected;
use crate::marker::Meaning;

impl Outcome {
    /// Whether a file that the user edits has a marker that controller-gen rejects.
    #[must_use]
    pub fn has_rejected_markers(&self) -> bool {
        let mut own = self.sources().iter().filter(|file| self.loaded.is_own(&file.path));
        !self.problems.is_empty() && own.any(|file| file.associated(self.version).rejected().next().is_some())
    }

    /// The number of markers of controller-gen in files that the user edits, with rejected ones.
    #[must_use]
    pub fn marker_count(&self) -> usize {
        let own = self.sources().iter().filter(|file| self.loaded.is_own(&file.path));
        own.map(|file| file.associated(self.version).known().count()).sum()
    }

    /// The names of the types that have a rejected marker with a selected meaning, or refer to such a type; `None` if any type may
    /// depend on such a marker.
    #[must_use]
    pub fn types_with_rejected_markers(
        &self,
        is_selected: impl Fn(Meaning) -> bool,
    ) -> Option<HashSet<Arc<str>>> {
        let mut names = HashSet::new();
        for file in self.sources() {
            let associated = file.associated(self.version);
            let selected = associated.rejected().filter(|comment| {
                comment.read.as_ref().is_some_and(|read| is_selected(read.marker.meaning()))
            });
            for comment in selected {
                let mut regions = file.regions().regions_containing(comment.span).peekable();
                regions.peek()?;
                names.extend(regions.map(|(_, name)| Arc::from(name)));
            }
        }
        Some(affected(names, self.sources()))
    }
}
