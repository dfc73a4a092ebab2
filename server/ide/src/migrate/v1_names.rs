//! Renames fields to their names in v1.

use text::TextEdit;
use yaml::edit::Editor;
use yaml::{Document, Reader, Value};

use crd::object::definitions;

use super::v1beta1_form::rename;
use super::{Refusal, is_beta};
use crate::analysis::values::own_entry;

pub(super) const OLD: &str = "apiextensions.k8s.io/v1beta1";
pub(super) const NEW: &str = "apiextensions.k8s.io/v1";

pub(super) fn step(document: Document<'_>, reader: &Reader<'_>) -> Result<(Vec<TextEdit>, ()), Refusal> {
    let mut editor = Editor::new(document);
    for definition in definitions(document, reader).iter().filter(|definition| is_beta(definition)) {
        rename(definition.value(), (OLD, NEW), &mut editor)?;
        for version in definition.versions() {
            let columns = own_entry(version.value, "additionalPrinterColumns").map(|entry| entry.value());
            let columns = columns.and_then(Value::as_sequence).into_iter().flat_map(yaml::Sequence::items);
            for column in columns {
                if let Some(path) = own_entry(column.value(), "JSONPath") {
                    editor.rename(path, "jsonPath");
                }
            }
        }
    }
    // A list of definitions has their version, too.
    if let Some(root) = document.root() {
        rename(root, (OLD, NEW), &mut editor)?;
    }
    Ok((editor.finish()?, ()))
}
