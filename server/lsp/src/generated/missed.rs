//! What findings on a definition follow from in Go: a marker that has no effect where it stands or as it is written, a JSON name in
//! capitals, a type that failed.

use std::path::{Path, PathBuf};

use go::load::Place;
use go::syntax::Span;
use ide::{Code, Finding};
use text::{TextRange, TextSize};

use super::{Generated, Made, step};

/// The markers without which something is missing.
const GROUP: &str = "groupName";
const STATUS: &str = "kubebuilder:subresource:status";
const STORAGE: &str = "kubebuilder:storageversion";
const LIST_MAP_KEY: &str = "listMapKey";

/// The parts of an object that columns read.
const PARTS: [&str; 2] = ["spec", "status"];

impl Generated {
    /// Whether what is missing has a marker without effect, or another JSON name, which are told.
    pub(super) fn is_of_missed(&self, made: &Made, finding: &Finding) -> bool {
        let is_missed = |name: &str| self.outcome.misplaced(name, made.path.parent()).is_some();
        match finding.code {
            Code::LintStatusSubresource => is_missed(STATUS),
            _ => PARTS.iter().any(|part| {
                finding.message.problem.contains(&format!("no field `{part}` here")) && is_missed(part)
            }),
        }
    }

    /// The marker of the group of the package of a file, where it stands at a place without effect.
    pub(crate) fn misplaced_group(&self, made: &Made) -> Option<(PathBuf, TextRange)> {
        let place = self.outcome.misplaced(GROUP, made.path.parent())?;
        let path = self.outcome.source(place.file)?.path.clone();
        Some((path, TextRange::new(place.span.start, place.span.end)))
    }

    /// Whether a rule reads a field that is not there because the type that has it, or that it has, failed.
    pub(super) fn is_of_failed(&self, made: &Made, start: TextSize, finding: &Finding) -> bool {
        let Some((_, rest)) = finding.message.problem.split_once("has no field `") else { return false };
        let name = rest.split('`').next().unwrap_or_default();
        let steps: Vec<String> = finding.field_path.segments().iter().map(step).collect();
        let steps: Vec<&str> = steps.iter().map(String::as_str).collect();
        made.product(start).is_some_and(|product| self.outcome.lacks_field(&product.name, &steps, name))
    }

    /// The marker that has no effect as it is written, without which a finding at a token is there.
    pub(super) fn missed_marker(
        &self,
        made: &Made,
        product: &str,
        code: Code,
        (path, range): (&Path, TextRange),
    ) -> Option<(PathBuf, TextRange)> {
        let outcome = &self.outcome;
        let place = match code {
            Code::SchemaListMapKeysRequired => {
                let place =
                    Place { file: outcome.file_at(path)?, span: Span { start: range.start, end: range.end } };
                outcome.misplaced_beside(LIST_MAP_KEY, place)?
            }
            Code::VersionsOneStorage => {
                let definition = &outcome.files.iter().find(|file| file.name == product)?.definition;
                let folders =
                    definition.places.iter().filter_map(|place| outcome.source(place.file)?.path.parent());
                folders
                    .chain(made.path.parent())
                    .find_map(|folder| outcome.misplaced(STORAGE, Some(folder)))?
            }
            _ => return None,
        };
        let path = outcome.source(place.file)?.path.clone();
        Some((path, TextRange::new(place.span.start, place.span.end)))
    }
}
