use crd::{KubernetesVersion, Options};

/// What the user can choose.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// The server whose verdict is given.
    pub kubernetes_version: KubernetesVersion,
}

impl Settings {
    /// What the verdict on definitions depends on.
    pub(crate) fn options(&self) -> Options {
        Options { kubernetes_version: self.kubernetes_version }
    }
}
