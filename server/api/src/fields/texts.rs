//! What the API says of its fields: a constant for each type, which `build.rs` writes.

use super::Field;

/// Names of fields, and the texts for them, as Markdown.
pub(super) type Texts = &'static [(&'static str, &'static str)];

include!(concat!(env!("OUT_DIR"), "/texts.rs"));

/// The fields with their texts.
pub(super) const fn told<const N: usize>(texts: Texts, mut fields: [Field; N]) -> [Field; N] {
    let mut at = 0;
    while at < N {
        fields[at].api = find(texts, fields[at].name);
        at += 1;
    }
    fields
}

const fn find(texts: Texts, name: &str) -> &'static str {
    let mut at = 0;
    while at < texts.len() {
        if equal(texts[at].0.as_bytes(), name.as_bytes()) {
            return texts[at].1;
        }
        at += 1;
    }
    ""
}

const fn equal(one: &[u8], other: &[u8]) -> bool {
    let mut at = 0;
    while at < one.len() && at < other.len() && one[at] == other[at] {
        at += 1;
    }
    at == one.len() && at == other.len()
}
