//! Objects with a slip in the line of `apiVersion`, `kind` or `metadata`: the key is indented, after a dash or on
//! the line of another key, or its value begins with a character that has a special meaning in YAML.

use text::{TextEdit, TextRange, TextSize};
use yaml::{Document, Tree};

use crate::analysis::shifts::tree_after;
use crate::analysis::text_at::text_of;
use crate::analysis::values::newline;

/// The keys at the start of an object.
const KEYS: [&str; 3] = ["apiVersion", "kind", "metadata"];
/// The number of bytes at the start of a document that are searched.
const HEAD: TextSize = 2_000;
/// The maximum number of lines that are searched, without blank lines and comments.
const MOST_LINES: usize = 5;
/// Characters that YAML does not read as text before a word.
const SIGNS: [char; 9] = ['&', '*', '!', '@', '%', '`', '|', '>', '['];

/// A line with such a slip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HeadSlip {
    pub(crate) key: &'static str,
    /// The text to replace: the indentation and the dash, the blank before the key, or the character.
    pub(crate) signs: TextRange,
    /// The range of the finding.
    pub(crate) range: TextRange,
    pub(crate) kind: HeadSlipKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HeadSlipKind {
    /// The key is indented or after a dash.
    Indented,
    /// The key is behind the value of another key.
    Joined,
    /// The value begins with a character to remove.
    Value,
}

impl HeadSlip {
    /// The text in place of `signs`, in a text with this line break.
    pub(crate) const fn replacement(&self, newline: &'static str) -> &'static str {
        match self.kind {
            HeadSlipKind::Joined => newline,
            HeadSlipKind::Indented | HeadSlipKind::Value => "",
        }
    }

    /// The slip of `document`, and the tree of its text without the slip. `None` unless one line has such a slip
    /// and another of the keys is right.
    pub(crate) fn find(document: Document<'_>) -> Option<(Self, Tree)> {
        let whole = document.range();
        let head = text_of(document.syntax(), TextRange::new(whole.start, whole.end.min(whole.start + HEAD)));
        let (mut slip, mut is_sound) = (None, false);
        let (mut start, mut count) = (whole.start, 0);
        for line in head.split_inclusive('\n') {
            let text = line.trim_end();
            let is_content = !text.trim_start().is_empty() && !text.starts_with('#') && text != "---";
            count += usize::from(is_content);
            if count > MOST_LINES {
                break;
            }
            match Self::of_line(text, start) {
                Some(_) if slip.is_some() => return None,
                Some(line) => slip = Some(line),
                None => is_sound |= KEYS.iter().any(|key| is_key(text, key)),
            }
            start += line.len() as TextSize;
        }
        let slip = slip.filter(|_| is_sound)?;
        let signs = TextRange::new(slip.signs.start - whole.start, slip.signs.end - whole.start);
        let text = document.syntax().text();
        let edit = TextEdit::replace(signs, slip.replacement(newline(&text)));
        let tree = tree_after(&Tree::of(document), &text, &[edit]);
        Some((slip, tree))
    }

    fn of_line(line: &str, start: TextSize) -> Option<Self> {
        let text = line.trim_start_matches([' ', '\t']);
        let text = text.strip_prefix("- ").map_or(text, |text| text.trim_start_matches(' '));
        let key = *KEYS.iter().find(|key| is_key(text, key))?;
        let before = line.len() - text.len();
        let at = |from: usize, to: usize| TextRange::new(start + from as TextSize, start + to as TextSize);
        if before > 0 {
            let range = at(before, before + key.len());
            return Some(Self { key, signs: at(0, before), range, kind: HeadSlipKind::Indented });
        }
        let value = text.get(key.len() + 1..)?.trim_start();
        if let Some(JoinedKey { word_end, start, key }) = joined(value) {
            let from = line.len() - value.len();
            let signs = at(from + word_end, from + start);
            let range = at(from + start, from + start + key.len());
            return Some(Self { key, signs, range, kind: HeadSlipKind::Joined });
        }
        let word = value.strip_prefix(SIGNS)?;
        let is_word = word.starts_with(|first: char| first.is_ascii_alphabetic())
            && word.chars().all(|letter| letter.is_ascii_alphanumeric() || "-./".contains(letter));
        let from = line.len() - value.len();
        let range = at(from, line.len());
        let signs = at(from, line.len() - word.len());
        is_word.then_some(Self { key, signs, range, kind: HeadSlipKind::Value })
    }
}

/// A key in the value of another one.
struct JoinedKey {
    /// The end of the word before it.
    word_end: usize,
    start: usize,
    key: &'static str,
}

/// The first key behind a word in `value`.
fn joined(value: &str) -> Option<JoinedKey> {
    KEYS.iter().find_map(|key| {
        let start = value.find(key).filter(|start| *start > 0)?;
        let before = value.get(..start)?.trim_end();
        let is_word = before.chars().all(|letter| letter.is_ascii_alphanumeric() || "-./".contains(letter));
        (is_word && is_key(value.get(start..)?, key)).then_some(JoinedKey {
            word_end: before.len(),
            start,
            key,
        })
    })
}

fn is_key(line: &str, key: &str) -> bool {
    let value = line.strip_prefix(key).and_then(|rest| rest.strip_prefix(':'));
    value.is_some_and(|value| value.is_empty() || value.starts_with(' '))
}
