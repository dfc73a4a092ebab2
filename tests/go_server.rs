//! Go files in an editor, on the real program: definitions that are generated while the files are typed, and requests in
//! markers.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "go_server/actions.rs"]
mod actions;
#[path = "support/client.rs"]
mod client;
#[path = "go_server/closed.rs"]
mod closed;
#[path = "go_server/completion.rs"]
mod completion;
#[path = "go_server/editor.rs"]
mod editor;
#[path = "go_server/fields.rs"]
mod fields;
#[path = "support/go_module.rs"]
mod go_module;
#[path = "support/repository.rs"]
mod repository;
#[path = "go_server/typing.rs"]
mod typing;
#[path = "go_server/unreached.rs"]
mod unreached;
#[path = "go_server/written.rs"]
mod written;

use std::fs;

use editor::{Editor, MODES, SAMPLE, TYPES};
use serde_json::{Value, json};

/// The Kubernetes release against which generated definitions are checked.
#[test]
fn a_go_file_has_a_kubernetes_version() {
    let mut editor = Editor::open(TYPES);
    let document = json!({"textDocument": {"uri": editor.types()}});
    assert_eq!(editor.client.ask("crd-ls/kubernetesVersion", document), "1.37");
}

#[test]
fn a_correct_file_has_no_findings() {
    assert_eq!(Editor::open(TYPES).findings(), []);
}

#[test]
fn findings_on_generated_definitions_are_at_the_tokens_of_the_buffer() {
    let mut editor = Editor::open(TYPES);
    assert_eq!(editor.findings(), []);
    editor.edit("self.size\"", "self.sise\"");
    let found = editor.findings();
    assert_eq!(found[0].0, "sise", "{found:?}");
    assert!(found[0].1.contains("sise"), "{found:?}");
    editor.edit("self.sise\"", "self.size\"");
    assert_eq!(editor.findings(), []);
}

#[test]
fn markers_that_controller_gen_ignores_are_reported_at_their_names() {
    let mut editor = Editor::open(TYPES);
    editor.findings();
    editor.edit("validation:Maximum", "validation:Maxmum");
    let found = editor.findings();
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].0, "kubebuilder:validation:Maxmum");
    assert!(found[0].1.contains("write `kubebuilder:validation:Maximum`"), "{found:?}");
}

#[test]
fn errors_of_controller_gen_are_reported() {
    let mut editor = Editor::open(TYPES);
    editor.findings();
    editor.edit("Maximum=100", "Maximum=many");
    let found = editor.findings();
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].0, "many");
    assert!(found[0].1.ends_with("takes a number, not `many`; write a number"), "{found:?}");
    editor.edit("\t// +kubebuilder:validation:Maximum=many\n", "");
    editor.edit(
        "\tMode Mode",
        "\t// +kubebuilder:validation:MaxLength=3\n\tCount int32 `json:\"count,omitempty\"`\n\tMode Mode",
    );
    let found = editor.findings();
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].1.starts_with("`kubebuilder:validation:MaxLength` applies to strings"), "{found:?}");
}

#[test]
fn errors_of_go_are_left_to_gopls_if_the_editor_asks_for_it() {
    let mut editor = Editor::open(TYPES);
    assert_eq!(editor.findings(), []);
    let mode = "\tMode Mode `json:\"mode,omitempty\"`";
    let far = "import far \"example.org/far\"\n\n// Far is far.\ntype Far struct {\n\tX far.X `json:\"x\"`\n}\n\n// Thing is one.";
    let edits = [
        (mode, "\tMode Moda `json:\"mode,omitempty\"`"),
        (mode, "\tMode metav1.Mode `json:\"mode,omitempty\"`"),
        (mode, "\tMode modes.Mode `json:\"mode,omitempty\"`"),
        (mode, "\tMode Mode `json:\"mode,omitempty\"`\n\n\tOther Mode `json:\"mode,omitempty\"`"),
        (mode, "\tMode, Other Mode `json:\"mode,omitempty\"`"),
        (mode, "\tmode Mode `json:\"mode,omitempty\"`"),
        (mode, "\tMode Mode `json:\"mode, omitempty\"`"),
        (mode, "\tMode Mode `json:\"mode,omitempty\"`\n\n\tOther string `json:other`"),
        (mode, "\tMode Mode `json:\"mode,omitempty\"`\n\n\tOther map[[]int]string `json:\"other\"`"),
        (mode, "\tMode Mode `json:\"mode,omitempty\"`\n\n\tOther map[Modes]string `json:\"other\"`"),
        ("// Thing is one.", far),
    ];
    for (from, to) in edits {
        editor.edit(from, to);
        assert_ne!(editor.findings(), [], "{to}");
        editor.edit(to, from);
    }
    editor.client.notify("workspace/didChangeConfiguration", json!({"settings": {"goErrors": false}}));
    for (from, to) in edits {
        editor.edit(from, to);
        assert_eq!(editor.findings(), [], "{to}");
        editor.edit(to, from);
    }
    editor.edit("mode,omitempty", "mode, omitempty");
    assert_eq!(editor.titles("mode, omit"), ["Change ` omitempty` to `omitempty`"], "gopls has no such fix");
}

#[test]
fn a_text_with_syntax_errors_keeps_the_last_findings_and_adds_none() {
    let mut editor = Editor::open(TYPES);
    editor.edit("self.size\"", "self.sise\"");
    assert_eq!(editor.findings().len(), 1);
    editor.edit("\tMinimum int32 `json:\"minimum\"`", "\tMinimum int32 `json:\"minimum\"\n\t}}");
    let found = editor.findings();
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].0, "sise");
}

/// Findings on a line do not apply after the line has changed.
#[test]
fn an_edited_line_has_no_earlier_findings_while_the_text_is_broken() {
    let mut editor = Editor::open(TYPES);
    editor.edit("self.size\"", "self.sise\"");
    assert_eq!(editor.findings().len(), 1);
    editor.edit("self.sise\"", "self.size");
    let found = editor.findings();
    assert!(found.iter().all(|(_, message)| !message.contains("sise")), "{found:?}");
}

/// If one package of a group cannot be generated, the definition of its version is kept.
#[test]
fn a_rejected_marker_removes_no_version() {
    let other = TYPES
        .replace("package v1", "package v2")
        .replace("Mode Mode", "Mode string")
        .replace("// Thing is one.", "// Thing is one.\n// +kubebuilder:storageversion");
    let mut editor = Editor::with(TYPES, &[("api/v2/types.go", &other)]);
    editor.edit("self.size\"", "self.sise\"");
    assert_eq!(editor.findings().len(), 1);
    editor.edit("Maximum=100", "Maximum=");
    let found: Vec<String> = editor.findings().into_iter().map(|(text, _)| text).collect();
    assert_eq!(found, ["sise", "kubebuilder:validation:Maximum"], "v1 is what it was");
}

/// The default is rejected only because the keyword is wrong.
#[test]
fn a_default_has_no_finding_of_a_wrong_keyword() {
    let field = "\t// +kubebuilder:default=fast\n\t// +kubebuilder:validation:Pattern=`^[a-z]+$`\n\tPace string `json:\"pace,omitempty\"`\n\n\
                 \t// +kubebuilder:default=slow\n\t// +kubebuilder:validation:Enum=slow;quick\n\tTurn string `json:\"turn,omitempty\"`\n\n\
                 \t// +kubebuilder:default=a\n\t// +kubebuilder:validation:XValidation:rule=\"self == 'a'\"\n\tWord string `json:\"word,omitempty\"`\n}\n";
    let mut editor = Editor::open(&format!("{}{field}", TYPES.trim_end().trim_end_matches('}')));
    assert_eq!(tokens(&mut editor), Vec::<String>::new());
    for (from, to, token) in [
        ("`^[a-z]+$`", "`^(?!x)[a-z]+$`", "(?!"),
        ("slow;quick", "slow quick", "slow quick"),
        ("self == 'a'", "self = 'a'", "="),
    ] {
        editor.edit(from, to);
        assert_eq!(tokens(&mut editor), [token], "{to}");
        editor.edit(to, from);
    }
}

/// A kind beside the thing, whose types do not depend on it.
const OTHER_KIND: &str = r#"
// Box is another.
type Box struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec BoxSpec `json:"spec"`
}

// +kubebuilder:validation:XValidation:rule="self.height > 0",message="flat"
type BoxSpec struct {
	Height int32 `json:"height"`
}
"#;

/// The tokens of the findings.
fn tokens(editor: &mut Editor) -> Vec<String> {
    editor.findings().into_iter().map(|(token, _)| token).collect()
}

#[test]
fn a_repaired_finding_disappears_while_a_marker_is_rejected() {
    let mut editor = Editor::open(TYPES);
    editor.edit("self.size\"", "self.sise\"");
    assert_eq!(tokens(&mut editor), ["sise"]);
    editor.edit("Maximum=100", "Maximum=");
    assert_eq!(tokens(&mut editor), ["sise", "kubebuilder:validation:Maximum"]);
    editor.edit("Size int32", "Sise int32");
    editor.edit("json:\"size\"", "json:\"sise\"");
    assert_eq!(tokens(&mut editor), ["kubebuilder:validation:Maximum"], "the field now has the name");
}

#[test]
fn a_rejected_marker_hides_no_finding_of_another_kind() {
    let text = format!("{TYPES}{OTHER_KIND}").replace("Maximum=100", "Maximum=");
    let mut editor = Editor::open(&text);
    assert_eq!(tokens(&mut editor), ["kubebuilder:validation:Maximum"]);
    editor.edit("self.height", "self.heigth");
    assert_eq!(tokens(&mut editor), ["kubebuilder:validation:Maximum", "heigth"]);
    let titles = editor.titles("self.heigth");
    assert!(titles.iter().any(|title| title.contains("height")), "{titles:?}");
    editor.edit("self.heigth", "self.height");
    assert_eq!(tokens(&mut editor), ["kubebuilder:validation:Maximum"]);
}

/// No generation without the rejected marker precedes this one.
#[test]
fn a_file_that_opens_with_a_rejected_marker_has_its_other_findings() {
    let text = TYPES.replace("Maximum=100", "Maximum=").replace("self.size\"", "self.sise\"");
    let mut editor = Editor::open(&text);
    assert_eq!(tokens(&mut editor), ["sise", "kubebuilder:validation:Maximum"]);
}

/// The rule is too expensive only because the marker is rejected.
#[test]
fn a_rejected_marker_adds_no_finding_that_follows_from_it() {
    let list = "\t// +kubebuilder:validation:MaxItems=10\n\tNames []Name `json:\"names,omitempty\"`\n}\n\n\
                // +kubebuilder:validation:MaxLength=10\ntype Name string\n";
    let text = format!("{}{list}", TYPES.trim_end().trim_end_matches('}'));
    let rule = "!has(self.names) || self.names.all(n, self.names.exists_one(m, m.contains(n)))";
    let mut editor = Editor::open(&text.replace("self.minimum <= self.size", rule));
    assert_eq!(tokens(&mut editor), Vec::<String>::new());
    editor.edit("MaxItems=10", "MaxItems=");
    assert_eq!(tokens(&mut editor), ["kubebuilder:validation:MaxItems"]);
}

#[test]
fn other_files_of_the_package_follow_an_edit() {
    let mut editor = Editor::open(TYPES);
    assert_eq!(editor.findings(), []);
    let modes = editor.uri("api/v1/modes.go");
    let text = MODES.replace("string", "string // one");
    editor.client.open_as(&modes, "go", &text);
    assert_eq!(editor.client.diagnostics(&modes, 1), json!([]));
    // A default that the type in the other file does not allow.
    editor.edit("\tMode Mode", "\t// +kubebuilder:default=medium\n\tMode Mode");
    let found = editor.findings();
    assert!(!found.is_empty());
    assert_eq!(found[0].0, "medium", "{found:?}");
}

#[test]
fn a_sample_breaks_when_the_type_is_edited() {
    let mut editor = Editor::open(TYPES);
    assert_eq!(editor.findings(), []);
    let sample = editor.uri("sample.yaml");
    editor.client.open_as(&sample, "yaml", SAMPLE);
    let wait_for_finding = |editor: &mut Editor, wanted: &str| {
        let uri = editor.uri("sample.yaml");
        editor.client.wait_for(wanted, |message| {
            message["params"]["uri"] == uri && message["params"]["diagnostics"].to_string().contains(wanted)
        })
    };
    editor.edit("Minimum=1\n", "Minimum=7\n");
    wait_for_finding(&mut editor, "should be greater than or equal to 7");
    // "Go to definition" on a field leads to the field in Go.
    let at = json!({"textDocument": {"uri": sample}, "position": {"line": 3, "character": 8}});
    let found = editor.client.ask("textDocument/definition", at);
    assert_eq!(found["uri"], editor.types(), "{found}");
    assert_eq!(editor.at(&found["range"]), "size");
}

#[test]
fn an_earlier_generated_file_is_ignored_while_the_go_file_is_open() {
    let committed = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  annotations:\n    \
                     controller-gen.kubebuilder.io/version: v0.20.0\n  name: things.a.example.com\nspec:\n  group: a.example.com\n  \
                     names: {kind: Thing, listKind: ThingList, plural: things, singular: thing}\n  scope: Namespaced\n  versions:\n  \
                     - name: v1\n    served: true\n    storage: true\n    schema:\n      openAPIV3Schema:\n        type: object\n        \
                     properties:\n          spec:\n            type: object\n            properties:\n              size: {type: string}\n";
    let mut editor = Editor::with(TYPES, &[("config/crd/bases/a.example.com_things.yaml", committed)]);
    assert_eq!(editor.findings(), []);
    let sample = editor.uri("sample.yaml");
    editor.client.open_as(&sample, "yaml", SAMPLE);
    editor.client.wait_for("a sample without findings", |message| {
        message["params"]["uri"] == sample && message["params"]["diagnostics"] == json!([])
    });
}

#[test]
fn a_breaking_change_is_reported_at_the_marker_that_causes_it() {
    let mut editor = Editor::committed(TYPES);
    assert_eq!(editor.findings(), []);
    editor.edit("Maximum=100", "Maximum=50");
    let found = editor.findings();
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].0, "50");
    assert!(found[0].1.contains("`.spec.size`"), "{found:?}");
    editor.edit("Maximum=50", "Maximum=200");
    assert_eq!(editor.findings(), []);
    let rules = "rule=\"self.minimum <= self.size\",message=\"too small\"";
    let more = format!("rule=\"self.size > 1\"\n// +kubebuilder:validation:XValidation:{rules}");
    editor.edit(rules, &more);
    let found = editor.findings();
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].0 == "\"self.size > 1\"" && found[0].1.contains("was added"), "{found:?}");
}

#[test]
fn a_marker_and_a_field_show_their_generated_schema() {
    let mut editor = Editor::open(TYPES);
    let marker = editor.hover("validation:Maxim");
    assert!(marker.contains("Sets `maximum`") && marker.contains("maximum: 100"), "{marker}");
    assert!(marker.contains("[`resource/bounds`](https://"), "{marker}");
    let field = editor.hover("\tSiz");
    assert!(field.contains("`spec.size`") && field.contains("format: int32"), "{field}");
    let kind = editor.hover("type ThingSp");
    assert!(kind.contains("x-kubernetes-validations"), "{kind}");
}

#[test]
fn an_expression_has_hover_completion_and_definition() {
    let mut editor = Editor::open(TYPES);
    let hover = editor.hover("self.minimum <= self.si");
    assert!(hover.contains("int"), "{hover}");
    let found = editor.ask("textDocument/definition", "self.minimum <= self.si");
    assert_eq!((&found["uri"], editor.at(&found["range"])), (&json!(editor.types()), "size".to_owned()));
    editor.edit("self.minimum <= self.size", "self.minimum <= self.");
    let fields = editor.labels("<= self.");
    assert_eq!(fields.get(..3).unwrap_or_default(), ["minimum", "mode", "size"], "{fields:?}");
}

#[test]
fn an_expression_is_completed_before_its_quote_is_closed() {
    let mut editor = Editor::open(TYPES);
    assert_eq!(editor.findings(), []);
    editor.edit("self.minimum <= self.size\",message=\"too small\"", "self.");
    let fields = editor.labels("rule=\"self.");
    assert_eq!(fields.get(..3).unwrap_or_default(), ["minimum", "mode", "size"], "{fields:?}");
}

#[test]
fn quotes_are_written_as_the_marker_needs_them() {
    let mut editor = Editor::open(TYPES);
    editor.edit("self.minimum <= self.size", "self.mode == ");
    let list = editor.ask("textDocument/completion", "self.mode == ");
    let fast = list.as_array().unwrap().iter().find(|item| item["label"].as_str().unwrap().contains("fast"));
    let text = fast.unwrap()["textEdit"]["newText"].as_str().unwrap().to_owned();
    assert!(text == "'fast'" || text == "\\\"fast\\\"", "{text}");
}

#[test]
fn a_rule_shows_its_cost_and_its_colours() {
    let mut editor = Editor::open(TYPES);
    editor.findings();
    // The rule is cheap, so its cost would not be shown by default.
    let settings = json!({"settings": {"crd-ls": {"inlayHints": {"costFrom": 0}}}});
    editor.client.notify("workspace/didChangeConfiguration", settings);
    let document = json!({"uri": editor.types()});
    let range = json!({"start": {"line": 0, "character": 0}, "end": {"line": 60, "character": 0}});
    let hints =
        editor.client.ask("textDocument/inlayHint", json!({"textDocument": document, "range": range}));
    assert_eq!(hints.as_array().unwrap().len(), 1, "{hints}");
    let tokens = editor.client.ask("textDocument/semanticTokens/full", json!({"textDocument": document}));
    // self . minimum <= self . size
    assert!(tokens["data"].as_array().unwrap().len() >= 5 * 5, "{tokens}");
}

#[test]
fn the_generated_definition_is_shown() {
    let mut editor = Editor::open(TYPES);
    let shown = editor.execute("crd-ls.preview.generated", json!({}));
    assert!(shown.as_str().unwrap().contains("kind: CustomResourceDefinition"), "{shown}");
}

/// Fields and rules of the pages lead to Go; those that another file declares lead to their kind.
#[test]
fn pages_of_a_definition_link_to_go() {
    let mut editor = Editor::open(TYPES);
    let model = editor.execute("crd-ls.model", json!({}));
    let cell_of = |path: &str| {
        let fields = model[0]["fields"].as_array().unwrap();
        &fields.iter().find(|field| field["path"] == path).unwrap()["versions"][0]
    };
    let following = |place: &Value| {
        let line = TYPES.lines().nth(place["line"].as_u64().unwrap() as usize).unwrap();
        &line[place["character"].as_u64().unwrap() as usize..]
    };
    assert_eq!(following(&cell_of(".spec.size")["place"]), "size\"`");
    let rule = "self.minimum <= self.size\",message=\"too small\"";
    assert_eq!(following(&cell_of(".spec")["rules"][0]["place"]), rule);
    assert_eq!(following(&cell_of(".kind")["place"]), "Thing struct {");
    let page = editor.execute("crd-ls.page.schema", json!({}));
    assert!(page.as_str().unwrap().contains(".spec.size"), "{page}");
}

/// Rules on Go have pages as well.
#[test]
fn a_finding_is_explained() {
    let mut editor = Editor::open(TYPES);
    let page = editor.execute("crd-ls.explain", json!({"code": "go/marker-position"}));
    assert!(page.as_str().unwrap().contains("go/marker-position"), "{page}");
}

#[test]
fn other_packages_have_no_findings() {
    let mut editor = Editor::open("package main\n\nfunc main() {}\n");
    assert_eq!(editor.findings(), []);
    assert_eq!(editor.ask("textDocument/hover", "func ma"), Value::Null);
}

#[test]
fn the_tags_of_the_call_are_used_in_the_editor() {
    let modes = "//go:build extra\n\npackage v1\n\n// +kubebuilder:validation:Enum=fast;slow\ntype Mode string\n\ntype Modes []Mode\n";
    let makefile = "manifests:\n\tcontroller-gen --load-build-tags=extra crd paths=./... output:crd:dir=config/crd/bases\n";
    let mut editor = Editor::with(TYPES, &[("api/v1/modes.go", modes), ("Makefile", makefile)]);
    // Without the tag there is no such type.
    assert_eq!(editor.findings(), []);
}

#[test]
fn a_call_in_the_settings_is_used_once_it_is_saved() {
    let mut editor = Editor::open(&TYPES.replace("Minimum int32", "Minimum float64"));
    assert!(editor.findings()[0].1.contains("float"), "{:?}", editor.findings());
    let settings = editor.folder.path().join(".crd-ls.toml");
    fs::write(&settings, "[go]\ncalls = [\"crd:allowDangerousTypes=true\"]\n").unwrap();
    let changes = json!([{"uri": editor.uri(".crd-ls.toml"), "type": 1}]);
    editor.client.notify("workspace/didChangeWatchedFiles", json!({"changes": changes}));
    editor.edit("Thing is one", "Thing is another");
    assert_eq!(editor.findings(), []);
}
