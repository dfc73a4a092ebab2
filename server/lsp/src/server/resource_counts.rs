//! The resources of a kind in the whole workspace, which a code lens counts.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use answers::lsp::CountedResources;
use answers::lsp::addresses::file_uri;
use answers::lsp::convert::{Converter, source_of};
use answers::lsp::error::Result;
use dashmap::DashMap;
use ide::{Catalog, File, Settings, Surroundings};
use text::TextBuffer;
use tower_lsp::ls_types::{Location, Range, Uri};

use super::requests::Context;
use super::texts::{MOST_FILES, closed_files_with, text_with};
use super::workspace_view::check_cancelled;
use crate::definitions::source_name;

/// The kind whose resources are counted.
struct ResourceKind<'a> {
    group: &'a str,
    kind: &'a str,
}

/// The catalog with the definitions in the current text of this document: the workspace's catalog gets them a little later,
/// and not every client asks again then.
fn catalog(context: &Context, of: &ResourceKind<'_>) -> Catalog {
    let known = &context.snapshot.catalog;
    let Some(file) = context.analysis.file() else { return known.clone() };
    let source = source_of(&context.view.uri);
    let own = file.definitions(&source, &context.analysis.buffer);
    let all = known.with([(source.into(), own)]);
    // `with` makes a new catalog each time; if the state is the same, the known one is used.
    if all.state(of.group, of.kind) == known.state(of.group, of.kind) { known.clone() } else { all }
}

/// The resources of a kind; `None` if there are too many files to search, or if the client asks again once the index is
/// complete.
pub(super) fn resources(context: &Context, group: &str, kind: &str) -> Result<Option<CountedResources>> {
    let of = &ResourceKind { group, kind };
    // The client asks again once the index is complete.
    if !context.snapshot.resources.is_complete && context.profile.refreshes_lenses {
        return Ok(None);
    }
    let files = closed_files_with(context, kind);
    if files.len() > MOST_FILES {
        return Ok(None);
    }
    let catalog = catalog(context, of);
    let mut all = CountedResources::default();
    let mut add = |uri: &Uri, found: &[(Range, bool)]| {
        all.places.extend(found.iter().map(|(range, _)| Location { uri: uri.clone(), range: *range }));
        all.with_findings += found.iter().filter(|(_, has_findings)| *has_findings).count();
    };
    for view in context.snapshot.workspace_documents() {
        let analysis = view.analysis.borrow().clone();
        let Some((analysis, file)) = analysis.as_ref().and_then(|one| Some((one, one.file()?))) else {
            continue;
        };
        let converter = Converter::new(&analysis.buffer, &view.uri, &context.profile);
        let surroundings = Surroundings { catalog: catalog.clone(), ..file.surroundings().clone() };
        let moved = file.is_affected_by(&surroundings).then(|| file.in_surroundings(surroundings));
        add(&view.uri, &in_file(moved.as_ref().unwrap_or(file), of, &converter));
    }
    for path in files {
        check_cancelled(context)?;
        let found = context.snapshot.counts.references_to(&path, of, (context, &catalog));
        if let Some(uri) = file_uri(&path).filter(|_| !found.is_empty()) {
            add(&uri, &found);
        }
    }
    Ok(Some(all))
}

fn in_file(file: &File, of: &ResourceKind<'_>, converter: &Converter<'_>) -> Vec<(Range, bool)> {
    let all = file
        .resources()
        .into_iter()
        .filter(|one| (one.group.as_str(), one.kind.as_str()) == (of.group, of.kind));
    all.map(|one| (converter.range(one.range), one.has_findings)).collect()
}

/// The resources in files, cached until a file or the definition changes, because clients ask for them after each key stroke.
#[derive(Debug, Default)]
pub(super) struct Counts {
    files: DashMap<PathBuf, CountedFile>,
}

#[derive(Debug)]
struct CountedFile {
    stamp: (SystemTime, u64),
    kinds: Kinds,
    /// Whether `kinds` has all kinds in the file.
    is_complete: bool,
}

/// The resources by group and kind.
type Kinds = HashMap<(String, String), CountedKind>;

#[derive(Clone, Debug, Default)]
struct CountedKind {
    /// The state of the definitions.
    state: u64,
    resources: Vec<(Range, bool)>,
}

impl Counts {
    fn references_to(
        &self,
        path: &Path,
        of: &ResourceKind<'_>,
        within: (&Context, &Catalog),
    ) -> Vec<(Range, bool)> {
        let Ok(metadata) = fs::metadata(path) else { return Vec::new() };
        let stamp = (metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH), metadata.len());
        let key = (of.group.to_owned(), of.kind.to_owned());
        let state = within.1.state(of.group, of.kind);
        if let Some(known) = self.files.get(path).filter(|known| known.stamp == stamp) {
            match known.kinds.get(&key) {
                None if known.is_complete => return Vec::new(),
                // Without resources of a kind, the definition does not matter.
                Some(found) if found.state == state || found.resources.is_empty() => {
                    return found.resources.clone();
                }
                _ => {}
            }
        }
        let counted = count(path, of, within);
        let mut known = self.files.entry(path.to_owned()).or_insert_with(|| CountedFile::new(stamp));
        if known.stamp != stamp {
            *known = CountedFile::new(stamp);
        }
        match counted {
            Some(kinds) => *known = CountedFile { stamp, kinds, is_complete: true },
            None => drop(known.kinds.insert(key.clone(), CountedKind::default())),
        }
        known.kinds.get(&key).map(|found| found.resources.clone()).unwrap_or_default()
    }
}

impl CountedFile {
    fn new(stamp: (SystemTime, u64)) -> Self {
        Self { stamp, kinds: Kinds::new(), is_complete: false }
    }
}

/// All resources in the file; `None` if the text does not contain the kind and the group.
fn count(path: &Path, of: &ResourceKind<'_>, (context, catalog): (&Context, &Catalog)) -> Option<Kinds> {
    let mut kinds = Kinds::new();
    let (uri, text) = text_with(path, &[of.kind, of.group])?;
    let file = closed_file(path, &text, catalog.clone(), &context.snapshot.settings_of(path));
    let buffer = TextBuffer::new(&text);
    let converter = Converter::new(&buffer, &uri, &context.profile);
    for one in file.resources() {
        let state = catalog.state(&one.group, &one.kind);
        let found = kinds.entry((one.group, one.kind)).or_default();
        found.state = state;
        found.resources.push((converter.range(one.range), one.has_findings));
    }
    Some(kinds)
}

fn closed_file(path: &Path, text: &str, catalog: Catalog, settings: &Settings) -> File {
    let surroundings = Surroundings { catalog, source: source_name(path).into(), stored: None, base: None };
    File::with_surroundings(text, settings, surroundings)
}
