//! The available features and functions by Kubernetes release.
//!
//! The API server of release 1.N compiles the rules of new definitions in the environment of 1.(N−1), so that
//! they remain valid after a downgrade. It compiles stored rules with all features that it has.

mod library;

pub use crate::documentation::{Example, Origin};
pub use crate::feature::Feature;
pub use crate::macros::{MACROS, MacroDecl, MacroReceiver, macro_declared, macro_since};
pub use library::{FunctionDecl, Library, Overload, OverloadId, library};

use crate::parser::ParseOptions;

/// The first release with rules.
const FIRST_RELEASE: u8 = 25;

/// The features and functions of one release.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Environment {
    minor: u8,
    /// The release of the API server, 1.`server`, which determines the cost of expressions.
    server: u8,
}

impl Environment {
    /// For the rules of a new definition on an API server of release 1.`server_minor`.
    #[must_use]
    pub const fn for_new_rules(server_minor: u8) -> Self {
        Self { minor: server_minor.saturating_sub(1), server: server_minor }
    }

    /// For stored rules, and for every evaluation.
    #[must_use]
    pub const fn for_stored_rules() -> Self {
        Self { minor: u8::MAX, server: u8::MAX }
    }

    /// The same on an API server of release 1.`minor`, which determines the cost of expressions.
    #[must_use]
    pub const fn on_server(self, minor: u8) -> Self {
        Self { server: minor, ..self }
    }

    /// The release of the API server, 1.`N`; greater than any release for the newest.
    pub(crate) const fn server(self) -> u8 {
        self.server
    }

    /// Whether it includes the features of the environment of release 1.`since`.
    #[must_use]
    pub const fn has_since(self, since: u8) -> bool {
        since <= self.minor
    }

    /// Whether it has a feature.
    #[must_use]
    pub const fn has(self, feature: Feature) -> bool {
        self.has_since(feature.first_release())
    }

    /// The syntax that it supports.
    #[must_use]
    pub const fn parse_options(self) -> ParseOptions {
        ParseOptions {
            optional_syntax: self.has(Feature::OptionalTypes),
            two_variable_macros: self.has(Feature::TwoVariableMacros),
            sort_by: self.has(Feature::SortBy),
        }
    }

    /// A function, if the environment has an overload of it.
    #[must_use]
    pub fn function(self, name: &str) -> Option<&'static FunctionDecl> {
        let function = library().function(name)?;
        function.overloads().any(|overload| self.has_since(overload.since)).then_some(function)
    }
}

/// The first API server release (1.N) in which new rules may use features of the environment `since`; `None`
/// if all releases allow them.
#[must_use]
pub const fn needs_server(since: u8) -> Option<u8> {
    if since < FIRST_RELEASE { None } else { Some(since + 1) }
}

impl MacroDecl {
    /// Whether an environment has it.
    #[must_use]
    pub const fn is_in(&self, env: Environment) -> bool {
        env.has_since(self.first_release())
    }
}
