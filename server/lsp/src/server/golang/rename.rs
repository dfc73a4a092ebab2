//! Renaming the JSON name of a field, from its tag or from a rule that names it.

use std::path::Path;
use std::sync::{Arc, PoisonError};

use go::edits::JsonName;
use text::TextSize;

use super::analysis::GoFile;
use super::packages::Packages;
use crate::generated_definitions::{AnalysisInputs, GeneratedDefinitions};
use crate::go_package::RenameChanges;

impl GoFile {
    /// The text of a file that was read for the current generation.
    pub(in crate::server) fn source(&self, path: &Path) -> Option<&str> {
        let mut sources = self.generated.iter().flat_map(|generated| generated.outcome.sources());
        sources.find(|source| source.path == path).map(|source| source.text.as_str())
    }

    /// The name in the tag at a place of a file, if the last generation is from the current text.
    pub(in crate::server) fn named_at(&self, path: &Path, offset: TextSize) -> Option<JsonName> {
        let is_present = |generated: &&Arc<GeneratedDefinitions>| {
            let mut sources = generated.outcome.sources().iter();
            sources.any(|source| source.path == self.path && source.text == *self.text)
        };
        self.generated
            .iter()
            .filter(is_present)
            .find_map(|generated| generated.outcome.json_name_at(path, offset as usize))
    }

    /// The changes for a new name. The error is the reason why it is not possible, for people.
    pub(in crate::server) fn renamed(
        &self,
        (name, new): (&JsonName, &str),
        packages: &Packages,
        around: &AnalysisInputs<'_>,
    ) -> Result<RenameChanges, String> {
        let texts = packages.texts();
        let mut found = Err("the Go files have changed; try again".to_owned());
        for (_, unit) in packages.units_of(&self.path, &texts) {
            let unit = unit.lock().unwrap_or_else(PoisonError::into_inner);
            match unit.renamed((name, new), &texts, around) {
                Some(Ok(renamed)) => return Ok(renamed),
                Some(refused) => found = refused,
                None => {}
            }
        }
        found
    }
}
