//! What calls cost: the words of the declarations, which `cost::calls` and `eval::cost` turn into numbers.

/// The cost of a byte that is looked at; cel-go's `StringTraversalCostFactor`.
pub(crate) const STRING: f64 = 0.1;
/// The cost of a character of a regular expression; cel-go's `RegexStringLengthCostFactor`.
pub(crate) const REGEX: f64 = 0.25;

/// What a call costs by the sizes that a schema allows, and what is then known of the size of its result. Operands are
/// counted with the receiver.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Forecast {
    /// 1
    One,
    /// `&&` and `||`: perhaps the left side alone.
    Logic,
    /// `?:`: one of two branches.
    Conditional,
    /// A look at an operand.
    Scan(usize),
    /// As many as the elements of the second operand.
    Elements,
    /// A look at the smaller one of two operands.
    Smaller,
    /// The same, but for the types that Kubernetes adds.
    Equality,
    /// A pattern over a text.
    Regex,
    /// The same, which gives a part of the text.
    Find,
    /// A text in a text.
    Contains,
    /// Two texts as one.
    Concat,
    /// Two lists as one.
    ConcatLists,
    /// A look at a text, which becomes bytes.
    Encode,
    /// A look at bytes, which become a text.
    Decode,
    /// A look at a text, which is written in quotes.
    Quote,
    /// A look at a text, which gives one of the same size.
    SameText,
    /// A text with parts replaced.
    Replace,
    /// The parts of a text.
    Split,
    /// The texts of a list as one.
    Join,
    /// A look at all that the elements of a list hold.
    Traversal,
    /// The same of a list, but not of a text.
    Includes,
    /// A factor times a text that is read, from release 1.34 on.
    Parse(f64),
    /// A text that is read as a URL.
    Url,
    /// A range that holds an address; whether that is still to be read.
    ContainsIp { reads: bool },
    /// A range that holds a range; whether that is still to be read.
    ContainsCidr { reads: bool },
    /// A format over a text.
    Validate,
    /// A list of the size of the first operand.
    SameList,
    /// A part of a list.
    Slice,
    /// A list of as many elements as the operand says.
    Range,
    /// The depth times the elements, and a list.
    Flatten,
    /// A factor times each element of an operand with each other, and a list.
    Sort(usize, f64),
    /// A factor times each of one list with each of the other.
    Sets(f64),
}

/// What a call costs when it runs.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Price {
    /// 1
    One,
    /// A factor times the size of an argument.
    Scan(usize, f64),
    /// A factor times the size of the result.
    Result(f64),
    /// As many as the elements of the second argument.
    Elements,
    /// A tenth of the smaller argument.
    Smaller,
    /// A tenth of both arguments.
    Both,
    /// A pattern over a text.
    Regex,
    /// A text in a text.
    Contains,
    /// A format over a text.
    Validate,
    /// All that the first argument holds.
    Traversal,
    /// A range that holds an address; whether that is still to be read.
    ContainsIp { reads: bool },
    /// A range that holds a range; whether that is still to be read.
    ContainsCidr { reads: bool },
    /// A factor times the elements of the result, and a list.
    NewList,
    /// The depth times the elements, and a list.
    Flatten,
    /// Each element of an argument with each other, and a list.
    Sort(usize),
    /// A factor times each of one list with each of the other.
    Sets(f64),
}
