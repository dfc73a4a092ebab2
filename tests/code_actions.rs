//! Quick-fixes and "fix all in file": the actions at each place, their form, and the text after their edits.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod support {
    pub(crate) mod client;
    pub(crate) mod texts;
}

use serde_json::{Value, json};
use support::client::{Client, URI, change, did_change};
use support::texts::{edited, marked};

const WIDGETS: &str = include_str!("../fixtures/first-light/widgets.yaml");

/// The lines of [`WIDGETS`] from `size:` on, after the type was moved out of `anyOf`.
const SIZE: &str = "
                size:
                  anyOf:
                    - type: string
                      enum: [small, large]
                    - type: string
                      pattern: '^[1-9][0-9]*(mm|cm)$'
";
const SIZE_HOISTED: &str = "
                size:
                  type: string
                  anyOf:
                    - enum: [small, large]
                    - pattern: '^[1-9][0-9]*(mm|cm)$'
";

/// Nothing determines the type of `free`, so there is a choice.
const CHOICE: &str = "\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com} # 😀
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
        properties:
          free: {}
";

fn capabilities() -> Value {
    json!({
        "textDocument": {"codeAction": {
            "codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix", "source.fixAll"]}},
            "isPreferredSupport": true,
        }},
        "workspace": {"workspaceEdit": {"documentChanges": true}},
    })
}

fn client_with(text: &str, capabilities: Value) -> Client {
    let (mut client, _) = Client::initialized(capabilities);
    client.open("yaml", text);
    client
}

/// The answer for the cursor at `(line, character)`.
fn actions_with(client: &mut Client, (line, character): (u32, u32), context: Value) -> Vec<Value> {
    let place = json!({"line": line, "character": character});
    let range = json!({"start": place, "end": place});
    let params = json!({"textDocument": {"uri": URI}, "range": range, "context": context});
    client.ask("textDocument/codeAction", params).as_array().unwrap().clone()
}

/// The actions of one kind only.
fn actions(client: &mut Client, place: (u32, u32), only: &str) -> Vec<Value> {
    actions_with(client, place, json!({"diagnostics": [], "only": [only]}))
}

/// The versioned edits of an action.
fn edits(action: &Value) -> &Value {
    let changes = action["edit"]["documentChanges"].as_array().unwrap();
    assert_eq!(changes.len(), 1, "{action}");
    assert_eq!(changes[0]["textDocument"], json!({"uri": URI, "version": 1}));
    &changes[0]["edits"]
}

/// The diagnostics of a fresh server for the text.
fn check(text: &str) -> Value {
    client_with(text, json!({})).diagnostics(URI, 1)
}

fn titles(actions: &[Value]) -> Vec<&str> {
    actions.iter().map(|action| action["title"].as_str().unwrap()).collect()
}

#[test]
fn a_type_in_a_junctor_is_moved_out_of_it() {
    let mut client = client_with(WIDGETS, capabilities());
    let found = actions(&mut client, (33, 23), "quickfix");
    let all = "Fix all 'structural/junctor-type' in this file";
    assert_eq!(titles(&found), ["Move `type: string` from 2 branches of `anyOf` to `size`", all]);
    let action = &found[0];
    assert_eq!((&action["kind"], &action["isPreferred"]), (&json!("quickfix"), &json!(true)));
    // The diagnostic of the cursor's place, as it was published.
    let published = client.diagnostics(URI, 1);
    assert!(action["diagnostics"].as_array().unwrap().contains(&published[3]), "{action}");

    let text = edited(WIDGETS, edits(action));
    assert_eq!(text, WIDGETS.replace(SIZE, SIZE_HOISTED));
    let codes = |diagnostics: &Value| count_of(diagnostics, "structural/junctor-type");
    assert_eq!((codes(&published), codes(&check(&text))), (3, 1));
    assert!(marked(&text, &check(&text)).iter().all(|(_, word, _)| word != "size"), "{text}");
}

fn count_of(diagnostics: &Value, code: &str) -> usize {
    diagnostics.as_array().unwrap().iter().filter(|diagnostic| diagnostic["code"] == code).count()
}

#[test]
fn edits_count_in_the_negotiated_encoding_and_keep_line_ends() {
    let text = "# 😀\n".to_owned() + WIDGETS;
    for line_end in ["\n", "\r\n"] {
        let text = text.replace('\n', line_end).replace("size:", "\"ä😀\":");
        let mut client = client_with(&text, capabilities());
        let found = actions(&mut client, (34, 23), "quickfix");
        let hoisted = SIZE_HOISTED.replace("size:", "\"ä😀\":").replace('\n', line_end);
        assert!(edited(&text, edits(&found[0])).contains(&hoisted), "{found:?}");
    }
}

#[test]
fn a_client_without_versioned_edits_gets_plain_changes() {
    let mut announced = capabilities();
    announced["workspace"] = json!({});
    let mut client = client_with(WIDGETS, announced);
    let found = actions(&mut client, (33, 23), "quickfix");
    assert_eq!(found[0]["edit"].get("documentChanges"), None);
    let text = edited(WIDGETS, &found[0]["edit"]["changes"][URI]);
    assert_eq!(text, WIDGETS.replace(SIZE, SIZE_HOISTED));
}

#[test]
fn fix_all_repairs_what_is_safe_to_repair() {
    let mut client = client_with(WIDGETS, capabilities());
    for only in ["source.fixAll.crd-ls", "source.fixAll", "source"] {
        let found = actions(&mut client, (0, 0), only);
        assert_eq!(found.len(), 1, "{only}: {found:?}");
        assert_eq!(found[0]["kind"], "source.fixAll.crd-ls");
        let text = edited(WIDGETS, edits(&found[0]));
        assert!(text.contains(SIZE_HOISTED), "{text}");
        assert_eq!(check(&text), json!([]));
    }
    assert_eq!(actions(&mut client, (0, 0), "source.organizeImports"), Vec::<Value>::new());
}

/// `codeActionsOnSave` of VS Code requests only one kind.
#[test]
fn fix_all_is_there_on_save() {
    let mut client = client_with(WIDGETS, capabilities());
    let context = json!({"diagnostics": [], "only": ["source.fixAll.crd-ls"], "triggerKind": 2});
    let found = actions_with(&mut client, (0, 0), context);
    assert_eq!(titles(&found), ["Apply all safe fixes in the file"]);
}

#[test]
fn all_of_one_rule_can_be_fixed_at_once() {
    let mut client = client_with(WIDGETS, capabilities());
    let published = client.diagnostics(URI, 1);
    let found = actions(&mut client, (33, 23), "quickfix");
    let all = found.iter().find(|action| action["title"] == "Fix all 'structural/junctor-type' in this file");
    let text = edited(WIDGETS, edits(all.unwrap()));
    assert_eq!(
        (count_of(&published, "structural/junctor-type"), count_of(&check(&text), "structural/junctor-type")),
        (3, 0)
    );
}

#[test]
fn refactorings_are_offered_by_kind() {
    let text = WIDGETS;
    let before = check(text).as_array().unwrap().len();
    let mut client = client_with(text, capabilities());
    let line = text.lines().position(|line| line.trim() == "openAPIV3Schema:").unwrap() as u32;
    for only in ["refactor", "refactor.rewrite"] {
        let found = actions(&mut client, (line, 10), only);
        assert!(!found.is_empty(), "{only}");
        assert!(found.iter().all(|action| action["kind"] == "refactor.rewrite"), "{found:?}");
        for action in &found {
            let after = check(&edited(text, edits(action)));
            assert!(after.as_array().unwrap().len() <= before, "{action}");
        }
    }
    assert_eq!(actions(&mut client, (line, 10), "refactor.inline"), Vec::<Value>::new());
    // Refactorings would only disturb at each move of the cursor.
    let found = actions_with(&mut client, (line, 10), json!({"diagnostics": [], "triggerKind": 2}));
    assert!(found.iter().all(|action| action["kind"] == "quickfix"), "{found:?}");
}

#[test]
fn an_old_definition_is_migrated() {
    let text = include_str!("../fixtures/migrate/kept.before.yaml");
    let mut client = client_with(text, capabilities());
    let found = actions(&mut client, (1, 3), "refactor.rewrite");
    let expected = [
        ("keep", include_str!("../fixtures/migrate/kept.after.yaml")),
        ("prune", include_str!("../fixtures/migrate/kept.drop.yaml")),
    ];
    for (action, (how, expected)) in found.iter().zip(expected) {
        let title = format!("Migrate to `apiextensions.k8s.io/v1` and {how} undeclared fields");
        assert_eq!(action["title"], title.as_str());
        assert_eq!(edited(text, edits(action)), expected);
    }
}

#[test]
fn a_request_without_a_kind_gets_all_actions() {
    let mut client = client_with(WIDGETS, capabilities());
    let kinds = |found: Vec<Value>| found.iter().map(|action| action["kind"].clone()).collect::<Vec<_>>();
    let found = actions_with(&mut client, (33, 23), json!({"diagnostics": []}));
    assert_eq!(kinds(found), ["quickfix", "quickfix", "source.fixAll.crd-ls"]);
    // An editor that requests actions at every move of the cursor gets only those for that place.
    let found = actions_with(&mut client, (33, 23), json!({"diagnostics": [], "triggerKind": 2}));
    assert_eq!(kinds(found), ["quickfix"]);
}

#[test]
fn a_choice_is_offered_but_never_made() {
    let mut client = client_with(CHOICE, capabilities());
    let found = actions(&mut client, (14, 12), "quickfix");
    let titles = titles(&found);
    assert_eq!(titles, ["Add `type: string` to `free`", "Add `type: object` to `free`"]);
    for action in &found {
        assert_eq!(action.get("isPreferred"), None, "{action}");
        let text = edited(CHOICE, edits(action));
        assert!(marked(&text, &check(&text)).iter().all(|(_, word, _)| word != "free"), "{text}");
    }
    // The type of the root is not a choice: it can only be `object`.
    let found = actions(&mut client, (0, 0), "source.fixAll");
    let text = edited(CHOICE, edits(&found[0]));
    assert!(text.contains("type: object") && text.contains("free: {}"), "{text}");
    let mut client = client_with(&text, capabilities());
    assert_eq!(actions(&mut client, (0, 0), "source.fixAll"), Vec::<Value>::new());
}

#[test]
fn nothing_is_offered_without_findings() {
    let mut client = client_with(WIDGETS, capabilities());
    // `group: shop.example.com`; the type of `name` within `metadata`, whose finding is on `metadata`.
    for place in [(5, 4), (22, 20)] {
        assert_eq!(actions(&mut client, place, "quickfix"), Vec::<Value>::new());
    }
    let right = "apiVersion: v1\nkind: ConfigMap\n";
    let mut client = client_with(right, capabilities());
    let found = actions_with(&mut client, (0, 0), json!({"diagnostics": []}));
    assert_eq!(found, Vec::<Value>::new());
}

#[test]
fn an_action_is_not_preferred_for_a_client_without_support() {
    let mut announced = capabilities();
    announced["textDocument"]["codeAction"]["isPreferredSupport"] = json!(false);
    let mut client = client_with(WIDGETS, announced);
    assert_eq!(actions(&mut client, (33, 23), "quickfix")[0].get("isPreferred"), None);
}

/// A definition whose name does not match its plural and group, and with a misspelt field.
const SLIPS: &str = "\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widget.example.com # the name
spec:
  group: example.com
  scope: namespaced
  names: {kind: Widget, plural: widgets}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        desciption: a widget
";

#[test]
fn mistakes_outside_schemas_are_repaired_as_well() {
    let mut client = client_with(SLIPS, capabilities());
    let name = actions(&mut client, (3, 10), "quickfix");
    assert_eq!(
        titles(&name),
        [
            "Change `widget.example.com` to `widgets.example.com` (`<plural>.<group>`)",
            "Change plural `widgets` to `widget` to match `metadata.name`"
        ]
    );
    let unknown = actions(&mut client, (15, 10), "quickfix");
    assert_eq!(
        titles(&unknown),
        ["Rename `desciption` to `description`", "Remove `desciption` (kube-apiserver ignores it)"]
    );
    let all = actions(&mut client, (0, 0), "source.fixAll");
    let [all] = all.as_slice() else { panic!("{all:?}") };
    let expected = SLIPS
        .replace("widget.example", "widgets.example")
        .replace("namespaced", "Namespaced")
        .replace("desciption", "description");
    assert_eq!(edited(SLIPS, edits(all)), expected);
}

/// The titles of the actions for a range, with the diagnostics that the client has for it.
fn offered(client: &mut Client, start: (u32, u32), end: (u32, u32), diagnostics: Value) -> Vec<String> {
    let place = |(line, character): (u32, u32)| json!({"line": line, "character": character});
    let range = json!({"start": place(start), "end": place(end)});
    let context = json!({"diagnostics": diagnostics, "only": ["quickfix"]});
    let params = json!({"textDocument": {"uri": URI}, "range": range, "context": context});
    let actions = client.ask("textDocument/codeAction", params);
    actions.as_array().unwrap().iter().map(|action| action["title"].as_str().unwrap().to_owned()).collect()
}

/// Neovim sends only the cursor, at any place in the line.
#[test]
fn a_cursor_selects_the_fixes_of_its_line() {
    let mut client = client_with(SLIPS, capabilities());
    let rename = "Rename `desciption` to `description`";
    for character in [0, 3, 8, 12, 27, 5_000] {
        let found = offered(&mut client, (15, character), (15, character), json!([]));
        assert_eq!(found.first().map(String::as_str), Some(rename), "column {character}: {found:?}");
    }
    // A range requests only the actions for the findings that it touches.
    assert_eq!(offered(&mut client, (15, 0), (15, 4), json!([])), Vec::<String>::new());
    assert_eq!(offered(&mut client, (15, 0), (15, 12), json!([])).first().map(String::as_str), Some(rename));
    // Beyond the text there is nothing.
    assert_eq!(offered(&mut client, (16, 0), (16, 0), json!([])), Vec::<String>::new());
    assert_eq!(offered(&mut client, (900, 7), (900, 7), json!([])), Vec::<String>::new());
}

#[test]
fn a_diagnostic_that_the_client_names_selects_its_fixes_at_any_cursor() {
    let mut client = client_with(SLIPS, capabilities());
    let published = client.diagnostics(URI, 1);
    let of = |code: &str| {
        let all = published.as_array().unwrap();
        all.iter().find(|diagnostic| diagnostic["code"] == code).unwrap().clone()
    };
    let unknown = of("decode/unknown-field");
    let found = offered(&mut client, (0, 0), (0, 0), json!([unknown]));
    assert_eq!(
        found,
        ["Rename `desciption` to `description`", "Remove `desciption` (kube-apiserver ignores it)"]
    );
    // The fixes at the cursor come first.
    let found = offered(&mut client, (6, 12), (6, 12), json!([unknown, of("names/metadata-name")]));
    assert!(found.len() > 3 && found[0].contains("Namespaced"), "{found:?}");
    assert!(found.iter().any(|title| title.contains("desciption")), "{found:?}");
    // Diagnostics of other servers, and of an earlier text, have no actions.
    let mut others = unknown.clone();
    others["range"]["start"]["line"] = json!(2);
    let foreign = json!({"range": unknown["range"], "message": "m", "code": 7});
    assert_eq!(offered(&mut client, (0, 0), (0, 0), json!([others, foreign])), Vec::<String>::new());
}

/// On a line with several findings, the fixes of all are offered, those at the cursor first.
#[test]
fn the_fixes_of_a_line_are_sorted_by_the_cursor() {
    let text = CHOICE.replace("free: {}", "free: {tipe: string, minumum: 1}");
    let mut client = client_with(&text, capabilities());
    let line = 14;
    for (word, other) in [("tipe", "minumum"), ("minumum", "tipe")] {
        let column = text.lines().nth(line).unwrap().find(word).unwrap() as u32;
        let found = offered(&mut client, (line as u32, column), (line as u32, column), json!([]));
        let at = |word: &str| found.iter().position(|title| title.contains(&format!("`{word}`")));
        assert!(at(word).is_some() && at(word) < at(other), "{word}: {found:?}");
    }
}

/// Twelve fields without a type: the choice is made once.
#[test]
fn a_choice_is_offered_for_all_similar_places() {
    let fields: String = (0..12).map(|index| format!("          a{index}: {{}}\n")).collect();
    let text = CHOICE.replace("          free: {}\n", &fields);
    let mut client = client_with(&text, capabilities());
    let found = actions(&mut client, (16, 0), "quickfix");
    assert_eq!(
        titles(&found),
        [
            "Add `type: string` to `a2`",
            "Add `type: object` to `a2`",
            "Add `type: string` to `a2`, and repair 11 similar mistakes",
            "Add `type: object` to `a2`, and repair 11 similar mistakes",
        ]
    );
    let after = edited(&text, edits(&found[2]));
    assert_eq!(after.matches("type: string").count(), 12, "{after}");
    assert_eq!(found[2]["diagnostics"].as_array().unwrap().len(), 12);
}

/// A client rejects edits for an earlier version of the text.
#[test]
fn edits_name_the_version_of_their_text() {
    let mut client = client_with(WIDGETS, capabilities());
    let before = actions(&mut client, (33, 23), "quickfix");
    client.send(&[did_change(2, json!([change((0, 0), (0, 0), "# new\n")]))]);
    let after = actions(&mut client, (34, 23), "quickfix");
    let of = |action: &Value| action["edit"]["documentChanges"][0].clone();
    assert_eq!(of(&before[0])["textDocument"]["version"], 1);
    assert_eq!(of(&after[0])["textDocument"]["version"], 2);
    let text = edited(&format!("# new\n{WIDGETS}"), &of(&after[0])["edits"]);
    assert!(text.contains(SIZE_HOISTED), "{text}");
}

#[test]
fn templates_and_broken_texts_are_not_changed() {
    for (sound, broken) in [
        ("enum: [small, large]", "enum: [small, large"),
        ("enum: [small, large]", "enum: {{ .Values.sizes }}"),
        ("                size:", "                size: {{ .Values.size }}"),
    ] {
        let text = WIDGETS.replacen(sound, broken, 1);
        let line = text.lines().position(|line| line.contains(broken.trim())).unwrap();
        let mut client = client_with(&text, capabilities());
        for at in 0..text.lines().count() as u32 {
            let others = actions(&mut client, (at, 14), "quickfix");
            // A bracket that is never closed has a fix.
            let is_other = |action: &Value| action["title"] != "Add the closing `]`" || broken.contains("{{");
            for action in others.into_iter().filter(is_other) {
                for edit in edits(&action).as_array().unwrap() {
                    let of = |end: &str| edit["range"][end]["line"].as_u64().unwrap() as usize;
                    assert!(line < of("start") || of("end") < line, "{broken}: {action}");
                }
            }
        }
    }
    // Another document does not prevent a fix.
    let text = format!("{WIDGETS}---\n{{{{ include \"widgets\" . }}}}\n");
    let mut client = client_with(&text, capabilities());
    assert!(!actions(&mut client, (33, 23), "quickfix").is_empty());
}
