//! The files that contain the version, and their formats.

/// A file, and a text in it with X.Y.Z as the placeholder for the version. All occurrences of the text change.
pub(super) const MENTIONS: [(&str, &str); 18] = [
    ("Cargo.toml", "\nversion = \"X.Y.Z\"\n"),
    ("Cargo.toml", "version = \"=X.Y.Z\" }"),
    ("docs/ci.md", "/crd-ls@vX.Y.Z\n"),
    ("docs/ci.md", "/raw/vX.Y.Z/"),
    ("docs/ci.md", "rev: vX.Y.Z\n"),
    ("docs/ci.md", "/crd-ls:X.Y.Z "),
    ("editors/zed/Cargo.toml", "\nversion = \"X.Y.Z\"\n"),
    ("editors/zed/Cargo.lock", "name = \"zed-crd-ls\"\nversion = \"X.Y.Z\"\n"),
    ("editors/zed/extension.toml", "\nversion = \"X.Y.Z\"\n"),
    ("packaging/gitlab/crd-ls.gitlab-ci.yml", "CRD_LS_VERSION: X.Y.Z\n"),
    ("pyproject.toml", "\nversion = \"X.Y.Z\"\n"),
    ("pyproject.toml", "\"crd-ls==X.Y.Z\""),
    ("tests/vscode/troubles.mjs", "crd-ls.crd-ls-X.Y.Z/"),
    ("vscode-extension/package.json", "  \"version\": \"X.Y.Z\",\n"),
    ("vscode-extension/package-lock.json", "  \"name\": \"crd-ls\",\n  \"version\": \"X.Y.Z\",\n"),
    ("vscode-extension/package-lock.json", "      \"name\": \"crd-ls\",\n      \"version\": \"X.Y.Z\",\n"),
    ("vscode-extension/test/logic.test.ts", "version: 'X.Y.Z' }"),
    ("web/package/package.json", "  \"version\": \"X.Y.Z\",\n"),
];

/// Cargo lock files with crates of this repository.
pub(super) const LOCKS: [&str; 3] = ["Cargo.lock", "benches/Cargo.lock", "fuzz/Cargo.lock"];

/// The text with `old` replaced by `new` at each place where `template` has X.Y.Z.
pub(super) fn replaced(text: &str, template: &str, old: &str, new: &str) -> Result<String, String> {
    let before = template.replace("X.Y.Z", old);
    if !text.contains(&before) {
        return Err(format!("`{}` is not there", before.trim()));
    }
    Ok(text.replace(&before, &template.replace("X.Y.Z", new)))
}

/// A lock file with `old` replaced by `new` for the crates that are not from a registry.
pub(super) fn replaced_in_lock(text: &str, old: &str, new: &str) -> String {
    let (before, after) = (format!("\nversion = \"{old}\"\n"), format!("\nversion = \"{new}\"\n"));
    let blocks = text.split("[[package]]").map(|block| {
        let is_own = !block.contains("\nsource = ");
        if is_own { block.replacen(&before, &after, 1) } else { block.to_owned() }
    });
    blocks.collect::<Vec<_>>().join("[[package]]")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::fs;

    use super::*;
    use crate::place;

    #[test]
    fn each_mention_has_the_current_version() {
        let version = env!("CARGO_PKG_VERSION");
        for (path, template) in MENTIONS {
            let text = fs::read_to_string(place::repository().join(path)).unwrap();
            let changed = replaced(&text, template, version, "98.76.54");
            assert!(
                changed.as_ref().is_ok_and(|changed| changed.contains("98.76.54")),
                "{path}: {changed:?}"
            );
        }
        for path in LOCKS {
            let text = fs::read_to_string(place::repository().join(path)).unwrap();
            let changed = replaced_in_lock(&text, version, "98.76.54");
            assert!(changed.contains("name = \"crd-ls-text\"\nversion = \"98.76.54\"\n"), "{path}");
        }
    }

    #[test]
    fn external_crates_keep_their_versions() {
        let lock = "[[package]]\nname = \"a\"\nversion = \"0.1.0\"\nsource = \"registry\"\n\n[[package]]\nname = \"own\"\nversion = \"0.1.0\"\n";
        let changed = replaced_in_lock(lock, "0.1.0", "0.2.0");
        assert_eq!(changed, lock.replace("\"own\"\nversion = \"0.1.0\"", "\"own\"\nversion = \"0.2.0\""));
    }
}
