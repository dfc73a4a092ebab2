//! Changes of Go by an editor: fixes, rewrites and renames.

use serde_json::{Value, json};

use crate::editor::{Editor, SAMPLE, TYPES};

#[test]
fn fixes_of_definitions_are_offered_as_edits_of_go() {
    let mut editor = Editor::open(TYPES);
    assert_eq!(editor.findings(), []);
    editor.edit("\tMode Mode", "\t// +listType=map\n\tHosts []Host `json:\"hosts\"`\n\n\tMode Mode");
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

/// Fixes are kept until a text changes, because editors request them at each movement of the cursor.
#[test]
fn kept_fixes_follow_edits_elsewhere_in_the_file() {
    let mut editor = Editor::open(TYPES);
    editor.edit("\tMode Mode", "\t// +listType=map\n\tHosts []Host `json:\"hosts\"`\n\n\tMode Mode");
    editor
        .edit("// Thing is one.", "type Host struct {\n\tName string `json:\"name\"`\n}\n\n// Thing is one.");
    assert_eq!(editor.findings().len(), 1);
    let actions = editor.actions("+listType=ma");
    assert_eq!(editor.actions("+listType=ma"), actions);
    editor.edit("type Host struct", "// Host is one of them.\ntype Host struct");
    assert_eq!(editor.findings().len(), 1);
    let moved = editor.actions("+listType=ma");
    assert_eq!(moved[0]["title"], actions[0]["title"]);
    let text = editor.applied(&moved[0]);
    editor.edit_to(text);
    assert_eq!(editor.findings(), [], "{}", editor.text);
}

/// The finding is at the list's type, although the API server names the items.
#[test]
fn a_fix_is_offered_where_its_finding_is() {
    let mut editor = Editor::open(TYPES);
    assert_eq!(editor.findings(), []);
    editor.edit("\tMode Mode", "\t// +listType=set\n\tHosts []Host `json:\"hosts\"`\n\n\tMode Mode");
    editor
        .edit("// Thing is one.", "type Host struct {\n\tName string `json:\"name\"`\n}\n\n// Thing is one.");
    let found: Vec<String> = editor.findings().into_iter().map(|(at, _)| at).collect();
    assert_eq!(found, ["set"]);
    let titles = editor.titles("+listType=se");
    let atomic = "Set `mapType=atomic` on the items";
    assert!(titles.iter().any(|title| title == atomic), "{titles:?}");
}

/// A rule exceeds the cost limit because of lists that another file declares.
#[test]
fn a_fix_may_change_another_go_file() {
    let hosts =
        "package v1\n\ntype Hosts []Host\n\ntype Host struct {\n\tNames []string `json:\"names\"`\n}\n";
    let types = TYPES
        .replace("\tMode Mode", "\tHosts Hosts `json:\"hosts\"`\n\n\tMode Mode")
        .replace("self.minimum <= self.size", "self.hosts.all(a, a.names.all(n, n.size() < 10))");
    let mut editor = Editor::with(&types, &[("api/v1/hosts.go", hosts)]);
    let found = editor.findings();
    assert!(found[0].1.contains("cost"), "{found:?}");
    let actions = editor.actions("self.hosts.al");
    let elsewhere = editor.uri("api/v1/hosts.go");
    let changed = |action: &&Value| action["edit"]["changes"][&elsewhere].is_array();
    let action = actions.iter().find(changed).unwrap_or_else(|| panic!("{actions:?}"));
    let bound = action["edit"]["changes"][&elsewhere][0]["newText"].to_string();
    assert!(bound.contains("+kubebuilder:validation:Max"), "{action}");
}

/// Fixes that are applied on save, as for definitions in YAML.
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

/// A name is misspelt three times, and the API server rejects two lists; a third list has another error.
#[test]
fn one_fix_repairs_all_similar_mistakes_of_the_file() {
    let types = TYPES
        .replace("\tMinimum int32", "\t// +kubebuilder:validation:Minimun=1\n\tMinimum int32")
        .replace("validation:Minimum=1", "validation:Minimun=1")
        .replace("validation:Maximum=100", "validation:Maximun=100");
    let mut editor = Editor::open(&types);
    assert_eq!(editor.findings().len(), 3);
    let title = "Change `kubebuilder:validation:Maximun` to `kubebuilder:validation:Maximum`, and repair 2 similar mistakes";
    let actions = editor.actions("validation:Maximu");
    let all = actions.iter().find(|action| action["title"] == title).unwrap_or_else(|| panic!("{actions:?}"));
    assert_eq!(all["diagnostics"].as_array().unwrap().len(), 3, "{all}");
    // For an editor that sends requests at each move of the cursor, these fixes are not proven.
    let place = editor.place("validation:Maximu");
    let range = json!({"start": place["position"], "end": place["position"]});
    let context = json!({"diagnostics": [], "triggerKind": 2});
    let params = json!({"textDocument": place["textDocument"], "range": range, "context": context});
    let by_itself = editor.client.ask("textDocument/codeAction", params);
    assert_eq!(by_itself.as_array().unwrap().len(), actions.len() - 1, "{by_itself}");
    let text = editor.applied(all);
    assert_eq!(text, types.replace("imun", "imum"));
    editor.edit_to(text);
    assert_eq!(editor.findings(), []);

    let list = |name: &str, marker: &str| {
        format!("\t// +listType={marker}\n\t{name} []Host `json:\"{}\"`\n\n", name.to_lowercase())
    };
    let lists =
        format!("{}{}{}\tMode Mode", list("Hosts", "map"), list("Others", "map"), list("More", "set"));
    let types = TYPES.replace("\tMode Mode", &lists).replace(
        "// Thing is one.",
        "type Host struct {\n\tName string `json:\"name\"`\n}\n\n// Thing is one.",
    );
    let mut editor = Editor::open(&types);
    assert_eq!(editor.findings().len(), 3);
    let actions = editor.actions("`json:\"minimum\"`\n\n\t// +listType=ma");
    let all = actions.iter().find(|action| action["title"].as_str().unwrap().ends_with("in both places"));
    let text = editor.applied(all.unwrap_or_else(|| panic!("{actions:?}")));
    editor.edit_to(text);
    assert_eq!(editor.findings().len(), 1, "{}", editor.text);
    let titles = editor.titles("+listType=se");
    assert!(!titles.iter().any(|title| title.ends_with(" places")), "{titles:?}\n{}", editor.text);
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

/// A field is renamed in its tag, in markers that name it, and in resources; also from a rule.
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
    for place in ["json:\"mod", "|| self.mod", "has(self.mo", "JSONPath=`.spec.mo", "AtMostOneOf=mo"] {
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

/// The order of the required properties changes.
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

/// A field of open Go types is renamed from a resource.
#[test]
fn a_field_is_renamed_from_a_resource() {
    let mut editor = Editor::open(TYPES);
    assert_eq!(editor.findings(), []);
    let sample = editor.uri("sample.yaml");
    editor.client.open_as(&sample, "yaml", SAMPLE);
    assert_eq!(editor.client.diagnostics(&sample, 1), json!([]));
    let line = SAMPLE.lines().position(|line| line.contains("minimum")).unwrap();
    let character = SAMPLE.lines().nth(line).unwrap().find("minimum").unwrap();
    let place = json!({"textDocument": {"uri": sample}, "position": {"line": line, "character": character}});
    let mut params = place.clone();
    params["newName"] = json!("z");
    let edit = editor.client.ask("textDocument/rename", params);
    let expected = TYPES.replace("json:\"minimum", "json:\"z").replace("self.minimum", "self.z");
    assert_eq!(editor.applied(&json!({"edit": edit})), expected);
    assert_eq!(edit["changes"][sample][0]["newText"], "z", "{edit}");
}

/// gopls renames Go identifiers.
#[test]
fn only_json_names_are_renamed() {
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

/// The inserted group has a domain that the user must replace.
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

/// A rule that does not compile hides its other errors, which does not prevent the fix.
#[test]
fn a_misspelt_field_is_repaired_even_if_other_findings_appear() {
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

/// A guard for the first step of a path covers all of them.
#[test]
fn the_steps_of_one_path_are_one_finding() {
    let mut editor = Editor::open(TYPES);
    assert_eq!(editor.findings(), []);
    editor.edit("\tMode Mode", "\tPart *Part `json:\"part,omitempty\"`\n\n\tMode Mode");
    editor.edit(
        "// Thing is one.",
        "type Part struct {\n\tInner *Inner `json:\"inner,omitempty\"`\n}\n\ntype Inner struct {\n\tA *int32 \
         `json:\"a,omitempty\"`\n}\n\n// Thing is one.",
    );
    editor.edit("self.minimum <= self.size", "self.part.inner.a <= self.size");
    let found = editor.findings();
    assert!(found.len() == 1 && found[0].0 == "part", "{found:?}");
    assert!(found[0].1.contains("(2 more findings with the same cause)"), "{found:?}");
    let actions = editor.actions("self.par");
    let guard = actions.iter().find(|action| action["title"].as_str().unwrap().starts_with("Add the guard"));
    let diagnostics = &guard.unwrap_or_else(|| panic!("{actions:?}"))["diagnostics"];
    assert!(diagnostics[0]["message"].as_str().unwrap().contains("(2 more findings"), "{diagnostics}");
}

/// In a rule of a field that has no fields, its name and the path to it mean `self`.
#[test]
fn the_name_of_a_field_in_its_own_rule_becomes_self() {
    for (rule, fixed) in [
        ("size != 7", "self != 7"),
        ("self.spec.size > 7", "self > 7"),
        ("has(self.size) && self.size > 7", "self > 7"),
        ("self.size > 7 && self.size < 99", "self > 7 && self < 99"),
    ] {
        let mut editor = Editor::open(TYPES);
        let with = |rule: &str| format!("\t// +kubebuilder:validation:XValidation:rule=\"{rule}\"\n\tSize ");
        editor.edit("\tSize ", &with(rule));
        assert_ne!(editor.findings(), [], "{rule}");
        let start = rule.find("size").unwrap_or_default();
        let before = with(rule.get(..=start).unwrap_or_default());
        let actions = editor.actions(before.split_once("\"\n").map_or("", |(before, _)| before));
        let text = editor.applied(&actions[0]);
        assert!(text.contains(&with(fixed)), "{rule}: {text}");
        editor.edit_to(text);
        assert_eq!(editor.findings(), [], "{rule}");
    }
}
