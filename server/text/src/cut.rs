//! Small functions on texts, such as the shortening of long texts that occur in many findings.

use std::borrow::Cow;

/// Texts up to this length in bytes are not shortened.
const LONGEST: usize = 1_000;
/// The approximate number of bytes that remain at the start and at the end of a longer text.
const HEAD: usize = 600;
const TAIL: usize = 200;
/// The separator between the items of a list of strings.
const BETWEEN: &str = "\", \"";

/// `text`, or for a long text its start and its end, with the size of the omitted part.
#[must_use]
pub fn cut(text: &str) -> Cow<'_, str> {
    if text.len() <= LONGEST {
        return Cow::Borrowed(text);
    }
    let head = boundary(text, (0..=HEAD).rev());
    let tail = boundary(text, text.len() - TAIL..=text.len());
    let parts = (text.get(..head), text.get(head..tail), text.get(tail..));
    let (Some(first), Some(middle), Some(last)) = parts else { return Cow::Borrowed(text) };
    // In a list, only whole items remain.
    if let (Some(before), Some(start)) = (first.rfind(BETWEEN), middle.rfind(BETWEEN)) {
        let items =
            format!("{}{middle}", first.get(before..).unwrap_or_default()).matches(BETWEEN).count() - 1;
        let first = first.get(..=before).unwrap_or_default();
        let rest = middle.get(start + 3..).unwrap_or_default();
        return Cow::Owned(format!("{first}, … ({items} more) …, {rest}{last}"));
    }
    Cow::Owned(format!("{first} … ({} more characters) … {last}", middle.chars().count()))
}

/// The first `most` characters of `text`, with `…` if the text is longer.
#[must_use]
pub fn start(text: &str, most: usize) -> Cow<'_, str> {
    match text.char_indices().nth(most) {
        Some((end, _)) => Cow::Owned(format!("{}…", text.get(..end).unwrap_or_default())),
        None => Cow::Borrowed(text),
    }
}

/// `a, b and c`: names as part of a sentence.
#[must_use]
pub fn listed<T: AsRef<str>>(names: &[T]) -> String {
    match names {
        [] => String::new(),
        [one] => one.as_ref().to_owned(),
        [first, before @ .., last] => {
            let before =
                before.iter().fold(first.as_ref().to_owned(), |all, name| all + ", " + name.as_ref());
            format!("{before} and {}", last.as_ref())
        }
    }
}

/// The number of spaces at the start of `line`.
#[must_use]
pub fn indentation(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

/// `text` with its first letter as a capital.
#[must_use]
pub fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
    first + letters.as_str()
}

/// The first of `offsets` that is a character boundary of `text`; 0 if there is none.
fn boundary(text: &str, mut offsets: impl Iterator<Item = usize>) -> usize {
    offsets.find(|offset| text.is_char_boundary(*offset)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_start_ends_with_an_ellipsis() {
        assert_eq!(start("äöü", 3), "äöü");
        assert_eq!(start("äöü", 2), "äö…");
    }

    #[test]
    fn only_the_first_letter_becomes_a_capital() {
        for (text, expected) in [("", ""), ("ab", "Ab"), ("Ab", "Ab"), ("äb cd", "Äb cd")] {
            assert_eq!(capitalized(text), expected);
        }
    }

    #[test]
    fn the_last_name_follows_an_and() {
        assert_eq!(listed::<&str>(&[]), "");
        assert_eq!(listed(&["a"]), "a");
        assert_eq!(listed(&["a", "b"]), "a and b");
        assert_eq!(listed(&["a", "b", "c"]), "a, b and c");
    }

    #[test]
    fn short_texts_are_not_cut() {
        let text = "ä".repeat(500);
        assert_eq!(cut(&text), text);
    }

    #[test]
    fn a_long_text_keeps_its_start_and_end_and_the_rest_is_counted() {
        assert_eq!(
            cut(&"ä".repeat(1_000)),
            format!("{} … (600 more characters) … {}", "ä".repeat(300), "ä".repeat(100))
        );
    }

    #[test]
    fn a_long_list_keeps_complete_items_and_the_others_are_counted() {
        let names: Vec<String> = (0..1_000).map(|at| format!("\"value{at}\"")).collect();
        let short = cut(&format!("supported values: {}: write one", names.join(", "))).into_owned();
        assert!(short.len() < LONGEST, "{short}");
        assert!(short.starts_with("supported values: \"value0\", \"value1\", "), "{short}");
        assert!(short.ends_with(", \"value998\", \"value999\": write one"), "{short}");
        let counted =
            short.split("… (").nth(1).and_then(|rest| rest.split(' ').next()?.parse::<usize>().ok());
        let left = short.matches("value").count() - 1;
        assert_eq!(counted, Some(1_000 - left), "{short}");
    }
}
