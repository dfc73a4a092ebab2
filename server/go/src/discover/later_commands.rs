//! Commands after a call that change the files that it writes.

use super::makefile::is_makefile;
use super::script_words::join_lines;
use super::{Call, CallPlace, text_of};
use crate::invocation::Target;
use crate::load::Disk;

/// Programs that change files in place if they have one of the options.
const EDITORS: [&str; 3] = ["sed", "perl", "yq"];
const IN_PLACE: [&str; 3] = ["-i", "--in-place", "--inplace"];

impl Call {
    /// The line, from 1, of a command after the call that changes files in the directory of its output. The command is in the
    /// same recipe or script and names the directory.
    #[must_use]
    pub fn later_step(&self, disk: &dyn Disk) -> Option<usize> {
        let (CallPlace::Line(own), Target::Folder(folder)) = (self.place, &self.invocation.target) else {
            return None;
        };
        let folder = folder.trim_start_matches("./").trim_end_matches('/');
        let text = text_of(disk, &self.file).filter(|text| !folder.is_empty() && text.contains(folder))?;
        let is_make = is_makefile(&self.file);
        let lines = join_lines(&text).into_iter().skip_while(|(number, _)| *number <= own);
        let mut lines =
            lines.take_while(|(_, line)| !is_make || line.starts_with('\t') || line.trim().is_empty());
        lines.find(|(_, line)| line.contains(folder) && changes_files(line)).map(|(number, _)| number)
    }
}

/// Whether a command is a script, a Go program or an editor of files.
fn changes_files(line: &str) -> bool {
    let words: Vec<&str> = line.split_whitespace().collect();
    let is_script = |word: &&str| word.trim_end_matches(['"', '\'', ';']).ends_with(".sh");
    let has_option = words.iter().any(|word| IN_PLACE.iter().any(|option| word.starts_with(option)));
    words.iter().any(is_script)
        || words.windows(2).any(|two| two == ["go", "run"])
        || has_option && words.iter().any(|word| EDITORS.contains(&&*program(word)))
}

/// The name of the program that a word calls: `sed` for `@$(SED)` and `bin/sed`.
fn program(word: &str) -> String {
    let name = word.trim_matches(['@', '-', '$', '(', ')', '{', '}', '"', '\'']);
    name.rsplit('/').next().unwrap_or(name).to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::changes_files;

    #[test]
    fn some_commands_change_files() {
        for line in [
            "\t./scripts/strip.sh config/crd",
            "\t@$(SED) -i 's/a/b/' config/crd/x.yaml",
            "\tperl -i -0pe 's/a/b/' config/crd/x.yaml",
            "\tgo run ./hack/fix config/crd",
            "for f in config/crd/*; do yq --inplace eval 'del(.a)' $f; done",
        ] {
            assert!(changes_files(line), "{line}");
        }
        for line in [
            "\tcp config/crd/* charts/crds/",
            "\tkustomize build config/crd | sed 's/a/b/' > crds.yaml",
            "\tgit diff --exit-code config/crd",
        ] {
            assert!(!changes_files(line), "{line}");
        }
    }
}
