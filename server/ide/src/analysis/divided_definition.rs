//! Definitions that a `---` among their lines divides: the lines below it are a document without `apiVersion` and
//! `kind`.

use api::Code;
use crd::schema::TYPES;
use crd::{FieldPath, Message};
use text::{TextRange, TextSize};
use yaml::{Document, Entry, Mapping, Value, ValueKind};

use crate::analysis::text_at::line_of;
use crate::analysis::unidentified::{API_VERSION, KIND};
use crate::analysis::values::own_entry;
use crate::{Finding, Severity};

/// The marker of the start of a document.
pub(crate) const MARKER: &str = "---";
/// Fields that only parts of definitions have.
const FIELDS: [&str; 10] = [
    "names",
    "versions",
    "schema",
    "openAPIV3Schema",
    "properties",
    "additionalPrinterColumns",
    "subresources",
    "served",
    "storage",
    "listKind",
];
const SPEC: &str = "spec";
/// The fields that the `spec` of each definition has.
const OF_SPEC: [&str; 3] = ["group", "names", "versions"];
/// The number of bytes of the line of the marker that are read.
const MOST_OF_LINE: TextSize = 100;
/// The maximum number of keys that are read.
const MOST_KEYS: usize = 24;

/// The finding on the marker of `document`, if its lines are a part of a definition.
pub(crate) fn finding(document: Document<'_>) -> Option<Finding> {
    let start = document.range().start;
    let range = TextRange::at(start, MARKER.len() as TextSize);
    let root = document.root()?;
    let is_part = match root.kind() {
        ValueKind::Mapping(root) if has(root, &[API_VERSION, KIND]) => false,
        // The lines are indented, so they belong to a line above the marker.
        ValueKind::Mapping(root) if root.column() > Some(0) => has(root, &FIELDS) || holds_schemas(root),
        ValueKind::Mapping(_) => holds_spec(root),
        ValueKind::Sequence(list) if list.column() > Some(0) => list
            .items()
            .next()
            .and_then(|item| item.value().as_mapping())
            .is_some_and(|item| has(item, &FIELDS)),
        _ => false,
    };
    let line = TextRange::new(start, document.range().end.min(start + MOST_OF_LINE));
    let is_marked = || line_of(document.syntax(), line).trim_end() == MARKER;
    (is_part && is_marked()).then(|| Finding {
        code: Code::ResourceUnknownKind,
        // No API server accepts an object without these fields.
        severity: Severity::Error,
        message: Message::new("`---` begins an object without `apiVersion` and `kind`")
            .advise("remove the `---`, which divides the definition"),
        range,
        field_path: FieldPath::root(),
        api_server: None,
        related: Vec::new(),
    })
}

/// Whether `mapping` has one of `names`.
fn has(mapping: Mapping<'_>, names: &[&str]) -> bool {
    let is_it = |entry: Entry<'_>| entry.key_text().is_some_and(|key| names.contains(&&*key));
    mapping.entries().take(MOST_KEYS).any(is_it)
}

/// Whether all values of `mapping` are schemas, as those of properties.
fn holds_schemas(mapping: Mapping<'_>) -> bool {
    let is_type = |entry: Entry<'_>| {
        let name = entry.value().as_scalar().filter(|_| entry.key_text().is_some_and(|key| key == "type"));
        name.is_some_and(|name| TYPES.contains(&&*name.text()))
    };
    let is_schema = |entry: Entry<'_>| {
        entry.value().as_mapping().is_some_and(|schema| schema.entries().take(MOST_KEYS).any(is_type))
    };
    let mut entries = mapping.entries().take(MOST_KEYS);
    entries.next().is_some_and(is_schema) && entries.all(is_schema)
}

/// Whether the `spec` of `root` has the fields that only definitions have.
fn holds_spec(root: Value<'_>) -> bool {
    let spec = own_entry(root, SPEC).map(Entry::value);
    spec.is_some_and(|spec| OF_SPEC.iter().all(|name| own_entry(spec, name).is_some()))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use crate::marked_texts::WIDGET;
    use crate::{File, Settings, Severity};

    #[test]
    fn a_marker_within_a_definition_is_a_finding_and_is_removed() {
        for line in [
            "  names:\n",
            "        properties:\n          spec",
            "    subresources:\n",
            "    schema:\n",
            "spec:\n  group",
            "metadata:\n",
            "          status:\n",
            "  - name: v1\n",
        ] {
            let text = WIDGET.replacen(line, &format!("---\n{line}"), 1);
            assert_ne!(text, WIDGET, "{line}");
            let file = File::new(&text, &Settings::default());
            let found = file.grouped().findings;
            let marker = found.iter().find(|one| text.get(one.range.as_usize()) == Some("---")).unwrap();
            let fixes = file.fixes(marker.range);
            let repaired: Vec<String> = fixes.iter().map(|fix| text::applied(&text, 0, &fix.edits)).collect();
            assert_eq!(repaired.first().map(String::as_str), Some(WIDGET), "{line}: {fixes:#?}");
        }
    }

    #[test]
    fn other_documents_without_a_kind_have_no_such_finding() {
        for text in
            ["---\n  a: 1\n", "---\nspec:\n  names: {}\n", "---\n  apiVersion: v1\n  kind: A\n  names: a\n"]
        {
            let file = File::new(text, &Settings::default());
            let found = file.grouped().findings;
            assert!(found.iter().all(|one| one.severity > Severity::Warning), "{text}: {found:#?}");
        }
    }
}
