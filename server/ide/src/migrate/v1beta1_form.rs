//! Definitions that name v1 but have the form of v1beta1: somebody changed only `apiVersion`.

use crd::ApiVersion;
use crd::object::CustomResourceDefinition;
use crd::reading::is_null;
use text::TextEdit;
use yaml::edit::{EditError, Editor, NewValue};
use yaml::{Document, Value, ValueKind};

use super::restructure::SHARED;
use super::v1_names::{NEW, OLD};
use crate::analysis::values::{own_entry, string};

/// Whether `definition` names v1 and has fields for all versions at once, or has one version and no list of
/// versions.
pub(crate) fn is_bumped(definition: &CustomResourceDefinition<'_, '_>) -> bool {
    if definition.api_version() != ApiVersion::V1 {
        return false;
    }
    let Some(spec) = own_entry(definition.value(), "spec").map(|entry| entry.value()) else { return false };
    let own = |key: &str| own_entry(spec, key).map(|entry| entry.value()).filter(|value| !is_null(*value));
    let has_one = own("version").and_then(string).is_some() && own("versions").is_none();
    has_one || SHARED.iter().any(|(key, _)| own(key).is_some())
}

/// Edits that set the `apiVersion` of bumped `definitions` to the version of their form.
pub(super) fn named_as_written(
    document: Document<'_>,
    definitions: &[CustomResourceDefinition<'_, '_>],
) -> Result<Vec<TextEdit>, EditError> {
    let mut editor = Editor::new(document);
    for definition in definitions.iter().filter(|definition| is_bumped(definition)) {
        rename(definition.value(), (NEW, OLD), &mut editor)?;
    }
    editor.finish()
}

/// Changes the version in `object`, in the existing quotes.
pub(super) fn rename<'t>(
    object: Value<'t>,
    (from, to): (&str, &str),
    editor: &mut Editor<'t>,
) -> Result<(), EditError> {
    let Some(entry) = own_entry(object, "apiVersion") else { return Ok(()) };
    if string(entry.value()).as_deref() != Some(from) {
        return Ok(());
    }
    let ValueKind::Scalar(scalar) = entry.value().kind() else { return Err(EditError::Anchor) };
    editor.replace(entry.value(), NewValue::Raw(scalar.token().text.replace(from, to)));
    Ok(())
}
