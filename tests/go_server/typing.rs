//! Findings while a field is typed key by key: none on what the next keys complete.

use serde_json::json;

use super::Editor;
use super::editor::TYPES;

/// The last field of the open types, below which the tests type.
const LAST: &str = "\tMode Mode `json:\"mode,omitempty\"`\n";

/// The findings after each key of `typed` below the last field, each with the line that is being typed.
fn findings_while_typing(editor: &mut Editor, typed: &str) -> Vec<String> {
    let mut found = Vec::new();
    editor.edit(LAST, &format!("{LAST}\n"));
    let mut before = format!("{LAST}\n");
    for (at, key) in typed.char_indices() {
        let after = format!("{LAST}{}{key}\n", &typed[..at]);
        editor.edit(&before, &after);
        let line = after.lines().last().unwrap_or_default().to_owned();
        found.extend(editor.findings().into_iter().map(|(_, message)| format!("{line}: {message}")));
        before = after;
    }
    found
}

#[test]
fn a_field_with_markers_has_no_findings_while_it_is_typed() {
    let field = "\t// Names are names.\n\t// +listType=set\n\t// +kubebuilder:validation:items:MaxLength=5\n\
                 \t// +optional\n\tNames []string `json:\"names,omitempty\"`\n";
    let mut editor = Editor::open(TYPES);
    let found = findings_while_typing(&mut editor, field);
    // The number of a marker is the only part without which controller-gen rejects a marker.
    let others: Vec<&String> = found.iter().filter(|line| !line.contains("has no value")).collect();
    assert_eq!(others, Vec::<&String>::new());
}

#[test]
fn markers_without_a_field_are_found_after_an_edit_at_another_place() {
    let mut editor = Editor::open(TYPES);
    let typed = "\t// +listType=set\n\t// +optional";
    assert_eq!(findings_while_typing(&mut editor, typed), Vec::<String>::new());
    editor.edit("// Thing is one.", "// Thing is a thing.");
    let found: Vec<String> = editor.findings().into_iter().map(|(token, _)| token).collect();
    assert_eq!(found, ["listType", "optional"]);
}

#[test]
fn markers_without_a_field_are_found_after_the_file_is_saved() {
    let mut editor = Editor::open(TYPES);
    assert_eq!(findings_while_typing(&mut editor, "\t// +listType=set\n"), Vec::<String>::new());
    let uri = editor.types();
    std::fs::write(editor.folder.path().join("api/v1/types.go"), &editor.text).unwrap();
    editor.client.notify("workspace/didChangeWatchedFiles", json!({"changes": [{"uri": uri, "type": 2}]}));
    editor.client.wait_for("the finding", |message| {
        message["params"]["uri"] == uri && message["params"]["diagnostics"].to_string().contains("listType")
    });
}

/// The error is in the field, not in the marker of its list.
#[test]
fn a_list_of_a_type_that_follows_has_one_finding() {
    let mut editor = Editor::open(TYPES);
    let field = "\t// +listType=map\n\t// +listMapKey=name\n\tNames []Named `json:\"names\"`\n";
    editor.edit(LAST, &format!("{LAST}{field}"));
    let found: Vec<String> = editor.findings().into_iter().map(|(token, _)| token).collect();
    assert_eq!(found, ["Named"]);
}
