//! Rules of types that no kind uses yet, because users write a type before the field that has it.

use crate::editor::{Editor, TYPES};

/// The types with one that no field uses.
fn with_part() -> Editor {
    let part = "\n// +kubebuilder:validation:XValidation:rule=\"self.weight > self.limit\"\ntype Part struct {\n\tWeight int32 \
                `json:\"weight\"`\n\n\tName string `json:\"name\"`\n}\n";
    Editor::open(&format!("{TYPES}{part}"))
}

#[test]
fn errors_of_rules_are_reported_and_removed_with_their_cause() {
    let mut editor = with_part();
    let expected = || {
        [(
            "limit".to_owned(),
            "`self` has no field `limit`; correct the name, or declare the field".to_owned(),
        )]
    };
    assert_eq!(editor.findings(), expected());
    editor.edit("Mode Mode `json:\"mode,omitempty\"`", "Part Part `json:\"part\"`");
    assert_eq!(editor.findings(), expected(), "once, also where a kind has it");
    editor.edit("Part Part `json:\"part\"`", "Mode Mode `json:\"mode,omitempty\"`");
    assert_eq!(editor.findings(), expected());
    editor.edit("self.limit", "0");
    assert_eq!(editor.findings(), []);
}

#[test]
fn requests_on_rules_are_answered() {
    let mut editor = with_part();
    let hover = editor.hover("self.wei");
    assert!(hover.contains("**`Part.weight`**: `integer (int32)`"), "{hover}");
    let found = editor.ask("textDocument/definition", "self.wei");
    assert_eq!(editor.at(&found["range"]), "weight");
    editor.edit("self.weight > self.limit", "0 < self.");
    let labels = editor.labels("0 < self.");
    assert!(labels.contains(&"weight".to_owned()) && labels.contains(&"name".to_owned()), "{labels:?}");
}

/// The output for such types is not used as a definition.
#[test]
fn types_without_kinds_have_no_other_findings() {
    let mut editor = with_part();
    editor.edit("self.limit", "0");
    assert_eq!(editor.findings(), []);
    let shown = editor.execute("crd-ls.preview.generated", serde_json::json!({}));
    let text = shown.to_string();
    assert!(text.contains("kind: Thing") && !text.contains("Root"), "{text}");
}
