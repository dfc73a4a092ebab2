//! Kinds that no CustomResourceDefinition defines.

/// Groups of Kubernetes itself that do not end with a dot and `k8s.io`; the core has the empty name.
const PLAIN: [&str; 6] = ["", "apps", "autoscaling", "batch", "extensions", "policy"];

/// Groups of Kubernetes itself, in front of `.k8s.io`. Other groups with that ending are of definitions.
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

/// Groups, or the ends of groups, of files that only a tool reads: no server ever has such objects.
const OF_TOOLS: [&str; 21] = [
    // kustomize
    "kustomize.config.k8s.io",
    "builtin",
    // Components of Kubernetes and what runs their containers.
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
    // Clusters for tests.
    "kind.x-k8s.io",
    "ctlptl.dev",
    "k3d.io",
    // Building and deploying.
    "skaffold",
    "eksctl.io",
    "backstage.io",
    "helmfile.com",
];

/// Kinds of other groups that only a tool reads.
const KINDS_OF_TOOLS: [(&str, &str); 1] = [("apiextensions.crossplane.io", "CompositeResourceDefinition")];

/// Whether the objects of that group are of Kubernetes itself.
pub(super) fn is_built_in(group: &str) -> bool {
    PLAIN.contains(&group) || group.strip_suffix(".k8s.io").is_some_and(|name| OF_KUBERNETES.contains(&name))
}

/// Whether the objects of that kind have no definition anywhere, though their group is not of Kubernetes itself.
pub(super) fn has_no_definition(group: &str, kind: &str) -> bool {
    OF_TOOLS.contains(&group) || KINDS_OF_TOOLS.contains(&(group, kind))
}
