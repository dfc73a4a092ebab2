//! Short texts for values of any size, on one line.

use yaml::scalar::ScalarStyle;
use yaml::{Scalar, Value, ValueKind};

/// `text` on one line, cut after `most` characters.
pub(crate) fn shorten(text: &str, most: usize) -> String {
    let mut characters = text.chars();
    let visible = |character: char| if character.is_control() { ' ' } else { character };
    let mut short: String = characters.by_ref().take(most).map(visible).collect();
    if characters.next().is_some() {
        short.push('…');
    }
    short
}

/// `text` as Markdown code on one line, cut after `most` characters.
pub(crate) fn code(text: &str, most: usize) -> String {
    let text = shorten(text, most);
    let longest = text.split(|character| character != '`').map(str::len).max().unwrap_or(0);
    match longest {
        _ if text.trim().is_empty() => format!("`\"{text}\"`"),
        0 => format!("`{text}`"),
        _ => {
            let fence = "`".repeat(longest + 1);
            format!("{fence} {text} {fence}")
        }
    }
}

/// `value` as flow YAML, cut after about `most` bytes. The cost depends only on the visible part.
pub(crate) fn value(value: Value<'_>, most: usize) -> String {
    let mut out = String::new();
    write(value, most, &mut out);
    shorten(&out, most)
}

/// Each level of the value adds to `out`, so the limit on its length also limits the depth.
fn write(value: Value<'_>, most: usize, out: &mut String) {
    if out.len() > most {
        return;
    }
    match value.kind() {
        ValueKind::Absent => out.push_str("null"),
        ValueKind::Alias(token) => out.push_str(token.text),
        ValueKind::Scalar(scalar) => out.push_str(&source(scalar, most)),
        ValueKind::Mapping(mapping) => {
            out.push('{');
            for (at, entry) in mapping.entries().enumerate() {
                if out.len() > most {
                    return;
                }
                out.push_str(if at == 0 { "" } else { ", " });
                write(entry.key(), most, out);
                out.push_str(": ");
                write(entry.value(), most, out);
            }
            out.push('}');
        }
        ValueKind::Sequence(sequence) => {
            out.push('[');
            for (at, item) in sequence.items().enumerate() {
                if out.len() > most {
                    return;
                }
                out.push_str(if at == 0 { "" } else { ", " });
                write(item.value(), most, out);
            }
            out.push(']');
        }
    }
}

/// A scalar as written, or the text of a block scalar in quotes.
fn source(scalar: Scalar<'_>, most: usize) -> String {
    match scalar.style() {
        ScalarStyle::Literal | ScalarStyle::Folded => format!("{:?}", shorten(&scalar.text(), most)),
        _ => shorten(scalar.token().text, most + 1),
    }
}
