//! Definitions of a live cluster: a server on loopback that answers as kube-apiserver does. Built with the feature
//! `cluster` only.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod support {
    pub(crate) mod client;
    pub(crate) mod widgets;
}

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::thread;

use serde_json::{Value, json};
use support::client::Client;
use support::widgets::widget;
use tempfile::TempDir;

const CR: &str = "file:///nowhere/cr.yaml";

/// The definition of widgets as a cluster lists it: without type, with what only the cluster needs.
fn item(name: &str, kind: &str) -> Value {
    let size = json!({"type": "integer", "minimum": 1});
    let spec = json!({"type": "object", "properties": {"size": size}});
    let schema = json!({"openAPIV3Schema": {"type": "object", "properties": {"spec": spec}}});
    json!({
        "metadata": {"name": name, "uid": "1", "managedFields": []},
        "spec": {
            "group": "example.com", "scope": "Namespaced", "names": {"plural": "widgets", "kind": kind},
            "versions": [{"name": "v1", "served": true, "storage": true, "schema": schema}]
        },
        "status": {"storedVersions": ["v1"]}
    })
}

/// A server of two pages of definitions; the address, and what it was asked.
fn api_server() -> (String, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let asked = Arc::new(Mutex::new(Vec::new()));
    let asked_here = Arc::clone(&asked);
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let lines = BufReader::new(stream.try_clone().unwrap()).lines();
            let head: Vec<String> = lines.map(Result::unwrap).take_while(|line| !line.is_empty()).collect();
            let Some(request) = head.first().cloned() else { continue };
            let page = if request.contains("continue=more") {
                json!({"metadata": {}, "items": [item("widgets.example.com", "Widget")]})
            } else {
                json!({"metadata": {"continue": "more"}, "items": [item("gadgets.example.com", "Gadget")]})
            };
            asked_here.lock().unwrap().push(request);
            let body = page.to_string();
            let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close";
            write!(stream, "{head}\r\nContent-Length: {}\r\n\r\n{body}", body.len()).unwrap();
        }
    });
    (address, asked)
}

/// A kubeconfig with the contexts `up`, of the server at `address`, and `down`, of none.
fn kubeconfig(directory: &TempDir, address: &str) -> PathBuf {
    let path = directory.path().join("config");
    let text = format!(
        "apiVersion: v1\nkind: Config\ncurrent-context: down\nusers: [{{name: user, user: {{}}}}]\nclusters:\n\
         - {{name: up, cluster: {{server: \"http://{address}\"}}}}\n\
         - {{name: down, cluster: {{server: \"http://127.0.0.1:1\"}}}}\ncontexts:\n\
         - {{name: up, context: {{cluster: up, user: user}}}}\n\
         - {{name: down, context: {{cluster: down, user: user}}}}\n"
    );
    fs::write(&path, text).unwrap();
    path
}

fn client(kubeconfig: &Path, options: Value) -> Client {
    let mut client = Client::start_with("KUBECONFIG", kubeconfig);
    client.ask(
        "initialize",
        json!({"processId": null, "rootUri": null, "capabilities": {}, "initializationOptions": options}),
    );
    client.notify("initialized", json!({}));
    client.open_as(CR, "yaml", &widget("0"));
    client
}

fn expect_codes(client: &mut Client, expected: &[&str]) {
    client.wait_for(&format!("{expected:?}"), |message| {
        let codes = message["params"]["diagnostics"].as_array();
        codes.is_some_and(|all| all.iter().map(|one| &one["code"]).eq(expected.iter()))
    });
}

#[test]
fn a_cluster_is_asked_once_and_only_to_read() {
    let directory = tempfile::tempdir().unwrap();
    let (address, asked) = api_server();
    let config = kubeconfig(&directory, &address);
    let mut client = client(&config, json!({"cluster": {"enabled": true, "context": "up"}}));
    expect_codes(&mut client, &["resource/bounds"]);
    let requests = asked.lock().unwrap().clone();
    let path = "GET /apis/apiextensions.k8s.io/v1/customresourcedefinitions?";
    assert!(requests.len() == 2 && requests.iter().all(|line| line.starts_with(path)), "{requests:?}");
    // What is switched off is forgotten.
    let settings = json!({"settings": {"crd-ls": {"cluster": {"enabled": false}}}});
    client.notify("workspace/didChangeConfiguration", settings);
    expect_codes(&mut client, &[]);
}

#[test]
fn nothing_is_asked_unless_the_setting_says_so() {
    let directory = tempfile::tempdir().unwrap();
    let (address, asked) = api_server();
    let config = kubeconfig(&directory, &address);
    for options in [json!({}), json!({"cluster": {"context": "up"}})] {
        let mut client = client(&config, options);
        expect_codes(&mut client, &[]);
        client.ask("shutdown", Value::Null);
    }
    assert_eq!(*asked.lock().unwrap(), [] as [String; 0]);
}

#[test]
fn a_cluster_that_does_not_answer_is_one_line_in_the_log() {
    let directory = tempfile::tempdir().unwrap();
    let config = kubeconfig(&directory, "127.0.0.1:1");
    let missing = directory.path().join("missing");
    for (config, context, words) in
        [(&config, "down", "onnect"), (&config, "other", "other"), (&missing, "up", "kubeconfig")]
    {
        let mut client = client(config, json!({"cluster": {"enabled": true, "context": context}}));
        expect_codes(&mut client, &[]);
        let logged = client.wait_for("the line", |message| message["method"] == "window/logMessage");
        let line = logged["params"]["message"].as_str().unwrap().to_owned();
        assert!(line.starts_with("no definitions of a cluster: ") && line.contains(words), "{line}");
        assert!(client.so_far("window/showMessage").is_empty());
    }
}
