//! Guesses the type of a value from its text.

/// The guessed type of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Guess {
    Int,
    Number,
    Text,
    Bool,
    Map,
    /// A list of items of one type: the depth of nested lists, and the innermost type.
    List(usize, Scalar),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scalar {
    Int,
    Number,
    Text,
    Bool,
    Map,
}

impl Guess {
    pub(super) const fn listed(self) -> Self {
        match self {
            Self::Int => Self::List(1, Scalar::Int),
            Self::Number => Self::List(1, Scalar::Number),
            Self::Text => Self::List(1, Scalar::Text),
            Self::Bool => Self::List(1, Scalar::Bool),
            Self::Map => Self::List(1, Scalar::Map),
            Self::List(depth, scalar) => Self::List(depth + 1, scalar),
        }
    }

    pub(super) const fn item(depth: usize, scalar: Scalar) -> Self {
        if depth > 1 {
            return Self::List(depth - 1, scalar);
        }
        match scalar {
            Scalar::Int => Self::Int,
            Scalar::Number => Self::Number,
            Scalar::Text => Self::Text,
            Scalar::Bool => Self::Bool,
            Scalar::Map => Self::Map,
        }
    }
}
