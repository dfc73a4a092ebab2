//! Derives the call of controller-gen from the definitions that it wrote, for projects whose calls cannot be found, such as
//! those that are code.

use std::path::{Path, PathBuf};

use super::{ANNOTATION, Call, CallPlace, MAX_FOLDERS};
use crate::invocation::{Invocation, Options, Target};
use crate::load::Disk;

/// The folders where projects keep definitions, relative to a module or to the repository.
const FOLDERS: [&str; 13] = [
    "config/crd/bases",
    "config/crds/bases",
    "config/crd",
    "config/crds",
    "deploy/crds",
    "deploy/crd",
    "install/crds",
    "manifests/crds",
    "manifests/crd",
    "crds",
    "crd",
    "manifests",
    "deploy",
];

/// Folders of charts, each of which may have definitions in a folder `crds`.
const CHARTS: [&str; 4] = ["charts", "chart", "helm", "deploy/charts"];

/// The maximum number of definitions to read in a folder.
const MAX_FILES: usize = 64;

/// The call that wrote the nearest definitions of a group, or of any group, as far as they reveal it: floating-point
/// numbers, the properties of embedded metadata, and missing descriptions. Assumes that the call ignored unexported
/// fields, because they did not prevent the definitions from being written.
#[must_use]
pub fn committed(disk: &dyn Disk, folder: &Path, top: &Path, group: Option<&str>) -> Option<Call> {
    for above in folder.ancestors().take(MAX_FOLDERS) {
        let mut names = names(disk, above);
        if let Some(call) = names.find_map(|name| written_into(disk, above, name, group)) {
            return Some(call);
        }
        if above == top {
            break;
        }
    }
    None
}

/// The files of definitions in the folders where projects keep them, the nearest first.
pub fn definitions<'d>(
    disk: &'d dyn Disk,
    folder: &'d Path,
    top: &'d Path,
) -> impl Iterator<Item = PathBuf> + 'd {
    let above = folder.ancestors().take(MAX_FOLDERS).take_while(move |above| above.starts_with(top));
    let folders = above.flat_map(|above| names(disk, above).map(|name| above.join(name)));
    folders.flat_map(|folder| files_in(disk, &folder).take(MAX_FILES).collect::<Vec<_>>())
}

fn names<'d>(disk: &'d dyn Disk, above: &'d Path) -> impl Iterator<Item = String> + 'd {
    let own = FOLDERS.iter().map(|name| (*name).to_owned());
    own.chain(CHARTS.iter().flat_map(|charts| of_charts(disk, above, charts)))
}

/// The files of definitions in a folder.
pub fn files_in(disk: &dyn Disk, folder: &Path) -> impl Iterator<Item = PathBuf> {
    let folder = folder.to_owned();
    let entries = disk.list(&folder).into_iter().filter(|entry| !entry.is_directory);
    entries.map(move |entry| folder.join(entry.name)).filter(|file| {
        let ending = file.extension().and_then(|ending| ending.to_str());
        matches!(ending, Some("yaml" | "yml"))
    })
}

/// The folders of definitions in charts: in a single chart, or in several charts.
fn of_charts(disk: &dyn Disk, above: &Path, charts: &str) -> Vec<String> {
    let entries = disk.list(&above.join(charts)).into_iter().filter(|entry| entry.is_directory);
    entries
        .map(|entry| match entry.name.as_str() {
            "crds" => format!("{charts}/crds"),
            chart => format!("{charts}/{chart}/crds"),
        })
        .collect()
}

fn written_into(disk: &dyn Disk, above: &Path, name: String, group: Option<&str>) -> Option<Call> {
    let folder = above.join(&name);
    let texts = files_in(disk, &folder).take(MAX_FILES).filter_map(|file| Some((disk.read(&file)?, file)));
    let of_group = group.map(|group| format!("\n  group: {group}\n")).unwrap_or_default();
    let written = format!("{ANNOTATION}:");
    // A file with several definitions is combined from other files.
    let is_alone = |text: &str| text.matches("\n---").count() <= 1;
    let mut ours =
        texts.filter(|(text, _)| text.contains(&written) && text.contains(&of_group) && is_alone(text));
    let (first, file) = ours.next()?;
    let texts: Vec<String> = std::iter::once(first).chain(ours.map(|(text, _)| text)).collect();
    let has = |line: &str| texts.iter().any(|text| text.lines().any(|other| other.trim_start() == line));
    let has_metadata = texts.iter().any(|text| has_embedded_metadata(text));
    let is_described =
        texts.iter().any(|text| text.lines().any(|line| line.trim_start().starts_with("description:")));
    let options = Options {
        allow_dangerous_types: has("type: number"),
        embedded_object_meta: has_metadata,
        ignore_unexported_fields: true,
        max_description: (!is_described).then_some(0),
        ..Options::default()
    };
    let (paths, target) = (vec!["./...".to_owned()], Target::Folder(name));
    let invocation = Invocation { paths, options, target, tags: None };
    Some(Call::known(invocation, above.to_owned(), (file, CallPlace::Definitions)))
}

/// Whether a definition has the properties that controller-gen writes for embedded metadata on request, from `finalizers`
/// on.
fn has_embedded_metadata(text: &str) -> bool {
    let properties =
        ["finalizers:", "items:", "type: string", "type: array", "labels:", "additionalProperties:"];
    let lines: Vec<&str> = text.lines().map(str::trim_start).collect();
    lines.windows(properties.len()).any(|window| window == properties)
}
