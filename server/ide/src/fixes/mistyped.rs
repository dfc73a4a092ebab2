//! Texts where a boolean or a number belongs: a misspelt `true`, a number with a unit or with words after it.

/// The maximum number of wrong letters in `true` or `false`.
const MOST_SLIPS: usize = 2;
/// Other words for `true` and `false`.
const WORDS: [(&str, &[&str]); 2] = [
    ("true", &["yes", "on", "y", "t", "enable", "enabled", "1"]),
    ("false", &["no", "off", "n", "f", "disable", "disabled", "0"]),
];

/// The type of the intended value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Intended {
    Boolean,
    Integer,
    Number,
}

/// The value of the type `intended` that the plain `text` is meant to be.
pub(super) fn intended_value(text: &str, intended: Intended) -> Option<String> {
    let first = text.split_whitespace().next()?;
    if intended == Intended::Boolean {
        let lower = first.to_ascii_lowercase();
        let is_word = |(_, words): &&(&str, &[&str])| words.contains(&lower.as_str()) && first == text;
        if let Some((word, _)) = WORDS.iter().find(is_word) {
            return Some((*word).to_owned());
        }
        let words = ["true", "false"].into_iter();
        let slips = |word: &&str| crd::suggest::slips(&lower, word).filter(|slips| *slips <= MOST_SLIPS);
        let near = words.filter_map(|word| Some((slips(&word)?, word)));
        return near.min().map(|(_, word)| word.to_owned());
    }
    let first = first.strip_prefix(['~', '+', '#', '=']).unwrap_or(first);
    let first = first.trim_end_matches([',', ';', '%', '.']);
    let digits = first.strip_prefix('-').unwrap_or(first);
    let (whole, mut rest) = leading_digits(digits);
    let mut number = format!("{}{whole}", if digits.len() < first.len() { "-" } else { "" });
    let fraction = rest.strip_prefix(['.', ',']).filter(|_| intended == Intended::Number);
    if let Some(fraction) = fraction {
        let (digits, unit) = leading_digits(fraction);
        // A comma before three digits separates thousands.
        if digits.is_empty() || rest.starts_with(',') && digits.len() == 3 {
            return None;
        }
        number = format!("{number}.{digits}");
        rest = unit;
    }
    let is_unit = rest.chars().all(char::is_alphabetic);
    (!whole.is_empty() && is_unit && number != text).then_some(number)
}

/// The digits at the start of `text`, and the rest.
fn leading_digits(text: &str) -> (&str, &str) {
    text.split_at(text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len()))
}

#[cfg(test)]
mod tests {
    use super::{Intended, intended_value};

    #[test]
    fn the_nearest_value_is_intended() {
        for (written, intended, value) in [
            ("ture", Intended::Boolean, Some("true")),
            ("flase", Intended::Boolean, Some("false")),
            ("True.", Intended::Boolean, Some("true")),
            ("true as before", Intended::Boolean, Some("true")),
            ("on", Intended::Boolean, Some("true")),
            ("Disabled", Intended::Boolean, Some("false")),
            ("enabled by default", Intended::Boolean, None),
            ("~80", Intended::Integer, Some("80")),
            ("80,", Intended::Integer, Some("80")),
            ("0 as before", Intended::Integer, Some("0")),
            ("80s", Intended::Integer, Some("80")),
            ("-3 items", Intended::Integer, Some("-3")),
            ("10", Intended::Integer, None),
            ("1.5", Intended::Integer, None),
            ("ten", Intended::Integer, None),
            ("95,5", Intended::Integer, None),
            ("95,5", Intended::Number, Some("95.5")),
            ("95.5C", Intended::Number, Some("95.5")),
            ("-0.5 s", Intended::Number, Some("-0.5")),
            ("80s", Intended::Number, Some("80")),
            ("1,500", Intended::Number, None),
            ("1.5.2", Intended::Number, None),
            ("1.5", Intended::Number, None),
        ] {
            assert_eq!(intended_value(written, intended).as_deref(), value, "{written}");
        }
    }
}
