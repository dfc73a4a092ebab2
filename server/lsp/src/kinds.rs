//! The kinds that the objects in a file may have, found without parsing it: a code lens needs them for all files.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use memchr::memmem;
use text::Shortcut;

/// The maximum length of a kind, in bytes.
const LONGEST: usize = 63;

/// The words after `kind` in a text. They are a superset of the kinds of its objects, unless a key is written with
/// escapes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Kinds {
    /// Hashes of words, sorted.
    words: Arc<[u64]>,
    /// Whether there is a value that only a parser can read.
    is_open: bool,
}

impl Kinds {
    pub(crate) fn of(text: &[u8]) -> Self {
        let (mut words, mut is_open) = (Vec::new(), false);
        for at in memmem::find_iter(text, b"kind") {
            match value_after(text.get(at + 4..).unwrap_or_default()) {
                ValueAfterKey::Word(word) => words.push(hash(word)),
                ValueAfterKey::Nothing => {}
                ValueAfterKey::Unclear => is_open = true,
            }
        }
        words.sort_unstable();
        words.dedup();
        Self { words: words.into(), is_open }
    }

    /// The words of all of them, without the values that only a parser can read.
    pub(crate) fn union(all: &[Self]) -> Self {
        let mut words: Vec<u64> = all.iter().flat_map(|kinds| kinds.words.iter().copied()).collect();
        words.sort_unstable();
        words.dedup();
        Self { words: words.into(), is_open: false }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.words.is_empty() && !self.is_open
    }

    /// Whether there may be an object of `kind`.
    pub(crate) fn may_hold(&self, kind: &str) -> bool {
        self.is_open
            || !Shortcut::KindWords.is_on()
            || self.words.binary_search(&hash(kind.as_bytes())).is_ok()
    }
}

enum ValueAfterKey<'t> {
    Word(&'t [u8]),
    Nothing,
    Unclear,
}

/// The value of the key that ends where `text` begins, if it is one.
fn value_after(text: &[u8]) -> ValueAfterKey<'_> {
    let text = unquoted(text);
    let Some(text) = text.trim_ascii_start().strip_prefix(b":") else { return ValueAfterKey::Nothing };
    let text = text.trim_ascii_start();
    let text = unquoted(text);
    let length = text.iter().position(|byte| !byte.is_ascii_alphanumeric()).unwrap_or(text.len());
    match text.get(length) {
        // An anchor, an alias, a tag, a block scalar, an escape: `Wid\u0067et`.
        Some(b'&' | b'*' | b'!' | b'|' | b'>' | b'\\' | b'#') if length == 0 => ValueAfterKey::Unclear,
        Some(b'\\') => ValueAfterKey::Unclear,
        _ if length == 0 => ValueAfterKey::Nothing,
        _ if length > LONGEST => ValueAfterKey::Unclear,
        _ => ValueAfterKey::Word(text.get(..length).unwrap_or_default()),
    }
}

/// `text` without a leading quote.
pub(crate) fn unquoted(text: &[u8]) -> &[u8] {
    text.strip_prefix(b"\"").or_else(|| text.strip_prefix(b"'")).unwrap_or(text)
}

fn hash(word: &[u8]) -> u64 {
    let mut hasher = std::hash::DefaultHasher::new();
    word.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_is_found_in_each_notation() {
        let texts = [
            "apiVersion: v1\nkind: Widget\n",
            "{\"apiVersion\": \"v1\", \"kind\": \"Widget\"}",
            "{apiVersion: v1, kind: Widget}",
            "{\"kind\":\"Widget\"}",
            "kind: 'Widget' # a widget",
            "'kind' : Widget",
            "kind:\r\n  Widget\r\n",
            "? kind\n: Widget\n",
            "items:\n- kind: Other\n- kind: Widget\n",
            "kind: &kind Widget",
            "kind: !!str Widget",
            "kind: \"Wid\\u0067et\"",
            "kind: >-\n  Widget\n",
            "kind: # which?\n  Widget\n",
        ];
        for text in texts {
            assert!(Kinds::of(text.as_bytes()).may_hold("Widget"), "{text}");
        }
    }

    #[test]
    fn other_texts_are_rarely_taken_for_a_kind() {
        for text in [
            "kind: Widgets\n",
            "# kindly: a Widget",
            "name: Widget",
            "kind: Gadget",
            "kind:\n  type: string\n",
        ] {
            assert!(!Kinds::of(text.as_bytes()).may_hold("Widget"), "{text}");
        }
        assert!(Kinds::of(b"a: 1\n").is_empty());
        let together = Kinds::union(&[Kinds::of(b"kind: Widget"), Kinds::of(b"kind: Gadget")]);
        assert_eq!(["Widget", "Gadget", "Other"].map(|kind| together.may_hold(kind)), [true, true, false]);
    }
}
