//! Texts. Indices count characters.

use super::costs::{Forecast, Price, STRING};
use super::declaration::{Availability, Body, Function, Precomputation, Run, Signature};
use super::{Args, Context, lists, string_format};
use crate::documentation::{Example, Origin};
use crate::value::{EvalError, List, Outcome, Value, characters, display};

/// The functions that are declared here.
#[rustfmt::skip]
pub(super) const FUNCTIONS: &[Function] = &[
    Function {
        name: "charAt",
        doc: "the character at an index (from 0), as a string",
        example: Example::Gives("'abc'.charAt(1)", "'b'"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "string_char_at_int", text: "(string).charAt(int) -> string",
                since: Availability::Always, run: Run::Fitting(char_at),
                estimate: Forecast::One, price: Price::One },
        ],
    },
    Function {
        name: "contains",
        doc: "whether the string contains the other one",
        example: Example::Gives("'abc'.contains('bc')", "true"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "contains_string", text: "(string).contains(string) -> bool",
                since: Availability::Always, run: Run::Any(contains),
                estimate: Forecast::Contains, price: Price::Contains },
        ],
    },
    Function {
        name: "endsWith",
        doc: "whether the string ends with the other one",
        example: Example::Gives("'abc'.endsWith('bc')", "true"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "ends_with_string", text: "(string).endsWith(string) -> bool",
                since: Availability::Always, run: Run::Any(ends_with),
                estimate: Forecast::Scan(1), price: Price::Scan(1, STRING) },
        ],
    },
    Function {
        name: "format",
        doc: "the string with its placeholders (`%s`, `%d`, `%f`, `%e`, `%b`, `%x`, `%X`, `%o`) replaced by the values of the list",
        example: Example::Gives("'%s has %d'.format(['a', 2])", "'a has 2'"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "string_format", text: "(string).format(list(dyn)) -> string",
                since: Availability::Release(29), run: Run::InTurn(string_format::format),
                estimate: Forecast::Scan(0), price: Price::Scan(0, STRING) },
        ],
    },
    Function {
        name: "indexOf",
        doc: "the index of the first occurrence, or -1 if there is none",
        example: Example::Gives("'abc'.indexOf('c')", "2"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::Traversal,
        signatures: &[
            Signature { id: "list_a_index_of_int", text: "(list(A)).indexOf(A) -> int",
                since: Availability::Always, run: Run::Fitting(lists::index_of),
                estimate: Forecast::Traversal, price: Price::Traversal },
            Signature { id: "string_index_of_string", text: "(string).indexOf(string) -> int",
                since: Availability::Always, run: Run::Fitting(index_of),
                estimate: Forecast::Traversal, price: Price::Traversal },
            Signature { id: "string_index_of_string_int", text: "(string).indexOf(string, int) -> int",
                since: Availability::Always, run: Run::Fitting(index_of),
                estimate: Forecast::Traversal, price: Price::Traversal },
        ],
    },
    Function {
        name: "join",
        doc: "the strings of the list joined, with a separator between them",
        example: Example::Gives("['a', 'b'].join('-')", "'a-b'"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::Result(2.0 * STRING),
        signatures: &[
            Signature { id: "list_join", text: "(list(string)).join() -> string",
                since: Availability::Always, run: Run::Fitting(join),
                estimate: Forecast::Join, price: Price::Result(2.0 * STRING) },
            Signature { id: "list_join_string", text: "(list(string)).join(string) -> string",
                since: Availability::Always, run: Run::Fitting(join),
                estimate: Forecast::Join, price: Price::Result(2.0 * STRING) },
        ],
    },
    Function {
        name: "lastIndexOf",
        doc: "the index of the last occurrence, or -1 if there is none",
        example: Example::Gives("'abcabc'.lastIndexOf('c')", "5"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::Traversal,
        signatures: &[
            Signature { id: "list_a_last_index_of_int", text: "(list(A)).lastIndexOf(A) -> int",
                since: Availability::Always, run: Run::Fitting(lists::last_index_of),
                estimate: Forecast::Traversal, price: Price::Traversal },
            Signature { id: "string_last_index_of_string", text: "(string).lastIndexOf(string) -> int",
                since: Availability::Always, run: Run::Fitting(last_index_of),
                estimate: Forecast::Traversal, price: Price::Traversal },
            Signature { id: "string_last_index_of_string_int",
                text: "(string).lastIndexOf(string, int) -> int",
                since: Availability::Always, run: Run::Fitting(last_index_of),
                estimate: Forecast::Traversal, price: Price::Traversal },
        ],
    },
    Function {
        name: "lowerAscii",
        doc: "the string with A to Z converted to lower case",
        example: Example::Gives("'ABC'.lowerAscii()", "'abc'"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::Scan(0, STRING),
        signatures: &[
            Signature { id: "string_lower_ascii", text: "(string).lowerAscii() -> string",
                since: Availability::Always, run: Run::Fitting(lower_ascii),
                estimate: Forecast::SameText, price: Price::Scan(0, STRING) },
        ],
    },
    Function {
        name: "replace",
        doc: "the string with all occurrences replaced, or at most the given number",
        example: Example::Gives("'a-b-c'.replace('-', '.')", "'a.b.c'"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::Scan(0, 2.0 * STRING),
        signatures: &[
            Signature { id: "string_replace_string_string",
                text: "(string).replace(string, string) -> string",
                since: Availability::Always, run: Run::Fitting(replace),
                estimate: Forecast::Replace, price: Price::Scan(0, 2.0 * STRING) },
            Signature { id: "string_replace_string_string_int",
                text: "(string).replace(string, string, int) -> string",
                since: Availability::Always, run: Run::Fitting(replace),
                estimate: Forecast::Replace, price: Price::Scan(0, 2.0 * STRING) },
        ],
    },
    Function {
        name: "split",
        doc: "the parts of the string between separators, or at most the given number",
        example: Example::Gives("'a,b,c'.split(',')", "['a', 'b', 'c']"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::Scan(0, 2.0 * STRING),
        signatures: &[
            Signature { id: "string_split_string", text: "(string).split(string) -> list(string)",
                since: Availability::Always, run: Run::Fitting(split),
                estimate: Forecast::Split, price: Price::Scan(0, 2.0 * STRING) },
            Signature { id: "string_split_string_int", text: "(string).split(string, int) -> list(string)",
                since: Availability::Always, run: Run::Fitting(split),
                estimate: Forecast::Split, price: Price::Scan(0, 2.0 * STRING) },
        ],
    },
    Function {
        name: "startsWith",
        doc: "whether the string begins with the other one",
        example: Example::Gives("'abc'.startsWith('ab')", "true"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "starts_with_string", text: "(string).startsWith(string) -> bool",
                since: Availability::Always, run: Run::Any(starts_with),
                estimate: Forecast::Scan(1), price: Price::Scan(1, STRING) },
        ],
    },
    Function {
        name: "strings.quote",
        doc: "the string in quotes, with special characters escaped",
        example: Example::Gives(r#"strings.quote('say "hi"')"#, r#"r'"say \"hi\""'"#),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::One,
        signatures: &[
            Signature { id: "strings_quote", text: "strings.quote(string) -> string",
                since: Availability::Release(29), run: Run::Fitting(quote),
                estimate: Forecast::Quote, price: Price::Scan(0, STRING) },
        ],
    },
    Function {
        name: "substring",
        doc: "the characters from the first index up to the second (not included), or to the end",
        example: Example::Gives("'abcd'.substring(1, 3)", "'bc'"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::Scan(0, STRING),
        signatures: &[
            Signature { id: "string_substring_int", text: "(string).substring(int) -> string",
                since: Availability::Always, run: Run::Fitting(substring),
                estimate: Forecast::SameText, price: Price::Scan(0, STRING) },
            Signature { id: "string_substring_int_int", text: "(string).substring(int, int) -> string",
                since: Availability::Always, run: Run::Fitting(substring),
                estimate: Forecast::SameText, price: Price::Scan(0, STRING) },
        ],
    },
    Function {
        name: "trim",
        doc: "the string without white space at both ends",
        example: Example::Gives("' a b '.trim()", "'a b'"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::Scan(0, STRING),
        signatures: &[
            Signature { id: "string_trim", text: "(string).trim() -> string",
                since: Availability::Always, run: Run::Fitting(trim),
                estimate: Forecast::SameText, price: Price::Scan(0, STRING) },
        ],
    },
    Function {
        name: "upperAscii",
        doc: "the string with a to z converted to upper case",
        example: Example::Gives("'abc'.upperAscii()", "'ABC'"),
        origin: Origin::Computed,
        body: Body::Overloads, ahead: Precomputation::Nothing, undecided: Price::Scan(0, STRING),
        signatures: &[
            Signature { id: "string_upper_ascii", text: "(string).upperAscii() -> string",
                since: Availability::Always, run: Run::Fitting(upper_ascii),
                estimate: Forecast::SameText, price: Price::Scan(0, STRING) },
        ],
    },
];

const WRONG: EvalError = EvalError::NoSuchOverload;

fn out_of_range<T>(index: i64) -> Outcome<T> {
    Err(EvalError::new(format!("index out of range: {index}")))
}

/// The byte offset of the character `index`; the length of the text for the index after the last one.
fn byte_of(text: &str, index: i64) -> Option<usize> {
    let index = usize::try_from(index).ok()?;
    if text.is_ascii() {
        return (index <= text.len()).then_some(index);
    }
    text.char_indices().map(|(at, _)| at).chain([text.len()]).nth(index)
}

fn char_at<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    let [Value::String(text), Value::Int(index)] = args else { return Err(WRONG) };
    let Some(at) = byte_of(text, *index) else { return out_of_range(*index) };
    let character = text.get(at..).and_then(|rest| rest.chars().next());
    Ok(Value::text(character.map(String::from).unwrap_or_default()))
}

fn substring<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    let (text, start, end) = match args {
        [Value::String(text), Value::Int(start)] => (text, *start, None),
        [Value::String(text), Value::Int(start), Value::Int(end)] => (text, *start, Some(*end)),
        _ => return Err(WRONG),
    };
    if let Some(end) = end.filter(|end| start > *end) {
        let message = format!("invalid substring range. start: {start}, end: {end}");
        return Err(EvalError::new(message));
    }
    let Some(from) = byte_of(text, start) else { return out_of_range(start) };
    let to = match end {
        None => text.len(),
        Some(end) => match byte_of(text, end) {
            Some(to) => to,
            None => return out_of_range(end),
        },
    };
    Ok(Value::text(text.get(from..to).unwrap_or_default()))
}

fn index_of<'a>(context: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    let (text, wanted, offset) = search_args(args)?;
    let offset = offset.unwrap_or(0);
    if offset < 0 {
        return out_of_range(offset);
    }
    context.bound.work(text.len() as u64 / 8)?;
    let len = characters(text) as i64;
    if wanted.is_empty() {
        return Ok(Value::Int(offset.min(len)));
    }
    let Some(from) = byte_of(text, offset).filter(|_| offset < len) else { return Ok(Value::Int(-1)) };
    let rest = text.get(from..).unwrap_or_default();
    let found = rest.find(wanted).and_then(|at| rest.get(..at));
    Ok(Value::Int(found.map_or(-1, |before| offset + characters(before) as i64)))
}

fn last_index_of<'a>(context: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    let (text, wanted, offset) = search_args(args)?;
    context.bound.work(text.len() as u64 / 8)?;
    let len = characters(text) as i64;
    if wanted.is_empty() && offset.is_none() {
        return Ok(Value::Int(len));
    }
    if offset.is_none() && text.len() < wanted.len() {
        return Ok(Value::Int(-1));
    }
    let offset = offset.unwrap_or(len - 1);
    if offset < 0 {
        return out_of_range(offset);
    }
    if wanted.is_empty() {
        return Ok(Value::Int(offset.min(len)));
    }
    if offset >= len {
        return Ok(Value::Int(-1));
    }
    // The last possible start.
    let from = byte_of(text, offset).unwrap_or(text.len());
    let end = (from + wanted.len()).min(text.len());
    let end = (from..=end).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(from);
    let within = text.get(..end).unwrap_or_default();
    let found = within.rfind(wanted).and_then(|at| within.get(..at));
    Ok(Value::Int(found.map_or(-1, |before| characters(before) as i64)))
}

fn search_args<'s>(args: &'s [Value<'_>]) -> Outcome<(&'s str, &'s str, Option<i64>)> {
    match args {
        [Value::String(text), Value::String(wanted)] => Ok((text, wanted, None)),
        [Value::String(text), Value::String(wanted), Value::Int(offset)] => Ok((text, wanted, Some(*offset))),
        _ => Err(WRONG),
    }
}

fn lower_ascii<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    let [Value::String(text)] = args else { return Err(WRONG) };
    Ok(Value::text(text.to_ascii_lowercase()))
}

fn upper_ascii<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    let [Value::String(text)] = args else { return Err(WRONG) };
    Ok(Value::text(text.to_ascii_uppercase()))
}

fn trim<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    let [Value::String(text)] = args else { return Err(WRONG) };
    Ok(Value::text(text.trim()))
}

fn replace<'a>(context: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    let (text, old, new, most) = match args {
        [Value::String(text), Value::String(old), Value::String(new)] => (text, old, new, -1),
        [Value::String(text), Value::String(old), Value::String(new), Value::Int(most)] => {
            (text, old, new, *most)
        }
        _ => return Err(WRONG),
    };
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    let count = if old.is_empty() {
        characters(text) as usize + 1
    } else {
        context.bound.work(text.len() as u64 / 8)?;
        text.matches(&**old).count()
    };
    let longer = count.min(most).saturating_mul(new.len());
    context.bound.text(text.len().saturating_add(longer))?;
    Ok(Value::text(text.replacen(&**old, new, most)))
}

fn split<'a>(context: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    let (text, separator, most) = match args {
        [Value::String(text), Value::String(separator)] => (text, separator, -1),
        [Value::String(text), Value::String(separator), Value::Int(most)] => (text, separator, *most),
        _ => return Err(WRONG),
    };
    context.bound.elements(text.len())?;
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    let parts: Vec<Value<'a>> = if most == 0 {
        vec![]
    } else if separator.is_empty() {
        each_character(text, most).into_iter().map(Value::text).collect()
    } else {
        text.splitn(most, &**separator).map(Value::text).collect()
    };
    Ok(Value::list(parts))
}

/// The characters of a text, at most `most` parts; the last one is the rest of the text.
fn each_character(text: &str, most: usize) -> Vec<&str> {
    let mut parts = vec![];
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        if parts.len() + 1 >= most {
            parts.push(rest);
            break;
        }
        let (character, following) = rest.split_at_checked(first.len_utf8()).unwrap_or((rest, ""));
        parts.push(character);
        rest = following;
    }
    parts
}

fn join<'a>(context: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    let (list, separator) = match args {
        [Value::List(list)] => (list, ""),
        [Value::List(list), Value::String(separator)] => (list, &**separator),
        _ => return Err(WRONG),
    };
    join_texts(context, list, separator).map(Value::text)
}

fn join_texts(context: &Context<'_>, list: &List<'_>, separator: &str) -> Outcome<String> {
    let mut out = String::new();
    for (at, element) in list.iter().enumerate() {
        if at > 0 {
            out.push_str(separator);
        }
        match element? {
            Value::String(text) => out.push_str(&text),
            other => return Err(EvalError::new(format!("join: invalid input: {}", display(&other)))),
        }
        context.bound.work(1)?;
        // The cost is a fifth of the result's characters, which have at most four bytes each. A result that
        // exceeds the budget is not completed.
        if out.len() as u64 / 20 > context.budget {
            return Err(EvalError::CostLimit);
        }
    }
    context.bound.text(out.len())?;
    Ok(out)
}

/// `strings.quote`
fn quote<'a>(context: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    let [Value::String(text)] = args else { return Err(WRONG) };
    context.bound.text(text.len() * 2)?;
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '\x07' => out.push_str("\\a"),
            '\x08' => out.push_str("\\b"),
            '\x0c' => out.push_str("\\f"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\x0b' => out.push_str("\\v"),
            '\\' => out.push_str("\\\\"),
            '"' => out.push_str("\\\""),
            c => out.push(c),
        }
    }
    out.push('"');
    Ok(Value::text(out))
}

fn compare_texts<'a>(args: Args<'_, 'a>, holds: impl Fn(&str, &str) -> bool) -> Outcome<Value<'a>> {
    let [Value::String(text), Value::String(part)] = args else { return Err(WRONG) };
    Ok(Value::Bool(holds(text, part)))
}

fn contains<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    compare_texts(args, |text, part| text.contains(part))
}

fn starts_with<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    compare_texts(args, |text, part| text.starts_with(part))
}

fn ends_with<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    compare_texts(args, |text, part| text.ends_with(part))
}
