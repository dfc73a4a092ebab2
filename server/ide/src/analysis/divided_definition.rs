//! Definitions that a `---` among their lines divides: the lines below it are a document without `apiVersion` and
//! `kind`.

use api::Code;
use crd::{FieldPath, Message};
use text::{TextRange, TextSize};
use yaml::{Document, Entry};

use crate::analysis::text_at::line_of;
use crate::analysis::unidentified::{API_VERSION, KIND};
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
/// The maximum number of keys that are read.
const MOST_KEYS: usize = 24;

/// The finding on the marker of `document`, if its lines are a part of a definition. They are indented, so they belong
/// to a line above the marker.
pub(crate) fn finding(document: Document<'_>) -> Option<Finding> {
    let start = document.range().start;
    let range = TextRange::at(start, MARKER.len() as TextSize);
    let root = document.root()?.as_mapping().filter(|root| root.column() > Some(0))?;
    if line_of(document.syntax(), document.range()).trim_end() != MARKER {
        return None;
    }
    let has = |names: &[&str]| {
        let is_it = |entry: Entry<'_>| entry.key_text().is_some_and(|key| names.contains(&&*key));
        root.entries().take(MOST_KEYS).any(is_it)
    };
    (has(&FIELDS) && !has(&[API_VERSION, KIND])).then(|| Finding {
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use crate::marked_texts::WIDGET;
    use crate::{File, Settings, Severity};

    #[test]
    fn a_marker_within_a_definition_is_a_finding_and_is_removed() {
        for line in
            ["  names:\n", "        properties:\n          spec", "    subresources:\n", "    schema:\n"]
        {
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
