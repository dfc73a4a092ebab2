//! The cost of a workspace of many files, and that it does not delay the editor: open files come first, and requests are
//! answered while resources are checked again. `docs/performance.md` describes how the figures of 10,000 files are measured.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

mod support {
    pub(crate) mod beside;
    pub(crate) mod client;
    pub(crate) mod generated;
    pub(crate) mod program;
    pub(crate) mod spent;
    pub(crate) mod workspace;
}

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use support::client::{Client, change, uri};
use support::generated;
use support::spent::spent;
use support::workspace;
use tempfile::TempDir;

fn start(root: &Path) -> Client {
    let mut client = Client::start();
    let capabilities = json!({"experimental": {"crd-ls/index": true}});
    client.ask(
        "initialize",
        json!({"processId": null, "rootUri": null, "capabilities": capabilities,
            "workspaceFolders": [{"uri": uri(root), "name": "folder"}]}),
    );
    client.notify("initialized", json!({}));
    client
}

fn report(client: &Client, what: &str, since: Instant) {
    let spent = spent(client.process()).map_or_else(String::new, |(spent, _)| format!("; so far {spent}"));
    println!("{what}: {:?}{spent}", since.elapsed());
}

/// The workspace: in a temporary directory, or in the one that `CRD_LS_KEEP` names, where it is written once.
fn large(files: usize) -> (Option<TempDir>, PathBuf) {
    let kept = environment::keep();
    let directory = kept.is_none().then(|| tempfile::tempdir().unwrap());
    let root = kept.unwrap_or_else(|| directory.as_ref().unwrap().path().to_owned());
    if !root.join("d000").exists() {
        let of_what = workspace::write(&root, files);
        println!("wrote {files} files of {of_what}");
    }
    (directory, root)
}

/// Drops the file cache of the system, if it permits that.
fn forget_files() {
    let _ = std::process::Command::new("sync").status();
    match fs::write("/proc/sys/vm/drop_caches", "1") {
        Ok(()) => println!("the page cache is empty"),
        Err(problem) => println!("the page cache is as it is: {problem}"),
    }
}

fn open(client: &mut Client, path: &Path) {
    client.open_as(&uri(path), "yaml", &fs::read_to_string(path).unwrap());
}

fn lens_titles(client: &mut Client, uri: &str) -> Vec<String> {
    let lenses = client.ask("textDocument/codeLens", json!({"textDocument": {"uri": uri}}));
    let lenses = lenses.as_array().unwrap().clone();
    let title =
        |lens: Value| client.ask("codeLens/resolve", lens)["command"]["title"].as_str().unwrap().to_owned();
    lenses.into_iter().map(title).collect()
}

#[test]
fn open_files_are_analysed_before_the_index_and_lenses_show_its_state() {
    let files = environment::made_up(200);
    let (_directory, root) = large(files);
    let folder = root.join("d000");
    let [opened, resource, other] =
        ["opened.yaml", "resource.yaml", "other.yaml"].map(|name| folder.join(name));
    let own = |text: String| text.replace("example.com", "opened.example.com");
    fs::write(&opened, own(generated::single())).unwrap();
    fs::write(&resource, own(generated::resource(0))).unwrap();
    if files >= 10_000 {
        forget_files();
    }
    let since = Instant::now();
    let mut client = start(&root);
    open(&mut client, &opened);
    client.diagnostics(&uri(&opened), 1);
    report(&client, "diagnostics of the open file", since);
    // With more files, resources are not counted before the index is complete.
    let title = if files < 50_000 { "1 resource, 1 with findings" } else { "counting resources" };
    assert_eq!(lens_titles(&mut client, &uri(&opened)), [title], "before the index is complete");
    let is_complete =
        |message: &Value| message["method"] == "crd-ls/index" && message["params"]["isComplete"] == true;
    let complete = client.wait_for("the index", is_complete);
    report(&client, &format!("index of {} files with definitions", complete["params"]["files"]), since);
    assert!(complete["params"]["files"].as_u64().unwrap() as usize >= files / 10, "{complete}");

    let since = Instant::now();
    assert_eq!(lens_titles(&mut client, &uri(&opened)), ["1 resource, 1 with findings"]);
    report(&client, "a lens", since);
    fs::write(&other, own(generated::resource(1))).unwrap();
    let since = Instant::now();
    while lens_titles(&mut client, &uri(&opened)) != ["2 resources, 2 with findings"] {
        assert!(since.elapsed() < Duration::from_secs(20), "a new resource is not counted");
        std::thread::sleep(Duration::from_millis(10));
    }
    report(&client, "a lens with a new file", since);
    [opened, resource, other].iter().for_each(|path| fs::remove_file(path).unwrap());
}

#[test]
fn requests_are_answered_while_resources_are_checked_again() {
    let resources = environment::made_up(100);
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name);
    let definition = path("things.yaml");
    fs::write(&definition, generated::single()).unwrap();
    let names: Vec<PathBuf> = (0..resources).map(|number| path(&format!("thing{number:04}.yaml"))).collect();
    names.iter().enumerate().for_each(|(number, path)| fs::write(path, generated::resource(number)).unwrap());

    let mut client = start(directory.path());
    open(&mut client, &definition);
    client.diagnostics(&uri(&definition), 1);
    let since = Instant::now();
    names.iter().for_each(|path| open(&mut client, path));
    for path in &names {
        client.diagnostics(&uri(path), 1);
    }
    report(&client, &format!("{resources} resources opened"), since);
    std::thread::sleep(Duration::from_millis(300));
    client.take("textDocument/publishDiagnostics");

    // Each resource has `stringField40: 0` in two groups, which is not a string; in one group it need no longer be one.
    let text = generated::single();
    let line = text.lines().position(|line| line.trim() == "stringField40:").unwrap() as u32 + 2;
    let column = text.lines().nth(line as usize).unwrap().len() as u32;
    let edit = |client: &mut Client, version: i32, change: Value| {
        let document = json!({"uri": uri(&definition), "version": version});
        client
            .notify("textDocument/didChange", json!({"textDocument": document, "contentChanges": [change]}));
    };
    let hover =
        json!({"textDocument": {"uri": uri(&definition)}, "position": {"line": line, "character": 18}});
    let uris: BTreeSet<String> = names.iter().map(|path| uri(path)).collect();
    let before = spent(client.process());
    let since = Instant::now();
    edit(&mut client, 2, change((line, column - 6), (line, column), "integer"));
    expect_new_findings(&mut client, uris.clone(), 1, |_| {});
    report(&client, &format!("{resources} resources checked again"), since);
    if let (Some((before, _)), Some((after, _))) = (before, spent(client.process())) {
        println!("CPU of that: {:?}", after.cpu.saturating_sub(before.cpu));
    }

    let since = Instant::now();
    edit(&mut client, 3, change((line, column - 6), (line, column + 1), "string"));
    let (mut keys, mut version) = (Vec::new(), 3);
    expect_new_findings(&mut client, uris, 2, |client| {
        // A key every 30 ms: nobody types faster.
        std::thread::sleep(Duration::from_millis(30));
        let pressed = Instant::now();
        version += 1;
        edit(client, version, change((line - 1, 30), (line - 1, 30), "x"));
        client.ask("textDocument/hover", hover.clone());
        client.diagnostics(&uri(&definition), version);
        keys.push(pressed.elapsed());
    });
    println!("with keys pressed meanwhile: {:?}, the keys: {keys:?}", since.elapsed());
}

/// Waits until each of `uris` was published with this number of `findings`, and calls `meanwhile` repeatedly until then.
fn expect_new_findings(
    client: &mut Client,
    mut uris: BTreeSet<String>,
    findings: usize,
    mut meanwhile: impl FnMut(&mut Client),
) {
    const METHOD: &str = "textDocument/publishDiagnostics";
    let since = Instant::now();
    while !uris.is_empty() {
        meanwhile(client);
        let message = client.receive(METHOD);
        for message in std::iter::once(message).chain(client.take(METHOD)) {
            if message["params"]["diagnostics"].as_array().unwrap().len() == findings {
                uris.remove(message["params"]["uri"].as_str().unwrap());
            }
        }
        assert!(since.elapsed() < Duration::from_secs(20), "{} resources are not checked again", uris.len());
    }
}
