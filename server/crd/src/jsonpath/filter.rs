//! Filters in paths: `@.type=="Ready"` in `[?(@.type=="Ready")]`.

use std::ops::Range;

/// The characters of operators, and the operators that the library evaluates.
const OPERATORS: [char; 4] = ['!', '<', '>', '='];
const KNOWN: [&str; 6] = ["==", "!=", "<", ">", "<=", ">="];

/// A part of a filter that the library parses but cannot evaluate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unusable {
    /// Its byte range in the path.
    pub range: Range<usize>,
    /// The probable correction.
    pub better: String,
    /// The kind of part that it should be.
    pub expected_kind: &'static str,
}

/// The field of an element with which the left side of a filter starts: `type` in `@.type=="Ready"`.
pub(super) fn compared(filter: &str) -> Option<String> {
    let left = comparison(filter).map_or(filter, |(left, _)| left).trim();
    let path = left.strip_prefix("@.")?;
    let is_of_name = |ch: char| ch.is_alphanumeric() || matches!(ch, '_' | '-');
    let (name, rest) = path.split_at(path.find(|ch: char| !is_of_name(ch)).unwrap_or(path.len()));
    (!name.is_empty() && (rest.is_empty() || rest.starts_with(['.', '[']))).then(|| name.to_owned())
}

/// The sides of a comparison: text without `!<>=`, an operator of these characters, and at least one more character.
pub(super) fn comparison(text: &str) -> Option<(&str, &str)> {
    let start = text.find(OPERATORS).filter(|start| *start > 0)?;
    let (left, rest) = text.split_at_checked(start)?;
    let operator = rest.find(|next| !OPERATORS.contains(&next)).unwrap_or(rest.len() - 1);
    (operator > 0).then(|| (left, rest.get(operator..).unwrap_or_default()))
}

/// The first part of a filter that cannot be evaluated; its range is in bytes of the filter.
pub(super) fn unusable(filter: &str) -> Option<Unusable> {
    let (left, right) = comparison(filter)?;
    let operator = left.len()..filter.len() - right.len();
    let written = filter.get(operator.clone())?;
    // Without a dot, the word after `@` is not a field of the element.
    let element = left.trim().strip_prefix('@').filter(|word| bare_word(word).is_some());
    if let Some(word) = element {
        let start = left.find('@')?;
        let range = start..start + 1 + word.trim_end().len();
        return Some(Unusable { range, better: format!("@.{}", word.trim()), expected_kind: "a field" });
    }
    if let Some(word) = bare_word(left) {
        let start = left.find(word)?;
        let range = start..start + word.len();
        return Some(Unusable { range, better: format!("@.{word}"), expected_kind: "a field" });
    }
    if !KNOWN.contains(&written) {
        let better = match written {
            "=<" => "<=",
            "=>" => ">=",
            _ if written.contains('!') || written == "<>" => "!=",
            _ => "==",
        };
        return Some(Unusable { range: operator, better: better.to_owned(), expected_kind: "an operator" });
    }
    let word = bare_word(right)?;
    let start = operator.end + right.find(word)?;
    Some(Unusable {
        range: start..start + word.len(),
        better: format!("\"{word}\""),
        expected_kind: "a text",
    })
}

/// A side of a comparison that is a word without quotes.
fn bare_word(side: &str) -> Option<&str> {
    let word = side.trim();
    let is_word = word.starts_with(|ch: char| ch.is_ascii_alphabetic())
        && word.chars().all(|ch| ch.is_ascii_alphanumeric() || matches!(ch, '_' | '-'));
    (is_word && !matches!(word, "true" | "false" | "range" | "end")).then_some(word)
}
