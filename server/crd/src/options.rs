//! For which server the verdict is given.

use api::KubernetesVersion;

use crate::lints::OptionalLints;

/// What the verdict depends on beside the document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The server whose verdict is given.
    pub kubernetes_version: KubernetesVersion,
    /// The lints to look for beside those that are always looked for.
    pub optional_lints: OptionalLints,
    /// Whether the document is known to be a patch: what a partial definition in it lacks is no mistake then.
    pub is_patch: bool,
}
