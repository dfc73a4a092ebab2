//! Any edits of any text: the edited tree is the tree of the edited text.
#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use text::{TextEdit, TextRange};
use yaml::Tree;

#[derive(Arbitrary, Debug)]
struct Input<'a> {
    text: &'a str,
    /// Start and length as shares of the text, and what is inserted.
    edits: Vec<(u16, u8, &'a str)>,
}

fuzz_target!(|input: Input<'_>| {
    let mut text = input.text.to_owned();
    let mut tree = Tree::parse(&text);
    for (start, len, inserted) in input.edits.into_iter().take(8) {
        let start = text::floor_char_boundary(&text, usize::from(start) % (text.len() + 1));
        let end = text::floor_char_boundary(&text, (start + usize::from(len)).min(text.len())).max(start);
        let edit = TextEdit::replace(TextRange::new(start as u32, end as u32), inserted);
        text.replace_range(start..end, inserted);
        tree = tree.edited(&edit, &|range| text[range.as_usize()].to_owned());
        let fresh = Tree::parse(&text);
        assert!(tree.root().node().same_as(fresh.root().node()), "after {edit:?}: {text:?}");
    }
});
