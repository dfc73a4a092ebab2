//! Patterns. Their syntax is Go's, which [`RegexEngine`](crate::regex::RegexEngine) implements.

use std::sync::Arc;

use super::costs::{Forecast, Price};
use super::declaration::{Availability, Body, Function, Precomputation, Run, Signature};
use super::{Args, Context, Trait};
use crate::documentation::{Example, Origin};
use crate::regex::Regex;
use crate::value::{EvalError, Outcome, Value};

/// The functions that are declared here.
#[rustfmt::skip]
pub(super) const FUNCTIONS: &[Function] = &[
    Function {
        name: "find",
        doc: "the first match of a regular expression, or an empty string if there is no match",
        example: Example::Gives("'a12b'.find('[0-9]+')", "'12'"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Pattern, undecided: Price::Regex,
        signatures: &[
            Signature { id: "string_find_string", text: "(string).find(string) -> string",
                since: Availability::Always, run: Run::Fitting(find),
                estimate: Forecast::Find, price: Price::Regex },
        ],
    },
    Function {
        name: "findAll",
        doc: "all matches of a regular expression, or at most the given number",
        example: Example::Gives("'a1b22'.findAll('[0-9]+')", "['1', '22']"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Pattern, undecided: Price::Regex,
        signatures: &[
            Signature { id: "string_find_all_string", text: "(string).findAll(string) -> list(string)",
                since: Availability::Always, run: Run::Fitting(find_all),
                estimate: Forecast::Find, price: Price::Regex },
            Signature { id: "string_find_all_string_int",
                text: "(string).findAll(string, int) -> list(string)",
                since: Availability::Always, run: Run::Fitting(find_all),
                estimate: Forecast::Find, price: Price::Regex },
        ],
    },
    Function {
        name: "matches",
        doc: "whether a part of the string matches the regular expression; use `^` and `$` to match the whole string",
        example: Example::Gives("'abc'.matches('^a')", "true"),
        origin: Origin::Computed,
        body: Body::All(matches, Trait::Matches), ahead: Precomputation::Pattern, undecided: Price::One,
        signatures: &[
            Signature { id: "matches", text: "matches(string, string) -> bool",
                since: Availability::Always, run: Run::OfFunction, estimate: Forecast::Regex, price: Price::Regex },
            Signature { id: "matches_string", text: "(string).matches(string) -> bool",
                since: Availability::Always, run: Run::OfFunction, estimate: Forecast::Regex, price: Price::Regex },
        ],
    },
];

enum CompiledPattern<'c> {
    Constant(&'c dyn Regex),
    Made(Arc<dyn Regex>),
}

impl CompiledPattern<'_> {
    fn get(&self) -> &dyn Regex {
        match self {
            Self::Constant(regex) => *regex,
            Self::Made(regex) => &**regex,
        }
    }
}

fn compile<'c>(context: &Context<'c>, pattern: &str, what: &str) -> Outcome<CompiledPattern<'c>> {
    if let Some(regex) = context.compiled {
        return Ok(CompiledPattern::Constant(regex));
    }
    let engine = context.regex.ok_or(EvalError::NoSuchOverload)?;
    let made = engine.compile(pattern).map_err(|why| EvalError::new(format!("{what}{why}")))?;
    Ok(CompiledPattern::Made(made))
}

fn matches<'a>(context: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    let [Value::String(text), Value::String(pattern)] = args else {
        return Err(EvalError::NoSuchOverload);
    };
    let regex = compile(context, pattern, "")?;
    Ok(Value::Bool(regex.get().find_at(text, 0).is_some()))
}

fn find<'a>(context: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    let [Value::String(text), Value::String(pattern)] = args else {
        return Err(EvalError::NoSuchOverload);
    };
    let regex = compile(context, pattern, "Illegal regex: ")?;
    let found = regex.get().find_at(text, 0).and_then(|(start, end)| text.get(start..end));
    Ok(Value::text(found.unwrap_or_default()))
}

fn find_all<'a>(context: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    let (text, pattern, most) = match args {
        [Value::String(text), Value::String(pattern)] => (text, pattern, -1),
        [Value::String(text), Value::String(pattern), Value::Int(most)] => (text, pattern, *most),
        _ => return Err(EvalError::NoSuchOverload),
    };
    let regex = compile(context, pattern, "Illegal regex: ")?;
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    let mut found = vec![];
    let (mut at, mut last_end) = (0, None);
    while found.len() < most && at <= text.len() {
        let Some((start, end)) = regex.get().find_at(text, at) else { break };
        context.bound.elements(found.len())?;
        // An empty match directly after another match does not count.
        let is_new = end > start || last_end != Some(start);
        at = if end > at { end } else { next_character(text, at) };
        last_end = Some(end);
        if is_new {
            found.push(Value::text(text.get(start..end).unwrap_or_default()));
        }
    }
    Ok(Value::list(found))
}

/// The start of the character after the one at `at`; the end of the text if there is none.
fn next_character(text: &str, at: usize) -> usize {
    let width = text.get(at..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8);
    at + width
}
