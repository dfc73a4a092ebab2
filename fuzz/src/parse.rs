//! Any text: the tree contains the whole text, and reading it does not panic.

use super::pieces;

pub fn run(data: &[u8]) {
    let (text, _) = pieces(data);
    let tree = yaml::Tree::parse(&text);
    assert!(tree.text() == text, "text lost");
    for error in tree.errors() {
        assert!(text.get(error.range.as_usize()).is_some(), "{error:?} is not within the text");
    }
    for document in tree.documents() {
        for (range, problem) in yaml::alias_problems(document) {
            assert!(text.get(range.as_usize()).is_some(), "{problem} is not within the text");
        }
        let _ = yaml::value_problems(document);
        let _ = yaml::decode(document);
    }
}
