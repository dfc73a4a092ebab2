//! An editor that has Go types open, on the real program.

use git2::Repository;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::client::{Client, uri};
use crate::go_module;
use crate::repository::commit_all;

/// The text of the open types.
pub(crate) const TYPES: &str = r#"// +groupName=a.example.com
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

/// The file beside them.
pub(crate) const MODES: &str =
    "package v1\n\n// +kubebuilder:validation:Enum=fast;slow\ntype Mode string\n\ntype Modes []Mode\n";

/// A resource that the types allow.
pub(crate) const SAMPLE: &str =
    "apiVersion: a.example.com/v1\nkind: Thing\nmetadata: {name: a}\nspec: {size: 5, minimum: 1}\n";

/// A module in a repository with an editor that has its types open.
pub(crate) struct Editor {
    pub(crate) folder: TempDir,
    pub(crate) client: Client,
    pub(crate) text: String,
    version: i32,
}

impl Editor {
    pub(crate) fn open(text: &str) -> Self {
        Self::with(text, &[])
    }

    /// The editor with further files.
    pub(crate) fn with(text: &str, files: &[(&str, &str)]) -> Self {
        Self::start(text, files, false)
    }

    /// The editor in a git repository in which all files are committed.
    pub(crate) fn committed(text: &str) -> Self {
        Self::start(text, &[], true)
    }

    fn start(text: &str, files: &[(&str, &str)], is_committed: bool) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = dunce::canonicalize(folder.path()).unwrap();
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
            "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}, "disabledSupport": true},
            "publishDiagnostics": {"relatedInformation": true},
        }});
        let folders = json!([{"uri": uri(&root), "name": "a"}]);
        let params = json!({"processId": null, "rootUri": null, "workspaceFolders": folders, "capabilities": capabilities});
        client.ask("initialize", params);
        client.notify("initialized", json!({}));
        let mut editor = Self { folder, client, text: text.to_owned(), version: 1 };
        let uri = editor.uri("api/v1/types.go");
        editor.client.open_as(&uri, "go", text);
        editor
    }

    pub(crate) fn uri(&self, path: &str) -> String {
        uri(&dunce::canonicalize(self.folder.path()).unwrap().join(path))
    }

    pub(crate) fn types(&self) -> String {
        self.uri("api/v1/types.go")
    }

    /// Replaces `from`, which occurs exactly once in the text, by `to`.
    pub(crate) fn edit(&mut self, from: &str, to: &str) {
        assert_eq!(self.text.matches(from).count(), 1, "{from}");
        self.text = self.text.replace(from, to);
        self.version += 1;
        let document = json!({"uri": self.types(), "version": self.version});
        let changes = json!([{"text": self.text}]);
        self.client
            .notify("textDocument/didChange", json!({"textDocument": document, "contentChanges": changes}));
    }

    /// The text and the message of each finding.
    pub(crate) fn findings(&mut self) -> Vec<(String, String)> {
        let (uri, version) = (self.types(), self.version);
        let all = self.client.diagnostics(&uri, version);
        all.as_array().unwrap().iter().map(|one| (self.at(&one["range"]), first_line(one))).collect()
    }

    pub(crate) fn at(&self, range: &Value) -> String {
        let line = self.text.lines().nth(range["start"]["line"].as_u64().unwrap() as usize).unwrap();
        let column = |place: &str| range[place]["character"].as_u64().unwrap() as usize;
        line[column("start")..column("end")].to_owned()
    }

    /// The answer to a command for the types, with further arguments.
    pub(crate) fn execute(&mut self, command: &str, mut argument: Value) -> Value {
        argument["uri"] = json!(self.types());
        self.client.ask("workspace/executeCommand", json!({"command": command, "arguments": [argument]}))
    }

    /// The parameters of a request at the end of `before`, which occurs exactly once in the text.
    pub(crate) fn place(&self, before: &str) -> Value {
        assert_eq!(self.text.matches(before).count(), 1, "{before}");
        let upto = &self.text[..self.text.find(before).unwrap() + before.len()];
        let line = upto.matches('\n').count();
        let character = upto.rsplit('\n').next().unwrap().len();
        json!({"textDocument": {"uri": self.types()}, "position": {"line": line, "character": character}})
    }

    pub(crate) fn ask(&mut self, method: &str, before: &str) -> Value {
        let place = self.place(before);
        self.client.ask(method, place)
    }

    /// The quick-fixes on the line of a place.
    pub(crate) fn actions(&mut self, before: &str) -> Vec<Value> {
        self.actions_of(before, "quickfix")
    }

    /// The actions of one kind at the end of `before`.
    pub(crate) fn actions_of(&mut self, before: &str, kind: &str) -> Vec<Value> {
        let place = self.place(before);
        let range = json!({"start": place["position"], "end": place["position"]});
        let params = json!({"textDocument": place["textDocument"], "range": range,
            "context": {"diagnostics": [], "only": [kind]}});
        self.client.ask("textDocument/codeAction", params).as_array().cloned().unwrap_or_default()
    }

    pub(crate) fn titles(&mut self, before: &str) -> Vec<String> {
        self.actions(before).iter().map(|action| action["title"].as_str().unwrap().to_owned()).collect()
    }

    /// The text after an action.
    pub(crate) fn applied(&self, action: &Value) -> String {
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

    /// Replaces the whole text.
    pub(crate) fn edit_to(&mut self, text: String) {
        let before = std::mem::take(&mut self.text);
        self.text = before.clone();
        self.edit(&before, &text);
    }

    pub(crate) fn hover(&mut self, before: &str) -> String {
        self.ask("textDocument/hover", before)["contents"]["value"].as_str().unwrap_or("").to_owned()
    }

    pub(crate) fn labels(&mut self, before: &str) -> Vec<String> {
        let list = self.ask("textDocument/completion", before);
        let all = list.as_array().map(Vec::as_slice).unwrap_or_default();
        all.iter().map(|item| item["label"].as_str().unwrap().to_owned()).collect()
    }
}

fn first_line(diagnostic: &Value) -> String {
    diagnostic["message"].as_str().unwrap().lines().next().unwrap().to_owned()
}
