//! Types below the spec and the status that are the same in v1 and v1beta1.

use super::FieldType::{Bytes, Int32, Int64, List, Object, String, Time};
use super::links::{self, linked};
use super::{Field, FieldType, JSON_SCHEMA_PROPS, ObjectType};

static CONDITION: FieldType = Object(&CONDITION_TYPE);

pub(super) static NAMES: ObjectType = ObjectType {
    name: "CustomResourceDefinitionNames",
    fields: &linked(links::SPEC, [
        Field::new(
            "plural",
            String,
            "Name of the resource in URLs, in lower case: `/apis/<group>/<version>/<plural>`. It cannot be changed later.",
        )
        .required(),
        Field::new(
            "singular",
            String,
            "Singular name that kubectl accepts. Without it, the kind in lower case.",
        ),
        Field::new(
            "shortNames",
            List(&String),
            "Short names that kubectl accepts, such as `po` for pods. If another resource of the group has one of them, the kind is not served.",
        ),
        Field::new(
            "kind",
            String,
            "Kind of the resources, in CamelCase. It cannot be changed after the definition is established.",
        )
        .required(),
        Field::new(
            "listKind",
            String,
            "Kind of a list of resources. Without it, the kind followed by `List`.",
        ),
        Field::new(
            "categories",
            List(&String),
            "Groups of resources for kubectl, such as `all` in `kubectl get all`.",
        ),
    ]),
};

pub(super) static VALIDATION: ObjectType = ObjectType {
    name: "CustomResourceValidation",
    fields: &linked(
        links::STRUCTURAL,
        [Field::new(
            "openAPIV3Schema",
            Object(&JSON_SCHEMA_PROPS),
            "Structural schema of the resources, with `type: object` at its root. `apiVersion`, `kind` and `metadata` are implied.",
        )],
    ),
};

pub(super) static SUBRESOURCES: ObjectType = ObjectType {
    name: "CustomResourceSubresources",
    fields: &linked(
        links::SPEC,
        [
            Field::new(
                "status",
                Object(&SUBRESOURCE_STATUS),
                "`{}` enables the endpoint `/status`. Other requests then ignore `status`, and changes of the status do not increase `metadata.generation`.",
            ),
            Field::new(
                "scale",
                Object(&SUBRESOURCE_SCALE),
                "Enables the endpoint `/scale`, which `kubectl scale` and the HorizontalPodAutoscaler use. kube-apiserver does not compare its paths with the schema.",
            ),
        ],
    ),
};

static SUBRESOURCE_STATUS: ObjectType = ObjectType { name: "CustomResourceSubresourceStatus", fields: &[] };

static SUBRESOURCE_SCALE: ObjectType = ObjectType {
    name: "CustomResourceSubresourceScale",
    fields: &linked(
        links::SCALE_SUBRESOURCE,
        [
            Field::new(
                "specReplicasPath",
                String,
                "Path of the desired number of replicas, below `.spec`, such as `.spec.replicas`.",
            )
            .required(),
            Field::new(
                "statusReplicasPath",
                String,
                "Path of the current number of replicas, below `.status`, such as `.status.replicas`.",
            )
            .required(),
            Field::new(
                "labelSelectorPath",
                String,
                "Path of the label selector as a string, such as `.status.labelSelector`. The HorizontalPodAutoscaler requires it.",
            ),
        ],
    ),
};

pub(super) static SELECTABLE_FIELD: ObjectType = ObjectType {
    name: "SelectableField",
    fields: &linked(links::SELECTABLE_FIELDS, [Field::new(
        "jsonPath",
        String,
        "Path of a declared string, integer or boolean, such as `.spec.color`. Write a name with special characters as `['a.b']`.",
    )
    .required()]),
};

pub(super) const SELECTABLE_FIELDS_DOC: &str = "At most eight fields that clients can select by, as in `kubectl get --field-selector`. Versions with equal schemas must have equal selectable fields, and versions with different schemas must have different ones.";

pub(super) static WEBHOOK_CLIENT_CONFIG: ObjectType = ObjectType {
    name: "WebhookClientConfig",
    fields: &linked(
        links::CONVERSION,
        [
            Field::new(
                "url",
                String,
                "Address of the webhook, such as `https://hooks.example.com/convert`. Exactly one of `url` and `service` is required.",
            ),
            Field::new(
                "service",
                Object(&SERVICE_REFERENCE),
                "Service of the webhook in the cluster. Exactly one of `url` and `service` is required.",
            ),
            Field::new(
                "caBundle",
                Bytes,
                "PEM certificates that verify the webhook, in base64. Omit it if a tool such as cert-manager adds it.",
            ),
        ],
    ),
};

static SERVICE_REFERENCE: ObjectType = ObjectType {
    name: "ServiceReference",
    fields: &linked(
        links::CONVERSION,
        [
            Field::new(
                "namespace",
                String,
                "Namespace of the service. If it is empty, the error of kube-apiserver names the field `name` instead.",
            )
            .required(),
            Field::new(
                "name",
                String,
                "Name of the service. If it is empty, the error of kube-apiserver names the field `namespace` instead.",
            )
            .required(),
            Field::new("path", String, "Path of the URL, which begins with `/`. Without it, `/`."),
            Field::new("port", Int32, "Port of the service.").default("443"),
        ],
    ),
};

pub(super) static STATUS: ObjectType = ObjectType {
    name: "CustomResourceDefinitionStatus",
    fields: &linked(
        links::STATUS,
        [
            Field::new(
                "conditions",
                List(&CONDITION),
                "State of the definition, such as `Established`, as kube-apiserver reports it.",
            ),
            Field::new(
                "acceptedNames",
                Object(&NAMES),
                "Names that kube-apiserver serves. They differ from `spec.names` if another kind already has one of these names.",
            ),
            Field::new(
                "storedVersions",
                List(&String),
                "Versions in which objects may be stored. After you have rewritten all objects, remove a version from the list through the endpoint `/status`.",
            ),
            Field::new(
                "observedGeneration",
                Int64,
                "Generation of the definition that the status is about. Kubernetes 1.36 and newer enable it by default.",
            )
            .since(35),
        ],
    ),
};

static CONDITION_TYPE: ObjectType = ObjectType {
    name: "CustomResourceDefinitionCondition",
    fields: &linked(links::STATUS, [
        Field::new(
            "type",
            String,
            "Subject of the condition. `Established` means that the kind is served, and `NamesAccepted` that no other kind has its names.",
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
        Field::new("lastTransitionTime", Time, "When the condition last changed its status."),
        Field::new("reason", String, "Reason of the last change, in one word."),
        Field::new("message", String, "Details of the last change."),
        Field::new("observedGeneration", Int64, "Generation of the definition that the condition is about.").since(35),
    ]),
};
