//! What controller-gen reports, with what a person needs to know of it.

use std::sync::Arc;

use crate::load::Place;

/// Where a problem stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Spot {
    /// At a token; controller-gen names its first byte.
    Place(Place),
    /// In a package as such, by its path.
    Package(String),
    /// Nowhere: in what was asked for.
    Nowhere,
}

/// What controller-gen reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Where.
    pub spot: Spot,
    /// What, in its words.
    pub message: String,
    /// The token that is at fault, where it is another one than controller-gen names.
    pub token: Option<Place>,
    /// Whether it is an error of Go, which gopls reports as well.
    pub is_of_go: bool,
    /// What kind of problem it is.
    pub kind: ProblemKind,
}

/// Kinds of problems that have an explanation, and those that lead to others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ProblemKind {
    /// Any other.
    #[default]
    Other,
    /// A marker on a value that it does not apply to.
    Misplaced {
        /// What it applies to, in the plural.
        applies_to: &'static str,
        /// What the value is.
        found: Misfit,
    },
    /// A word that is not one of those that a marker or an argument takes.
    Word {
        /// The marker or the argument.
        of: String,
        /// What is written.
        written: String,
        /// The words that it takes.
        known: &'static [&'static str],
    },
    /// An argument that is no URL.
    Url,
    /// A bound of integers that is not an integer.
    NotInteger,
    /// A key of a list that is not of the type `map`.
    NoListMap,
    /// An annotation or a label without a value.
    NoValue,
    /// A marker of a version that is not in the definition.
    Skipped,
    /// The marker on a field that makes an enum of the constants of a type.
    EnumOfField,
    /// An enum of a type without constants.
    NoConstants,
    /// A field without a name in JSON.
    Untagged,
    /// A floating-point number.
    Float,
    /// A type that JSON has no form of.
    NoJson,
    /// A key of a map that is not a string.
    MapKey,
    /// A type that is not declared, by the name that is shown.
    UnknownType(String),
    /// A type without a schema, because its package has errors, by the name that is shown.
    NoSchema(String),
    /// A package that is not imported.
    Unimported,
    /// Two types for one value.
    Conflict {
        /// The one of the field.
        kept: String,
        /// The one of its Go type.
        dropped: String,
        /// What both come from.
        places: Vec<Place>,
    },
    /// A field of a union that is not optional.
    InUnion {
        /// Its name in JSON.
        name: String,
        /// Whether a marker says that it is required.
        is_marked: bool,
    },
    /// A kind of which no version is stored.
    NoStorage,
    /// A kind, by its name, of which no version is served.
    NotServed(String),
}

/// A value that a marker does not apply to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Misfit {
    /// One of this kind, with its article.
    Kind(&'static str),
    /// One of a declared type, of which controller-gen knows nothing when it reads the marker.
    Type(Arc<str>),
    /// One of a type that is a list, so that nothing is known of its items.
    ListType(Arc<str>),
    /// One of a type that has no schema, which is a problem of its own.
    Failed,
}

impl Problem {
    /// A problem that no token but the spot is at fault for.
    pub(crate) const fn new(spot: Spot, message: String, kind: ProblemKind) -> Self {
        Self { spot, message, token: None, is_of_go: false, kind }
    }

    /// Whether it says what another one says of the same token.
    pub(crate) fn repeats(&self, other: &Self) -> bool {
        (&self.spot, &self.message, self.token) == (&other.spot, &other.message, other.token)
    }

    /// The same with the token that is at fault.
    pub(crate) fn at(self, token: Option<Place>) -> Self {
        Self { token, ..self }
    }

    /// The same as an error of Go, where it `is` one.
    pub(crate) fn of_go(self, is: bool) -> Self {
        Self { is_of_go: is, ..self }
    }
}
