//! Many documents that are expensive to check, all open and edited at once, do not delay another document.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

mod support {
    pub(crate) mod client;
    pub(crate) mod families;
}

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use support::client::{Client, URI, change, did_change, notification};
use support::families::{FAMILIES, Family};

const WIDGETS: &str = include_str!("../fixtures/first-light/widgets.yaml");
/// The number of findings of the fixture.
const WIDGETS_FINDINGS: usize = 7;
/// The maximum time for each answer on the small document, in a debug build on a busy machine. Earlier, no answer came within
/// 20 s.
const PROMPTLY: Duration = Duration::from_secs(10);

/// The families whose analyses and fixes take longest.
const WORST: [&str; 8] = [
    "branches with properties",
    "branches with types",
    "broken rules",
    "rules that read what may be absent",
    "wide merge keys",
    "enums with wrong resources",
    "names that no property has",
    "unknown names in required",
];

fn worst(count: usize) -> impl Iterator<Item = (String, String)> {
    let is_worst = |family: &&Family| WORST.contains(&family.name);
    let families: Vec<&Family> = FAMILIES.iter().filter(is_worst).collect();
    assert_eq!(families.len(), WORST.len());
    (0..count).map(move |at| {
        let family = families[at % families.len()];
        (format!("file:///work/hostile{at}.yaml"), (family.text)(family.size * 4))
    })
}

/// Opens `count` documents, edits each `edits` times, and requests the code actions of each.
fn crowd(client: &mut Client, count: usize, edits: i32) {
    let start = json!({"line": 0, "character": 0});
    for (uri, text) in worst(count) {
        client.open_as(&uri, "yaml", &text);
        for version in 2..2 + edits {
            let document = json!({"uri": uri, "version": version});
            let changes = json!([change((0, 0), (0, 0), "#\n")]);
            client.send(&[notification(
                "textDocument/didChange",
                json!({"textDocument": document, "contentChanges": changes}),
            )]);
        }
        let everything = json!({
            "textDocument": {"uri": uri}, "context": {"diagnostics": []},
            "range": {"start": start, "end": {"line": 1_000_000, "character": 0}},
        });
        for _ in 0..6 {
            let (_, request) = client.request("textDocument/codeAction", everything.clone());
            client.send(&[request]);
        }
    }
}

/// Opens a small document, and edits it; each answer comes in time.
fn small_is_answered(client: &mut Client) {
    let place = json!({"line": 1, "character": 2});
    let mut longest = Duration::ZERO;
    let mut since = Instant::now();
    let mut lap = || {
        longest = longest.max(since.elapsed());
        since = Instant::now();
    };
    client.open("yaml", WIDGETS);
    for version in 1..6 {
        if version > 1 {
            client.send(&[did_change(version, json!([change((0, 0), (0, 0), "# a\n")]))]);
        }
        let found = client.diagnostics(URI, version);
        assert_eq!(found.as_array().unwrap().len(), WIDGETS_FINDINGS);
        lap();
        let hover = client.ask(
            "textDocument/hover",
            json!({"textDocument": {"uri": URI}, "position": {"line": version, "character": 1}}),
        );
        assert_ne!(hover, Value::Null);
        lap();
        client.ask("textDocument/documentSymbol", json!({"textDocument": {"uri": URI}, "position": place}));
        lap();
    }
    println!("the longest wait is {longest:?}");
    assert!(longest < PROMPTLY, "{longest:?}");
}

/// More documents than threads for analyses, and requests on each of them.
#[test]
fn a_small_document_is_answered_while_many_expensive_ones_are_open() {
    let (mut client, _) = Client::initialized(json!({}));
    crowd(&mut client, 48, 3);
    small_is_answered(&mut client);
}
