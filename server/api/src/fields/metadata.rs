//! ObjectMeta and the types below it, of `k8s.io/apimachinery`.

use super::FieldType::{Bool, Int64, Json, List, Map, Object, String, Time};
use super::links::{self, linked};
use super::{Field, FieldType, ObjectType};

static OWNER: FieldType = Object(&OWNER_REFERENCE);
static MANAGED: FieldType = Object(&MANAGED_FIELDS_ENTRY);

/// `ObjectMeta`: the metadata of every object of the cluster.
pub static OBJECT_META: ObjectType = ObjectType {
    name: "ObjectMeta",
    fields: &linked(
        links::OBJECT_META,
        [
            Field::new(
                "name",
                String,
                "Name of the object. That of a definition is `<spec.names.plural>.<spec.group>`, such as `crontabs.stable.example.com`.",
            ),
            Field::new(
                "generateName",
                String,
                "Start of a name that kube-apiserver completes. A definition cannot use it, because plural and group determine its name.",
            ),
            Field::new(
                "namespace",
                String,
                "Namespace of the object. Definitions are cluster-scoped and have none.",
            ),
            Field::new("selfLink", String, "Obsolete. Omit it."),
            Field::new(
                "uid",
                String,
                "Identity of the object, which kube-apiserver sets. Omit it: an update with a different `uid` fails.",
            ),
            Field::new(
                "resourceVersion",
                String,
                "Version of the object, which kube-apiserver sets. Omit it: with it, an update fails if the object has changed since.",
            ),
            Field::new(
                "generation",
                Int64,
                "Number of changes of the desired state, which kube-apiserver counts. Values in files are ignored.",
            ),
            Field::new(
                "creationTimestamp",
                Time,
                "Time of creation, which kube-apiserver sets. The `null` that generators write has no effect.",
            ),
            Field::new("deletionTimestamp", Time, "Time of deletion, which kube-apiserver sets. Omit it."),
            Field::new(
                "deletionGracePeriodSeconds",
                Int64,
                "Seconds until the object is deleted, which kube-apiserver sets. Omit it.",
            ),
            Field::new(
                "labels",
                Map(&String),
                "Short texts by which clients select objects, such as `app: web`. Values have at most 63 letters, digits, `-`, `_` and `.`; quote numbers and booleans.",
            ),
            Field::new(
                "annotations",
                Map(&String),
                "Texts for tools, with at most 262,144 bytes in total. A client-side `kubectl apply` stores the whole object in one of them.",
            ),
            Field::new(
                "ownerReferences",
                List(&OWNER),
                "Owners of this object: after they are deleted, it is deleted as well. A cluster-scoped object cannot have a namespaced owner.",
            ),
            Field::new(
                "finalizers",
                List(&String),
                "Names of tasks to complete before the object is deleted. kube-apiserver adds one to each definition, so that all resources of the kind are deleted first.",
            ),
            Field::new(
                "managedFields",
                List(&MANAGED),
                "Which client owns which field, as kube-apiserver records it. Omit it.",
            ),
        ],
    ),
};

static OWNER_REFERENCE: ObjectType = ObjectType {
    name: "OwnerReference",
    fields: &linked(
        links::OBJECT_META,
        [
            Field::new(
                "apiVersion",
                String,
                "API version of the owner, as `<group>/<version>` or `<version>`.",
            )
            .required(),
            Field::new("kind", String, "Kind of the owner. An `Event` of the core group cannot be one.")
                .required(),
            Field::new("name", String, "Name of the owner.").required(),
            Field::new(
                "uid",
                String,
                "Identity of the owner. An object of the same name with a different `uid` is not the owner.",
            )
            .required(),
            Field::new("controller", Bool, "Whether this owner manages the object. Only one owner can."),
            Field::new(
                "blockOwnerDeletion",
                Bool,
                "Whether the owner remains until this object is deleted, in foreground deletion.",
            ),
        ],
    ),
};

static MANAGED_FIELDS_ENTRY: ObjectType = ObjectType {
    name: "ManagedFieldsEntry",
    fields: &linked(
        links::OBJECT_META,
        [
            Field::new("manager", String, "Name of the client, such as `kubectl`."),
            Field::new("operation", String, "How the client wrote the fields.").values(&["Apply", "Update"]),
            Field::new("apiVersion", String, "API version of the field paths."),
            Field::new("time", Time, "When the client last wrote the fields."),
            Field::new("fieldsType", String, "Notation of the fields: `FieldsV1`.").values(&["FieldsV1"]),
            Field::new("fieldsV1", Json, "Fields that the client owns, in the notation of kube-apiserver."),
            Field::new("subresource", String, "Subresource through which the client wrote the fields."),
        ],
    ),
};
