//! Diagnostics of a version are published once, and they are correct: the definitions in a text are known when its resources
//! are validated.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod support {
    pub(crate) mod client;
}

use std::thread::sleep;
use std::time::Duration;

use serde_json::{Value, json};
use support::client::{Client, change, did_change};

const PUBLISHED: &str = "textDocument/publishDiagnostics";
/// Longer than the time for which changes of definitions are collected.
const WHILE: Duration = Duration::from_millis(200);

const DEFINITION: &str = "\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Widget, plural: widgets}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          size: {type: string}
";
const RESOURCE: &str = "---
apiVersion: example.com/v1
kind: Widget
metadata: {name: a}
size: 3
";

/// The version and the codes of the diagnostics that were published since the last call.
fn published(client: &mut Client) -> Vec<(i64, Vec<String>)> {
    sleep(WHILE);
    let code = |diagnostic: &Value| diagnostic["code"].as_str().unwrap().to_owned();
    let of = |message: Value| {
        let params = &message["params"];
        let codes = params["diagnostics"].as_array().unwrap().iter().map(code).collect();
        (params["version"].as_i64().unwrap(), codes)
    };
    client.take(PUBLISHED).into_iter().map(of).collect()
}

fn replace(client: &mut Client, version: i32, line: u32, columns: (u32, u32), text: &str) {
    client.send(&[did_change(version, json!([change((line, columns.0), (line, columns.1), text)]))]);
}

#[test]
fn a_definition_and_its_resource_in_one_text() {
    let (mut client, _) = Client::initialized(json!({}));
    client.open("yaml", &format!("{DEFINITION}{RESOURCE}"));
    let first = published(&mut client);
    assert_eq!(first, [(1, first[0].1.clone())]);
    assert_eq!(first[0].1.len(), 1, "{first:?}");
    let wrong_type = first[0].1.clone();
    // `string` becomes `integer`.
    replace(&mut client, 2, 15, (23, 29), "integer");
    assert_eq!(published(&mut client), [(2, vec![])]);
    // The resource follows.
    replace(&mut client, 3, 20, (6, 7), "a");
    assert_eq!(published(&mut client), [(3, wrong_type.clone())]);
    // The kind of the definition changes, so that of the resource is no longer defined.
    replace(&mut client, 4, 6, (16, 22), "Gadget");
    let renamed = published(&mut client);
    assert_eq!(renamed.len(), 1, "{renamed:?}");
    assert!(!renamed[0].1.contains(&wrong_type[0]), "{renamed:?}");
}

#[test]
fn fast_typing_ends_with_the_right_diagnostics() {
    let (mut client, _) = Client::initialized(json!({}));
    client.open("yaml", &format!("{DEFINITION}{RESOURCE}"));
    let wrong = published(&mut client).pop().unwrap().1;
    for version in 2..40 {
        let (columns, text) = if version % 2 == 0 { ((23, 29), "integer") } else { ((23, 30), "string") };
        replace(&mut client, version, 15, columns, text);
        sleep(Duration::from_millis(7));
    }
    let all = published(&mut client);
    assert!(all.is_sorted_by(|one, other| one.0 < other.0), "a version comes twice: {all:?}");
    for (version, codes) in &all {
        assert_eq!(codes, if version % 2 == 0 { &[][..] } else { &wrong }, "{version}");
    }
    assert_eq!(all.last().unwrap().0, 39);
}

#[test]
fn two_definitions_of_one_kind_in_one_text() {
    let (mut client, _) = Client::initialized(json!({}));
    let other = DEFINITION.replace("size", "length");
    client.open("yaml", &format!("{DEFINITION}---\n{other}"));
    let first = published(&mut client);
    assert_eq!(first.len(), 1, "{first:?}");
    let rivals = first[0].1.clone();
    assert!(!rivals.is_empty());
    // The second definition becomes equal to the first.
    let line = DEFINITION.lines().count() as u32 + 1 + 15;
    replace(&mut client, 2, line, (10, 16), "size");
    let same = published(&mut client);
    assert_eq!((same.len(), same[0].0), (1, 2), "{same:?}");
    // It differs again.
    replace(&mut client, 3, line, (10, 14), "length");
    assert_eq!(published(&mut client), [(3, rivals)]);
}

#[test]
fn a_text_of_one_definition_is_published_once() {
    let (mut client, _) = Client::initialized(json!({}));
    client.open("yaml", DEFINITION);
    assert_eq!(published(&mut client), [(1, vec![])]);
    replace(&mut client, 2, 15, (23, 29), "strin");
    assert_eq!(published(&mut client).len(), 1);
}
