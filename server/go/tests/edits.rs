//! Changes of definitions as edits of Go: the edited files generate the requested definitions.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

mod answers;

use std::fs;
use std::path::Path;

use answers::ours;
use go::edits::{Preference, SourceEdit, changes};
use go::generate::Outcome;
use go::json::Json;
use go::version::Version;

const TYPES: &str = r#"// +groupName=a.example.com
package v1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Thing is one.
type Thing struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// Names are many.
	// +kubebuilder:validation:MinItems=1
	Names []string `json:"names"`
	Parts []Piece `json:"parts"`
	Labels map[string]string `json:"labels,omitempty"`
	// +kubebuilder:validation:Enum=a;b
	Mode Mode `json:"mode"`
	// +kubebuilder:validation:XValidation:rule="self.size() > 0",message="none"
	// +kubebuilder:validation:XValidation:rule=`self != "x"`
	Rule string `json:"rule"`
	// +optional
	Free string `json:"free,omitempty"`
	Size int32 `json:"size"`
	Part Part `json:"part"`
	// +kubebuilder:default="true"
	Paused string `json:"paused,omitempty"`
	// +kubebuilder:default=fsat
	Speed string `json:"speed,omitempty"`
}

type Mode string

type Part struct {
	Name string `json:"name"`
}

type Piece struct {
	Name string `json:"name"`
}
"#;

/// The outcome for a module with these types.
fn generated(root: &Path) -> Outcome {
    let (_, outcome) = ours(root, "crd paths=./...", Version::NEWEST);
    let outcome = outcome.unwrap();
    assert!(outcome.problems.is_empty(), "{:?}", outcome.problems);
    outcome
}

fn module(types: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let meta =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/go/apimachinery").canonicalize().unwrap();
    let text = format!(
        "module a.example.com/a\n\nrequire k8s.io/apimachinery v0.0.0\n\nreplace k8s.io/apimachinery => {}\n",
        meta.display()
    );
    fs::write(root.join("go.mod"), text).unwrap();
    fs::create_dir(root.join("v1")).unwrap();
    fs::write(root.join("v1/types.go"), types).unwrap();
    folder
}

fn json(outcome: &Outcome) -> Json {
    whole(outcome.files[0].definition.to_json(None))
}

/// A value with its shared parts resolved.
fn whole(json: Json) -> Json {
    match json {
        Json::Shared(shared) => whole(shared.json()),
        Json::List(items) => Json::List(items.into_iter().map(whole).collect()),
        Json::Map(entries) => {
            Json::Map(entries.into_iter().map(|(key, value)| (key, whole(value))).collect())
        }
        json => json,
    }
}

/// A value within JSON.
fn value_at<'j>(json: &'j mut Json, path: &str) -> &'j mut Json {
    let mut json = json;
    for step in path.split('/') {
        json = match json {
            Json::Map(entries) => entries.entry(step.to_owned()).or_insert(Json::Null),
            Json::List(items) => &mut items[step.parse::<usize>().unwrap()],
            other => panic!("{step} in {other:?}"),
        };
    }
    json
}

fn apply(text: &str, edits: &[SourceEdit]) -> String {
    let mut text = text.to_owned();
    for edit in edits.iter().rev() {
        text.replace_range(edit.range.clone(), &edit.text);
    }
    text
}

/// The lines that an edit adds and removes. Asserts that the edited file generates the requested definition.
fn edited(path: &str, value: &str) -> Vec<String> {
    let folder = module(TYPES);
    let root = folder.path().canonicalize().unwrap();
    let outcome = generated(&root);
    let (before, mut after) = (json(&outcome), json(&outcome));
    let path = format!("spec/versions/0/schema/openAPIV3Schema/properties/{path}");
    let (above, key) = path.rsplit_once('/').unwrap();
    match (value_at(&mut after, above), value) {
        (Json::Map(entries), "") => drop(entries.remove(key)),
        (Json::List(items), "") => drop(items.remove(key.parse().unwrap())),
        _ => *value_at(&mut after, &path) = Json::decoded(value).unwrap(),
    }
    let changes = changes(&before, &after);
    let edits = outcome.edits("a.example.com_things.yaml", &changes, Preference::Field).unwrap();
    let text = apply(TYPES, &edits);
    fs::write(root.join("v1/types.go"), &text).unwrap();
    let again = json(&generated(&root));
    assert_eq!(again, after, "{text}");
    let has = |text: &str, line: &str| text.lines().any(|other| other == line);
    let gone = TYPES.lines().filter(|line| !has(&text, line)).map(|line| format!("-{}", line.trim()));
    let new = text.lines().filter(|line| !has(TYPES, line)).map(|line| format!("+{}", line.trim()));
    gone.chain(new).collect()
}

#[test]
fn a_missing_keyword_becomes_a_new_marker() {
    assert_eq!(edited("names/maxItems", "9"), ["+// +kubebuilder:validation:MaxItems=9"]);
    assert_eq!(edited("names/items/maxLength", "9"), ["+// +kubebuilder:validation:items:MaxLength=9"]);
    assert_eq!(edited("names/x-kubernetes-list-type", "\"set\""), ["+// +listType=set"]);
    assert_eq!(edited("labels/maxProperties", "9"), ["+// +kubebuilder:validation:MaxProperties=9"]);
    assert_eq!(edited("rule/default", "\"a b\""), ["+// +kubebuilder:default=\"a b\""]);
    assert_eq!(edited("rule/pattern", "\"^\\\\d+$\""), ["+// +kubebuilder:validation:Pattern=`^\\d+$`"]);
    assert_eq!(
        edited("parts/items/properties/name/maxLength", "9"),
        ["+// +kubebuilder:validation:MaxLength=9"]
    );
}

/// A value that is `false` is written, and a word keeps its form.
#[test]
fn a_default_is_changed_in_its_form() {
    assert_eq!(
        edited("paused/default", "false"),
        ["-// +kubebuilder:default=\"true\"", "+// +kubebuilder:default=false"]
    );
    assert_eq!(
        edited("speed/default", "\"fast\""),
        ["-// +kubebuilder:default=fsat", "+// +kubebuilder:default=fast"]
    );
}

#[test]
fn an_existing_keyword_is_changed_or_removed_with_its_marker() {
    assert_eq!(
        edited("names/minItems", "2"),
        ["-// +kubebuilder:validation:MinItems=1", "+// +kubebuilder:validation:MinItems=2"]
    );
    assert_eq!(edited("names/minItems", ""), ["-// +kubebuilder:validation:MinItems=1"]);
    assert_eq!(
        edited("mode/enum", "[\"a\",\"b\",\"c\"]"),
        ["-// +kubebuilder:validation:Enum=a;b", "+// +kubebuilder:validation:Enum=a;b;c"]
    );
}

#[test]
fn a_rule_changes_within_its_quotes() {
    assert_eq!(
        edited("rule/x-kubernetes-validations/0/rule", "\"self != \\\"y\\\"\""),
        [
            "-// +kubebuilder:validation:XValidation:rule=\"self.size() > 0\",message=\"none\"",
            "+// +kubebuilder:validation:XValidation:rule=\"self != \\\"y\\\"\",message=\"none\""
        ]
    );
    assert_eq!(
        edited("rule/x-kubernetes-validations/1/rule", "\"self != \\\"y\\\"\""),
        [
            "-// +kubebuilder:validation:XValidation:rule=`self != \"x\"`",
            "+// +kubebuilder:validation:XValidation:rule=`self != \"y\"`"
        ]
    );
    assert_eq!(
        edited("rule/x-kubernetes-validations/1/message", "\"no x\""),
        [
            "-// +kubebuilder:validation:XValidation:rule=`self != \"x\"`",
            "+// +kubebuilder:validation:XValidation:rule=`self != \"x\"`,message=\"no x\""
        ]
    );
    assert_eq!(
        edited("rule/x-kubernetes-validations/0/message", ""),
        [
            "-// +kubebuilder:validation:XValidation:rule=\"self.size() > 0\",message=\"none\"",
            "+// +kubebuilder:validation:XValidation:rule=\"self.size() > 0\""
        ]
    );
    assert_eq!(
        edited("rule/x-kubernetes-validations/0", ""),
        ["-// +kubebuilder:validation:XValidation:rule=\"self.size() > 0\",message=\"none\""]
    );
}

/// Annotations and labels are pairs in markers, regardless of other pairs beside them.
#[test]
fn a_pair_is_changed_in_place() {
    let marked = |markers: &str| TYPES.replace("// Thing is one.\n", &format!("// Thing is one.\n{markers}"));
    let of = |markers: &str, which: &str, value: &str| {
        let types = marked(markers);
        let folder = module(&types);
        let root = folder.path().canonicalize().unwrap();
        let outcome = generated(&root);
        let (before, mut after) = (json(&outcome), json(&outcome));
        let which = value_at(&mut after, &format!("metadata/{which}"));
        match (which, Json::decoded(value).unwrap()) {
            (Json::Map(pairs), Json::Map(new)) => {
                pairs.retain(|name, _| name.starts_with("controller-gen"));
                pairs.extend(new);
            }
            other => panic!("{other:?}"),
        }
        let changes = changes(&before, &after);
        let edits = outcome.edits("a.example.com_things.yaml", &changes, Preference::Field).unwrap();
        let text = apply(&types, &edits);
        fs::write(root.join("v1/types.go"), &text).unwrap();
        assert_eq!(json(&generated(&root)).encoded(), after.encoded(), "{text}");
        let markers = text.lines().filter(|line| line.contains("+kubebuilder:metadata"));
        markers
            .map(|line| line.trim_start_matches("// +kubebuilder:metadata:").to_owned())
            .collect::<Vec<_>>()
    };
    let labels =
        "// +kubebuilder:metadata:labels=\"a=1\";\"b=2\"\n// +kubebuilder:metadata:annotations=c=3\n";
    assert_eq!(
        of(labels, "labels", "{\"a\":\"1\",\"d\":\"2\"}"),
        ["labels=\"a=1\";\"d=2\"", "annotations=c=3"]
    );
    assert_eq!(
        of(labels, "labels", "{\"a\":\"4\",\"b\":\"2\"}"),
        ["labels=\"a=4\";\"b=2\"", "annotations=c=3"]
    );
    assert_eq!(of(labels, "labels", "{\"b\":\"2\"}"), ["labels=\"b=2\"", "annotations=c=3"]);
    assert_eq!(of(labels, "annotations", "{}"), ["labels=\"a=1\";\"b=2\""]);
    assert_eq!(
        of(labels, "annotations", "{\"c\":\"3\",\"e\":\"5\"}"),
        ["labels=\"a=1\";\"b=2\"", "annotations=c=3", "annotations=\"e=5\""]
    );
}

/// A value that no marker sets is rejected with the reason.
#[test]
fn a_change_that_go_cannot_express_has_a_reason() {
    let folder = module(TYPES);
    let outcome = generated(&folder.path().canonicalize().unwrap());
    let before = json(&outcome);
    let refused = |path: &str, value: &str| {
        let mut after = before.clone();
        *value_at(&mut after, path) = Json::decoded(value).unwrap();
        outcome.edits("a.example.com_things.yaml", &changes(&before, &after), Preference::Field).unwrap_err()
    };
    let schema = "spec/versions/0/schema/openAPIV3Schema/properties";
    assert!(
        refused(&format!("{schema}/labels/additionalProperties/maxLength"), "9").contains("values of a map")
    );
    assert!(refused(&format!("{schema}/rule/oneOf"), "[{}]").contains("no marker sets `oneOf`"));
    assert!(refused("spec/names/kind", "\"Other\"").contains("rename the type"));
}
