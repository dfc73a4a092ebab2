//! What markers mean, for people, and which values they take.

use super::{ArgumentType, Known, Meaning, Shape};

impl Meaning {
    /// What a marker does, in one or two sentences of Markdown.
    #[must_use]
    #[allow(clippy::too_many_lines, reason = "one line for each marker")]
    pub const fn doc(self) -> &'static str {
        match self {
            Self::GroupName => {
                "The API group of the kinds in this package; written in a comment above `package`."
            }
            Self::VersionName => {
                "The name of the API version of this package, where it is not the name of the package."
            }
            Self::Skip => "controller-gen leaves this package out.",
            Self::Required => {
                "The field is in `required`, whatever its tag says; on a package, fields are unless they say otherwise."
            }
            Self::Optional => {
                "The field is not in `required`, whatever its tag says; on a package, fields are not unless they say otherwise."
            }
            Self::K8sRequired => "The field is in `required`.",
            Self::Maximum => "Sets `maximum`: the largest number that is valid.",
            Self::Minimum => "Sets `minimum`: the smallest number that is valid.",
            Self::ExclusiveMaximum => "With `true`, the number of `Maximum` itself is not valid.",
            Self::ExclusiveMinimum => "With `true`, the number of `Minimum` itself is not valid.",
            Self::MultipleOf => "Sets `multipleOf`: the number must be a multiple of this one.",
            Self::MinProperties => "Sets `minProperties`: how many keys an object must have at least.",
            Self::MaxProperties => {
                "Sets `maxProperties`: how many keys an object may have. Bounds the cost of CEL rules."
            }
            Self::MaxLength => {
                "Sets `maxLength`: how many characters a string may have. Bounds the cost of CEL rules."
            }
            Self::MinLength => "Sets `minLength`: how many characters a string must have at least.",
            Self::Pattern => {
                "Sets `pattern`: a regular expression (RE2) that the string must match somewhere; `^` and `$` bind it to the ends."
            }
            Self::MaxItems => {
                "Sets `maxItems`: how many items a list may have. Bounds the cost of CEL rules."
            }
            Self::MinItems => "Sets `minItems`: how many items a list must have at least.",
            Self::UniqueItems => {
                "Sets `uniqueItems`, which kube-apiserver refuses if it is `true`; use `+listType=set`."
            }
            Self::Enum => "Sets `enum`: the values that are valid, with `;` between them.",
            Self::Format => {
                "Sets `format`. kube-apiserver checks the formats that it knows and passes over others."
            }
            Self::Type => "Sets `type` in place of the one that follows from the Go type.",
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
            Self::Default => "Sets `default`: the value of the field where an object has none.",
            Self::JsonDefault => "Sets `default`, written as JSON.",
            Self::Example => "Sets `example`, which nothing checks.",
            Self::Title => "Sets `title`.",
            Self::ExternalDocs => "Sets `externalDocs`.",
            Self::Schemaless => "The schema of the Go type is left out; only the markers of the field count.",
            Self::Immutable => "Adds CEL rules: the value does not change once it is set.",
            Self::ListType => "Sets `x-kubernetes-list-type`: how server-side apply merges the list.",
            Self::ListMapKey => {
                "Adds a field to `x-kubernetes-list-map-keys`: these fields tell the items of a list apart."
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
            Self::PrintColumn => "Adds a column to what `kubectl get` prints.",
            Self::SelectableField => {
                "Adds a field to `selectableFields`: lists and watches can select by it."
            }
            Self::StorageVersion => "Objects are stored in this version.",
            Self::UnservedVersion => "kube-apiserver does not serve this version.",
            Self::SkipVersion => "This version is left out of the definition.",
            Self::DeprecatedVersion => "Clients of this version get a warning.",
            Self::Metadata => "Adds annotations and labels to the definition itself.",
        }
    }

    /// The values that an argument takes, where they can be listed; with what is to be said of each.
    #[must_use]
    pub fn values(self, argument: &str) -> &'static [(&'static str, &'static str)] {
        match (self, argument) {
            (Self::Type, "") => &TYPES,
            (Self::Format, "") => &FORMATS,
            (Self::ListType, "") => &[
                ("map", "merged by the fields of `+listMapKey`"),
                ("set", "each value once, merged"),
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
            (Self::PrintColumn, "priority") => &[("0", "always"), ("1", "with `-o wide` alone")],
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

/// Those that kube-apiserver knows.
static FORMATS: [(&str, &str); 30] = [
    ("bsonobjectid", ""),
    ("byte", "base64"),
    ("cidr", ""),
    ("creditcard", ""),
    ("date", "`2006-01-02`"),
    ("date-time", "`2006-01-02T15:04:05Z`"),
    ("duration", "of Go, such as `1h30m`"),
    ("email", ""),
    ("hexcolor", ""),
    ("hostname", ""),
    ("ipv4", ""),
    ("ipv6", ""),
    ("isbn", ""),
    ("isbn10", ""),
    ("isbn13", ""),
    ("k8s-long-name", ""),
    ("k8s-short-name", ""),
    ("mac", ""),
    ("password", "never checked"),
    ("rgbcolor", ""),
    ("ssn", ""),
    ("uri", ""),
    ("uuid", ""),
    ("uuid3", ""),
    ("uuid4", ""),
    ("uuid5", ""),
    ("int32", "of integers"),
    ("int64", "of integers"),
    ("float", "of numbers"),
    ("double", "of numbers"),
];

impl ArgumentType {
    /// The type for people.
    #[must_use]
    pub const fn shown(self) -> &'static str {
        match self {
            Self::Int => "integer",
            Self::Number => "number",
            Self::Text => "string",
            Self::Bool => "true or false",
            Self::Any => "any value",
            Self::Texts => "list of strings, with `;` between them",
            Self::Anys => "list of values, with `;` between them",
        }
    }
}

impl Known {
    /// The form of the marker for people: name and arguments.
    #[must_use]
    pub fn form(&self) -> String {
        let name = self.name();
        match self.definition.shape {
            Shape::Empty => format!("+{name}"),
            Shape::Value(kind) => format!("+{name}=<{}>", kind.shown()),
            Shape::OptionalValue(kind) => format!("+{name}[=<{}>]", kind.shown()),
            Shape::Float(_) => format!("+{name}=<number>"),
            Shape::Integer(_) => format!("+{name}=<integer>"),
            Shape::Json => format!("+{name}=<JSON>"),
            Shape::Arguments(arguments) => {
                let arguments = arguments.iter().map(|argument| {
                    let shown = format!("{}=<{}>", argument.name, argument.kind.shown());
                    if argument.optional { format!("[{shown}]") } else { shown }
                });
                format!("+{name}:{}", arguments.collect::<Vec<_>>().join(","))
            }
        }
    }
}
