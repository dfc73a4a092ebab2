//! A live cluster, through a kubeconfig. It is only read, page by page. Only the feature `cluster` builds the code that connects
//! to clusters.

use std::time::Duration;

pub(crate) use connected::Connection;

/// Where a cluster lists its definitions.
pub(crate) const DEFINITIONS: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

/// A part of a list.
#[derive(Debug, Default)]
struct Page {
    /// The objects, as JSON.
    items: Vec<String>,
    /// The token of the next part; `None` in the last one.
    next: Option<String>,
    /// Whether the server no longer has the state in which the list began: the next part is of a later state.
    has_expired: bool,
}

/// A list that is read page by page.
pub(crate) struct Pages<'c> {
    connection: &'c mut Connection,
    path: &'c str,
    after: Option<String>,
    is_done: bool,
    /// Whether the list has changed while it was read, so that objects may be missing.
    pub(crate) has_changed: bool,
}

impl Connection {
    /// Reads the list at this path.
    pub(crate) fn list<'c>(&'c mut self, path: &'c str) -> Pages<'c> {
        Pages { connection: self, path, after: None, is_done: false, has_changed: false }
    }
}

impl Pages<'_> {
    /// The objects of the next page, as JSON; `None` after the last one.
    ///
    /// # Errors
    /// Why it cannot be read, in one line; also if no answer is there after `limit`.
    pub(crate) fn next(&mut self, limit: Duration) -> Result<Option<Vec<String>>, String> {
        if self.is_done {
            return Ok(None);
        }
        let page = self.connection.page(self.path, self.after.as_deref(), limit)?;
        self.is_done = page.next.is_none();
        self.after = page.next;
        self.has_changed |= page.has_expired;
        Ok(Some(page.items))
    }
}

/// The name and the text of the definition in an item of [`DEFINITIONS`], without the fields that only the cluster needs. Items
/// of that list have no `kind`.
pub(crate) fn definition(item: &str) -> Option<(String, String)> {
    let item: serde_json::Value = serde_json::from_str(item).ok()?;
    let name = item["metadata"]["name"].as_str()?;
    let whole = serde_json::json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": name},
        "spec": item["spec"],
        "status": {"storedVersions": item["status"]["storedVersions"]},
    });
    Some((name.to_owned(), format!("{whole:#}\n")))
}

/// The size of the next page, in objects, after one of `count` objects and `bytes` bytes: so that no page is much larger than
/// a few megabytes.
#[cfg(any(feature = "cluster", test))]
fn next_size(count: usize, bytes: usize) -> u32 {
    const BYTES: usize = 4 * 1024 * 1024;
    /// The page size of `kubectl`.
    const MOST: usize = 500;
    let size = count.max(1).saturating_mul(BYTES) / bytes.max(1);
    u32::try_from(size.clamp(1, MOST)).unwrap_or(1)
}

#[cfg(not(feature = "cluster"))]
mod connected {
    use std::time::Duration;

    use super::Page;

    /// There is none without the feature `cluster`.
    pub(crate) enum Connection {}

    impl Connection {
        pub(crate) fn connect(_: Option<&str>) -> Result<Self, String> {
            Err("this crd-ls was built without cluster support; install it with --features cluster"
                .to_owned())
        }

        pub(crate) fn context(&self) -> &str {
            match *self {}
        }

        pub(crate) fn release(&self, _: Duration) -> Result<String, String> {
            match *self {}
        }

        pub(super) fn page(&mut self, _: &str, _: Option<&str>, _: Duration) -> Result<Page, String> {
            match *self {}
        }
    }
}

#[cfg(feature = "cluster")]
mod connected {
    use std::error::Error;
    use std::time::Duration;

    use kube::api::ListParams;
    use kube::client::ClientBuilder;
    use kube::config::KubeConfigOptions;
    use kube::core::Request;
    use kube::{Client, Config};
    use serde::Deserialize;
    use serde_json::value::RawValue;
    use tokio::runtime::{Builder, Runtime};
    use tokio::time::timeout;

    use super::{Page, next_size};

    /// The size of the first page, in objects. An object has at most 1.5 MB, which is the limit of etcd.
    const FIRST: u32 = 20;
    /// The status of an answer if the state of a list has expired.
    const GONE: u16 = 410;

    /// A connection to a cluster.
    pub(crate) struct Connection {
        runtime: Runtime,
        client: Client,
        context: String,
        /// The size of the next page, in objects.
        size: u32,
    }

    /// The fields of a list that are read.
    #[derive(Deserialize)]
    struct List<'t> {
        #[serde(default)]
        metadata: Metadata,
        #[serde(borrow)]
        items: Option<Vec<&'t RawValue>>,
    }

    #[derive(Default, Deserialize)]
    struct Metadata {
        r#continue: Option<String>,
    }

    impl Connection {
        /// Reads the kubeconfig, and connects to its context `context`, by default the current one.
        ///
        /// # Errors
        /// Why no cluster can be asked, in one line.
        pub(crate) fn connect(context: Option<&str>) -> Result<Self, String> {
            // A separate runtime, because the server's runtime has no support for sockets.
            let runtime =
                Builder::new_current_thread().enable_all().build().map_err(|error| error.to_string())?;
            let context = context.filter(|context| !context.is_empty()).map(str::to_owned);
            let options = KubeConfigOptions { context: context.clone(), ..KubeConfigOptions::default() };
            let client = runtime.block_on(async {
                let config = Config::from_kubeconfig(&options).await.map_err(|error| in_words(&error))?;
                let builder = ClientBuilder::try_from(config).map_err(|error| in_words(&error))?;
                Ok::<_, String>(builder.build())
            })?;
            let context = context.unwrap_or_else(|| "current".to_owned());
            Ok(Self { runtime, client, context, size: FIRST })
        }

        /// The name of the context; `current` for the current one.
        pub(crate) fn context(&self) -> &str {
            &self.context
        }

        /// The Kubernetes release of the cluster, as `1.NN`.
        ///
        /// # Errors
        /// Why it is not known, in one line.
        pub(crate) fn release(&self, limit: Duration) -> Result<String, String> {
            let response = async { timeout(limit, self.client.apiserver_version()).await };
            let answer = self.runtime.block_on(response);
            let release = answer.map_err(|_| silence(limit))?.map_err(|error| in_words(&error))?;
            // Vendors append a sign: `33+`.
            let minor: String = release.minor.chars().take_while(char::is_ascii_digit).collect();
            Ok(format!("{}.{minor}", release.major))
        }

        /// The part of the list at `path` that begins at `after`.
        ///
        /// # Errors
        /// Why it cannot be read, in one line; also if no answer is there after `limit`.
        pub(super) fn page(
            &mut self,
            path: &str,
            after: Option<&str>,
            limit: Duration,
        ) -> Result<Page, String> {
            let mut parameters = ListParams::default().limit(self.size);
            if let Some(after) = after {
                parameters = parameters.continue_token(after);
            }
            let request = Request::new(path).list(&parameters).map_err(|error| in_words(&error))?;
            let request = self.client.request_text(request);
            let answer = self.runtime.block_on(async { timeout(limit, request).await });
            let text = match answer.map_err(|_| silence(limit))? {
                Ok(text) => text,
                Err(kube::Error::Api(status)) if status.code == GONE && after.is_some() => {
                    let next = status.metadata.and_then(|metadata| metadata.continue_);
                    let next = next.filter(|token| !token.is_empty());
                    let next = next.ok_or("the list has changed while it was read; run the command again")?;
                    return Ok(Page { items: Vec::new(), next: Some(next), has_expired: true });
                }
                Err(error) => return Err(in_words(&error)),
            };
            let list: List<'_> = serde_json::from_str(&text).map_err(|error| in_words(&error))?;
            let items = list.items.unwrap_or_default();
            self.size = next_size(items.len(), text.len());
            let next = list.metadata.r#continue.filter(|token| !token.is_empty());
            let items = items.into_iter().map(|item| item.get().to_owned()).collect();
            Ok(Page { items, next, has_expired: false })
        }
    }

    fn silence(limit: Duration) -> String {
        format!("it has not answered within {} seconds", limit.as_secs_f32().ceil())
    }

    /// An error with its causes, in one line.
    fn in_words(error: &dyn Error) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_of_large_objects_have_few_objects() {
        let megabyte = 1024 * 1024;
        assert_eq!(next_size(20, 20 * 1000), 500);
        assert_eq!(next_size(20, 20 * megabyte), 4);
        assert_eq!(next_size(1, 30 * megabyte), 1);
        assert_eq!(next_size(0, 0), 500);
    }
}
