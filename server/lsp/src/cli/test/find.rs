//! The search for suites, and for the definitions that they test.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use cases::{Definition, Suite};
use ide::KubernetesVersion;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use crate::cli::input::text_of;
use crate::cli::walk::{Source, sources};
use crate::definitions::DefinitionPlace;
use crate::suites::{Definitions, LoadedSuites, definitions_in, files_for, load, may_have_suites, suites_in};

/// The suites in a file; `None` if it has none.
fn suites_of(source: &Source) -> Option<Result<(PathBuf, Vec<Suite>), String>> {
    if !may_have_suites(&source.path) && !source.named {
        return None;
    }
    let text = match text_of(source) {
        Ok(text) => text,
        Err(problem) => return Some(Err(problem)),
    };
    let suites = suites_in(&source.path, &text, source.named)?;
    Some(Ok((source.path.clone(), suites)))
}

/// All suites below `paths`, and the definitions that they test.
pub(super) fn find(paths: &[String], crds: &[String], server: KubernetesVersion) -> LoadedSuites {
    let mut found = LoadedSuites::default();
    let (sources, problems) = sources(paths);
    found.problems.extend(problems);
    let read: Vec<_> = sources.par_iter().filter_map(suites_of).collect();
    let mut named = Vec::new();
    for place in crds {
        match DefinitionPlace::new(Path::new(""), place) {
            Ok(place) if place.exists() => {
                let (files, problems) = place.files();
                named.extend(files);
                found.problems.extend(problems);
            }
            Ok(_) => found.problems.push(format!("--crd: {place}: no such file or directory")),
            Err(problem) => found.problems.push(format!("--crd: {problem}")),
        }
    }
    let mut candidates = Vec::new();
    for read in read {
        match read {
            Ok((path, suites)) => candidates.extend(suites.into_iter().map(|suite| {
                let files = files_for(&path, &suite, &named);
                (path.clone(), suite, files)
            })),
            Err(problem) => found.problems.push(problem),
        }
    }
    let all: BTreeSet<&PathBuf> = candidates.iter().flat_map(|(_, _, files)| files).collect();
    let all: Vec<&PathBuf> = all.into_iter().collect();
    let definitions: Definitions =
        all.par_iter().map(|file| ((*file).clone(), definitions_in(file, server))).collect();
    let mut gates = HashMap::new();
    for (path, suite, files) in candidates {
        load(path, suite, &files, &definitions, &mut gates, &mut found);
    }
    found
}

/// All definitions among `paths`, each with its file and the text of that file.
pub(super) fn definitions(
    paths: &[String],
    server: KubernetesVersion,
) -> Vec<(PathBuf, Arc<str>, Arc<Definition>)> {
    let (sources, _) = sources(paths);
    let all: Vec<_> = sources
        .par_iter()
        .flat_map_iter(|source| {
            let (text, definitions) = definitions_in(&source.path, server);
            let file = source.path.strip_prefix(".").unwrap_or(&source.path).to_owned();
            definitions.into_iter().map(move |definition| (file.clone(), text.clone(), definition))
        })
        .collect();
    all
}
