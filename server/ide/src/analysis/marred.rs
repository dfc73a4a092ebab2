//! Objects of which one of the first lines is not read as it is meant: `apiVersion`, `kind` or `metadata` is indented, behind a dash,
//! or has a value that begins with a sign of YAML.

use text::{TextEdit, TextRange, TextSize};
use yaml::{Document, Tree};

use crate::analysis::shifts::tree_after;
use crate::analysis::text_at::text_of;

/// The keys that an object begins with.
const KEYS: [&str; 3] = ["apiVersion", "kind", "metadata"];
/// So many bytes of a document are searched, and so many of its lines that hold something.
const HEAD: TextSize = 2_000;
const MOST_LINES: usize = 5;
/// Signs that are no text before a word.
const SIGNS: [char; 9] = ['&', '*', '!', '@', '%', '`', '|', '>', '['];

/// The line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Marred {
    pub(crate) key: &'static str,
    /// What is too much.
    pub(crate) signs: TextRange,
    /// What the finding is about.
    pub(crate) range: TextRange,
    /// Whether the key itself is in the wrong place.
    pub(crate) is_key: bool,
}

impl Marred {
    /// The only such line of `document`, with the tree of the text without what is too much.
    pub(crate) fn of(document: Document<'_>) -> Option<(Self, Tree)> {
        let whole = document.range();
        let head = text_of(document.syntax(), TextRange::new(whole.start, whole.end.min(whole.start + HEAD)));
        let (mut marred, mut is_sound) = (None, false);
        let (mut start, mut count) = (whole.start, 0);
        for line in head.split_inclusive('\n') {
            let text = line.trim_end();
            let is_content = !text.trim_start().is_empty() && !text.starts_with('#') && text != "---";
            count += usize::from(is_content);
            if count > MOST_LINES {
                break;
            }
            match Self::of_line(text, start) {
                Some(_) if marred.is_some() => return None,
                Some(line) => marred = Some(line),
                None => is_sound |= KEYS.iter().any(|key| is_key(text, key)),
            }
            start += line.len() as TextSize;
        }
        let marred = marred.filter(|_| is_sound)?;
        let signs = TextRange::new(marred.signs.start - whole.start, marred.signs.end - whole.start);
        let edit = TextEdit::replace(signs, String::new());
        let tree = tree_after(&Tree::of(document), &document.syntax().text(), &[edit]);
        Some((marred, tree))
    }

    fn of_line(line: &str, start: TextSize) -> Option<Self> {
        let text = line.trim_start_matches([' ', '\t']);
        let text = text.strip_prefix("- ").map_or(text, |text| text.trim_start_matches(' '));
        let key = *KEYS.iter().find(|key| is_key(text, key))?;
        let before = line.len() - text.len();
        let at = |from: usize, to: usize| TextRange::new(start + from as TextSize, start + to as TextSize);
        if before > 0 {
            let range = at(before, before + key.len());
            return Some(Self { key, signs: at(0, before), range, is_key: true });
        }
        let value = text.get(key.len() + 1..)?.trim_start();
        let word = value.strip_prefix(SIGNS)?;
        let is_word = word.starts_with(|first: char| first.is_ascii_alphabetic())
            && word.chars().all(|letter| letter.is_ascii_alphanumeric() || "-./".contains(letter));
        let from = line.len() - value.len();
        let range = at(from, line.len());
        is_word.then(|| Self { key, signs: at(from, line.len() - word.len()), range, is_key: false })
    }
}

fn is_key(line: &str, key: &str) -> bool {
    let value = line.strip_prefix(key).and_then(|rest| rest.strip_prefix(':'));
    value.is_some_and(|value| value.is_empty() || value.starts_with(' '))
}
