//! ObjectMeta and the types below it, of `k8s.io/apimachinery`.

use super::FieldType::{Bool, Int64, Json, List, Map, Object, String, Time};
use super::texts::{self, told};
use super::{Field, FieldType, ObjectType};

static OWNER: FieldType = Object(&OWNER_REFERENCE);
static MANAGED: FieldType = Object(&MANAGED_FIELDS_ENTRY);

/// `ObjectMeta`: what every object of the cluster carries.
pub static OBJECT_META: ObjectType = ObjectType {
    name: "ObjectMeta",
    fields: &told(
        texts::OBJECT_META,
        [
            Field::new(
                "name",
                String,
                "For a CustomResourceDefinition it must be `<spec.names.plural>.<spec.group>`, e.g. `crontabs.stable.example.com`, which is at most 253 characters.",
            ),
            Field::new(
                "generateName",
                String,
                "Of no use for a CustomResourceDefinition, whose name is fixed by its plural and group.",
            ),
            Field::new(
                "namespace",
                String,
                "A CustomResourceDefinition belongs to the whole cluster and must not have one.",
            ),
            Field::new("selfLink", String, "Leave it out."),
            Field::new("uid", String, "Leave it out of files: an update with another uid is a conflict."),
            Field::new(
                "resourceVersion",
                String,
                "Leave it out of files that are applied; with it, an update of a newer state fails.",
            ),
            Field::new(
                "generation",
                Int64,
                "Counts the changes of `spec`; what a client writes is overwritten.",
            ),
            Field::new(
                "creationTimestamp",
                Time,
                "Generators write `creationTimestamp: null`, which is harmless.",
            ),
            Field::new("deletionTimestamp", Time, ""),
            Field::new("deletionGracePeriodSeconds", Int64, ""),
            Field::new(
                "labels",
                Map(&String),
                "A key is a name of at most 63 characters, optionally with a DNS prefix (`example.com/part`); a value has at most 63 characters of letters, digits, `-`, `_` and `.`. Values are strings: quote numbers and booleans.",
            ),
            Field::new(
                "annotations",
                Map(&String),
                "Values are free strings, keys follow the rules of labels. Together at most 262144 bytes. A client-side `kubectl apply` stores the whole object in one, and so fails for a CRD of that size.\n\n`api-approved.kubernetes.io` is required for groups that end in `.k8s.io` or `.kubernetes.io`: a URL, or a text that begins with `unapproved`.",
            ),
            Field::new(
                "ownerReferences",
                List(&OWNER),
                "An object of the whole cluster cannot be owned by a namespaced one.",
            ),
            Field::new(
                "finalizers",
                List(&String),
                "`orphan` and `foregroundDeletion` exclude each other. On a CustomResourceDefinition the server itself adds `customresourcecleanup.apiextensions.k8s.io`, which deletes all resources of the kind first.",
            ),
            Field::new("managedFields", List(&MANAGED), "Leave it out of files."),
        ],
    ),
};

static OWNER_REFERENCE: ObjectType = ObjectType {
    name: "OwnerReference",
    fields: &told(
        texts::OWNER_REFERENCE,
        [
            Field::new("apiVersion", String, "As `<group>/<version>` or `<version>`.").required(),
            Field::new("kind", String, "The core `Event` cannot be an owner.").required(),
            Field::new("name", String, "").required(),
            Field::new("uid", String, "An owner of that name with another uid does not count.").required(),
            Field::new("controller", Bool, "More than one is refused."),
            Field::new("blockOwnerDeletion", Bool, ""),
        ],
    ),
};

static MANAGED_FIELDS_ENTRY: ObjectType = ObjectType {
    name: "ManagedFieldsEntry",
    fields: &told(
        texts::MANAGED_FIELDS_ENTRY,
        [
            Field::new("manager", String, "E.g. `kubectl`."),
            Field::new("operation", String, "").values(&["Apply", "Update"]),
            Field::new("apiVersion", String, ""),
            Field::new("time", Time, ""),
            Field::new("fieldsType", String, "").values(&["FieldsV1"]),
            Field::new("fieldsV1", Json, "The set of owned fields, in the server's own notation."),
            Field::new("subresource", String, ""),
        ],
    ),
};
