//! If some fixes are not offered because proving them takes too long, each output format says so; otherwise none does.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod support {
    pub(crate) mod client;
    pub(crate) mod families;
    pub(crate) mod program;
}

use serde_json::{Value, json};
use support::client::{Client, URI};
use support::families::FAMILIES;
use support::program::{directory, json_of, run, stdout};

const SENTENCE: &str = "not all fixes are shown because checking them takes too long; apply those shown or run --fix, and check again";
const ACTION: &str = "More fixes exist: checking them all takes too long";

/// A definition with names in `required` that no property has, each with separate fixes: few, or too many.
fn text(is_large: bool) -> String {
    let family = FAMILIES.iter().find(|family| family.name == "unknown names in required").unwrap();
    (family.text)(if is_large { family.size } else { 5 })
}

#[test]
fn the_human_report_states_unproven_fixes() {
    for is_unproven in [false, true] {
        let directory = directory(&[("crd.yaml", text(is_unproven).as_bytes())]);
        let output = stdout(&run(directory.path(), &["check", "crd.yaml"]));
        assert_eq!(output.matches(SENTENCE).count(), usize::from(is_unproven));
        assert_eq!(output.contains(&format!("crd.yaml: {SENTENCE}")), is_unproven);
    }
}

#[test]
fn the_json_report_states_unproven_fixes() {
    for is_unproven in [false, true] {
        let directory = directory(&[("crd.yaml", text(is_unproven).as_bytes()), ("fine.yaml", b"a: b\n")]);
        let found = json_of(&run(directory.path(), &["check", "--output", "json", "."]));
        let files = found["files"].as_array().unwrap();
        let unproven = files.iter().map(|file| (file["path"].as_str().unwrap(), file.get("fixesUnproven")));
        let unproven: Vec<_> = unproven.filter(|(_, unproven)| unproven.is_some()).collect();
        match (is_unproven, unproven.as_slice()) {
            (false, []) => {}
            (true, [(path, Some(Value::Bool(true)))]) => assert!(path.ends_with("crd.yaml"), "{path}"),
            _ => panic!("{is_unproven}: {unproven:?}"),
        }
    }
}

#[test]
fn editors_with_disabled_actions_show_unproven_fixes() {
    for has_support in [false, true] {
        for is_cut in [false, true] {
            let (mut client, _) = Client::initialized(json!({"textDocument": {"codeAction": {
                "codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix"]}},
                "disabledSupport": has_support,
            }}}));
            client.open("yaml", &text(is_cut));
            client.diagnostics(URI, 1);
            let range = json!({"start": {"line": 0, "character": 0}, "end": {"line": 1_000, "character": 0}});
            let params = json!({
                "textDocument": {"uri": URI}, "range": range, "context": {"diagnostics": [], "only": ["quickfix"]},
            });
            let actions = client.ask("textDocument/codeAction", params);
            let disabled =
                actions.as_array().unwrap().iter().filter(|action| action.get("disabled").is_some());
            let disabled: Vec<&Value> = disabled.collect();
            if !(has_support && is_cut) {
                assert_eq!(disabled, Vec::<&Value>::new());
                continue;
            }
            let [action] = disabled.as_slice() else { panic!("{disabled:?}") };
            assert_eq!(action["title"], ACTION);
            assert_eq!(action["disabled"]["reason"], ACTION);
            assert_eq!(action["kind"], "quickfix");
            assert!(action.get("edit").is_none() && action.get("command").is_none(), "{action}");
        }
    }
}
