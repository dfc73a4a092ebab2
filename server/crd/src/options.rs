//! The options of a check.

use api::{Code, KubernetesVersion};

/// The inputs besides the document that the verdict depends on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The version of the server that validates.
    pub kubernetes_version: KubernetesVersion,
    /// The lints that are enabled besides those that always run.
    pub optional_lints: OptionalLints,
    /// Whether the document is known to be a patch: a partial definition in it is then not an error.
    pub is_patch: bool,
}

/// A lint that is off by default: it is about style, and most definitions would get findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum OptionalLint {
    /// A field without a `description`.
    Description,
    /// A list of objects without `x-kubernetes-list-type`.
    ListType,
    /// A list of keys with one value each.
    ListMap,
    /// `type: number`, and integers that a double cannot represent.
    Number,
    /// A rule whose cost depends on an unbounded list, map or string.
    UnboundedInRule,
    /// A name that the API conventions discourage.
    Name,
    /// `type: boolean`.
    Boolean,
    /// A map of other values than strings.
    Map,
    /// A value without a bound.
    Unbounded,
    /// `nullable`.
    Nullable,
    /// A list of objects that may be empty.
    ItemRequired,
    /// A required field with a default.
    RequiredDefault,
    /// A required field of the status.
    StatusRequired,
    /// Conditions that are not those of `metav1.Condition`, by type.
    Conditions,
}

impl OptionalLint {
    /// All of them.
    pub const ALL: [Self; 14] = [
        Self::Description,
        Self::ListType,
        Self::ListMap,
        Self::Number,
        Self::UnboundedInRule,
        Self::Name,
        Self::Boolean,
        Self::Map,
        Self::Unbounded,
        Self::Nullable,
        Self::ItemRequired,
        Self::RequiredDefault,
        Self::StatusRequired,
        Self::Conditions,
    ];

    /// Its code.
    #[must_use]
    pub const fn code(self) -> Code {
        match self {
            Self::Description => Code::LintDescription,
            Self::ListType => Code::LintListType,
            Self::ListMap => Code::LintListMap,
            Self::Number => Code::LintNumber,
            Self::UnboundedInRule => Code::LintUnboundedInRule,
            Self::Name => Code::ConventionName,
            Self::Boolean => Code::ConventionBoolean,
            Self::Map => Code::ConventionMap,
            Self::Unbounded => Code::ConventionUnbounded,
            Self::Nullable => Code::ConventionNullable,
            Self::ItemRequired => Code::ConventionItemRequired,
            Self::RequiredDefault => Code::ConventionRequiredDefault,
            Self::StatusRequired => Code::ConventionStatusRequired,
            Self::Conditions => Code::ConventionConditions,
        }
    }
}

/// A set of optional lints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OptionalLints(u16);

impl OptionalLints {
    /// Whether `lint` is in the set.
    #[must_use]
    pub const fn contains(self, lint: OptionalLint) -> bool {
        self.0 & (1 << lint as u16) != 0
    }
}

impl FromIterator<OptionalLint> for OptionalLints {
    fn from_iter<T: IntoIterator<Item = OptionalLint>>(lints: T) -> Self {
        Self(lints.into_iter().fold(0, |set, lint| set | 1 << lint as u16))
    }
}

#[cfg(test)]
mod tests {
    use api::{Example, Rule};

    use super::*;

    #[test]
    fn optional_lints_are_off_by_default_on_their_pages() {
        // A convention without an example in YAML is a convention for Go.
        let is_convention = |rule: &Rule| rule.is_convention() && !matches!(rule.example, Example::None(_));
        let is_ours = |rule: &&Rule| rule.is_optional && (rule.group() == "lint" || is_convention(rule));
        let off: Vec<Code> = api::RULES.iter().filter(is_ours).map(|rule| rule.code).collect();
        let mut known = OptionalLint::ALL.map(OptionalLint::code).to_vec();
        known.sort();
        assert_eq!(known, off);
    }
}
