//! The releases of controller-gen, and the differences between them.

use std::fmt;
use std::str::FromStr;

/// A release of controller-gen, such as `v0.23.0`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version {
    /// The second number.
    pub minor: u16,
    /// The third number.
    pub patch: u16,
}

impl Version {
    /// The oldest supported release.
    pub const OLDEST: Self = Self::new(14, 0);
    /// The newest supported release.
    pub const NEWEST: Self = Self::new(23, 0);

    /// The release `v0.MINOR.PATCH`.
    #[must_use]
    pub const fn new(minor: u16, patch: u16) -> Self {
        Self { minor, patch }
    }

    /// Whether this release includes `change`.
    #[must_use]
    pub fn has(self, change: Change) -> bool {
        SINCE.iter().any(|(other, since)| *other == change && *since <= self)
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "v0.{}.{}", self.minor, self.patch)
    }
}

impl FromStr for Version {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is not a version of controller-gen such as {}", Self::NEWEST);
        let numbers = text.trim_start_matches('v').split(['-', '+']).next().unwrap_or("");
        let mut parts = numbers.split('.');
        if parts.next() != Some("0") {
            return Err(wrong());
        }
        let minor = parts.next().and_then(|part| part.parse().ok()).ok_or_else(wrong)?;
        let patch = parts.next().map_or(Ok(0), |part| part.parse().map_err(|_| wrong()))?;
        Ok(Self { minor, patch })
    }
}

/// A difference between releases that affects their output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// `kubebuilder:validation:items:…`.
    ItemsMarkers,
    /// `messageExpression` in `XValidation`.
    MessageExpression,
    /// The option `deprecatedV1beta1CompatibilityPreserveUnknownFields`.
    PreserveUnknownOption,
    /// Descriptions: single blank lines; outside of fenced code, no lines with `TODO` and no text after `---`.
    DescriptionRules,
    /// The default of core/v1 `Protocol` is removed.
    NoProtocolDefault,
    /// `+required` and `+default`.
    RequiredAndDefault,
    /// `Required` applies in any package, and takes precedence over `+optional`.
    RequiredOrder,
    /// `reason` and `fieldPath` in `XValidation`.
    ReasonAndFieldPath,
    /// `kubebuilder:selectablefield`.
    SelectableField,
    /// The rules of a type and of a field are concatenated.
    RulesConcatenated,
    /// Aliases of basic types.
    BasicAliases,
    /// Types with `MarshalText` are strings.
    TextMarshaler,
    /// `optionalOldSelf` in `XValidation`.
    OptionalOldSelf,
    /// `+groupName` may have no value.
    EmptyGroupName,
    /// `--load-build-tags`.
    LoadBuildTags,
    /// The markers for one of several fields are applied in a fixed order.
    OneOfOrder,
    /// Truncated descriptions end at a word, with `...`.
    TruncateAtWord,
    /// Errors mention a textual value.
    TextualValue,
    /// Aliases are resolved to their right side.
    AliasRightSide,
    /// `kubebuilder:title` on fields.
    FieldTitle,
    /// `ExactlyOneOf` and `AtMostOneOf`.
    OneOf,
    /// Kinds of packages without `groupName` are generated.
    EmptyGroup,
    /// `AtLeastOneOf`.
    AtLeastOneOf,
    /// `k8s:optional` and `k8s:required`.
    K8sRequired,
    /// `kubebuilder:title` on types.
    TypeTitle,
    /// `required` is sorted.
    SortedRequired,
    /// References to local basic types carry their type.
    BasicReferenceType,
    /// Markers after a pointer apply once.
    PointerMarkersOnce,
    /// `k8s:enum`.
    K8sEnum,
    /// `k8s:immutable`.
    K8sImmutable,
    /// `kubebuilder:externalDocs`.
    ExternalDocs,
    /// The enum of a field is kept without `allOf` if its type has none.
    EnumMerge,
    /// Interfaces are errors; earlier releases panic.
    InterfaceErrors,
    /// `omitzero`.
    OmitZero,
    /// Unnamed structs are errors; earlier releases panic.
    InlineStructError,
    /// Rules of `ExactlyOneOf` and `AtMostOneOf` add up `has(…)`.
    OneOfSum,
    /// Keys of maps may have `MarshalText`.
    TextMarshalerKeys,
    /// Bare strings may contain `:`.
    ColonInStrings,
    /// A delimiter must follow a number.
    NumberDelimiter,
    /// `k8s:listType` and `k8s:listMapKey`; a repeated key counts once.
    K8sListType,
    /// Equal `minProperties` and `maxProperties` are kept.
    EqualProperties,
    /// References to named slices and maps carry their type.
    CollectionReferenceType,
    /// The list type and the map keys of a field take precedence over those of its type.
    ListTypeOfField,
    /// `k8s:required` adds bounds.
    K8sRequiredBounds,
    /// `k8s:minimum`, `k8s:maximum` and `k8s:maxItems`.
    K8sBounds,
    /// The option `omitToolVersion`.
    OmitToolVersion,
}

/// The first release that has each difference.
const SINCE: [(Change, Version); 46] = [
    (Change::ItemsMarkers, Version::new(15, 0)),
    (Change::MessageExpression, Version::new(15, 0)),
    (Change::PreserveUnknownOption, Version::new(15, 0)),
    (Change::DescriptionRules, Version::new(16, 0)),
    (Change::NoProtocolDefault, Version::new(16, 0)),
    (Change::RequiredAndDefault, Version::new(16, 0)),
    (Change::RequiredOrder, Version::new(16, 0)),
    (Change::ReasonAndFieldPath, Version::new(16, 0)),
    (Change::SelectableField, Version::new(16, 0)),
    (Change::EmptyGroupName, Version::new(16, 0)),
    (Change::LoadBuildTags, Version::new(17, 0)),
    (Change::OneOfOrder, Version::new(20, 0)),
    (Change::RulesConcatenated, Version::new(16, 0)),
    (Change::BasicAliases, Version::new(16, 0)),
    (Change::TextMarshaler, Version::new(17, 0)),
    (Change::OptionalOldSelf, Version::new(17, 0)),
    (Change::TruncateAtWord, Version::new(17, 0)),
    (Change::TextualValue, Version::new(17, 0)),
    (Change::AliasRightSide, Version::new(17, 0)),
    (Change::FieldTitle, Version::new(18, 0)),
    (Change::OneOf, Version::new(19, 0)),
    (Change::EmptyGroup, Version::new(19, 0)),
    (Change::AtLeastOneOf, Version::new(20, 0)),
    (Change::K8sRequired, Version::new(20, 0)),
    (Change::TypeTitle, Version::new(20, 0)),
    (Change::SortedRequired, Version::new(20, 0)),
    (Change::BasicReferenceType, Version::new(20, 0)),
    (Change::PointerMarkersOnce, Version::new(20, 0)),
    (Change::K8sEnum, Version::new(21, 0)),
    (Change::K8sImmutable, Version::new(21, 0)),
    (Change::ExternalDocs, Version::new(21, 0)),
    (Change::EnumMerge, Version::new(21, 0)),
    (Change::InterfaceErrors, Version::new(21, 0)),
    (Change::OmitZero, Version::new(22, 0)),
    (Change::InlineStructError, Version::new(22, 0)),
    (Change::OneOfSum, Version::new(22, 0)),
    (Change::TextMarshalerKeys, Version::new(22, 0)),
    (Change::ColonInStrings, Version::new(22, 0)),
    (Change::NumberDelimiter, Version::new(22, 0)),
    (Change::K8sListType, Version::new(22, 0)),
    (Change::EqualProperties, Version::new(22, 0)),
    (Change::CollectionReferenceType, Version::new(23, 0)),
    (Change::ListTypeOfField, Version::new(23, 0)),
    (Change::K8sRequiredBounds, Version::new(23, 0)),
    (Change::K8sBounds, Version::new(23, 0)),
    (Change::OmitToolVersion, Version::new(23, 0)),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_and_written() {
        assert_eq!("v0.16.5".parse(), Ok(Version::new(16, 5)));
        assert_eq!("0.19".parse(), Ok(Version::new(19, 0)));
        assert_eq!("v0.17.0-beta.1".parse(), Ok(Version::new(17, 0)));
        assert!("(devel)".parse::<Version>().is_err());
        assert_eq!(Version::NEWEST.to_string(), "v0.23.0");
    }

    #[test]
    fn a_release_includes_earlier_changes() {
        assert!(Version::new(16, 5).has(Change::SelectableField));
        assert!(!Version::new(16, 5).has(Change::OptionalOldSelf));
    }
}
