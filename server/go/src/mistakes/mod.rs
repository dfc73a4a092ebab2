//! Text that controller-gen accepts, although its author means something else: markers without effect, values with another
//! meaning than they seem to have, contradictory markers, tags of fields.
//!
//! Findings are limited to markers that cannot be meant for another tool: names within the namespaces of controller-gen,
//! known markers in the wrong place, and misspelt known markers.

mod above;
mod anything;
mod bounds;
mod brackets;
mod broken_lines;
mod column_names;
mod combinations;
mod constants;
mod conventions;
mod elements;
mod encoded;
mod explanations;
mod fitting;
mod form;
mod group;
mod imports;
mod keys;
mod kinds;
mod local;
mod lookalikes;
mod marker_moves;
mod methods;
mod misnamed_fields;
mod mistake;
mod names;
mod number_enums;
mod objects;
mod others;
mod patches;
mod position;
mod quoted_values;
mod ranges;
mod refusals;
mod remarks;
mod roots;
mod similar_names;
mod swallowed_arguments;
mod swapped_names;
mod synonyms;
mod syntax_errors;
mod tags;
mod type_names;
mod types;
mod unknown_name;
mod unprefixed;
mod values;
mod versions;
mod without_effect;

use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use crate::generate::{IneffectiveMarker, Outcome, Status};
use crate::load::{FileId, Place};
use crate::marker::Meaning;
use crate::schema::ProblemKind;
use crate::syntax::FileMarkers;

pub use anything::ANY_VALUE;
pub use broken_lines::SYNTAX_ERROR;
pub use mistake::{Mistake, MistakeKind, Repair};
pub use syntax_errors::SyntaxSlip;
pub use tags::json_name;

use local::{Context, FileMistakes, MistakesByFile};
use mistake::CheckedFile;

/// The maximum number of bytes between two markers of a declaration.
const MOST_BETWEEN: u32 = 20_000;

impl Outcome {
    /// The mistakes in the named packages, in the order of the text. With `conventions`, includes violations of the
    /// conventions of the Kubernetes API.
    #[must_use]
    pub fn mistakes(&self, conventions: bool) -> Vec<Mistake> {
        let (mut found, by_file) = self.find_mistakes(conventions);
        // An earlier result is either the same, or was computed with another `conventions` and is not used again.
        let _ = self.search_results.result.set(Arc::new(by_file));
        found.sort_by_key(|mistake| (mistake.place.file, mistake.place.span, mistake.kind));
        found
    }

    /// The mistakes in no particular order, and the results to keep for the next outcome.
    fn find_mistakes(&self, conventions: bool) -> (Vec<Mistake>, MistakesByFile) {
        let mut packages: BTreeMap<&Path, Vec<FileId>> = BTreeMap::new();
        for id in &self.roots {
            if let Some(folder) = self.source(*id).and_then(|file| file.path.parent()) {
                packages.entry(folder).or_default().push(*id);
            }
        }
        let mut by_file = MistakesByFile::new();
        let mut found: Vec<Mistake> = packages
            .values()
            .flat_map(|files| self.mistakes_of_package(files, conventions, &mut by_file))
            .collect();
        versions::check(self, &mut found);
        (found, by_file)
    }

    /// The place of a marker with a name in the package of a folder, if the marker has no effect there or is misspelt. The names
    /// `spec` and `status` are JSON names of the parts of a kind.
    #[must_use]
    pub fn misplaced(&self, name: &str, folder: Option<&Path>) -> Option<Place> {
        let is_there = |place: Place| {
            let file = self.source(place.file);
            file.is_some_and(|file| file.path.parent() == folder)
        };
        self.without_effect(name).find(|place| is_there(*place))
    }

    /// The place of such a marker, if only comments are between it and another place.
    #[must_use]
    pub fn misplaced_near(&self, name: &str, other: Place) -> Option<Place> {
        let file = self.source(other.file)?;
        let is_near = |place: &Place| {
            let (start, end) = (place.span.start.min(other.span.start), place.span.end.max(other.span.end));
            let between = file.text.get(start as usize..end as usize);
            place.file == other.file
                && end - start <= MOST_BETWEEN
                && between
                    .is_some_and(|text| text.lines().skip(1).all(|line| line.trim_start().starts_with("//")))
        };
        self.without_effect(name).find(is_near)
    }

    /// The places of markers with this name that have no effect.
    fn without_effect(&self, name: &str) -> impl Iterator<Item = Place> {
        self.ineffective()
            .iter()
            .filter(move |one| match &one.intended_name {
                Some(intended) => **intended == *name,
                None => {
                    !one.is_tag
                        && self.source(one.place.file).is_some_and(|file| file.slice(one.place.span) == name)
                }
            })
            .map(|one| one.place)
    }

    /// The markers and tags without effect.
    fn ineffective(&self) -> &[IneffectiveMarker] {
        let is_ineffective = |mistake: &Mistake| match mistake.kind {
            MistakeKind::Position | MistakeKind::Target | MistakeKind::Unused | MistakeKind::Tag => true,
            MistakeKind::Refused | MistakeKind::Unknown | MistakeKind::Form => {
                mistake.intended_name.is_some()
            }
            _ => false,
        };
        // Several definitions of the package may need this.
        self.search_results.ineffective.get_or_init(|| {
            let (found, _) = self.find_mistakes(false);
            let found = found.into_iter().filter(is_ineffective);
            let mut ineffective: Vec<IneffectiveMarker> = found
                .map(|one| IneffectiveMarker {
                    place: one.place,
                    intended_name: one.intended_name,
                    is_tag: one.kind == MistakeKind::Tag,
                })
                .collect();
            ineffective.sort_by_key(|one| (one.place.file, one.place.span));
            ineffective
        })
    }

    fn mistakes_of_package(
        &self,
        files: &[FileId],
        conventions: bool,
        by_file: &mut MistakesByFile,
    ) -> Vec<Mistake> {
        let seen = files.iter().filter_map(|id| {
            let seen = CheckedFile::all(*id, self.source(*id)?, self.version);
            Some((seen, seen.file.associated(self.version)))
        });
        let seen: Vec<(CheckedFile<'_>, Arc<FileMarkers>)> = seen.collect();
        let has = |meaning: Meaning| {
            seen.iter().any(|(_, associated)| {
                let mut reads = associated.package.iter().filter_map(|comment| comment.read.as_ref());
                reads.any(|read| read.marker.meaning() == meaning)
            })
        };
        let (has_group, is_skipped) = (has(Meaning::GroupName), has(Meaning::Skip));
        let mut types = types::Types::default();
        for (seen, associated) in &seen {
            types.add(*seen, associated);
        }
        // A type that no kind uses may be encoded without names.
        let is_merged =
            self.problems.iter().any(|problem| matches!(problem.kind, ProblemKind::Conflict { .. }));
        let conventions = conventions.then(|| has(Meaning::Optional));
        let context = Context { version: self.version, has_group, is_merged, conventions };
        let before = self
            .search_results
            .previous_result
            .as_ref()
            .and_then(|before| before.downcast_ref::<MistakesByFile>());
        let kinds = self.kinds();
        let mut found = Vec::new();
        for (seen, associated) in &seen {
            let known = before.and_then(|by_file| by_file.get(&seen.id.file));
            let local = FileMistakes::find_or_reuse(*seen, associated, context, known);
            found.extend_from_slice(&local.mistakes);
            by_file.insert(seen.id.file, local);
            combinations::package(*seen, associated, &mut found);
            fitting::check(*seen, associated, &types, !self.files.is_empty(), &mut found);
            encoded::check(*seen, associated, &types, &mut found);
            constants::check(*seen, associated, &types, &mut found);
            ranges::check(*seen, associated, &types, &mut found);
            patches::check(*seen, associated, &types, &mut found);
            swapped_names::check(*seen, &types, &mut found);
            type_names::check(*seen, &types, &mut found);
            if conventions.is_some() {
                conventions::structs(*seen, &types, &mut found);
            }
            if !is_skipped && self.are_kinds_complete() {
                kinds::check(*seen, associated, &kinds, !self.files.is_empty(), &mut found);
            }
        }
        if kinds.iter().any(|(file, _)| files.contains(file)) {
            group::check(&seen, &mut found);
        }
        roots::check(&seen, &mut found);
        found
    }

    /// Whether no error hides a kind. A version without its marker for storage is an error of the definition.
    fn are_kinds_complete(&self) -> bool {
        let mut problems = self.problems.iter();
        self.status() == Status::Sound
            || self.panic.is_none()
                && self.missing.is_empty()
                && problems.all(|problem| problem.kind == ProblemKind::NoStorage)
    }

    /// The declarations of kinds: the file and the start of the name.
    fn kinds(&self) -> HashSet<(FileId, u32)> {
        let places = self.files.iter().flat_map(|file| {
            let places = file.definition.places.iter();
            places.map(|place| self.current_place(*place))
        });
        places.map(|place| (place.file, place.span.start)).collect()
    }
}
