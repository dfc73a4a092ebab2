//! Webhook URLs that lead to another place than the author expects, because kube-apiserver makes the call.

use std::net::{IpAddr, Ipv6Addr};

use crate::message::Message;
use api::Code;
use cel::value::Url;

use super::super::conversion::Conversion;
use super::super::findings::Findings;
use super::super::internal::InternalDefinition;

/// The endings of the host names of services, with the default domain of clusters.
const SERVICES: [&str; 2] = [".svc", ".svc.cluster.local"];

/// The service of a cluster in a URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServiceUrl {
    /// The namespace of the service.
    pub namespace: String,
    /// Its name.
    pub name: String,
    /// The port, if the URL has one other than 443, the default.
    pub port: Option<u16>,
    /// The path, if it is longer than `/`.
    pub path: Option<String>,
}

/// The service that `url` calls by its name in the cluster. `None` if the host is not a service, such as a
/// pod, or if the URL has parts that a reference to a service cannot express.
#[must_use]
pub fn service_of_url(url: &str) -> Option<ServiceUrl> {
    let url = Url::read(url).ok()?;
    let has_other_parts = url.has_user() || url.has_fragment() || !url.raw_query().is_empty();
    if url.scheme() != "https" || has_other_parts {
        return None;
    }
    let host = host_of(&url);
    let (name, namespace) = before_services(&host)?.split_once('.')?;
    if name.is_empty() || namespace.is_empty() || namespace.contains('.') {
        return None;
    }
    let port = url.port();
    let port = if port.is_empty() { 443 } else { port.parse::<u16>().ok().filter(|port| *port > 0)? };
    Some(ServiceUrl {
        namespace: namespace.to_owned(),
        name: name.to_owned(),
        port: Some(port).filter(|port| *port != 443),
        path: Some(url.escaped_path()).filter(|path| !matches!(path.as_str(), "" | "/")),
    })
}

/// Checks the URL of the conversion webhook, if there is one.
pub(super) fn check(internal: &InternalDefinition<'_, '_>, findings: &mut Findings<'_>) {
    let node = Conversion::read(internal).client_config.child("url");
    let text = node.text();
    let Ok(url) = Url::read(&text) else { return };
    let host = host_of(&url);
    if is_own(&host) {
        let words = Message::new(format!("`{host}` is the host of kube-apiserver itself"))
            .advise("use `service` for a webhook that runs in the cluster");
        findings.lint(Code::LintWebhookLocalhost, node.range(), &node, words);
    } else if before_services(&host).is_some() {
        let words =
            Message::new(format!("`{host}` is a cluster DNS name that kube-apiserver may not resolve"))
                .advise("use `service` with `namespace` and `name`");
        findings.lint(Code::LintWebhookService, node.range(), &node, words);
    }
}

/// The host in lower case, without port, brackets and the optional dot at the end.
fn host_of(url: &Url) -> String {
    let host = url.hostname().to_ascii_lowercase();
    host.strip_suffix('.').unwrap_or(&host).to_owned()
}

/// The part of the host before the ending of services.
fn before_services(host: &str) -> Option<&str> {
    SERVICES.iter().find_map(|ending| host.strip_suffix(ending)).filter(|rest| !rest.is_empty())
}

/// Whether `host` is the machine that makes the call.
fn is_own(host: &str) -> bool {
    if host == "localhost" || host.ends_with(".localhost") {
        return true;
    }
    match host.parse() {
        Ok(IpAddr::V4(address)) => address.is_loopback() || address.is_unspecified(),
        Ok(IpAddr::V6(address)) => is_own_v6(address),
        Err(_) => false,
    }
}

fn is_own_v6(address: Ipv6Addr) -> bool {
    let mapped = address.to_ipv4_mapped().is_some_and(|address| address.is_loopback());
    address.is_loopback() || address.is_unspecified() || mapped
}
