//! The functions of all releases: each is declared once, next to its implementation. Each topic lists its
//! functions in `FUNCTIONS`.

mod authorizer;
mod comparisons;
mod convert;
mod costs;
mod declaration;
mod kubernetes;
mod lists;
mod lists_ext;
mod named_formats;
mod network;
mod operators;
mod optionals;
mod regexes;
mod string_format;
mod strings;
mod syntax;
mod times;
mod urls;

pub use convert::text_of;
pub(crate) use costs::{Forecast, Price, REGEX, STRING};
pub(crate) use declaration::{Availability, Body, Function, Precomputation, Run, Signature};

use crate::regex::{Regex, RegexEngine};
use crate::value::{Bound, EvalError, Outcome, Value};

/// All functions, by topic.
pub(crate) const TOPICS: &[&[Function]] = &[
    authorizer::FUNCTIONS,
    comparisons::FUNCTIONS,
    convert::FUNCTIONS,
    kubernetes::FUNCTIONS,
    lists::FUNCTIONS,
    lists_ext::FUNCTIONS,
    named_formats::FUNCTIONS,
    network::FUNCTIONS,
    operators::FUNCTIONS,
    optionals::FUNCTIONS,
    regexes::FUNCTIONS,
    strings::FUNCTIONS,
    syntax::FUNCTIONS,
    times::FUNCTIONS,
    urls::FUNCTIONS,
];

const _: () = declaration::check(TOPICS);

/// The inputs of functions in addition to their arguments.
pub(crate) struct Context<'c> {
    pub(crate) bound: &'c Bound,
    /// The remaining cost units.
    pub(crate) budget: u64,
    pub(crate) regex: Option<&'c dyn RegexEngine>,
    /// The compiled pattern, if it is a constant.
    pub(crate) compiled: Option<&'c dyn Regex>,
    /// Whether the first argument is an accumulator that no other step reads.
    pub(crate) in_place: bool,
}

/// The arguments of a call.
type Args<'s, 'a> = &'s mut [Value<'a>];

/// A function, which may take its arguments.
pub(crate) type Implementation = for<'a> fn(&Context<'_>, &mut [Value<'a>]) -> Outcome<Value<'a>>;

/// The capabilities of a type of values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Trait {
    Any,
    Adds,
    Compares,
    Contains,
    Divides,
    HasSize,
    IsList,
    Matches,
    Multiplies,
    Negates,
    Subtracts,
    Takes,
}

impl Trait {
    /// Whether a value has the capability.
    pub(crate) fn has(self, value: &Value<'_>) -> bool {
        use Value::{Bool, Bytes, Double, Duration, Int, List, Map, String, Timestamp, Uint};
        match self {
            Self::Any | Self::Contains => true,
            Self::Adds => matches!(
                value,
                Bytes(_) | Double(_) | Duration(_) | Int(_) | List(_) | String(_) | Timestamp(_) | Uint(_)
            ),
            Self::Compares => value.is_comparable(),
            Self::Divides | Self::Multiplies => matches!(value, Double(_) | Int(_) | Uint(_)),
            Self::Takes => matches!(value, Int(_) | Uint(_)),
            Self::HasSize => matches!(value, Bytes(_) | List(_) | Map(_) | String(_)),
            Self::IsList => matches!(value, List(_)),
            Self::Matches => matches!(value, String(_)),
            Self::Negates => matches!(value, Bool(_) | Double(_) | Duration(_) | Int(_)),
            Self::Subtracts => {
                matches!(value, Double(_) | Duration(_) | Int(_) | Timestamp(_) | Uint(_))
            }
        }
    }
}

/// The first argument, which null replaces.
fn take<'a>(args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    args.first_mut().map(|value| std::mem::replace(value, Value::Null)).ok_or(EvalError::NoSuchOverload)
}
