//! Facts about a part of a document, in addition to its findings.

use std::ops::{BitOr, BitOrAssign};

/// A set of facts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Flags(u16);

impl Flags {
    pub(crate) const NONE: Self = Self(0);
    /// The server's decoder rejects it: status 400, and no check is reached.
    pub(crate) const UNDECODABLE: Self = Self(1);
    /// The server cannot convert it to a structural schema, so that no structural check is reached.
    pub(crate) const UNCONVERTIBLE: Self = Self(2);
    /// It contains an action of a text template.
    pub(crate) const TEMPLATE: Self = Self(4);
    /// Value validations mention properties or items.
    pub(crate) const MENTIONS: Self = Self(8);
    /// A node has a default.
    pub(crate) const DEFAULTS: Self = Self(16);
    /// A node has one of the `x-kubernetes-` keywords that only structural schemas may have.
    pub(crate) const EXTENSIONS: Self = Self(32);
    /// One of checks 82 to 97 fails.
    pub(crate) const NON_STRUCTURAL: Self = Self(64);
    /// One of checks 104 to 137 fails, except those that an update may relax.
    pub(crate) const SCHEMA_ERRORS: Self = Self(128);
    /// Check 104 fails.
    pub(crate) const UNKNOWN_TYPES: Self = Self(256);
    /// Check 116 fails.
    pub(crate) const SET_ITEMS: Self = Self(512);
    /// One of checks 126 to 128 fails.
    pub(crate) const MAP_KEYS: Self = Self(1024);
    /// It has unknown fields.
    pub(crate) const UNKNOWN_FIELDS: Self = Self(2048);
    /// Check 98 fails.
    pub(crate) const UNPRUNED_DEFAULTS: Self = Self(4096);

    /// A node has rules.
    pub(crate) const RULES: Self = Self(8192);

    /// Repair changes the schema.
    pub(crate) const UNSOUND: Self = Self(
        Self::UNDECODABLE.0
            | Self::UNCONVERTIBLE.0
            | Self::NON_STRUCTURAL.0
            | Self::SCHEMA_ERRORS.0
            | Self::UNKNOWN_TYPES.0
            | Self::UNKNOWN_FIELDS.0,
    );

    pub(crate) fn contains(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    pub(crate) fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

impl BitOr for Flags {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOrAssign for Flags {
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}
