//! Problems that controller-gen reports, with additional information for users.

use std::sync::Arc;

use crate::load::Place;

/// The position of a problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProblemPlace {
    /// At a token; controller-gen names its first byte.
    Place(Place),
    /// In a package as a whole, by its path.
    Package(String),
    /// In the request, not in a file.
    Nowhere,
}

/// A problem that controller-gen reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The position.
    pub spot: ProblemPlace,
    /// The message of controller-gen.
    pub message: String,
    /// The token at fault, if it differs from the one that controller-gen names.
    pub token: Option<Place>,
    /// Whether it is an error in Go that gopls reports as well.
    pub is_of_go: bool,
    /// The kind of problem.
    pub kind: ProblemKind,
}

/// Kinds of problems that have an explanation or cause other problems.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ProblemKind {
    /// Any other kind.
    #[default]
    Other,
    /// A marker on a value that it does not apply to.
    Misplaced {
        /// The values that it applies to, in the plural.
        applies_to: &'static str,
        /// The value.
        found: Misfit,
    },
    /// A word that a marker or an argument does not accept.
    Word {
        /// The marker or the argument.
        of: String,
        /// The written word.
        written: String,
        /// The accepted words.
        known: &'static [&'static str],
    },
    /// An argument that is not a URL.
    Url,
    /// A bound of integers that is not an integer.
    NotInteger,
    /// A key of a list whose type is not `map`.
    NoListMap,
    /// An annotation or a label without a value.
    NoValue,
    /// A marker for a version that is not in the definition.
    Skipped,
    /// A marker on a field that lists the constants of a type as an enum.
    EnumOfField,
    /// An enum of a type without constants.
    NoConstants,
    /// A field without a JSON name.
    Untagged,
    /// A floating-point number.
    Float,
    /// A type that JSON cannot represent.
    NoJson,
    /// A key of a map that is not a string.
    MapKey,
    /// A type that is not declared, with the name to show.
    UnknownType(String),
    /// A type without a schema because its package has errors, with the name to show.
    NoSchema(String),
    /// A package that is not imported.
    Unimported,
    /// Two types for one value.
    Conflict {
        /// The type of the field.
        kept: String,
        /// The type of its Go type.
        dropped: String,
        /// The causes of both.
        places: Vec<Place>,
    },
    /// A field of a union that is not optional.
    InUnion {
        /// Its JSON name.
        name: String,
        /// Whether a marker requires it.
        is_marked: bool,
    },
    /// A kind without a stored version.
    NoStorage,
    /// A kind, by its name, without a served version.
    NotServed(String),
}

/// A value that a marker does not apply to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Misfit {
    /// A value of this kind, with its article.
    Kind(&'static str),
    /// A value of a declared type, which controller-gen does not know when it reads the marker.
    Type(Arc<str>),
    /// A value whose type is a declared list, so that its items are unknown.
    ListType(Arc<str>),
    /// A value whose type has no schema, which is a separate problem.
    Failed,
}

impl Problem {
    /// A problem whose token is its spot.
    pub(crate) const fn new(spot: ProblemPlace, message: String, kind: ProblemKind) -> Self {
        Self { spot, message, token: None, is_of_go: false, kind }
    }

    /// Whether it has the same message as another problem at the same token.
    pub(crate) fn repeats(&self, other: &Self) -> bool {
        (&self.spot, &self.message, self.token) == (&other.spot, &other.message, other.token)
    }

    /// The same problem with the token at fault.
    pub(crate) fn at(self, token: Option<Place>) -> Self {
        Self { token, ..self }
    }

    /// The same problem, marked as an error in Go if `is` is true.
    pub(crate) fn of_go(self, is: bool) -> Self {
        Self { is_of_go: is, ..self }
    }
}
