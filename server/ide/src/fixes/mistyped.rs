//! Texts where a boolean or a number belongs: a misspelt `true`, a number with a unit or with words after it.

/// The maximum number of wrong letters in `true` or `false`.
const MOST_SLIPS: usize = 2;
/// Other words for `true` and `false`.
const WORDS: [(&str, &[&str]); 2] = [
    ("true", &["yes", "on", "y", "t", "enable", "enabled", "1"]),
    ("false", &["no", "off", "n", "f", "disable", "disabled", "0"]),
];

/// The boolean or the number that the plain `text` is meant to be.
pub(super) fn intended_value(text: &str, is_boolean: bool) -> Option<String> {
    let first = text.split_whitespace().next()?;
    if is_boolean {
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
    let is_digit = |letter: char| letter.is_ascii_digit();
    let digits = first.strip_prefix('-').unwrap_or(first);
    let end = digits.find(|letter: char| !is_digit(letter)).unwrap_or(digits.len());
    let (number, unit) = digits.split_at(end);
    let is_unit = unit.chars().all(char::is_alphabetic);
    let is_number = !number.is_empty() && is_unit && (first != text || !unit.is_empty());
    is_number.then(|| first.trim_end_matches(char::is_alphabetic).to_owned())
}

#[cfg(test)]
mod tests {
    use super::intended_value;

    #[test]
    fn the_nearest_value_is_intended() {
        for (written, is_boolean, value) in [
            ("ture", true, Some("true")),
            ("flase", true, Some("false")),
            ("True.", true, Some("true")),
            ("true as before", true, Some("true")),
            ("on", true, Some("true")),
            ("Disabled", true, Some("false")),
            ("enabled by default", true, None),
            ("~80", false, Some("80")),
            ("80,", false, Some("80")),
            ("0 as before", false, Some("0")),
            ("80s", false, Some("80")),
            ("-3 items", false, Some("-3")),
            ("10", false, None),
            ("1.5", false, None),
            ("ten", false, None),
        ] {
            assert_eq!(intended_value(written, is_boolean).as_deref(), value, "{written}");
        }
    }
}
