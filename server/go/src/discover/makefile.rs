//! A Makefile with its includes and wildcards expanded.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use super::globs::matching;
use super::script_words::{UNKNOWN, join_lines};
use super::text_of;
use super::variables::{closed, variables};
use crate::load::{Disk, clean};

/// The maximum depth of nested includes.
const MAX_DEPTH: usize = 6;
/// The maximum number of included files.
const MAX_FILES: usize = 64;
/// The maximum length of a Makefile with its includes, in bytes.
const MAX_EXPANDED: usize = 1 << 21;

/// The text of a script, and the file of each of its lines.
#[derive(Debug)]
pub(super) struct ExpandedScript {
    pub(super) text: String,
    parts: Vec<IncludedLines>,
}

/// Lines of one file.
#[derive(Debug)]
struct IncludedLines {
    /// The first of these lines in the text, from 0.
    start: usize,
    /// The included file that contains these lines; `None` for the script itself.
    file: Option<PathBuf>,
    /// The first of these lines in the file, from 0.
    line: usize,
}

/// Whether a file is a Makefile.
pub(super) fn is_makefile(file: &Path) -> bool {
    let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    matches!(name, "Makefile" | "makefile" | "GNUmakefile") || name.ends_with(".mk")
}

impl ExpandedScript {
    /// A script that includes nothing.
    pub(super) const fn without_includes(text: String) -> Self {
        Self { text, parts: Vec::new() }
    }

    /// A Makefile that is called in `folder`.
    pub(super) fn of(disk: &dyn Disk, file: &Path, folder: &Path, text: String) -> Self {
        let mut reader =
            Reader { disk, folder, expanded: Self::without_includes(String::new()), lines: 0, files: 0 };
        if has_include(&text) {
            let name = file.strip_prefix(folder).unwrap_or(file).display().to_string();
            reader.add(None, &name, &text, 0);
        } else {
            reader.expanded.text = text;
        }
        let Self { text, parts } = reader.expanded;
        Self { text: with_wildcards(disk, folder, text), parts }
    }

    /// The included file that contains a line of the text, if any, and the number of the line in its file. Numbers
    /// are from 1.
    pub(super) fn place(&self, number: usize) -> (Option<&Path>, usize) {
        let part = self.parts.iter().rev().find(|part| part.start < number);
        part.map_or((None, number), |part| (part.file.as_deref(), number - part.start + part.line))
    }

    /// The included files.
    pub(super) fn included(&self) -> impl Iterator<Item = &Path> {
        self.parts.iter().filter_map(|part| part.file.as_deref())
    }
}

struct Reader<'d> {
    disk: &'d dyn Disk,
    folder: &'d Path,
    expanded: ExpandedScript,
    /// The number of lines of the text.
    lines: usize,
    files: usize,
}

impl Reader<'_> {
    /// Adds the lines of a file. `name` is its path relative to the folder.
    fn add(&mut self, file: Option<&Path>, name: &str, text: &str, depth: usize) {
        let text = text
            .replace("$(lastword $(MAKEFILE_LIST))", name)
            .replace("$(lastword ${MAKEFILE_LIST})", name)
            .replace("$(firstword $(MAKEFILE_LIST))", name);
        let known = variables(&join_lines(&format!("{}{text}", self.expanded.text)));
        self.begin_part(file, 0);
        let mut lines = text.lines().enumerate();
        while let Some((number, line)) = lines.next() {
            let Some(mut list) = included_by(line).map(str::to_owned) else {
                self.push(line);
                continue;
            };
            let mut next = number + 1;
            while let Some(before) = list.trim_end().strip_suffix('\\').map(str::to_owned) {
                let Some((number, line)) = lines.next() else { break };
                list = format!("{before} {line}");
                next = number + 1;
            }
            for path in known.text(&list, 0).split_whitespace() {
                self.include(path, depth);
            }
            self.begin_part(file, next);
        }
    }

    /// Adds the files that a word after `include` names.
    fn include(&mut self, path: &str, depth: usize) {
        if path.contains(UNKNOWN) || depth >= MAX_DEPTH {
            return;
        }
        let named = match path.contains(['*', '?']) {
            true => matching(self.disk, self.folder, path),
            false => vec![path.to_owned()],
        };
        for name in named {
            let file = clean(&self.folder.join(&name));
            let is_known = self.expanded.included().any(|included| included == file);
            if is_known || self.files >= MAX_FILES || self.expanded.text.len() >= MAX_EXPANDED {
                continue;
            }
            if let Some(text) = text_of(self.disk, &file) {
                self.files += 1;
                self.add(Some(&file), &name, &text, depth + 1);
            }
        }
    }

    fn begin_part(&mut self, file: Option<&Path>, line: usize) {
        self.expanded.parts.push(IncludedLines { start: self.lines, file: file.map(Path::to_owned), line });
    }

    fn push(&mut self, line: &str) {
        self.expanded.text.push_str(line);
        self.expanded.text.push('\n');
        self.lines += 1;
    }
}

fn has_include(text: &str) -> bool {
    text.lines().any(|line| included_by(line).is_some())
}

/// The files that a line includes, as written.
fn included_by(line: &str) -> Option<&str> {
    let line = line.trim_start_matches(' ');
    ["include ", "-include ", "sinclude "].iter().find_map(|word| line.strip_prefix(word))
}

/// A text with each `$(wildcard …)` replaced by the existing files that match.
fn with_wildcards(disk: &dyn Disk, folder: &Path, text: String) -> String {
    const START: &str = "(wildcard ";
    if !text.contains(START) {
        return text;
    }
    let known = variables(&join_lines(&text));
    let mut out = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(at) = rest.find(START) {
        let (before, found) = rest.split_at(at);
        out.push_str(before);
        let inner = closed(found, ')').and_then(|end| found.get(START.len()..end));
        let patterns = inner.map(|inner| known.text(inner, 0));
        let is_call = before.ends_with('$') && !before.ends_with("$$");
        match (inner, patterns) {
            (Some(inner), Some(patterns)) if is_call && !patterns.contains([UNKNOWN, '\n']) => {
                out.pop();
                let found = patterns.split_whitespace().flat_map(|pattern| matching(disk, folder, pattern));
                out.push_str(&found.collect::<Vec<_>>().join(" "));
                rest = rest.get(at + START.len() + inner.len() + 1..).unwrap_or("");
            }
            _ => {
                out.push_str(START);
                rest = rest.get(at + START.len()..).unwrap_or("");
            }
        }
    }
    out + rest
}

/// A Makefile in which the target of each rule replaces `$@`, `$(@D)` and `$(@F)` in its recipe, if the rule has a single
/// target that is not a pattern. The numbers of lines stay the same.
pub(super) fn with_targets(text: &str) -> Cow<'_, str> {
    const AUTOMATIC: [&str; 5] = ["$@", "$(@D)", "${@D}", "$(@F)", "${@F}"];
    if !AUTOMATIC.iter().any(|name| text.contains(name)) {
        return text.into();
    }
    let mut out = String::with_capacity(text.len());
    let (mut target, mut continues) = (None, false);
    for line in text.split_inclusive('\n') {
        let is_recipe = line.starts_with('\t') || continues;
        continues = line.trim_end().ends_with('\\');
        if !is_recipe && !line.trim().is_empty() && !line.starts_with('#') {
            target = target_of(line);
        }
        match target.filter(|_| is_recipe && line.contains('@') && out.len() <= MAX_EXPANDED) {
            Some(target) => {
                let (folder, name) = (format!("$(dir {target})"), format!("$(notdir {target})"));
                let values = [target, &folder, &folder, &name, &name];
                let filled = AUTOMATIC.iter().zip(values);
                out.push_str(&filled.fold(line.to_owned(), |line, (name, value)| line.replace(name, value)));
            }
            None => out.push_str(line),
        }
    }
    out.into()
}

/// The only target of the rule that starts in a line; `None` for an assignment.
fn target_of(line: &str) -> Option<&str> {
    let mut depth = 0_usize;
    let end = line.char_indices().find_map(|(at, ch)| {
        match ch {
            '(' | '{' => depth += 1,
            ')' | '}' => depth = depth.saturating_sub(1),
            ':' if depth == 0 => return Some(at),
            _ => {}
        }
        None
    })?;
    let (target, after) = (line.get(..end)?.trim(), line.get(end + 1..)?.trim_start_matches(':'));
    let is_one = !target.is_empty() && !target.contains([' ', '\t', '%', '=']);
    (is_one && !after.starts_with('=')).then_some(target)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::fs;

    use super::{ExpandedScript, with_targets};
    use crate::load::FileSystem;

    #[test]
    fn lines_are_known_by_their_files() {
        let folder = tempfile::tempdir().unwrap();
        let put = |path: &str, text: &str| {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        put("make/a.mk", "A := 1\ninclude $(dir $(lastword $(MAKEFILE_LIST)))b.mk\nAA := 1\n");
        put("make/b.mk", "B := $(wildcard make/*.mk)\n");
        let makefile = folder.path().join("Makefile");
        let text =
            "DIR := make\n-include $(addprefix $(DIR)/, \\\n\ta.mk none.mk)\nC := 1\ninclude make/a.mk\n";
        let expanded = ExpandedScript::of(&FileSystem::default(), &makefile, folder.path(), text.to_owned());
        assert_eq!(expanded.text, "DIR := make\nA := 1\nB := make/a.mk make/b.mk\nAA := 1\nC := 1\n");
        let places: Vec<(String, usize)> = (1..=5)
            .map(|number| {
                let (file, line) = expanded.place(number);
                let name = file.and_then(|file| file.file_name()).unwrap_or_default();
                (name.to_string_lossy().into_owned(), line)
            })
            .collect();
        let expected = [("", 1), ("a.mk", 1), ("b.mk", 1), ("a.mk", 3), ("", 4)];
        assert_eq!(places, expected.map(|(name, line)| (name.to_owned(), line)));
    }

    #[test]
    fn a_recipe_has_the_target_of_its_rule() {
        let of = |folder: &str, own: &str| {
            format!(
                "X := 1\n$(DIR)/a.yaml: go.mod\n\tgen crd output:dir={folder} \\\n  x={own}\n\nb c:\n\techo $@\n%.o:\n\tcc $@\n"
            )
        };
        let target = "$(DIR)/a.yaml";
        assert_eq!(with_targets(&of("$(@D)", "$@")), of(&format!("$(dir {target})"), target));
        assert_eq!(with_targets("a:\n\techo\n"), "a:\n\techo\n");
    }
}
