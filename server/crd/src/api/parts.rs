//! Types below the spec and the status that are the same in v1 and v1beta1.

use super::FieldType::{Bytes, Int32, Int64, List, Object, String, Time};
use super::{Field, FieldType, JSON_SCHEMA_PROPS, ObjectType};

static CONDITION: FieldType = Object(&CONDITION_TYPE);

pub(super) static NAMES: ObjectType = ObjectType {
    name: "CustomResourceDefinitionNames",
    fields: &[
        Field::new(
            "plural",
            String,
            "The name in URLs and for kubectl: `/apis/<group>/<version>/…/<plural>`. Lower case; begins with a letter, then letters, digits and `-`; at most 63 characters. It cannot be changed later, and the CRD's own name begins with it.",
        )
        .required(),
        Field::new(
            "singular",
            String,
            "The name for one object, on the command line. When absent, the kind in lower case. Same form as `plural`; a kind that is not fit for it then gives two errors.",
        ),
        Field::new(
            "shortNames",
            List(&String),
            "Abbreviations for the command line, e.g. `ct`. Each must not be in use by another resource of the group, else the names are not accepted and the kind is not served.",
        ),
        Field::new(
            "kind",
            String,
            "The name that resources carry in `kind:`, in CamelCase and singular. In lower case it must be a DNS label of at most 63 characters. It cannot be changed once the CRD is established.",
        )
        .required(),
        Field::new(
            "listKind",
            String,
            "The kind of a list of these objects. When absent, the kind followed by `List`; it must differ from the kind.",
        ),
        Field::new(
            "categories",
            List(&String),
            "Groups of resources for `kubectl get`, e.g. `all`, that this one takes part in. Same form as `plural`.",
        ),
    ],
};

pub(super) static VALIDATION: ObjectType = ObjectType {
    name: "CustomResourceValidation",
    fields: &[Field::new(
        "openAPIV3Schema",
        Object(&JSON_SCHEMA_PROPS),
        "The structural schema that resources are pruned, defaulted and validated with. The root is `type: object`; `apiVersion`, `kind` and `metadata` are implied. Required for v1.\n\n```yaml\nopenAPIV3Schema:\n  type: object\n  properties:\n    spec:\n      type: object\n```\n\nErrors of the server name it `spec.validation.openAPIV3Schema` when all versions have the same schema.",
    )],
};

pub(super) static SUBRESOURCES: ObjectType = ObjectType {
    name: "CustomResourceSubresources",
    fields: &[
        Field::new(
            "status",
            Object(&SUBRESOURCE_STATUS),
            "`{}` turns on the `/status` endpoint. Writes to the object itself then ignore `.status` (on create it is dropped), writes to `/status` change nothing else, and `metadata.generation` counts changes outside of the status only.\n\nThe schema's root may then hold few keywords: no `oneOf`, `anyOf`, `allOf`, `not`, `enum`, `minProperties`, `default`.",
        ),
        Field::new(
            "scale",
            Object(&SUBRESOURCE_SCALE),
            "Turns on the `/scale` endpoint, which `kubectl scale` and the HorizontalPodAutoscaler use. The paths are not compared with the schema.",
        ),
    ],
};

static SUBRESOURCE_STATUS: ObjectType = ObjectType { name: "CustomResourceSubresourceStatus", fields: &[] };

static SUBRESOURCE_SCALE: ObjectType = ObjectType {
    name: "CustomResourceSubresourceScale",
    fields: &[
        Field::new(
            "specReplicasPath",
            String,
            "Where the wished number of replicas stands, e.g. `.spec.replicas`. Must begin with `.spec.`; no list notation. When a resource has no value there, reading `/scale` fails.",
        )
        .required(),
        Field::new(
            "statusReplicasPath",
            String,
            "Where the present number of replicas stands, e.g. `.status.replicas`. Must begin with `.status.`; no list notation. An absent value reads as 0.",
        )
        .required(),
        Field::new(
            "labelSelectorPath",
            String,
            "Where the label selector stands, as a string, e.g. `.status.labelSelector`. Must begin with `.spec.` or `.status.`. The HorizontalPodAutoscaler needs it.",
        ),
    ],
};

pub(super) static SELECTABLE_FIELD: ObjectType = ObjectType {
    name: "SelectableField",
    fields: &[Field::new(
        "jsonPath",
        String,
        "The path of a declared field of type string, boolean or integer, e.g. `.spec.color`. Not below `metadata`, no lists; a key with special characters is written `['a.b']`.",
    )
    .required()],
};

pub(super) const SELECTABLE_FIELDS_DOC: &str = "Fields that `kubectl get --field-selector` can select by, at most 8, each once. Beta and on from 1.31, stable from 1.32.\n\nWith several versions, schemas and selectable fields must be either both the same in all versions or both different; the server refuses the mixture with a misleading text.";

pub(super) static WEBHOOK_CLIENT_CONFIG: ObjectType = ObjectType {
    name: "WebhookClientConfig",
    fields: &[
        Field::new(
            "url",
            String,
            "The webhook's address, `https://host[:port]/path`. No user, query or fragment. Exactly one of `url` and `service` is required; `localhost` fits only where the webhook runs beside every API server.",
        ),
        Field::new(
            "service",
            Object(&SERVICE_REFERENCE),
            "The Service in front of the webhook. Exactly one of `url` and `service` is required.",
        ),
        Field::new(
            "caBundle",
            Bytes,
            "Certificates in PEM, encoded in base64, that the webhook's certificate is checked with. Without it, those of the server's system. From 1.31 on a bundle that cannot be read is refused on update, and one given on create keeps the CRD from being served; leave it out where cert-manager injects it.",
        ),
    ],
};

static SERVICE_REFERENCE: ObjectType = ObjectType {
    name: "ServiceReference",
    fields: &[
        Field::new("namespace", String, "The Service's namespace. When it is empty, the server's error names the field `name` by mistake.")
            .required(),
        Field::new("name", String, "The Service's name. When it is empty, the server's error names the field `namespace` by mistake.")
            .required(),
        Field::new("path", String, "The path of the URL, with a leading `/`; its segments are DNS names. When absent, `/`."),
        Field::new("port", Int32, "The Service's port, from 1 to 65535.").default("443"),
    ],
};

pub(super) static STATUS: ObjectType = ObjectType {
    name: "CustomResourceDefinitionStatus",
    fields: &[
        Field::new(
            "conditions",
            List(&CONDITION),
            "What the server found out about the CRD, written by the server; in a file it is ignored on create.",
        ),
        Field::new(
            "acceptedNames",
            Object(&NAMES),
            "The names that are really served. They differ from `spec.names` when those are taken. Written by the server.",
        ),
        Field::new(
            "storedVersions",
            List(&String),
            "All versions in which objects were ever stored. A version listed here must stay in `spec.versions`; take it out of the list, through the `/status` endpoint, after all objects were rewritten in another version.",
        ),
        Field::new(
            "observedGeneration",
            Int64,
            "The generation of the CRD that the server has processed. On by default from 1.36 on.",
        )
        .since(35),
    ],
};

static CONDITION_TYPE: ObjectType = ObjectType {
    name: "CustomResourceDefinitionCondition",
    fields: &[
        Field::new(
            "type",
            String,
            "What the condition is about. `Established`: the kind is served. `NamesAccepted`: no name is taken. `NonStructuralSchema`: the schema violates the structural rules, which the message lists.",
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
        Field::new("status", String, "Whether the condition holds.").required().values(&["False", "True", "Unknown"]),
        Field::new("lastTransitionTime", Time, "When `status` last changed."),
        Field::new("reason", String, "One word in CamelCase for programs, e.g. `Violations`."),
        Field::new("message", String, "The details for a reader."),
        Field::new("observedGeneration", Int64, "The generation of the CRD that the condition was found for.").since(35),
    ],
};
