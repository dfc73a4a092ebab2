//! Descriptions of markers for users, and the values that they accept.

use super::{ArgumentType, Meaning, ResolvedMarker, Shape};

impl Meaning {
    /// A description of a marker, in one or two sentences of Markdown.
    #[must_use]
    #[expect(clippy::too_many_lines, reason = "one line for each marker")]
    pub const fn doc(self) -> &'static str {
        match self {
            Self::GroupName => {
                "The API group of the kinds in this package. Write it in a comment above `package`."
            }
            Self::VersionName => {
                "The API version of this package, if it differs from the name of the package."
            }
            Self::Skip => "controller-gen skips this package.",
            Self::Required => {
                "Adds the field to `required`, regardless of its `json` tag. On a package, fields are required unless they have another marker."
            }
            Self::Optional => {
                "Keeps the field out of `required`, regardless of its `json` tag. On a package, fields are optional unless they have another marker."
            }
            Self::K8sRequired => "Adds the field to `required`.",
            Self::Maximum => "Sets `maximum`, the largest valid number.",
            Self::Minimum => "Sets `minimum`, the smallest valid number.",
            Self::ExclusiveMaximum => "With `true`, the value of `Maximum` itself is invalid.",
            Self::ExclusiveMinimum => "With `true`, the value of `Minimum` itself is invalid.",
            Self::MultipleOf => "Sets `multipleOf`: the value must be a multiple of this number.",
            Self::MinProperties => "Sets `minProperties`, the minimum number of keys of an object.",
            Self::MaxProperties => {
                "Sets `maxProperties`, the maximum number of keys of an object. Bounds the cost of CEL rules."
            }
            Self::MaxLength => {
                "Sets `maxLength`, the maximum number of characters of a string. Bounds the cost of CEL rules."
            }
            Self::MinLength => "Sets `minLength`, the minimum number of characters of a string.",
            Self::Pattern => {
                "Sets `pattern`, a regular expression (RE2) that a part of the string must match; use `^` and `$` to match all of it."
            }
            Self::MaxItems => {
                "Sets `maxItems`, the maximum number of items of a list. Bounds the cost of CEL rules."
            }
            Self::MinItems => "Sets `minItems`, the minimum number of items of a list.",
            Self::UniqueItems => {
                "Sets `uniqueItems`, which kube-apiserver rejects if it is `true`; use `+listType=set`."
            }
            Self::Enum => "Sets `enum`, the valid values, separated by `;`.",
            Self::Format => {
                "Sets `format`. kube-apiserver validates the formats that it knows and ignores others."
            }
            Self::Type => "Sets `type`, which otherwise follows from the Go type.",
            Self::PreserveUnknownFields => {
                "Sets `x-kubernetes-preserve-unknown-fields`: fields that the schema does not declare are kept."
            }
            Self::EmbeddedResource => {
                "Sets `x-kubernetes-embedded-resource`: the value is an object with `apiVersion`, `kind` and `metadata`."
            }
            Self::IntOrString => "Sets `x-kubernetes-int-or-string`: the value is an integer or a string.",
            Self::Validation => {
                "Adds a CEL rule to `x-kubernetes-validations`. `self` is the value of the field or type."
            }
            Self::AtMostOneOf => "Adds a CEL rule: at most one of these fields is set.",
            Self::ExactlyOneOf => "Adds a CEL rule: exactly one of these fields is set.",
            Self::AtLeastOneOf => "Adds a CEL rule: at least one of these fields is set.",
            Self::K8sEnum => "Sets `enum` to the constants of this type.",
            Self::Nullable => "Sets `nullable`: `null` is valid and is kept.",
            Self::Default => "Sets `default`, the value of the field if an object does not set it.",
            Self::JsonDefault => "Sets `default`, written as JSON.",
            Self::Example => "Sets `example`, which kube-apiserver does not validate.",
            Self::Title => "Sets `title`.",
            Self::ExternalDocs => "Sets `externalDocs`.",
            Self::Schemaless => "Omits the schema of the Go type; only the markers of the field count.",
            Self::Immutable => "Adds CEL rules: the value cannot change once it is set.",
            Self::ListType => "Sets `x-kubernetes-list-type`: how server-side apply merges the list.",
            Self::ListMapKey => {
                "Adds a field to `x-kubernetes-list-map-keys`: these fields identify an item of the list."
            }
            Self::MapType => {
                "Sets `x-kubernetes-map-type`: whether server-side apply merges the map by keys or replaces it."
            }
            Self::StructType => {
                "Sets `x-kubernetes-map-type` of an object: whether server-side apply merges it by fields or replaces it."
            }
            Self::Resource => "Sets `spec.names` and `spec.scope` of the definition.",
            Self::Status => "Adds the subresource `status`.",
            Self::Scale => "Adds the subresource `scale`.",
            Self::PrintColumn => "Adds a column to the output of `kubectl get`.",
            Self::SelectableField => {
                "Adds a field to `selectableFields`, so that lists and watches can select by it."
            }
            Self::StorageVersion => "Marks this version as the storage version.",
            Self::UnservedVersion => "Sets `served: false`: kube-apiserver does not serve this version.",
            Self::SkipVersion => "Omits this version from the definition.",
            Self::DeprecatedVersion => "Marks this version as deprecated: clients get a warning.",
            Self::Metadata => "Adds annotations and labels to the definition itself.",
        }
    }

    /// The values that an argument accepts, if they can be listed; each with a description.
    #[must_use]
    pub fn values(self, argument: &str) -> &'static [(&'static str, &'static str)] {
        match (self, argument) {
            (Self::Type, "") => &TYPES,
            (Self::Format, "") => &FORMATS,
            (Self::ListType, "") => &[
                ("map", "merged by the fields of `+listMapKey`"),
                ("set", "unique values, merged"),
                ("atomic", "replaced as a whole"),
            ],
            (Self::MapType | Self::StructType, "") => {
                &[("granular", "merged field by field"), ("atomic", "replaced as a whole")]
            }
            (Self::Resource, "scope") => &[("Namespaced", ""), ("Cluster", "")],
            (Self::PrintColumn, "type") => &[
                ("string", ""),
                ("integer", ""),
                ("number", ""),
                ("boolean", ""),
                ("date", "shown as an age"),
            ],
            (Self::PrintColumn, "priority") => &[("0", "always"), ("1", "only with `-o wide`")],
            (Self::Validation, "reason") => &[
                ("FieldValueInvalid", "the default"),
                ("FieldValueForbidden", ""),
                ("FieldValueRequired", ""),
                ("FieldValueDuplicate", ""),
            ],
            _ => &[],
        }
    }
}

static TYPES: [(&str, &str); 6] = [
    ("string", ""),
    ("integer", ""),
    ("number", ""),
    ("boolean", ""),
    ("array", "with a schema for the items"),
    ("object", ""),
];

/// The formats that kube-apiserver supports, the most frequent first.
static FORMATS: [(&str, &str); 30] = [
    ("date-time", "`2006-01-02T15:04:05Z`"),
    ("date", "`2006-01-02`"),
    ("duration", "a Go duration, such as `1h30m`"),
    ("uri", ""),
    ("hostname", ""),
    ("email", ""),
    ("ipv4", ""),
    ("ipv6", ""),
    ("cidr", ""),
    ("uuid", ""),
    ("byte", "base64"),
    ("password", "never checked"),
    ("k8s-short-name", ""),
    ("k8s-long-name", ""),
    ("mac", ""),
    ("int32", "for integers"),
    ("int64", "for integers"),
    ("double", "for numbers"),
    ("float", "for numbers"),
    ("bsonobjectid", ""),
    ("creditcard", ""),
    ("hexcolor", ""),
    ("isbn", ""),
    ("isbn10", ""),
    ("isbn13", ""),
    ("rgbcolor", ""),
    ("ssn", ""),
    ("uuid3", ""),
    ("uuid4", ""),
    ("uuid5", ""),
];

impl ArgumentType {
    /// The type, as shown to users.
    #[must_use]
    pub const fn type_name(self) -> &'static str {
        match self {
            Self::Int => "integer",
            Self::Number => "number",
            Self::Text => "string",
            Self::Bool => "true or false",
            Self::Any => "any value",
            Self::Texts => "list of strings, separated by `;`",
            Self::Anys => "list of values, separated by `;`",
        }
    }
}

impl ResolvedMarker {
    /// The form of the marker, as shown to users: name and arguments.
    #[must_use]
    pub fn form(&self) -> String {
        let name = self.name();
        match self.definition.shape {
            Shape::Empty => format!("+{name}"),
            Shape::Value(kind) => format!("+{name}=<{}>", kind.type_name()),
            Shape::OptionalValue(kind) => format!("+{name}[=<{}>]", kind.type_name()),
            Shape::Float(_) => format!("+{name}=<number>"),
            Shape::Integer(_) => format!("+{name}=<integer>"),
            Shape::Json => format!("+{name}=<JSON>"),
            Shape::Arguments(arguments) => {
                let arguments = arguments.iter().map(|argument| {
                    let shown = format!("{}=<{}>", argument.name, argument.kind.type_name());
                    if argument.optional { format!("[{shown}]") } else { shown }
                });
                format!("+{name}:{}", arguments.collect::<Vec<_>>().join(","))
            }
        }
    }
}
