//! Added entries and items.

use super::{edited, value_at};
use crate::Tree;
use crate::edit::{Comments, EditError, Editor, NewEntry, NewValue, Position};

#[test]
fn an_entry_is_added_after_a_block_whose_last_line_is_removed() {
    let text = "f:\n  anyOf:\n  - type: integer\n  - maxLength: 3\n    type: string\ng: 1\n";
    let changed = edited(text, |editor, tree| {
        let branch = value_at(tree, "f.anyOf.1");
        let Some(mapping) = branch.as_mapping() else { panic!("no branch") };
        editor.remove(branch, mapping.entries().next_back().unwrap(), Comments::Keep);
        editor.insert(
            value_at(tree, "f"),
            Position::End,
            NewEntry::new("type", NewValue::Text("string".into())),
        );
        editor.insert(value_at(tree, "f"), Position::End, NewEntry::new("x", NewValue::yes()));
    });
    assert_eq!(
        changed,
        "f:\n  anyOf:\n  - type: integer\n  - maxLength: 3\n  type: string\n  x: true\ng: 1\n"
    );
}

/// Adds `type: object` at the end of `path` and returns the text.
fn with_type(text: &str, path: &str, start: bool) -> String {
    edited(text, |editor, tree| {
        let position = if start { Position::Start } else { Position::End };
        editor.insert(value_at(tree, path), position, NewEntry::new("type", NewValue::Text("object".into())));
    })
}

#[test]
fn entries_are_added_in_the_style_of_their_mapping() {
    assert_eq!(with_type("a: 1 # x\n", "", false), "a: 1 # x\ntype: object\n");
    assert_eq!(with_type("# x\na: 1\n", "", true), "type: object\n# x\na: 1\n");
    assert_eq!(with_type("l:\n- a: 1\n", "l.0", true), "l:\n- type: object\n  a: 1\n");
    assert_eq!(with_type("a: {b: 1}\n", "a", true), "a: {type: object, b: 1}\n");
    assert_eq!(with_type("a: {b: 1}\n", "a", false), "a: {b: 1, type: object}\n");
    assert_eq!(with_type("a: {}\nb: {}\n", "a", false), "a:\n  type: object\nb: {}\n");
    assert_eq!(
        with_type("a:\n    b:\n        c:\n", "a.b.c", false),
        "a:\n    b:\n        c:\n            type: object\n"
    );
    assert_eq!(with_type("a: null\n", "a", false), "a:\n  type: object\n");
    assert_eq!(with_type("- {}\n", "0", false), "- type: object\n");
    assert_eq!(with_type("a: |\n  text\n\nb: 1\n", "", false), "a: |\n  text\n\nb: 1\ntype: object\n");
    assert_eq!(with_type("a:\r\n  b: 1\r\n", "a", false), "a:\r\n  b: 1\r\n  type: object\r\n");
    assert_eq!(with_type("a:\r  b: 1\r", "a", false), "a:\r  b: 1\r  type: object\r");
    assert_eq!(with_type("[{a: }]", "0.a", false), "[{a: {type: object} }]");
}

#[test]
fn a_byte_order_mark_stays_before_the_first_comment() {
    let bom = "\u{feff}";
    assert_eq!(with_type(&format!("{bom}# x\na: 1\n"), "", true), format!("{bom}type: object\n# x\na: 1\n"));
}

#[test]
fn entries_cannot_be_added_to_sequences_nor_items_to_mappings() {
    let tree = Tree::parse("a: [1]\nb: {c: d}\ne:\n- 1\n");
    let editor = || Editor::new(tree.documents().next().unwrap());
    for path in ["a", "e"] {
        let mut editor = editor();
        editor.insert(value_at(&tree, path), Position::End, NewEntry::new("x", NewValue::yes()));
        assert_eq!(editor.finish(), Err(EditError::Place), "{path}");
    }
    for path in ["b", ""] {
        let mut editor = editor();
        editor.push(value_at(&tree, path), NewValue::yes());
        assert_eq!(editor.finish(), Err(EditError::Place), "{path:?}");
    }
}

#[test]
fn text_added_within_a_node_precedes_text_added_after_it() {
    let after = edited("a:\n  b:\n    c: 1\n", |editor, tree| {
        for path in ["", "a", "a.b"] {
            editor.insert(value_at(tree, path), Position::End, NewEntry::new("x", NewValue::yes()));
        }
    });
    assert_eq!(after, "a:\n  b:\n    c: 1\n    x: true\n  x: true\nx: true\n");
}

#[test]
fn a_value_precedes_text_added_after_its_entry() {
    let after = edited("a:\n", |editor, tree| {
        editor.insert(value_at(tree, ""), Position::End, NewEntry::new("x", NewValue::yes()));
        let entries = vec![NewEntry::new("b", NewValue::yes())];
        editor.replace(value_at(tree, "a"), NewValue::Mapping { entries, flow: false });
    });
    assert_eq!(after, "a:\n  b: true\nx: true\n");
}

#[test]
fn blanks_below_a_key_do_not_change_the_order() {
    for blanks in ["", " ", "\n   "] {
        let after = edited(&format!("l:\n- a:{blanks}\n"), |editor, tree| {
            editor.insert(value_at(tree, "l.0"), Position::End, NewEntry::new("x", NewValue::yes()));
            editor.insert(value_at(tree, "l.0.a"), Position::End, NewEntry::new("b", NewValue::yes()));
        });
        assert_eq!(after, "l:\n- a:\n    b: true\n  x: true\n", "{blanks:?}");
    }
}
