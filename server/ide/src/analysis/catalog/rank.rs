//! The order of several definitions of a kind.

use std::sync::Arc;

use crate::analysis::catalog::role::SourceRole;

/// The rank of a definition among those of its kind, as seen from a resource: the lowest one validates.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Rank {
    /// In another text than the resource.
    pub(super) is_foreign: bool,
    /// Not named by the user for the file of the resource.
    pub(super) is_for_others: bool,
    pub(super) version: Version,
    /// Not named by the user.
    pub(super) is_found: bool,
    pub(super) is_broken: bool,
    /// Not beside the resource.
    pub(super) is_not_beside: bool,
    pub(super) tier: SourceRole,
    /// The more directories in common, the nearer.
    pub(super) distance: usize,
    pub(super) role: SourceRole,
    pub(super) is_written: bool,
    pub(super) source: Arc<str>,
}

/// Whether a definition has a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Version {
    Served,
    Declared,
    Unknown,
}

/// Why this definition validates a resource, and not another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ChosenBy {
    /// There is no other.
    Only,
    /// It is in the same file.
    SameFile,
    /// The user named it for this file, with `crds` of an override.
    Override,
    /// It serves the version, or at least declares it.
    Version,
    /// The user named it, with `crds` or `--crd`.
    Named,
    /// It has no syntax errors.
    Readable,
    /// It belongs to the same directory or test case.
    Beside,
    /// It is kept where projects keep the definitions that they ship.
    SourceRole,
    /// It is nearest by directories.
    Nearest,
    /// It is the first by path.
    First,
}

impl ChosenBy {
    /// The identifier for scripts.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Only => "only",
            Self::SameFile => "same-file",
            Self::Override => "override",
            Self::Version => "version",
            Self::Named => "named",
            Self::Readable => "readable",
            Self::Beside => "beside",
            Self::SourceRole => "kept",
            Self::Nearest => "nearest",
            Self::First => "first",
        }
    }

    /// The text for users.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Self::Only => "the only definition",
            Self::SameFile => "in the same file",
            Self::Override => "named for this file by `crds` in `[[overrides]]`",
            Self::Version => "serves the version",
            Self::Named => "named by `crds` or `--crd`",
            Self::Readable => "has no syntax errors",
            Self::Beside => "in the same directory or test case",
            Self::SourceRole => "its directory or generator ranks higher",
            Self::Nearest => "in the nearest directory",
            Self::First => "first in alphabetical order",
        }
    }
}

impl Rank {
    /// Why this definition, which is the first, precedes `next`.
    pub(super) fn reason_to_precede(&self, next: Option<&Self>) -> ChosenBy {
        let Some(next) = next else { return ChosenBy::Only };
        match () {
            () if self.is_foreign != next.is_foreign => ChosenBy::SameFile,
            () if self.is_for_others != next.is_for_others => ChosenBy::Override,
            () if self.version != next.version => ChosenBy::Version,
            () if self.is_found != next.is_found => ChosenBy::Named,
            () if self.is_broken != next.is_broken => ChosenBy::Readable,
            () if self.is_not_beside != next.is_not_beside => ChosenBy::Beside,
            () if self.tier != next.tier => ChosenBy::SourceRole,
            () if self.distance != next.distance => ChosenBy::Nearest,
            () if (self.role, self.is_written) != (next.role, next.is_written) => ChosenBy::SourceRole,
            () => ChosenBy::First,
        }
    }

    /// Whether `other` may overrule this definition, by which a resource is validated. It may in two cases: this
    /// definition precedes `other` only by its path, or `other` is in a directory of a better role and only
    /// further away. Definitions in the same file or named by the user are never overruled.
    pub(super) fn yields_to(&self, other: &Self) -> bool {
        let is_free = self.is_foreign && self.is_for_others && self.is_found;
        let is_fit = other.version == Version::Served && !other.is_broken;
        let is_equal = (other.is_not_beside, other.tier, other.distance, other.role, other.is_written)
            == (self.is_not_beside, self.tier, self.distance, self.role, self.is_written);
        is_free && is_fit && (is_equal || other.role.tier() < self.role.tier())
    }
}
