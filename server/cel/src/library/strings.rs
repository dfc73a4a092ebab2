//! Texts. Indices count characters.

use super::Context;
use crate::value::{EvalError, List, Outcome, Value, characters, display};

type Args<'s, 'a> = &'s mut [Value<'a>];

const WRONG: EvalError = EvalError::NoSuchOverload;

fn out_of_range<T>(index: i64) -> Outcome<T> {
    Err(EvalError::new(format!("index out of range: {index}")))
}

/// The byte at which the character `index` begins; the length for the index behind the last one.
fn byte_of(text: &str, index: i64) -> Option<usize> {
    let index = usize::try_from(index).ok()?;
    if text.is_ascii() {
        return (index <= text.len()).then_some(index);
    }
    text.char_indices().map(|(at, _)| at).chain([text.len()]).nth(index)
}

pub(super) fn char_at<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    let [Value::String(text), Value::Int(index)] = args else { return Err(WRONG) };
    let Some(at) = byte_of(text, *index) else { return out_of_range(*index) };
    let character = text.get(at..).and_then(|rest| rest.chars().next());
    Ok(Value::text(character.map(String::from).unwrap_or_default()))
}

pub(super) fn substring<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
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

pub(super) fn index_of<'a>(context: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
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

pub(super) fn last_index_of<'a>(context: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
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
    // The last place where it may begin.
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

pub(super) fn lower_ascii<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    let [Value::String(text)] = args else { return Err(WRONG) };
    Ok(Value::text(text.to_ascii_lowercase()))
}

pub(super) fn upper_ascii<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    let [Value::String(text)] = args else { return Err(WRONG) };
    Ok(Value::text(text.to_ascii_uppercase()))
}

pub(super) fn trim<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    let [Value::String(text)] = args else { return Err(WRONG) };
    Ok(Value::text(text.trim()))
}

pub(super) fn replace<'a>(context: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
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

pub(super) fn split<'a>(context: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
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

/// The characters of a text, at most so many; the last one has what is left.
fn each_character(text: &str, most: usize) -> Vec<&str> {
    let mut parts = vec![];
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        if parts.len() + 1 >= most {
            parts.push(rest);
            break;
        }
        let (character, behind) = rest.split_at_checked(first.len_utf8()).unwrap_or((rest, ""));
        parts.push(character);
        rest = behind;
    }
    parts
}

pub(super) fn join<'a>(context: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    let (list, separator) = match args {
        [Value::List(list)] => (list, ""),
        [Value::List(list), Value::String(separator)] => (list, &**separator),
        _ => return Err(WRONG),
    };
    joined(context, list, separator).map(Value::text)
}

fn joined(context: &Context<'_>, list: &List<'_>, separator: &str) -> Outcome<String> {
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
        // A fifth of what is made is charged; what cannot be paid is not made.
        if out.len() as u64 / 20 > context.budget {
            return Err(EvalError::CostLimit);
        }
    }
    context.bound.text(out.len())?;
    Ok(out)
}

/// `strings.quote`
pub(super) fn quote<'a>(context: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
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

fn two<'a>(args: Args<'_, 'a>, holds: impl Fn(&str, &str) -> bool) -> Outcome<Value<'a>> {
    let [Value::String(text), Value::String(part)] = args else { return Err(WRONG) };
    Ok(Value::Bool(holds(text, part)))
}

pub(super) fn contains<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    two(args, |text, part| text.contains(part))
}

pub(super) fn starts_with<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    two(args, |text, part| text.starts_with(part))
}

pub(super) fn ends_with<'a>(_: &Context<'_>, args: Args<'_, 'a>) -> Outcome<Value<'a>> {
    two(args, |text, part| text.ends_with(part))
}
