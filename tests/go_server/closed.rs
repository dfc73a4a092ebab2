//! Findings in Go files that are not open: in packages with an open file, and in all packages if the client asks for the
//! workspace.

use serde_json::{Value, json};

use crate::editor::{Editor, TYPES};
use crate::written::MAKEFILE;

const PARTS: &str = "package v1\n\n// +kubebuilder:validation:XValidation:rule=\"self.limit.max > 0\"\ntype Part struct {\n\tLimit Limit \
                     `json:\"limit\"`\n}\n";

/// The types with a field whose type is in another file.
fn with_parts() -> Editor {
    let limit = "\ntype Limit struct {\n\tMax int32 `json:\"max\"`\n}\n";
    let types = TYPES.replace("Mode Mode `json:\"mode,omitempty\"`", "Part Part `json:\"part\"`");
    Editor::with(&format!("{types}{limit}"), &[("api/v1/parts.go", PARTS)])
}

/// Waits for changed findings in the file that is not open, and returns their messages.
fn published_findings(editor: &mut Editor) -> Vec<String> {
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
        published_findings(&mut editor),
        ["`self.limit` has no field `max`; correct the name, or declare the field"]
    );
    editor.edit("`json:\"most\"`", "`json:\"max\"`");
    assert_eq!(published_findings(&mut editor), Vec::<String>::new(), "undone");
}

#[test]
fn opened_files_report_their_own_findings_and_closing_ends_the_check() {
    let mut editor = with_parts();
    editor.edit("`json:\"max\"`", "`json:\"most\"`");
    assert_eq!(published_findings(&mut editor).len(), 1);
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
    while published_findings(&mut editor).len() != 1 {}
    let types = editor.types();
    editor.client.notify("textDocument/didClose", json!({"textDocument": {"uri": types}}));
    while !published_findings(&mut editor).is_empty() {}
}

/// A module with a definition that is generated from types with an error.
fn generated() -> Editor {
    let types = TYPES.replace("Mode Mode", "// +kubebuilder:validation:UniqueItems=true\n\tNames []string");
    let mut editor = Editor::with(&types, &[("Makefile", MAKEFILE)]);
    let types = editor.types();
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_crd-ls"))
        .args(["generate", "./..."])
        .current_dir(editor.folder.path())
        .env("GOMODCACHE", editor.folder.path().join("none"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    editor.client.notify("textDocument/didClose", json!({"textDocument": {"uri": types}}));
    editor
}

/// The codes in the files of the workspace, once they are as expected.
fn await_workspace(editor: &mut Editor, expected: &[(&str, &[&str])]) {
    let mut last = Value::Null;
    for _ in 0..600 {
        let parameters = json!({"identifier": "crd-ls", "previousResultIds": []});
        last = editor.client.ask("workspace/diagnostic", parameters);
        let mut found: Vec<(String, Vec<String>)> = Vec::new();
        for report in last["items"].as_array().unwrap() {
            let code = |one: &Value| one["code"].as_str().unwrap().to_owned();
            let codes = report["items"].as_array().unwrap().iter().map(code).collect();
            found.push((report["uri"].as_str().unwrap().rsplit('/').next().unwrap().to_owned(), codes));
        }
        found.retain(|(_, codes)| !codes.is_empty());
        found.sort();
        let expected = expected.iter().map(|(file, codes)| {
            ((*file).to_owned(), codes.iter().map(|code| (*code).to_owned()).collect::<Vec<_>>())
        });
        if found == expected.collect::<Vec<_>>() {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    panic!("never {expected:?}: {last}");
}

/// An error is reported in Go, and not again in the file that is generated from it.
#[test]
fn a_check_of_the_workspace_includes_go_packages_without_open_files() {
    let mut editor = generated();
    await_workspace(&mut editor, &[("types.go", &["schema/unique-items"])]);
    // The text on disk is used for all files of the package.
    let path = editor.folder.path().join("api/v1/types.go");
    let types = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, types.replace("+kubebuilder:validation:UniqueItems=true", "+listType=set"))
        .unwrap();
    let uri = editor.types();
    let changes = json!({"changes": [{"uri": uri, "type": 2}]});
    editor.client.notify("workspace/didChangeWatchedFiles", changes);
    await_workspace(&mut editor, &[("a.example.com_things.yaml", &["go/stale", "schema/unique-items"])]);
}
