//! Files that commands after a call remove.

use std::path::{Path, PathBuf};

use super::script_words::ends_command;
use super::{Call, Target};
use crate::load::clean;

/// A path that a command removes, and the folder to which earlier lines have changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RemovedPath {
    pub(super) folder: Option<String>,
    pub(super) path: String,
}

/// The paths that the `rm` commands of a line remove.
pub(super) fn removed_paths(words: &[String]) -> Vec<String> {
    let commands = words.split(|word| ends_command(word));
    let operands = commands.filter_map(|command| {
        let (program, operands) = command.split_first()?;
        (program.trim_start_matches(['@', '-']) == "rm").then_some(operands)
    });
    operands.flatten().filter(|word| !word.starts_with('-')).cloned().collect()
}

impl Call {
    /// Whether the call writes into a directory that is known only when it runs.
    #[must_use]
    pub const fn has_unknown_directory(&self) -> bool {
        self.is_directory_unknown && matches!(self.invocation.target, Target::Folder(_))
    }
}

/// A removed path as a path of the file system.
pub(super) fn placed(folder: &Path, path: &str) -> PathBuf {
    clean(&folder.join(path.trim_end_matches("/*")))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::fs;
    use std::path::Path;

    use crate::discover::{Call, Scripts};
    use crate::load::FileSystem;
    use crate::version::Version;

    fn call_in(file: &str, text: &str) -> Call {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().to_owned();
        fs::create_dir_all(root.join("hack")).unwrap();
        fs::write(root.join(file), text).unwrap();
        let calls = Scripts::default().calls(&FileSystem::default(), &root, &root, Version::NEWEST);
        let [call] = calls.try_into().unwrap();
        let removed = call.removed.iter().map(|path| path.strip_prefix(&root).unwrap().to_owned()).collect();
        Call { removed, ..call }
    }

    #[test]
    fn a_later_command_removes_files() {
        let text = "crds:\n\tcontroller-gen crd paths=./... output:crd:dir=config/crd\n\t-rm -f config/crd/b.yaml a.txt\n\n\
                    other:\n\trm -r config/crd\n";
        let call = call_in("Makefile", text);
        assert_eq!(call.removed, [Path::new("config/crd/b.yaml"), Path::new("a.txt")]);
        for removal in ["rm -r ${DIR}", "rm -rf \"$DIR\"", "true && rm -rf ${DIR}/*"] {
            let text = format!(
                "ROOT=$(cd $(dirname ${{BASH_SOURCE}})/.. && pwd)\nDIR=${{ROOT}}/k8s/crds\nrm -rf out\n\
                 controller-gen crd paths=./... output:crd:dir=${{DIR}}\n{removal}\n"
            );
            let call = call_in("hack/generate.sh", &text);
            assert_eq!(call.removed, [Path::new("k8s/crds")], "{removal}");
        }
    }

    #[test]
    fn a_temporary_directory_is_unknown() {
        let text = "readonly TEMPDIR=$(mktemp -d crd-XXXXXX)\ncontroller-gen \\\n  crd \"paths=./...\" \"output:dir=${TEMPDIR}\"\n";
        assert!(call_in("hack/generate.sh", text).has_unknown_directory());
        let known = "controller-gen crd paths=./... output:dir=crds\n";
        assert!(!call_in("hack/generate.sh", known).has_unknown_directory());
    }
}
