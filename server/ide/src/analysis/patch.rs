//! Signs that a document has partial objects, which kustomize merges into others. Their missing fields are no
//! errors.

use yaml::Document;

use crate::analysis::ignore;
use crate::{Settings, Surroundings};

/// Whether something other than the objects marks the document as a patch: a kustomization that names the
/// file, the name of the file or of its folder, or a comment `# crd-ls: patch` in the head of the document.
pub(crate) fn is_known_patch(
    document: Document<'_>,
    settings: &Settings,
    surroundings: &Surroundings,
) -> bool {
    settings.patch || is_named_so(&surroundings.source) || ignore::is_marked_as_patch(document)
}

/// Whether the name of the file or of its folder contains the word `patch` or `patches`, or one of the next
/// two folders above has exactly that name.
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
    fn the_name_of_the_file_or_its_folder_marks_a_patch() {
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
