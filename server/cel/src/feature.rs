//! Features of the language by release.

/// Features of the language that a release introduced.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Feature {
    /// `<`, `<=`, `>` and `>=` between int, uint and double.
    CrossTypeComparisons,
    /// `a.?b`, `a[?b]`, `[?a]`, `{?a: b}`, `optMap`, `optFlatMap`.
    OptionalTypes,
    /// Literal arguments of `duration`, `timestamp`, `matches` and `format` are checked.
    LiteralValidators,
    /// `self.namespace` for `self.__namespace__`, and so on for all reserved words.
    ReservedWordsAsFields,
    /// Macros with two variables, `transformList`, `transformMap` and `transformMapEntry`.
    TwoVariableMacros,
    /// `sortBy`
    SortBy,
}

impl Feature {
    /// The first release (1.N) whose environment has it; new rules may use it from 1.(N+1) on.
    #[must_use]
    pub const fn first_release(self) -> u8 {
        match self {
            Self::CrossTypeComparisons | Self::OptionalTypes => 28,
            Self::LiteralValidators => 29,
            Self::ReservedWordsAsFields => 31,
            Self::TwoVariableMacros => 32,
            Self::SortBy => 34,
        }
    }
}
