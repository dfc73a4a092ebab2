//! Removed entries and items, and their comments.

use super::{edited, value_at};
use crate::Tree;
use crate::ast::ValueKind;
use crate::edit::{Comments, EditError, Editor, NewEntry, NewValue, Position};

/// Removes `path` and returns the text.
fn text_without(text: &str, path: &str, comments: Comments) -> String {
    edited(text, |editor, tree| {
        let (parent, key) = path.rsplit_once('.').unwrap_or(("", path));
        let parent = value_at(tree, parent);
        match parent.kind() {
            ValueKind::Mapping(mapping) => {
                let entry = mapping.entries().find(|entry| entry.key_text().as_deref() == Some(key)).unwrap();
                editor.remove(parent, entry, comments);
            }
            ValueKind::Sequence(sequence) => {
                editor.remove_item(parent, sequence.items().nth(key.parse().unwrap()).unwrap(), comments);
            }
            _ => panic!("nothing at {path}"),
        }
    })
}

#[test]
fn an_entry_is_removed_with_its_line() {
    assert_eq!(text_without("a: 1\nb: 2\nc: 3\n", "b", Comments::Drop), "a: 1\nc: 3\n");
    assert_eq!(text_without("a: 1\nb:\n  x: y\n\nc: 3", "b", Comments::Drop), "a: 1\n\nc: 3");
    assert_eq!(text_without("a: 1\nc: 3", "c", Comments::Drop), "a: 1\n");
    assert_eq!(text_without("a: 1\r\nb: 2\r\nc: 3\r\n", "b", Comments::Drop), "a: 1\r\nc: 3\r\n");
}

#[test]
fn comments_are_removed_or_kept() {
    let text = "a: 1\n# far\n\n# near\nb: 2 # behind\nc: 3\n";
    assert_eq!(text_without(text, "b", Comments::Drop), "a: 1\n# far\n\nc: 3\n");
    assert_eq!(text_without(text, "b", Comments::Keep), "a: 1\n# far\n\n# near\n# behind\nc: 3\n");
}

#[test]
fn the_dash_of_a_removed_first_entry_stays_for_the_next() {
    let text = "l:\n- a: 1 # one\n  # two\n  b: 2\n- c\n";
    assert_eq!(text_without(text, "l.0.a", Comments::Keep), "l:\n# one\n# two\n- b: 2\n- c\n");
    assert_eq!(text_without(text, "l.0.a", Comments::Drop), "l:\n# two\n- b: 2\n- c\n");
    assert_eq!(text_without(text, "l.0.b", Comments::Drop), "l:\n- a: 1 # one\n- c\n");
}

#[test]
fn a_mapping_without_entries_remains_a_mapping() {
    assert_eq!(text_without("a:\n  b: 1\nc: 2\n", "a.b", Comments::Drop), "a: {}\nc: 2\n");
    assert_eq!(text_without("a: # x\n  b: 1 # y\nc: 2\n", "a.b", Comments::Keep), "# y\na: {} # x\nc: 2\n");
    assert_eq!(text_without("l:\n- a: 1 # x\n- b\n", "l.0.a", Comments::Keep), "l:\n- {} # x\n- b\n");
    assert_eq!(text_without("l:\n  - a\nc: 2\n", "l.0", Comments::Drop), "l: []\nc: 2\n");
    assert_eq!(text_without("{a: 1}", "a", Comments::Drop), "{}");
}

#[test]
fn changes_inside_a_removed_node_are_dropped() {
    let text = "a:\n- {b: 1, c: {d: 2}}\n- e:\n  f:\ng: 3\n";
    let after = edited(text, |editor, tree| {
        editor.insert(value_at(tree, "a.0.c"), Position::End, NewEntry::new("x", NewValue::yes()));
        editor.insert(value_at(tree, "a.1.e"), Position::End, NewEntry::new("x", NewValue::yes()));
        editor.replace(value_at(tree, "a.1.f"), NewValue::yes());
        for (index, item) in value_at(tree, "a").as_sequence().unwrap().items().enumerate() {
            let mapping = item.value().as_mapping().unwrap();
            editor.remove(item.value(), mapping.entries().next_back().unwrap(), Comments::Keep);
            if index == 1 {
                editor.remove_item(value_at(tree, "a"), item, Comments::Keep);
            }
        }
    });
    assert_eq!(after, "a:\n- {b: 1}\ng: 3\n");
}

#[test]
fn entries_can_become_comments() {
    let text = "l:\n- a: 1 # one\n  b: 2\n- c: 3\n";
    let after = edited(text, |editor, tree| {
        let item = value_at(tree, "l.0");
        let entry = item.as_mapping().unwrap().entries().next().unwrap();
        editor.comment_out(item, entry, vec!["it was".into(), String::new(), "a".into()]);
        let item = value_at(tree, "l.1");
        let entry = item.as_mapping().unwrap().entries().next().unwrap();
        editor.comment_out(item, entry, vec!["c".into()]);
    });
    assert_eq!(after, "l:\n# it was\n#\n# a\n# one\n- b: 2\n# c\n- {}\n");
}

#[test]
fn a_comment_stays_one_line() {
    let after = edited("a: 1\nb: 2\n", |editor, tree| {
        let entry = value_at(tree, "").as_mapping().unwrap().entries().next().unwrap();
        editor.comment_out(value_at(tree, ""), entry, vec!["x\u{2028}y\nz\u{ffff}".into()]);
    });
    assert_eq!(after, "# x y z\nb: 2\n");
}

#[test]
fn replacing_all_entries_needs_no_braces() {
    let text = "l:\n- a: 1\n- b\n";
    let after = edited(text, |editor, tree| {
        let item = value_at(tree, "l.0");
        editor.remove(item, item.as_mapping().unwrap().entries().next().unwrap(), Comments::Keep);
        editor.insert(item, Position::End, NewEntry::new("x", NewValue::yes()));
    });
    assert_eq!(after, "l:\n- x: true\n- b\n");
}

#[test]
fn a_comment_below_does_not_become_part_of_the_block_scalar_above() {
    let remove = |text: &str| {
        let tree = Tree::parse(text);
        let mut editor = Editor::new(tree.documents().next().unwrap());
        let entry = value_at(&tree, "").as_mapping().unwrap().entries().nth(1).unwrap();
        editor.remove(value_at(&tree, ""), entry, Comments::Drop);
        editor.finish()
    };
    assert_eq!(remove("a: |\n  x\nb:\n  c: 1\n  # deep\n"), Err(EditError::Comment));
    assert!(remove("a: |\n    x\nb:\n    c: 1\n  # less deep\n").is_ok());
}
