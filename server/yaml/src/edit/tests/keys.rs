//! New keys, and quotes around keys and values.

use super::{applied, edited, value_at};
use crate::Tree;
use crate::edit::{EditError, Editor, NewEntry, NewValue, Position};

#[test]
fn a_new_key_is_quoted_if_necessary() {
    let renamed = |text: &str, key: &str| {
        edited(text, |editor, tree| {
            let entry = value_at(tree, "").as_mapping().unwrap().entries().next().unwrap();
            editor.rename(entry, key);
        })
    };
    assert_eq!(renamed("a: 1 # x\nb: 2\n", "c d"), "c d: 1 # x\nb: 2\n");
    assert_eq!(renamed("\"a\":\n  b: 2\n", "on"), "\"on\":\n  b: 2\n");
    assert_eq!(renamed("{a: 1}\n", "b, c"), "{'b, c': 1}\n");
    assert_eq!(renamed("a: 1\n", "<<"), "'<<': 1\n");
}

#[test]
fn a_key_must_fit_its_line() {
    for text in ["a: 1\n", "{a: 1}\n"] {
        let tree = Tree::parse(text);
        let entry = value_at(&tree, "").as_mapping().unwrap().entries().next().unwrap();
        for (length, fits) in [(1_024, true), (1_025, false)] {
            let key = "é".repeat(length);
            let mut editor = Editor::new(tree.documents().next().unwrap());
            editor.rename(entry, &key);
            assert_eq!(editor.finish().is_ok(), fits, "{text} {length}");
            let mut editor = editor.fresh();
            editor.insert(value_at(&tree, ""), Position::End, NewEntry::new(key, NewValue::yes()));
            assert_eq!(editor.finish().is_ok(), fits, "{text} {length}");
        }
    }
}

/// Quotes the key of the first entry, or its value, and returns the text.
fn requoted(text: &str, key: bool) -> Result<String, EditError> {
    let tree = Tree::parse(text);
    let mut editor = Editor::new(tree.documents().next().unwrap());
    let entry = value_at(&tree, "").as_mapping().unwrap().entries().next().unwrap();
    editor.quote(if key { entry.key() } else { entry.value() })?;
    Ok(applied(text, &editor.finish()?))
}

#[test]
fn a_plain_scalar_is_quoted_in_place() {
    assert_eq!(requoted("y: 1 # one\n", true).unwrap(), "'y': 1 # one\n");
    assert_eq!(requoted("a: 1.10 # one\n", false).unwrap(), "a: '1.10' # one\n");
    assert_eq!(requoted("{y, b}", true).unwrap(), "{'y', b}");
    assert_eq!(requoted("{y: on}", false).unwrap(), "{y: 'on'}");
    assert_eq!(requoted("? &k y\n: 1\n", true).unwrap(), "? &k 'y'\n: 1\n");
    assert_eq!(requoted("a: it's\n", false).unwrap(), "a: 'it''s'\n");
}

#[test]
fn quotes_follow_the_document() {
    assert_eq!(requoted("y: \"x\"\n", true).unwrap(), "\"y\": \"x\"\n");
    assert_eq!(requoted("y: [\"x\", 'x']\n", true).unwrap(), "'y': [\"x\", 'x']\n");
    assert_eq!(requoted("a: b\\d\nc: \"x\"\n", false).unwrap(), "a: \"b\\\\d\"\nc: \"x\"\n");
}

#[test]
fn only_plain_scalars_of_one_line_can_be_quoted() {
    assert_eq!(requoted("a: 'x'\n", false), Err(EditError::Place));
    assert_eq!(requoted("a: [x]\n", false), Err(EditError::Place));
    assert_eq!(requoted("a: one\n  two\n", false), Err(EditError::Place));
    assert_eq!(requoted("a: !!bool on\n", false), Err(EditError::Anchor));
}
