//! The definitions of files and of open buffers, and the catalog that is made of them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ide::{Catalog, Definitions};
use serde::{Deserialize, Serialize};

use super::indexing::{Indexed, Scope};
use crate::kinds::Kinds;

/// What the workspace defines. A buffer wins over the file of the same path.
#[derive(Debug, Default)]
pub(super) struct Workspace {
    pub(super) folders: Vec<PathBuf>,
    /// Directories of settings files that name further places of definitions.
    pub(super) homes: BTreeSet<PathBuf>,
    on_disk: BTreeMap<Arc<str>, Definitions>,
    open: BTreeMap<Arc<str>, Option<Definitions>>,
    /// The sources among those that are open whose definitions are generated.
    made: BTreeSet<Arc<str>>,
    /// What a cluster has.
    in_cluster: BTreeMap<Arc<str>, Definitions>,
    resources: Arc<ClosedFiles>,
    catalog: Catalog,
    /// What the catalog does not say yet.
    pending: BTreeSet<Arc<str>>,
    /// Of these, what has changed since all files were looked at.
    news: BTreeSet<Arc<str>>,
    /// What is to be looked at once the present look at files is over.
    waiting: Option<Scope>,
    is_indexing: bool,
    /// Whether all files are being looked at.
    is_reading_all: bool,
    /// What the client was told last.
    told: Option<IndexState>,
}

/// Which kinds the files of the workspace may hold, and of other places of definitions.
#[derive(Clone, Debug, Default)]
pub(super) struct ClosedFiles {
    kinds: BTreeMap<Arc<Path>, Kinds>,
    /// Whether all files have been looked at.
    pub(super) is_complete: bool,
}

/// What is different in the catalog.
#[derive(Debug, Default)]
pub(super) struct Caught {
    pub(super) is_different: bool,
    /// The kinds whose definitions are, where they were known before.
    pub(super) kinds: BTreeSet<(String, String)>,
}

impl ClosedFiles {
    /// Whether the file may hold resources of `kind`.
    pub(super) fn may_hold(&self, path: &Path, kind: &str) -> bool {
        self.kinds.get(path).is_some_and(|kinds| kinds.may_hold(kind))
    }

    /// The files that may hold resources of `kind`, by path.
    pub(super) fn with<'a>(&'a self, kind: &'a str) -> impl Iterator<Item = &'a Path> {
        self.kinds.iter().filter(|(_, kinds)| kinds.may_hold(kind)).map(|(path, _)| &**path)
    }
}

/// How far the look at the workspace has come.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct IndexState {
    /// How many files and open texts hold definitions.
    files: usize,
    /// Whether no more will come unless something changes.
    is_complete: bool,
    /// What they define, as `Widget.example.com`, once the look is complete.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    kinds: Option<BTreeSet<String>>,
}

impl Workspace {
    /// What is known at present.
    pub(super) const fn catalog(&self) -> &Catalog {
        &self.catalog
    }

    /// What is known of the kinds of resources.
    pub(super) const fn resources(&self) -> &Arc<ClosedFiles> {
        &self.resources
    }

    /// Puts `scope` on the list of what to look at.
    pub(super) fn want(&mut self, scope: Scope) {
        self.waiting = Some(match (self.waiting.take(), scope) {
            (Some(Scope::Below(mut paths)), Scope::Below(more)) => {
                paths.extend(more);
                Scope::Below(paths)
            }
            (Some(Scope::All), _) | (_, Scope::All) => Scope::All,
            (None, scope) => scope,
        });
    }

    /// What to look at now, if anything. One look at a time: a later one must not be overtaken by an earlier.
    pub(super) fn next_scope(&mut self) -> Option<Scope> {
        let scope = self.waiting.take_if(|_| !self.is_indexing)?;
        self.is_indexing = true;
        self.is_reading_all = matches!(scope, Scope::All);
        if self.is_reading_all {
            Arc::make_mut(&mut self.resources).is_complete = false;
        }
        Some(scope)
    }

    /// Takes what a look at files has found.
    pub(super) fn found(&mut self, indexed: Indexed) {
        for definitions in indexed.found.definitions {
            let source = Arc::clone(definitions.source());
            let before = self.on_disk.insert(Arc::clone(&source), definitions.clone());
            // What is read again is read anew, even if its bytes are the same.
            if before.is_none_or(|before| !before.is(&definitions)) {
                self.is_due(source);
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
            self.is_due(source);
        }
    }

    /// The catalog is behind what the source says now.
    fn is_due(&mut self, source: Arc<str>) {
        if self.resources.is_complete {
            self.news.insert(Arc::clone(&source));
        }
        self.pending.insert(source);
    }

    /// Takes what a cluster has, in place of what one had before.
    pub(super) fn in_cluster(&mut self, definitions: Vec<Definitions>) {
        self.pending.extend(self.in_cluster.keys().cloned());
        let named = |definitions: Definitions| (Arc::clone(definitions.source()), definitions);
        self.in_cluster = definitions.into_iter().map(named).collect();
        self.pending.extend(self.in_cluster.keys().cloned());
    }

    /// Takes the definitions of an open buffer.
    pub(super) fn edited(&mut self, source: &str, definitions: Option<Definitions>) {
        let source: Arc<str> = source.into();
        let is_same = match (self.open.get(&source), &definitions) {
            (Some(Some(before)), Some(now)) => before.is(now),
            (Some(None), None) => true,
            _ => false,
        };
        if !is_same {
            self.open.insert(Arc::clone(&source), definitions);
            self.is_due(source);
        }
    }

    /// Takes definitions that are generated of the Go file of that name.
    pub(super) fn made(&mut self, source: &Arc<str>, definitions: Definitions) {
        self.made.insert(Arc::clone(source));
        // The places in Go may be other ones where the definitions are the same.
        self.edited(source, Some(definitions));
    }

    /// Those of the sources whose definitions are generated make none any more.
    pub(super) fn unmake(&mut self, is_gone: impl Fn(&str) -> bool) {
        let (gone, kept) = std::mem::take(&mut self.made).into_iter().partition(|source| is_gone(source));
        self.made = kept;
        let gone: BTreeSet<Arc<str>> = gone;
        gone.iter().for_each(|source| self.closed(source));
    }

    /// A buffer is closed: its file counts again.
    pub(super) fn closed(&mut self, source: &str) {
        if let Some((source, _)) = self.open.remove_entry(source) {
            self.is_due(source);
        }
    }

    /// How far the look has come, if that is news.
    pub(super) fn news(&mut self) -> Option<IndexState> {
        // At the end of a look the catalog says a little later what was found.
        if self.is_behind() && !self.is_reading_all {
            return None;
        }
        let is_complete = !self.is_reading_all;
        let kinds = || self.catalog.kinds().map(|(group, kind)| format!("{kind}.{group}")).collect();
        let state = IndexState { files: self.catalog.len(), is_complete, kinds: is_complete.then(kinds) };
        (self.told.as_ref() != Some(&state)).then(|| self.told.insert(state).clone())
    }

    /// Whether the catalog does not say all yet.
    pub(super) fn is_behind(&self) -> bool {
        !self.pending.is_empty()
    }

    /// Brings the catalog up to date; what is different.
    pub(super) fn catch_up(&mut self) -> Caught {
        let news = std::mem::take(&mut self.news);
        let changes: Vec<_> = std::mem::take(&mut self.pending)
            .into_iter()
            .map(|source| {
                let on_disk = self.on_disk.get(&source);
                let naming = on_disk.map(|on_disk| on_disk.naming().clone()).unwrap_or_default();
                let now = match self.open.get(&source) {
                    Some(definitions) => definitions.clone(),
                    None => on_disk.or_else(|| self.in_cluster.get(&source)).cloned(),
                };
                let now = now.map(|now| now.named(naming));
                (source, now)
            })
            .filter(|(source, now)| match (self.catalog.of_source(source), now) {
                (Some(before), Some(now)) => !before.is(now),
                (None, None) => false,
                _ => true,
            })
            .collect();
        let is_different = !changes.is_empty();
        let mut kinds = BTreeSet::new();
        for (source, now) in changes.iter().filter(|(source, _)| news.contains(source)) {
            let all = self.catalog.of_source(source).into_iter().chain(now);
            let all = all.flat_map(Definitions::defined);
            kinds.extend(all.map(|(group, kind)| (group.to_owned(), kind.to_owned())));
        }
        if is_different {
            let roots = self.folders.iter().map(|folder| folder.display().to_string());
            self.catalog = self.catalog.with(changes).shown_from(roots);
        }
        Caught { is_different, kinds }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::definitions::FoundDefinitions;
    use crate::server::inbox::Message;
    use crate::server::indexing::Done;

    fn definitions(kind: &str) -> Definitions {
        let text = format!(
            "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec:\n  group: example.com\n  \
             names: {{kind: {kind}}}\n  versions: []\n"
        );
        Definitions::read("/w/crd.yaml", &text, Definitions::held(&text)).unwrap()
    }

    fn found(definitions: Option<Definitions>, scope: Scope) -> Indexed {
        let sources = definitions.iter().map(|definitions| Arc::clone(definitions.source())).collect();
        let found = FoundDefinitions {
            definitions: definitions.into_iter().collect(),
            ..FoundDefinitions::default()
        };
        Indexed { found, done: Some(Done { sources, ..Done::new(scope) }) }
    }

    /// What the catalog says of the file.
    fn known(workspace: &mut Workspace) -> Option<Definitions> {
        workspace.catch_up();
        workspace.catalog().of_source("/w/crd.yaml").cloned()
    }

    #[test]
    fn a_buffer_wins_over_its_file_until_it_is_closed() {
        let (file, buffer) = (definitions("File"), definitions("Buffer"));
        let mut workspace = Workspace::default();
        workspace.found(found(Some(file.clone()), Scope::All));
        assert!(known(&mut workspace).unwrap().is(&file));
        workspace.edited("/w/crd.yaml", Some(buffer.clone()));
        assert!(known(&mut workspace).unwrap().is(&buffer));
        workspace.found(found(Some(definitions("Newer")), Scope::All));
        assert!(known(&mut workspace).unwrap().is(&buffer));
        workspace.edited("/w/crd.yaml", None);
        assert!(known(&mut workspace).is_none());
        workspace.closed("/w/crd.yaml");
        assert!(known(&mut workspace).unwrap().is(&definitions("Newer")));
    }

    #[test]
    fn a_look_that_crashed_is_over_and_what_was_known_stays() {
        let mut workspace = Workspace::default();
        workspace.found(found(Some(definitions("Widget")), Scope::All));
        workspace.want(Scope::All);
        assert!(workspace.next_scope().is_some());
        let Message::Indexed(crashed) = Indexed::crashed(Scope::All) else { unreachable!() };
        workspace.found(*crashed);
        assert!(workspace.resources().is_complete && known(&mut workspace).is_some());
        workspace.want(Scope::All);
        assert!(workspace.next_scope().is_some(), "another one may begin");
    }

    #[test]
    fn what_is_not_found_any_more_is_gone_where_it_was_looked_for() {
        let mut workspace = Workspace::default();
        workspace.found(found(Some(definitions("Widget")), Scope::All));
        let below = |path: &str| Scope::Below(BTreeSet::from([PathBuf::from(path)]));
        workspace.found(found(None, below("/other")));
        assert!(known(&mut workspace).is_some());
        workspace.found(found(None, below("/w")));
        assert!(known(&mut workspace).is_none());
    }

    #[test]
    fn it_is_told_once_how_far_the_look_has_come() {
        let state = |files, is_complete, kinds: Option<&str>| {
            let kinds = kinds.map(|kind| BTreeSet::from([kind.to_owned()]));
            Some(IndexState { files, is_complete, kinds })
        };
        let mut workspace = Workspace::default();
        workspace.want(Scope::All);
        workspace.next_scope();
        assert_eq!(workspace.news(), state(0, false, None));
        workspace.found(found(Some(definitions("Widget")), Scope::All));
        assert_eq!(workspace.news(), None, "found, and not in the catalog yet");
        workspace.catch_up();
        assert_eq!(workspace.news(), state(1, true, Some("Widget.example.com")));
        assert_eq!(workspace.news(), None);
    }

    #[test]
    fn one_look_at_a_time() {
        let mut workspace = Workspace::default();
        workspace.want(Scope::All);
        assert!(workspace.next_scope().is_some());
        workspace.want(Scope::Below(BTreeSet::new()));
        assert!(workspace.next_scope().is_none());
        workspace.found(found(None, Scope::All));
        assert!(matches!(workspace.next_scope(), Some(Scope::Below(_))));
        assert!(workspace.next_scope().is_none());
    }
}
