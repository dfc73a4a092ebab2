//! Objects below another one without a `---` between them: their keys continue the object above, where they are duplicates.
//!
//! The text with the missing lines is checked, so that each object has the findings of the kind it names.

use api::Code;
use crd::{FieldPath, Message};
use text::{TextEdit, TextRange, TextSize};
use yaml::{Document, Entry, Mapping, Tree, Value};

use crate::analysis::divided_definition::MARKER;
use crate::analysis::repaired_text::RepairedText;
use crate::analysis::shifts::tree_after;
use crate::analysis::unidentified::{API_VERSION, KIND};
use crate::{Finding, Severity};

/// The maximum number of keys of one document that are read.
const MOST_KEYS: usize = 2_000;

/// A document with several objects, and its text with a `---` between them.
pub(crate) struct JoinedObjects {
    pub(crate) repaired: RepairedText,
    /// The ranges and the names of the first key of each object but the first one, in the file.
    firsts: Vec<(TextRange, String)>,
}

impl JoinedObjects {
    /// The objects of `document`, if there are several.
    pub(crate) fn of(document: Document<'_>) -> Option<Self> {
        let root = document.root().and_then(Value::as_mapping).filter(|root| root.column() == Some(0))?;
        let first_keys = first_keys(root);
        if first_keys.is_empty() {
            return None;
        }
        let start = document.range().start;
        let step = |first: &Entry<'_>| missing_line(first.key_range().start - start);
        let steps: Vec<TextEdit> = first_keys.iter().map(step).collect();
        let tree = tree_after(&Tree::of(document), &document.syntax().text(), &steps);
        let named = |first: &Entry<'_>| Some((first.key_range(), first.key_text()?.into_owned()));
        let firsts = first_keys.iter().filter_map(named).collect();
        Some(Self { repaired: RepairedText::new(document, tree, &steps), firsts })
    }

    /// The findings on the missing lines, in the file.
    pub(crate) fn findings(&self) -> impl Iterator<Item = Finding> {
        self.firsts.iter().map(|(range, key)| Finding {
            code: Code::YamlDuplicateKey,
            severity: Severity::Error,
            message: Message::new(format!("a second object begins at `{key}`"))
                .advise(format!("add a line `{MARKER}` above it")),
            range: *range,
            field_path: FieldPath::root(),
            api_server: None,
            related: Vec::new(),
        })
    }

    /// Whether there is such a finding at `range`.
    pub(crate) fn begins_at(&self, range: TextRange) -> bool {
        self.firsts.iter().any(|(first, _)| *first == range)
    }

    /// The titles and edits of the fixes for the missing lines in `range`, each with the range of its finding.
    pub(crate) fn fixes_in(&self, range: TextRange) -> impl Iterator<Item = (TextRange, String, TextEdit)> {
        let touched = self.firsts.iter().filter(move |(first, _)| first.overlaps(range));
        touched
            .map(|(first, key)| (*first, format!("Add `{MARKER}` above `{key}`"), missing_line(first.start)))
    }
}

/// The line before the object at `start`.
fn missing_line(start: TextSize) -> TextEdit {
    TextEdit::insert(start, format!("{MARKER}\n"))
}

/// An object, by its first key, and which of the keys of its type it has.
struct ObjectStart<'t> {
    first: Entry<'t>,
    has_api_version: bool,
    has_kind: bool,
}

/// The first key of each object but the first one. An object begins where the key of its type occurs again, and has both of these keys.
fn first_keys<'t>(root: Mapping<'t>) -> Vec<Entry<'t>> {
    let mut objects: Vec<ObjectStart<'t>> = Vec::new();
    for entry in root.entries().take(MOST_KEYS) {
        let Some(key) = entry.key_text() else { continue };
        let (is_api_version, is_kind) = (key == API_VERSION, key == KIND);
        let is_again = |object: &&mut ObjectStart<'t>| {
            is_api_version && object.has_api_version || is_kind && object.has_kind
        };
        match objects.last_mut().filter(|object| !is_again(object)) {
            Some(object) => {
                object.has_api_version |= is_api_version;
                object.has_kind |= is_kind;
            }
            None => {
                objects.push(ObjectStart {
                    first: entry,
                    has_api_version: is_api_version,
                    has_kind: is_kind,
                });
            }
        }
    }
    let are_all_typed = objects.iter().all(|object| object.has_api_version && object.has_kind);
    objects.into_iter().skip(1).filter(|_| are_all_typed).map(|object| object.first).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use crate::marked_texts::WIDGET;
    use crate::{File, Settings};

    const OTHER: &str = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  a: b\n";

    /// The shown findings of `text`: the line, from 1, and the message of each.
    fn shown(text: &str) -> Vec<(usize, String)> {
        let found = File::new(text, &Settings::default()).grouped().findings;
        let line = |at: u32| text.get(..at as usize).unwrap().matches('\n').count() + 1;
        found.iter().map(|finding| (line(finding.range.start), finding.message.to_string())).collect()
    }

    #[test]
    fn a_missing_line_between_two_objects_is_one_finding_with_its_fix() {
        for (one, other) in [(WIDGET, OTHER), (OTHER, WIDGET)] {
            let text = format!("{one}{other}");
            let found = File::new(&text, &Settings::default()).grouped().findings;
            assert_eq!(found.len(), 1, "{found:#?}");
            let missing = found.first().unwrap();
            assert_eq!(missing.range.start as usize, one.len());
            let message = missing.message.to_string();
            assert_eq!(message, "a second object begins at `apiVersion`; add a line `---` above it");
            let fixes = File::new(&text, &Settings::default()).fixes(missing.range);
            assert_eq!(text::applied(&text, 0, &fixes[0].edits), format!("{one}---\n{other}"));
        }
    }

    #[test]
    fn each_object_has_the_findings_of_its_own_kind() {
        let wrong = WIDGET.replace("scope: Namespaced", "scoep: Namespaced");
        let alone = shown(&wrong);
        let lines = OTHER.lines().count();
        let mut expected =
            vec![(lines + 1, "a second object begins at `apiVersion`; add a line `---` above it".to_owned())];
        expected.extend(alone.into_iter().map(|(line, message)| (line + lines, message)));
        assert_eq!(shown(&format!("{OTHER}{wrong}")), expected);
    }

    #[test]
    fn a_repeated_key_of_one_object_is_no_second_object() {
        for text in [format!("{OTHER}kind: ConfigMap\n"), format!("{WIDGET}metadata:\n  name: a\n")] {
            assert!(shown(&text).iter().all(|(_, message)| !message.contains("second object")), "{text}");
        }
    }
}
