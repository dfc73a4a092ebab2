//! The meanings of single values of fields, in at most two sentences each.

/// Values, each with its meaning, as Markdown.
pub(super) type Meanings = &'static [(&'static str, &'static str)];

pub(super) const TYPES: Meanings = &[
    ("array", "A list. `items` describes its items."),
    ("boolean", "`true` or `false`. Without quotes, `yes` and `on` also become `true` for kube-apiserver."),
    ("integer", "A whole number. `format: int32` or `format: int64` sets its range."),
    (
        "number",
        "A number, possibly with a fraction. Prefer an integer in a small unit, or a string, because clients round numbers differently.",
    ),
    ("object", "An object. `properties` declares its fields, or `additionalProperties` makes it a map."),
    ("string", "A text. Quote values that YAML reads as something else, such as `1.10` and `on`."),
];

pub(super) const FORMATS: Meanings = &[
    ("date-time", "A time as in RFC 3339, such as `2024-02-29T12:00:00Z`. In CEL the value is a timestamp."),
    ("date", "A date as in RFC 3339, such as `2024-02-29`. In CEL the value is a timestamp."),
    ("duration", "A Go duration, such as `1h30m`. In CEL the value is a duration."),
    ("uri", "A URI that `ParseRequestURI` of Go accepts, such as `https://example.com/`."),
    ("hostname", "A host name, such as `www.example.com`."),
    ("email", "An e-mail address."),
    ("ipv4", "An IPv4 address, such as `192.168.0.1`."),
    ("ipv6", "An IPv6 address, such as `2001:db8::1`."),
    ("cidr", "A network in CIDR notation, such as `192.168.0.0/16`."),
    ("uuid", "A UUID, such as `f81d4fae-7dec-11d0-a765-00a0c91e6bf6`."),
    ("byte", "Bytes in base64. In CEL the value has the type `bytes`."),
    ("password", "Any text. It tells clients to hide the value; kube-apiserver does not."),
    (
        "k8s-short-name",
        "A DNS label of at most 63 characters, such as `web`. Kubernetes 1.35 and newer validate it.",
    ),
    (
        "k8s-long-name",
        "A DNS subdomain of at most 253 characters, such as `web.example.com`. Kubernetes 1.35 and newer validate it.",
    ),
    ("mac", "A MAC address, such as `00:00:5e:00:53:01`."),
    ("int32", "An integer of 32 bits, at most 2,147,483,647. Kubernetes 1.36 and newer validate it."),
    ("int64", "An integer of 64 bits. Kubernetes 1.36 and newer validate it."),
    ("double", "A floating-point number of 64 bits. Kubernetes 1.36 and newer validate it."),
    ("float", "A floating-point number of 32 bits. Kubernetes 1.36 and newer validate it."),
    ("bsonobjectid", "A BSON object id: 24 hexadecimal digits."),
    ("creditcard", "A credit card number."),
    ("hexcolor", "A colour in hexadecimal digits, such as `#FFAA00`."),
    ("isbn", "An ISBN of 10 or 13 digits."),
    ("isbn10", "An ISBN of 10 digits."),
    ("isbn13", "An ISBN of 13 digits."),
    ("rgbcolor", "A colour, such as `rgb(255, 170, 0)`."),
    ("ssn", "A US social security number."),
    ("uuid3", "A UUID of version 3."),
    ("uuid4", "A UUID of version 4."),
    ("uuid5", "A UUID of version 5."),
];

pub(super) const LIST_TYPES: Meanings = &[
    ("atomic", "The client that applies the list replaces all of it. This is the default."),
    (
        "set",
        "Each item has its own owner, and equal items are rejected. The items must be scalars or atomic.",
    ),
    (
        "map",
        "`x-kubernetes-list-map-keys` identify the items, and each item has its own owners. `oldSelf` works in rules below such lists.",
    ),
];

pub(super) const MAP_TYPES: Meanings = &[
    ("atomic", "The client that applies the object replaces all of it."),
    ("granular", "Each field has its own owner. This is the default."),
];

pub(super) const REASONS: Meanings = &[
    ("FieldValueDuplicate", "The value must be unique, and it is not."),
    ("FieldValueForbidden", "The value is valid, but not allowed here."),
    ("FieldValueInvalid", "The value is invalid. This is the default."),
    ("FieldValueRequired", "The value is required, and it is missing."),
];

pub(super) const SCOPES: Meanings = &[
    ("Cluster", "The resources belong to the cluster, and their names are unique in it."),
    ("Namespaced", "Each resource belongs to a namespace, and its name is unique there."),
];

pub(super) const STRATEGIES: Meanings = &[
    (
        "None",
        "kube-apiserver changes only `apiVersion` and prunes fields that the other version does not declare.",
    ),
    (
        "Webhook",
        "kube-apiserver calls the webhook to convert objects. It requires `preserveUnknownFields: false`.",
    ),
];

pub(super) const COLUMN_TYPES: Meanings = &[
    ("boolean", "Shows booleans. Other values leave the cell empty."),
    ("date", "Shows the age of a timestamp, such as `5d`."),
    ("integer", "Shows whole numbers and cuts off fractions. Other values leave the cell empty."),
    ("number", "Shows numbers. Other values leave the cell empty."),
    ("string", "Shows any value, with lists and objects as JSON."),
];

pub(super) const STAGES: Meanings = &[
    ("alpha", "The gate is off by default."),
    ("beta", "`default` says whether the gate is on by default."),
    ("stable", "The gate is always on."),
    ("deprecated", "The gate will be removed."),
];
