//! The markers of the generator `crd`: their names, targets and arguments.

use crate::version::{Change, Version};

/// The target of a marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// The package.
    Package,
    /// A type declaration.
    Type,
    /// A field of a struct.
    Field,
}

/// The type of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArgumentType {
    /// An integer.
    Int,
    /// A number.
    Number,
    /// A text.
    Text,
    /// `true` or `false`.
    Bool,
    /// Any value; its form determines its type.
    Any,
    /// A list of texts.
    Texts,
    /// A list of any values.
    Anys,
}

/// A named argument.
#[derive(Clone, Copy, Debug)]
pub struct Argument {
    /// Its name.
    pub name: &'static str,
    /// Its type.
    pub kind: ArgumentType,
    /// Whether it is optional.
    pub optional: bool,
    /// The change of controller-gen that introduced the argument.
    pub since: Option<Change>,
}

/// The form of a marker's arguments.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    /// No arguments.
    Empty,
    /// A value after `=`.
    Value(ArgumentType),
    /// An optional value after `=`.
    OptionalValue(ArgumentType),
    /// Named arguments.
    Arguments(&'static [Argument]),
    /// A number that `strconv.ParseFloat` parses. Errors call it by this name.
    Float(&'static str),
    /// An integer that `strconv.Atoi` parses. Errors call it by this name.
    Integer(&'static str),
    /// JSON.
    Json,
}

/// The meaning of a marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are those of the markers")]
pub enum Meaning {
    GroupName,
    VersionName,
    Skip,
    Required,
    Optional,
    K8sRequired,
    Maximum,
    Minimum,
    ExclusiveMaximum,
    ExclusiveMinimum,
    MultipleOf,
    MinProperties,
    MaxProperties,
    MaxLength,
    MinLength,
    Pattern,
    MaxItems,
    MinItems,
    UniqueItems,
    Enum,
    Format,
    Type,
    PreserveUnknownFields,
    EmbeddedResource,
    IntOrString,
    Validation,
    AtMostOneOf,
    ExactlyOneOf,
    AtLeastOneOf,
    K8sEnum,
    Nullable,
    Default,
    JsonDefault,
    Example,
    Title,
    ExternalDocs,
    Schemaless,
    Immutable,
    ListType,
    ListMapKey,
    MapType,
    StructType,
    Resource,
    Status,
    Scale,
    PrintColumn,
    SelectableField,
    StorageVersion,
    UnservedVersion,
    SkipVersion,
    DeprecatedVersion,
    Metadata,
}

impl Meaning {
    /// Whether a marker describes a kind and not a schema.
    #[must_use]
    pub const fn is_of_kind(self) -> bool {
        matches!(
            self,
            Self::Resource
                | Self::Status
                | Self::Scale
                | Self::PrintColumn
                | Self::SelectableField
                | Self::StorageVersion
                | Self::UnservedVersion
                | Self::SkipVersion
                | Self::DeprecatedVersion
                | Self::Metadata
        )
    }

    /// Whether a marker only rejects values, or describes them. Without it, no other part of the definition becomes wrong, except
    /// that rules may exceed the cost limit.
    #[must_use]
    pub const fn only_restricts(self) -> bool {
        matches!(
            self,
            Self::Maximum
                | Self::Minimum
                | Self::ExclusiveMaximum
                | Self::ExclusiveMinimum
                | Self::MultipleOf
                | Self::MinProperties
                | Self::MaxProperties
                | Self::MaxLength
                | Self::MinLength
                | Self::Pattern
                | Self::MaxItems
                | Self::MinItems
                | Self::UniqueItems
                | Self::Enum
                | Self::K8sEnum
                | Self::Validation
                | Self::AtMostOneOf
                | Self::ExactlyOneOf
                | Self::AtLeastOneOf
                | Self::Example
                | Self::Title
                | Self::ExternalDocs
                | Self::PrintColumn
                | Self::SelectableField
        )
    }

    /// Whether a marker lists fields of its type.
    #[must_use]
    pub const fn is_union(self) -> bool {
        matches!(self, Self::AtLeastOneOf | Self::AtMostOneOf | Self::ExactlyOneOf)
    }

    /// The keyword of a schema that a marker sets.
    #[must_use]
    pub const fn keyword(self) -> Option<&'static str> {
        Some(match self {
            Self::Maximum => "maximum",
            Self::Minimum => "minimum",
            Self::ExclusiveMaximum => "exclusiveMaximum",
            Self::ExclusiveMinimum => "exclusiveMinimum",
            Self::MultipleOf => "multipleOf",
            Self::MinProperties => "minProperties",
            Self::MaxProperties => "maxProperties",
            Self::MaxLength => "maxLength",
            Self::MinLength => "minLength",
            Self::Pattern => "pattern",
            Self::MaxItems => "maxItems",
            Self::MinItems => "minItems",
            Self::UniqueItems => "uniqueItems",
            Self::Enum => "enum",
            Self::Format => "format",
            Self::Type => "type",
            Self::PreserveUnknownFields => "x-kubernetes-preserve-unknown-fields",
            Self::EmbeddedResource => "x-kubernetes-embedded-resource",
            Self::IntOrString => "x-kubernetes-int-or-string",
            Self::Validation => "x-kubernetes-validations",
            Self::Nullable => "nullable",
            Self::Default | Self::JsonDefault => "default",
            Self::Example => "example",
            Self::Title => "title",
            Self::ListType => "x-kubernetes-list-type",
            Self::MapType | Self::StructType => "x-kubernetes-map-type",
            _ => return None,
        })
    }
}

/// A marker.
#[derive(Debug)]
pub struct Definition {
    /// Its name, without `+`.
    pub name: &'static str,
    /// The targets it may be written on.
    pub targets: &'static [Target],
    /// Its meaning.
    pub meaning: Meaning,
    /// Its arguments.
    pub shape: Shape,
    /// The change of controller-gen that introduced the marker.
    pub since: Option<Change>,
}

/// A definition that was looked up by name.
#[derive(Clone, Copy, Debug)]
pub struct ResolvedMarker {
    /// The definition; for `items`, that of the marker after the prefix.
    pub definition: &'static Definition,
    /// Whether the marker applies to the items of a list.
    pub items: bool,
}

impl ResolvedMarker {
    /// The name of the marker, without `+`.
    #[must_use]
    pub fn name(&self) -> String {
        match self.definition.name.strip_prefix(VALIDATION) {
            Some(last) if self.items => format!("{ITEMS}{last}"),
            _ => self.definition.name.to_owned(),
        }
    }
}

const VALIDATION: &str = "kubebuilder:validation:";
const ITEMS: &str = "kubebuilder:validation:items:";

const PACKAGE: &[Target] = &[Target::Package];
const TYPE: &[Target] = &[Target::Type];
const FIELD: &[Target] = &[Target::Field];
const BOTH: &[Target] = &[Target::Type, Target::Field];

const fn needed(name: &'static str, kind: ArgumentType) -> Argument {
    Argument { name, kind, optional: false, since: None }
}

const fn optional(name: &'static str, kind: ArgumentType) -> Argument {
    Argument { name, kind, optional: true, since: None }
}

const fn argument_since(name: &'static str, kind: ArgumentType, change: Change) -> Argument {
    Argument { name, kind, optional: true, since: Some(change) }
}

const fn define(
    name: &'static str,
    targets: &'static [Target],
    meaning: Meaning,
    shape: Shape,
) -> Definition {
    Definition { name, targets, meaning, shape, since: None }
}

const fn later(
    change: Change,
    name: &'static str,
    targets: &'static [Target],
    meaning: Meaning,
    shape: Shape,
) -> Definition {
    Definition { name, targets, meaning, shape, since: Some(change) }
}

use ArgumentType::{Any, Anys, Bool, Int, Number, Text, Texts};
use Shape::{Arguments, Empty, Float, Integer, OptionalValue, Value};

/// Markers that may also follow the prefix `kubebuilder:validation:items:`.
static VALIDATIONS: [Definition; 20] = [
    define("kubebuilder:validation:Maximum", BOTH, Meaning::Maximum, Float("maximum")),
    define("kubebuilder:validation:Minimum", BOTH, Meaning::Minimum, Float("minimum")),
    define("kubebuilder:validation:ExclusiveMaximum", BOTH, Meaning::ExclusiveMaximum, Value(Bool)),
    define("kubebuilder:validation:ExclusiveMinimum", BOTH, Meaning::ExclusiveMinimum, Value(Bool)),
    define("kubebuilder:validation:MultipleOf", BOTH, Meaning::MultipleOf, Value(Number)),
    define("kubebuilder:validation:MinProperties", BOTH, Meaning::MinProperties, Value(Int)),
    define("kubebuilder:validation:MaxProperties", BOTH, Meaning::MaxProperties, Value(Int)),
    define("kubebuilder:validation:MaxLength", BOTH, Meaning::MaxLength, Value(Int)),
    define("kubebuilder:validation:MinLength", BOTH, Meaning::MinLength, Value(Int)),
    define("kubebuilder:validation:Pattern", BOTH, Meaning::Pattern, Value(Text)),
    define("kubebuilder:validation:MaxItems", BOTH, Meaning::MaxItems, Integer("maxItems")),
    define("kubebuilder:validation:MinItems", BOTH, Meaning::MinItems, Value(Int)),
    define("kubebuilder:validation:UniqueItems", BOTH, Meaning::UniqueItems, Value(Bool)),
    define("kubebuilder:validation:Enum", BOTH, Meaning::Enum, Value(Anys)),
    define("kubebuilder:validation:Format", BOTH, Meaning::Format, Value(Text)),
    define("kubebuilder:validation:Type", BOTH, Meaning::Type, Value(Text)),
    define("kubebuilder:validation:XPreserveUnknownFields", BOTH, Meaning::PreserveUnknownFields, Empty),
    define("kubebuilder:validation:XEmbeddedResource", BOTH, Meaning::EmbeddedResource, Empty),
    define("kubebuilder:validation:XIntOrString", BOTH, Meaning::IntOrString, Empty),
    define("kubebuilder:validation:XValidation", BOTH, Meaning::Validation, Arguments(&RULE)),
];

static RULE: [Argument; 6] = [
    needed("rule", Text),
    optional("message", Text),
    argument_since("messageExpression", Text, Change::MessageExpression),
    argument_since("reason", Text, Change::ReasonAndFieldPath),
    argument_since("fieldPath", Text, Change::ReasonAndFieldPath),
    argument_since("optionalOldSelf", Bool, Change::OptionalOldSelf),
];

static OTHERS: [Definition; 45] = [
    define("groupName", PACKAGE, Meaning::GroupName, OptionalValue(Text)),
    define("versionName", PACKAGE, Meaning::VersionName, Value(Text)),
    define("kubebuilder:skip", PACKAGE, Meaning::Skip, Empty),
    define("kubebuilder:validation:Optional", PACKAGE, Meaning::Optional, Empty),
    define("kubebuilder:validation:Required", PACKAGE, Meaning::Required, Empty),
    define("kubebuilder:validation:Required", FIELD, Meaning::Required, Empty),
    define("kubebuilder:validation:Optional", FIELD, Meaning::Optional, Empty),
    later(Change::RequiredAndDefault, "required", FIELD, Meaning::Required, Empty),
    define("optional", FIELD, Meaning::Optional, Empty),
    later(Change::K8sRequired, "k8s:required", FIELD, Meaning::K8sRequired, Empty),
    later(Change::K8sRequired, "k8s:optional", FIELD, Meaning::Optional, Empty),
    define("nullable", FIELD, Meaning::Nullable, Empty),
    define("kubebuilder:default", FIELD, Meaning::Default, Value(Any)),
    later(Change::RequiredAndDefault, "default", FIELD, Meaning::JsonDefault, Shape::Json),
    define("kubebuilder:example", FIELD, Meaning::Example, Value(Any)),
    define("kubebuilder:validation:EmbeddedResource", FIELD, Meaning::EmbeddedResource, Empty),
    define("kubebuilder:validation:Schemaless", FIELD, Meaning::Schemaless, Empty),
    later(Change::K8sImmutable, "k8s:immutable", FIELD, Meaning::Immutable, Empty),
    later(Change::K8sBounds, "k8s:maxItems", FIELD, Meaning::MaxItems, Integer("maxItems")),
    later(Change::K8sBounds, "k8s:minimum", FIELD, Meaning::Minimum, Float("minimum")),
    later(Change::K8sBounds, "k8s:maximum", FIELD, Meaning::Maximum, Float("maximum")),
    define("kubebuilder:pruning:PreserveUnknownFields", BOTH, Meaning::PreserveUnknownFields, Empty),
    later(Change::FieldTitle, "kubebuilder:title", FIELD, Meaning::Title, Value(Any)),
    later(Change::TypeTitle, "kubebuilder:title", TYPE, Meaning::Title, Value(Any)),
    later(
        Change::ExternalDocs,
        "kubebuilder:externalDocs",
        BOTH,
        Meaning::ExternalDocs,
        Arguments(&EXTERNAL_DOCS),
    ),
    later(Change::OneOf, "kubebuilder:validation:AtMostOneOf", TYPE, Meaning::AtMostOneOf, Value(Texts)),
    later(Change::OneOf, "kubebuilder:validation:ExactlyOneOf", TYPE, Meaning::ExactlyOneOf, Value(Texts)),
    later(
        Change::AtLeastOneOf,
        "kubebuilder:validation:AtLeastOneOf",
        TYPE,
        Meaning::AtLeastOneOf,
        Value(Texts),
    ),
    later(Change::K8sEnum, "k8s:enum", BOTH, Meaning::K8sEnum, Empty),
    define("listMapKey", BOTH, Meaning::ListMapKey, Value(Text)),
    define("listType", BOTH, Meaning::ListType, Value(Text)),
    later(Change::K8sListType, "k8s:listMapKey", BOTH, Meaning::ListMapKey, Value(Text)),
    later(Change::K8sListType, "k8s:listType", BOTH, Meaning::ListType, Value(Text)),
    define("mapType", BOTH, Meaning::MapType, Value(Text)),
    define("structType", BOTH, Meaning::StructType, Value(Text)),
    define("kubebuilder:resource", TYPE, Meaning::Resource, Arguments(&RESOURCE)),
    define("kubebuilder:subresource:status", TYPE, Meaning::Status, Empty),
    define("kubebuilder:subresource:scale", TYPE, Meaning::Scale, Arguments(&SCALE)),
    define("kubebuilder:printcolumn", TYPE, Meaning::PrintColumn, Arguments(&COLUMN)),
    later(
        Change::SelectableField,
        "kubebuilder:selectablefield",
        TYPE,
        Meaning::SelectableField,
        Arguments(&SELECTABLE),
    ),
    define("kubebuilder:storageversion", TYPE, Meaning::StorageVersion, Empty),
    define("kubebuilder:unservedversion", TYPE, Meaning::UnservedVersion, Empty),
    define("kubebuilder:skipversion", TYPE, Meaning::SkipVersion, Empty),
    define("kubebuilder:deprecatedversion", TYPE, Meaning::DeprecatedVersion, Arguments(&DEPRECATED)),
    define("kubebuilder:metadata", TYPE, Meaning::Metadata, Arguments(&METADATA)),
];

static EXTERNAL_DOCS: [Argument; 2] = [needed("url", Text), optional("description", Text)];
static RESOURCE: [Argument; 5] = [
    optional("path", Text),
    optional("shortName", Texts),
    optional("categories", Texts),
    optional("singular", Text),
    optional("scope", Text),
];
static SCALE: [Argument; 3] =
    [needed("specpath", Text), needed("statuspath", Text), optional("selectorpath", Text)];
static COLUMN: [Argument; 6] = [
    needed("name", Text),
    needed("type", Text),
    needed("JSONPath", Text),
    optional("description", Text),
    optional("format", Text),
    optional("priority", Int),
];
static SELECTABLE: [Argument; 1] = [needed("JSONPath", Text)];
static DEPRECATED: [Argument; 1] = [optional("warning", Text)];
static METADATA: [Argument; 2] = [optional("annotations", Texts), optional("labels", Texts)];

/// All markers of a release, including those for items.
pub fn all(version: Version) -> impl Iterator<Item = (ResolvedMarker, Target)> {
    let plain =
        VALIDATIONS.iter().chain(&OTHERS).map(|definition| ResolvedMarker { definition, items: false });
    let items = VALIDATIONS.iter().map(|definition| ResolvedMarker { definition, items: true });
    let items = items.filter(move |_| version.has(Change::ItemsMarkers));
    plain
        .chain(items)
        .filter(move |known| known.definition.since.is_none_or(|change| version.has(change)))
        .flat_map(|known| known.definition.targets.iter().map(move |target| (known, *target)))
}

/// The marker with a name on a target.
pub(super) fn resolve_marker(name: &str, target: Target, version: Version) -> Option<ResolvedMarker> {
    let (definition, items) = match name.strip_prefix(ITEMS) {
        Some(last) => {
            if !version.has(Change::ItemsMarkers) {
                return None;
            }
            let is_it = |known: &&Definition| known.name.strip_prefix(VALIDATION) == Some(last);
            (VALIDATIONS.iter().find(is_it)?, true)
        }
        None => {
            let is_it = |known: &&Definition| known.name == name && known.targets.contains(&target);
            let known = VALIDATIONS.iter().chain(&OTHERS).find(is_it)?;
            (known, false)
        }
    };
    let is_there =
        definition.targets.contains(&target) && definition.since.is_none_or(|change| version.has(change));
    is_there.then_some(ResolvedMarker { definition, items })
}
