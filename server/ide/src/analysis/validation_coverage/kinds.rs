//! Kinds that no CustomResourceDefinition defines.

/// Groups of Kubernetes itself that do not end with `.k8s.io`. The core has the empty name.
const PLAIN: [&str; 6] = ["", "apps", "autoscaling", "batch", "extensions", "policy"];

/// Groups of Kubernetes itself that end with `.k8s.io`, without that ending. Other groups with the ending
/// belong to definitions.
const OF_KUBERNETES: [&str; 22] = [
    "admission",
    "admissionregistration",
    "apiextensions",
    "apiregistration",
    "authentication",
    "authorization",
    "certificates",
    "coordination",
    "custom.metrics",
    "discovery",
    "events",
    "external.metrics",
    "flowcontrol.apiserver",
    "internal.apiserver",
    "metrics",
    "networking",
    "node",
    "rbac.authorization",
    "resource",
    "scheduling",
    "storage",
    "storagemigration",
];

/// Groups of files that only a tool reads: no server has such objects.
const OF_TOOLS: [&str; 21] = [
    // kustomize
    "kustomize.config.k8s.io",
    "builtin",
    // Components of Kubernetes, controllers and clients.
    "kubeadm.k8s.io",
    "apiserver.config.k8s.io",
    "apiserver.k8s.io",
    "audit.k8s.io",
    "client.authentication.k8s.io",
    "config.k8s.io",
    "imagepolicy.k8s.io",
    "kubelet.config.k8s.io",
    "kubeproxy.config.k8s.io",
    "kubescheduler.config.k8s.io",
    "controller-runtime.sigs.k8s.io",
    "clientauthentication.k8s.io",
    // Tools that create test clusters.
    "kind.x-k8s.io",
    "ctlptl.dev",
    "k3d.io",
    // Tools that build and deploy.
    "skaffold",
    "eksctl.io",
    "backstage.io",
    "helmfile.com",
];

/// Kinds in other groups that only a tool reads.
const KINDS_OF_TOOLS: [(&str, &str); 1] = [("apiextensions.crossplane.io", "CompositeResourceDefinition")];

/// Whether the group belongs to Kubernetes itself.
pub(super) fn is_built_in(group: &str) -> bool {
    PLAIN.contains(&group) || group.strip_suffix(".k8s.io").is_some_and(|name| OF_KUBERNETES.contains(&name))
}

/// Whether no definition of the kind exists anywhere, although its group does not belong to Kubernetes
/// itself.
pub(super) fn has_no_definition(group: &str, kind: &str) -> bool {
    OF_TOOLS.contains(&group) || KINDS_OF_TOOLS.contains(&(group, kind))
}
