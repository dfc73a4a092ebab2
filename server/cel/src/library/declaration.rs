//! Declarations of functions: one [`Function`] holds all properties of a function, and every field is required.

use super::costs::{Forecast, Price};
use super::{Implementation, Trait};
use crate::documentation::{Example, Origin};
use crate::feature::Feature;

/// The doc line of functions that nobody writes: macros and the planner insert them, and no editor shows them.
pub(super) const INTERNAL: &str = "";

/// A function with its overloads.
#[derive(Debug)]
pub(crate) struct Function {
    /// Its name, including a namespace such as `sets.`, if any.
    pub(crate) name: &'static str,
    /// A description of one line.
    pub(crate) doc: &'static str,
    /// A call and its result.
    pub(crate) example: Example,
    /// The value whose schema describes the result.
    pub(crate) origin: Origin,
    /// The implementation.
    pub(crate) body: Body,
    /// The work done once for constant arguments.
    pub(crate) ahead: Precomputation,
    /// The cost of a call whose overload is chosen only at run time.
    pub(crate) undecided: Price,
    /// The overloads in the order in which the checker tries them.
    pub(crate) signatures: &'static [Signature],
}

/// An overload of a function.
#[derive(Debug)]
pub(crate) struct Signature {
    /// Its name in cel-go.
    pub(crate) id: &'static str,
    /// `(list(T)).sort() -> list(T)`; a receiver comes first, in parentheses.
    pub(crate) text: &'static str,
    /// The environments that have it.
    pub(crate) since: Availability,
    /// The implementation.
    pub(crate) run: Run,
    /// The cost of a call by the sizes that a schema allows.
    pub(crate) estimate: Forecast,
    /// The cost of a call at run time.
    pub(crate) price: Price,
}

/// The environments that have a declaration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Availability {
    /// All.
    Always,
    /// Those from release 1.N on.
    Release(u8),
    /// Those that compare numbers of different types. cel-go fails to exclude these overloads within and
    /// after a loop.
    CrossType,
}

impl Availability {
    /// The first release (1.N) whose environment has it; 0 for all.
    pub(crate) const fn release(self) -> u8 {
        match self {
            Self::Always => 0,
            Self::Release(minor) => minor,
            Self::CrossType => Feature::CrossTypeComparisons.first_release(),
        }
    }
}

/// The implementation of a function.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Body {
    /// The implementations of its overloads.
    Overloads,
    /// One implementation for all overloads, for first arguments with the required trait.
    All(Implementation, Trait),
    /// Separate steps, which the planner creates.
    Steps,
}

/// The implementation of an overload.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Run {
    /// An implementation for arguments that match the parameters.
    Fitting(Implementation),
    /// An implementation that checks the types of its arguments itself.
    Any(Implementation),
    /// An implementation for matching arguments, which are evaluated only up to the first that fails.
    InTurn(Implementation),
    /// The implementation of the function.
    OfFunction,
    /// None: no rule has a value to call it on.
    Never,
}

impl Run {
    /// The implementation of the overload itself.
    pub(crate) const fn implementation(self) -> Option<Implementation> {
        match self {
            Self::Fitting(run) | Self::Any(run) | Self::InTurn(run) => Some(run),
            Self::OfFunction | Self::Never => None,
        }
    }
}

/// The work done once, before any evaluation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Precomputation {
    /// Nothing.
    Nothing,
    /// A call with a constant is evaluated.
    Call,
    /// The second argument is a pattern, which is compiled if it is constant.
    Pattern,
}

/// Fails to compile if the parts of a declaration contradict each other.
pub(super) const fn check(topics: &[&[Function]]) {
    let mut topic = 0;
    while topic < topics.len() {
        let mut at = 0;
        while at < topics[topic].len() {
            check_function(&topics[topic][at]);
            at += 1;
        }
        topic += 1;
    }
}

const fn check_function(function: &Function) {
    assert!(!function.signatures.is_empty(), "a function has an overload at least");
    let mut at = 0;
    while at < function.signatures.len() {
        let of_function = matches!(function.signatures[at].run, Run::OfFunction);
        match function.body {
            Body::Overloads => assert!(!of_function, "each overload of `Body::Overloads` says what it runs"),
            Body::All(..) | Body::Steps => assert!(of_function, "the function says what its overloads run"),
        }
        at += 1;
    }
}
