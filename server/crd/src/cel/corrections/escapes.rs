//! Strings with escapes that CEL does not have, as in regular expressions: `'\d'`.

use text::{TextRange, TextSize};

use super::{Correction, CorrectionEffect};

/// The characters that may follow `\` in a string.
const ESCAPES: &str = "abfnrtv\\?\"'`xXuU0123";

/// The strings of `expression` with such escapes, rewritten as raw strings; those that also have escapes of
/// CEL are rewritten with `\\`.
pub(crate) fn raw(expression: &str) -> Option<Correction> {
    let mut changes = Vec::new();
    let mut first = None;
    for literal in literals(expression).filter(|literal| !literal.is_raw) {
        let text = expression.get(literal.start..literal.end)?;
        let escaped: Vec<(usize, bool)> = escapes(text).collect();
        if escaped.iter().all(|(_, is_known)| *is_known) {
            continue;
        }
        let insert = |at: usize, text: &str| {
            let at = TextSize::try_from(literal.start + at).unwrap_or(TextSize::MAX);
            (TextRange::empty(at), text.to_owned())
        };
        let has_known = escaped.iter().any(|(_, is_known)| *is_known);
        if has_known {
            let unknown = escaped.iter().filter(|(_, is_known)| !is_known);
            changes.extend(unknown.map(|(at, _)| insert(*at, "\\")));
        } else {
            changes.push(insert(0, "r"));
        }
        first.get_or_insert_with(|| CorrectionEffect::Raw { text: text.to_owned(), is_raw: !has_known });
    }
    Some(Correction { meaning: first?, changes })
}

/// A string literal, from the opening quote to the end of the closing quote.
struct Literal {
    start: usize,
    end: usize,
    /// Whether it is a raw string, in which `\` is an ordinary character.
    is_raw: bool,
}

/// The closed strings on one line of an expression, in bytes.
fn literals(expression: &str) -> impl Iterator<Item = Literal> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let rest = expression.get(at..)?;
            let start = at + rest.find(['\'', '"'])?;
            let quote = expression.get(start..=start)?;
            let is_raw = expression.get(..start)?.ends_with(['r', 'R']);
            let Some(len) = closed(expression.get(start + 1..)?, quote, is_raw) else {
                at = start + 1;
                continue;
            };
            at = start + 1 + len;
            // Triple-quoted strings may contain any text.
            let is_empty = len == 1;
            if is_empty && expression.get(at..)?.starts_with(quote) {
                return None;
            }
            return Some(Literal { start, end: at, is_raw });
        }
    })
}

/// The length of a string in bytes up to and including its closing quote.
fn closed(text: &str, quote: &str, is_raw: bool) -> Option<usize> {
    let mut chars = text.char_indices();
    while let Some((at, char)) = chars.next() {
        match char {
            '\n' | '\r' => return None,
            '\\' if !is_raw => _ = chars.next(),
            char if quote.starts_with(char) => return Some(at + char.len_utf8()),
            _ => {}
        }
    }
    None
}

/// The position of each `\`, and whether CEL has the escape.
fn escapes(text: &str) -> impl Iterator<Item = (usize, bool)> + '_ {
    let mut chars = text.char_indices();
    std::iter::from_fn(move || {
        loop {
            let (at, char) = chars.next()?;
            if char == '\\' {
                return chars.next().map(|(_, next)| (at, ESCAPES.contains(next)));
            }
        }
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::super::applied;
    use super::raw;

    #[test]
    fn escapes_of_regular_expressions_become_raw() {
        for (written, intended) in [
            (r"self.matches('^\d+$')", r"self.matches(r'^\d+$')"),
            (r#"a.matches("\.") && b == "\n""#, r#"a.matches(r"\.") && b == "\n""#),
            (r"a.matches('it\'s \w')", r"a.matches('it\'s \\w')"),
        ] {
            assert_eq!(applied(written, &raw(written).unwrap().changes), intended);
        }
        for sound in [r"a == '\\d'", r"a.matches(r'\d')", "a == 'b'", r"a == 'open\d"] {
            assert!(raw(sound).is_none(), "{sound}");
        }
    }
}
