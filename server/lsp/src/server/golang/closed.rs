//! Definitions in files that are not open: what the calls generate that write them.

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
use crate::generated::{
    Around, Generated, Leads, Located, Written, add_stale, document_at, documents, is_written,
};
use crate::go_package::{Declared, GoPackage, calls_for, declares_kinds};

/// So many calls are remembered: files come folder by folder, and what one call generates may take 30 MB.
const MOST_CALLS: usize = 2;

/// So many packages that are generated together are remembered, for the same reason: files come in the order of their folders.
const MOST_PACKAGES: usize = 1;

/// Packages of which no file is open, those that are generated together once for their files. They are not kept when the check is over.
#[derive(Debug)]
pub(in crate::server) struct Apart {
    projects: Projects,
    /// The last first.
    known: Mutex<VecDeque<Packages>>,
    /// The folders that were asked for, and whether their packages declare kinds.
    of_kinds: Mutex<BTreeMap<PathBuf, bool>>,
}

impl Apart {
    /// Those of projects with these settings.
    pub(in crate::server) fn new(projects: Projects) -> Self {
        Self { projects, known: Mutex::default(), of_kinds: Mutex::default() }
    }

    /// Whether the findings on a Go file are told there.
    pub(in crate::server) fn tells(&self, file: &Path) -> bool {
        let Some(folder) = file.parent() else { return false };
        let mut of_kinds = self.of_kinds.lock().unwrap_or_else(PoisonError::into_inner);
        *of_kinds.entry(folder.to_owned()).or_insert_with_key(|folder| declares_kinds(folder))
    }

    /// What is known of the package in a folder.
    pub(super) fn packages(&self, folder: &Path) -> Packages {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(packages) = known.iter().find(|packages| packages.has(folder)) {
            return packages.clone();
        }
        known.truncate(MOST_PACKAGES - 1);
        let packages = Packages::new(self.projects.clone());
        // The next file of the package finds it, although nothing is generated yet.
        packages.units_of(&folder.join("types.go"), &OpenTexts::default());
        known.push_front(packages.clone());
        packages
    }
}

/// A file that is generated of Go.
#[derive(Debug)]
pub(in crate::server) struct Led {
    /// The findings on it.
    pub(in crate::server) findings: Vec<Finding>,
    /// The folders of the Go files that it is generated of.
    pub(in crate::server) folders: BTreeSet<PathBuf>,
}

/// What calls generate, each once for the files that it writes.
#[derive(Debug)]
pub(in crate::server) struct Calls {
    projects: Projects,
    texts: OpenTexts,
    declared: Declared,
    known: Mutex<Known>,
}

#[derive(Debug, Default)]
struct Known {
    /// The calls that may write what is in a folder.
    calls: BTreeMap<PathBuf, Arc<[Call]>>,
    /// The last call first; nothing where it generates nothing.
    generated: VecDeque<(CallKey, Option<Generated>)>,
    /// What the findings on a definition lead to, by the call and the name of the definition: releases are kept in dozens of files.
    leads: BTreeMap<(CallKey, String), Arc<Leads>>,
}

impl Calls {
    /// Those of projects with these settings, with open Go files as they are in the editor.
    pub(in crate::server) fn new(projects: Projects, texts: OpenTexts) -> Self {
        Self { projects, texts, declared: Declared::default(), known: Mutex::default() }
    }

    /// The findings on the file at `path` with the Go tokens that they come from, and that it is older than its types, except those
    /// that are told in Go; `is_told` says in which files. None where no package of its repository makes it.
    pub(in crate::server) fn leading(
        &self,
        (path, text): (&Path, &str),
        findings: &[Finding],
        is_told: &dyn Fn(&Path) -> bool,
        around: &Around<'_>,
    ) -> Option<Led> {
        if !is_written(text) {
            return None;
        }
        let folder = path.parent()?;
        let calls = self.calls_for(folder);
        if calls.is_empty() && !self.declared.has_any(folder) {
            return None;
        }
        let documents = documents(text);
        let (open, shown) = (|path: &Path| analysis::open(&self.texts, path), analysis::shown);
        let mut all = findings.to_vec();
        let mut folders = BTreeSet::new();
        for written in Written::all(text) {
            let Written { product, group, version, document, .. } = &written;
            let made = written.made(
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
            let located = Located::new(&generated, &open, &shown);
            let is_on_it = |finding: &Finding| document_at(&documents, finding.range.start) == *document;
            if all.iter().any(is_on_it) {
                let leads = self.leads(call, &generated, product, around)?;
                let analysed = LazyCell::new(|| generated.analysing(product, around));
                let otherwise = |finding: &Finding| {
                    if is_copy { None } else { analysed.as_ref()?.origin(product, finding) }
                };
                leads.lead(&mut all, &is_on_it, is_told, &located, &otherwise);
            }
            if !is_copy {
                let stale = generated.stale(product, text, &located);
                add_stale(&mut all, stale, &(around.settings)(path).rules);
            }
        }
        (!folders.is_empty()).then_some(Led { findings: all, folders })
    }

    fn calls_for(&self, folder: &Path) -> Arc<[Call]> {
        let mut known = self.known();
        let calls = known.calls.entry(folder.to_owned());
        Arc::clone(calls.or_insert_with(|| calls_for(folder, &self.projects).into()))
    }

    /// What the findings on a definition of a call lead to. None where the check was stopped.
    fn leads(
        &self,
        call: CallKey,
        generated: &Generated,
        product: &str,
        around: &Around<'_>,
    ) -> Option<Arc<Leads>> {
        let key = (call, product.to_owned());
        if let Some(leads) = self.known().leads.get(&key) {
            return Some(Arc::clone(leads));
        }
        let leads = Arc::new(Leads::of(&generated.analysing(product, around)?, product));
        self.known().leads.insert(key, Arc::clone(&leads));
        Some(leads)
    }

    /// What a call generates, not analysed. Others wait meanwhile: they mostly ask for the same.
    fn generated(&self, call: &Call, version: Version) -> Option<Generated> {
        let key = key_of(call, version);
        let mut known = self.known();
        if let Some((_, generated)) = known.generated.iter().find(|(of, _)| *of == key) {
            return generated.clone();
        }
        known.generated.truncate(MOST_CALLS - 1);
        let package = GoPackage::of_call(call.clone(), version, &self.projects);
        let outcome = package.generate(&self.texts, None).ok();
        let generated = outcome.map(|outcome| Generated::unanalysed(Arc::new(outcome)));
        known.generated.push_front((key, generated.clone()));
        generated
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
