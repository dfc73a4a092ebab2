//! The causes in Go of findings on a definition: a misplaced or misspelt marker, a JSON name in another case, a type with an
//! error.

use std::path::{Path, PathBuf};

use go::load::Place;
use go::syntax::Span;
use ide::{Code, Finding};
use text::{TextRange, TextSize};

use super::{GeneratedDefinitions, GoFileDefinitions, step};

/// Markers whose absence causes findings.
const GROUP: &str = "groupName";
const STATUS: &str = "kubebuilder:subresource:status";
const STORAGE: &str = "kubebuilder:storageversion";
const LIST_MAP_KEY: &str = "listMapKey";

/// The parts of an object that columns may read.
const PARTS: [&str; 2] = ["spec", "status"];

impl GeneratedDefinitions {
    /// Whether the cause of a finding is a marker without effect or a JSON name in another case, which has its own finding.
    pub(super) fn is_of_missed(&self, made: &GoFileDefinitions, start: TextSize, finding: &Finding) -> bool {
        let folders = || self.folders(made, made.product(start).map_or("", |product| &product.name));
        let is_missed =
            |name: &str| folders().any(|folder| self.outcome.misplaced(name, Some(folder)).is_some());
        match finding.code {
            Code::LintStatusSubresource => is_missed(STATUS),
            _ => {
                let field = finding.message.missing_field.as_deref();
                field.is_some_and(|field| PARTS.contains(&field) && is_missed(field))
            }
        }
    }

    /// The marker of the group of a file's package, if it is at a place where it has no effect.
    pub(crate) fn misplaced_group(&self, made: &GoFileDefinitions) -> Option<(PathBuf, TextRange)> {
        self.in_file(self.outcome.misplaced(GROUP, made.path.parent())?)
    }

    /// The folders of the packages with the types of a definition.
    fn folders<'g>(&'g self, made: &'g GoFileDefinitions, product: &str) -> impl Iterator<Item = &'g Path> {
        let outcome = &self.outcome;
        let file = outcome.files.iter().find(|file| file.name == product);
        let places = file.into_iter().flat_map(|file| &file.definition.places);
        places.filter_map(|place| outcome.source(place.file)?.path.parent()).chain(made.path.parent())
    }

    fn in_file(&self, place: Place) -> Option<(PathBuf, TextRange)> {
        let path = self.outcome.source(place.file)?.path.clone();
        Some((path, TextRange::new(place.span.start, place.span.end)))
    }

    /// Whether a finding reads a field that is missing because of an error in a type or in a tag.
    pub(super) fn is_of_failed(&self, made: &GoFileDefinitions, start: TextSize, finding: &Finding) -> bool {
        let Some(name) = finding.message.missing_field.as_deref() else { return false };
        let steps: Vec<String> = finding.field_path.segments().iter().map(step).collect();
        let steps: Vec<&str> = steps.iter().map(String::as_str).collect();
        made.product(start).is_some_and(|product| self.outcome.has_failed_field(&product.name, &steps, name))
    }

    /// The marker without effect that causes a finding at a token.
    pub(super) fn missed_marker(
        &self,
        made: &GoFileDefinitions,
        product: &str,
        code: Code,
        (path, range): (&Path, TextRange),
    ) -> Option<(PathBuf, TextRange)> {
        let outcome = &self.outcome;
        let place = match code {
            Code::SchemaListMapKeysRequired => {
                let place =
                    Place { file: outcome.file_at(path)?, span: Span { start: range.start, end: range.end } };
                outcome.misplaced_near(LIST_MAP_KEY, place)?
            }
            Code::VersionsOneStorage => {
                let mut folders = self.folders(made, product);
                folders.find_map(|folder| outcome.misplaced(STORAGE, Some(folder)))?
            }
            _ => return None,
        };
        self.in_file(place)
    }
}
