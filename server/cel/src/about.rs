//! What declarations of functions and of macros say alike.

/// An expression and its value. A test evaluates all of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Example {
    /// The expression, and an expression for what it gives.
    Gives(&'static str, &'static str),
    /// Why no rule can call it.
    None(&'static str),
}

/// Whose schema describes the result of a function or macro.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// None: it is computed.
    Computed,
    /// That of the receiver.
    Receiver,
    /// That of an element of the receiver.
    Element,
    /// That of the only argument.
    Argument,
    /// The syntax of the operator says it.
    Operator,
}
