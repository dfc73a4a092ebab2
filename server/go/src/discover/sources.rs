//! Loops of Task over the sources of a task.

use std::borrow::Cow;
use std::path::Path;

use super::globs::matching;
use crate::load::Disk;

const LOOP: &str = "- for: sources";

/// A Taskfile with `for: sources` replaced by the files, line by line.
pub(super) fn with_sources<'t>(disk: &dyn Disk, folder: &Path, text: &'t str) -> Cow<'t, str> {
    if !text.contains(LOOP) {
        return Cow::Borrowed(text);
    }
    let lines: Vec<&str> = text.lines().collect();
    let written = lines.iter().enumerate().map(|(at, line)| {
        let head = line.trim_end().strip_suffix(LOOP)?;
        let files: Vec<String> =
            sources(&lines, at)?.iter().flat_map(|pattern| matching(disk, folder, pattern)).collect();
        Some(format!("{head}- for: [{}]", files.join(", ")))
    });
    let written = written.zip(&lines).map(|(written, line)| written.unwrap_or_else(|| (*line).to_owned()));
    Cow::Owned(written.fold(String::new(), |text, line| text + &line + "\n"))
}

/// The patterns of the sources of the task that contains a line.
fn sources<'t>(lines: &[&'t str], at: usize) -> Option<Vec<&'t str>> {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let above = lines.get(..at)?;
    let commands = above.iter().rposition(|line| line.trim() == "cmds:")?;
    let keys = indent(lines.get(commands)?);
    let is_of_task = |line: &&&str| line.trim().is_empty() || indent(line) >= keys;
    let start = commands - lines.get(..commands)?.iter().rev().take_while(is_of_task).count();
    let of_task = lines.get(start..)?.iter().take_while(is_of_task);
    let mut of_task = of_task.skip_while(|line| indent(line) != keys || !line.trim().starts_with("sources:"));
    let first = of_task.next()?.trim().strip_prefix("sources:")?.trim();
    if let Some(list) = first.strip_prefix('[') {
        return Some(list.strip_suffix(']')?.split(',').map(unquoted).collect());
    }
    Some(of_task.map_while(|line| line.trim().strip_prefix("- ")).map(unquoted).collect())
}

fn unquoted(value: &str) -> &str {
    value.trim().trim_matches(['"', '\''])
}
