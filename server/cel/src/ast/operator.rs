//! Operators.

/// The operators of the language, as functions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Operator {
    /// `a ? b : c`
    Conditional,
    /// `a && b`
    And,
    /// `a || b`
    Or,
    /// `!a`
    Not,
    /// `-a`
    Negate,
    /// `a == b`
    Equals,
    /// `a != b`
    NotEquals,
    /// `a < b`
    Less,
    /// `a <= b`
    LessEquals,
    /// `a > b`
    Greater,
    /// `a >= b`
    GreaterEquals,
    /// `a in b`
    In,
    /// `a + b`
    Add,
    /// `a - b`
    Subtract,
    /// `a * b`
    Multiply,
    /// `a / b`
    Divide,
    /// `a % b`
    Modulo,
    /// `a[b]`
    Index,
    /// `a[?b]`
    OptIndex,
    /// `a.?b`; the field is a string literal, the second argument.
    OptSelect,
    /// Part of the loops that `all` and `exists` expand to.
    NotStrictlyFalse,
}

impl Operator {
    /// Whether it compares two values.
    #[must_use]
    pub const fn compares(self) -> bool {
        matches!(
            self,
            Self::Equals
                | Self::NotEquals
                | Self::Less
                | Self::LessEquals
                | Self::Greater
                | Self::GreaterEquals
        )
    }

    /// The name of the function in cel-go and in its messages.
    #[must_use]
    pub const fn function_name(self) -> &'static str {
        match self {
            Self::Conditional => "_?_:_",
            Self::And => "_&&_",
            Self::Or => "_||_",
            Self::Not => "!_",
            Self::Negate => "-_",
            Self::Equals => "_==_",
            Self::NotEquals => "_!=_",
            Self::Less => "_<_",
            Self::LessEquals => "_<=_",
            Self::Greater => "_>_",
            Self::GreaterEquals => "_>=_",
            Self::In => "@in",
            Self::Add => "_+_",
            Self::Subtract => "_-_",
            Self::Multiply => "_*_",
            Self::Divide => "_/_",
            Self::Modulo => "_%_",
            Self::Index => "_[_]",
            Self::OptIndex => "_[?_]",
            Self::OptSelect => "_?._",
            Self::NotStrictlyFalse => "@not_strictly_false",
        }
    }
}
