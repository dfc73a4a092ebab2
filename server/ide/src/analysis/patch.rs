//! What tells that the objects of a document are parts, which kustomize merges into others: what they lack is no mistake.

use yaml::Document;

use crate::analysis::ignore;
use crate::{Settings, Surroundings};

/// Whether anything but the objects themselves says so: a kustomization that names the file, its name or that of its
/// folder, or a comment `# crd-ls: patch` in the head of the document.
pub(crate) fn is_known_patch(
    document: Document<'_>,
    settings: &Settings,
    surroundings: &Surroundings,
) -> bool {
    settings.patch || is_named_so(&surroundings.source) || ignore::is_marked_as_patch(document)
}

/// Whether the file name or the name of the folder that holds it has the word `patch`, or a folder not far above is
/// called just that.
fn is_named_so(source: &str) -> bool {
    let is_word = |word: &str| word.eq_ignore_ascii_case("patch") || word.eq_ignore_ascii_case("patches");
    let has_word = |name: &str| name.split(|char: char| !char.is_ascii_alphanumeric()).any(is_word);
    let mut names = source.rsplit(['/', '\\']);
    names.by_ref().take(2).any(has_word) || names.take(2).any(is_word)
}

#[cfg(test)]
mod tests {
    use crate::analysis::patch::*;

    #[test]
    fn the_name_of_the_file_or_its_folder_tells() {
        for path in [
            "config/crd/patches/webhook_in_widgets.yaml",
            "file:///work/overlays/widgets_patch.yaml",
            "widgets-patch.yaml",
            "patch_widgets.yaml",
            r"C:\work\patches\widgets.yaml",
            "patches/crd/bases/widgets.yaml",
        ] {
            assert!(is_named_so(path), "{path}");
        }
        for path in [
            "patch-operator/config/crd/bases/widgets.yaml",
            "patches/a/b/c/widgets.yaml",
            "config/crd/dispatch.yaml",
            "untitled:Untitled-1",
            "-",
            "",
        ] {
            assert!(!is_named_so(path), "{path}");
        }
    }
}
