//! Finds the release of controller-gen that a project uses.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use memchr::memmem;

use super::makefile::{ExpandedScript, is_makefile};
use super::script_words::{UNKNOWN, join_lines};
use super::variables::variables;
use super::{ANNOTATION, MAX_FOLDERS, scripts, text_of};
use crate::load::{Disk, ModFile};
use crate::version::Version;

/// A release, and the file that names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundVersion {
    /// The release.
    pub version: Version,
    /// The file that names it.
    pub file: PathBuf,
}

/// The module of controller-gen.
const MODULE: &str = "sigs.k8s.io/controller-tools";

/// The program in that module, as in `tool` directives of `go.mod`.
const PROGRAM: &str = "sigs.k8s.io/controller-tools/cmd/controller-gen";

/// The release that a project uses, according to its scripts, its modules or the definitions in `written`: the nearest to a
/// folder. An indirect requirement has the lowest precedence, because the program may be installed in another release.
#[must_use]
pub fn version(disk: &dyn Disk, folder: &Path, top: &Path, written: Option<&Path>) -> Option<FoundVersion> {
    let mut indirect = None;
    for above in folder.ancestors().take(MAX_FOLDERS) {
        for (file, folder) in scripts(disk, above) {
            // A Makefile takes precedence over its included files.
            let found = text_of(disk, &file).and_then(|text| {
                let expanded = |text| ExpandedScript::of(disk, &file, &folder, text).text;
                release_in(&text).or_else(|| is_makefile(&file).then(|| release_in(&expanded(text)))?)
            });
            if let Some(version) = found {
                return Some(FoundVersion { version, file });
            }
        }
        for name in ["go.mod", "tools/go.mod", "hack/tools/go.mod", "go.tools.mod"] {
            let file = above.join(name);
            let Some(text) = text_of(disk, &file) else { continue };
            let module = ModFile::read(&text);
            let required = module.require.iter().find(|(path, _)| path == MODULE);
            let Some(version) = required.and_then(|(_, version)| version.parse().ok()) else { continue };
            let is_tool = module.tools.iter().any(|path| path == PROGRAM);
            if is_tool || !module.indirect.iter().any(|path| path == MODULE) {
                return Some(FoundVersion { version, file });
            }
            indirect.get_or_insert(FoundVersion { version, file });
        }
        if above == top {
            break;
        }
    }
    written.and_then(|written| annotated(disk, written)).or(indirect)
}

/// The release that a script names.
fn release_in(text: &str) -> Option<Version> {
    let names = ["CONTROLLER", "controller-"].map(memmem::Finder::new);
    let has_name = |line: &&str| names.iter().any(|name| name.find(line.as_bytes()).is_some());
    for line in text.lines().filter(has_name).filter(|line| !line.trim_start().starts_with('#')) {
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
            let value = match value.contains("$(") {
                true => variables(&join_lines(text)).text(value, 0),
                false => value.to_owned(),
            };
            let value = value.split(UNKNOWN).next().unwrap_or_default();
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

/// The maximum number of definitions to read in a folder.
const MAX_DEFINITIONS: usize = 16;

/// The release that wrote most definitions of a folder. Of several, the newest: an old file may be left over.
fn annotated(disk: &dyn Disk, folder: &Path) -> Option<FoundVersion> {
    let mut counts: BTreeMap<Version, (usize, PathBuf)> = BTreeMap::new();
    let entries = disk.list(folder);
    for entry in entries.iter().filter(|entry| entry.name.ends_with(".yaml")).take(MAX_DEFINITIONS) {
        let file = folder.join(&entry.name);
        // Definitions are larger than scripts.
        if let Some(version) = disk.read(&file).as_deref().and_then(annotation) {
            counts.entry(version).or_insert((0, file)).0 += 1;
        }
    }
    let (version, (_, file)) = counts.into_iter().max_by_key(|(version, (count, _))| (*count, *version))?;
    Some(FoundVersion { version, file })
}

fn annotation(text: &str) -> Option<Version> {
    let (_, rest) = text.split_once(&format!("{ANNOTATION}: "))?;
    rest.lines().next()?.trim_matches(['"', '\'']).parse().ok()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn scripts_name_the_release() {
        assert_eq!(release_in("CONTROLLER_TOOLS_VERSION ?= v0.17.2\n"), Some(Version::new(17, 2)));
        assert_eq!(
            release_in("\tgo run sigs.k8s.io/controller-tools/cmd/controller-gen@v0.14.0 crd\n"),
            Some(Version::new(14, 0))
        );
        assert_eq!(release_in("CONTROLLER_GEN_VERSION = $(shell x)\n"), None);
        assert_eq!(
            release_in("tools_version = 0.21.0\nx:\n\t$(GO) run a/controller-gen@v$(tools_version) crd\n"),
            Some(Version::new(21, 0))
        );
        assert_eq!(
            release_in("# no longer controller-gen@v0.16.5\nx:\n\tcontroller-gen@v0.20.1 crd\n"),
            Some(Version::new(20, 1))
        );
    }

    #[test]
    fn definitions_take_precedence_over_an_indirect_module() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
        write("a.yaml", &format!("metadata:\n  annotations:\n    {ANNOTATION}: v0.20.1\n"));
        let found = |go_mod: &str, written: Option<&Path>| {
            write("go.mod", &format!("module a\n\nrequire {MODULE} v0.20.0{go_mod}\n"));
            let disk = crate::load::FileSystem::default();
            version(&disk, folder.path(), folder.path(), written).map(|found| found.version)
        };
        let written = Some(folder.path());
        assert_eq!(found(" // indirect", written), Some("v0.20.1".parse().unwrap()));
        assert_eq!(found(" // indirect", None), Some("v0.20.0".parse().unwrap()));
        assert_eq!(found("", written), Some("v0.20.0".parse().unwrap()));
        let tool = format!(" // indirect\n\ntool {PROGRAM}");
        assert_eq!(found(&tool, written), Some("v0.20.0".parse().unwrap()));
    }

    #[test]
    fn most_definitions_of_a_folder_show_the_release() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, version: &str| {
            std::fs::write(
                folder.path().join(name),
                format!("metadata:\n  annotations:\n    {ANNOTATION}: {version}\n"),
            )
            .unwrap();
        };
        write("_old.yaml", "v0.14.0");
        write("a.yaml", "v0.21.0");
        let found =
            |folder: &Path| annotated(&crate::load::FileSystem::default(), folder).map(|found| found.version);
        assert_eq!(found(folder.path()), Some(Version::new(21, 0)), "of two the newest");
        write("b.yaml", "v0.20.0");
        write("c.yaml", "v0.20.0");
        assert_eq!(found(folder.path()), Some(Version::new(20, 0)));
    }

    #[test]
    fn a_large_definition_shows_the_release() {
        let folder = tempfile::tempdir().unwrap();
        let text =
            format!("metadata:\n  annotations:\n    {ANNOTATION}: v0.21.0\n{}", "# more\n".repeat(1 << 18));
        std::fs::write(folder.path().join("a.yaml"), text).unwrap();
        let found = annotated(&crate::load::FileSystem::default(), folder.path());
        assert_eq!(found.map(|found| found.version), Some(Version::new(21, 0)));
    }
}
