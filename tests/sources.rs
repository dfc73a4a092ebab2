//! Further sources of schemas besides definitions in files, and the files in real directories, on the real program.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

mod support {
    pub(crate) mod client;
    pub(crate) mod folders;
    pub(crate) mod program;
    pub(crate) mod widgets;
}

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use support::client::Client;
use support::folders::{expect_codes, in_folders, uri};
use support::program::{directory, json_of, run, status, stderr, stdout};
use support::widgets::{definition, widget};
use tempfile::TempDir;

const SIZE: &str = "{type: integer, minimum: 1, description: how large, x-kubernetes-validations: [{rule: self != 7, message: no seven}]}";

/// The code, message, range and server message of each finding.
fn findings(directory: &Path, arguments: &[&str]) -> Vec<[Value; 4]> {
    let output = run(directory, &[&["check", "--output", "json"], arguments].concat());
    let files = json_of(&output)["files"].as_array().unwrap().clone();
    let all = files.iter().flat_map(|file| file["diagnostics"].as_array().unwrap().clone());
    all.map(|one| ["code", "message", "range", "apiServer"].map(|key| one[key].clone())).collect()
}

/// A directory with a definition in `crds`, its published document in `dump`, and these `files`.
fn published(files: &[(&str, &[u8])]) -> TempDir {
    let directory = directory(files);
    fs::create_dir(directory.path().join("crds")).unwrap();
    fs::create_dir_all(directory.path().join("dump")).unwrap();
    fs::write(directory.path().join("crds/crd.yaml"), definition(SIZE)).unwrap();
    let output = run(directory.path(), &["openapi", "--group-version", "example.com/v1", "crds"]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    fs::write(directory.path().join("dump/v1.json"), output.stdout).unwrap();
    directory
}

#[test]
fn a_published_document_validates_like_its_definition() {
    let wrong = [
        widget("x"),
        widget("0"),
        widget("7"),
        widget("1") + "  siez: 2\nstatus: {}\n",
        widget("1").replace("one", "One"),
        widget("1").replace("name: one", "nmae: one"),
    ];
    let wrong = wrong.join("---\n");
    let directory = published(&[("cr.yaml", wrong.as_bytes())]);
    let expected = findings(directory.path(), &["--crd", "crds", "cr.yaml"]);
    let codes: Vec<&str> = expected.iter().map(|[code, ..]| code.as_str().unwrap()).collect();
    assert!(codes.len() >= 7 && codes.contains(&"resource/rule"), "{codes:?}");
    assert_eq!(findings(directory.path(), &["--crd", "dump/v1.json", "cr.yaml"]), expected);
    // In one line, as `kubectl get --raw` writes it.
    let document: Value =
        serde_json::from_slice(&fs::read(directory.path().join("dump/v1.json")).unwrap()).unwrap();
    fs::write(directory.path().join("dump/v1.json"), document.to_string()).unwrap();
    assert_eq!(findings(directory.path(), &["--crd", "dump", "cr.yaml"]), expected);
    let human = stdout(&run(directory.path(), &["check", "--crd", "dump", "cr.yaml"]));
    assert!(human.contains("dump/v1.json:1: required by this `minimum`"), "{human}");
}

#[test]
fn a_definition_takes_precedence_over_a_published_document() {
    let cr = widget("0");
    let other = definition("{type: string}");
    let directory = published(&[("far/away/crd.yaml", other.as_bytes()), ("dump/cr.yaml", cr.as_bytes())]);
    let codes = |arguments: &[&str]| {
        let all = findings(directory.path(), arguments).into_iter();
        all.map(|[code, ..]| code.as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(codes(&["dump"]), ["resource/bounds"]);
    // A difference between them is not a finding: the definition may not be applied yet.
    assert_eq!(codes(&["dump", "far"]), ["resource/type"]);
    // A version that is missing from the published document is not checked.
    fs::write(directory.path().join("dump/cr.yaml"), cr.replace("/v1", "/v2")).unwrap();
    assert_eq!(codes(&["dump"]), [] as [String; 0]);
}

#[test]
fn kinds_of_other_servers_are_not_validated() {
    let document = |name: &str, schema: Value| {
        json!({"openapi": "3.0.0", "paths": {}, "components": {"schemas": {name: schema}}}).to_string()
    };
    let identity = json!([{"group": "example.com", "version": "v1", "kind": "Widget"}]);
    let spec = json!({"type": "object", "properties": {"size": {"type": "string"}}});
    let own =
        json!({"type": "object", "properties": {"spec": spec}, "x-kubernetes-group-version-kind": identity});
    let mut typed = own.clone();
    typed["properties"]["spec"] = json!({"$ref": "#/components/schemas/com.example.v1.WidgetSpec"});
    for (name, schema, expected) in [
        ("com.example.v1.Widget", own.clone(), 1),
        ("com.example.v1.Widget", typed, 0),
        ("com.example.pkg.api.v1.Widget", own, 0),
    ] {
        let document = document(name, schema);
        let directory = directory(&[("dump.json", document.as_bytes()), ("cr.yaml", widget("1").as_bytes())]);
        assert_eq!(findings(directory.path(), &["."]).len(), expected, "{document}");
    }
}

#[test]
fn an_editor_reads_a_published_document_of_the_workspace() {
    let directory = published(&[]);
    fs::remove_dir_all(directory.path().join("crds")).unwrap();
    let mut client = in_folders(Client::start(), &[directory.path()], json!({}), Value::Null);
    let cr = uri(&directory.path().join("cr.yaml"));
    client.open_as(&cr, "yaml", &widget("7"));
    expect_codes(&mut client, &cr, &["resource/rule"]);
    let at = json!({"textDocument": {"uri": cr}, "position": {"line": 4, "character": 3}});
    let hover = client.ask("textDocument/hover", at.clone());
    let hover = hover["contents"]["value"].as_str().unwrap().to_owned();
    assert!(hover.contains("how large") && hover.contains("integer ≥ 1"), "{hover}");
    let definition = client.ask("textDocument/definition", at).to_string();
    assert!(definition.contains("dump/v1.json"), "{definition}");
    let completed = client.ask(
        "textDocument/completion",
        json!({"textDocument": {"uri": cr}, "position": {"line": 4, "character": 2}}),
    );
    assert!(completed.to_string().contains("\"size"), "{completed}");
}

/// A directory with irregular files, as in practice, and with a definition that has errors and a sample of it.
#[cfg(unix)]
fn as_real_ones_are() -> TempDir {
    let faulty = definition("{type: integer, minimum: 1, maxLenght: x, items: [1]}") + "  extra: [\n";
    let directory = directory(&[
        ("crd.yaml", faulty.as_bytes()),
        ("cr.yaml", widget("0").as_bytes()),
        ("binary.yaml", b"\x7fELF\0CustomResourceDefinition\0"),
        ("latin.yaml", b"# CustomResourceDefinition \xff"),
        ("utf16.yaml", b"\xff\xfea\0:\0 \x001\0"),
        ("half.json", br#"{"openapi": "3.0.0", "x-kubernetes-group-version-kind": {"components": "#),
        ("folder.yaml/inner.yaml", b"a: 1\n"),
    ]);
    let root = directory.path();
    std::os::unix::fs::symlink(root, root.join("loop")).unwrap();
    std::os::unix::fs::symlink(root.join("self.yaml"), root.join("self.yaml")).unwrap();
    std::os::unix::fs::symlink(root.join("nowhere"), root.join("gone.yaml")).unwrap();
    std::os::unix::net::UnixListener::bind(root.join("socket.yaml")).unwrap();
    fs::File::create(root.join("data.yaml")).unwrap().set_len(100 * 1024 * 1024).unwrap();
    directory
}

#[test]
#[cfg(unix)]
fn a_directory_with_every_kind_of_unreadable_file_is_checked() {
    let directory = as_real_ones_are();
    let output = run(directory.path(), &["check", "--output", "json", "."]);
    let files = json_of(&output)["files"].as_array().unwrap().clone();
    let texts = |name: &str, key: &str| {
        let file = files.iter().find(|file| file["path"] == format!("./{name}"));
        let found = file.map(|file| file["diagnostics"].as_array().unwrap().clone()).unwrap_or_default();
        found.iter().map(|one| one[key].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let codes = |name: &str| texts(name, "code");
    assert_eq!(codes("cr.yaml"), ["resource/bounds"], "what is right in a faulty definition serves");
    assert!(codes("crd.yaml").contains(&"yaml/unclosed".to_owned()), "{:?}", codes("crd.yaml"));
    assert_eq!(codes("binary.yaml"), ["file/not-utf8"]);
    assert_eq!(codes("latin.yaml"), ["file/not-utf8"]);
    assert_eq!(codes("utf16.yaml"), ["file/not-utf8"]);
    assert_eq!(texts("utf16.yaml", "message"), ["the file is UTF-16; it is not checked; save it as UTF-8"]);
    assert_eq!(codes("data.yaml"), ["file/too-large"]);
    let paths: Vec<&str> = files.iter().map(|file| file["path"].as_str().unwrap()).collect();
    for other in ["loop", "self.yaml", "gone.yaml", "socket.yaml"] {
        assert!(!paths.iter().any(|path| path.contains(other)), "{other} in {paths:?}");
    }
}

#[test]
#[cfg(unix)]
fn unreadable_named_definitions_are_reported() {
    let directory = as_real_ones_are();
    for name in ["gone.yaml", "self.yaml", "nowhere.yaml"] {
        let output = run(directory.path(), &["check", name]);
        assert_eq!(status(&output), 2, "{name}");
        assert!(stderr(&output).contains(name), "{name}: {}", stderr(&output));
    }
}
