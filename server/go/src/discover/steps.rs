//! The working directory of each line of a script: after `cd` and `pushd`, until the block of lines ends.

use super::script_words::{Dialect, HERE, SCRIPT, UNKNOWN};

/// Tracks the working directory of a script, line by line.
pub(super) struct Steps {
    dialect: Dialect,
    folder: Option<String>,
    /// The blocks in which a line changes the directory: the columns of their lines, and the folders outside of them.
    blocks: Vec<(usize, Option<String>)>,
}

impl Steps {
    pub(super) const fn new(dialect: Dialect) -> Self {
        Self { dialect, folder: None, blocks: Vec::new() }
    }

    /// The working directory of a line; `None` for the folder that the script is called in. `words` returns the words of a
    /// line that may change the directory.
    pub(super) fn directory_of(&mut self, line: &str, words: impl FnOnce() -> Vec<String>) -> Option<String> {
        // Each line of a recipe starts in the folder of its Makefile.
        if self.dialect == Dialect::Make && line.starts_with('\t') {
            return None;
        }
        let command = line.trim_start();
        let column = line.len() - command.len();
        while let Some((inner, _)) = self.blocks.last()
            && column < *inner
            && !command.is_empty()
        {
            self.folder = self.blocks.pop().and_then(|(_, outer)| outer);
        }
        let words = if changes_directory(command) { words() } else { Vec::new() };
        if !words.is_empty() {
            let is_new = self.blocks.last().is_none_or(|(inner, _)| *inner < column);
            if is_new && column > 0 {
                self.blocks.push((column, self.folder.clone()));
            }
            self.folder = directory_after(&words, self.folder.take());
        }
        self.folder.clone()
    }
}

/// Whether a command changes the directory.
fn changes_directory(command: &str) -> bool {
    ["cd ", "pushd ", "popd"].iter().any(|word| command.starts_with(word))
}

/// The folder to which such a line changes.
fn directory_after(words: &[String], folder: Option<String>) -> Option<String> {
    match words {
        [command, target, ..] if command != "popd" => Some(entered(folder.as_deref(), target)),
        _ => None,
    }
}

/// The folder to which `cd` changes. A path that goes up from the script's file, or to a root that is found at run time, is
/// the folder in which the script is called.
pub(super) fn entered(folder: Option<&str>, target: &str) -> String {
    let (first, rest) = target.split_once('/').unwrap_or((target, ""));
    let below = rest.trim_start_matches("../").trim_end_matches("..").trim_end_matches('/');
    let goes_up = rest.starts_with("..");
    if first.starts_with([UNKNOWN, SCRIPT]) && (goes_up || first.to_uppercase().contains("ROOT")) {
        return format!("{HERE}/{below}").trim_end_matches('/').to_owned();
    }
    match folder {
        Some(folder) if !target.starts_with(['/', HERE, SCRIPT, UNKNOWN]) => format!("{folder}/{target}"),
        _ => target.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::discover::script_words::{Line, lines_of};

    fn folders(dialect: Dialect, text: &str) -> Vec<String> {
        let lines = lines_of(text, dialect);
        let calls = lines.iter().flat_map(Line::calls);
        calls
            .map(|call| call.folder.unwrap_or_default().replace(HERE, "HERE").replace(UNKNOWN, "$"))
            .collect()
    }

    #[test]
    fn a_script_may_change_its_directory() {
        let of = |text: &str| folders(Dialect::Shell, text);
        let text = "cd api\ncontroller-gen crd paths=./v1\ncd v2\ncontroller-gen crd\n";
        assert_eq!(of(text), ["api", "api/v2"]);
        assert_eq!(folders(Dialect::Make, &format!("{text}\tcontroller-gen crd\n")), ["api", "api/v2", ""]);
        let text = "cd \"$(dirname \"${BASH_SOURCE[0]}\")/..\"\npushd api >/dev/null\ncontroller-gen crd\npopd\ncontroller-gen crd\n";
        assert_eq!(of(text), ["HERE/api", ""]);
        assert_eq!(of("(cd ${REPO_ROOT}/api && controller-gen crd)\n"), ["HERE/api"]);
        assert_eq!(of("cd $(dirname $0)/../..\ncontroller-gen crd\n"), ["HERE"]);
        assert_eq!(of("cd \"${SCRIPT_DIR}\"/../\ncontroller-gen crd\n"), ["HERE"]);
        assert_eq!(of("cd ${SCRIPT_DIR}/../api\ncontroller-gen crd\n"), ["HERE/api"]);
    }

    #[test]
    fn a_block_may_change_its_directory() {
        for indent in ["    ", "\t"] {
            let text = format!(
                "(\n{indent}cd ${{DIR}}/api &&\n{indent}{indent}# why\n{indent}{indent}F= controller-gen crd paths=./v1\n\n\
                 {indent}controller-gen crd paths=./v2\n)\ncontroller-gen crd\n"
            );
            assert_eq!(folders(Dialect::Shell, &text), ["$DIR/api", "$DIR/api", ""], "{text}");
        }
        let nested = "cd a\nif x; then\n  cd b\n  controller-gen crd\nfi\ncontroller-gen crd\n";
        assert_eq!(folders(Dialect::Shell, nested), ["a/b", "a"]);
    }
}
