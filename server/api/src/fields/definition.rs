//! CustomResourceDefinition of `apiextensions.k8s.io/v1`.

use super::FieldType::{Bool, Int32, List, Object, String};
use super::links::{self, linked};
use super::parts::{
    NAMES, SELECTABLE_FIELD, SELECTABLE_FIELDS_DOC, STATUS, SUBRESOURCES, VALIDATION, WEBHOOK_CLIENT_CONFIG,
};
use super::{Field, FieldType, OBJECT_META, ObjectType, values};

static VERSION: FieldType = Object(&VERSION_TYPE);
static COLUMN: FieldType = Object(&COLUMN_TYPE);
static SELECTABLE: FieldType = Object(&SELECTABLE_FIELD);

pub(super) const KIND_DOC: &str =
    "Kind of this document: `CustomResourceDefinition`. The kind of the resources is in `spec.names.kind`.";
pub(super) const METADATA_DOC: &str =
    "Name, labels and annotations of the definition. The name must be `<spec.names.plural>.<spec.group>`.";
pub(super) const STATUS_DOC: &str =
    "State of the definition, which kube-apiserver reports. A status in a file is ignored.";
pub(super) const GROUP_DOC: &str = "API group of the resources: a domain that you own, such as `stable.example.com`. It is part of their `apiVersion` and cannot be changed later.";
pub(super) const NAMES_DOC: &str =
    "Names of the kind and the resource. No other resource of the group can have the same names.";
pub(super) const SCOPE_DOC: &str = "Whether the resources belong to a namespace (`Namespaced`) or to the cluster (`Cluster`). It cannot be changed after the definition is established.";
pub(super) const CONVERSION_DOC: &str =
    "How kube-apiserver converts objects between versions. Without it, only `apiVersion` changes.";
pub(super) const COLUMNS_DOC: &str = "Columns of `kubectl get` after the name. They replace the column `Age`: to keep it, add a column of type `date` with the path `.metadata.creationTimestamp`.";
pub(super) const STRATEGY_DOC: &str =
    "How objects are converted: `None` or `Webhook`. `Webhook` requires `preserveUnknownFields: false`.";
pub(super) const REVIEW_VERSIONS_DOC: &str = "Versions of `ConversionReview` that the webhook understands, the preferred one first. At least one must be `v1` or `v1beta1`.";
pub(super) const SCOPES: &[&str] = &["Cluster", "Namespaced"];
pub(super) const STRATEGIES: &[&str] = &["None", "Webhook"];
pub(super) const COLUMN_TYPES: &[&str] = &["boolean", "date", "integer", "number", "string"];
pub(super) const COLUMN_FORMATS: &[&str] =
    &["byte", "date", "date-time", "double", "float", "int32", "int64", "password"];

/// `CustomResourceDefinition` of `apiextensions.k8s.io/v1`.
pub static CUSTOM_RESOURCE_DEFINITION_V1: ObjectType = ObjectType {
    name: "CustomResourceDefinition",
    fields: &linked(links::DEFINITION, [
        Field::new("kind", String, KIND_DOC).values(&["CustomResourceDefinition"]),
        Field::new("apiVersion", String, "API version of the definition itself: `apiextensions.k8s.io/v1`. The versions of the resources are in `spec.versions`.")
            .values(&["apiextensions.k8s.io/v1"]),
        Field::new("metadata", Object(&OBJECT_META), METADATA_DOC),
        Field::new("spec", Object(&SPEC), "Group, names, scope and versions of the resources.").required(),
        Field::new("status", Object(&STATUS), STATUS_DOC),
    ]),
};

static SPEC: ObjectType = ObjectType {
    name: "CustomResourceDefinitionSpec",
    fields: &linked(links::SPEC, [
        Field::new("group", String, GROUP_DOC).required(),
        Field::new("names", Object(&NAMES), NAMES_DOC).required(),
        Field::new("scope", String, SCOPE_DOC).required().values(SCOPES).meanings(values::SCOPES),
        Field::new("versions", List(&VERSION), "Versions of the API, each with a name and a schema. Exactly one has `storage: true`.")
            .required(),
        Field::new("conversion", Object(&CONVERSION), CONVERSION_DOC).default("{strategy: None}"),
        Field::new("preserveUnknownFields", Bool, "Must be `false` in a new definition. To keep undeclared fields, use `x-kubernetes-preserve-unknown-fields: true` in the schema.")
            .default("false"),
    ]),
};

static VERSION_TYPE: ObjectType = ObjectType {
    name: "CustomResourceDefinitionVersion",
    fields: &linked(links::VERSIONS, [
        Field::new("name", String, "Name of the version, such as `v1` or `v1beta1`. It is part of the `apiVersion` of resources.")
            .required(),
        Field::new("served", Bool, "Whether clients can use this version. Set `false` to stop serving it without removing it.")
            .required(),
        Field::new("storage", Bool, "Whether objects are stored in this version; exactly one version has `true`. Stored objects stay in the old version until they are written again.")
            .required(),
        Field::new("deprecated", Bool, "Whether kube-apiserver sends a warning to clients that use this version. `deprecationWarning` sets the text.").default("false"),
        Field::new("deprecationWarning", String, "Warning for clients of a deprecated version, instead of the default text. It has at most 256 bytes of printable characters."),
        Field::new("schema", Object(&VALIDATION), "Schema of the version, required in `v1`. It also determines which fields are stored."),
        Field::new("subresources", Object(&SUBRESOURCES), "Endpoints `/status` and `/scale` of the resources. Without them, clients write `status` like any other field."),
        Field::new("additionalPrinterColumns", List(&COLUMN), COLUMNS_DOC),
        Field::new("selectableFields", List(&SELECTABLE), SELECTABLE_FIELDS_DOC).since(30).kept_since(31),
    ]),
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
            Field::new("jsonPath", String, COLUMN_PATH_DOC).required(),
        ],
    ),
};

pub(super) const COLUMN_NAME_DOC: &str = "Heading of the column, which kubectl prints in capitals.";
pub(super) const COLUMN_TYPE_DOC: &str =
    "Type of the column; values of other types leave the cell empty. `date` shows the age of a timestamp.";
pub(super) const COLUMN_FORMAT_DOC: &str =
    "Format that clients may use to display the values. kubectl ignores it.";
pub(super) const COLUMN_PRIORITY_DOC: &str =
    "`0` always shows the column. Larger numbers show it only with `kubectl get -o wide`.";
pub(super) const COLUMN_PATH_DOC: &str = "Path of the value, such as `.spec.replicas` or `.status.conditions[?(@.type==\"Ready\")].status`. kube-apiserver checks only the dot at its start: with a syntax error, `kubectl get` shows none of the columns.";

static CONVERSION: ObjectType = ObjectType {
    name: "CustomResourceConversion",
    fields: &linked(
        links::CONVERSION,
        [
            Field::new("strategy", String, STRATEGY_DOC)
                .required()
                .values(STRATEGIES)
                .meanings(values::STRATEGIES),
            Field::new(
                "webhook",
                Object(&WEBHOOK),
                "Address and versions of the conversion webhook. Required with `strategy: Webhook`, and not allowed with `None`.",
            ),
        ],
    ),
};

static WEBHOOK: ObjectType = ObjectType {
    name: "WebhookConversion",
    fields: &linked(
        links::CONVERSION,
        [
            Field::new(
                "clientConfig",
                Object(&WEBHOOK_CLIENT_CONFIG),
                "Address of the conversion webhook: a `url` or a `service`. Errors of kube-apiserver call it `spec.conversion.webhookClientConfig`.",
            ),
            Field::new("conversionReviewVersions", List(&String), REVIEW_VERSIONS_DOC)
                .values(&["v1", "v1beta1"])
                .required(),
        ],
    ),
};
