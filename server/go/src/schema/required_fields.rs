//! Determines which fields of a struct are required.

use super::collect::{FieldInfo, TypeInfo};
use super::generator::Generator;
use crate::marker::Meaning;
use crate::version::Change;

/// Why a field is required.
pub(super) enum RequiredReason {
    No,
    Marked,
    ByTag,
}

impl Generator<'_> {
    /// Whether a field is required, and why.
    pub(super) fn required(&self, field: &FieldInfo, package_optional: bool, by_tag: bool) -> RequiredReason {
        let named =
            |name: &str| field.markers.iter().any(|marked| marked.marker.definition.definition.name == name);
        let by_tag = if by_tag { RequiredReason::ByTag } else { RequiredReason::No };
        if !self.has(Change::RequiredOrder) {
            // The markers apply only if they contradict the mode of the package.
            return if package_optional {
                let marked = named("kubebuilder:validation:Required");
                if marked { RequiredReason::Marked } else { RequiredReason::No }
            } else {
                let marked = named("kubebuilder:validation:Optional") || named("optional");
                if marked { RequiredReason::No } else { by_tag }
            };
        }
        if named("kubebuilder:validation:Optional") {
            RequiredReason::No
        } else if named("kubebuilder:validation:Required") {
            RequiredReason::Marked
        } else if named("optional") || named("k8s:optional") {
            RequiredReason::No
        } else if named("required") || named("k8s:required") {
            RequiredReason::Marked
        } else if package_optional {
            RequiredReason::No
        } else {
            by_tag
        }
    }
}

/// The fields that markers for one of several fields list.
pub(super) fn one_of_fields(info: &TypeInfo) -> Result<Vec<String>, String> {
    let mut all = Vec::new();
    for meaning in [Meaning::ExactlyOneOf, Meaning::AtMostOneOf, Meaning::AtLeastOneOf] {
        for marked in info.markers.iter().filter(|marked| marked.marker.meaning() == meaning) {
            let fields = marked.marker.texts("");
            let nested: Vec<&str> =
                fields.iter().filter(|field| field.contains('.')).map(String::as_str).collect();
            if !nested.is_empty() {
                let name = marked.marker.definition.definition.name;
                return Err(format!("{name}: cannot reference nested fields: {}", nested.join(",")));
            }
            all.extend(fields);
        }
    }
    Ok(all)
}
