//! Fields that markers name outside expressions: completion and references.

use serde_json::{Value, json};

use crate::editor::{Editor, TYPES};

/// The types with a list whose key is a field.
fn with_list() -> Editor {
    let list = "\t// +listType=map\n\t// +listMapKey=name\n\tParts []Part `json:\"parts,omitempty\"`\n}\n\n\
                type Part struct {\n\tName string `json:\"name\"`\n\n\tWeights []int32 `json:\"weights,omitempty\"`\n}\n";
    Editor::open(&format!("{}{list}", TYPES.trim_end().trim_end_matches('}')))
}

/// The labels and the inserted texts.
fn proposed(editor: &mut Editor, before: &str) -> Vec<(String, String)> {
    let list = editor.ask("textDocument/completion", before);
    let text = |item: &Value, of: &str| item.pointer(of).unwrap().as_str().unwrap().to_owned();
    let all = list.as_array().cloned().unwrap_or_default();
    all.iter().map(|item| (text(item, "/label"), text(item, "/textEdit/newText"))).collect()
}

#[test]
fn paths_to_fields_are_proposed_while_the_marker_is_typed() {
    for (marker, expected) in [
        ("+kubebuilder:printcolumn:name=A,type=integer,JSONPath=|", ".spec.size"),
        ("+kubebuilder:printcolumn:JSONPath=`.spec.|`", ".spec.size"),
        ("+kubebuilder:printcolumn:JSONPath=\"|", ".spec.mode"),
        ("+kubebuilder:selectablefield:JSONPath=.spec.|", ".spec.mode"),
        ("+kubebuilder:subresource:scale:specpath=|", ".spec.minimum"),
    ] {
        let mut editor = with_list();
        let (typed, rest) = marker.split_once('|').unwrap();
        editor.edit("// +kubebuilder:subresource:status", &format!("// {typed}{rest}"));
        let found = proposed(&mut editor, typed);
        assert!(found.contains(&(expected.to_owned(), expected.to_owned())), "{marker}: {found:?}");
    }
}

#[test]
fn keys_of_lists_members_of_unions_and_fields_of_rules_are_proposed() {
    let mut editor = with_list();
    editor.edit("+listMapKey=name", "+listMapKey=");
    assert_eq!(editor.labels("+listMapKey="), ["name"], "a list is no key");
    editor.edit("+listMapKey=", "+listMapKey=name");
    editor.edit("type Part struct", "// +kubebuilder:validation:AtMostOneOf=name;\ntype Part struct");
    assert_eq!(editor.labels("AtMostOneOf=name;"), ["weights"]);
    editor.edit("message=\"too small\"", "fieldPath=\".\"");
    let paths = editor.labels("fieldPath=\".");
    assert!(paths.contains(&".minimum".to_owned()), "{paths:?}");
}

/// The first completion fits the items or the constants below.
#[test]
fn markers_that_fit_items_and_constants_come_first() {
    let types = "\n\n// Level is one of two.\ntype Level string\n\nconst (\n\tLow Level = \"Low\"\n\tHigh Level = \"High\"\n)\n";
    let fields = "\t// +\n\tName string `json:\"name\"`\n\n\t// +\n\tTags []string `json:\"tags,omitempty\"`\n\n\t// +\n\tLevel Level `json:\"level,omitempty\"`\n";
    let text = format!("{}{fields}}}\n{types}", TYPES.trim_end().trim_end_matches('}'));
    for (below, typed, expected) in [
        ("Tags []string", "kubebuilder:validation:items:max", "+kubebuilder:validation:items:MaxLength"),
        ("Tags []string", "listType=", "set"),
        ("Level Level", "kubebuilder:validation:Enum=", "Low;High"),
        ("Level Level", "kubebuilder:default=", "Low"),
        ("type Level", "kubebuilder:validation:Enum=", "Low;High"),
    ] {
        let mut editor = Editor::open(&text);
        let (marker, place) = match below.starts_with("type ") {
            true => (format!("// +{typed}\n{below}"), below.to_owned()),
            false => (format!("+{typed}\n\t{below}"), format!("+\n\t{below}")),
        };
        editor.edit(&place, &marker);
        let at = editor.text.find(&marker).unwrap() + marker.find(below).unwrap();
        let before = editor.text[..at].trim_end().to_owned();
        let labels = editor.labels(&before);
        assert_eq!(labels.first().map(String::as_str), Some(expected), "{below} {typed}: {labels:?}");
    }
}

/// A path that needs quotes gets them, or escapes within existing ones.
#[test]
fn paths_are_written_as_the_marker_needs_them() {
    let conditions = "\tConditions []metav1.Condition `json:\"conditions,omitempty\"`\n\n\tMinimum int32";
    for (value, expected) in [
        ("", "`.spec.conditions[?(@.type==\"Ready\")].status`"),
        ("\"", ".spec.conditions[?(@.type==\\\"Ready\\\")].status"),
    ] {
        let mut editor = with_list();
        editor.edit("\tMinimum int32", conditions);
        let marker = format!("+kubebuilder:printcolumn:JSONPath={value}");
        editor.edit("+kubebuilder:subresource:status", &marker);
        let found = proposed(&mut editor, &marker);
        assert!(found.iter().any(|(_, text)| text == expected), "{found:?}");
    }
}

#[test]
fn an_expression_is_proposed_before_it_is_begun() {
    let rule = "\"self.minimum <= self.size\",message=\"too small\"";
    for (value, expected) in [("\"|\"", "self"), ("`|`", "self"), ("\"|", "self"), ("|", "\"self\"")] {
        let mut editor = with_list();
        let (typed, rest) = value.split_once('|').unwrap();
        editor.edit(&format!("XValidation:rule={rule}"), &format!("XValidation:rule={typed}{rest}"));
        let found = proposed(&mut editor, &format!("XValidation:rule={typed}"));
        assert!(found.contains(&("self".to_owned(), expected.to_owned())), "{value}: {found:?}");
    }
}

/// The texts at some places of the types.
fn texts(editor: &Editor, found: &Value) -> Vec<String> {
    let mut lines: Vec<(u64, String)> = found
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["range"]["start"]["line"].as_u64().unwrap(), editor.at(&one["range"])))
        .collect();
    lines.sort();
    lines.into_iter().map(|(_, text)| text).collect()
}

#[test]
fn all_names_of_a_field_link_to_its_tag_and_to_each_other() {
    let mut editor = with_list();
    let markers = "// +kubebuilder:printcolumn:name=A,type=integer,JSONPath=.spec.size\n\
                   // +kubebuilder:subresource:scale:specpath=.spec.size,statuspath=.spec.size\ntype Thing struct";
    editor.edit("type Thing struct", markers);
    editor.edit("message=\"too small\"", "fieldPath=\".size\"");
    editor.edit(
        "// +kubebuilder:validation:XValidation",
        "// +kubebuilder:validation:AtMostOneOf=size;minimum\n// +kubebuilder:validation:XValidation",
    );
    editor.edit("json:\"size\"", "json:\"size,omitempty\"");
    editor.edit("json:\"minimum\"", "json:\"minimum,omitempty\"");
    editor.findings();
    let places = [
        "JSONPath=.spec.si",
        "specpath=.spec.si",
        "statuspath=.spec.si",
        "AtMostOneOf=si",
        "self.minimum <= self.si",
        "fieldPath=\".si",
        "json:\"si",
    ];
    for place in places {
        let found = editor.ask("textDocument/definition", place);
        assert_eq!(editor.at(&found["range"]), "size", "{place}");
        let mut params = editor.place(place);
        params["context"] = json!({"includeDeclaration": true});
        let found = editor.client.ask("textDocument/references", params);
        let seven = vec!["size"; 7];
        let (here, beside): (Vec<Value>, Vec<Value>) =
            found.as_array().unwrap().iter().cloned().partition(|one| one["uri"] == editor.types());
        assert_eq!(texts(&editor, &json!(here)), seven, "{place}");
        let sample = editor.uri("sample.yaml");
        assert!(beside.len() == 1 && beside[0]["uri"] == sample, "{place}: {beside:?}");
        let found = editor.ask("textDocument/documentHighlight", place);
        assert_eq!(texts(&editor, &found), seven, "{place}");
        let found = editor.ask("textDocument/prepareRename", place);
        assert_eq!(found["placeholder"], "size", "{place}");
    }
    let found = editor.ask("textDocument/definition", "+listMapKey=na");
    assert_eq!(editor.at(&found["range"]), "name");
}
