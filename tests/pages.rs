//! Pages of definitions: from the command line, and from requests of an editor. On the real program.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

mod support {
    pub(crate) mod client;
    pub(crate) mod folders;
    pub(crate) mod program;
    pub(crate) mod widgets;
}

use serde_json::{Value, json};
use support::client::Client;
use support::folders::{uri, with_folders};
use support::program::{directory, run, status, stdout};
use support::widgets::{definition, widget};

const SIZE: &str = "{type: integer, default: 3, minimum: 1, x-kubernetes-validations: [{rule: self < 9}]}";
const HOSTILE: &str = "{type: string, description: '</style><script>alert(1)</script>'}";

fn execute(client: &mut Client, command: &str, argument: Value) -> Value {
    client.ask("workspace/executeCommand", json!({"command": command, "arguments": [argument]}))
}

#[test]
fn the_command_line_prints_pages() {
    let directory = directory(&[("crd.yaml", definition(HOSTILE).as_bytes())]);
    for arguments in [["docs", "crd.yaml"].as_slice(), &["cost", "--html", "crd.yaml"]] {
        let output = run(directory.path(), arguments);
        let page = stdout(&output);
        assert_eq!(status(&output), 0, "{page}");
        assert!(page.starts_with("<!doctype html>\n<html lang=\"en\">"), "{page}");
        assert!(!page.contains("<script>alert"), "what a definition says is text");
        assert!(page.contains("Widget"));
    }
    let output = run(directory.path(), &["docs", "crd.yaml"]);
    assert!(stdout(&output).contains("&lt;script&gt;alert(1)"));
    assert_eq!(status(&run(directory.path(), &["docs", "nothing.yaml"])), 2);
}

#[test]
fn an_editor_gets_the_model_and_the_pages() {
    let directory = directory(&[]);
    let mut client = with_folders(&[directory.path()], json!({}));
    let crd = uri(&directory.path().join("crd.yaml"));
    client.open_as(&crd, "yaml", &definition(SIZE));
    let model = execute(&mut client, "crd-ls.model", json!({"uri": crd}));
    assert_eq!((&model[0]["kind"], &model[0]["versions"][0]["name"]), (&json!("Widget"), &json!("v1")));
    let fields = model[0]["fields"].as_array().unwrap();
    let size = fields.iter().find(|field| field["path"] == ".spec.size").unwrap();
    let declared = &size["versions"][0];
    assert_eq!(
        (&declared["says"], &declared["type"], &declared["default"]),
        (&json!("declared"), &json!("integer"), &json!("3"))
    );
    assert_eq!(declared["place"], json!({"line": 18, "character": 14}));
    assert_eq!(declared["rules"][0]["cost"]["times"], 1);
    let page = execute(&mut client, "crd-ls.page.schema", json!({"uri": crd}));
    assert!(page.as_str().unwrap().contains("data-place=\"18:14\""));
    let page = execute(&mut client, "crd-ls.page.cost", json!({"uri": crd}));
    assert!(page.as_str().unwrap().contains("<svg class=\"treemap\""));
    let page = execute(&mut client, "crd-ls.explain", json!({"uri": crd, "code": "cel/rule-cost"}));
    assert!(page.as_str().unwrap().starts_with("# cel/rule-cost\n"));
}

#[test]
fn rules_are_evaluated_on_resources_or_on_a_generated_sample() {
    let directory = directory(&[]);
    let mut client = with_folders(&[directory.path()], json!({}));
    let crd = uri(&directory.path().join("crd.yaml"));
    client.open_as(&crd, "yaml", &definition(SIZE));
    let evaluation = execute(&mut client, "crd-ls.evaluation", json!({"uri": crd}));
    assert_eq!((&evaluation["isGenerated"], &evaluation["kind"]), (&json!(true), &json!("Widget")));
    let rule = &evaluation["rules"][0];
    assert_eq!((&rule["rule"], &rule["range"]["start"]["line"]), (&json!("self < 9"), &json!(18)));
    let preview = execute(&mut client, "crd-ls.preview.evaluation", json!({"uri": crd}));
    assert!(
        preview.as_str().unwrap().starts_with("The workspace has no Widget; this is a generated sample.")
    );

    let resource = uri(&directory.path().join("widget.yaml"));
    client.open_as(&resource, "yaml", &widget("12"));
    let evaluation = execute(&mut client, "crd-ls.evaluation", json!({"uri": crd}));
    assert_eq!(evaluation["isGenerated"], false);
    let result = &evaluation["rules"][0]["results"][0];
    assert_eq!((&result["name"], &result["value"]), (&json!("one"), &json!("false")));
    assert_eq!(result["parts"][0], json!({"text": "self", "values": ["12"], "times": 1}));
}
