//! Differences between the types of one kind in several versions, and kinds that are written to the same file.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::combinations::Read;
use super::mistake::{CheckedFile, Mistake, MistakeKind, advised};
use crate::generate::{GeneratedFile, Outcome};
use crate::load::Place;
use crate::marker::Meaning;
use crate::syntax::FileMarkers;

/// Arguments of `resource` that remain in effect if another marker lacks them.
const LASTING: [&str; 2] = ["path", "singular"];

/// Checks the definitions.
pub(super) fn check(outcome: &Outcome, found: &mut Vec<Mistake>) {
    let mut names: BTreeMap<&str, &GeneratedFile> = BTreeMap::new();
    for file in &outcome.files {
        resources(outcome, file, found);
        match names.get(&*file.name) {
            Some(first) => found.extend(one_file(outcome, first, file)),
            None => drop(names.insert(&file.name, file)),
        }
    }
}

/// A type of a kind, with its markers.
struct Version<'o> {
    seen: CheckedFile<'o>,
    place: Place,
    associated: Arc<FileMarkers>,
}

impl<'o> Version<'o> {
    fn all(outcome: &'o Outcome, file: &GeneratedFile) -> Vec<Self> {
        let places = file.definition.places.iter().map(|place| outcome.current_place(*place));
        let versions = places.filter_map(|place| {
            let source = outcome.source(place.file)?;
            let seen = CheckedFile::all(place.file, source, outcome.version);
            Some(Self { seen, place, associated: source.associated(outcome.version) })
        });
        versions.collect()
    }

    /// The marker of the type that determines the names.
    fn resource(&self) -> Option<Read<'_>> {
        let markers = self.associated.types.get(self.place.span.start)?.iter();
        let mut reads = markers.filter_map(|comment| Read::of(self.seen, comment));
        reads.rfind(|read| read.marker.meaning() == Meaning::Resource)
    }
}

/// Checks for different names and scopes: controller-gen uses the marker of one version, chosen at random.
fn resources(outcome: &Outcome, file: &GeneratedFile, found: &mut Vec<Mistake>) {
    let versions = Version::all(outcome, file);
    if versions.len() < 2 {
        return;
    }
    let marked: Vec<(&Version<'_>, Read<'_>)> =
        versions.iter().filter_map(|version| Some((version, version.resource()?))).collect();
    for (version, read) in marked.iter().filter(|(version, _)| outcome.is_named(version.place.file)) {
        let others = marked.iter().filter(|(other, _)| !std::ptr::eq(*other, *version));
        let mut lost = others.filter_map(|(other, its)| {
            let names = differing(read, its);
            (!names.is_empty()).then_some((other, its, names))
        });
        let Some((other, its, names)) = lost.next() else { continue };
        let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
        let words = advised(
            format!(
                "only one version's `{}` counts, and that of {} has another {}",
                read.name(),
                other.seen.file.package.name,
                quoted.join(", ")
            ),
            "write the same one in each version",
        );
        let mistake = Mistake::new(MistakeKind::Overridden, read.place(version.seen), words);
        // Adds arguments that one of them lacks.
        let added = names.iter().map(|name| {
            let value = its.marker.argument(name).filter(|_| read.marker.argument(name).is_none())?;
            Some(format!("{name}={}", other.seen.text(its.comment).get(value.range.clone())?))
        });
        found.push(match added.collect::<Option<Vec<_>>>() {
            Some(added) => {
                let mark = if read.marker.arguments.is_empty() { ":" } else { "," };
                let len = version.seen.text(read.comment).trim_end().len();
                let edit = (
                    version.seen.place_in_marker(read.comment, len..len),
                    format!("{mark}{}", added.join(",")),
                );
                mistake.repaired(format!("Add `{}`", added.join(",")), vec![edit], false)
            }
            None => {
                let changed = names.iter().map(|name| {
                    let (own, value) = (read.marker.argument(name)?, its.marker.argument(name)?);
                    let text = other.seen.text(its.comment).get(value.range.clone())?.to_owned();
                    Some((version.seen.place_in_marker(read.comment, own.range.clone()), text))
                });
                match changed.collect::<Option<Vec<_>>>() {
                    Some(edits) => {
                        let of = &other.seen.file.package.name;
                        mistake.repaired(
                            format!("Change {} to that of {of}", quoted.join(", ")),
                            edits,
                            false,
                        )
                    }
                    None => mistake,
                }
            }
        });
    }
}

/// The arguments that differ between two markers, so that it matters which of the two applies.
fn differing(read: &Read<'_>, other: &Read<'_>) -> Vec<&'static str> {
    let theirs = other.marker.arguments.iter().filter(|(name, value)| match read.marker.argument(name) {
        Some(own) => own.to_json() != value.to_json(),
        None => !LASTING.contains(name) && !is_default(name, other.marker.text(name)),
    });
    theirs.map(|(name, _)| *name).collect()
}

/// Whether an argument has its default value.
fn is_default(name: &str, value: &str) -> bool {
    name == "scope" && value == "Namespaced"
}

/// The mistake for two kinds with the same plural.
fn one_file(outcome: &Outcome, first: &GeneratedFile, second: &GeneratedFile) -> Option<Mistake> {
    let versions = Version::all(outcome, second);
    let version = versions.iter().find(|version| outcome.is_named(version.place.file))?;
    let path = version.resource().and_then(|read| {
        let value = read.marker.argument("path")?;
        Some(version.seen.place_in_marker(read.comment, value.range.clone()))
    });
    let (one, other) = (&first.definition.names.kind, &second.definition.names.kind);
    let words = advised(
        format!("`{one}` and `{other}` are both written to `{}`, so one of them is lost", second.name),
        "set another plural with `kubebuilder:resource:path`",
    );
    let mistake = Mistake::new(MistakeKind::Overridden, path.unwrap_or(version.place), words);
    Some(match first.definition.places.first().map(|place| outcome.current_place(*place)) {
        Some(place) => mistake.with_related(place, "the other kind".to_owned()),
        None => mistake,
    })
}
