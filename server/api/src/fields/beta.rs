//! CustomResourceDefinition of `apiextensions.k8s.io/v1beta1`, which servers from 1.22 on no longer serve.

use super::FieldType::{Bool, Int32, List, Object, String};
use super::definition::{
    COLUMN_FORMAT_DOC, COLUMN_FORMATS, COLUMN_NAME_DOC, COLUMN_PATH_DOC, COLUMN_PRIORITY_DOC,
    COLUMN_TYPE_DOC, COLUMN_TYPES, COLUMNS_DOC, CONVERSION_DOC, GROUP_DOC, KIND_DOC, METADATA_DOC, NAMES_DOC,
    SCOPE_DOC, SCOPES, STATUS_DOC, STRATEGIES,
};
use super::links::{self, linked};
use super::parts::{
    NAMES, SELECTABLE_FIELD, SELECTABLE_FIELDS_DOC, STATUS, SUBRESOURCES, VALIDATION, WEBHOOK_CLIENT_CONFIG,
};
use super::{Field, FieldType, OBJECT_META, ObjectType, values};

static VERSION: FieldType = Object(&VERSION_TYPE);
static COLUMN: FieldType = Object(&COLUMN_TYPE);
static SELECTABLE: FieldType = Object(&SELECTABLE_FIELD);

/// `CustomResourceDefinition` of `apiextensions.k8s.io/v1beta1`.
pub static CUSTOM_RESOURCE_DEFINITION_V1BETA1: ObjectType = ObjectType {
    name: "CustomResourceDefinition",
    fields: &linked(links::DEFINITION, [
        Field::new("kind", String, KIND_DOC).values(&["CustomResourceDefinition"]),
        Field::new("apiVersion", String, "API version of the definition itself. Kubernetes 1.22 and newer do not serve `v1beta1`: migrate to `apiextensions.k8s.io/v1`.")
            .values(&["apiextensions.k8s.io/v1beta1"]),
        Field::new("metadata", Object(&OBJECT_META), METADATA_DOC),
        Field::new("spec", Object(&SPEC), "Group, names, scope, versions and schema of the resources.").required(),
        Field::new("status", Object(&STATUS), STATUS_DOC),
    ]),
};

static SPEC: ObjectType = ObjectType {
    name: "CustomResourceDefinitionSpec",
    fields: &linked(links::SPEC, [
        Field::new("group", String, GROUP_DOC).required(),
        Field::new("version", String, "Name of the only version, or of the first in `versions`. `v1` has only `versions`."),
        Field::new("names", Object(&NAMES), NAMES_DOC).required(),
        Field::new("scope", String, SCOPE_DOC).required().default("Namespaced").values(SCOPES).meanings(values::SCOPES),
        Field::new("validation", Object(&VALIDATION), "Schema of all versions, instead of a `schema` in each. `v1` has a `schema` in each version."),
        Field::new("subresources", Object(&SUBRESOURCES), "Endpoints `/status` and `/scale` of all versions, instead of `subresources` in each. `v1` has them in each version."),
        Field::new("versions", List(&VERSION), "Versions of the API; without it, the one that `version` names. Exactly one has `storage: true`."),
        Field::new("additionalPrinterColumns", List(&COLUMN), "Columns of `kubectl get` for all versions, instead of columns in each. `v1` has them in each version, with `jsonPath` in place of `JSONPath`."),
        Field::new("selectableFields", List(&SELECTABLE), SELECTABLE_FIELDS_DOC).since(30).kept_since(31),
        Field::new("conversion", Object(&CONVERSION), CONVERSION_DOC).default("{strategy: None}"),
        Field::new("preserveUnknownFields", Bool, "Whether fields that no schema declares are kept, by default `true`. `v1` rejects `true`: use `x-kubernetes-preserve-unknown-fields: true` in the schema.")
            .default("true"),
    ]),
};

static VERSION_TYPE: ObjectType = ObjectType {
    name: "CustomResourceDefinitionVersion",
    fields: &linked(
        links::VERSIONS,
        [
            Field::new(
                "name",
                String,
                "Name of the version, such as `v1`. That of the first must equal `spec.version`.",
            )
            .required(),
            Field::new("served", Bool, "Whether clients can use this version.").required(),
            Field::new(
                "storage",
                Bool,
                "Whether objects are stored in this version; exactly one version has `true`.",
            )
            .required(),
            Field::new(
                "deprecated",
                Bool,
                "Whether kube-apiserver sends a warning to clients that use this version.",
            )
            .default("false"),
            Field::new(
                "deprecationWarning",
                String,
                "Warning for clients of a deprecated version, with at most 256 bytes.",
            ),
            Field::new(
                "schema",
                Object(&VALIDATION),
                "Schema of this version, instead of `spec.validation`. The schemas of the versions must not all be equal.",
            ),
            Field::new(
                "subresources",
                Object(&SUBRESOURCES),
                "Subresources of this version, instead of `spec.subresources`. The subresources of the versions must not all be equal.",
            ),
            Field::new("additionalPrinterColumns", List(&COLUMN), COLUMNS_DOC),
            Field::new("selectableFields", List(&SELECTABLE), SELECTABLE_FIELDS_DOC).since(30).kept_since(31),
        ],
    ),
};

static COLUMN_TYPE: ObjectType = ObjectType {
    name: "CustomResourceColumnDefinition",
    fields: &linked(
        links::COLUMNS,
        [
            Field::new("name", String, COLUMN_NAME_DOC).required(),
            Field::new("type", String, COLUMN_TYPE_DOC)
                .required()
                .values(COLUMN_TYPES)
                .meanings(values::COLUMN_TYPES),
            Field::new("format", String, COLUMN_FORMAT_DOC).values(COLUMN_FORMATS),
            Field::new("description", String, "Description of the column, for readers of the definition."),
            Field::new("priority", Int32, COLUMN_PRIORITY_DOC).default("0"),
            Field::new("JSONPath", String, COLUMN_PATH_DOC).required(),
        ],
    ),
};

static CONVERSION: ObjectType = ObjectType {
    name: "CustomResourceConversion",
    fields: &linked(links::CONVERSION, [
        Field::new("strategy", String, "How objects are converted: `None` or `Webhook`. `Webhook` requires `preserveUnknownFields: false`.").required().values(STRATEGIES).meanings(values::STRATEGIES),
        Field::new(
            "webhookClientConfig",
            Object(&WEBHOOK_CLIENT_CONFIG),
            "Address of the webhook, required with `strategy: Webhook`. `v1` has it as `webhook.clientConfig`.",
        ),
        Field::new(
            "conversionReviewVersions",
            List(&String),
            "Versions of `ConversionReview` that the webhook understands, by default `v1beta1`. `v1` has it as `webhook.conversionReviewVersions`.",
        ),
    ]),
};
