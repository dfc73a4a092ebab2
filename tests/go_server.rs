//! Go files in an editor, on the real program: what is generated of them while they are typed, and what is asked in markers.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod support {
    pub(crate) mod client;
    pub(crate) mod go_module;
    pub(crate) mod repository;
}

use git2::Repository;
use serde_json::{Value, json};
use support::client::Client;
use support::go_module;
use support::repository::commit_all;
use tempfile::TempDir;

const TYPES: &str = r#"// +groupName=a.example.com
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Thing is one.
// +kubebuilder:subresource:status
type Thing struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// Spec is what is wanted.
	Spec ThingSpec `json:"spec"`
}

// +kubebuilder:validation:XValidation:rule="self.minimum <= self.size",message="too small"
type ThingSpec struct {
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:Maximum=100
	Size int32 `json:"size"`

	Minimum int32 `json:"minimum"`

	Mode Mode `json:"mode,omitempty"`
}
"#;

const MODES: &str =
    "package v1\n\n// +kubebuilder:validation:Enum=fast;slow\ntype Mode string\n\ntype Modes []Mode\n";

const SAMPLE: &str =
    "apiVersion: a.example.com/v1\nkind: Thing\nmetadata: {name: a}\nspec: {size: 5, minimum: 1}\n";

/// A module in a repository with an editor that has its types open.
struct Editor {
    folder: TempDir,
    client: Client,
    text: String,
    version: i32,
}

impl Editor {
    fn open(text: &str) -> Self {
        Self::with(text, &[])
    }

    /// The same with further files.
    fn with(text: &str, files: &[(&str, &str)]) -> Self {
        Self::start(text, files, false)
    }

    /// The same in a git repository in which all of it is committed.
    fn committed(text: &str) -> Self {
        Self::start(text, &[], true)
    }

    fn start(text: &str, files: &[(&str, &str)], is_committed: bool) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        go_module::write(&root, "example.com/a");
        let put = |path: &str, text: &str| go_module::put(&root, path, text);
        put("api/v1/types.go", text);
        put("api/v1/modes.go", MODES);
        put("sample.yaml", SAMPLE);
        if is_committed {
            commit_all(&Repository::init(&root).unwrap());
        } else {
            put(".git/HEAD", "ref: refs/heads/main\n");
        }
        files.iter().for_each(|(path, text)| put(path, text));
        let mut client = Client::start_with("GOMODCACHE", &root.join("none"));
        let capabilities = json!({"textDocument": {
            "hover": {"contentFormat": ["markdown"]},
            "completion": {"completionItem": {"snippetSupport": true}},
        }});
        let folders = json!([{"uri": format!("file://{}", root.display()), "name": "a"}]);
        let params = json!({"processId": null, "rootUri": null, "workspaceFolders": folders, "capabilities": capabilities});
        client.ask("initialize", params);
        client.notify("initialized", json!({}));
        let mut editor = Self { folder, client, text: text.to_owned(), version: 1 };
        let uri = editor.uri("api/v1/types.go");
        editor.client.open_as(&uri, "go", text);
        editor
    }

    fn uri(&self, path: &str) -> String {
        format!("file://{}/{path}", self.folder.path().canonicalize().unwrap().display())
    }

    fn types(&self) -> String {
        self.uri("api/v1/types.go")
    }

    /// Replaces what stands there once.
    fn edit(&mut self, from: &str, to: &str) {
        assert_eq!(self.text.matches(from).count(), 1, "{from}");
        self.text = self.text.replace(from, to);
        self.version += 1;
        let document = json!({"uri": self.types(), "version": self.version});
        let changes = json!([{"text": self.text}]);
        self.client
            .notify("textDocument/didChange", json!({"textDocument": document, "contentChanges": changes}));
    }

    /// The text and the message of each finding.
    fn findings(&mut self) -> Vec<(String, String)> {
        let (uri, version) = (self.types(), self.version);
        let all = self.client.diagnostics(&uri, version);
        all.as_array().unwrap().iter().map(|one| (self.at(&one["range"]), first_line(one))).collect()
    }

    fn at(&self, range: &Value) -> String {
        let line = self.text.lines().nth(range["start"]["line"].as_u64().unwrap() as usize).unwrap();
        let column = |place: &str| range[place]["character"].as_u64().unwrap() as usize;
        line[column("start")..column("end")].to_owned()
    }

    /// What a command answers of the types, with further arguments.
    fn execute(&mut self, command: &str, mut argument: Value) -> Value {
        argument["uri"] = json!(self.types());
        self.client.ask("workspace/executeCommand", json!({"command": command, "arguments": [argument]}))
    }

    /// The parameters of a question at the end of `before`, which stands once in the text.
    fn place(&self, before: &str) -> Value {
        assert_eq!(self.text.matches(before).count(), 1, "{before}");
        let upto = &self.text[..self.text.find(before).unwrap() + before.len()];
        let line = upto.matches('\n').count();
        let character = upto.rsplit('\n').next().unwrap().len();
        json!({"textDocument": {"uri": self.types()}, "position": {"line": line, "character": character}})
    }

    fn ask(&mut self, method: &str, before: &str) -> Value {
        let place = self.place(before);
        self.client.ask(method, place)
    }

    /// The quick-fixes on the line of a place.
    fn actions(&mut self, before: &str) -> Vec<Value> {
        self.actions_of(before, "quickfix")
    }

    /// The actions of one kind at the end of `before`.
    fn actions_of(&mut self, before: &str, kind: &str) -> Vec<Value> {
        let place = self.place(before);
        let range = json!({"start": place["position"], "end": place["position"]});
        let params = json!({"textDocument": place["textDocument"], "range": range,
            "context": {"diagnostics": [], "only": [kind]}});
        self.client.ask("textDocument/codeAction", params).as_array().cloned().unwrap_or_default()
    }

    fn titles(&mut self, before: &str) -> Vec<String> {
        self.actions(before).iter().map(|action| action["title"].as_str().unwrap().to_owned()).collect()
    }

    /// The text after an action.
    fn applied(&self, action: &Value) -> String {
        let (uri, edit) = (self.types(), &action["edit"]);
        let edits = edit["changes"][&uri]
            .as_array()
            .cloned()
            .unwrap_or_else(|| edit["documentChanges"][0]["edits"].as_array().cloned().unwrap());
        let offset = |place: &Value| {
            let line = place["line"].as_u64().unwrap() as usize;
            let before: usize = self.text.split_inclusive('\n').take(line).map(str::len).sum();
            before + place["character"].as_u64().unwrap() as usize
        };
        let mut edits: Vec<(usize, usize, String)> = edits
            .iter()
            .map(|edit| {
                let range = &edit["range"];
                (offset(&range["start"]), offset(&range["end"]), edit["newText"].as_str().unwrap().to_owned())
            })
            .collect();
        edits.sort_by_key(|(start, ..)| std::cmp::Reverse(*start));
        let mut text = self.text.clone();
        edits.into_iter().for_each(|(start, end, new)| text.replace_range(start..end, &new));
        text
    }

    /// Has another text from now on.
    fn edit_to(&mut self, text: String) {
        let before = std::mem::take(&mut self.text);
        self.text = before.clone();
        self.edit(&before, &text);
    }

    fn hover(&mut self, before: &str) -> String {
        self.ask("textDocument/hover", before)["contents"]["value"].as_str().unwrap_or("").to_owned()
    }

    fn labels(&mut self, before: &str) -> Vec<String> {
        let list = self.ask("textDocument/completion", before);
        let all = list.as_array().map(Vec::as_slice).unwrap_or_default();
        all.iter().map(|item| item["label"].as_str().unwrap().to_owned()).collect()
    }
}

fn first_line(diagnostic: &Value) -> String {
    diagnostic["message"].as_str().unwrap().lines().next().unwrap().to_owned()
}

/// The release whose API server judges what is generated.
#[test]
fn a_go_file_has_a_kubernetes_version() {
    let mut editor = Editor::open(TYPES);
    let document = json!({"textDocument": {"uri": editor.types()}});
    assert_eq!(editor.client.ask("crd-ls/kubernetesVersion", document), "1.37");
}

#[test]
fn a_sound_file_has_no_findings() {
    assert_eq!(Editor::open(TYPES).findings(), []);
}

#[test]
fn findings_on_what_is_generated_stand_at_the_tokens_of_the_buffer() {
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
fn markers_that_controller_gen_passes_over_are_told_at_their_names() {
    let mut editor = Editor::open(TYPES);
    editor.findings();
    editor.edit("validation:Maximum", "validation:Maxmum");
    let found = editor.findings();
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].0, "kubebuilder:validation:Maxmum");
    assert!(found[0].1.contains("write `kubebuilder:validation:Maximum`"), "{found:?}");
}

#[test]
fn what_controller_gen_reports_is_told() {
    let mut editor = Editor::open(TYPES);
    editor.findings();
    editor.edit("Maximum=100", "Maximum=many");
    let found = editor.findings();
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].1.starts_with("controller-gen: "), "{found:?}");
}

#[test]
fn errors_of_go_are_left_to_gopls_where_the_editor_says_so() {
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
fn a_text_that_is_no_go_just_now_keeps_the_last_findings_and_adds_none() {
    let mut editor = Editor::open(TYPES);
    editor.edit("self.size\"", "self.sise\"");
    assert_eq!(editor.findings().len(), 1);
    editor.edit("\tMinimum int32 `json:\"minimum\"`", "\tMinimum int32 `json:\"minimum\"\n\t}}");
    let found = editor.findings();
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].0, "sise");
}

#[test]
fn other_files_of_the_package_follow_an_edit() {
    let mut editor = Editor::open(TYPES);
    assert_eq!(editor.findings(), []);
    let modes = editor.uri("api/v1/modes.go");
    let text = MODES.replace("string", "string // one");
    editor.client.open_as(&modes, "go", &text);
    assert_eq!(editor.client.diagnostics(&modes, 1), json!([]));
    // A default that the type in the other file does not have.
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
    let judged = |editor: &mut Editor, wanted: &str| {
        let uri = editor.uri("sample.yaml");
        editor.client.wait_for(wanted, |message| {
            message["params"]["uri"] == uri && message["params"]["diagnostics"].to_string().contains(wanted)
        })
    };
    editor.edit("Minimum=1\n", "Minimum=7\n");
    judged(&mut editor, "should be greater than or equal to 7");
    // The definition of a field is the field in Go.
    let at = json!({"textDocument": {"uri": sample}, "position": {"line": 3, "character": 8}});
    let found = editor.client.ask("textDocument/definition", at);
    assert_eq!(found["uri"], editor.types(), "{found}");
    assert_eq!(editor.at(&found["range"]), "size");
}

#[test]
fn what_was_generated_earlier_does_not_count_beside_the_buffer() {
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
fn a_breaking_change_is_told_at_the_marker_that_makes_it() {
    let mut editor = Editor::committed(TYPES);
    assert_eq!(editor.findings(), []);
    editor.edit("Maximum=100", "Maximum=50");
    let found = editor.findings();
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].0, "50");
    assert!(found[0].1.contains("`.spec.size`"), "{found:?}");
    editor.edit("Maximum=50", "Maximum=200");
    assert_eq!(editor.findings(), []);
}

#[test]
fn names_arguments_and_values_of_markers_are_proposed() {
    let mut editor = Editor::open(TYPES);
    editor.edit("\tMinimum int32", "\t// +kubebuilder:validation:MaxL\n\tMinimum int32");
    let names = editor.labels("validation:MaxL");
    assert_eq!(names[0], "+kubebuilder:validation:MaxLength", "{names:?}");
    assert!(names.iter().any(|name| name == "+optional"), "{names:?}");
    editor.edit("validation:MaxL\n", "validation:Format=\n");
    let values = editor.labels("validation:Format=");
    assert!(values.contains(&"date-time".to_owned()), "{values:?}");
    editor.edit("message=\"too small\"", "");
    let arguments = editor.labels("self.size\",");
    assert_eq!(arguments, ["message", "messageExpression", "reason", "fieldPath", "optionalOldSelf"]);
}

#[test]
fn a_marker_and_a_field_show_what_is_generated_of_them() {
    let mut editor = Editor::open(TYPES);
    let marker = editor.hover("validation:Maxim");
    assert!(marker.contains("Sets `maximum`") && marker.contains("maximum: 100"), "{marker}");
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
    // The rule is cheap.
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

/// Fields and rules of the pages lead to Go; what is declared in another file leads to its kind.
#[test]
fn pages_of_a_definition_lead_to_go() {
    let mut editor = Editor::open(TYPES);
    let model = editor.execute("crd-ls.model", json!({}));
    let said = |path: &str| {
        let fields = model[0]["fields"].as_array().unwrap();
        &fields.iter().find(|field| field["path"] == path).unwrap()["versions"][0]
    };
    let behind = |place: &Value| {
        let line = TYPES.lines().nth(place["line"].as_u64().unwrap() as usize).unwrap();
        &line[place["character"].as_u64().unwrap() as usize..]
    };
    assert_eq!(behind(&said(".spec.size")["place"]), "size\"`");
    let rule = "self.minimum <= self.size\",message=\"too small\"";
    assert_eq!(behind(&said(".spec")["rules"][0]["place"]), rule);
    assert_eq!(behind(&said(".kind")["place"]), "Thing struct {");
    let page = editor.execute("crd-ls.page.schema", json!({}));
    assert!(page.as_str().unwrap().contains(".spec.size"), "{page}");
}

/// Rules of Go have pages, too.
#[test]
fn a_finding_is_explained() {
    let mut editor = Editor::open(TYPES);
    let page = editor.execute("crd-ls.explain", json!({"code": "go/marker-position"}));
    assert!(page.as_str().unwrap().contains("go/marker-position"), "{page}");
}

#[test]
fn nothing_is_said_of_other_packages() {
    let mut editor = Editor::open("package main\n\nfunc main() {}\n");
    assert_eq!(editor.findings(), []);
    assert_eq!(editor.ask("textDocument/hover", "func ma"), Value::Null);
}

#[test]
fn what_repairs_a_definition_is_offered_as_an_edit_of_go() {
    let mut editor = Editor::open(TYPES);
    assert_eq!(editor.findings(), []);
    editor
        .edit("\tMode Mode", "\t// +listType=map\n\tHosts []Host `json:\"hosts,omitempty\"`\n\n\tMode Mode");
    editor
        .edit("// Thing is one.", "type Host struct {\n\tName string `json:\"name\"`\n}\n\n// Thing is one.");
    let found = editor.findings();
    assert_eq!(found.len(), 1, "{found:?}");
    let titles = editor.titles("+listType=ma");
    assert!(!titles.is_empty(), "{found:?}");
    let actions = editor.actions("+listType=ma");
    let text = editor.applied(&actions[0]);
    editor.edit_to(text);
    assert_eq!(editor.findings(), [], "{}", editor.text);
}

/// The finding is at the list's type, where the API server names the items.
#[test]
fn a_fix_is_offered_where_its_finding_is() {
    let mut editor = Editor::open(TYPES);
    assert_eq!(editor.findings(), []);
    editor
        .edit("\tMode Mode", "\t// +listType=set\n\tHosts []Host `json:\"hosts,omitempty\"`\n\n\tMode Mode");
    editor
        .edit("// Thing is one.", "type Host struct {\n\tName string `json:\"name\"`\n}\n\n// Thing is one.");
    let found: Vec<String> = editor.findings().into_iter().map(|(at, _)| at).collect();
    assert_eq!(found, ["set", "set"]);
    let titles = editor.titles("+listType=se");
    let atomic = "Set `x-kubernetes-map-type: atomic` on the items";
    assert!(titles.iter().any(|title| title == atomic), "{titles:?}");
}

/// What is applied on save, as for definitions in YAML.
#[test]
fn all_safe_fixes_are_applied_at_once() {
    let mut editor = Editor::open(TYPES);
    assert_eq!(editor.findings(), []);
    editor.edit("+kubebuilder:validation:Minimum=1", "+kubebuilder:validation:Minimun=1");
    editor.edit("+kubebuilder:validation:Maximum=100", "+kubebuilder:validation:maximum=100");
    assert_eq!(editor.findings().len(), 2);
    let actions = editor.actions_of("package v", "source.fixAll");
    assert_eq!(actions[0]["title"], "Apply all safe fixes in the file");
    assert_eq!(editor.applied(&actions[0]), TYPES);
}

#[test]
fn a_rule_is_formatted_within_its_quotes() {
    let mut editor = Editor::open(TYPES);
    assert_eq!(editor.findings(), []);
    editor.edit("self.minimum <= self.size", "self.minimum<=self.size&&  self.mode!=\\\"slow\\\"");
    editor.findings();
    let actions = editor.actions_of("self.min", "refactor.rewrite");
    assert_eq!(actions[0]["title"], "Format this rule");
    let text = editor.applied(&actions[0]);
    assert!(
        text.contains("rule=\"self.minimum <= self.size && self.mode != \\\"slow\\\"\",message"),
        "{text}"
    );
}

/// A field has another name in its tag, in markers that name it, and in resources; also from a rule.
#[test]
fn a_json_name_is_renamed_through_markers_and_resources() {
    let types = |mode: &str| {
        TYPES
            .replace("// +kubebuilder:subresource:status", &format!("// +kubebuilder:printcolumn:name=Mode,type=string,JSONPath=`.spec.{mode}`"))
            .replace("\t// Spec is", &format!("\t// +kubebuilder:default={{\"{mode}\":\"fast\",\"minimum\":1,\"size\":3}}\n\t// Spec is"))
            .replace("self.minimum <= self.size", &format!("!has(self.{mode}) || self.{mode} == 'fast'"))
            .replace("type ThingSpec struct {", &format!("// +kubebuilder:validation:AtMostOneOf={mode};other\ntype ThingSpec struct {{\n\tOther string `json:\"other,omitempty\"`\n"))
            .replace("json:\"mode", &format!("json:\"{mode}"))
    };
    let sample = "apiVersion: a.example.com/v1\nkind: Thing\nmetadata: {name: b}\nspec: {size: 5, minimum: 1, mode: fast}\n";
    for place in ["json:\"mod", "|| self.mod", "has(self.mo"] {
        let mut editor = Editor::with(&types("mode"), &[("other.yaml", sample)]);
        assert_eq!(editor.findings(), []);
        let prepared = editor.ask("textDocument/prepareRename", place);
        assert_eq!(prepared["placeholder"], "mode", "{prepared}");
        let mut params = editor.place(place);
        params["newName"] = json!("speed");
        let edit = editor.client.ask("textDocument/rename", params);
        assert_eq!(editor.applied(&json!({"edit": edit})), types("speed"));
        let changes = edit["changes"].as_object().unwrap();
        assert_eq!(changes.len(), 2, "{edit}");
        assert_eq!(changes[&editor.uri("other.yaml")][0]["newText"], "speed", "{edit}");
    }
}

/// The required properties come in another order then.
#[test]
fn a_required_field_is_renamed() {
    let mut editor = Editor::open(TYPES);
    assert_eq!(editor.findings(), []);
    let mut params = editor.place("json:\"minim");
    params["newName"] = json!("z");
    let edit = editor.client.ask("textDocument/rename", params);
    let expected = TYPES.replace("json:\"minimum", "json:\"z").replace("self.minimum", "self.z");
    assert_eq!(editor.applied(&json!({"edit": edit})), expected);
    assert_eq!(edit["changes"][editor.uri("sample.yaml")][0]["newText"], "z", "{edit}");
}

/// Names of Go are gopls's.
#[test]
fn what_is_no_json_name_is_not_renamed() {
    let mut editor = Editor::open(TYPES);
    editor.findings();
    for place in ["\tSize int3", "// Thing is", "type ThingSpe"] {
        assert_eq!(editor.ask("textDocument/prepareRename", place), Value::Null, "{place}");
    }
    let mut params = editor.place("json:\"siz");
    params["newName"] = json!("minimum");
    let (id, request) = editor.client.request("textDocument/rename", params);
    editor.client.send(&[request]);
    let refused = editor.client.answer(id)["error"]["message"].to_string();
    assert!(refused.contains("already has a property `minimum`"), "{refused}");
}

/// Without a group, the domain is to be replaced.
#[test]
fn a_group_that_is_missing_is_added_above_the_package() {
    let mut editor = Editor::open(TYPES);
    assert_eq!(editor.findings(), []);
    editor.edit("// +groupName=a.example.com\n", "");
    assert_eq!(editor.findings()[0].0, "v1");
    let actions = editor.actions("package v");
    let text = editor.applied(&actions[0]);
    assert!(text.starts_with("// +groupName=example.com\npackage v1\n"), "{text}");
}

/// A rule that does not compile hides what else is wrong with it, which is no reason against the fix.
#[test]
fn a_misspelled_field_is_repaired_though_more_is_to_be_repaired_then() {
    let mut editor = Editor::open(TYPES);
    assert_eq!(editor.findings(), []);
    editor.edit("self.minimum <= self.size", "self.mod == 'fast'");
    assert_eq!(editor.findings().len(), 1);
    assert_eq!(editor.titles("self.mo"), ["Change `mod` to `mode`"]);
    let actions = editor.actions("self.mo");
    let text = editor.applied(&actions[0]);
    editor.edit_to(text);
    // The field is optional.
    let found = editor.findings();
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].0, "mode");
}

#[test]
fn the_tags_of_the_call_count_in_the_editor() {
    let modes = "//go:build extra\n\npackage v1\n\n// +kubebuilder:validation:Enum=fast;slow\ntype Mode string\n\ntype Modes []Mode\n";
    let makefile = "manifests:\n\tcontroller-gen --load-build-tags=extra crd paths=./... output:crd:dir=config/crd/bases\n";
    let mut editor = Editor::with(TYPES, &[("api/v1/modes.go", modes), ("Makefile", makefile)]);
    // Without the tag there is no such type.
    assert_eq!(editor.findings(), []);
}
