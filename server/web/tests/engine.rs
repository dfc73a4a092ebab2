//! The engine of the browser, compiled natively: its functions and its protocol. `web/test` tests the module
//! itself.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

use serde_json::{Value, json};
use web::Engine;

const DEFINITION: &str = "\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
spec:
  group: example.com
  names: {kind: Widget, listKind: WidgetList, plural: widgets, singular: widget}
  scope: Namespaced
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
                size:
                  type: integer
                  maximum: 9
";
const RESOURCE: &str = "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: a}\nspec:\n  size: 10\n";

fn ask(engine: &mut Engine, method: &str, params: &Value) -> Value {
    let answer = engine.call(&json!({ "method": method, "params": params }).to_string());
    serde_json::from_str(&answer).unwrap()
}

fn send(engine: &mut Engine, messages: &Value) -> Vec<Value> {
    ask(engine, "lsp", messages)["result"].as_array().unwrap().clone()
}

fn open(uri: &str, text: &str) -> Value {
    json!({ "method": "textDocument/didOpen", "params": {
        "textDocument": { "uri": uri, "languageId": "yaml", "version": 1, "text": text }
    } })
}

/// The codes of the findings that were last published for a text.
fn codes(messages: &[Value], uri: &str) -> Option<Vec<String>> {
    let of = messages.iter().rfind(|message| message["params"]["uri"] == uri)?;
    let all = of["params"]["diagnostics"].as_array()?;
    Some(all.iter().map(|one| one["code"].as_str().unwrap_or_default().to_owned()).collect())
}

#[test]
fn a_definition_validates_a_resource_in_another_text_until_it_is_closed() {
    let (mut engine, of) = (Engine::default(), "crd-ls:///r.yaml");
    let messages = send(
        &mut engine,
        &json!([
            { "id": 1, "method": "initialize", "params": { "capabilities": {} } },
            open(of, RESOURCE),
            open("crd-ls:///d.yaml", DEFINITION),
        ]),
    );
    assert_eq!(codes(&messages, of).unwrap(), ["resource/bounds"]);
    let close = json!([{ "method": "textDocument/didClose", "params": { "textDocument": { "uri": "crd-ls:///d.yaml" } } }]);
    assert_eq!(codes(&send(&mut engine, &close), of), Some(Vec::new()));
}

/// A client that shows one file of a repository has read the others.
#[test]
fn a_closed_text_validates_resources_and_has_no_findings() {
    let (mut engine, of, by) = (Engine::default(), "crd-ls:///r.yaml", "crd-ls:///d.yaml");
    let closed =
        |text: Option<&str>| json!({ "method": "crd-ls/closedText", "params": { "uri": by, "text": text } });
    let wrong = DEFINITION.replace("type: integer", "type: intger");
    let messages = send(&mut engine, &json!([open(of, RESOURCE), closed(Some(&wrong))]));
    assert_eq!(codes(&messages, by), None);
    let messages = send(&mut engine, &json!([closed(Some(DEFINITION))]));
    assert_eq!(codes(&messages, of).unwrap(), ["resource/bounds"]);
    assert_eq!(codes(&messages, by), None);

    let open_text = DEFINITION.replace("maximum: 9", "maximum: 10");
    let messages = send(&mut engine, &json!([open(by, &open_text), closed(Some(DEFINITION))]));
    assert_eq!(codes(&messages, of), Some(Vec::new()), "what is open goes before");
    let close = json!({ "method": "textDocument/didClose", "params": { "textDocument": { "uri": by } } });
    let messages = send(&mut engine, &json!([close, closed(Some(DEFINITION))]));
    assert_eq!(codes(&messages, of).unwrap(), ["resource/bounds"]);
    assert_eq!(codes(&messages, by), Some(Vec::new()), "its findings are taken back");
    assert_eq!(codes(&send(&mut engine, &json!([closed(None)])), of), Some(Vec::new()));
}

#[test]
fn another_release_validates_again() {
    let mut engine = Engine::default();
    let text =
        DEFINITION.replace("maximum: 9", "x-kubernetes-validations: [{rule: 'ip(\"::1\").family() == 6'}]");
    let messages = send(&mut engine, &json!([open("crd-ls:///d.yaml", &text)]));
    assert_eq!(codes(&messages, "crd-ls:///d.yaml"), Some(Vec::new()));
    let older = json!([{ "method": "workspace/didChangeConfiguration", "params": { "settings": { "kubernetesVersion": "1.28" } } }]);
    let found = codes(&send(&mut engine, &older), "crd-ls:///d.yaml").unwrap();
    assert_eq!(found, ["cel/rule-compile"; 2], "the function and its method");
    let nothing = json!([{ "method": "workspace/didChangeConfiguration", "params": { "settings": null } }]);
    assert_eq!(
        codes(&send(&mut engine, &nothing), "crd-ls:///d.yaml"),
        None,
        "who waits to be asked changes nothing"
    );
    let unset = json!([{ "method": "workspace/didChangeConfiguration", "params": { "settings": {} } }]);
    assert_eq!(
        codes(&send(&mut engine, &unset), "crd-ls:///d.yaml"),
        Some(Vec::new()),
        "the newest release again"
    );
}

/// All settings of the editor that concern a text are used; an invalid setting is reported, and the others
/// are still used.
#[test]
fn settings_of_the_editor_are_used() {
    let (mut engine, of) = (Engine::default(), "crd-ls:///r.yaml");
    let start = json!({ "id": 1, "method": "initialize", "params": {
        "capabilities": {}, "initializationOptions": { "rules": { "resource/bounds": "hint" } }
    } });
    let messages =
        send(&mut engine, &json!([start, open("crd-ls:///d.yaml", DEFINITION), open(of, RESOURCE)]));
    let published = messages.iter().rfind(|message| message["params"]["uri"] == of).unwrap();
    assert_eq!(published["params"]["diagnostics"][0]["severity"], 4);
    let change = |settings: Value| json!([{ "method": "workspace/didChangeConfiguration", "params": { "settings": settings } }]);
    let messages =
        send(&mut engine, &change(json!({ "crd-ls": { "ignore": ["resource"], "groupErrors": "no" } })));
    assert_eq!(codes(&messages, of), Some(Vec::new()));
    let shown = messages.iter().find(|message| message["method"] == "window/showMessage").unwrap();
    assert_eq!(shown["params"]["message"], "groupErrors: invalid type: string \"no\", expected a boolean");
    let messages = send(&mut engine, &change(json!({ "ignore": [] })));
    let published = messages.iter().rfind(|message| message["params"]["uri"] == of).unwrap();
    assert_eq!(published["params"]["diagnostics"][0]["severity"], 4, "what was chosen first counts again");
}

fn closed(uri: &str, text: Option<&str>) -> Value {
    json!({ "method": "crd-ls/closedText", "params": { "uri": uri, "text": text } })
}

fn severity(messages: &[Value], uri: &str) -> Option<u64> {
    let published = messages.iter().rfind(|message| message["params"]["uri"] == uri)?;
    published["params"]["diagnostics"][0]["severity"].as_u64()
}

/// As in the program: the settings of the nearest parent directory apply, for all files or some; the editor
/// takes precedence over them, and files may be excluded.
#[test]
fn the_settings_of_a_project_are_used() {
    let mut engine = Engine::default();
    let root = "vscode-vfs://github/example/widgets";
    let [of, inner, by] = ["/r.yaml", "/in%20ner/r.yaml", "/d.yaml"].map(|path| format!("{root}{path}"));
    let [settings, inner_settings] = ["", "/in%20ner"].map(|path| format!("{root}{path}/.crd-ls.toml"));
    let rules = |level: &str| format!("[rules]\n\"resource/bounds\" = \"{level}\"\n");
    let overrides = "[[overrides]]\npaths = [\"in ner/**\"]\nrules.\"resource/bounds\" = \"hint\"\n";
    let messages = send(
        &mut engine,
        &json!([
            closed(&settings, Some(&(rules("warning") + overrides))),
            open(&by, DEFINITION),
            open(&of, RESOURCE),
            open(&inner, RESOURCE)
        ]),
    );
    assert_eq!((severity(&messages, &of), severity(&messages, &inner)), (Some(2), Some(4)));
    let nearer = closed(&inner_settings, Some(&rules("information")));
    assert_eq!(severity(&send(&mut engine, &json!([nearer])), &inner), Some(3));
    let excluded = closed(&settings, Some("exclude = [\"r.yaml\"]\n"));
    assert_eq!(codes(&send(&mut engine, &json!([excluded])), &of), Some(Vec::new()));
    let excluded = closed(&settings, Some("exclude = [\"d.yaml\"]\n"));
    let messages = send(&mut engine, &json!([excluded]));
    assert_eq!((codes(&messages, &of), codes(&messages, &inner)), (Some(Vec::new()), Some(Vec::new())));

    let messages = send(&mut engine, &json!([closed(&settings, Some("rules = 7"))]));
    let shown = messages.iter().find(|message| message["method"] == "window/showMessage").unwrap();
    let problem =
        "/example/widgets/.crd-ls.toml: line 1, column 9: invalid type: integer `7`, expected a map";
    assert_eq!(shown["params"]["message"], problem);
    assert_eq!(severity(&messages, &of), Some(1), "an unusable file selects nothing");

    let editor = |settings: Value| json!({ "method": "workspace/didChangeConfiguration", "params": { "settings": settings } });
    let messages = send(&mut engine, &json!([editor(json!({ "rules": { "resource/bounds": "hint" } }))]));
    assert_eq!(
        (severity(&messages, &of), severity(&messages, &inner)),
        (Some(4), Some(4)),
        "the editor goes first"
    );
    let messages = send(&mut engine, &json!([editor(json!({ "workspaceTrusted": false }))]));
    assert_eq!(severity(&messages, &inner), Some(1), "an untrusted workspace selects nothing");
    assert_eq!(codes(&send(&mut engine, &json!([closed(&settings, None)])), &settings), None);
}

#[test]
fn a_file_that_a_kustomization_merges_into_others_is_a_patch() {
    let (mut engine, root) = (Engine::default(), "vscode-vfs://github/example/widgets");
    let [of, by, kustomization] =
        ["/base/r.yaml", "/d.yaml", "/overlay/kustomization.yaml"].map(|path| format!("{root}{path}"));
    let definition = DEFINITION.replace(
        "              type: object\n",
        "              type: object\n              required: [mode]\n",
    );
    let messages =
        send(&mut engine, &json!([open(&by, &definition), open(&of, &RESOURCE.replace("10", "9"))]));
    assert_eq!(codes(&messages, &of).unwrap(), ["resource/required"]);
    let names = closed(&kustomization, Some("patches:\n- path: ../base/r.yaml\n"));
    assert_eq!(codes(&send(&mut engine, &json!([names])), &of), Some(Vec::new()));
    let gone = closed(&kustomization, None);
    assert_eq!(codes(&send(&mut engine, &json!([gone])), &of).unwrap(), ["resource/required"]);
}

/// A client with some open files of a repository has sent the others.
#[test]
fn renames_lenses_and_symbols_include_closed_texts() {
    let (mut engine, of, by) = (Engine::default(), "crd-ls:///r.yaml", "crd-ls:///d.yaml");
    let capabilities = json!({ "workspace": { "codeLens": { "refreshSupport": true } } });
    let whole = |is_whole: bool| json!({ "method": "crd-ls/closedTexts", "params": { "isWhole": is_whole } });
    let rename = json!({ "id": "rename", "method": "textDocument/rename", "params": {
        "textDocument": { "uri": by }, "position": { "line": 19, "character": 18 }, "newName": "count"
    } });
    let lenses = json!({ "id": "lenses", "method": "textDocument/codeLens", "params": { "textDocument": { "uri": by } } });
    let messages = send(
        &mut engine,
        &json!([
            { "id": 1, "method": "initialize", "params": { "capabilities": capabilities } },
            whole(false),
            open(by, DEFINITION),
            { "method": "crd-ls/closedText", "params": { "uri": of, "text": RESOURCE } },
            rename,
            lenses,
        ]),
    );
    let answer =
        |messages: &[Value], id: &str| messages.iter().find(|message| message["id"] == id).unwrap().clone();
    let refused = answer(&messages, "rename");
    let problem = "not all files of the workspace are read, so a change in all of them is not possible";
    assert_eq!(refused["error"]["message"], problem);
    let resolve = json!({ "id": "resolve", "method": "codeLens/resolve", "params": answer(&messages, "lenses")["result"][0] });
    let messages = send(&mut engine, &json!([resolve]));
    assert_eq!(answer(&messages, "resolve")["result"]["command"]["title"], "counting resources");

    let symbols = json!({ "id": "symbols", "method": "workspace/symbol", "params": { "query": "Widget" } });
    let messages = send(&mut engine, &json!([whole(true), rename, resolve, symbols]));
    assert!(messages.iter().any(|message| message["method"] == "workspace/codeLens/refresh"));
    let changes = &answer(&messages, "rename")["result"]["changes"];
    assert_eq!((&changes[by][0]["newText"], &changes[of][0]["newText"]), (&json!("count"), &json!("count")));
    assert_eq!(answer(&messages, "resolve")["result"]["command"]["title"], "1 resource, 1 with findings");
    let found = answer(&messages, "symbols")["result"].clone();
    assert!(found.as_array().unwrap().iter().any(|one| one["location"]["uri"] == of), "{found}");
}

/// An edit of a definition reports the errors that it causes, also in texts that are not open, and removes
/// those that it fixes.
#[test]
fn closed_texts_are_validated_by_the_edited_definition() {
    let (mut engine, of, by) = (Engine::default(), "crd-ls:///r.yaml", "crd-ls:///d.yaml");
    let fitting = RESOURCE.replace("size: 10", "size: 9");
    let messages = send(&mut engine, &json!([closed(of, Some(&fitting)), open(by, DEFINITION)]));
    assert!(codes(&messages, of).is_none_or(|codes| codes.is_empty()));
    let edit = |from: u32, text: &str| {
        let place = |character: u32| json!({ "line": 21, "character": character });
        json!([{ "method": "textDocument/didChange", "params": {
            "textDocument": { "uri": by, "version": 2 },
            "contentChanges": [{ "range": { "start": place(from), "end": place(from + 1) }, "text": text }],
        } }])
    };
    assert_eq!(codes(&send(&mut engine, &edit(27, "8")), of).unwrap(), ["resource/bounds"]);
    assert_eq!(codes(&send(&mut engine, &edit(27, "9")), of), Some(Vec::new()));
}

#[test]
fn requests_are_answered_about_open_texts() {
    let mut engine = Engine::default();
    let place =
        json!({ "textDocument": { "uri": "crd-ls:///d.yaml" }, "position": { "line": 19, "character": 20 } });
    let messages = send(
        &mut engine,
        &json!([
            open("crd-ls:///d.yaml", DEFINITION),
            { "id": "a", "method": "textDocument/hover", "params": place },
            { "id": 2, "method": "textDocument/hover", "params": { "textDocument": { "uri": "crd-ls:///no.yaml" } } },
            { "id": 3, "method": "no/such", "params": place },
            { "id": 4, "method": "textDocument/hover" },
        ]),
    );
    let of = |id: Value| messages.iter().find(|message| message["id"] == id).unwrap();
    assert!(of(json!("a"))["result"]["contents"]["value"].is_string(), "{}", of(json!("a")));
    assert_eq!(of(json!(2))["result"], Value::Null);
    assert_eq!(of(json!(3))["error"]["code"], -32_601);
    assert_eq!(of(json!(4))["error"]["code"], -32_602);
}

#[test]
fn calls_return_the_output_of_the_commands() {
    let mut engine = Engine::default();
    let (definition, resource) =
        (json!({ "path": "d.yaml", "text": DEFINITION }), json!({ "path": "r.yaml", "text": RESOURCE }));
    let files = json!({ "files": [definition, resource] });
    let checked = ask(&mut engine, "check", &files);
    assert_eq!(checked["result"]["files"][1]["diagnostics"][0]["code"], "resource/bounds");
    assert_eq!(checked["result"]["summary"]["errors"], 1);
    let both = json!({ "definition": definition, "resource": resource });
    assert_eq!(ask(&mut engine, "sample", &both)["result"][0]["kind"], "Widget");
    let stored = ask(&mut engine, "stored", &both);
    assert!(stored["result"]["objects"][0]["text"].as_str().unwrap().contains("is rejected"), "{stored}");
    let wider = json!({ "path": "new.yaml", "text": DEFINITION.replace("maximum: 9", "maximum: 8") });
    let changes = ask(&mut engine, "diff", &json!({ "old": definition, "new": wider }));
    assert_eq!(changes["result"][0]["class"], "breaking");
}

#[test]
fn an_invalid_call_is_an_error() {
    let mut engine = Engine::default();
    for call in
        ["", "{}", "[]", r#"{"method":"no/such"}"#, r#"{"method":"check"}"#, r#"{"method":"lsp","params":1}"#]
    {
        let answer: Value = serde_json::from_str(&engine.call(call)).unwrap();
        assert!(answer["error"].is_string(), "{call}: {answer}");
    }
}
