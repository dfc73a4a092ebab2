//! Any edits of any text, one after another: the edited tree is the tree of the edited text.

use text::{TextEdit, TextRange};
use yaml::Tree;

use super::{head, pieces};

/// A piece contains the start (two bytes), the removed length, and the inserted text.
pub fn run(data: &[u8]) {
    let (text, edits) = pieces(data);
    let mut text = text.into_owned();
    let mut tree = Tree::parse(&text);
    for piece in edits {
        let ([high, low, removed], inserted) = head(piece);
        let start = text::floor_char_boundary(&text, (high * 256 + low) % (text.len() + 1));
        let end = text::floor_char_boundary(&text, (start + removed).min(text.len())).max(start);
        let edit = TextEdit::replace(TextRange::new(start as u32, end as u32), inserted.as_ref());
        text.replace_range(start..end, &inserted);
        tree = tree.edited(&edit, &|range| text[range.as_usize()].to_owned());
        let fresh = Tree::parse(&text);
        assert!(tree.root().node().same_as(fresh.root().node()), "after {edit:?}: {text:?}");
    }
}
