//! What an author may have meant by a field that does not exist.

use crate::api::ObjectType;
use crate::report::ApiVersion;

/// Where v1 has what v1beta1 has elsewhere: by type and field.
const MOVED: &[(&str, &str, &str)] = &[
    ("CustomResourceDefinitionSpec", "validation", "v1 has it in each of `versions`, as `schema`"),
    ("CustomResourceDefinitionSpec", "version", "v1 has only `versions`"),
    ("CustomResourceDefinitionSpec", "subresources", "v1 has it in each of `versions`"),
    ("CustomResourceDefinitionSpec", "additionalPrinterColumns", "v1 has it in each of `versions`"),
    ("CustomResourceDefinitionSpec", "selectableFields", "v1 has it in each of `versions`"),
    ("CustomResourceColumnDefinition", "JSONPath", "v1 calls it `jsonPath`"),
    ("CustomResourceConversion", "webhookClientConfig", "v1 calls it `webhook.clientConfig`"),
    ("CustomResourceConversion", "conversionReviewVersions", "v1 has it in `webhook`"),
];

/// What to do about the unknown field `name` of `object`.
pub(super) fn advice(object: &ObjectType, name: &str, version: ApiVersion) -> Option<String> {
    let moved = MOVED.iter().find(|(of, field, _)| (*of, *field) == (object.name, name));
    if let Some((_, _, advice)) = moved.filter(|_| version == ApiVersion::V1) {
        return Some((*advice).to_owned());
    }
    // The field is there in newer servers alone, or it would not be unknown.
    if let Some(minor) = object.field(name).and_then(|field| field.since) {
        return Some(format!("needs Kubernetes 1.{minor} or newer"));
    }
    closest(name, object.fields.iter().map(|field| field.name))
        .map(|(field, _)| format!("did you mean `{field}`?"))
}

/// Which of `names` is spelled most like `name`, if any is near enough, and in how many letters it differs; case does
/// not count.
#[must_use]
pub fn closest<'n>(name: &str, names: impl Iterator<Item = &'n str>) -> Option<(&'n str, usize)> {
    // Names of a hundred bytes are nobody's slip of the finger.
    if name.len() > 100 {
        return None;
    }
    let lower = name.to_lowercase();
    let distances = names.map(|field| (strsim::osa_distance(&field.to_lowercase(), &lower), field));
    let (distance, field) = distances.min_by_key(|(distance, _)| *distance)?;
    (distance <= field.len().min(name.len()) / 3).then_some((field, distance))
}

#[cfg(test)]
mod tests {
    use crate::api::{CUSTOM_RESOURCE_DEFINITION_V1, JSON_SCHEMA_PROPS};

    use super::*;

    #[test]
    fn slips_and_wrong_case_are_recognized() {
        let advice = |name| advice(&JSON_SCHEMA_PROPS, name, ApiVersion::V1);
        assert_eq!(advice("desciption").as_deref(), Some("did you mean `description`?"));
        assert_eq!(advice("MaxLength").as_deref(), Some("did you mean `maxLength`?"));
        assert_eq!(
            advice("x-kubernetes-preserve-unknown-field").as_deref(),
            Some("did you mean `x-kubernetes-preserve-unknown-fields`?")
        );
        assert_eq!(advice("foo"), None);
    }

    #[test]
    fn what_v1_has_elsewhere_is_told() {
        let spec = CUSTOM_RESOURCE_DEFINITION_V1.field("spec").map(|field| field.ty);
        let Some(crate::api::FieldType::Object(spec)) = spec else { return assert!(spec.is_some()) };
        assert_eq!(advice(spec, "version", ApiVersion::V1).as_deref(), Some("v1 has only `versions`"));
    }
}
