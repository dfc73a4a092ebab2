//! The hover on the kind or version of an object that is not checked.

use text::{TextRange, TextSize};
use yaml::{Reader, Tree};

use crate::Hover;
use crate::analysis::objects::{Object, objects};
use crate::analysis::short::code;
use crate::analysis::text_at::document_at;
use crate::analysis::validation_coverage::{NotJudged, UnvalidatedReason};

/// The maximum number of characters of a kind or version.
const LONGEST: usize = 100;

/// The hover on `kind` and `apiVersion` of an object without a definition, or with a version that is unknown.
pub(crate) fn hover(tree: &Tree, offset: TextSize, not_judged: &[NotJudged]) -> Option<Hover> {
    let document = document_at(tree, offset)?;
    let reader = Reader::new(document);
    let objects = objects(document, &reader);
    let object = objects.iter().find(|object| object.value.range().touches(offset))?;
    let range = head_value(object, &reader, offset)?;
    let left = not_judged.iter().find(|one| one.range == object.value.range())?;
    let (kind, version) = (code(&left.kind, LONGEST), code(&left.api_version, LONGEST));
    let markdown = match left.reason {
        UnvalidatedReason::NoDefinition => format!(
            "The object is not checked: this workspace has no definition of {kind} in {version}.\n\n\
             To check it, name a file or folder with its definition in the setting `crds`, in the editor or in `.crd-ls.toml`."
        ),
        UnvalidatedReason::UnknownVersion if object.kind.group == "apiextensions.k8s.io" => {
            format!("The object is not checked: {version} is not a known version of {kind}.")
        }
        _ => return None,
    };
    Some(Hover { range, markdown })
}

/// The range of the value of `kind` or `apiVersion` at `offset`.
fn head_value<'t>(object: &Object<'t>, reader: &Reader<'t>, offset: TextSize) -> Option<TextRange> {
    let mapping = object.value.as_mapping()?;
    let entries = ["kind", "apiVersion"].into_iter().filter_map(|key| reader.entry(mapping, key));
    entries.map(|entry| entry.value().range()).find(|range| range.touches(offset))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use crate::{File, Settings};

    #[test]
    fn the_hover_of_an_undefined_kind_states_that_it_is_undefined() {
        let text = "a: b\n---\napiVersion: example.com/v1\nkind: Widget\nspec: {}\n";
        let file = File::new(text, &Settings::default());
        let on = |word: &str| file.hover(text.find(word).unwrap() as u32 + 1).map(|hover| hover.markdown);
        assert!(on("Widget").unwrap().starts_with(
            "The object is not checked: this workspace has no definition of `Widget` in `example.com/v1`"
        ));
        assert_eq!(on("example.com"), on("Widget"));
        assert_eq!(on("spec"), None);
        let pod = File::new("apiVersion: v1\nkind: Pod\n", &Settings::default());
        assert_eq!(pod.hover(21), None);
    }
}
