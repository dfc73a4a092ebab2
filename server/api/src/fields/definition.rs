//! CustomResourceDefinition of `apiextensions.k8s.io/v1`.

use super::FieldType::{Bool, Int32, List, Object, String};
use super::parts::{
    NAMES, SELECTABLE_FIELD, SELECTABLE_FIELDS_DOC, STATUS, SUBRESOURCES, VALIDATION, WEBHOOK_CLIENT_CONFIG,
};
use super::texts::{self, told};
use super::{Field, FieldType, OBJECT_META, ObjectType};

static VERSION: FieldType = Object(&VERSION_TYPE);
static COLUMN: FieldType = Object(&COLUMN_TYPE);
static SELECTABLE: FieldType = Object(&SELECTABLE_FIELD);

pub(super) const KIND_DOC: &str = "Always `CustomResourceDefinition`.";
pub(super) const METADATA_DOC: &str = "The name must be `<spec.names.plural>.<spec.group>`.";
pub(super) const STATUS_DOC: &str = "Written by the server; what a file holds is dropped on create.";
pub(super) const GROUP_DOC: &str = "A DNS name of your own with at least one dot, e.g. `stable.example.com`. Resources carry `<group>/<version>` as `apiVersion`. It cannot be changed later. Groups that end in `.k8s.io` or `.kubernetes.io` need the annotation `api-approved.kubernetes.io`.";
pub(super) const NAMES_DOC: &str = "All names must be free in the group.";
pub(super) const SCOPE_DOC: &str = "Case matters; it cannot be changed once the CRD is established.";
pub(super) const CONVERSION_DOC: &str = "When absent, only the `apiVersion` of objects is changed.";
pub(super) const COLUMNS_DOC: &str = "They stand after the name (and the namespace) in `kubectl get`. A list replaces the column `Age`, so add it again:\n\n```yaml\n- name: Age\n  type: date\n  jsonPath: .metadata.creationTimestamp\n```\n\nPaths are not compared with the schema.";
pub(super) const STRATEGY_DOC: &str = "`None` also prunes what the other version does not declare. Anything but `None` is refused together with `preserveUnknownFields: true`.";
pub(super) const REVIEW_VERSIONS_DOC: &str = "At least one of `v1` and `v1beta1`, each once.";
pub(super) const SCOPES: &[&str] = &["Cluster", "Namespaced"];
pub(super) const STRATEGIES: &[&str] = &["None", "Webhook"];
pub(super) const COLUMN_TYPES: &[&str] = &["boolean", "date", "integer", "number", "string"];
pub(super) const COLUMN_FORMATS: &[&str] =
    &["byte", "date", "date-time", "double", "float", "int32", "int64", "password"];

/// `CustomResourceDefinition` of `apiextensions.k8s.io/v1`.
pub static CUSTOM_RESOURCE_DEFINITION_V1: ObjectType = ObjectType {
    name: "CustomResourceDefinition",
    fields: &told(texts::CUSTOM_RESOURCE_DEFINITION, [
        Field::new("kind", String, KIND_DOC).values(&["CustomResourceDefinition"]),
        Field::new("apiVersion", String, "Of this definition's own format: `apiextensions.k8s.io/v1`. It has nothing to do with `spec.versions`.")
            .values(&["apiextensions.k8s.io/v1"]),
        Field::new("metadata", Object(&OBJECT_META), METADATA_DOC),
        Field::new("spec", Object(&SPEC), "The kind that is defined: its group, names, scope and versions.").required(),
        Field::new("status", Object(&STATUS), STATUS_DOC),
    ]),
};

static SPEC: ObjectType = ObjectType {
    name: "CustomResourceDefinitionSpec",
    fields: &told(texts::CUSTOM_RESOURCE_DEFINITION_SPEC, [
        Field::new("group", String, GROUP_DOC).required(),
        Field::new("names", Object(&NAMES), NAMES_DOC).required(),
        Field::new("scope", String, SCOPE_DOC).required().values(SCOPES),
        Field::new("versions", List(&VERSION), "Each needs a schema. Names differ, and exactly one has `storage: true`.\n\nWhere all versions have the same schema, the server's errors point to `spec.validation`, which no v1 file has.")
            .required(),
        Field::new("conversion", Object(&CONVERSION), CONVERSION_DOC).default("{strategy: None}"),
        Field::new("preserveUnknownFields", Bool, "`true` is refused on create, and on update unless it was so before; it also forbids defaults. The keyword to use in the schema is `x-kubernetes-preserve-unknown-fields: true`. An explicit `false` cures old CRDs.")
            .default("false"),
    ]),
};

static VERSION_TYPE: ObjectType = ObjectType {
    name: "CustomResourceDefinitionVersion",
    fields: &told(texts::CUSTOM_RESOURCE_DEFINITION_VERSION, [
        Field::new("name", String, "A lower-case DNS label that begins with a letter, at most 63 characters.")
            .required(),
        Field::new("served", Bool, "When absent, `false`: the version is there but cannot be reached.")
            .required(),
        Field::new("storage", Bool, "Moving it leaves old objects as they are until they are written again, and both names in `status.storedVersions`.")
            .required(),
        Field::new("deprecated", Bool, "").default("false"),
        Field::new("deprecationWarning", String, "Not empty, at most 256 bytes, printable characters only."),
        Field::new("schema", Object(&VALIDATION), "Required."),
        Field::new("subresources", Object(&SUBRESOURCES), "Without it there is neither `/status` nor `/scale`, and `.status` is written like any other field."),
        Field::new("additionalPrinterColumns", List(&COLUMN), COLUMNS_DOC),
        Field::new("selectableFields", List(&SELECTABLE), SELECTABLE_FIELDS_DOC).since(30).kept_since(31),
    ]),
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
            Field::new("jsonPath", String, COLUMN_PATH_DOC).required(),
        ],
    ),
};

pub(super) const COLUMN_NAME_DOC: &str = "kubectl prints it in capitals.";
pub(super) const COLUMN_TYPE_DOC: &str =
    "A value of another type leaves the cell empty. `date` prints the age of a timestamp.";
pub(super) const COLUMN_FORMAT_DOC: &str = "kubectl does not need it.";
pub(super) const COLUMN_PRIORITY_DOC: &str =
    "`0` shows the column always; anything greater only with `kubectl get -o wide`.";
pub(super) const COLUMN_PATH_DOC: &str = "Where the value stands in the object, e.g. `.spec.replicas` or `.status.conditions[?(@.type==\"Ready\")].status`. Must begin with `.`. Nothing more is checked on write: a path that cannot be parsed makes the whole kind print without its columns.";

static CONVERSION: ObjectType = ObjectType {
    name: "CustomResourceConversion",
    fields: &told(
        texts::CUSTOM_RESOURCE_CONVERSION,
        [
            Field::new("strategy", String, STRATEGY_DOC).required().values(STRATEGIES),
            Field::new("webhook", Object(&WEBHOOK), "Refused with `strategy: None`."),
        ],
    ),
};

static WEBHOOK: ObjectType = ObjectType {
    name: "WebhookConversion",
    fields: &told(
        texts::WEBHOOK_CONVERSION,
        [
            Field::new(
                "clientConfig",
                Object(&WEBHOOK_CLIENT_CONFIG),
                "Required with `strategy: Webhook`. The server's errors call it `spec.conversion.webhookClientConfig`.",
            ),
            Field::new("conversionReviewVersions", List(&String), REVIEW_VERSIONS_DOC).required(),
        ],
    ),
};
