//! Items that move within their sequence, with their comments.

use super::{edited, refused, value_at};
use crate::edit::{Comments, EditError, NewEntry, NewValue, Position};

/// The text after the first item of `l` has moved to the end.
fn moved(text: &str) -> String {
    edited(text, |editor, tree| {
        let list = value_at(tree, "l");
        editor.move_to_end(list, list.as_sequence().unwrap().items().next().unwrap());
    })
}

#[test]
fn an_item_is_moved_with_its_comments() {
    assert_eq!(
        moved("l: # l\n# a, above\n- a: 1 # a\n  # in a\n  b: 2\n# c, above\n- c: 3 # c\nd: 4\n"),
        "l: # l\n# c, above\n- c: 3 # c\n# a, above\n- a: 1 # a\n  # in a\n  b: 2\nd: 4\n"
    );
    assert_eq!(moved("l:\r\n  - a # a\r\n  - b"), "l:\r\n  - b\r\n  - a # a\r\n");
    assert_eq!(moved("l:\n- a # a\n"), "l:\n- a # a\n");
}

#[test]
fn changes_in_a_moved_item_are_kept() {
    let text = "l:\n- a: 1 # a\n  b: 2 # b\n- c: 3\n  d: 4 # d\nm: 5\n";
    let changed = edited(text, |editor, tree| {
        let list = value_at(tree, "l");
        editor.move_to_end(list, list.as_sequence().unwrap().items().next().unwrap());
        for (item, key) in [("l.0", 1), ("l.1", 1)] {
            let item = value_at(tree, item);
            editor.remove(item, item.as_mapping().unwrap().entries().nth(key).unwrap(), Comments::Drop);
        }
        let new = NewEntry::new("z", NewValue::Raw("6".to_owned()));
        let list = tree.documents().next().unwrap().root().unwrap().as_mapping().unwrap().entries().next();
        editor.insert(value_at(tree, ""), Position::After(list.unwrap()), new);
    });
    assert_eq!(changed, "l:\n- c: 3\n- a: 1 # a\nz: 6\nm: 5\n");
}

#[test]
fn an_item_without_a_separate_line_is_not_moved() {
    for text in ["l: [a, b]", "l:\n- - a\n  - b\n"] {
        let refusal = refused(text, |editor, tree| {
            let list = value_at(tree, if text.contains("- -") { "l.0" } else { "l" });
            editor.move_to_end(list, list.as_sequence().unwrap().items().next().unwrap());
        });
        assert_eq!(refusal, EditError::Place, "{text}");
    }
}
