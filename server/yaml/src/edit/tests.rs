#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::{Comments, EditError, Editor, New, NewEntry, Position};
use crate::ast::{Value, ValueKind};
use crate::scalar::{Resolved, to_json};
use crate::{Reader, Tree};
use text::TextEdit;

/// A path of keys and indices: `a.0.b`.
fn at<'t>(tree: &'t Tree, path: &str) -> Value<'t> {
    let mut value = tree.documents().next().unwrap().root().unwrap();
    for step in path.split('.').filter(|step| !step.is_empty()) {
        value = match value.kind() {
            ValueKind::Mapping(mapping) => {
                mapping.entries().find(|entry| entry.key_text().as_deref() == Some(step)).unwrap().value()
            }
            ValueKind::Sequence(sequence) => sequence.items().nth(step.parse().unwrap()).unwrap().value(),
            _ => panic!("nothing at {path}"),
        };
    }
    value
}

fn applied(text: &str, edits: &[TextEdit]) -> String {
    let mut text = text.to_owned();
    for edit in edits.iter().rev() {
        text.replace_range(edit.range.as_usize(), &edit.new_text);
    }
    text
}

fn edited(text: &str, change: impl for<'t> Fn(&mut Editor<'t>, &'t Tree)) -> String {
    let tree = Tree::parse(text);
    let mut editor = Editor::new(tree.documents().next().unwrap());
    change(&mut editor, &tree);
    applied(text, &editor.finish().unwrap())
}

#[test]
fn an_entry_goes_behind_a_block_whose_last_line_goes() {
    let text = "f:\n  anyOf:\n  - type: integer\n  - maxLength: 3\n    type: string\ng: 1\n";
    let changed = edited(text, |editor, tree| {
        let branch = at(tree, "f.anyOf.1");
        let Some(mapping) = branch.as_mapping() else { panic!("no branch") };
        editor.remove(branch, mapping.entries().next_back().unwrap(), Comments::Keep);
        editor.insert(at(tree, "f"), Position::End, NewEntry::new("type", New::Text("string".into())));
        editor.insert(at(tree, "f"), Position::End, NewEntry::new("x", New::yes()));
    });
    assert_eq!(
        changed,
        "f:\n  anyOf:\n  - type: integer\n  - maxLength: 3\n  type: string\n  x: true\ng: 1\n"
    );
}

/// Removes `path` and returns the text.
fn without(text: &str, path: &str, comments: Comments) -> String {
    edited(text, |editor, tree| {
        let (parent, key) = path.rsplit_once('.').unwrap_or(("", path));
        let parent = at(tree, parent);
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

/// Adds `type: object` at the end of `path` and returns the text.
fn with_type(text: &str, path: &str, start: bool) -> String {
    edited(text, |editor, tree| {
        let position = if start { Position::Start } else { Position::End };
        editor.insert(at(tree, path), position, NewEntry::new("type", New::Text("object".into())));
    })
}

#[test]
fn an_entry_goes_with_its_line() {
    assert_eq!(without("a: 1\nb: 2\nc: 3\n", "b", Comments::Drop), "a: 1\nc: 3\n");
    assert_eq!(without("a: 1\nb:\n  x: y\n\nc: 3", "b", Comments::Drop), "a: 1\n\nc: 3");
    assert_eq!(without("a: 1\nc: 3", "c", Comments::Drop), "a: 1\n");
    assert_eq!(without("a: 1\r\nb: 2\r\nc: 3\r\n", "b", Comments::Drop), "a: 1\r\nc: 3\r\n");
}

#[test]
fn comments_go_or_stay() {
    let text = "a: 1\n# far\n\n# near\nb: 2 # behind\nc: 3\n";
    assert_eq!(without(text, "b", Comments::Drop), "a: 1\n# far\n\nc: 3\n");
    assert_eq!(without(text, "b", Comments::Keep), "a: 1\n# far\n\n# near\n# behind\nc: 3\n");
}

#[test]
fn the_first_entry_behind_a_dash_hands_it_on() {
    let text = "l:\n- a: 1 # one\n  # two\n  b: 2\n- c\n";
    assert_eq!(without(text, "l.0.a", Comments::Keep), "l:\n# one\n# two\n- b: 2\n- c\n");
    assert_eq!(without(text, "l.0.a", Comments::Drop), "l:\n# two\n- b: 2\n- c\n");
    assert_eq!(without(text, "l.0.b", Comments::Drop), "l:\n- a: 1 # one\n- c\n");
}

#[test]
fn what_loses_its_last_entry_stays_a_mapping() {
    assert_eq!(without("a:\n  b: 1\nc: 2\n", "a.b", Comments::Drop), "a: {}\nc: 2\n");
    assert_eq!(without("a: # x\n  b: 1 # y\nc: 2\n", "a.b", Comments::Keep), "# y\na: {} # x\nc: 2\n");
    assert_eq!(without("l:\n- a: 1 # x\n- b\n", "l.0.a", Comments::Keep), "l:\n- {} # x\n- b\n");
    assert_eq!(without("l:\n  - a\nc: 2\n", "l.0", Comments::Drop), "l: []\nc: 2\n");
    assert_eq!(without("{a: 1}", "a", Comments::Drop), "{}");
}

#[test]
fn flow_entries_take_one_comma_along() {
    assert_eq!(without("{a: 1, b: 2, c: 3}", "a", Comments::Drop), "{b: 2, c: 3}");
    assert_eq!(without("{a: 1, b: 2, c: 3}", "b", Comments::Drop), "{a: 1, c: 3}");
    assert_eq!(without("{ a: 1, b: 2, c: 3 }", "c", Comments::Drop), "{ a: 1, b: 2 }");
    assert_eq!(without("[a, b]", "1", Comments::Drop), "[a]");
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
fn entries_do_not_go_into_sequences_nor_items_into_mappings() {
    let tree = Tree::parse("a: [1]\nb: {c: d}\ne:\n- 1\n");
    let editor = || Editor::new(tree.documents().next().unwrap());
    for path in ["a", "e"] {
        let mut editor = editor();
        editor.insert(at(&tree, path), Position::End, NewEntry::new("x", New::yes()));
        assert_eq!(editor.finish(), Err(EditError::Place), "{path}");
    }
    for path in ["b", ""] {
        let mut editor = editor();
        editor.push(at(&tree, path), New::yes());
        assert_eq!(editor.finish(), Err(EditError::Place), "{path:?}");
    }
}

#[test]
fn a_new_key_is_quoted_where_it_has_to_be() {
    let renamed = |text: &str, key: &str| {
        edited(text, |editor, tree| {
            let entry = at(tree, "").as_mapping().unwrap().entries().next().unwrap();
            editor.rename(entry, key);
        })
    };
    assert_eq!(renamed("a: 1 # x\nb: 2\n", "c d"), "c d: 1 # x\nb: 2\n");
    assert_eq!(renamed("\"a\":\n  b: 2\n", "on"), "'on':\n  b: 2\n");
    assert_eq!(renamed("{a: 1}\n", "b, c"), "{'b, c': 1}\n");
    assert_eq!(renamed("a: 1\n", "<<"), "'<<': 1\n");
}

#[test]
fn a_key_has_to_fit_its_line() {
    for text in ["a: 1\n", "{a: 1}\n"] {
        let tree = Tree::parse(text);
        let entry = at(&tree, "").as_mapping().unwrap().entries().next().unwrap();
        for (length, fits) in [(1_024, true), (1_025, false)] {
            let key = "é".repeat(length);
            let mut editor = Editor::new(tree.documents().next().unwrap());
            editor.rename(entry, &key);
            assert_eq!(editor.finish().is_ok(), fits, "{text} {length}");
            let mut editor = editor.fresh();
            editor.insert(at(&tree, ""), Position::End, NewEntry::new(key, New::yes()));
            assert_eq!(editor.finish().is_ok(), fits, "{text} {length}");
        }
    }
}

#[test]
fn what_is_added_within_comes_before_what_is_added_behind() {
    let after = edited("a:\n  b:\n    c: 1\n", |editor, tree| {
        for path in ["", "a", "a.b"] {
            editor.insert(at(tree, path), Position::End, NewEntry::new("x", New::yes()));
        }
    });
    assert_eq!(after, "a:\n  b:\n    c: 1\n    x: true\n  x: true\nx: true\n");
}

#[test]
fn what_stands_in_something_that_goes_goes_with_it() {
    let text = "a:\n- {b: 1, c: {d: 2}}\n- e:\n  f:\ng: 3\n";
    let after = edited(text, |editor, tree| {
        editor.insert(at(tree, "a.0.c"), Position::End, NewEntry::new("x", New::yes()));
        editor.insert(at(tree, "a.1.e"), Position::End, NewEntry::new("x", New::yes()));
        editor.replace(at(tree, "a.1.f"), New::yes());
        for (index, item) in at(tree, "a").as_sequence().unwrap().items().enumerate() {
            let mapping = item.value().as_mapping().unwrap();
            editor.remove(item.value(), mapping.entries().next_back().unwrap(), Comments::Keep);
            if index == 1 {
                editor.remove_item(at(tree, "a"), item, Comments::Keep);
            }
        }
    });
    assert_eq!(after, "a:\n- {b: 1}\ng: 3\n");
}

#[test]
fn what_is_added_to_a_replaced_value_goes_with_it() {
    let after = edited("a:\n  b: 1\nc: 2\n", |editor, tree| {
        editor.replace(at(tree, "a"), New::yes());
        editor.insert(at(tree, "a"), Position::End, NewEntry::new("x", New::yes()));
    });
    assert_eq!(after, "a: true\nc: 2\n");
}

#[test]
fn a_value_comes_before_what_is_added_behind_its_entry() {
    let after = edited("a:\n", |editor, tree| {
        editor.insert(at(tree, ""), Position::End, NewEntry::new("x", New::yes()));
        let entries = vec![NewEntry::new("b", New::yes())];
        editor.replace(at(tree, "a"), New::Mapping { entries, flow: false });
    });
    assert_eq!(after, "a:\n  b: true\nx: true\n");
}

#[test]
fn entries_can_become_comments() {
    let text = "l:\n- a: 1 # one\n  b: 2\n- c: 3\n";
    let after = edited(text, |editor, tree| {
        let item = at(tree, "l.0");
        let entry = item.as_mapping().unwrap().entries().next().unwrap();
        editor.comment_out(item, entry, vec!["it was".into(), String::new(), "a".into()]);
        let item = at(tree, "l.1");
        let entry = item.as_mapping().unwrap().entries().next().unwrap();
        editor.comment_out(item, entry, vec!["c".into()]);
    });
    assert_eq!(after, "l:\n# it was\n#\n# a\n# one\n- b: 2\n# c\n- {}\n");
}

#[test]
fn a_comment_stays_one_line() {
    let after = edited("a: 1\nb: 2\n", |editor, tree| {
        let entry = at(tree, "").as_mapping().unwrap().entries().next().unwrap();
        editor.comment_out(at(tree, ""), entry, vec!["x\u{2028}y\nz\u{ffff}".into()]);
    });
    assert_eq!(after, "# x y z\nb: 2\n");
}

#[test]
fn replacing_all_entries_needs_no_braces() {
    let text = "l:\n- a: 1\n- b\n";
    let after = edited(text, |editor, tree| {
        let item = at(tree, "l.0");
        editor.remove(item, item.as_mapping().unwrap().entries().next().unwrap(), Comments::Keep);
        editor.insert(item, Position::End, NewEntry::new("x", New::yes()));
    });
    assert_eq!(after, "l:\n- x: true\n- b\n");
}

#[test]
fn subtrees_move_with_comments_and_block_scalars() {
    let text = "from:\n    deep:\n        # why\n        text: |\n            one\n\n              two\n        list:\n        - a # x\nto:\n    b: 1\n";
    let after = edited(text, |editor, tree| {
        let copy = New::Copy(at(tree, "from.deep"));
        editor.insert(at(tree, ""), Position::End, NewEntry::new("deep", copy));
    });
    let expected =
        format!("{text}deep:\n    text: |\n        one\n\n          two\n    list:\n    - a # x\n");
    assert_eq!(after, expected);
    let after = edited(text, |editor, tree| {
        let copy = New::Copy(at(tree, "from.deep.text"));
        editor.insert(at(tree, "to"), Position::End, NewEntry::new("text", copy));
    });
    let old_mac = |text: &str| text.replace('\n', "\r");
    let after_cr = edited(&old_mac(text), |editor, tree| {
        editor.insert(at(tree, ""), Position::End, NewEntry::new("deep", New::Copy(at(tree, "from.deep"))));
    });
    assert_eq!(after_cr, old_mac(&expected));
    assert_eq!(after, format!("{text}    text: |\n        one\n\n          two\n"));
}

#[test]
fn between_braces_a_copy_becomes_one_line() {
    let text = "a:\n  b: [x]\n  c: |\n    one\n    two\nd: {e: 1}\n";
    let after = edited(text, |editor, tree| {
        editor.insert(at(tree, "d"), Position::End, NewEntry::new("a", New::Copy(at(tree, "a"))));
    });
    assert_eq!(after, text.replace("{e: 1}", "{e: 1, a: {b: [x], c: \"one\\ntwo\\n\"}}"));
}

#[test]
fn anchors_and_broken_text_are_left_alone() {
    let refused = |text: &str| {
        let tree = Tree::parse(text);
        let mut editor = Editor::new(tree.documents().next().unwrap());
        editor.insert(at(&tree, ""), Position::End, NewEntry::new("x", New::Copy(at(&tree, "a"))));
        editor.finish().unwrap_err()
    };
    assert_eq!(refused("a: {b: *c}\n"), EditError::Anchor);
    assert_eq!(refused("a: &c {b: 1}\n"), EditError::Anchor);
    assert_eq!(refused("a: 1\nb: [1\n"), EditError::Broken);
}

#[test]
fn texts_of_several_lines_become_blocks() {
    let after = edited("a: 1\n", |editor, tree| {
        editor.insert(at(tree, ""), Position::End, NewEntry::new("b", New::Text("x:\n\ny #".into())));
    });
    assert_eq!(after, "a: 1\nb: |-\n  x:\n\n  y #\n");
}

#[test]
fn blanks_below_a_key_do_not_change_the_order() {
    for blanks in ["", " ", "\n   "] {
        let after = edited(&format!("l:\n- a:{blanks}\n"), |editor, tree| {
            editor.insert(at(tree, "l.0"), Position::End, NewEntry::new("x", New::yes()));
            editor.insert(at(tree, "l.0.a"), Position::End, NewEntry::new("b", New::yes()));
        });
        assert_eq!(after, "l:\n- a:\n    b: true\n  x: true\n", "{blanks:?}");
    }
}

#[test]
fn blanks_behind_a_key_do_not_become_part_of_a_block() {
    for text in ["a: \n", "a: \t\nb: 1\n", "a: ", "a:\n  - 1 \n\n     \n"] {
        let after = edited(text, |editor, tree| editor.replace(at(tree, "a"), New::Text("x\ny\n".into())));
        let rest = if text.contains('b') { "b: 1\n" } else { "" };
        assert_eq!(after, format!("a: |\n  x\n  y\n{rest}"), "{text:?}");
    }
}

/// What a document says.
#[derive(Clone, Debug, PartialEq)]
enum Json {
    Leaf(String),
    Object(BTreeMap<String, Json>),
    Array(Vec<Json>),
}

fn json(value: Value<'_>, reader: &Reader<'_>) -> Json {
    match value.kind() {
        ValueKind::Mapping(mapping) => Json::Object(
            reader
                .entries(mapping)
                .into_iter()
                .map(|(key, entry)| (key.into_owned(), json(entry.value(), reader)))
                .collect(),
        ),
        ValueKind::Sequence(sequence) => {
            Json::Array(sequence.items().map(|item| json(item.value(), reader)).collect())
        }
        ValueKind::Scalar(scalar) => Json::Leaf(to_json(&scalar.resolve().unwrap())),
        ValueKind::Alias(_) => panic!("no aliases here"),
        ValueKind::Absent => Json::Leaf(to_json(&Resolved::Null)),
    }
}

fn read(text: &str) -> (Json, Vec<String>) {
    let tree = Tree::parse(text);
    assert!(tree.errors().is_empty(), "{text}");
    let document = tree.documents().next().unwrap();
    let mut comments = Vec::new();
    super::extent::collect_comments(document.syntax(), document.range(), &mut comments);
    let mut comments: Vec<String> = comments.iter().map(|token| token.text.trim_end().to_owned()).collect();
    comments.sort();
    (json(document.root().unwrap(), &Reader::new(document)), comments)
}

fn collections<'t>(value: Value<'t>, path: &[usize], into: &mut Vec<(Value<'t>, Vec<usize>)>) {
    let children: Vec<Value<'t>> = match value.kind() {
        ValueKind::Mapping(mapping) => mapping.entries().map(|entry| entry.value()).collect(),
        ValueKind::Sequence(sequence) => sequence.items().map(|item| item.value()).collect(),
        _ => return,
    };
    into.push((value, path.to_vec()));
    for (index, child) in children.into_iter().enumerate() {
        collections(child, &[path, &[index]].concat(), into);
    }
}

fn at_mut<'j>(json: &'j mut Json, value: Value<'_>, path: &[usize]) -> &'j mut Json {
    let Some((index, rest)) = path.split_first() else { return json };
    match (json, value.kind()) {
        (Json::Object(object), ValueKind::Mapping(mapping)) => {
            let entry = mapping.entries().nth(*index).unwrap();
            at_mut(object.get_mut(entry.key_text().unwrap().as_ref()).unwrap(), entry.value(), rest)
        }
        (Json::Array(array), ValueKind::Sequence(sequence)) => {
            at_mut(&mut array[*index], sequence.items().nth(*index).unwrap().value(), rest)
        }
        _ => panic!("no such place"),
    }
}

/// Random documents in random styles, with comments everywhere they may stand.
fn document() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("x".to_owned()),
        Just("'it''s'".to_owned()),
        Just("\"a#b\"".to_owned()),
        Just(String::new()),
        Just("{}".to_owned()),
        Just("[1, {p: q}]".to_owned()),
        Just("{s: 1, t: [u]}".to_owned()),
    ]
    .prop_map(|text| vec![text]);
    let node = leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            (prop::collection::vec((inner.clone(), 0..8u8), 1..4), 1..5usize).prop_map(|(children, step)| {
                let mut lines = vec![String::new()];
                for (index, (child, trivia)) in children.into_iter().enumerate() {
                    block_member(&mut lines, &format!("k{index}:"), child, step, trivia);
                }
                lines
            }),
            prop::collection::vec((inner, 0..8u8), 1..4).prop_map(|children| {
                let mut lines = vec![String::new()];
                for (child, trivia) in children {
                    block_member(&mut lines, "-", child, 2, trivia);
                }
                lines
            }),
            Just(vec!["|".to_owned(), "  one # no comment".to_owned(), String::new(), "    two".to_owned()]),
        ]
    });
    (prop::collection::vec((node, 0..8u8), 1..4), any::<bool>(), any::<bool>()).prop_map(
        |(children, windows, ends)| {
            let mut lines = Vec::new();
            for (index, (child, trivia)) in children.into_iter().enumerate() {
                block_member(&mut lines, &format!("k{index}:"), child, 2, trivia);
            }
            let line_break = if windows { "\r\n" } else { "\n" };
            let text = lines.join(line_break);
            if ends { text + line_break } else { text }
        },
    )
}

/// The lines of `head` with `child`, whose first line belongs behind the head.
fn block_member(lines: &mut Vec<String>, head: &str, child: Vec<String>, step: usize, trivia: u8) {
    if trivia & 1 != 0 {
        lines.push(format!("# above {head}"));
    }
    let first = child.first().cloned().unwrap_or_default();
    let comment = if trivia & 2 != 0 { " # behind" } else { "" };
    let mut rest = child.into_iter().skip(1).collect::<Vec<_>>();
    let compact = head == "-" && first.is_empty() && rest.first().is_some_and(|line| !line.starts_with('#'));
    if compact {
        lines.push(format!("- {}", rest.remove(0)));
    } else {
        lines.push(format!("{head} {first}").trim_end().to_owned() + comment);
    }
    let indent = " ".repeat(step);
    lines.extend(rest.into_iter().map(|line| if line.is_empty() { line } else { format!("{indent}{line}") }));
    if trivia & 4 != 0 {
        lines.push(String::new());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn removing_removes_that_and_nothing_else(text in document(), pick in any::<(prop::sample::Index, u32)>(), keep: bool) {
        let tree = Tree::parse(&text);
        prop_assume!(tree.errors().is_empty());
        let (mut expected, comments_before) = read(&text);
        let document = tree.documents().next().unwrap();
        let mut places = Vec::new();
        collections(document.root().unwrap(), &[], &mut places);
        let (place, path) = places[pick.0.index(places.len())].clone();
        let mut editor = Editor::new(document);
        let mode = if keep { Comments::Keep } else { Comments::Drop };
        let mut index = 0..;
        let mut chosen = move || pick.1 >> (index.next().unwrap_or(0) % 32) & 1 == 1;
        match (at_mut(&mut expected, document.root().unwrap(), &path), place.kind()) {
            (Json::Object(object), ValueKind::Mapping(mapping)) => {
                for entry in mapping.entries().filter(|_| chosen()) {
                    editor.remove(place, entry, mode);
                    object.remove(entry.key_text().unwrap().as_ref());
                }
            }
            (Json::Array(array), ValueKind::Sequence(sequence)) => {
                let mut left = Vec::new();
                for (item, value) in sequence.items().zip(array.iter()) {
                    if chosen() { editor.remove_item(place, item, mode) } else { left.push(value.clone()) }
                }
                *array = left;
            }
            _ => panic!("no such place"),
        }
        let after = applied(&text, &editor.finish().unwrap());
        let (found, comments) = read(&after);
        prop_assert_eq!(found, expected, "{}\n---\n{}", text, after);
        if keep {
            prop_assert_eq!(comments, comments_before, "{}\n---\n{}", text, after);
        }
        prop_assert!(!after.contains('\r') || after.matches('\n').count() == after.matches("\r\n").count());
    }

    #[test]
    fn adding_adds_that_and_nothing_else(
        text in document(),
        pick in any::<(prop::sample::Index, prop::sample::Index, prop::sample::Index)>(),
    ) {
        let tree = Tree::parse(&text);
        prop_assume!(tree.errors().is_empty());
        let (mut expected, comments_before) = read(&text);
        let document = tree.documents().next().unwrap();
        let mut places = Vec::new();
        collections(document.root().unwrap(), &[], &mut places);
        // Copying out of a place into itself or elsewhere, at a random position.
        let (source, source_path) = places[pick.0.index(places.len())].clone();
        let (place, path) = places[pick.1.index(places.len())].clone();
        let copied = at_mut(&mut expected, document.root().unwrap(), &source_path).clone();
        let mut editor = Editor::new(document);
        match (at_mut(&mut expected, document.root().unwrap(), &path), place.kind()) {
            (Json::Object(object), ValueKind::Mapping(mapping)) => {
                let entries: Vec<_> = mapping.entries().collect();
                let position = match entries.get(pick.2.index(entries.len() + 1)) {
                    Some(entry) => Position::Before(*entry),
                    None => Position::End,
                };
                editor.insert(place, position, NewEntry::new("new", New::Copy(source)));
                object.insert("new".into(), copied);
            }
            (Json::Array(array), ValueKind::Sequence(_)) => {
                editor.push(place, New::Copy(source));
                array.push(copied);
            }
            _ => panic!("no such place"),
        }
        let edits = match editor.finish() {
            // Braces cannot take comments, and nothing can follow a block scalar that the file's end cuts off.
            Err(error) => {
                let cut_off = error == EditError::Place && !text.ends_with('\n');
                prop_assert!(error == EditError::Comment || cut_off, "{}: {}", error, text);
                return Ok(());
            }
            Ok(edits) => edits,
        };
        let adds = |edit: &TextEdit| edit.range.is_empty() || text[edit.range.as_usize()].trim() == "{}";
        prop_assert!(edits.iter().all(adds), "{:?}", edits);
        let after = applied(&text, &edits);
        let (found, comments) = read(&after);
        prop_assert_eq!(found, expected, "{}\n---\n{}", text, after);
        prop_assert!(comments.len() >= comments_before.len());
    }
}

/// Quotes the key of the first entry, or its value, and returns the text.
fn requoted(text: &str, key: bool) -> Result<String, EditError> {
    let tree = Tree::parse(text);
    let mut editor = Editor::new(tree.documents().next().unwrap());
    let entry = at(&tree, "").as_mapping().unwrap().entries().next().unwrap();
    editor.quote(if key { entry.key() } else { entry.value() })?;
    Ok(applied(text, &editor.finish()?))
}

#[test]
fn a_plain_scalar_can_be_quoted_where_it_stands() {
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

#[test]
fn nothing_goes_behind_a_key_without_a_colon() {
    let tree = Tree::parse("a: {v:3}\n");
    let mut editor = Editor::new(tree.documents().next().unwrap());
    editor.replace(at(&tree, "a.v:3"), New::Text("x".into()));
    assert_eq!(editor.finish(), Err(EditError::Place));
}

#[test]
fn nothing_goes_behind_a_tag_without_a_value_in_braces() {
    let tree = Tree::parse("a: {b: !x }\n");
    let mut editor = Editor::new(tree.documents().next().unwrap());
    editor.replace(at(&tree, "a.b"), New::Text("x".into()));
    assert_eq!(editor.finish(), Err(EditError::Place));
}

#[test]
fn indicators_before_quotes_are_quoted_in_brackets() {
    let changed = edited("a: [b]\n", |editor, tree| editor.replace(at(tree, "a.0"), New::Text("-\"".into())));
    assert_eq!(changed, "a: ['-\"']\n");
}

#[test]
fn a_comma_behind_a_colon_keeps_its_distance() {
    let new = || NewEntry::new("w", New::Text("x".into()));
    let changed = edited("a: {v: }\n", |editor, tree| editor.insert(at(tree, "a"), Position::End, new()));
    assert_eq!(changed, "a: {v: , w: x }\n");
}
