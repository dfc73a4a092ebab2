//! Lists in brackets, as JSON and other languages write them. In a marker, the brackets are part of the first and the last
//! text.

use std::ops::Range;

use crate::marker::{ArgumentType, Value};

/// The marker syntax of a list in `[` and `]` or in parentheses; `None` if the text is not such a list.
pub(super) fn unbracketed(written: &str, kind: ArgumentType) -> Option<String> {
    let written = written.trim();
    // A slice of Go.
    let literal = written.strip_prefix("[]").and_then(|rest| rest.split_once('{')?.1.strip_suffix('}'));
    let items = items(literal.or_else(|| inner(written))?)?;
    match kind {
        ArgumentType::Texts | ArgumentType::Anys => {
            let is_plain = |item: &String| !item.is_empty() && !item.contains(['{', '}']);
            (!items.is_empty() && items.iter().all(is_plain)).then(|| items.join(";"))
        }
        ArgumentType::Any => {
            (!items.iter().any(String::is_empty)).then(|| format!("{{{}}}", items.join(", ")))
        }
        _ => None,
    }
}

/// The range of all items if controller-gen reads the brackets around a list as part of its first and its last value.
pub(super) fn bracketed_items(text: &str, items: &[Value]) -> Option<Range<usize>> {
    let (first, last) = (items.first()?, items.last()?);
    let range = first.range.start..last.range.end;
    let written = text.get(range.clone())?.trim();
    // Each value may have its own brackets.
    let is_once = |mark: char| written.matches(mark).count() == 1;
    let is_list = match written.chars().next()? {
        '[' => is_once('[') && is_once(']'),
        '(' => is_once('(') && is_once(')'),
        '<' => is_once('<') && is_once('>'),
        _ => false,
    };
    (is_list && unbracketed(written, ArgumentType::Texts).is_some()).then_some(range)
}

/// The text between brackets.
fn inner(written: &str) -> Option<&str> {
    let in_brackets = written.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    in_brackets
        .or_else(|| written.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')))
        .or_else(|| written.strip_prefix('<').and_then(|rest| rest.strip_suffix('>')))
}

/// The items of a list, with braces in place of brackets and double quotes in place of single ones; `None` if the brackets
/// or the quotes do not match.
fn items(written: &str) -> Option<Vec<String>> {
    let (mut found, mut item) = (Vec::new(), String::new());
    let (mut quote, mut is_escaped, mut depth) = (None, false, 0_usize);
    for ch in written.chars() {
        let was_escaped = is_escaped;
        is_escaped = quote == Some('"') && ch == '\\' && !was_escaped;
        match (quote, ch) {
            (Some(open), _) if ch == open && !was_escaped => {
                quote = None;
                item.push(if ch == '\'' { '"' } else { ch });
            }
            // In double quotes, this character would end the text or start an escape.
            (Some('\''), '"' | '\\') => return None,
            (Some(_), _) => item.push(ch),
            (None, '"' | '`') => {
                quote = Some(ch);
                item.push(ch);
            }
            (None, '\'') => {
                quote = Some(ch);
                item.push('"');
            }
            (None, '[' | '{') => {
                depth += 1;
                item.push('{');
            }
            (None, ']' | '}') => {
                depth = depth.checked_sub(1)?;
                item.push('}');
            }
            (None, ',' | ';') if depth == 0 => found.push(std::mem::take(&mut item).trim().to_owned()),
            (None, _) => item.push(ch),
        }
    }
    if quote.is_some() || depth > 0 {
        return None;
    }
    if !found.is_empty() || !item.trim().is_empty() {
        found.push(item.trim().to_owned());
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::unbracketed;
    use crate::marker::ArgumentType;

    #[test]
    fn brackets_become_marker_syntax() {
        for (written, list, any) in [
            ("[a,b]", Some("a;b"), Some("{a, b}")),
            ("(a, b)", Some("a;b"), Some("{a, b}")),
            (r#"["a,b","c"]"#, Some(r#""a,b";"c""#), Some(r#"{"a,b", "c"}"#)),
            ("['a','b']", Some(r#""a";"b""#), Some(r#"{"a", "b"}"#)),
            ("[]", None, Some("{}")),
            ("[[1],[2]]", None, Some("{{1}, {2}}")),
            (r#"[{"a":1}]"#, None, Some(r#"{{"a":1}}"#)),
            ("[a,]", None, None),
            ("[it's]", None, None),
            ("[a", None, None),
            ("a", None, None),
        ] {
            assert_eq!(unbracketed(written, ArgumentType::Texts).as_deref(), list, "{written}");
            assert_eq!(unbracketed(written, ArgumentType::Any).as_deref(), any, "{written}");
        }
    }
}
