//! Unified diffs of files.

use std::io;
use std::path::Path;

use git2::{DiffOptions, Patch};

use crate::output::plain_path;

/// The number of lines around a change.
const CONTEXT: u32 = 3;

/// The difference between two texts of the file at `path`, for `git apply` and `patch -p1`; empty if there is none.
///
/// # Errors
///
/// As [`with_names`].
pub(super) fn diff(path: &Path, before: &str, after: &str) -> io::Result<String> {
    let path = path.to_string_lossy();
    // Both programs read slashes on all systems.
    let (old, new) = match &*plain_path(&path) {
        "-" => ("-".to_owned(), "-".to_owned()),
        path => {
            (format!("a/{}", path.trim_start_matches('/')), format!("b/{}", path.trim_start_matches('/')))
        }
    };
    with_names(&old, &new, before, after)
}

/// The difference between two texts, under these names; empty if there is none.
///
/// # Errors
///
/// If libgit2 has no memory for it.
pub(super) fn with_names(old: &str, new: &str, before: &str, after: &str) -> io::Result<String> {
    let mut options = DiffOptions::new();
    options.context_lines(CONTEXT).force_text(true);
    let patch = Patch::from_buffers(before.as_bytes(), None, after.as_bytes(), None, Some(&mut options));
    let patch = patch.and_then(|mut patch| patch.to_buf()).map_err(io::Error::other)?;
    let patch = String::from_utf8_lossy(&patch);
    // libgit2 writes other headers, with hashes and modes.
    let hunks = patch.find("\n@@ ").and_then(|header| patch.get(header..));
    Ok(hunks.map(|hunks| format!("--- {old}\n+++ {new}{hunks}")).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn shown(path: &str, before: &str, after: &str) -> String {
        diff(Path::new(path), before, after).unwrap()
    }

    #[test]
    fn a_change_is_shown_with_its_context() {
        let before = "a: 1\nb: 2\nc: 3\nd: 4\ne: 5\nf: 6";
        assert_eq!(
            shown("./x.yaml", before, &before.replace("e: 5", "e: 0")),
            "--- a/x.yaml\n+++ b/x.yaml\n@@ -2,5 +2,5 @@ a: 1\n b: 2\n c: 3\n d: 4\n-e: 5\n+e: 0\n f: 6\n\\ No newline at end of file\n"
        );
        assert_eq!(shown("x.yaml", before, before), "");
    }

    /// Finding the shortest difference of such texts would take minutes.
    #[test]
    fn texts_that_have_little_in_common_are_compared_in_bounded_time() {
        let lines = |period: usize| -> String {
            (0..60_000).map(|line| format!("k{}: 1\n", line % period)).collect()
        };
        let started = std::time::Instant::now();
        let shown = shown("x.yaml", &lines(7), &lines(11));
        assert!(shown.contains("\n+k10: 1\n"));
        assert!(started.elapsed().as_secs() < 20, "{:?}", started.elapsed());
    }

    #[test]
    fn line_ends_are_part_of_the_lines() {
        let shown = shown("/x.yaml", "a: 1\r\nb: 2\r\n", "a: 1\r\nb: 3\r\n");
        assert_eq!(shown, "--- a/x.yaml\n+++ b/x.yaml\n@@ -1,2 +1,2 @@\n a: 1\r\n-b: 2\r\n+b: 3\r\n");
    }
}
