//! Rejected markers, and the kinds that depend on them.

use std::collections::HashSet;
use std::sync::Arc;

use super::outcome::Outcome;
use crate::changes::affected;

impl Outcome {
    /// Whether a file that the user edits has a marker that controller-gen rejects.
    #[must_use]
    pub fn has_rejected_markers(&self) -> bool {
        let mut own = self.sources().iter().filter(|file| self.loaded.is_own(&file.path));
        !self.problems.is_empty() && own.any(|file| file.associated(self.version).rejected().next().is_some())
    }

    /// The names of the types that have a rejected marker or refer to such a type; `None` if any type may depend on a
    /// rejected marker.
    #[must_use]
    pub fn types_with_rejected_markers(&self) -> Option<HashSet<Arc<str>>> {
        let mut names = HashSet::new();
        for file in self.sources() {
            for comment in file.associated(self.version).rejected() {
                let mut regions = file.regions().regions_containing(comment.span).peekable();
                regions.peek()?;
                names.extend(regions.map(|(_, name)| Arc::from(name)));
            }
        }
        Some(affected(names, self.sources()))
    }
}
