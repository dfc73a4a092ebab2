//! A language client that talks to the real program over stdio, and in which tests control reads and answers.

// Each test program uses a part of it.
#![allow(dead_code)]

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tower_lsp::ls_types::Uri;

/// The maximum time to wait, long enough for a busy machine; a test that waits longer has failed.
const PATIENCE: Duration = Duration::from_secs(20);

/// The document that most tests use.
pub(crate) const URI: &str = "file:///work/crd.yaml";

/// The program and the conversation with it.
pub(crate) struct Client {
    child: Child,
    stdin: Option<ChildStdin>,
    received: Receiver<Value>,
    /// Messages that no test has waited for yet, in order.
    unread: VecDeque<Value>,
    next_id: i64,
}

impl Client {
    /// Starts the server and sends nothing.
    pub(crate) fn start() -> Self {
        Self::of(spawn())
    }

    /// The same, with an environment variable.
    pub(crate) fn start_with(name: &str, value: &Path) -> Self {
        Self::of(command().env(name, value).spawn().unwrap())
    }

    /// The same, with further arguments.
    pub(crate) fn start_as(arguments: &[&str]) -> Self {
        Self::of(command().args(arguments).spawn().unwrap())
    }

    fn of(mut child: Child) -> Self {
        let stdout = child.stdout.take().unwrap();
        let (sender, received) = channel();
        thread::spawn(move || {
            let mut stdout = BufReader::new(stdout);
            while let Some(message) = read(&mut stdout) {
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        let stdin = child.stdin.take();
        Self { child, stdin, received, unread: VecDeque::new(), next_id: 1 }
    }

    /// Starts the server and initializes it for a client with these capabilities. Also returns the answer to `initialize`.
    pub(crate) fn initialized(capabilities: Value) -> (Self, Value) {
        let mut client = Self::start();
        let params = json!({"processId": null, "rootUri": null, "capabilities": capabilities});
        let result = client.ask("initialize", params);
        client.notify("initialized", json!({}));
        (client, result)
    }

    /// Sends messages in a single write.
    pub(crate) fn send(&mut self, messages: &[Value]) {
        let bytes: Vec<u8> = messages.iter().flat_map(framed).collect();
        self.stdin.as_mut().unwrap().write_all(&bytes).unwrap();
    }

    /// Sends bytes that need not be a message.
    pub(crate) fn send_raw(&mut self, bytes: &[u8]) {
        self.stdin.as_mut().unwrap().write_all(bytes).unwrap();
    }

    pub(crate) fn notify(&mut self, method: &str, params: Value) {
        self.send(&[notification(method, params)]);
    }

    /// A request with a fresh id, not sent yet.
    pub(crate) fn request(&mut self, method: &str, params: Value) -> (i64, Value) {
        let id = self.next_id;
        self.next_id += 1;
        (id, json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))
    }

    /// Sends a request and waits for its result.
    pub(crate) fn ask(&mut self, method: &str, params: Value) -> Value {
        let (id, request) = self.request(method, params);
        self.send(&[request]);
        let answer = self.answer(id);
        answer.get("result").cloned().unwrap_or_else(|| panic!("{method} failed: {answer}"))
    }

    /// The response to a request.
    pub(crate) fn answer(&mut self, id: i64) -> Value {
        self.wait_for(&format!("an answer to {id}"), |message| {
            message["id"] == id && message.get("method").is_none()
        })
    }

    /// The next message of a method.
    pub(crate) fn receive(&mut self, method: &str) -> Value {
        self.wait_for(method, |message| message["method"] == method)
    }

    /// Waits for the first message that is `wanted`, removes and returns it.
    pub(crate) fn wait_for(&mut self, what: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        if let Some(at) = self.unread.iter().position(&wanted) {
            return self.unread.remove(at).unwrap();
        }
        let deadline = Instant::now() + PATIENCE;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let message = self
                .received
                .recv_timeout(left)
                .unwrap_or_else(|error| panic!("waiting for {what}: {error}"));
            if wanted(&message) {
                return message;
            }
            self.unread.push_back(message);
        }
    }

    /// All received messages of a method that no test has waited for.
    pub(crate) fn so_far(&mut self, method: &str) -> Vec<Value> {
        self.unread.extend(self.received.try_iter());
        self.unread.iter().filter(|message| message["method"] == method).cloned().collect()
    }

    /// Removes and returns these messages.
    pub(crate) fn take(&mut self, method: &str) -> Vec<Value> {
        self.unread.extend(self.received.try_iter());
        let (taken, kept): (Vec<Value>, Vec<Value>) =
            self.unread.drain(..).partition(|message| message["method"] == method);
        self.unread = kept.into();
        taken
    }

    pub(crate) fn open(&mut self, language: &str, text: &str) {
        self.open_as(URI, language, text);
    }

    pub(crate) fn open_as(&mut self, uri: &str, language: &str, text: &str) {
        let document = json!({"uri": uri, "languageId": language, "version": 1, "text": text});
        self.notify("textDocument/didOpen", json!({"textDocument": document}));
    }

    /// The published diagnostics for this version of a document.
    pub(crate) fn diagnostics(&mut self, uri: &str, version: i32) -> Value {
        let published = self.wait_for(&format!("diagnostics of {uri}, version {version}"), |message| {
            let params = &message["params"];
            message["method"] == "textDocument/publishDiagnostics"
                && params["uri"] == uri
                && params["version"] == version
        });
        published["params"]["diagnostics"].clone()
    }

    /// The same, after the versions in git for the comparison were read.
    pub(crate) fn compared_diagnostics(&mut self, uri: &str, version: i32) -> Value {
        let mut diagnostics = self.diagnostics(uri, version);
        let deadline = Instant::now() + PATIENCE;
        while self.ask("crd-ls/isCompared", json!({"textDocument": {"uri": uri}})) != true {
            assert!(Instant::now() < deadline, "the versions of {uri} are never read");
            std::thread::sleep(Duration::from_millis(2));
        }
        // Answers and publications are sent independently.
        std::thread::sleep(Duration::from_millis(20));
        for published in self.take("textDocument/publishDiagnostics") {
            if published["params"]["uri"] == uri && published["params"]["version"] == version {
                diagnostics = published["params"]["diagnostics"].clone();
            } else {
                self.unread.push_back(published);
            }
        }
        diagnostics
    }

    /// The document's text in the server.
    pub(crate) fn text(&mut self) -> String {
        let text = self.ask("crd-ls/documentText", document());
        text.as_str().unwrap().to_owned()
    }

    pub(crate) fn close_stdin(&mut self) {
        self.stdin = None;
    }

    /// The number of the process.
    pub(crate) fn process(&self) -> u32 {
        self.child.id()
    }

    /// The exit status, once the process has ended by itself within `limit`.
    pub(crate) fn exit_status(&mut self, limit: Duration) -> Option<i32> {
        exit_status(&mut self.child, limit)
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // After a failed test, the process may still be running.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The address of a file or a folder, as this server writes it.
pub(crate) fn uri(path: &Path) -> String {
    Uri::from_file_path(path).unwrap().to_string()
}

/// The program as a language server.
pub(crate) fn spawn() -> Child {
    command().spawn().unwrap()
}

/// The built program, or the one that `CRD_LS_PROGRAM` names, such as a release build.
fn command() -> Command {
    let program = environment::program();
    let mut command = Command::new(program.unwrap_or_else(|| env!("CARGO_BIN_EXE_crd-ls").into()));
    command.arg("server").stdin(Stdio::piped()).stdout(Stdio::piped());
    command
}

/// The exit status, once the process has ended by itself within `limit`.
pub(crate) fn exit_status(child: &mut Child, limit: Duration) -> Option<i32> {
    let deadline = Instant::now() + limit;
    while Instant::now() < deadline {
        if let Some(status) = child.try_wait().unwrap() {
            return status.code();
        }
        thread::sleep(Duration::from_millis(5));
    }
    None
}

/// A message with its header.
pub(crate) fn framed(message: &Value) -> Vec<u8> {
    let body = message.to_string();
    format!("Content-Length: {}\r\n\r\n{body}", body.len()).into_bytes()
}

pub(crate) fn notification(method: &str, params: Value) -> Value {
    json!({"jsonrpc": "2.0", "method": method, "params": params})
}

/// Parameters that only name the document.
pub(crate) fn document() -> Value {
    json!({"textDocument": {"uri": URI}})
}

/// Parameters that name the start of the document.
pub(crate) fn start_of_document() -> Value {
    json!({"textDocument": {"uri": URI}, "position": {"line": 0, "character": 0}})
}

/// A `didChange` with one content change after another.
pub(crate) fn did_change(version: i32, changes: Value) -> Value {
    let document = json!({"uri": URI, "version": version});
    notification("textDocument/didChange", json!({"textDocument": document, "contentChanges": changes}))
}

/// A content change: `(line, character)` to `(line, character)`.
pub(crate) fn change(start: (u32, u32), end: (u32, u32), text: &str) -> Value {
    let place = |(line, character)| json!({"line": line, "character": character});
    json!({"range": {"start": place(start), "end": place(end)}, "text": text})
}

fn read(stdout: &mut BufReader<ChildStdout>) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if stdout.read_line(&mut line).ok()? == 0 {
            return None;
        }
        if line == "\r\n" {
            break;
        }
        if let Some(value) = line.strip_prefix("Content-Length: ") {
            length = value.trim().parse().unwrap();
        }
    }
    let mut body = vec![0; length];
    stdout.read_exact(&mut body).ok()?;
    Some(serde_json::from_slice(&body).unwrap())
}
