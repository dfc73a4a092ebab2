//! Texts after edits and after fix-all.

use ide::{File, Settings};
use text::TextEdit;

/// The text after sorted edits without overlap.
pub(crate) fn applied(text: &str, edits: &[TextEdit]) -> String {
    let mut text = text.to_owned();
    for edit in edits.iter().rev() {
        text.replace_range(edit.range.as_usize(), &edit.new_text);
    }
    text
}

/// The text after rounds of fix-all until nothing remains to do.
pub(crate) fn fixed(text: &str) -> String {
    let mut text = text.to_owned();
    for _ in 0..10 {
        let edits = File::new(&text, &Settings::default()).fix_all();
        if edits.is_empty() {
            return text;
        }
        text = applied(&text, &edits);
    }
    panic!("fixing does not end: {text}");
}
