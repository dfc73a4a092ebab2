//! What differs between releases of kube-apiserver, each difference declared once.

use crate::KubernetesVersion;

/// Declares the differences: a name, the minor release that has it first, and what is so from then on.
macro_rules! differences {
    ($($(#[doc = $what:literal])+ $name:ident = $since:literal,)+) => {
        /// A difference between releases. Fields of the API, rules and functions of CEL say their release themselves.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Difference {
            $($(#[doc = $what])+ $name,)+
        }

        impl Difference {
            /// All of them, the oldest first.
            pub const ALL: &[Self] = &[$(Self::$name,)+];

            /// The release that has it first.
            #[must_use]
            pub const fn since(self) -> KubernetesVersion {
                KubernetesVersion { minor: match self { $(Self::$name => $since,)+ } }
            }

            /// What is so from then on, in Markdown.
            #[must_use]
            pub const fn what(self) -> &'static str {
                match self { $(Self::$name => concat!($($what),+),)+ }
            }

            /// Its name, as in this table.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => stringify!($name),)+ }
            }
        }
    };
}

differences! {
    /// Rules may have a `messageExpression`.
    MessageExpressions = 27,
    /// Rules may have a `reason` and a `fieldPath`.
    ReasonsAndFieldPaths = 28,
    /// An expression that is stored already compiles in the environment for stored rules.
    StoredExpressions = 28,
    /// A finalizer without a domain has a warning.
    FinalizerWarnings = 29,
    /// An update that leaves a schema as it is may leave the costs of its rules above the limits.
    CostsOfUnchangedSchemas = 29,
    /// The longest value of an `enum` bounds a text in costs.
    EnumsInCosts = 29,
    /// An update may leave wrong what it does not change (ratcheting).
    Ratcheting = 30,
    /// Rules may have `optionalOldSelf`.
    OptionalOldSelf = 30,
    /// Rules are evaluated on a default without an old value, too.
    DefaultsWithoutOldValue = 30,
    /// `additionalProperties: false` in a junctor is more than a map of nothing.
    ClosedJunctors = 31,
    /// An update must not break a `caBundle` that can be read.
    CaBundlesOfUpdates = 31,
    /// Definitions may have `selectableFields`.
    SelectableFields = 31,
    /// A text that is too long "may not be more than" so many bytes.
    TooLongWords = 32,
    /// The warning on a finalizer with a domain asks for a path.
    FinalizerPaths = 32,
    /// The error on a missing storage version says how to migrate.
    StorageMigrationWords = 33,
    /// One byte and one item are counted in the singular.
    SingularUnits = 34,
    /// Errors show objects and lists as JSON.
    JsonInErrors = 34,
    /// The detail of an error does not repeat its field or its type.
    DetailsWithoutField = 34,
    /// `maxLength` bounds the texts of int-or-string in costs.
    IntOrStringCosts = 34,
    /// Defaults are validated by the formats `k8s-short-name` and `k8s-long-name`.
    NameFormatsOfDefaults = 34,
    /// A format that the server does not know has a warning.
    FormatWarnings = 34,
    /// Resources are validated by the formats `k8s-short-name` and `k8s-long-name`.
    NameFormatsOfResources = 35,
    /// The error of a rule shows the value and not its type.
    ValuesInRuleErrors = 35,
    /// Errors on labels speak of a "valid label key", and count bytes.
    LabelWords = 35,
    /// An update may keep more than eight `selectableFields`.
    ManyStoredSelectableFields = 35,
    /// `externalDocs` and `example` in a junctor are part of its structural form.
    DocsInJunctors = 36,
    /// The type of a schema decides which formats and which range of numbers count.
    FormatsByType = 36,
    /// The error on a field of an owner reference names its item, and an empty field is "required".
    OwnerReferenceFields = 37,
    /// `metadata.name` and `metadata.generateName` have a longest length in costs.
    NamesInCosts = 37,
    /// A list of type `set` may have a warning.
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
    fn a_difference_lies_between_the_releases_that_are_known() {
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
