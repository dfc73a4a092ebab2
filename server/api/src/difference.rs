//! Differences between releases of kube-apiserver, each declared once.

use crate::KubernetesVersion;

/// Declares the differences: a name, the first minor release with it, and the behaviour from then on.
macro_rules! differences {
    ($($(#[doc = $what:literal])+ $name:ident = $since:literal,)+) => {
        /// A difference between releases. Fields of the API, rules and functions of CEL declare their release
        /// themselves.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Difference {
            $($(#[doc = $what])+ $name,)+
        }

        impl Difference {
            /// All differences, the oldest first.
            pub const ALL: &[Self] = &[$(Self::$name,)+];

            /// The first release with it.
            #[must_use]
            pub const fn since(self) -> KubernetesVersion {
                KubernetesVersion { minor: match self { $(Self::$name => $since,)+ } }
            }

            /// The behaviour from then on, in Markdown.
            #[must_use]
            pub const fn what(self) -> &'static str {
                match self { $(Self::$name => concat!($($what),+),)+ }
            }

            /// The name in this table.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => stringify!($name),)+ }
            }
        }
    };
}

differences! {
    /// Rules can have a `messageExpression`.
    MessageExpressions = 27,
    /// Rules can have a `reason` and a `fieldPath`.
    ReasonsAndFieldPaths = 28,
    /// Expressions that are already stored compile in the environment for stored rules.
    StoredExpressions = 28,
    /// kube-apiserver warns about a finalizer without a domain.
    FinalizerWarnings = 29,
    /// An update that does not change a schema is accepted even if the costs of its rules exceed the limits.
    CostsOfUnchangedSchemas = 29,
    /// The longest value of an `enum` bounds the length of a string in cost estimates.
    EnumsInCosts = 29,
    /// An update is accepted if invalid values are unchanged (ratcheting).
    Ratcheting = 30,
    /// Rules can have `optionalOldSelf`.
    OptionalOldSelf = 30,
    /// Rules are also evaluated on a default without an old value.
    DefaultsWithoutOldValue = 30,
    /// `additionalProperties: false` inside `allOf`, `anyOf`, `oneOf` or `not` is accepted.
    ClosedJunctors = 31,
    /// An update must not replace a valid `caBundle` with an invalid one.
    CaBundlesOfUpdates = 31,
    /// Definitions can have `selectableFields`.
    SelectableFields = 31,
    /// The error on a text that is too long says "may not be more than" and the number of bytes.
    TooLongWords = 32,
    /// The warning about a finalizer with a domain mentions a path.
    FinalizerPaths = 32,
    /// The error on a missing storage version explains the migration.
    StorageMigrationWords = 33,
    /// Errors use the singular for one byte and one item.
    SingularUnits = 34,
    /// Errors show objects and lists as JSON.
    JsonInErrors = 34,
    /// The detail of an error does not repeat its field or its type.
    DetailsWithoutField = 34,
    /// `maxLength` bounds int-or-string values in cost estimates.
    IntOrStringCosts = 34,
    /// Defaults are validated by the formats `k8s-short-name` and `k8s-long-name`.
    NameFormatsOfDefaults = 34,
    /// kube-apiserver warns about unknown formats.
    FormatWarnings = 34,
    /// Resources are validated by the formats `k8s-short-name` and `k8s-long-name`.
    NameFormatsOfResources = 35,
    /// The error of a rule shows the value instead of its type.
    ValuesInRuleErrors = 35,
    /// Errors on labels say "valid label key" and count bytes.
    LabelWords = 35,
    /// An update can keep more than eight `selectableFields`.
    ManyStoredSelectableFields = 35,
    /// `externalDocs` and `example` inside `allOf`, `anyOf`, `oneOf` or `not` are part of the structural form.
    DocsInJunctors = 36,
    /// The type of a schema determines which formats and number ranges apply.
    FormatsByType = 36,
    /// The error on a field of an owner reference names the item, and an empty field is "required".
    OwnerReferenceFields = 37,
    /// `metadata.name` and `metadata.generateName` have a maximum length in cost estimates.
    NamesInCosts = 37,
    /// kube-apiserver warns about lists of type `set` whose items are not scalars.
    SetWarnings = 37,
}

impl KubernetesVersion {
    /// Whether this release has `difference`.
    #[must_use]
    pub fn has(self, difference: Difference) -> bool {
        self >= difference.since()
    }
}

#[cfg(test)]
mod tests {
    use super::Difference;
    use crate::KubernetesVersion;

    #[test]
    fn differences_are_listed_from_the_oldest_to_the_newest() {
        assert!(Difference::ALL.is_sorted_by_key(|difference| difference.since()));
    }

    #[test]
    fn each_difference_is_between_two_known_releases() {
        for difference in Difference::ALL {
            let since = difference.since();
            assert!(
                since > KubernetesVersion::OLDEST && since <= KubernetesVersion::NEWEST,
                "{difference:?}"
            );
            let before = KubernetesVersion { minor: since.minor - 1 };
            assert!(since.has(*difference) && !before.has(*difference), "{difference:?}");
        }
    }
}
