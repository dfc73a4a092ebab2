//! The definitions of a live cluster, read once through a kubeconfig, where the setting `cluster` asks for it. Nothing is
//! ever written. What talks to clusters is built in with the feature `cluster` only.

use ide::Definitions;

use super::inbox::Message;
use super::jobs;
use super::writer::Writer;
use crate::config::Cluster;

/// What came of asking a cluster.
#[derive(Debug)]
pub(super) struct Answer {
    /// What was asked for.
    pub(super) cluster: Cluster,
    /// What it has, or why nothing was read, in one line.
    pub(super) definitions: Result<Vec<Definitions>, String>,
}

impl Writer {
    /// Asks the cluster that the editor has chosen, once, beside all else; forgets what another one has said.
    pub(super) fn ask_cluster(&mut self) {
        let wanted = self.editor.cluster().cloned();
        if wanted == self.asked_cluster {
            return;
        }
        self.asked_cluster.clone_from(&wanted);
        self.workspace.in_cluster(Vec::new());
        self.catch_up_soon();
        let Some(cluster) = wanted else { return };
        let of_crash = Answer {
            cluster: cluster.clone(),
            definitions: Err("reading the definitions crashed; please report it".to_owned()),
        };
        let crashed = || Message::OfCluster(Box::new(of_crash));
        jobs::start(&self.inbox, tracing::error_span!("cluster"), crashed, move |inbox| {
            let definitions = asked::definitions(&cluster);
            inbox.send(Message::OfCluster(Box::new(Answer { cluster, definitions })));
        });
    }

    pub(super) fn cluster_answered(&mut self, answer: Answer) {
        if self.asked_cluster.as_ref() != Some(&answer.cluster) {
            return;
        }
        match answer.definitions {
            Ok(definitions) => {
                self.workspace.in_cluster(definitions);
                self.catch_up_soon();
            }
            Err(problem) => self.log_once(format!("cannot read definitions from the cluster: {problem}")),
        }
    }
}

#[cfg(not(feature = "cluster"))]
mod asked {
    use super::{Cluster, Definitions};

    pub(super) fn definitions(_: &Cluster) -> Result<Vec<Definitions>, String> {
        Err("this crd-ls was built without cluster support; install it with --features cluster".to_owned())
    }
}

#[cfg(feature = "cluster")]
mod asked {
    use std::error::Error;
    use std::time::Duration;

    use kube::api::ListParams;
    use kube::client::ClientBuilder;
    use kube::config::KubeConfigOptions;
    use kube::core::Request;
    use kube::{Client, Config};
    use serde_json::{Value, json};
    use tokio::runtime::Builder;
    use tokio::time::timeout;

    use super::{Cluster, Definitions};

    const DEFINITIONS: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    /// Who waits longer has other troubles.
    const LIMIT: Duration = Duration::from_secs(10);
    /// Definitions in one answer.
    const PAGE: u32 = 200;
    /// More definitions than any cluster has are not asked for.
    const MOST_PAGES: usize = 50;

    pub(super) fn definitions(cluster: &Cluster) -> Result<Vec<Definitions>, String> {
        // Of its own: the server's has no need of sockets.
        let runtime =
            Builder::new_current_thread().enable_all().build().map_err(|error| error.to_string())?;
        let limited = async { timeout(LIMIT, list(cluster)).await };
        let listed = runtime.block_on(limited);
        let seconds = LIMIT.as_secs();
        listed.unwrap_or_else(|_| Err(format!("it has not answered within {seconds} seconds")))
    }

    async fn list(cluster: &Cluster) -> Result<Vec<Definitions>, String> {
        let context = cluster.context.clone().filter(|context| !context.is_empty());
        let options = KubeConfigOptions { context: context.clone(), ..KubeConfigOptions::default() };
        let config = Config::from_kubeconfig(&options).await.map_err(|error| words(&error))?;
        let client: Client = ClientBuilder::try_from(config).map_err(|error| words(&error))?.build();
        let context = context.unwrap_or_else(|| "current".to_owned());
        let mut parameters = ListParams::default().limit(PAGE);
        let mut all = Vec::new();
        for _ in 0..MOST_PAGES {
            let request = Request::new(DEFINITIONS).list(&parameters).map_err(|error| words(&error))?;
            let mut page: Value = client.request(request).await.map_err(|error| words(&error))?;
            let items = page["items"].as_array_mut().map(std::mem::take).unwrap_or_default();
            all.extend(items.into_iter().filter_map(|item| definition(item, &context)));
            match page["metadata"]["continue"].as_str() {
                Some(token) if !token.is_empty() => parameters = parameters.continue_token(token),
                _ => break,
            }
        }
        Ok(all)
    }

    /// A definition as it is in the cluster, without what only the cluster needs.
    fn definition(item: Value, context: &str) -> Option<Definitions> {
        let name = item["metadata"]["name"].as_str()?.to_owned();
        let whole = json!({
            "apiVersion": "apiextensions.k8s.io/v1",
            "kind": "CustomResourceDefinition",
            "metadata": {"name": name},
            "spec": item["spec"],
        });
        let text = format!("{whole:#}\n");
        Definitions::of_cluster(&format!("cluster:/{context}/{name}.json"), &text)
    }

    /// An error with what caused it, in one line.
    fn words(error: &dyn Error) -> String {
        let mut words = error.to_string();
        let mut cause = error.source();
        while let Some(error) = cause {
            let text = error.to_string();
            if !words.contains(&text) {
                words = format!("{words}: {text}");
            }
            cause = error.source();
        }
        words.replace('\n', " ")
    }
}
