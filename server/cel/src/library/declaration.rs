//! How a function is declared: all that is known of it stands in one [`Function`], and every field is required.

use super::costs::{Forecast, Price};
use super::{Implementation, Trait};
use crate::about::{Example, Origin};
use crate::feature::Feature;

/// The doc line of what nobody writes: macros and the planner put it into expressions, and no editor shows it.
pub(super) const INTERNAL: &str = "";

/// A function with its overloads.
#[derive(Debug)]
pub(crate) struct Function {
    /// Its name, with a namespace such as `sets.` where it has one.
    pub(crate) name: &'static str,
    /// What it does, in a line.
    pub(crate) doc: &'static str,
    /// What a call of it gives.
    pub(crate) example: Example,
    /// Whose schema describes the result.
    pub(crate) origin: Origin,
    /// What runs.
    pub(crate) body: Body,
    /// What is done once for constant arguments.
    pub(crate) ahead: Ahead,
    /// What a call costs whose overload is found only when it runs.
    pub(crate) undecided: Price,
    /// The overloads in the order in which the checker tries them.
    pub(crate) signatures: &'static [Signature],
}

/// An overload of a function.
#[derive(Debug)]
pub(crate) struct Signature {
    /// cel-go's name of it.
    pub(crate) id: &'static str,
    /// `(list(T)).sort() -> list(T)`; the receiver, where there is one, in parentheses in front.
    pub(crate) text: &'static str,
    /// Which environments have it.
    pub(crate) since: Since,
    /// What runs.
    pub(crate) run: Run,
    /// What a call costs by the sizes that a schema allows.
    pub(crate) estimate: Forecast,
    /// What a call costs when it runs.
    pub(crate) price: Price,
}

/// Which environments have something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Since {
    /// All.
    Always,
    /// Those from release 1.N on.
    Release(u8),
    /// Those that compare numbers of different types. cel-go forgets to leave these out inside and behind a loop.
    CrossType,
}

impl Since {
    /// The release (1.N) whose environment has it first, 0 for all.
    pub(crate) const fn release(self) -> u8 {
        match self {
            Self::Always => 0,
            Self::Release(minor) => minor,
            Self::CrossType => Feature::CrossTypeComparisons.since(),
        }
    }
}

/// What a function runs.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Body {
    /// What its overloads run.
    Overloads,
    /// One implementation for all overloads, for first arguments that can do what it needs.
    All(Implementation, Trait),
    /// Steps of its own, which the planner makes.
    Steps,
}

/// What an overload runs.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Run {
    /// An implementation, for arguments that fit the parameters.
    Fitting(Implementation),
    /// An implementation that looks at the types of its arguments itself.
    Any(Implementation),
    /// An implementation for arguments that fit, evaluated only up to the first that fails.
    InTurn(Implementation),
    /// What the function runs.
    OfFunction,
    /// Nothing: no rule has a value to call it on.
    Never,
}

impl Run {
    /// The implementation that the overload has for itself.
    pub(crate) const fn implementation(self) -> Option<Implementation> {
        match self {
            Self::Fitting(run) | Self::Any(run) | Self::InTurn(run) => Some(run),
            Self::OfFunction | Self::Never => None,
        }
    }
}

/// What is done once, before anything runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ahead {
    /// Nothing.
    Nothing,
    /// A call with a constant is run.
    Call,
    /// The second argument is a pattern, which is compiled if it is constant.
    Pattern,
}

/// Does not compile where the parts of a declaration contradict each other.
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
