//! `crd-ls mcp`, called by the client of the protocol's own SDK.
#![allow(clippy::unwrap_used, clippy::panic)]

mod support {
    pub(crate) mod program;
}

use std::path::Path;
use std::process::Stdio;

use rmcp::ServiceExt;
use rmcp::model::CallToolRequestParams;
use rmcp::service::{RoleClient, RunningService};
use serde_json::{Value, json};
use support::program::{directory, repository};
use tokio::process::Command;

const BROKEN: &str = "fixtures/first-light/widgets.yaml";

/// An agent that works in a directory.
struct Agent {
    client: RunningService<RoleClient, ()>,
    _server: tokio::process::Child,
}

impl Agent {
    async fn start(directory: &Path) -> Self {
        let mut server = Command::new(env!("CARGO_BIN_EXE_crd-ls"))
            .arg("mcp")
            .current_dir(directory)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        let pipes = (server.stdout.take().unwrap(), server.stdin.take().unwrap());
        Self { client: ().serve(pipes).await.unwrap(), _server: server }
    }

    /// Whether the tool failed, and the texts of its answer.
    async fn call(&self, tool: &'static str, arguments: Value) -> (bool, Vec<String>) {
        let arguments = arguments.as_object().unwrap().clone();
        let answer =
            self.client.call_tool(CallToolRequestParams::new(tool).with_arguments(arguments)).await.unwrap();
        let answer = serde_json::to_value(answer).unwrap();
        let texts = answer["content"]
            .as_array()
            .unwrap()
            .iter()
            .map(|block| block["text"].as_str().unwrap().to_owned());
        (answer["isError"] == true, texts.collect())
    }
}

#[tokio::test]
async fn the_tools_are_those_that_an_agent_needs() {
    let agent = Agent::start(repository()).await;
    let mut names: Vec<String> =
        agent.client.list_all_tools().await.unwrap().into_iter().map(|tool| tool.name.into_owned()).collect();
    names.sort();
    assert_eq!(names, ["check", "diff", "eval", "explain", "fix", "sample"]);
    let server = serde_json::to_value(agent.client.peer_info().unwrap()).unwrap();
    assert_eq!(server["serverInfo"]["name"], "crd-ls");
}

#[tokio::test]
async fn tools_return_the_results_of_the_command_line() {
    let agent = Agent::start(repository()).await;
    let (failed, found) = agent.call("check", json!({ "paths": [BROKEN] })).await;
    assert!(!failed);
    assert!(found[0].contains("widgets.yaml:34:23: error[structural/junctor-type]"), "{found:?}");

    let (_, page) = agent.call("explain", json!({ "code": "structural/junctor-type" })).await;
    assert!(page[0].contains("structural/junctor-type"), "{page:?}");

    let text = std::fs::read_to_string(repository().join(BROKEN)).unwrap();
    let (failed, repaired) = agent.call("fix", json!({ "text": text })).await;
    assert!(!failed);
    let (_, found) = agent.call("check", json!({ "text": repaired[0] })).await;
    assert_eq!(found, ["no findings"], "{}", repaired[0]);

    let (_, difference) = agent.call("fix", json!({ "paths": [BROKEN] })).await;
    assert!(difference[0].starts_with("--- "), "{difference:?}");
    assert_eq!(
        std::fs::read_to_string(repository().join(BROKEN)).unwrap(),
        text,
        "a difference writes nothing"
    );
}

#[tokio::test]
async fn samples_evaluations_and_comparisons_come_from_definitions() {
    let old = definition("maximum: 10");
    let files = [("old.yaml", old.as_bytes()), ("crd.yaml", &definition("maximum: 5").into_bytes()[..])];
    let root = directory(&files);
    let agent = Agent::start(root.path()).await;
    let (failed, sample) = agent.call("sample", json!({ "names": ["crd.yaml"] })).await;
    assert!(!failed && sample[0].contains("kind: Widget"), "{sample:?}");
    let resource = "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: one}\nspec: {size: 4}\n";
    let parameters =
        json!({ "definition": "crd.yaml", "text": resource, "expression": "self.spec.size * 2" });
    let (failed, value) = agent.call("eval", parameters).await;
    assert!(!failed && value[0].contains('8'), "{value:?}");
    let (failed, changes) = agent.call("diff", json!({ "paths": ["old.yaml", "crd.yaml"] })).await;
    assert!(!failed && changes[0].contains("breaking"), "{changes:?}");
}

#[tokio::test]
async fn a_failing_call_does_not_affect_others() {
    let root = directory(&[]);
    let agent = Agent::start(root.path()).await;
    let (failed, problem) = agent.call("check", json!({ "paths": ["no/such.yaml"] })).await;
    assert!(failed && problem[0].contains("no/such.yaml"), "{problem:?}");
    // An argument that begins with a dash is a path.
    let (failed, problem) = agent.call("check", json!({ "paths": ["--help"] })).await;
    assert!(failed && problem[0].contains("--help"), "{problem:?}");
    let (failed, problem) = agent.call("check", json!({ "kubernetesVersion": "latest" })).await;
    assert!(failed && problem[0].contains("latest"), "{problem:?}");
    let (failed, _) = agent.call("check", json!({ "text": "a: b\n" })).await;
    assert!(!failed);
}

fn definition(size: &str) -> String {
    format!(
        "apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
spec:
  group: example.com
  scope: Namespaced
  names: {{kind: Widget, plural: widgets, singular: widget, listKind: WidgetList}}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              size: {{type: integer, {size}}}
"
    )
}
