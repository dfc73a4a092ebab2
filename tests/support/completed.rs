//! Completes the fragments of definitions on pages to whole definitions.

use text::applied;
use yaml::edit::{Editor, NewEntry, NewValue, Position};
use yaml::{Tree, Value, ValueKind};

/// A definition around the schema that follows.
const AROUND: &str = "\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
spec:
  group: example.com
  scope: Namespaced
  names:
    plural: widgets
    kind: Widget
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
";

/// `example` as a definition: a schema becomes that of the only version, and a fragment that begins with `metadata` or `spec`
/// is merged into a definition. `code` is that of the page's rule; rules on YAML are about the text itself, which is not
/// changed.
///
/// # Errors The parts cannot be merged.
pub(crate) fn definition(code: &str, example: &str) -> Result<String, String> {
    if example.starts_with("apiVersion:") {
        return Ok(example.to_owned());
    }
    let is_part = ["metadata:", "spec:"].iter().any(|start| example.starts_with(start));
    if is_part && !code.starts_with("yaml/") {
        return merged(&with_schema("type: object\n"), example);
    }
    Ok(with_schema(example))
}

fn with_schema(schema: &str) -> String {
    let lines = schema
        .lines()
        .map(|line| if line.is_empty() { "\n".to_owned() } else { format!("        {line}\n") });
    AROUND.to_owned() + &lines.collect::<String>()
}

/// `completed` with the changes in `fragment`: mappings and lists of the same length are merged, everything else is replaced.
fn merged(completed: &str, fragment: &str) -> Result<String, String> {
    let (tree, changes) = (Tree::parse(completed), Tree::parse(fragment));
    let documents = tree.documents().next().zip(changes.documents().next());
    let values =
        documents.and_then(|(completed, changes)| Some((completed, completed.root()?, changes.root()?)));
    let (document, value, change) = values.ok_or_else(|| format!("nothing to merge: {fragment}"))?;
    let mut editor = Editor::new(document);
    merge(&mut editor, value, change);
    let edits = editor.finish().map_err(|error| format!("{error}: {fragment}"))?;
    Ok(applied(completed, 0, &edits))
}

fn merge<'t>(editor: &mut Editor<'t>, completed: Value<'t>, fragment: Value<'_>) {
    match (completed.kind(), fragment.kind()) {
        (ValueKind::Mapping(mapping), ValueKind::Mapping(changes)) => {
            for change in changes.entries() {
                let key = change.key_text();
                match mapping.entries().find(|entry| entry.key_text() == key) {
                    Some(entry) => merge(editor, entry.value(), change.value()),
                    None => {
                        let key = key.unwrap_or_default().into_owned();
                        editor.insert(completed, Position::End, NewEntry::new(key, new(change.value())));
                    }
                }
            }
        }
        (ValueKind::Sequence(items), ValueKind::Sequence(changes))
            if items.items().count() == changes.items().count() =>
        {
            for (item, change) in items.items().zip(changes.items()) {
                merge(editor, item.value(), change.value());
            }
        }
        _ => editor.replace(completed, new(fragment)),
    }
}

/// `value` from another document as a new one.
fn new<'t>(value: Value<'_>) -> NewValue<'t> {
    match value.kind() {
        ValueKind::Mapping(mapping) => {
            let entry = |entry: yaml::Entry<'_>| {
                NewEntry::new(entry.key_text().unwrap_or_default().into_owned(), new(entry.value()))
            };
            NewValue::Mapping { entries: mapping.entries().map(entry).collect(), flow: mapping.is_flow() }
        }
        ValueKind::Sequence(sequence) => {
            let items = sequence.items().map(|item| new(item.value())).collect();
            NewValue::Sequence { items, flow: sequence.is_flow() }
        }
        ValueKind::Scalar(scalar) => {
            let token = scalar.token().text;
            if token.contains('\n') {
                NewValue::Text(scalar.text().into_owned())
            } else {
                NewValue::Raw(token.to_owned())
            }
        }
        _ => NewValue::Raw("null".to_owned()),
    }
}
