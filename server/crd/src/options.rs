//! For which server the verdict is given.

use api::{Code, KubernetesVersion};

/// What the verdict depends on beside the document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The server whose verdict is given.
    pub kubernetes_version: KubernetesVersion,
    /// The lints to look for beside those that are always looked for.
    pub optional_lints: OptionalLints,
    /// Whether the document is known to be a patch: what a partial definition in it lacks is no mistake then.
    pub is_patch: bool,
}

/// A lint that is off unless it is asked for: it speaks of style, and most definitions would have it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum OptionalLint {
    /// A field without a `description`.
    Description,
    /// A list of objects without `x-kubernetes-list-type`.
    ListType,
    /// A list of keys with one value each.
    ListMap,
    /// `type: number`, and integers that a double does not hold.
    Number,
    /// A rule whose cost rests on a list, map or text without a bound.
    UnboundedInRule,
}

impl OptionalLint {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::Description, Self::ListType, Self::ListMap, Self::Number, Self::UnboundedInRule];

    /// Its code.
    #[must_use]
    pub const fn code(self) -> Code {
        match self {
            Self::Description => Code::LintDescription,
            Self::ListType => Code::LintListType,
            Self::ListMap => Code::LintListMap,
            Self::Number => Code::LintNumber,
            Self::UnboundedInRule => Code::LintUnboundedInRule,
        }
    }
}

/// A set of optional lints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OptionalLints(u8);

impl OptionalLints {
    /// Whether `lint` is one of them.
    #[must_use]
    pub const fn has(self, lint: OptionalLint) -> bool {
        self.0 & (1 << lint as u8) != 0
    }
}

impl FromIterator<OptionalLint> for OptionalLints {
    fn from_iter<T: IntoIterator<Item = OptionalLint>>(lints: T) -> Self {
        Self(lints.into_iter().fold(0, |set, lint| set | 1 << lint as u8))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_off_by_default_is_so_on_its_page() {
        let off: Vec<Code> = api::RULES
            .iter()
            .filter(|rule| rule.is_optional && rule.group() == "lint")
            .map(|rule| rule.code)
            .collect();
        let mut known = OptionalLint::ALL.map(OptionalLint::code).to_vec();
        known.sort();
        assert_eq!(known, off);
    }
}
