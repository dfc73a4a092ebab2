//! The costs of calls: the terms of the declarations, which `cost::calls` and `eval::cost` convert to numbers.

/// The cost of reading a byte; cel-go's `StringTraversalCostFactor`.
pub(crate) const STRING: f64 = 0.1;
/// The cost of a character of a regular expression; cel-go's `RegexStringLengthCostFactor`.
pub(crate) const REGEX: f64 = 0.25;

/// The cost of a call by the sizes that a schema allows, and the known size of its result. Indices of
/// operands include the receiver.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Forecast {
    /// 1
    One,
    /// `&&` and `||`: the minimum is the cost of the left side.
    Logic,
    /// `?:`: one of two branches.
    Conditional,
    /// The cost of reading an operand.
    Scan(usize),
    /// The number of elements of the second operand.
    Elements,
    /// The cost of reading the smaller of two operands.
    Smaller,
    /// The same, except for the types that Kubernetes adds.
    Equality,
    /// A pattern applied to a text.
    Regex,
    /// The same, with a part of the text as result.
    Find,
    /// The search for a text in a text.
    Contains,
    /// The concatenation of two texts.
    Concat,
    /// The concatenation of two lists.
    ConcatLists,
    /// The cost of reading a text that is converted to bytes.
    Encode,
    /// The cost of reading bytes that are converted to a text.
    Decode,
    /// The cost of reading a text that is quoted.
    Quote,
    /// The cost of reading a text, with a result of the same size.
    SameText,
    /// A text with parts replaced.
    Replace,
    /// The parts of a text.
    Split,
    /// The concatenation of the texts of a list.
    Join,
    /// The cost of reading all contents of the elements of a list.
    Traversal,
    /// The same for a list, but not for a text.
    Includes,
    /// A factor times the size of a text that is parsed, from release 1.34 on.
    Parse(f64),
    /// A text that is parsed as a URL.
    Url,
    /// The test whether a range contains an address; `reads` if the address must be parsed.
    ContainsIp { reads: bool },
    /// The test whether a range contains a range; `reads` if the inner range must be parsed.
    ContainsCidr { reads: bool },
    /// A format applied to a text.
    Validate,
    /// A list with the size of the first operand.
    SameList,
    /// A part of a list.
    Slice,
    /// A list with as many elements as the value of the operand.
    Range,
    /// The depth times the number of elements, and a list.
    Flatten,
    /// A factor times the comparison of each element of an operand with each other, and a list.
    Sort(usize, f64),
    /// A factor times each element of one list with each element of the other.
    Sets(f64),
}

/// The cost of a call at run time.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Price {
    /// 1
    One,
    /// A factor times the size of an argument.
    Scan(usize, f64),
    /// A factor times the size of the result.
    Result(f64),
    /// The number of elements of the second argument.
    Elements,
    /// A tenth of the smaller argument.
    Smaller,
    /// A tenth of both arguments.
    Both,
    /// A pattern applied to a text.
    Regex,
    /// The search for a text in a text.
    Contains,
    /// A format applied to a text.
    Validate,
    /// All contents of the first argument.
    Traversal,
    /// The test whether a range contains an address; `reads` if the address must be parsed.
    ContainsIp { reads: bool },
    /// The test whether a range contains a range; `reads` if the inner range must be parsed.
    ContainsCidr { reads: bool },
    /// A factor times the elements of the result, and a list.
    NewList,
    /// The depth times the number of elements, and a list.
    Flatten,
    /// The comparison of each element of an argument with each other, and a list.
    Sort(usize),
    /// A factor times each element of one list with each element of the other.
    Sets(f64),
}
