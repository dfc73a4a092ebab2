//! Calls: the choice of the implementation, and the API server's text if none fits.

use std::sync::Arc;

use super::Regex;
use super::step::{SlotId, StepId};
use crate::env::{FunctionDecl, Overload};
use crate::library::{Body, Implementation, Price, Run, Trait};
use crate::types::Type;
use crate::value::{EvalError, Outcome, Value};

/// A call of a function.
#[derive(Debug)]
pub(super) struct Call {
    pub(super) function: &'static str,
    pub(super) target: Target,
    pub(super) args: Box<[StepId]>,
    /// Whether the arguments after one that fails are not evaluated.
    pub(super) stops_early: bool,
    pub(super) price: Price,
    /// The compiled pattern, if it is a constant.
    pub(super) regex: Option<Arc<dyn Regex>>,
    /// The accumulator that is the first argument and that no other step reads: it may be modified in place.
    pub(super) consumes: Option<SlotId>,
}

/// The implementations of a call.
#[derive(Clone, Copy, Debug)]
pub(super) enum Target {
    /// The only overload that the checker found.
    Overload(&'static Overload, Implementation),
    /// Any overload that fits the arguments.
    Dispatch(&'static FunctionDecl),
    /// One implementation for all overloads, for values with the required trait.
    Singleton(Implementation, Trait),
}

impl Target {
    /// The target of a call, given the overload if the checker found only one; `None` if the function has no
    /// implementation.
    pub(super) fn new(function: &'static FunctionDecl, only: Option<&'static Overload>) -> Option<Self> {
        match function.declared.body {
            Body::All(run, needs) => return Some(Self::Singleton(run, needs)),
            Body::Steps => return None,
            Body::Overloads => {}
        }
        let mut overloads = function.overloads();
        match (only.or_else(|| overloads.next()), overloads.next()) {
            (Some(_), Some(_)) if only.is_none() => Some(Self::Dispatch(function)),
            (overload, _) => {
                let overload = overload?;
                Some(Self::Overload(overload, overload.declared.run.implementation()?))
            }
        }
    }

    /// The implementation for these arguments, or cel-go's error if there is none.
    pub(super) fn resolve(self, function: &'static str, args: &[Value<'_>]) -> Outcome<Implementation> {
        match self {
            Self::Singleton(run, needs) => match args.first() {
                Some(first) if !needs.has(first) => Err(without_trait(function, first)),
                _ => Ok(run),
            },
            Self::Overload(overload, run) => {
                if matches!(overload.declared.run, Run::Any(_)) || fit(&overload.params, args) {
                    Ok(run)
                } else {
                    Err(no_such_overload(function, args))
                }
            }
            Self::Dispatch(declaration) => {
                let fits = |overload: &&Overload| {
                    let guarded = !matches!(overload.declared.run, Run::Any(_));
                    overload.params.len() == args.len() && (!guarded || fit(&overload.params, args))
                };
                let found =
                    declaration.overloads().filter(fits).find_map(|one| one.declared.run.implementation());
                found.ok_or_else(|| no_such_overload(function, args))
            }
        }
    }
}

/// cel-go has another text for values that receive calls themselves.
fn without_trait(function: &str, first: &Value<'_>) -> EvalError {
    match first {
        Value::String(_) | Value::Timestamp(_) | Value::Duration(_) => EvalError::NoSuchOverload,
        _ => EvalError::new(format!("no such overload: {function}")),
    }
}

fn no_such_overload(function: &str, args: &[Value<'_>]) -> EvalError {
    let types: Vec<_> = args.iter().map(Value::type_name).collect();
    EvalError::new(format!("no such overload: {function}({})", types.join(", ")))
}

fn fit(params: &[Type], args: &[Value<'_>]) -> bool {
    params.len() == args.len() && params.iter().zip(args).all(|(param, arg)| fits(param, arg))
}

/// Whether a value may be passed for a parameter; for lists and maps, cel-go checks the first element.
fn fits(param: &Type, value: &Value<'_>) -> bool {
    match (param, value) {
        (Type::Dyn | Type::Any | Type::Param(_), _) => true,
        (Type::List(element), Value::List(list)) => match list.get(0) {
            None => true,
            Some(first) => first.is_ok_and(|first| fits(element, &first)),
        },
        (Type::Map(entry), Value::Map(map)) => match map.entries().first() {
            None => true,
            Some((key, value)) => {
                fits(&entry.0, key) && value.as_ref().is_ok_and(|value| fits(&entry.1, value))
            }
        },
        (Type::Bool, Value::Bool(_))
        | (Type::Int, Value::Int(_))
        | (Type::Uint, Value::Uint(_))
        | (Type::Double, Value::Double(_))
        | (Type::String, Value::String(_))
        | (Type::Bytes, Value::Bytes(_))
        | (Type::Duration, Value::Duration(_))
        | (Type::Timestamp, Value::Timestamp(_))
        | (Type::Null, Value::Null)
        | (Type::Optional(_), Value::Optional(_))
        | (Type::Type(_), Value::Type(_)) => true,
        (Type::Opaque(name), value) => *name == value.type_name(),
        (Type::Object(name), value) => **name == *value.type_name(),
        _ => false,
    }
}
