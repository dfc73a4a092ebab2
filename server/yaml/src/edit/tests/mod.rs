//! Tests of the edit builder, by subject.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod adding;
mod brackets;
mod keys;
mod moving;
mod properties;
mod removing;
mod values;

use text::TextEdit;

use super::{EditError, Editor};
use crate::Tree;
use crate::ast::{Value, ValueKind};

/// A path of keys and indices: `a.0.b`.
fn value_at<'t>(tree: &'t Tree, path: &str) -> Value<'t> {
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

/// The error with which the builder rejects a change of `text`.
fn refused(text: &str, change: impl for<'t> Fn(&mut Editor<'t>, &'t Tree)) -> EditError {
    let tree = Tree::parse(text);
    let mut editor = Editor::new(tree.documents().next().unwrap());
    change(&mut editor, &tree);
    editor.finish().unwrap_err()
}
