//! The common parts of the declarations of functions and macros.

/// An expression and its value. A test evaluates all of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Example {
    /// The expression, and an expression with the same value.
    Gives(&'static str, &'static str),
    /// The reason why no rule can call it.
    None(&'static str),
}

/// The value whose schema describes the result of a function or macro.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// No value: the result is computed.
    Computed,
    /// The receiver.
    Receiver,
    /// An element of the receiver.
    Element,
    /// The only argument.
    Argument,
    /// Determined by the syntax of the operator.
    Operator,
}
