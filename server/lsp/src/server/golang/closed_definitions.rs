//! Definitions in files that are not open, and the definitions that their calls generate.

use std::cell::LazyCell;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use go::discover::Call;
use go::version::Version;
use ide::Finding;

use super::analysis;
use super::packages::{CallKey, OpenTexts, Packages, key_of};
use crate::config::Projects;
use crate::generated_definitions::{
    AnalysisInputs, FindingOrigins, GeneratedDefinitions, GoLocator, Provenance, add_stale, document_at,
    documents, is_written,
};
use crate::go_package::{GoPackage, RepositoryGroups, calls_for, declares_kinds};

/// The number of calls in the cache: files come folder by folder, and the definitions of one call may take 30 MB.
const MOST_CALLS: usize = 2;

/// The number of groups of packages in the cache, for the same reason: files come in the order of their folders.
const MOST_PACKAGES: usize = 1;

/// Packages without open files. Packages that belong together are generated once for all their files. They are dropped at the
/// end of the check.
#[derive(Debug)]
pub(in crate::server) struct ClosedPackages {
    projects: Projects,
    /// The groups of packages, the last used first.
    groups: Mutex<VecDeque<Packages>>,
    /// The folders that were asked for, and whether their packages declare kinds.
    of_kinds: Mutex<BTreeMap<PathBuf, bool>>,
}

impl ClosedPackages {
    /// The packages of projects with these settings.
    pub(in crate::server) fn new(projects: Projects) -> Self {
        Self { projects, groups: Mutex::default(), of_kinds: Mutex::default() }
    }

    /// Whether findings are reported in a Go file.
    pub(in crate::server) fn reports(&self, file: &Path) -> bool {
        let Some(folder) = file.parent() else { return false };
        let mut of_kinds = self.of_kinds.lock().unwrap_or_else(PoisonError::into_inner);
        *of_kinds.entry(folder.to_owned()).or_insert_with_key(|folder| declares_kinds(folder))
    }

    /// The group of the package in a folder.
    pub(super) fn packages(&self, folder: &Path) -> Packages {
        let mut known = self.groups.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(packages) = known.iter().find(|packages| packages.contains(folder)) {
            return packages.clone();
        }
        known.truncate(MOST_PACKAGES - 1);
        let packages = Packages::new(self.projects.clone());
        // This makes the group known for the next file of the package, although nothing is generated yet.
        packages.units_of(&folder.join("types.go"), &OpenTexts::default());
        known.push_front(packages.clone());
        packages
    }
}

/// A file that is generated from Go.
#[derive(Debug)]
pub(in crate::server) struct GeneratedFileFindings {
    /// The findings on it.
    pub(in crate::server) findings: Vec<Finding>,
    /// The folders of the Go files from which it is generated.
    pub(in crate::server) folders: BTreeSet<PathBuf>,
}

/// The definitions that calls generate, each call once for all files that it writes.
#[derive(Debug)]
pub(in crate::server) struct Calls {
    projects: Projects,
    texts: OpenTexts,
    declared: RepositoryGroups,
    generations: Mutex<CachedGenerations>,
}

#[derive(Debug, Default)]
struct CachedGenerations {
    /// The calls that may write the files in a folder.
    calls: BTreeMap<PathBuf, Arc<[Call]>>,
    /// The definitions by call, the last used first; `None` for a call that generates nothing.
    generated: VecDeque<(CallKey, Option<GeneratedDefinitions>)>,
    /// The Go tokens of the findings on a definition, by call and name: some repositories keep dozens of released copies.
    finding_origins: BTreeMap<(CallKey, String), Arc<FindingOrigins>>,
}

impl Calls {
    /// The calls of projects with these settings, with open Go files as they are in the editor.
    pub(in crate::server) fn new(projects: Projects, texts: OpenTexts) -> Self {
        Self { projects, texts, declared: RepositoryGroups::default(), generations: Mutex::default() }
    }

    /// The findings on the file at `path` with the Go tokens that cause them, and the finding that it is older than its
    /// types, except findings that are reported in Go, in the files for which `is_reported` returns true. `None` if no package of
    /// its repository generates the file.
    pub(in crate::server) fn findings_with_origins(
        &self,
        (path, text): (&Path, &str),
        findings: &[Finding],
        is_reported: &dyn Fn(&Path) -> bool,
        around: &AnalysisInputs<'_>,
    ) -> Option<GeneratedFileFindings> {
        if !is_written(text) {
            return None;
        }
        let folder = path.parent()?;
        let calls = self.calls_for(folder);
        if calls.is_empty() && !self.declared.has_any(folder) {
            return None;
        }
        let documents = documents(text);
        let (open, shown) = (|path: &Path| analysis::open_text(&self.texts, path), analysis::display_name);
        let mut all = findings.to_vec();
        let mut folders = BTreeSet::new();
        for written in Provenance::all(text) {
            let Provenance { product, group, version, document, .. } = &written;
            let made = written.regenerate(
                path,
                &calls,
                || self.declared.calls(folder, group, &self.projects),
                |call| {
                    let generated = self.generated(call, *version)?;
                    generated.text_of(product).is_some().then(|| (key_of(call, *version), generated))
                },
            );
            let Some(((call, generated), is_copy)) = made else { continue };
            let sources = generated.outcome.sources().iter();
            folders.extend(sources.filter_map(|source| source.path.parent()).map(Path::to_owned));
            let located = GoLocator::new(&generated, &open, &shown);
            let is_on_it = |finding: &Finding| document_at(&documents, finding.range.start) == *document;
            if all.iter().any(is_on_it) {
                let finding_origins = self.finding_origins(call, &generated, product, around)?;
                let analysed = LazyCell::new(|| generated.analysing(product, around));
                let fallback = |finding: &Finding| {
                    if is_copy { None } else { analysed.as_ref()?.origin(product, finding) }
                };
                finding_origins.add_origins(&mut all, &is_on_it, is_reported, &located, &fallback);
            }
            if !is_copy {
                let stale = generated.stale(product, text, &located);
                add_stale(&mut all, stale, &(around.settings)(path).rules);
            }
        }
        (!folders.is_empty()).then_some(GeneratedFileFindings { findings: all, folders })
    }

    fn calls_for(&self, folder: &Path) -> Arc<[Call]> {
        let mut known = self.lock_generations();
        let calls = known.calls.entry(folder.to_owned());
        Arc::clone(calls.or_insert_with(|| calls_for(folder, &self.projects).into()))
    }

    /// The Go tokens of the findings on a definition of a call. `None` if the check was stopped.
    fn finding_origins(
        &self,
        call: CallKey,
        generated: &GeneratedDefinitions,
        product: &str,
        around: &AnalysisInputs<'_>,
    ) -> Option<Arc<FindingOrigins>> {
        let key = (call, product.to_owned());
        if let Some(finding_origins) = self.lock_generations().finding_origins.get(&key) {
            return Some(Arc::clone(finding_origins));
        }
        let finding_origins = Arc::new(FindingOrigins::of(&generated.analysing(product, around)?, product));
        self.lock_generations().finding_origins.insert(key, Arc::clone(&finding_origins));
        Some(finding_origins)
    }

    /// The definitions that a call generates, not analysed. Other threads wait meanwhile: most of them ask for the same call.
    fn generated(&self, call: &Call, version: Version) -> Option<GeneratedDefinitions> {
        let key = key_of(call, version);
        let mut known = self.lock_generations();
        if let Some((_, generated)) = known.generated.iter().find(|(of, _)| *of == key) {
            return generated.clone();
        }
        known.generated.truncate(MOST_CALLS - 1);
        let package = GoPackage::of_call(call.clone(), version, &self.projects);
        let outcome = package.generate(&self.texts, None).ok();
        let generated = outcome.map(|outcome| GeneratedDefinitions::unanalysed(Arc::new(outcome)));
        known.generated.push_front((key, generated.clone()));
        generated
    }

    fn lock_generations(&self) -> MutexGuard<'_, CachedGenerations> {
        self.generations.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
