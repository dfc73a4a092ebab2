//! Findings in Go files that are not open, of packages of which one is.

use serde_json::{Value, json};

use crate::editor::{Editor, TYPES};

const PARTS: &str = "package v1\n\n// +kubebuilder:validation:XValidation:rule=\"self.limit.max > 0\"\ntype Part struct {\n\tLimit Limit \
                     `json:\"limit\"`\n}\n";

/// The types with one that is the field of a type in another file.
fn with_parts() -> Editor {
    let limit = "\ntype Limit struct {\n\tMax int32 `json:\"max\"`\n}\n";
    let types = TYPES.replace("Mode Mode `json:\"mode,omitempty\"`", "Part Part `json:\"part\"`");
    Editor::with(&format!("{types}{limit}"), &[("api/v1/parts.go", PARTS)])
}

/// Waits for other findings in the file that is not open: their messages.
fn told(editor: &mut Editor) -> Vec<String> {
    let uri = editor.uri("api/v1/parts.go");
    let published = editor.client.wait_for("findings of parts.go", |message| {
        message["method"] == "textDocument/publishDiagnostics" && message["params"]["uri"] == uri
    });
    let found = published["params"]["diagnostics"].as_array().unwrap().clone();
    let first_line = |one: &Value| one["message"].as_str().unwrap().lines().next().unwrap().to_owned();
    found.iter().map(first_line).collect()
}

#[test]
fn an_edit_shows_what_it_breaks_in_a_file_that_is_not_open() {
    let mut editor = with_parts();
    assert_eq!(editor.findings(), []);
    editor.edit("`json:\"max\"`", "`json:\"most\"`");
    assert_eq!(editor.findings(), []);
    assert_eq!(
        told(&mut editor),
        ["`self.limit` has no field `max`; correct the name, or declare the field"]
    );
    editor.edit("`json:\"most\"`", "`json:\"max\"`");
    assert_eq!(told(&mut editor), Vec::<String>::new(), "undone");
}

#[test]
fn what_is_opened_speaks_for_itself_and_what_is_closed_ends_it() {
    let mut editor = with_parts();
    editor.edit("`json:\"max\"`", "`json:\"most\"`");
    assert_eq!(told(&mut editor).len(), 1);
    let uri = editor.uri("api/v1/parts.go");
    editor.client.open_as(&uri, "go", PARTS);
    let with_version = |client: &mut crate::client::Client| {
        client.wait_for("findings of the open file", |message| {
            message["params"]["uri"] == uri && message["params"]["version"] != Value::Null
        })
    };
    let found = with_version(&mut editor.client);
    assert_eq!(found["params"]["diagnostics"].as_array().unwrap().len(), 1);
    editor.client.notify("textDocument/didClose", json!({"textDocument": {"uri": uri}}));
    while told(&mut editor).len() != 1 {}
    let types = editor.types();
    editor.client.notify("textDocument/didClose", json!({"textDocument": {"uri": types}}));
    while !told(&mut editor).is_empty() {}
}
