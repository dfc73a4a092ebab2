//! `cargo xtask bench`: the latencies that users notice, and the memory, as a table for `docs/performance.md`.
//!
//! Each text is measured outside and inside a git repository. An echo program that sends messages of the same sizes through
//! the same pipes shows the share of communication in a figure. Other YAML servers are measured as well if they are
//! installed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::client::{Client, ReceivedMessage};
use crate::place;
use crate::spent::{ResourceUsage, resident, spent};

/// The paths of the texts in the corpus: definitions of 1,400 and of 12,000 lines, and a bundle of 87,500.
const TEXTS: [&str; 3] = [
    "example/prometheus-operator-crd-full/monitoring.coreos.com_podmonitors.yaml",
    "example/prometheus-operator-crd-full/monitoring.coreos.com_prometheusagents.yaml",
    "rebuilt/bundle.yaml",
];
const FOLDER: &str = "prometheus-operator__prometheus-operator/crds";

/// Other servers: their names and arguments.
const PEERS: [(&str, &[&str]); 2] = [("yaml-language-server", &["--stdio"]), ("rlsp-yaml", &[])];

/// The number of typed letters, each of which is a separate edit.
const EDITS: usize = 60;
/// The number of edits after which all features are requested.
const ROUNDS: usize = 8;
/// An edit is complete if no message has arrived for this time.
const QUIET: Duration = Duration::from_millis(150);

const FEATURES: [&str; 3] = ["documentSymbol", "foldingRange", "codeAction"];

pub(crate) fn run() -> Result<(), String> {
    let Some(corpus) = place::shared("corpus", "there is nothing to measure on") else { return Ok(()) };
    let program = place::release_program()?;
    println!(
        "| text | server | initialize | open | edit: first, last, longest | CPU an edit | outline, folds, actions | memory: peak, end |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for text in TEXTS {
        let source = corpus.join(FOLDER).join(text);
        let text = fs::read_to_string(&source).map_err(|error| format!("{}: {error}", source.display()))?;
        for (name, is_in_git) in [("crd-ls", false), ("crd-ls in a repository", true)] {
            let folder = folder(&text, is_in_git)?;
            let session = Session::run(Command::new(&program).arg("server"), &folder)?;
            println!("{}", session.row(&text, name));
            if !is_in_git {
                println!("{}", echo_row(&session));
            }
        }
        for (peer, arguments) in PEERS {
            match Session::run(Command::new(peer).args(arguments), &folder(&text, false)?) {
                Ok(session) => println!("{}", session.row(&text, peer)),
                Err(problem) => println!("skipped: {peer}, {problem}"),
            }
        }
    }
    Ok(())
}

/// A new folder with the text as `crd.yaml`.
fn folder(text: &str, is_in_git: bool) -> Result<PathBuf, String> {
    let folder = place::target_directory()?.join("bench").join(if is_in_git { "git" } else { "plain" });
    // The folder may not exist.
    let _ = fs::remove_dir_all(&folder);
    let written = fs::create_dir_all(&folder).and_then(|()| fs::write(folder.join("crd.yaml"), text));
    written.map_err(|error| format!("{}: {error}", folder.display()))?;
    // The folder is a separate repository, so that git does not find the repository of the checkout.
    for arguments in
        [&["init", "--quiet"][..], &["add", "--all"], &["commit", "--quiet", "--message", "base"]]
    {
        let identity = ["-c", "user.name=bench", "-c", "user.email=bench@example.com"];
        if is_in_git || arguments[0] == "init" {
            let git = Command::new("git").arg("-C").arg(&folder).args(identity).args(arguments).output();
            let git = git.map_err(|error| format!("git: {error}"))?;
            if !git.status.success() {
                return Err(format!("git {arguments:?}: {}", String::from_utf8_lossy(&git.stderr)));
            }
        }
    }
    Ok(folder)
}

/// The measurements of one server.
#[derive(Default)]
struct Session {
    initialize: Duration,
    open: Duration,
    /// The time until the first and the last diagnostics of each version.
    edits: Vec<(Duration, Duration)>,
    /// The maximum number of publications for one version.
    publications: usize,
    cpu: Duration,
    features: [Vec<Duration>; FEATURES.len()],
    /// The size of the largest answer to each feature, in bytes.
    answers: [usize; FEATURES.len()],
    spent: ResourceUsage,
    /// The memory at the end, in bytes.
    resident: u64,
}

fn taken(client: &Client) -> Result<ResourceUsage, String> {
    let (spent, _) = spent(client.process()).ok_or("there is no /proc to read CPU time and memory from")?;
    Ok(spent)
}

impl Session {
    fn run(command: &mut Command, folder: &Path) -> Result<Self, String> {
        let mut session = Self::default();
        let mut client = Client::start(command.stderr(std::process::Stdio::null()))?;
        let path = folder.join("crd.yaml");
        let (uri, root) = (format!("file://{}", path.display()), format!("file://{}", folder.display()));
        let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let capabilities = json!({"textDocument": {
            // yaml-language-server sends no answer without it.
            "foldingRange": {},
            "documentSymbol": {"hierarchicalDocumentSymbolSupport": true},
            "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix"]}}},
        }});
        let parameters = json!({"processId": null, "rootUri": root, "capabilities": capabilities});
        let (_, answer) = client.ask("initialize", parameters)?;
        session.initialize = answer.at.saturating_duration_since(client.started);
        client.notify("initialized", json!({}))?;
        let document = json!({"uri": uri, "languageId": "yaml", "version": 1, "text": text});
        let sent = client.notify("textDocument/didOpen", json!({"textDocument": document}))?;
        session.open = published(&mut client, 1)?.at.saturating_duration_since(sent);
        client.until_quiet(Duration::from_millis(1_500), |_| false)?;
        let (line, column) = typed_at(&text).ok_or("the text has no description to type in")?;
        let mut version = 1;
        let before = taken(&client)?;
        let mut typed = |client: &mut Client| {
            version += 1;
            let is_back = version % 2 == 1;
            let range = json!({
                "start": {"line": line, "character": column},
                "end": {"line": line, "character": column + usize::from(is_back)},
            });
            let change = json!({"range": range, "text": if is_back { "" } else { "x" }});
            let document = json!({"uri": uri, "version": version});
            let parameters = json!({"textDocument": document, "contentChanges": [change]});
            client.notify("textDocument/didChange", parameters).map(|sent| (sent, version))
        };
        for _ in 0..EDITS {
            let (sent, version) = typed(&mut client)?;
            let first = published(&mut client, version)?.at;
            let more = client.until_quiet(QUIET, |message| is_of(message, version))?;
            let last = more.last().map_or(first, |one| one.at);
            session.publications = session.publications.max(1 + more.len());
            let since = |at: Instant| at.saturating_duration_since(sent);
            session.edits.push((since(first), since(last)));
        }
        session.cpu = taken(&client)?.cpu.saturating_sub(before.cpu) / EDITS as u32;
        for _ in 0..ROUNDS {
            for (at, feature) in FEATURES.iter().enumerate() {
                let (sent, _) = typed(&mut client)?;
                let place = json!({"line": line, "character": column});
                let parameters = json!({
                    "textDocument": {"uri": uri}, "range": {"start": place, "end": place},
                    "context": {"diagnostics": []},
                });
                let (_, answer) = client.ask(&format!("textDocument/{feature}"), parameters)?;
                session.features[at].push(answer.at.saturating_duration_since(sent));
                session.answers[at] = session.answers[at].max(answer.bytes);
                client.until_quiet(QUIET, |_| false)?;
            }
        }
        session.spent = taken(&client)?;
        session.resident = resident(client.process()).unwrap_or_default();
        client.leave()?;
        Ok(session)
    }

    fn row(&self, text: &str, name: &str) -> String {
        let firsts = sorted(self.edits.iter().map(|(first, _)| *first));
        let lasts = sorted(self.edits.iter().map(|(_, last)| *last));
        let features: Vec<String> =
            self.features.iter().map(|times| milliseconds(middle(&sorted(times.iter().copied())))).collect();
        let times = if self.publications == 1 { "once" } else { "several times" };
        format!(
            "| {} lines | {name} | {} | {} | {}, {}, {} ms, {times} | {} | {} ms | {}, {} MiB |",
            text.lines().count(),
            milliseconds(self.initialize),
            milliseconds(self.open),
            milliseconds(middle(&firsts)),
            milliseconds(middle(&lasts)),
            milliseconds(firsts.last().copied().unwrap_or_default()),
            milliseconds(self.cpu),
            features.join(", "),
            self.spent.memory >> 20,
            self.resident >> 20,
        )
    }
}

/// The times of the same messages through pipes alone: a request, and an answer of the same size.
fn echo_row(session: &Session) -> String {
    let times = session.answers.map(|bytes| match echoed(bytes) {
        Ok(time) => milliseconds(time),
        Err(problem) => problem,
    });
    let small = echoed(200).map_or_else(|problem| problem, milliseconds);
    format!("| | the pipes alone | | | {small} ms | | {} ms | |", times.join(", "))
}

/// The time for an answer of this size through the pipes of `cat`.
fn echoed(bytes: usize) -> Result<Duration, String> {
    let mut client = Client::start(&mut Command::new("cat"))?;
    let text = "x".repeat(bytes);
    let mut times = Vec::new();
    for _ in 0..ROUNDS {
        let sent = client.notify("echo", json!({"text": text}))?;
        times
            .push(client.wait_for(|message| message["method"] == "echo")?.at.saturating_duration_since(sent));
    }
    Ok(middle(&sorted(times)))
}

/// The next diagnostics of a version.
fn published(client: &mut Client, version: usize) -> Result<ReceivedMessage, String> {
    client.wait_for(|message| is_of(message, version))
}

fn is_of(message: &Value, version: usize) -> bool {
    let params = &message["params"];
    // Some servers send no version.
    let is_version = params["version"] == version || params["version"].is_null();
    message["method"] == "textDocument/publishDiagnostics" && is_version
}

/// The end of a description in the middle of the text.
fn typed_at(text: &str) -> Option<(usize, usize)> {
    let is_plain = |line: &str| {
        line.trim_start()
            .strip_prefix("description: ")
            .is_some_and(|text| text.starts_with(char::is_alphabetic))
    };
    let lines: Vec<&str> = text.lines().collect();
    let middle = lines.len() / 2;
    let found = lines.iter().enumerate().skip(middle).find(|(_, line)| is_plain(line))?;
    Some((found.0, found.1.encode_utf16().count()))
}

fn sorted(times: impl IntoIterator<Item = Duration>) -> Vec<Duration> {
    let mut times: Vec<Duration> = times.into_iter().collect();
    times.sort_unstable();
    times
}

fn middle(sorted: &[Duration]) -> Duration {
    sorted.get(sorted.len() / 2).copied().unwrap_or_default()
}

fn milliseconds(time: Duration) -> String {
    format!("{:.1}", time.as_secs_f64() * 1_000.0)
}
