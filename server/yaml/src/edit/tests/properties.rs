//! Random changes to random documents.

use std::collections::BTreeMap;

use proptest::prelude::*;
use text::TextEdit;

use super::applied;
use crate::ast::{Value, ValueKind};
use crate::edit::{Comments, EditError, Editor, NewEntry, NewValue, Position};
use crate::scalar::{ResolvedScalar, to_json};
use crate::{Reader, Tree};

/// The contents of a document.
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
        ValueKind::Absent => Json::Leaf(to_json(&ResolvedScalar::Null)),
    }
}

fn read(text: &str) -> (Json, Vec<String>) {
    let tree = Tree::parse(text);
    assert!(tree.errors().is_empty(), "{text}");
    let document = tree.documents().next().unwrap();
    let mut comments = Vec::new();
    crate::edit::extent::collect_comments(document.syntax(), document.range(), &mut comments);
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

/// Random documents in random styles, with comments in all allowed positions.
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

/// The lines of `head` with `child`, whose first line is appended to the head.
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
    fn removing_an_entry_removes_nothing_else(text in document(), pick in any::<(prop::sample::Index, u32)>(), keep: bool) {
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
    fn adding_an_entry_adds_nothing_else(
        text in document(),
        pick in any::<(prop::sample::Index, prop::sample::Index, prop::sample::Index)>(),
    ) {
        let tree = Tree::parse(&text);
        prop_assume!(tree.errors().is_empty());
        let (mut expected, comments_before) = read(&text);
        let document = tree.documents().next().unwrap();
        let mut places = Vec::new();
        collections(document.root().unwrap(), &[], &mut places);
        // Copies a value at a random path into itself or elsewhere.
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
                editor.insert(place, position, NewEntry::new("new", NewValue::Copy(source)));
                object.insert("new".into(), copied);
            }
            (Json::Array(array), ValueKind::Sequence(_)) => {
                editor.push(place, NewValue::Copy(source));
                array.push(copied);
            }
            _ => panic!("no such place"),
        }
        let edits = match editor.finish() {
            // Braces cannot contain comments, and nothing can follow a block scalar that the end of the file
            // cuts off.
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
