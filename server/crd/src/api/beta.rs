//! CustomResourceDefinition of `apiextensions.k8s.io/v1beta1`, which servers from 1.22 on no longer serve.

use super::FieldType::{Bool, Int32, List, Object, String};
use super::definition::{
    COLUMN_DESCRIPTION_DOC, COLUMN_FORMAT_DOC, COLUMN_FORMATS, COLUMN_NAME_DOC, COLUMN_PATH_DOC,
    COLUMN_PRIORITY_DOC, COLUMN_TYPE_DOC, COLUMN_TYPES, COLUMNS_DOC, CONVERSION_DOC, GROUP_DOC, KIND_DOC,
    METADATA_DOC, NAMES_DOC, SCOPE_DOC, SCOPES, STATUS_DOC, STRATEGIES, STRATEGY_DOC,
};
use super::parts::{
    NAMES, SELECTABLE_FIELD, SELECTABLE_FIELDS_DOC, STATUS, SUBRESOURCES, VALIDATION, WEBHOOK_CLIENT_CONFIG,
};
use super::{Field, FieldType, OBJECT_META, ObjectType};

static VERSION: FieldType = Object(&VERSION_TYPE);
static COLUMN: FieldType = Object(&COLUMN_TYPE);
static SELECTABLE: FieldType = Object(&SELECTABLE_FIELD);

/// `CustomResourceDefinition` of `apiextensions.k8s.io/v1beta1`.
pub static CUSTOM_RESOURCE_DEFINITION_V1BETA1: ObjectType = ObjectType {
    name: "CustomResourceDefinition",
    fields: &[
        Field::new("kind", String, KIND_DOC).values(&["CustomResourceDefinition"]),
        Field::new("apiVersion", String, "The version of this definition's own format. `apiextensions.k8s.io/v1beta1` is no longer served from Kubernetes 1.22 on: write `apiextensions.k8s.io/v1`, with a schema in each of `spec.versions`.")
            .values(&["apiextensions.k8s.io/v1beta1"]),
        Field::new("metadata", Object(&OBJECT_META), METADATA_DOC),
        Field::new("spec", Object(&SPEC), "The kind that is defined: its group, names, scope, versions and schema.").required(),
        Field::new("status", Object(&STATUS), STATUS_DOC),
    ],
};

static SPEC: ObjectType = ObjectType {
    name: "CustomResourceDefinitionSpec",
    fields: &[
        Field::new("group", String, GROUP_DOC).required(),
        Field::new("version", String, "The only version, or the first of `versions`. v1 does not have it: there, a version is an item of `spec.versions`."),
        Field::new("names", Object(&NAMES), NAMES_DOC).required(),
        Field::new("scope", String, SCOPE_DOC).required().default("Namespaced").values(SCOPES),
        Field::new("validation", Object(&VALIDATION), "The schema of all versions. Excludes a `schema` in the versions. In v1 each item of `spec.versions` has a `schema` of its own."),
        Field::new("subresources", Object(&SUBRESOURCES), "The `/status` and `/scale` endpoints of all versions. Excludes `subresources` in the versions, where v1 has them."),
        Field::new("versions", List(&VERSION), "The versions of the kind. When absent, the one named by `version`, served and stored. Exactly one has `storage: true`."),
        Field::new("additionalPrinterColumns", List(&COLUMN), "Columns of `kubectl get` for all versions. Excludes columns in the versions, where v1 has them, with `jsonPath` in place of `JSONPath`."),
        Field::new("selectableFields", List(&SELECTABLE), SELECTABLE_FIELDS_DOC).since(30).kept_since(31),
        Field::new("conversion", Object(&CONVERSION), CONVERSION_DOC).default("{strategy: None}"),
        Field::new("preserveUnknownFields", Bool, "`true`, the default of v1beta1, keeps fields that the schema does not declare. v1 refuses `true`: set `false` and mark open nodes with `x-kubernetes-preserve-unknown-fields: true`.")
            .default("true"),
    ],
};

static VERSION_TYPE: ObjectType = ObjectType {
    name: "CustomResourceDefinitionVersion",
    fields: &[
        Field::new("name", String, "The version in `apiVersion` and in URLs, e.g. `v1beta1`. The first one must equal `spec.version`, where that is given.")
            .required(),
        Field::new("served", Bool, "Whether clients can use the version. When absent, `false`.").required(),
        Field::new("storage", Bool, "Whether objects are stored in this version; `true` for exactly one.").required(),
        Field::new("deprecated", Bool, "`true` makes the server send a warning to whoever uses the version.").default("false"),
        Field::new("deprecationWarning", String, "The text of that warning. Only with `deprecated: true`; at most 256 bytes."),
        Field::new("schema", Object(&VALIDATION), "The schema of this version. Excludes `spec.validation`, and must not be the same in all versions."),
        Field::new("subresources", Object(&SUBRESOURCES), "The endpoints of this version. Excludes `spec.subresources`, and must not be the same in all versions."),
        Field::new("additionalPrinterColumns", List(&COLUMN), COLUMNS_DOC),
        Field::new("selectableFields", List(&SELECTABLE), SELECTABLE_FIELDS_DOC).since(30).kept_since(31),
    ],
};

static COLUMN_TYPE: ObjectType = ObjectType {
    name: "CustomResourceColumnDefinition",
    fields: &[
        Field::new("name", String, COLUMN_NAME_DOC).required(),
        Field::new("type", String, COLUMN_TYPE_DOC).required().values(COLUMN_TYPES),
        Field::new("format", String, COLUMN_FORMAT_DOC).values(COLUMN_FORMATS),
        Field::new("description", String, COLUMN_DESCRIPTION_DOC),
        Field::new("priority", Int32, COLUMN_PRIORITY_DOC).default("0"),
        Field::new("JSONPath", String, COLUMN_PATH_DOC).required(),
    ],
};

static CONVERSION: ObjectType = ObjectType {
    name: "CustomResourceConversion",
    fields: &[
        Field::new("strategy", String, STRATEGY_DOC).required().values(STRATEGIES),
        Field::new(
            "webhookClientConfig",
            Object(&WEBHOOK_CLIENT_CONFIG),
            "Where the webhook is. Required with `strategy: Webhook`. In v1 it is `webhook.clientConfig`.",
        ),
        Field::new(
            "conversionReviewVersions",
            List(&String),
            "The versions of ConversionReview that the webhook understands; `v1beta1` when absent. In v1 it is `webhook.conversionReviewVersions`, and required.",
        ),
    ],
};
