//! Links to Kubernetes documentation of the fields.

use super::Field;

macro_rules! below {
    ($page:literal, $($name:ident = $place:literal),* $(,)?) => {
        $(pub(super) const $name: &str = concat!($page, $place);)*
    };
}

below!(
    "https://kubernetes.io/docs/reference/kubernetes-api/extend-resources/custom-resource-definition-v1/",
    DEFINITION = "#CustomResourceDefinition",
    SPEC = "#CustomResourceDefinitionSpec",
    STATUS = "#CustomResourceDefinitionStatus",
    SCHEMA = "#JSONSchemaProps",
);
below!(
    "https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/object-meta/",
    OBJECT_META = "#ObjectMeta",
);
below!(
    "https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/",
    STRUCTURAL = "#specifying-a-structural-schema",
    PRUNING = "#field-pruning",
    EMBEDDED = "#rawextension",
    INT_OR_STRING = "#intorstring",
    RULES = "#validation-rules",
    MESSAGE_EXPRESSION = "#the-messageexpression-field",
    REASON = "#field-reason",
    FIELD_PATH = "#field-field-path",
    OPTIONAL_OLD_SELF = "#field-optional-oldself",
    DEFAULTING = "#defaulting",
    NULLABLE = "#defaulting-and-nullable",
    COLUMNS = "#additional-printer-columns",
    SELECTABLE_FIELDS = "#crd-selectable-fields",
    SCALE_SUBRESOURCE = "#scale-subresource",
);
below!(
    "https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definition-versioning/",
    VERSIONS = "",
    CONVERSION = "#webhook-conversion",
);
pub(super) const MERGE: &str =
    "https://kubernetes.io/docs/reference/using-api/server-side-apply/#merge-strategy";
pub(super) const REGEXP: &str = "https://pkg.go.dev/regexp/syntax";

/// The fields, with `link` for those without a link.
pub(super) const fn linked<const N: usize>(link: &'static str, mut fields: [Field; N]) -> [Field; N] {
    let mut at = 0;
    while at < N {
        if fields[at].link.is_empty() {
            fields[at].link = link;
        }
        at += 1;
    }
    fields
}
