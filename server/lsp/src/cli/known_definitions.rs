//! The definitions that a command knows before it looks at resources.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ide::{Catalog, Definitions, SourceScope};

use super::old_objects::StoredState;
use super::print::report_problem;
use super::repository_definitions;
use super::walk::Source;
use crate::config::{Project, Projects};
use crate::definitions::{self, DefinitionPlace};
use crate::opened_files::{AllOpened, OpenFunction, OpenResult, open_all};
use crate::paths::{absolute, canonical, from_here};

/// The definitions and opened files that are known before the check.
pub(super) struct KnownDefinitions<T> {
    pub(super) definitions: Vec<(Arc<str>, Option<Definitions>)>,
    pub(super) sources: HashMap<PathBuf, OpenResult<T>>,
}

/// The input of a command.
pub(super) struct DefinitionRequest<'a> {
    pub(super) sources: &'a [Source],
    /// The paths that the sources are of.
    pub(super) paths: &'a [String],
    pub(super) stdin: Option<&'a str>,
    /// Where further definitions are.
    pub(super) crds: &'a [String],
    pub(super) stored_state: &'a StoredState,
}

/// The definitions in the sources, in `crds`, and in the files that the projects of the sources name, and the results of
/// `settle` for the sources. Problems of the sources are reported when they are checked. If a group of resources has no
/// definition there and no stored one, the repository is searched for definitions.
pub(super) fn read_definitions<T: Send>(
    request: &DefinitionRequest<'_>,
    projects: &Projects,
    problems: &mut Vec<String>,
    settle: OpenFunction<'_, T>,
) -> KnownDefinitions<T> {
    let sources = request.sources;
    let files: Vec<PathBuf> =
        sources.iter().filter(|source| !source.is_stdin()).map(|source| source.path.clone()).collect();
    projects.add_files(files.iter().map(PathBuf::as_path));
    let AllOpened { definitions: mut all, files: opened } = open_all(&files, settle);
    let stdin = sources.iter().find(|source| source.is_stdin()).zip(request.stdin);
    all.extend(stdin.and_then(|(source, text)| {
        Definitions::read(&definitions::source_name(&source.path), text, Definitions::load_kept(text))
    }));
    let mut places: Vec<DefinitionPlace> = Vec::new();
    for path in request.crds {
        match DefinitionPlace::new(Path::new(""), path) {
            Ok(place) if place.exists() => places.push(place),
            Ok(_) => problems.push(format!("--crd: {path}: no such file or directory")),
            Err(problem) => problems.push(format!("--crd: {problem}")),
        }
    }
    let directories: BTreeSet<&Path> = sources.iter().filter_map(|source| source.path.parent()).collect();
    let homes = directories.into_iter().map(|directory| absolute(&directory.join("-")));
    let of_sources: Vec<Project> = homes.map(|path| projects.project_of(&path)).collect();
    let tops: BTreeSet<PathBuf> = of_sources.iter().filter_map(|project| project.top.clone()).collect();
    let of_sources: BTreeMap<PathBuf, Project> =
        of_sources.into_iter().filter_map(|project| Some((project.home.clone()?, project))).collect();
    for project in of_sources.values() {
        let (of_project, wrong) = project.places();
        places.extend(of_project);
        problems.extend(wrong);
    }
    name_all(&mut all, &places);
    let texts = opened.values().filter_map(|opened| match opened {
        OpenResult::Read(bytes) => Some(&**bytes),
        _ => None,
    });
    let texts = texts.chain(stdin.map(|(_, text)| text.as_bytes()));
    let mut groups: BTreeSet<String> = texts.flat_map(repository_definitions::groups_in).collect();
    for (known, _) in all.iter().chain(request.stored_state.definitions()).flat_map(Definitions::defined) {
        groups.remove(known);
    }
    all.extend(repository_definitions::definitions(&groups, &tops, sources, request.paths));
    let named = |definitions: Definitions| (Arc::clone(definitions.source()), Some(definitions));
    KnownDefinitions { definitions: all.into_iter().map(named).collect(), sources: opened }
}

/// Adds the definitions in `places` to `all`, and marks them as named, as well as those of `all` that are in `places`.
fn name_all(all: &mut Vec<Definitions>, places: &[DefinitionPlace]) {
    if places.is_empty() {
        return;
    }
    let known = all.iter().enumerate().map(|(at, one)| (canonical(Path::new(&**one.source())), at));
    let known: HashMap<PathBuf, usize> = known.collect();
    // A file may be named in several ways; it is read once.
    let mut further: BTreeMap<PathBuf, (PathBuf, SourceScope)> = BTreeMap::new();
    for place in places {
        let (files, unwalked) = place.files();
        unwalked.iter().for_each(|problem| report_problem(problem));
        for file in files {
            let real = canonical(&file);
            if let Some(own) = known.get(&real).and_then(|at| all.get_mut(*at)) {
                *own = own.clone().with_scope(own.naming().and(&place.naming));
                continue;
            }
            let (_, naming) =
                further.entry(real).or_insert_with(|| (from_here(&file), SourceScope::default()));
            *naming = naming.and(&place.naming).exclusive();
        }
    }
    let named: BTreeMap<PathBuf, SourceScope> = further.into_values().collect();
    let files: Vec<PathBuf> = named.keys().cloned().collect();
    let found = definitions::of_all(&files).naming(&named);
    found.problems.iter().for_each(|problem| report_problem(problem));
    all.extend(found.definitions);
}

/// The catalog with the stored definitions of the sources that it does not contain.
pub(super) fn with_stored(catalog: &Catalog, before: &StoredState) -> Catalog {
    let unknown = before.definitions().filter(|one| catalog.of_source(one.source()).is_none());
    catalog.with(unknown.map(|one| (Arc::clone(one.source()), Some(one.clone()))).collect::<Vec<_>>())
}
