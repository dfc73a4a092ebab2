//! Settings in the form that people write.

mod choices;
mod editor;
mod files;
mod patterns;

use ide::KubernetesVersion;

pub use choices::{Choices, Cluster, Go, HEAD, MERGE_BASE, Override, RuleSelector};
pub use editor::Editor;
pub use files::Files;
pub use patterns::{Pattern, Patterns, bounded};

/// The name of the file with the settings of a project.
pub const FILE_NAME: &str = ".crd-ls.toml";

/// The section of our settings in editors.
pub const SECTION: &str = "crd-ls";

/// Reads `1.NN`, also in the forms that clusters and their tools use: `v1.30`, `1.30.2`, `v1.30.2+k3s1`. The
/// patch release does not matter.
///
/// # Errors
///
/// If the version is not known; the text says so.
pub fn parse_version(text: &str) -> Result<KubernetesVersion, String> {
    let (oldest, newest) = (KubernetesVersion::OLDEST, KubernetesVersion::NEWEST);
    minor_of(text)
        .map(|minor| KubernetesVersion { minor })
        .filter(|it| (oldest..=newest).contains(it))
        .ok_or_else(|| {
            format!("'{text}' is not a Kubernetes version from 1.{} to 1.{}", oldest.minor, newest.minor)
        })
}

fn minor_of(text: &str) -> Option<u8> {
    let number = |text: &str| text.parse::<u8>().ok().filter(|_| !text.starts_with('+'));
    let mut parts = text.strip_prefix('v').unwrap_or(text).splitn(3, '.');
    let (major, minor, patch) = (parts.next()?, parts.next()?, parts.next());
    let patch = patch.map(|patch| patch.split(['-', '+']).next().unwrap_or_default());
    let has_patch = patch.is_none_or(|patch| number(patch).is_some());
    if major == "1" && has_patch { number(minor) } else { None }
}
