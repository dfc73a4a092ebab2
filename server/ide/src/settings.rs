/// A Kubernetes minor version, `1.N`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KubernetesVersion {
    /// The `N` of `1.N`.
    pub minor: u8,
}

impl KubernetesVersion {
    /// The oldest version whose answers are known.
    pub const OLDEST: Self = Self { minor: 25 };
    /// The newest version whose answers are known.
    pub const NEWEST: Self = Self { minor: 37 };
}

impl Default for KubernetesVersion {
    fn default() -> Self {
        Self::NEWEST
    }
}

/// What the user can choose.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// The server whose verdict is given.
    pub kubernetes_version: KubernetesVersion,
}
