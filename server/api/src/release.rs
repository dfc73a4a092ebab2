//! Releases of Kubernetes.

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

    /// Whether this is `1.minor` or newer.
    pub(crate) fn is_at_least(self, minor: u8) -> bool {
        self.minor >= minor
    }
}

impl Default for KubernetesVersion {
    fn default() -> Self {
        Self::NEWEST
    }
}
