//! The words that v1 has for the same.

use text::TextEdit;
use yaml::edit::{EditError, Editor, New};
use yaml::{Document, Reader, Value, ValueKind};

use crd::object::definitions;

use super::{Refusal, is_beta};
use crate::fixes::repairs::site::{own_entry, string};

const OLD: &str = "apiextensions.k8s.io/v1beta1";
const NEW: &str = "apiextensions.k8s.io/v1";

pub(super) fn step(document: Document<'_>, reader: &Reader<'_>) -> Result<(Vec<TextEdit>, ()), Refusal> {
    let mut editor = Editor::new(document);
    for definition in definitions(document, reader).iter().filter(|definition| is_beta(definition)) {
        rewrite(definition.value(), &mut editor)?;
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
    // A list of definitions names their version as well.
    if let Some(root) = document.root() {
        rewrite(root, &mut editor)?;
    }
    Ok((editor.finish()?, ()))
}

/// Names the new version in `object`, in the quotes that are there.
fn rewrite<'t>(object: Value<'t>, editor: &mut Editor<'t>) -> Result<(), EditError> {
    let Some(entry) = own_entry(object, "apiVersion") else { return Ok(()) };
    if string(entry.value()).as_deref() != Some(OLD) {
        return Ok(());
    }
    let ValueKind::Scalar(scalar) = entry.value().kind() else { return Err(EditError::Anchor) };
    editor.replace(entry.value(), New::Raw(scalar.token().text.replace(OLD, NEW)));
    Ok(())
}
