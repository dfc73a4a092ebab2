//! Findings in files that are not open: they follow the definitions in the editor. On the real program.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

mod support {
    pub(crate) mod client;
    pub(crate) mod folders;
    pub(crate) mod program;
    pub(crate) mod widgets;
}

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use support::client::{Client, notification};
use support::folders::{expect_codes, uri, with_folders};
use support::program::directory;
use support::widgets::{definition, widget};
use tempfile::TempDir;

const SIZE: &str = "{type: integer, maximum: 9}";
const SMALLER: &str = "{type: integer, maximum: 5}";
const TOO_LARGE: &str = "resource/bounds";

fn workspace() -> TempDir {
    directory(&[
        ("crd.yaml", definition(SIZE).as_bytes()),
        ("small.yaml", widget("3").as_bytes()),
        ("large.yaml", widget("7").as_bytes()),
        ("wrong.yaml", widget("12").as_bytes()),
        ("other.yaml", widget("12").replace("Widget", "Gadget").as_bytes()),
    ])
}

struct Workspace {
    directory: TempDir,
    client: Client,
    version: i32,
}

impl Workspace {
    /// With the definition open, once the index is complete.
    fn open(capabilities: Value) -> Self {
        let directory = workspace();
        let mut all = json!({"experimental": {"crd-ls/index": true}});
        for (name, value) in capabilities.as_object().unwrap() {
            match all.get_mut(name) {
                Some(Value::Object(known)) => known.extend(value.as_object().unwrap().clone()),
                _ => all[name] = value.clone(),
            }
        }
        let mut client = with_folders(&[directory.path()], all);
        client.wait_for("the index", |message| {
            message["method"] == "crd-ls/index" && message["params"]["isComplete"] == true
        });
        client.open_as(&uri(&directory.path().join("crd.yaml")), "yaml", &definition(SIZE));
        Self { directory, client, version: 1 }
    }

    fn uri(&self, name: &str) -> String {
        uri(&self.directory.path().join(name))
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.directory.path().join(name)
    }

    /// Edits the definition in the editor, without saving it.
    fn edit(&mut self, size: &str) {
        self.version += 1;
        let document = json!({"uri": self.uri("crd.yaml"), "version": self.version});
        let changes = json!([{"text": definition(size)}]);
        let params = json!({"textDocument": document, "contentChanges": changes});
        self.client.send(&[notification("textDocument/didChange", params)]);
    }

    fn close(&mut self, name: &str) {
        let params = json!({"textDocument": {"uri": self.uri(name)}});
        self.client.notify("textDocument/didClose", params);
    }

    fn expect(&mut self, name: &str, codes: &[&str]) {
        let uri = self.uri(name);
        expect_codes(&mut self.client, &uri, codes);
    }

    /// The files with publications since the last call, with the number of findings, once nothing is published for a
    /// while.
    fn published(&mut self) -> BTreeMap<String, usize> {
        let mut all = BTreeMap::new();
        std::thread::sleep(Duration::from_millis(900));
        for message in self.client.take("textDocument/publishDiagnostics") {
            let name = message["params"]["uri"].as_str().unwrap().rsplit('/').next().unwrap().to_owned();
            all.insert(name, message["params"]["diagnostics"].as_array().unwrap().len());
        }
        all
    }

    fn check(&mut self) -> Value {
        self.client.ask("workspace/executeCommand", json!({"command": "crd-ls.workspace.check"}))
    }

    /// The files with new reports, with the number of findings, and the results to name next time.
    fn pull(&mut self, known: &Value) -> (BTreeMap<String, usize>, Value) {
        let report = self
            .client
            .ask("workspace/diagnostic", json!({"identifier": "crd-ls", "previousResultIds": known}));
        let (mut all, mut next) = (BTreeMap::new(), Vec::new());
        for item in report["items"].as_array().unwrap() {
            let uri = item["uri"].as_str().unwrap();
            next.push(json!({"uri": uri, "value": item["resultId"]}));
            if item["kind"] == "full" {
                let name = uri.rsplit('/').next().unwrap().to_owned();
                all.insert(name, item["items"].as_array().unwrap().len());
            }
        }
        (all, json!(next))
    }
}

fn counts<const N: usize>(all: [(&str, usize); N]) -> BTreeMap<String, usize> {
    all.into_iter().map(|(name, count)| (name.to_owned(), count)).collect()
}

fn pulling() -> Value {
    json!({
        "textDocument": {"diagnostic": {}},
        "workspace": {"diagnostics": {"refreshSupport": true}},
    })
}

#[test]
fn findings_of_a_breaking_edit_are_shown_until_the_edit_is_undone() {
    let mut workspace = Workspace::open(json!({}));
    assert_eq!(workspace.published(), counts([("crd.yaml", 0)]), "opening a definition checks nothing");
    workspace.edit(SMALLER);
    workspace.expect("large.yaml", &[TOO_LARGE]);
    workspace.edit(SIZE);
    workspace.expect("large.yaml", &[]);
    assert!(!workspace.published().contains_key("other.yaml"), "it is of another kind");
}

#[test]
fn edits_without_effect_on_resources_and_unreadable_texts_check_nothing() {
    let mut workspace = Workspace::open(json!({}));
    workspace.edit(&format!("{SIZE} # a remark"));
    workspace.edit(&format!("{SIZE}\n              # further down"));
    workspace.edit("{type: integer, maximum: 5");
    assert_eq!(workspace.published().into_keys().collect::<Vec<_>>(), ["crd.yaml"]);
    workspace.edit(SMALLER);
    workspace.expect("large.yaml", &[TOO_LARGE]);
}

#[test]
fn opening_and_closing_a_file_neither_doubles_nor_loses_its_findings() {
    let mut workspace = Workspace::open(json!({}));
    workspace.edit(SMALLER);
    workspace.expect("large.yaml", &[TOO_LARGE]);
    workspace.published();

    let uri = workspace.uri("large.yaml");
    workspace.client.open_as(&uri, "yaml", &widget("4"));
    assert_eq!(
        workspace.published(),
        counts([("large.yaml", 0)]),
        "the findings of the buffer replace those of the file"
    );
    // The typed text is not saved.
    workspace.close("large.yaml");
    workspace.expect("large.yaml", &[TOO_LARGE]);

    let uri = workspace.uri("other.yaml");
    workspace.client.open_as(&uri, "yaml", "apiVersion: v1\nkind: [\n");
    workspace.published();
    workspace.close("other.yaml");
    assert_eq!(workspace.published(), counts([("other.yaml", 0)]), "nobody has asked for this one");
}

#[test]
fn files_that_change_on_the_disk_are_checked_again() {
    let watching = json!({"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": true}}});
    let mut workspace = Workspace::open(watching);
    workspace.edit(SMALLER);
    workspace.expect("large.yaml", &[TOO_LARGE]);
    let changed = |workspace: &mut Workspace, name: &str| {
        let changes = json!([{"uri": workspace.uri(name), "type": 2}]);
        workspace.client.notify("workspace/didChangeWatchedFiles", json!({"changes": changes}));
    };
    fs::write(workspace.path("large.yaml"), widget("5")).unwrap();
    changed(&mut workspace, "large.yaml");
    workspace.expect("large.yaml", &[]);
    fs::write(workspace.path("new.yaml"), widget("6")).unwrap();
    changed(&mut workspace, "new.yaml");
    workspace.expect("new.yaml", &[TOO_LARGE]);
    fs::remove_file(workspace.path("new.yaml")).unwrap();
    changed(&mut workspace, "new.yaml");
    workspace.expect("new.yaml", &[]);
    // A definition that another program saves has the same effect as one that is edited here.
    fs::write(workspace.path("crd.yaml"), definition("{type: string}")).unwrap();
    workspace.close("crd.yaml");
    changed(&mut workspace, "crd.yaml");
    workspace.expect("small.yaml", &["resource/type"]);
}

#[test]
fn the_whole_workspace_is_checked_on_demand_and_stays_up_to_date() {
    let mut workspace = Workspace::open(json!({}));
    assert_eq!(workspace.check(), json!({"findings": 1}));
    assert_eq!(workspace.published(), counts([("crd.yaml", 0), ("wrong.yaml", 1)]));
    workspace.edit(SMALLER);
    workspace.expect("large.yaml", &[TOO_LARGE]);
    assert_eq!(workspace.check(), json!({"findings": 2}));
    workspace.edit("{type: integer}");
    workspace.expect("wrong.yaml", &[]);
    assert_eq!(workspace.check(), json!({"findings": 0}));
}

#[test]
fn clients_that_pull_get_the_same_findings_and_are_asked_to_pull_again() {
    let mut workspace = Workspace::open(pulling());
    // This is answered once the open definition is analysed; an earlier report on the workspace cannot contain it.
    let open = json!({"textDocument": {"uri": workspace.uri("crd.yaml")}});
    workspace.client.ask("textDocument/diagnostic", open);
    let (found, known) = workspace.pull(&json!([]));
    assert_eq!(found, counts([("crd.yaml", 0), ("wrong.yaml", 1)]));
    let (found, known) = workspace.pull(&known);
    assert_eq!(found, BTreeMap::new(), "nothing is new");
    workspace.client.take("workspace/diagnostic/refresh");
    workspace.edit(SMALLER);
    workspace.client.receive("workspace/diagnostic/refresh");
    let deadline = Instant::now() + Duration::from_secs(20);
    let mut last = workspace.pull(&known);
    while !last.0.contains_key("large.yaml") {
        assert!(Instant::now() < deadline, "{last:?}");
        last = workspace.pull(&known);
    }
    assert_eq!(last.0.get("large.yaml"), Some(&1));
    workspace.edit(SIZE);
    while last.0.get("large.yaml") != Some(&0) {
        assert!(Instant::now() < deadline, "{last:?}");
        let known = last.1.clone();
        last = workspace.pull(&known);
    }
    assert_eq!(
        workspace.published(),
        BTreeMap::new(),
        "nothing is published to a client that pulls diagnostics"
    );
}

#[test]
fn a_client_without_workspace_pulls_gets_published_findings() {
    let mut capabilities = pulling();
    capabilities["experimental"] = json!({"crd-ls/publishesClosed": true});
    let mut workspace = Workspace::open(capabilities);
    workspace.edit(SMALLER);
    workspace.expect("large.yaml", &[TOO_LARGE]);
    assert_eq!(workspace.check(), json!({"findings": 2}));
    let large = workspace.uri("large.yaml");
    workspace.client.open_as(&large, "yaml", &widget("7"));
    workspace.expect("large.yaml", &[]);
    let pulled = workspace.client.ask("textDocument/diagnostic", json!({"textDocument": {"uri": large}}));
    assert_eq!(pulled["items"].as_array().unwrap().len(), 1);
    workspace.close("large.yaml");
    workspace.expect("large.yaml", &[TOO_LARGE]);
    assert!(Path::new(&workspace.path("large.yaml")).exists());
}
