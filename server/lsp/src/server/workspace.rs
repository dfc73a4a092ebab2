//! The definitions of files and of open buffers, and the catalog that is made from them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ide::{Catalog, Definitions};
use serde::{Deserialize, Serialize};

use super::indexing::{IndexProgress, Scope};
use crate::kinds::Kinds;

/// The definitions of the workspace. A buffer takes precedence over the file of the same path.
#[derive(Debug, Default)]
pub(super) struct Workspace {
    pub(super) folders: Vec<PathBuf>,
    /// Directories of settings files that name further places of definitions.
    pub(super) homes: BTreeSet<PathBuf>,
    on_disk: BTreeMap<Arc<str>, Definitions>,
    open: BTreeMap<Arc<str>, Option<Definitions>>,
    /// The open sources whose definitions are generated.
    made: BTreeSet<Arc<str>>,
    /// The definitions of a cluster.
    in_cluster: BTreeMap<Arc<str>, Definitions>,
    resources: Arc<ClosedFiles>,
    catalog: Catalog,
    /// The sources that are not up to date in the catalog.
    pending: BTreeSet<Arc<str>>,
    /// Those of them that have changed since all files were indexed.
    changed_since_indexing: BTreeSet<Arc<str>>,
    /// The scope to index once the current run has ended.
    waiting: Option<Scope>,
    is_indexing: bool,
    /// Whether the current run indexes all files.
    is_reading_all: bool,
    /// The state that the client got last.
    reported_state: Option<IndexState>,
}

/// The kinds that the files of the workspace and of other places of definitions may hold.
#[derive(Clone, Debug, Default)]
pub(super) struct ClosedFiles {
    kinds: BTreeMap<Arc<Path>, Kinds>,
    /// Whether all files have been indexed.
    pub(super) is_complete: bool,
}

/// The changes of the catalog.
#[derive(Debug, Default)]
pub(super) struct CatalogChanges {
    pub(super) is_different: bool,
    /// The kinds whose definitions have changed since all files were indexed.
    pub(super) kinds: BTreeSet<(String, String)>,
}

impl ClosedFiles {
    /// Whether the file may hold resources of `kind`.
    pub(super) fn may_hold(&self, path: &Path, kind: &str) -> bool {
        self.kinds.get(path).is_some_and(|kinds| kinds.may_hold(kind))
    }

    /// The files that may hold resources of `kind`, by path.
    pub(super) fn files_with<'a>(&'a self, kind: &'a str) -> impl Iterator<Item = &'a Path> {
        self.kinds.iter().filter(|(_, kinds)| kinds.may_hold(kind)).map(|(path, _)| &**path)
    }
}

/// The progress of indexing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct IndexState {
    /// The number of files and open texts that hold definitions.
    files: usize,
    /// Whether indexing is complete until something changes.
    is_complete: bool,
    /// The defined kinds, such as `Widget.example.com`, once indexing is complete.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    kinds: Option<BTreeSet<String>>,
}

impl Workspace {
    /// The current catalog.
    pub(super) const fn catalog(&self) -> &Catalog {
        &self.catalog
    }

    /// The kinds of resources in files.
    pub(super) const fn resources(&self) -> &Arc<ClosedFiles> {
        &self.resources
    }

    /// Adds `scope` to the files to index.
    pub(super) fn request_scope(&mut self, scope: Scope) {
        self.waiting = Some(match (self.waiting.take(), scope) {
            (Some(Scope::Below(mut paths)), Scope::Below(more)) => {
                paths.extend(more);
                Scope::Below(paths)
            }
            (Some(Scope::All), _) | (_, Scope::All) => Scope::All,
            (None, scope) => scope,
        });
    }

    /// The scope to index now, if there is one. Only one run at a time, so that results of an earlier run cannot arrive after
    /// those of a later one.
    pub(super) fn next_scope(&mut self) -> Option<Scope> {
        let scope = self.waiting.take_if(|_| !self.is_indexing)?;
        self.is_indexing = true;
        self.is_reading_all = matches!(scope, Scope::All);
        if self.is_reading_all {
            Arc::make_mut(&mut self.resources).is_complete = false;
        }
        Some(scope)
    }

    /// Takes results of an indexing run.
    pub(super) fn take_indexed(&mut self, indexed: IndexProgress) {
        for definitions in indexed.found.definitions {
            let source = Arc::clone(definitions.source());
            let before = self.on_disk.insert(Arc::clone(&source), definitions.clone());
            // `is` compares identities, so definitions that were read again are due even if their bytes are the same.
            if before.is_none_or(|before| !before.is_same_source(&definitions)) {
                self.mark_pending(source);
            }
        }
        let resources = Arc::make_mut(&mut self.resources);
        for (path, kinds) in indexed.found.kinds {
            if kinds.is_empty() {
                resources.kinds.remove(&path);
            } else {
                resources.kinds.insert(path, kinds);
            }
        }
        let Some(done) = indexed.done else { return };
        self.is_indexing = false;
        self.is_reading_all = false;
        let was_looked_at = |path: &Path| match &done.scope {
            Scope::All => true,
            Scope::Below(paths) => paths.iter().any(|above| path.starts_with(above)),
        };
        resources.is_complete |= matches!(done.scope, Scope::All);
        if !done.is_complete {
            return;
        }
        resources.kinds.retain(|path, _| !was_looked_at(path) || done.files.contains(&**path));
        let gone = |source: &Arc<str>| was_looked_at(Path::new(&**source)) && !done.sources.contains(source);
        let gone: Vec<Arc<str>> = self.on_disk.keys().filter(|source| gone(source)).cloned().collect();
        for source in gone {
            self.on_disk.remove(&source);
            self.mark_pending(source);
        }
    }

    /// Records that the catalog does not have the current definitions of the source.
    fn mark_pending(&mut self, source: Arc<str>) {
        if self.resources.is_complete {
            self.changed_since_indexing.insert(Arc::clone(&source));
        }
        self.pending.insert(source);
    }

    /// Takes the definitions of a cluster, which replace earlier ones.
    pub(super) fn set_cluster_definitions(&mut self, definitions: Vec<Definitions>) {
        self.pending.extend(self.in_cluster.keys().cloned());
        let named = |definitions: Definitions| (Arc::clone(definitions.source()), definitions);
        self.in_cluster = definitions.into_iter().map(named).collect();
        self.pending.extend(self.in_cluster.keys().cloned());
    }

    /// Takes the definitions of an open buffer.
    pub(super) fn edited(&mut self, source: &str, definitions: Option<Definitions>) {
        let source: Arc<str> = source.into();
        let is_same = match (self.open.get(&source), &definitions) {
            (Some(Some(before)), Some(now)) => before.is_same_source(now),
            (Some(None), None) => true,
            _ => false,
        };
        if !is_same {
            self.open.insert(Arc::clone(&source), definitions);
            self.mark_pending(source);
        }
    }

    /// Takes definitions that are generated from the Go file with the name `source`.
    pub(super) fn add_generated(&mut self, source: &Arc<str>, definitions: Definitions) {
        self.made.insert(Arc::clone(source));
        // The places in Go may change even if the definitions are the same.
        self.edited(source, Some(definitions));
    }

    /// Removes the generated definitions of the sources for which `is_gone` returns true.
    pub(super) fn unmake(&mut self, is_gone: impl Fn(&str) -> bool) {
        let (gone, kept) = std::mem::take(&mut self.made).into_iter().partition(|source| is_gone(source));
        self.made = kept;
        let gone: BTreeSet<Arc<str>> = gone;
        gone.iter().for_each(|source| self.closed(source));
    }

    /// Uses the file again, because its buffer was closed.
    pub(super) fn closed(&mut self, source: &str) {
        if let Some((source, _)) = self.open.remove_entry(source) {
            self.mark_pending(source);
        }
    }

    /// The progress of indexing, if it has changed.
    pub(super) fn changed_index_state(&mut self) -> Option<IndexState> {
        // At the end of a run, the catalog gets the results a little later.
        if self.is_outdated() && !self.is_reading_all {
            return None;
        }
        let is_complete = !self.is_reading_all;
        let kinds = || self.catalog.kinds().map(|(group, kind)| format!("{kind}.{group}")).collect();
        let state = IndexState { files: self.catalog.len(), is_complete, kinds: is_complete.then(kinds) };
        (self.reported_state.as_ref() != Some(&state)).then(|| self.reported_state.insert(state).clone())
    }

    /// Whether the catalog is not up to date.
    pub(super) fn is_outdated(&self) -> bool {
        !self.pending.is_empty()
    }

    /// Brings the catalog up to date, and returns the changes.
    pub(super) fn catch_up(&mut self) -> CatalogChanges {
        let changed_since_indexing = std::mem::take(&mut self.changed_since_indexing);
        let changes: Vec<_> = std::mem::take(&mut self.pending)
            .into_iter()
            .map(|source| {
                let on_disk = self.on_disk.get(&source);
                let naming = on_disk.map(|on_disk| on_disk.naming().clone()).unwrap_or_default();
                let now = match self.open.get(&source) {
                    Some(definitions) => definitions.clone(),
                    None => on_disk.or_else(|| self.in_cluster.get(&source)).cloned(),
                };
                let now = now.map(|now| now.with_scope(naming));
                (source, now)
            })
            .filter(|(source, now)| match (self.catalog.of_source(source), now) {
                (Some(before), Some(now)) => !before.is_same_source(now),
                (None, None) => false,
                _ => true,
            })
            .collect();
        let is_different = !changes.is_empty();
        let mut kinds = BTreeSet::new();
        for (source, now) in changes.iter().filter(|(source, _)| changed_since_indexing.contains(source)) {
            let all = self.catalog.of_source(source).into_iter().chain(now);
            let all = all.flat_map(Definitions::defined);
            kinds.extend(all.map(|(group, kind)| (group.to_owned(), kind.to_owned())));
        }
        if is_different {
            let roots = self.folders.iter().map(|folder| folder.display().to_string());
            self.catalog = self.catalog.with(changes).with_roots(roots);
        }
        CatalogChanges { is_different, kinds }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::definitions::FoundDefinitions;
    use crate::server::inbox::Message;
    use crate::server::indexing::IndexEnd;

    fn definitions(kind: &str) -> Definitions {
        let text = format!(
            "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec:\n  group: example.com\n  \
             names: {{kind: {kind}}}\n  versions: []\n"
        );
        Definitions::read("/w/crd.yaml", &text, Definitions::load_kept(&text)).unwrap()
    }

    fn index_progress(definitions: Option<Definitions>, scope: Scope) -> IndexProgress {
        let sources = definitions.iter().map(|definitions| Arc::clone(definitions.source())).collect();
        let found = FoundDefinitions {
            definitions: definitions.into_iter().collect(),
            ..FoundDefinitions::default()
        };
        IndexProgress { found, done: Some(IndexEnd { sources, ..IndexEnd::new(scope) }) }
    }

    /// The definitions of the file in the catalog.
    fn known_definitions(workspace: &mut Workspace) -> Option<Definitions> {
        workspace.catch_up();
        workspace.catalog().of_source("/w/crd.yaml").cloned()
    }

    #[test]
    fn a_buffer_replaces_its_file_until_it_is_closed() {
        let (file, buffer) = (definitions("File"), definitions("Buffer"));
        let mut workspace = Workspace::default();
        workspace.take_indexed(index_progress(Some(file.clone()), Scope::All));
        assert!(known_definitions(&mut workspace).unwrap().is_same_source(&file));
        workspace.edited("/w/crd.yaml", Some(buffer.clone()));
        assert!(known_definitions(&mut workspace).unwrap().is_same_source(&buffer));
        workspace.take_indexed(index_progress(Some(definitions("Newer")), Scope::All));
        assert!(known_definitions(&mut workspace).unwrap().is_same_source(&buffer));
        workspace.edited("/w/crd.yaml", None);
        assert!(known_definitions(&mut workspace).is_none());
        workspace.closed("/w/crd.yaml");
        assert!(known_definitions(&mut workspace).unwrap().is_same_source(&definitions("Newer")));
    }

    #[test]
    fn a_crashed_index_run_ends_and_keeps_known_definitions() {
        let mut workspace = Workspace::default();
        workspace.take_indexed(index_progress(Some(definitions("Widget")), Scope::All));
        workspace.request_scope(Scope::All);
        assert!(workspace.next_scope().is_some());
        let Message::Indexed(crashed) = IndexProgress::crashed(Scope::All) else { unreachable!() };
        workspace.take_indexed(*crashed);
        assert!(workspace.resources().is_complete && known_definitions(&mut workspace).is_some());
        workspace.request_scope(Scope::All);
        assert!(workspace.next_scope().is_some(), "another one may begin");
    }

    #[test]
    fn definitions_that_are_no_longer_found_are_removed_within_the_scope() {
        let mut workspace = Workspace::default();
        workspace.take_indexed(index_progress(Some(definitions("Widget")), Scope::All));
        let below = |path: &str| Scope::Below(BTreeSet::from([PathBuf::from(path)]));
        workspace.take_indexed(index_progress(None, below("/other")));
        assert!(known_definitions(&mut workspace).is_some());
        workspace.take_indexed(index_progress(None, below("/w")));
        assert!(known_definitions(&mut workspace).is_none());
    }

    #[test]
    fn each_state_of_the_index_is_reported_once() {
        let state = |files, is_complete, kinds: Option<&str>| {
            let kinds = kinds.map(|kind| BTreeSet::from([kind.to_owned()]));
            Some(IndexState { files, is_complete, kinds })
        };
        let mut workspace = Workspace::default();
        workspace.request_scope(Scope::All);
        workspace.next_scope();
        assert_eq!(workspace.changed_index_state(), state(0, false, None));
        workspace.take_indexed(index_progress(Some(definitions("Widget")), Scope::All));
        assert_eq!(workspace.changed_index_state(), None, "found, and not in the catalog yet");
        workspace.catch_up();
        assert_eq!(workspace.changed_index_state(), state(1, true, Some("Widget.example.com")));
        assert_eq!(workspace.changed_index_state(), None);
    }

    #[test]
    fn only_one_index_run_at_a_time() {
        let mut workspace = Workspace::default();
        workspace.request_scope(Scope::All);
        assert!(workspace.next_scope().is_some());
        workspace.request_scope(Scope::Below(BTreeSet::new()));
        assert!(workspace.next_scope().is_none());
        workspace.take_indexed(index_progress(None, Scope::All));
        assert!(matches!(workspace.next_scope(), Some(Scope::Below(_))));
        assert!(workspace.next_scope().is_none());
    }
}
