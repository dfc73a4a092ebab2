//! `${NAME}` in values: envsubst, Flux and others put something else in its place before the server reads it.

use yaml::{Value, ValueKind};

/// Whether a text in `value` has a placeholder. Goes down in a loop.
pub(super) fn stand_in(value: Value<'_>) -> bool {
    let mut pending = vec![value];
    while let Some(value) = pending.pop() {
        match value.kind() {
            ValueKind::Scalar(scalar) if holds(scalar.token().text) => return true,
            ValueKind::Mapping(mapping) => pending.extend(mapping.entries().map(|entry| entry.value())),
            ValueKind::Sequence(sequence) => pending.extend(sequence.items().map(|item| item.value())),
            _ => {}
        }
    }
    false
}

/// Whether `text` has `${NAME}`, maybe with what envsubst knows behind the name: `${NAME:=1}`, `${NAME/a/b}`.
fn holds(text: &str) -> bool {
    text.match_indices("${").any(|(at, open)| {
        let rest = text.get(at + open.len()..).unwrap_or_default();
        let is_word = |char: char| char.is_ascii_alphanumeric() || char == '_';
        let behind = rest.trim_start_matches(is_word);
        let named = !behind.is_empty()
            && behind.len() < rest.len()
            && !rest.starts_with(|char: char| char.is_ascii_digit());
        named
            && (behind.starts_with('}')
                || behind.starts_with([':', '-', '=', '+', '?', '#', '%', '/', '^', ',', '@'])
                    && behind.contains('}'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_names_in_braces() {
        for text in ["${A}", "a-${b_1}.c", "${A:=1}", "${A:-x}", "${A/a/b}", "$${A}"] {
            assert!(holds(text), "{text}");
        }
        for text in ["$A", "${}", "${1}", "${A", "${A B}", "$(A)", "{{A}}", "$ {A}"] {
            assert!(!holds(text), "{text}");
        }
    }
}
