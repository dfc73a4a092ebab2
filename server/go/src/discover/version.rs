//! Which release of controller-gen a project uses.

use std::path::{Path, PathBuf};

use super::{ANNOTATION, MAX_FOLDERS, scripts, text_of};
use crate::load::{Disk, ModFile};
use crate::version::Version;

/// A release, and where it is named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundVersion {
    /// The release.
    pub version: Version,
    /// The file that names it.
    pub file: PathBuf,
}

/// The module of controller-gen.
const MODULE: &str = "sigs.k8s.io/controller-tools";

/// The release that a project uses, by its scripts, its modules or the definitions in `written`: the nearest to a folder.
#[must_use]
pub fn version(disk: &dyn Disk, folder: &Path, top: &Path, written: Option<&Path>) -> Option<FoundVersion> {
    for above in folder.ancestors().take(MAX_FOLDERS) {
        for (file, _) in scripts(disk, above) {
            let found = text_of(disk, &file).and_then(|text| named(&text));
            if let Some(version) = found {
                return Some(FoundVersion { version, file });
            }
        }
        for name in ["go.mod", "tools/go.mod", "hack/tools/go.mod", "go.tools.mod"] {
            let file = above.join(name);
            let Some(text) = text_of(disk, &file) else { continue };
            let module = ModFile::read(&text);
            let required = module.require.iter().find(|(path, _)| path == MODULE);
            if let Some(version) = required.and_then(|(_, version)| version.parse().ok()) {
                return Some(FoundVersion { version, file });
            }
        }
        if above == top {
            break;
        }
    }
    annotated(disk, written?)
}

/// The release that a script names.
fn named(text: &str) -> Option<Version> {
    for line in text.lines() {
        let assigned = ["CONTROLLER_TOOLS_VERSION", "CONTROLLER_GEN_VERSION", "CONTROLLERGEN_VERSION"]
            .iter()
            .find_map(|name| {
                let rest = line.trim_start().trim_start_matches("export ").strip_prefix(name)?;
                Some(rest.trim_start_matches([' ', '\t', '?', ':', '=']).trim_matches(['"', '\'']))
            });
        let called = ["controller-gen@", "controller-tools/cmd/controller-gen,"]
            .iter()
            .find_map(|name| Some(line.split_once(name)?.1));
        for value in assigned.into_iter().chain(called) {
            let end = value
                .find(|ch: char| !(ch.is_ascii_alphanumeric() || matches!(ch, '.' | '-')))
                .unwrap_or(value.len());
            let value = value.get(..end).unwrap_or("");
            if value.starts_with('v')
                && let Ok(version) = value.parse()
            {
                return Some(version);
            }
        }
    }
    None
}

/// The release that wrote the definitions of a folder.
fn annotated(disk: &dyn Disk, folder: &Path) -> Option<FoundVersion> {
    let entries = disk.list(folder);
    entries.iter().filter(|entry| entry.name.ends_with(".yaml")).take(16).find_map(|entry| {
        let file = folder.join(&entry.name);
        let text = text_of(disk, &file)?;
        let (_, rest) = text.split_once(&format!("{ANNOTATION}: "))?;
        let version = rest.lines().next()?.trim_matches(['"', '\'']).parse().ok()?;
        Some(FoundVersion { version, file })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_name_the_release() {
        assert_eq!(named("CONTROLLER_TOOLS_VERSION ?= v0.17.2\n"), Some(Version::new(17, 2)));
        assert_eq!(
            named("\tgo run sigs.k8s.io/controller-tools/cmd/controller-gen@v0.14.0 crd\n"),
            Some(Version::new(14, 0))
        );
        assert_eq!(named("CONTROLLER_GEN_VERSION = $(shell x)\n"), None);
    }
}
