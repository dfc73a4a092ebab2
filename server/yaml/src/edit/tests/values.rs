//! Replaced values, and copies.

use super::{edited, refused, value_at};
use crate::Tree;
use crate::edit::{EditError, Editor, NewEntry, NewValue, Position};

#[test]
fn additions_to_a_replaced_value_are_dropped() {
    let after = edited("a:\n  b: 1\nc: 2\n", |editor, tree| {
        editor.replace(value_at(tree, "a"), NewValue::yes());
        editor.insert(value_at(tree, "a"), Position::End, NewEntry::new("x", NewValue::yes()));
    });
    assert_eq!(after, "a: true\nc: 2\n");
}

#[test]
fn subtrees_move_with_comments_and_block_scalars() {
    let text = "from:\n    deep:\n        # why\n        text: |\n            one\n\n              two\n        list:\n        - a # x\nto:\n    b: 1\n";
    let after = edited(text, |editor, tree| {
        let copy = NewValue::Copy(value_at(tree, "from.deep"));
        editor.insert(value_at(tree, ""), Position::End, NewEntry::new("deep", copy));
    });
    let expected =
        format!("{text}deep:\n    text: |\n        one\n\n          two\n    list:\n    - a # x\n");
    assert_eq!(after, expected);
    let after = edited(text, |editor, tree| {
        let copy = NewValue::Copy(value_at(tree, "from.deep.text"));
        editor.insert(value_at(tree, "to"), Position::End, NewEntry::new("text", copy));
    });
    let old_mac = |text: &str| text.replace('\n', "\r");
    let after_cr = edited(&old_mac(text), |editor, tree| {
        editor.insert(
            value_at(tree, ""),
            Position::End,
            NewEntry::new("deep", NewValue::Copy(value_at(tree, "from.deep"))),
        );
    });
    assert_eq!(after_cr, old_mac(&expected));
    assert_eq!(after, format!("{text}    text: |\n        one\n\n          two\n"));
}

#[test]
fn anchors_and_broken_text_are_not_edited() {
    let refused = |text: &str| {
        let tree = Tree::parse(text);
        let mut editor = Editor::new(tree.documents().next().unwrap());
        editor.insert(
            value_at(&tree, ""),
            Position::End,
            NewEntry::new("x", NewValue::Copy(value_at(&tree, "a"))),
        );
        editor.finish().unwrap_err()
    };
    assert_eq!(refused("a: {b: *c}\n"), EditError::Anchor);
    assert_eq!(refused("a: &c {b: 1}\n"), EditError::Anchor);
    assert_eq!(refused("a: 1\nb: [1\n"), EditError::Broken);
}

#[test]
fn texts_of_several_lines_become_blocks() {
    let after = edited("a: 1\n", |editor, tree| {
        editor.insert(
            value_at(tree, ""),
            Position::End,
            NewEntry::new("b", NewValue::Text("x:\n\ny #".into())),
        );
    });
    assert_eq!(after, "a: 1\nb: |-\n  x:\n\n  y #\n");
}

#[test]
fn blanks_after_a_key_do_not_become_part_of_a_block() {
    for text in ["a: \n", "a: \t\nb: 1\n", "a: ", "a:\n  - 1 \n\n     \n"] {
        let after =
            edited(text, |editor, tree| editor.replace(value_at(tree, "a"), NewValue::Text("x\ny\n".into())));
        let rest = if text.contains('b') { "b: 1\n" } else { "" };
        assert_eq!(after, format!("a: |\n  x\n  y\n{rest}"), "{text:?}");
    }
}

#[test]
fn a_block_scalar_does_not_absorb_the_comment_below() {
    let text = |indent: &str| format!("a:\n  b:\n  - 1\n{indent}# note\n  c: 2\n");
    assert_eq!(
        refused(&text("     "), |editor, tree| editor
            .replace(value_at(tree, "a.b"), NewValue::Text("x\ny".into()))),
        EditError::Comment
    );
    let after = edited(&text("  "), |editor, tree| {
        editor.replace(value_at(tree, "a.b"), NewValue::Text("x\ny".into()))
    });
    assert_eq!(after, "a:\n  b: |-\n    x\n    y\n  # note\n  c: 2\n");
}

#[test]
fn a_value_with_a_tag_is_not_replaced() {
    for text in ["a: !t b\n", "a: !t\n", "a: !t\n  b: 1\n", "a: !t [1]\n"] {
        assert_eq!(
            refused(text, |editor, tree| editor.replace(value_at(tree, "a"), NewValue::yes())),
            EditError::Anchor
        );
    }
}

#[test]
fn a_block_scalar_that_the_end_cuts_off_is_not_copied() {
    let tree = Tree::parse("a:\n  b: 1\nc:\n  d: |\n    x ");
    let mut editor = Editor::new(tree.documents().next().unwrap());
    editor.insert(
        value_at(&tree, "a"),
        Position::End,
        NewEntry::new("e", NewValue::Copy(value_at(&tree, "c"))),
    );
    assert_eq!(editor.finish(), Err(EditError::Place));
}
