//! Definitions of a live cluster: a server on loopback that answers as kube-apiserver does. Built with the feature
//! `cluster` only.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

#[path = "support/beside.rs"]
mod beside;

mod support {
    pub(crate) mod client;
    pub(crate) mod widgets;
}

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};
use support::client::Client;
use support::widgets::{definition, widget};
use tempfile::TempDir;

/// The authorization in requests of the user of [`kubeconfig`].
const SIGNED_IN: &str = "Bearer open-sesame";
const CR: &str = "file:///nowhere/cr.yaml";

/// The definition of widgets as a cluster lists it: without type, and with fields that only the cluster needs.
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

/// A widget with that size, as a cluster lists it.
fn widget_of(name: &str, size: u32) -> Value {
    let metadata = json!({"name": name, "namespace": "default", "uid": name});
    json!({"apiVersion": "example.com/v1", "kind": "Widget", "metadata": metadata, "spec": {"size": size}})
}

/// The answer of a cluster to a request: two pages of definitions, and three of widgets; the list changes before the last one.
fn answer(request: &str) -> (&'static str, Value) {
    let after = request.split_once("continue=").map(|(_, token)| token.split(['&', ' ']).next().unwrap());
    let page = |next: &str, items: Value| json!({"metadata": {"continue": next}, "items": items});
    let is_of = |path: &str| request.starts_with(&format!("GET {path}"));
    if is_of("/version ") {
        ("200 OK", json!({"major": "1", "minor": "33+"}))
    } else if is_of("/apis/apiextensions.k8s.io/v1/customresourcedefinitions?") {
        match after {
            None => ("200 OK", page("more", json!([item("gadgets.example.com", "Gadget")]))),
            Some(_) => ("200 OK", page("", json!([item("widgets.example.com", "Widget")]))),
        }
    } else if is_of("/apis/example.com/v1/widgets?") {
        match after {
            None => ("200 OK", page("second", json!([widget_of("one", 1), widget_of("nine", 9)]))),
            Some("second") => ("200 OK", page("third", json!([widget_of("two", 2)]))),
            Some("third") => {
                let metadata = json!({"continue": "later"});
                let status = json!({"kind": "Status", "status": "Failure", "code": 410, "reason": "Expired", "metadata": metadata});
                ("410 Gone", status)
            }
            Some(_) => ("200 OK", page("", json!([widget_of("eight", 8)]))),
        }
    } else {
        ("404 Not Found", json!({"kind": "Status", "status": "Failure", "code": 404, "reason": "NotFound"}))
    }
}

/// The server of a cluster: its address, and the requests that it gets.
fn api_server() -> (String, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let received = Arc::new(Mutex::new(Vec::new()));
    let received_here = Arc::clone(&received);
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let lines = BufReader::new(stream.try_clone().unwrap()).lines();
            let head: Vec<String> = lines.map(Result::unwrap).take_while(|line| !line.is_empty()).collect();
            let Some(request) = head.first().cloned() else { continue };
            if !head.iter().any(|line| line.eq_ignore_ascii_case(&format!("authorization: {SIGNED_IN}"))) {
                write!(stream, "HTTP/1.1 401 Unauthorized\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
                    .unwrap();
                continue;
            }
            let (status, body) = answer(&request);
            received_here.lock().unwrap().push(request);
            let body = body.to_string();
            let head = format!("HTTP/1.1 {status}\r\nContent-Type: application/json\r\nConnection: close");
            write!(stream, "{head}\r\nContent-Length: {}\r\n\r\n{body}", body.len()).unwrap();
        }
    });
    (address, received)
}

/// A kubeconfig with the contexts `up`, of the server at `address`, and `down`, of none. A program signs the user in.
fn kubeconfig(directory: &TempDir, address: &str) -> PathBuf {
    let path = directory.path().join("config");
    let credential = json!({
        "apiVersion": "client.authentication.k8s.io/v1", "kind": "ExecCredential",
        "status": {"token": "open-sesame"}
    });
    let sign_in = json!({
        "apiVersion": "client.authentication.k8s.io/v1", "interactiveMode": "Never",
        "command": "echo", "args": [credential.to_string()]
    });
    let text = format!(
        "apiVersion: v1\nkind: Config\ncurrent-context: down\nusers: [{{name: user, user: {{exec: {sign_in}}}}}]\nclusters:\n\
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
fn a_cluster_gets_each_request_once_and_only_to_read() {
    let directory = tempfile::tempdir().unwrap();
    let (address, received) = api_server();
    let config = kubeconfig(&directory, &address);
    let mut client = client(&config, json!({"cluster": {"enabled": true, "context": "up"}}));
    expect_codes(&mut client, &["resource/bounds"]);
    let requests = received.lock().unwrap().clone();
    let path = "GET /apis/apiextensions.k8s.io/v1/customresourcedefinitions?";
    assert!(requests.len() == 2 && requests.iter().all(|line| line.starts_with(path)), "{requests:?}");
    // The definitions of a cluster that is switched off are dropped.
    let settings = json!({"settings": {"crd-ls": {"cluster": {"enabled": false}}}});
    client.notify("workspace/didChangeConfiguration", settings);
    expect_codes(&mut client, &[]);
}

#[test]
fn nothing_is_requested_without_the_setting() {
    let directory = tempfile::tempdir().unwrap();
    let (address, received) = api_server();
    let config = kubeconfig(&directory, &address);
    for options in [json!({}), json!({"cluster": {"context": "up"}})] {
        let mut client = client(&config, options);
        expect_codes(&mut client, &[]);
        client.ask("shutdown", Value::Null);
    }
    assert_eq!(*received.lock().unwrap(), [] as [String; 0]);
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
        assert!(
            line.starts_with("cannot read definitions from the cluster: ") && line.contains(words),
            "{line}"
        );
        assert!(client.so_far("window/showMessage").is_empty());
    }
}

/// Runs `crd-ls rehearse` with a new definition of widgets. Returns its output and its status.
fn rehearse(directory: &TempDir, config: &Path, options: &[&str]) -> (String, String, Option<i32>) {
    let new = directory.path().join("new.yaml");
    fs::write(&new, definition("{type: integer, maximum: 5}")).unwrap();
    let ran = Command::new(env!("CARGO_BIN_EXE_crd-ls"))
        .args(["rehearse", "--new"])
        .arg(&new)
        .args(options)
        .env("KUBECONFIG", config)
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (text(ran.stdout), text(ran.stderr), ran.status.code())
}

#[test]
fn a_rehearsal_reads_the_definitions_and_all_pages_of_objects() {
    let directory = tempfile::tempdir().unwrap();
    let (address, received) = api_server();
    let config = kubeconfig(&directory, &address);
    let (out, problems, status) = rehearse(&directory, &config, &["--cluster", "--context", "up"]);
    assert_eq!(
        out,
        "# Rehearsal

4 objects: 2 valid, 2 valid while unchanged, 0 invalid, 0 with lost fields, 0 with new defaults

1. Apply the new definitions.
2. Correct objects that stay valid only as long as these fields do not change.
   - `spec.size: Invalid value: spec.size in body should be less than or equal to 5`: Widget default/nine (`9`), Widget default/eight (`8`)
     - Widget default/nine is accepted after: set `spec.size` to `1`
"
    );
    assert_eq!(
        problems,
        "widgets.example.com: the list has changed while it was read; objects that were created meanwhile may be missing\n"
    );
    assert_eq!(status, Some(1));
    let requests = received.lock().unwrap().clone();
    assert!(requests.iter().all(|line| line.starts_with("GET ")), "{requests:?}");
    assert_eq!(requests.len(), 1 + 2 + 4, "{requests:?}");
}

#[test]
fn a_rehearsal_takes_the_definitions_of_a_file_before_those_of_the_cluster() {
    let directory = tempfile::tempdir().unwrap();
    let (address, received) = api_server();
    let config = kubeconfig(&directory, &address);
    let old = directory.path().join("old.yaml");
    fs::write(&old, definition("{type: integer}")).unwrap();
    let options =
        ["--cluster", "--context", "up", "--kubernetes-version", "1.33", "--output", "json", "--old"];
    let options = [&options[..], &[old.to_str().unwrap()]].concat();
    let (out, _, status) = rehearse(&directory, &config, &options);
    let objects: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let names: Vec<&str> = objects.iter().map(|object| object["object"].as_str().unwrap()).collect();
    assert_eq!(
        names,
        ["Widget default/one", "Widget default/nine", "Widget default/two", "Widget default/eight"]
    );
    assert_eq!(objects[0]["place"], "widgets.example.com");
    assert_eq!(status, Some(1));
    let requests = received.lock().unwrap().clone();
    assert!(
        requests.iter().all(|line| line.starts_with("GET /apis/example.com/v1/widgets?")),
        "{requests:?}"
    );
}

#[test]
fn a_cluster_that_cannot_be_read_is_a_problem_of_the_rehearsal() {
    let directory = tempfile::tempdir().unwrap();
    let (address, _) = api_server();
    let config = kubeconfig(&directory, &address);
    for (context, words) in [("down", "onnect"), ("other", "other")] {
        let (_, problems, status) = rehearse(&directory, &config, &["--cluster", "--context", context]);
        assert!(problems.contains("crd-ls: --cluster: ") && problems.contains(words), "{problems}");
        assert_eq!(status, Some(2));
    }
}

/// A TLS server whose certificate is signed by the authority in `ca.pem` in `directory`, and its port; `None` without
/// openssl. It serves one page of definitions.
fn tls_server(directory: &Path) -> Option<(Child, u16)> {
    let openssl = |arguments: &str| {
        let ran = Command::new("openssl")
            .args(arguments.split(' '))
            .current_dir(directory)
            .stderr(Stdio::null())
            .status();
        ran.is_ok_and(|status| status.success())
    };
    let key = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2";
    fs::write(directory.join("name"), "subjectAltName=IP:127.0.0.1\n").unwrap();
    let is_made = openssl(&format!("req -x509 {key} -subj /CN=authority -keyout ca.key -out ca.pem"))
        && openssl(&format!("req {key} -subj /CN=server -keyout server.key -out server.csr"))
        && openssl(
            "x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile name -out server.pem",
        );
    if !is_made {
        return None;
    }
    let folder = directory.join("apis/apiextensions.k8s.io/v1");
    fs::create_dir_all(&folder).unwrap();
    let body = json!({"metadata": {}, "items": [item("widgets.example.com", "Widget")]}).to_string();
    let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close";
    let answer = format!("{head}\r\nContent-Length: {}\r\n\r\n{body}", body.len());
    fs::write(folder.join("customresourcedefinitions?&limit=20"), answer).unwrap();
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let server = Command::new("openssl")
        .args(["s_server", "-HTTP", "-quiet", "-cert", "server.pem", "-key", "server.key", "-accept"])
        .arg(format!("127.0.0.1:{port}"))
        .current_dir(directory)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        thread::sleep(Duration::from_millis(20));
    }
    Some((server, port))
}

#[test]
fn the_authority_of_the_kubeconfig_is_trusted_and_no_other() {
    let directory = tempfile::tempdir().unwrap();
    let Some((mut server, port)) = tls_server(directory.path()) else {
        beside::skipped("there is no openssl");
        return;
    };
    let config = |authority: &str| {
        let path = directory.path().join("config");
        let cluster =
            json!({"server": format!("https://127.0.0.1:{port}"), "certificate-authority": authority});
        let text = json!({
            "apiVersion": "v1", "kind": "Config", "current-context": "up", "users": [{"name": "user", "user": {}}],
            "clusters": [{"name": "up", "cluster": cluster}],
            "contexts": [{"name": "up", "context": {"cluster": "up", "user": "user"}}]
        });
        fs::write(&path, text.to_string()).unwrap();
        path
    };
    let options = json!({"cluster": {"enabled": true}});
    let mut trusting = client(&config("ca.pem"), options.clone());
    expect_codes(&mut trusting, &["resource/bounds"]);
    let mut other = client(&config("server.pem"), options);
    let logged = other.wait_for("the line", |message| message["method"] == "window/logMessage");
    assert!(logged.to_string().contains("certificate"), "{logged}");
    server.kill().unwrap();
    server.wait().unwrap();
}
