//! ObjectMeta and the types below it, of `k8s.io/apimachinery`.

use super::FieldType::{Bool, Int64, Json, List, Map, Object, String, Time};
use super::{Field, FieldType, ObjectType};

static OWNER: FieldType = Object(&OWNER_REFERENCE);
static MANAGED: FieldType = Object(&MANAGED_FIELDS_ENTRY);

/// `ObjectMeta`: what every object of the cluster carries.
pub static OBJECT_META: ObjectType = ObjectType {
    name: "ObjectMeta",
    fields: &[
        Field::new(
            "name",
            String,
            "The object's name. For a CustomResourceDefinition it must be `<spec.names.plural>.<spec.group>`, e.g. `crontabs.stable.example.com`, which is at most 253 characters.",
        ),
        Field::new(
            "generateName",
            String,
            "A prefix from which the server makes a name when `name` is empty. Of no use for a CustomResourceDefinition, whose name is fixed by its plural and group.",
        ),
        Field::new(
            "namespace",
            String,
            "The namespace of a namespaced object. A CustomResourceDefinition belongs to the whole cluster and must not have one.",
        ),
        Field::new(
            "selfLink",
            String,
            "Formerly the object's URL. The server no longer fills it in; leave it out.",
        ),
        Field::new(
            "uid",
            String,
            "The object's identity over time, given by the server. Leave it out of files: an update with another uid is a conflict.",
        ),
        Field::new(
            "resourceVersion",
            String,
            "The state of the object that an update starts from, given by the server. Leave it out of files that are applied; with it, an update of a newer state fails.",
        ),
        Field::new(
            "generation",
            Int64,
            "Counts the changes of `spec`. Set by the server; what a client writes is overwritten.",
        ),
        Field::new(
            "creationTimestamp",
            Time,
            "When the server created the object. Set by the server. Generators write `creationTimestamp: null`, which is harmless.",
        ),
        Field::new(
            "deletionTimestamp",
            Time,
            "When the deletion was asked for. Set by the server; the object lasts until its finalizers are gone.",
        ),
        Field::new(
            "deletionGracePeriodSeconds",
            Int64,
            "Seconds of grace that the deletion allows. Set by the server on deletion.",
        ),
        Field::new(
            "labels",
            Map(&String),
            "Keys and values for selecting objects. A key is a name of at most 63 characters, optionally with a DNS prefix (`example.com/part`); a value has at most 63 characters of letters, digits, `-`, `_` and `.`. Values are strings: quote numbers and booleans.",
        ),
        Field::new(
            "annotations",
            Map(&String),
            "Keys and values for tools; values are free strings, keys follow the rules of labels. Together at most 262144 bytes. A client-side `kubectl apply` stores the whole object in one, and so fails for a CRD of that size.\n\n`api-approved.kubernetes.io` is required for groups that end in `.k8s.io` or `.kubernetes.io`: a URL, or a text that begins with `unapproved`.",
        ),
        Field::new(
            "ownerReferences",
            List(&OWNER),
            "Objects that this one depends on: it is deleted when the last of them is gone. At most one may be its controller. An object of the whole cluster cannot be owned by a namespaced one.",
        ),
        Field::new(
            "finalizers",
            List(&String),
            "Names that hold back deletion until each is removed, usually by a controller. On a CustomResourceDefinition the server itself adds `customresourcecleanup.apiextensions.k8s.io`, which deletes all resources of the kind first. `orphan` and `foregroundDeletion` exclude each other.",
        ),
        Field::new(
            "managedFields",
            List(&MANAGED),
            "Which client owns which fields, kept by the server for server-side apply. Leave it out of files.",
        ),
    ],
};

static OWNER_REFERENCE: ObjectType = ObjectType {
    name: "OwnerReference",
    fields: &[
        Field::new("apiVersion", String, "The owner's API, as `<group>/<version>` or `<version>`.")
            .required(),
        Field::new("kind", String, "The owner's kind. The core `Event` cannot be an owner.").required(),
        Field::new("name", String, "The owner's name.").required(),
        Field::new("uid", String, "The owner's uid. An owner of that name with another uid does not count.")
            .required(),
        Field::new(
            "controller",
            Bool,
            "`true` for the one owner that manages this object. More than one is refused.",
        ),
        Field::new(
            "blockOwnerDeletion",
            Bool,
            "`true` keeps the owner until this object is gone, when the owner is deleted in the foreground.",
        ),
    ],
};

static MANAGED_FIELDS_ENTRY: ObjectType = ObjectType {
    name: "ManagedFieldsEntry",
    fields: &[
        Field::new("manager", String, "The client that owns the fields, e.g. `kubectl`."),
        Field::new("operation", String, "How the client came to own them.").values(&["Apply", "Update"]),
        Field::new("apiVersion", String, "The version of the object in which the fields are named."),
        Field::new("time", Time, "When the entry last changed."),
        Field::new("fieldsType", String, "The form of `fieldsV1`.").values(&["FieldsV1"]),
        Field::new("fieldsV1", Json, "The set of owned fields, in the server's own notation."),
        Field::new(
            "subresource",
            String,
            "The subresource through which the change came, e.g. `status`; empty for the object itself.",
        ),
    ],
};
