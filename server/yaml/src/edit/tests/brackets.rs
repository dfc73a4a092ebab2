//! Mappings and sequences in braces and brackets.

use super::{edited, refused, value_at};
use crate::edit::{Comments, EditError, NewEntry, NewValue, Position};

#[test]
fn between_braces_a_copy_becomes_one_line() {
    let text = "a:\n  b: [x]\n  c: |\n    one\n    two\nd: {e: 1}\n";
    let after = edited(text, |editor, tree| {
        editor.insert(
            value_at(tree, "d"),
            Position::End,
            NewEntry::new("a", NewValue::Copy(value_at(tree, "a"))),
        );
    });
    assert_eq!(after, text.replace("{e: 1}", "{e: 1, a: {b: [x], c: \"one\\ntwo\\n\"}}"));
}

#[test]
fn nothing_is_added_after_a_key_without_a_colon() {
    assert_eq!(
        refused("a: {v:3}\n", |editor, tree| editor
            .replace(value_at(tree, "a.v:3"), NewValue::Text("x".into()))),
        EditError::Place
    );
}

#[test]
fn nothing_is_added_after_a_tag_without_a_value_in_braces() {
    assert_eq!(
        refused("a: {b: !x }\n", |editor, tree| editor
            .replace(value_at(tree, "a.b"), NewValue::Text("x".into()))),
        EditError::Anchor
    );
}

#[test]
fn indicators_before_quotes_are_quoted_in_brackets() {
    let changed = edited("a: [b]\n", |editor, tree| {
        editor.replace(value_at(tree, "a.0"), NewValue::Text("-\"".into()))
    });
    assert_eq!(changed, "a: ['-\"']\n");
}

#[test]
fn a_comma_after_a_colon_keeps_its_distance() {
    let new = || NewEntry::new("w", NewValue::Text("x".into()));
    let changed =
        edited("a: {v: }\n", |editor, tree| editor.insert(value_at(tree, "a"), Position::End, new()));
    assert_eq!(changed, "a: {v: , w: x }\n");
}

#[test]
fn the_comma_after_the_last_member_is_removed_with_it() {
    let without_all = |text: &str| {
        edited(text, |editor, tree| {
            let place = value_at(tree, "a");
            place
                .as_mapping()
                .unwrap()
                .entries()
                .for_each(|entry| editor.remove(place, entry, Comments::Keep));
        })
    };
    assert_eq!(without_all("a: {b: 1,}\n"), "a: {}\n");
    assert_eq!(without_all("a: { b: 1, c: 2 , }\n"), "a: {  }\n");
}

#[test]
fn items_in_brackets_are_removed_with_their_tags_and_anchors() {
    let without_item = |text: &str, index: usize| {
        edited(text, |editor, tree| {
            let place = value_at(tree, "a");
            let item = place.as_sequence().unwrap().items().nth(index).unwrap();
            editor.remove_item(place, item, Comments::Keep);
        })
    };
    assert_eq!(without_item("a: [!t [b]]\n", 0), "a: []\n");
    assert_eq!(without_item("a: [b, !t &x c, d]\n", 1), "a: [b, d]\n");
    assert_eq!(without_item("a: [b, !t &x c, d]\n", 0), "a: [!t &x c, d]\n");
}

#[test]
fn a_pair_in_brackets_is_replaced_even_if_its_entry_is_removed() {
    let after = edited("a: [b: 1, c]\n", |editor, tree| {
        let pair = value_at(tree, "a.0");
        editor.remove(pair, pair.as_mapping().unwrap().entries().next().unwrap(), Comments::Keep);
        editor.replace(pair, NewValue::yes());
    });
    assert_eq!(after, "a: [true, c]\n");
}

const JSON: &str = "{\n  \"a\": {\n    \"b\": \"x\",\n    \"c\": [1, 2]\n  }\n}\n";

#[test]
fn text_added_to_json_is_json() {
    let new = || NewValue::Mapping {
        entries: vec![
            NewEntry::new("on", NewValue::yes()),
            NewEntry::new("it's", NewValue::Raw("['x', 1.2.3, ~]".into())),
        ],
        flow: false,
    };
    let changed = edited(JSON, |editor, tree| {
        editor.insert(
            value_at(tree, "a"),
            Position::Start,
            NewEntry::new("first", NewValue::Text("one\ntwo".into())),
        );
        editor.insert(value_at(tree, "a"), Position::End, NewEntry::new("last", new()));
        editor.replace(value_at(tree, "a.b"), NewValue::Text("y".into()));
        editor.push(value_at(tree, "a.c"), NewValue::Raw("0x10".into()));
    });
    let expected = JSON.replace("\"b\": \"x\"", "\"first\": \"one\\ntwo\",\n    \"b\": \"y\"").replace(
        "[1, 2]",
        "[1, 2, 16],\n    \"last\": {\n      \"on\": true,\n      \"it's\": [\"x\",\"1.2.3\",null]\n    }",
    );
    assert_eq!(changed, expected);
}

#[test]
fn new_keys_and_values_in_json_are_quoted() {
    let changed = edited("{\"a\": {}, \"b\": null}", |editor, tree| {
        editor.insert(
            value_at(tree, "a"),
            Position::End,
            NewEntry::new("type", NewValue::Text("object".into())),
        );
        editor.push(value_at(tree, "b"), NewValue::Text("x".into()));
    });
    assert_eq!(changed, "{\"a\": {\"type\": \"object\"}, \"b\": [\"x\"]}");
}

#[test]
fn members_on_separate_lines_are_added_on_separate_lines() {
    let changed = edited("a: {\n  b: 1,\n  c: 2 # two\n}\nd: [\n    x,\n    y,\n]\n", |editor, tree| {
        editor.insert(value_at(tree, "a"), Position::Start, NewEntry::new("first", NewValue::yes()));
        editor.insert(value_at(tree, "a"), Position::End, NewEntry::new("last", NewValue::yes()));
        editor.push(value_at(tree, "d"), NewValue::Text("z".into()));
        editor.push(value_at(tree, "d"), NewValue::Text("!".into()));
    });
    assert_eq!(
        changed,
        "a: {\n  first: true,\n  b: 1,\n  c: 2, last: true # two\n}\nd: [\n    x,\n    y,\n    z,\n    '!',\n]\n"
    );
}

#[test]
fn text_added_to_json_with_lines_has_lines() {
    let entry = |value| NewEntry::new("x", value);
    let changed = edited(JSON, |editor, tree| {
        let inner = NewValue::Mapping { entries: vec![entry(NewValue::yes())], flow: false };
        editor.insert(
            value_at(tree, "a"),
            Position::Start,
            entry(NewValue::Mapping { entries: vec![entry(inner)], flow: false }),
        );
        editor.insert(
            value_at(tree, ""),
            Position::End,
            NewEntry::new("copy", NewValue::Copy(value_at(tree, "a"))),
        );
    });
    let new = "\"x\": {\n      \"x\": {\n        \"x\": true\n      }\n    },\n    ";
    let expected = JSON.replace("\"b\"", &format!("{new}\"b\"")).replace("\n}", ",\n  \"copy\": COPY\n}");
    let copy = JSON.strip_prefix("{\n  \"a\": ").unwrap().strip_suffix("\n}\n").unwrap();
    assert_eq!(changed, expected.replace("COPY", copy));
}
