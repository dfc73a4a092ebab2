//! The objects and definitions of a live cluster.

use std::time::Duration;

use cases::{Definition, KubernetesVersion};

use super::CommandOutput;
use crate::cluster::{self, Connection, DEFINITIONS, Pages};
use crate::config::parse_version;

/// The maximum time for an answer.
pub(super) const LIMIT: Duration = Duration::from_secs(60);

/// A live cluster.
pub(super) struct Cluster(Connection);

/// The path at which the objects of a definition are listed.
pub(super) struct Kind {
    /// The name of the definition.
    pub(super) name: String,
    path: String,
}

impl Kind {
    /// The path for a definition; `None` if it serves no version.
    pub(super) fn of(definition: &Definition) -> Option<Self> {
        let served = || definition.versions.iter().filter(|version| version.served);
        let version = served().find(|version| version.storage).or_else(|| served().next())?;
        let (plural, group) = definition.name.split_once('.')?;
        let path = format!("/apis/{group}/{}/{plural}", version.name);
        Some(Self { name: definition.name.clone(), path })
    }
}

impl Cluster {
    pub(super) fn connect(context: Option<&str>) -> Result<Self, String> {
        Connection::connect(context).map(Self)
    }

    /// The release of the cluster, if crd-ls supports it; otherwise a note says why it is not used.
    pub(super) fn release(&self, shown: &mut CommandOutput) -> Option<KubernetesVersion> {
        match self.0.release(LIMIT).and_then(|release| parse_version(&release)) {
            Ok(release) => Some(release),
            Err(problem) => {
                shown
                    .notes
                    .push(format!("--cluster: its release is not used: {problem}; set --kubernetes-version"));
                None
            }
        }
    }

    /// The definitions of the cluster with the same names as the given ones.
    ///
    /// # Errors
    /// Why they cannot be read, in one line.
    pub(super) fn definitions(
        &mut self,
        new: &[Definition],
        server: KubernetesVersion,
        shown: &mut CommandOutput,
    ) -> Result<Vec<Definition>, String> {
        let mut found = Vec::new();
        let mut pages = self.0.list(DEFINITIONS);
        while let Some(items) = pages.next(LIMIT)? {
            let named = items.iter().filter_map(|item| cluster::definition(item));
            let wanted = named.filter(|(name, _)| new.iter().any(|new| new.name == *name));
            found.extend(wanted.flat_map(|(_, text)| Definition::all(&text, server)));
        }
        let is_missing = |new: &&Definition| !found.iter().any(|found| found.name == new.name);
        for new in new.iter().filter(is_missing) {
            shown.notes.push(format!("{}: not in the cluster", new.name));
        }
        Ok(found)
    }

    /// Reads the objects of a definition.
    pub(super) fn objects<'c>(&'c mut self, kind: &'c Kind) -> Pages<'c> {
        self.0.list(&kind.path)
    }
}
