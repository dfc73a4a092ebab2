//! CustomResourceDefinition of `apiextensions.k8s.io/v1beta1`, which servers from 1.22 on no longer serve.

use super::FieldType::{Bool, Int32, List, Object, String};
use super::definition::{
    COLUMN_FORMAT_DOC, COLUMN_FORMATS, COLUMN_NAME_DOC, COLUMN_PATH_DOC, COLUMN_PRIORITY_DOC,
    COLUMN_TYPE_DOC, COLUMN_TYPES, COLUMNS_DOC, CONVERSION_DOC, GROUP_DOC, KIND_DOC, METADATA_DOC, NAMES_DOC,
    SCOPE_DOC, SCOPES, STATUS_DOC, STRATEGIES,
};
use super::parts::{
    NAMES, SELECTABLE_FIELD, SELECTABLE_FIELDS_DOC, STATUS, SUBRESOURCES, VALIDATION, WEBHOOK_CLIENT_CONFIG,
};
use super::texts::{self, told};
use super::{Field, FieldType, OBJECT_META, ObjectType};

static VERSION: FieldType = Object(&VERSION_TYPE);
static COLUMN: FieldType = Object(&COLUMN_TYPE);
static SELECTABLE: FieldType = Object(&SELECTABLE_FIELD);

/// `CustomResourceDefinition` of `apiextensions.k8s.io/v1beta1`.
pub static CUSTOM_RESOURCE_DEFINITION_V1BETA1: ObjectType = ObjectType {
    name: "CustomResourceDefinition",
    fields: &told(texts::CUSTOM_RESOURCE_DEFINITION, [
        Field::new("kind", String, KIND_DOC).values(&["CustomResourceDefinition"]),
        Field::new("apiVersion", String, "`apiextensions.k8s.io/v1beta1` is no longer served from Kubernetes 1.22 on: write `apiextensions.k8s.io/v1`, with a schema in each of `spec.versions`.")
            .values(&["apiextensions.k8s.io/v1beta1"]),
        Field::new("metadata", Object(&OBJECT_META), METADATA_DOC),
        Field::new("spec", Object(&SPEC), "The kind that is defined: its group, names, scope, versions and schema.").required(),
        Field::new("status", Object(&STATUS), STATUS_DOC),
    ]),
};

static SPEC: ObjectType = ObjectType {
    name: "CustomResourceDefinitionSpec",
    fields: &told(texts::CUSTOM_RESOURCE_DEFINITION_SPEC, [
        Field::new("group", String, GROUP_DOC).required(),
        Field::new("version", String, "The only version, or the first of `versions`. v1 does not have it: there, a version is an item of `spec.versions`."),
        Field::new("names", Object(&NAMES), NAMES_DOC).required(),
        Field::new("scope", String, SCOPE_DOC).required().default("Namespaced").values(SCOPES),
        Field::new("validation", Object(&VALIDATION), "The schema of all versions. Excludes a `schema` in the versions. In v1 each item of `spec.versions` has a `schema` of its own."),
        Field::new("subresources", Object(&SUBRESOURCES), "The `/status` and `/scale` endpoints of all versions. Excludes `subresources` in the versions, where v1 has them."),
        Field::new("versions", List(&VERSION), "When absent, the one named by `version`, served and stored. Exactly one has `storage: true`."),
        Field::new("additionalPrinterColumns", List(&COLUMN), "Columns of `kubectl get` for all versions. Excludes columns in the versions, where v1 has them, with `jsonPath` in place of `JSONPath`."),
        Field::new("selectableFields", List(&SELECTABLE), SELECTABLE_FIELDS_DOC).since(30).kept_since(31),
        Field::new("conversion", Object(&CONVERSION), CONVERSION_DOC).default("{strategy: None}"),
        Field::new("preserveUnknownFields", Bool, "`true`, the default of v1beta1, keeps fields that the schema does not declare. v1 refuses `true`: set `false` and mark open nodes with `x-kubernetes-preserve-unknown-fields: true`.")
            .default("true"),
    ]),
};

static VERSION_TYPE: ObjectType = ObjectType {
    name: "CustomResourceDefinitionVersion",
    fields: &told(
        texts::CUSTOM_RESOURCE_DEFINITION_VERSION,
        [
            Field::new("name", String, "The first one must equal `spec.version`, where that is given.")
                .required(),
            Field::new("served", Bool, "When absent, `false`.").required(),
            Field::new("storage", Bool, "").required(),
            Field::new("deprecated", Bool, "").default("false"),
            Field::new("deprecationWarning", String, "At most 256 bytes."),
            Field::new(
                "schema",
                Object(&VALIDATION),
                "Excludes `spec.validation`, and must not be the same in all versions.",
            ),
            Field::new(
                "subresources",
                Object(&SUBRESOURCES),
                "Excludes `spec.subresources`, and must not be the same in all versions.",
            ),
            Field::new("additionalPrinterColumns", List(&COLUMN), COLUMNS_DOC),
            Field::new("selectableFields", List(&SELECTABLE), SELECTABLE_FIELDS_DOC).since(30).kept_since(31),
        ],
    ),
};

static COLUMN_TYPE: ObjectType = ObjectType {
    name: "CustomResourceColumnDefinition",
    fields: &told(
        texts::CUSTOM_RESOURCE_COLUMN_DEFINITION,
        [
            Field::new("name", String, COLUMN_NAME_DOC).required(),
            Field::new("type", String, COLUMN_TYPE_DOC).required().values(COLUMN_TYPES),
            Field::new("format", String, COLUMN_FORMAT_DOC).values(COLUMN_FORMATS),
            Field::new("description", String, ""),
            Field::new("priority", Int32, COLUMN_PRIORITY_DOC).default("0"),
            Field::new("JSONPath", String, COLUMN_PATH_DOC).required(),
        ],
    ),
};

static CONVERSION: ObjectType = ObjectType {
    name: "CustomResourceConversion",
    fields: &[
        Field::new("strategy", String, "`None` changes `apiVersion` only and prunes what the other version does not declare. `Webhook` asks a webhook. Anything but `None` is refused together with `preserveUnknownFields: true`.").required().values(STRATEGIES),
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
