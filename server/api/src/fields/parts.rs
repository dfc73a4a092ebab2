//! Types below the spec and the status that are the same in v1 and v1beta1.

use super::FieldType::{Bytes, Int32, Int64, List, Object, String, Time};
use super::texts::{self, told};
use super::{Field, FieldType, JSON_SCHEMA_PROPS, ObjectType};

static CONDITION: FieldType = Object(&CONDITION_TYPE);

pub(super) static NAMES: ObjectType = ObjectType {
    name: "CustomResourceDefinitionNames",
    fields: &told(texts::CUSTOM_RESOURCE_DEFINITION_NAMES, [
        Field::new(
            "plural",
            String,
            "Begins with a letter, then letters, digits and `-`; at most 63 characters. It cannot be changed later.",
        )
        .required(),
        Field::new(
            "singular",
            String,
            "Same form as `plural`; when absent, a kind that is not fit for it gives two errors.",
        ),
        Field::new(
            "shortNames",
            List(&String),
            "Each must not be in use by another resource of the group, else the names are not accepted and the kind is not served.",
        ),
        Field::new(
            "kind",
            String,
            "In lower case it must be a DNS label of at most 63 characters. It cannot be changed once the CRD is established.",
        )
        .required(),
        Field::new(
            "listKind",
            String,
            "It must differ from the kind.",
        ),
        Field::new(
            "categories",
            List(&String),
            "Same form as `plural`.",
        ),
    ]),
};

pub(super) static VALIDATION: ObjectType = ObjectType {
    name: "CustomResourceValidation",
    fields: &told(
        texts::CUSTOM_RESOURCE_VALIDATION,
        [Field::new(
            "openAPIV3Schema",
            Object(&JSON_SCHEMA_PROPS),
            "Required for v1, and structural. Defaults stand in it, too. The root is `type: object`; `apiVersion`, `kind` and `metadata` are implied.\n\n```yaml\nopenAPIV3Schema:\n  type: object\n  properties:\n    spec:\n      type: object\n```\n\nErrors of the server name it `spec.validation.openAPIV3Schema` when all versions have the same schema.",
        )],
    ),
};

pub(super) static SUBRESOURCES: ObjectType = ObjectType {
    name: "CustomResourceSubresources",
    fields: &told(
        texts::CUSTOM_RESOURCE_SUBRESOURCES,
        [
            Field::new(
                "status",
                Object(&SUBRESOURCE_STATUS),
                "`{}` turns it on. On create `.status` is dropped then, and `metadata.generation` counts changes outside of the status only.\n\nThe schema's root may then hold few keywords: no `oneOf`, `anyOf`, `allOf`, `not`, `enum`, `minProperties`, `default`.",
            ),
            Field::new(
                "scale",
                Object(&SUBRESOURCE_SCALE),
                "`kubectl scale` and the HorizontalPodAutoscaler use it. The paths are not compared with the schema.",
            ),
        ],
    ),
};

static SUBRESOURCE_STATUS: ObjectType = ObjectType { name: "CustomResourceSubresourceStatus", fields: &[] };

static SUBRESOURCE_SCALE: ObjectType = ObjectType {
    name: "CustomResourceSubresourceScale",
    fields: &told(
        texts::CUSTOM_RESOURCE_SUBRESOURCE_SCALE,
        [
            Field::new("specReplicasPath", String, "E.g. `.spec.replicas`.").required(),
            Field::new("statusReplicasPath", String, "E.g. `.status.replicas`.").required(),
            Field::new("labelSelectorPath", String, "E.g. `.status.labelSelector`."),
        ],
    ),
};

pub(super) static SELECTABLE_FIELD: ObjectType = ObjectType {
    name: "SelectableField",
    fields: &told(texts::SELECTABLE_FIELD, [Field::new(
        "jsonPath",
        String,
        "E.g. `.spec.color`; the schema must declare the field. A key with special characters is written `['a.b']`.",
    )
    .required()]),
};

pub(super) const SELECTABLE_FIELDS_DOC: &str = "`kubectl get --field-selector` can select by them. Each path once. Beta and on from 1.31, stable from 1.32.\n\nWith several versions, schemas and selectable fields must be either both the same in all versions or both different; the server refuses the mixture with a misleading text.";

pub(super) static WEBHOOK_CLIENT_CONFIG: ObjectType = ObjectType {
    name: "WebhookClientConfig",
    fields: &told(
        texts::WEBHOOK_CLIENT_CONFIG,
        [
            Field::new("url", String, ""),
            Field::new(
                "service",
                Object(&SERVICE_REFERENCE),
                "Exactly one of `url` and `service` is required.",
            ),
            Field::new(
                "caBundle",
                Bytes,
                "Encoded in base64. From 1.31 on a bundle that cannot be read is refused on update, and one given on create keeps the CRD from being served; leave it out where cert-manager injects it.",
            ),
        ],
    ),
};

static SERVICE_REFERENCE: ObjectType = ObjectType {
    name: "ServiceReference",
    fields: &told(
        texts::SERVICE_REFERENCE,
        [
            Field::new(
                "namespace",
                String,
                "When it is empty, the server's error names the field `name` by mistake.",
            )
            .required(),
            Field::new(
                "name",
                String,
                "When it is empty, the server's error names the field `namespace` by mistake.",
            )
            .required(),
            Field::new("path", String, "Begins with `/`; its segments are DNS names. When absent, `/`."),
            Field::new("port", Int32, "").default("443"),
        ],
    ),
};

pub(super) static STATUS: ObjectType = ObjectType {
    name: "CustomResourceDefinitionStatus",
    fields: &told(
        texts::CUSTOM_RESOURCE_DEFINITION_STATUS,
        [
            Field::new(
                "conditions",
                List(&CONDITION),
                "Written by the server; in a file it is ignored on create.",
            ),
            Field::new(
                "acceptedNames",
                Object(&NAMES),
                "They differ from `spec.names` when those are taken by another kind. Written by the server.",
            ),
            Field::new(
                "storedVersions",
                List(&String),
                "A version is taken out of the list through the `/status` endpoint, after all objects were written anew in another one.",
            ),
            Field::new("observedGeneration", Int64, "On by default from 1.36 on.").since(35),
        ],
    ),
};

static CONDITION_TYPE: ObjectType = ObjectType {
    name: "CustomResourceDefinitionCondition",
    fields: &told(texts::CUSTOM_RESOURCE_DEFINITION_CONDITION, [
        Field::new(
            "type",
            String,
            "`Established`: the kind is served. `NamesAccepted`: no name is taken. `NonStructuralSchema`: the schema violates the structural rules, which the message lists.",
        )
        .required()
        .values(&[
            "Established",
            "KubernetesAPIApprovalPolicyConformant",
            "NamesAccepted",
            "NonStructuralSchema",
            "StorageMigrating",
            "Terminating",
        ]),
        Field::new("status", String, "").required().values(&["False", "True", "Unknown"]),
        Field::new("lastTransitionTime", Time, ""),
        Field::new("reason", String, "E.g. `Violations`."),
        Field::new("message", String, ""),
        Field::new("observedGeneration", Int64, "").since(35),
    ]),
};
