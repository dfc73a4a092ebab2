//! Definitions of the repository outside the paths of a command, for resources whose groups these paths do not define.

use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};

use ide::{Definitions, may_be_defined};
use memchr::memmem;

use super::walk::Source;
use crate::definitions::{files_below, of_all};
use crate::kinds::unquoted;
use crate::paths::{canonical, from_here};

/// The groups of all `apiVersion: GROUP/VERSION` in `text` that may have definitions.
pub(super) fn groups_in(text: &[u8]) -> BTreeSet<String> {
    let found = memmem::find_iter(text, b"apiVersion").filter_map(|at| {
        let after_key = text.get(at + b"apiVersion".len()..)?.trim_ascii_start();
        let after_key = unquoted(after_key).trim_ascii_start().strip_prefix(b":")?;
        let value = unquoted(after_key.trim_ascii_start());
        let length = value.iter().position(|byte| !byte.is_ascii_alphanumeric() && !b".-".contains(byte))?;
        let (group, rest) = value.split_at_checked(length)?;
        let group = str::from_utf8(group).ok().filter(|_| rest.starts_with(b"/"))?;
        may_be_defined(group).then(|| group.to_owned())
    });
    found.collect()
}

/// The definitions of `wanted` groups below `tops`, without those in `sources` and below `paths`.
pub(super) fn definitions(
    wanted: &BTreeSet<String>,
    tops: &BTreeSet<PathBuf>,
    sources: &[Source],
    paths: &[String],
) -> Vec<Definitions> {
    if wanted.is_empty() {
        return Vec::new();
    }
    let walked: Vec<PathBuf> = paths.iter().map(|path| canonical(Path::new(path))).collect();
    let is_walked = |top: &&PathBuf| walked.iter().any(|path| canonical(top).starts_with(path));
    let tops: Vec<&PathBuf> = tops.iter().filter(|top| !is_walked(top)).collect();
    if tops.is_empty() {
        return Vec::new();
    }
    let known: HashSet<PathBuf> = sources.iter().map(|source| canonical(&source.path)).collect();
    let files: Vec<PathBuf> = tops
        .into_iter()
        // The user did not name these places, so one that cannot be read is not reported.
        .flat_map(|top| files_below(top, |_, _| true).0)
        .filter(|file| !known.contains(&canonical(file)))
        .map(|file| from_here(&file))
        .collect();
    let mut found = of_all(&files).definitions;
    found.retain(|definitions| definitions.defined().any(|(group, _)| wanted.contains(group)));
    found
}

#[cfg(test)]
mod tests {
    use super::groups_in;

    #[test]
    fn a_group_is_found_in_each_notation() {
        for text in [
            "apiVersion: example.com/v1\nkind: Widget\n",
            "{\"apiVersion\": \"example.com/v1\", \"kind\": \"Widget\"}",
            "'apiVersion' : 'example.com/v1beta1'",
            "- apiVersion:   example.com/v1 # a list\n",
        ] {
            assert!(groups_in(text.as_bytes()).iter().eq(["example.com"]), "{text}");
        }
        for text in [
            "apiVersion: v1\nkind: Pod\n",
            "apiVersion: apps/v1\n",
            "apiVersion: rbac.authorization.k8s.io/v1\n",
            "apiVersion: kustomize.config.k8s.io/v1beta1\n",
            "apiVersion:\n  description: a/b\n",
            "apiVersion",
            "apiVersion: example.com",
        ] {
            assert!(groups_in(text.as_bytes()).is_empty(), "{text}");
        }
    }
}
