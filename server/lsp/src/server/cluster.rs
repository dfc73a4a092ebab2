//! The definitions of a live cluster, read once if the setting `cluster` asks for that.

use std::time::{Duration, Instant};

use ide::Definitions;

use super::inbox::Message;
use super::jobs;
use super::writer::Writer;
use crate::cluster::{self, Connection, DEFINITIONS};
use crate::config::Cluster;

/// The maximum time for the answers of the cluster.
const LIMIT: Duration = Duration::from_secs(10);

/// The result of a request to a cluster.
#[derive(Debug)]
pub(super) struct ClusterResponse {
    /// The cluster that was asked.
    pub(super) cluster: Cluster,
    /// Its definitions, or the reason why they were not read, in one line.
    pub(super) definitions: Result<Vec<Definitions>, String>,
}

impl Writer {
    /// Requests the definitions of the cluster that the editor has chosen, once and in the background. Drops those of another
    /// cluster.
    pub(super) fn ask_cluster(&mut self) {
        let wanted = self.editor.cluster().cloned();
        if wanted == self.requested_cluster {
            return;
        }
        self.requested_cluster.clone_from(&wanted);
        self.workspace.set_cluster_definitions(Vec::new());
        self.catch_up_soon();
        let Some(cluster) = wanted else { return };
        let of_crash = ClusterResponse {
            cluster: cluster.clone(),
            definitions: Err("reading the definitions crashed; please report it".to_owned()),
        };
        let crashed = || Message::OfCluster(Box::new(of_crash));
        jobs::start(&self.inbox, tracing::error_span!("cluster"), crashed, move |inbox| {
            let definitions = definitions(&cluster);
            inbox.send(Message::OfCluster(Box::new(ClusterResponse { cluster, definitions })));
        });
    }

    pub(super) fn cluster_answered(&mut self, answer: ClusterResponse) {
        if self.requested_cluster.as_ref() != Some(&answer.cluster) {
            return;
        }
        match answer.definitions {
            Ok(definitions) => {
                self.workspace.set_cluster_definitions(definitions);
                self.catch_up_soon();
            }
            Err(problem) => self.log_once(format!("cannot read definitions from the cluster: {problem}")),
        }
    }
}

/// The definitions of a cluster.
fn definitions(requested: &Cluster) -> Result<Vec<Definitions>, String> {
    let until = Instant::now() + LIMIT;
    let mut connection = Connection::connect(requested.context.as_deref())?;
    let context = connection.context().to_owned();
    let mut all = Vec::new();
    let mut pages = connection.list(DEFINITIONS);
    while let Some(items) = pages.next(until.saturating_duration_since(Instant::now()))? {
        all.extend(items.iter().filter_map(|item| {
            let (name, text) = cluster::definition(item)?;
            Definitions::of_cluster(&format!("cluster:/{context}/{name}.json"), &text)
        }));
    }
    Ok(all)
}
