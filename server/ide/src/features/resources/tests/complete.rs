use crate::features::resources::tests::{DEFINITION, at_cursor, surroundings, widget, with_definition};
use crate::{Completion, File, Settings};

pub(super) fn completions(text: &str) -> (String, Vec<Completion>) {
    let (text, file, offset) = at_cursor(text);
    (text, file.completions(offset))
}

pub(super) fn labels(text: &str) -> Vec<String> {
    completions(text).1.into_iter().map(|one| one.label).collect()
}

/// The text after the proposal of that label is accepted: plain, and as a snippet if it is one.
pub(super) fn taken(text: &str, label: &str) -> (String, Option<String>) {
    let (text, all) = completions(text);
    let labels: Vec<_> = all.iter().map(|one| one.label.clone()).collect();
    let one = all.iter().find(|one| one.label == label).unwrap_or_else(|| panic!("{label} of {labels:?}"));
    let put = |new: &str| {
        let mut text = text.clone();
        text.replace_range(one.range.as_usize(), new);
        text
    };
    (put(&one.text), one.snippet.as_deref().map(put))
}

#[track_caller]
fn assert_taken(text: &str, label: &str, plain: &str, snippet: Option<&str>) {
    let (text, plain, snippet) = (widget(text), widget(plain), snippet.map(widget));
    assert_eq!(taken(&text, label), (plain, snippet), "{label} in {text}");
}

#[test]
fn required_keys_come_first_and_present_ones_are_omitted() {
    let all = ["mode", "ports", "free", "labels", "limit", "paused", "port", "replicas", "tags"];
    assert_eq!(labels(&widget("spec:\n  $0\n")), all);
    assert_eq!(labels(&widget("spec:\n  mo$0\n")), all);
    assert_eq!(labels(&widget("spec: {$0}\n")), all);
    assert_eq!(
        labels(&widget("spec:\n  paused: true\n  $0\n  mode: Fast\n")),
        ["ports", "free", "labels", "limit", "port", "replicas", "tags"]
    );
    assert_eq!(labels(&widget("$0")), ["spec", "status"]);
    assert_eq!(labels(&widget("spec:\n  mode: Fast\nsta$0")), ["status"]);
    assert_eq!(labels("apiVersion: example.com/v1\nkind: Widget\n$0"), ["metadata", "spec", "status"]);
}

#[test]
fn the_keys_of_a_list_come_before_all_others() {
    let definition = DEFINITION
        .replace("x-kubernetes-list-map-keys: [name]", "x-kubernetes-list-map-keys: [protocol, name]")
        .replace("required: [name, target]", "required: [address, name]")
        .replace(
            "protocol: {type: string,",
            "address: {type: string}\n                    protocol: {type: string,",
        );
    let text = widget("spec:\n  ports:\n  - a: 1\n    ");
    let offset = u32::try_from(text.len()).unwrap();
    let file = File::with_surroundings(&(text + "\n"), &Settings::default(), with_definition(&definition));
    let all = file.completions(offset);
    let labels: Vec<_> = all.iter().map(|one| (&*one.label, &*one.detail)).collect();
    assert_eq!(
        labels,
        [
            ("name", "string · key of the list · required"),
            ("protocol", "string · key of the list"),
            ("address", "string · required"),
            ("target", "object"),
        ]
    );
}

#[test]
fn a_key_brings_what_its_value_needs() {
    assert_taken("spec:\n  $0\n", "paused", "spec:\n  paused: \n", Some("spec:\n  paused: $1\n"));
    assert_taken("spec:\n  re$0\n", "replicas", "spec:\n  replicas: \n", Some("spec:\n  replicas: ${1:1}\n"));
    assert_taken("spec:\n  $0\n", "mode", "spec:\n  mode: \n", Some("spec:\n  mode: ${1:Fast}\n"));
    // Blanks at the start of lines are relative to the line of the cursor.
    assert_taken(
        "spec:\n  mode: Fast\n  $0\n",
        "ports",
        "spec:\n  mode: Fast\n  ports:\n",
        Some("spec:\n  mode: Fast\n  ports:\n- name: $1\n  target:\n    number: $2\n"),
    );
    assert_taken(
        "spec:\n  ports:\n  - name: a\n    $0\n",
        "target",
        "spec:\n  ports:\n  - name: a\n    target:\n",
        Some("spec:\n  ports:\n  - name: a\n    target:\n  number: $1\n"),
    );
    assert_taken(
        "spec:\n  ports:\n  - tar$0\n",
        "target",
        "spec:\n  ports:\n  - target:\n",
        Some("spec:\n  ports:\n  - target:\n    number: $1\n"),
    );
}

#[test]
fn a_key_that_has_a_value_keeps_it() {
    assert_taken("spec:\n  mod$0: Fast\n", "mode", "spec:\n  mode: Fast\n", None);
    assert_taken("spec: {m$0: Fast}\n", "mode", "spec: {mode: Fast}\n", None);
}

#[test]
fn within_braces_proposals_stay_on_the_line() {
    assert_taken("spec: {$0}\n", "mode", "spec: {mode: }\n", Some("spec: {mode: ${1:Fast}}\n"));
    assert_taken(
        "spec: {mode: Fast, po$0}\n",
        "ports",
        "spec: {mode: Fast, ports: }\n",
        Some("spec: {mode: Fast, ports: [{name: $1, target: {number: $2\\}\\}]}\n"),
    );
    assert_taken("spec: {mode: $0}\n", "yes", "spec: {mode: 'yes'}\n", None);
}

#[test]
fn below_a_key_that_has_nothing_yet() {
    assert_taken("spec: $0\n", "mode", "spec: \n  mode: \n", Some("spec: \n  mode: ${1:Fast}\n"));
    assert_taken(
        "spec:\n  tags:\n    $0\n",
        "- ",
        "spec:\n  tags:\n    - \n",
        Some("spec:\n  tags:\n    - ${1:a}\n"),
    );
    assert_taken(
        "spec:\n  tags:\n  $0\n",
        "- ",
        "spec:\n  tags:\n  - \n",
        Some("spec:\n  tags:\n  - ${1:a}\n"),
    );
}

#[test]
fn values_are_proposed_in_every_style() {
    for (text, after) in [
        ("spec:\n  mode: $0\n", "spec:\n  mode: Slow\n"),
        ("spec:\n  mode:$0\n", "spec:\n  mode: Slow\n"),
        ("spec:\n  mode: Fa$0\n", "spec:\n  mode: Slow\n"),
        ("spec:\n  mode: \"$0\"\n", "spec:\n  mode: \"Slow\"\n"),
        ("spec:\n  mode: 'F$0'\n", "spec:\n  mode: 'Slow'\n"),
        ("spec: {mode: F$0}\n", "spec: {mode: Slow}\n"),
    ] {
        assert_taken(text, "Slow", after, None);
    }
    assert_eq!(labels(&widget("spec:\n  paused: $0\n")), ["true", "false"]);
    assert_eq!(labels(&widget("spec:\n  paused: \"$0\"\n")), [""; 0]);
    assert_eq!(labels(&widget("spec:\n  replicas: $0\n")), ["1"]);
    assert_eq!(labels(&widget("spec:\n  ports:\n  - protocol: $0\n")), ["TCP", "UDP"]);
}

#[test]
fn a_set_holds_each_value_once() {
    assert_eq!(labels(&widget("spec:\n  tags:\n  - a\n  - $0\n")), ["b"]);
    assert_eq!(labels(&widget("spec:\n  tags: [b, $0]\n")), ["a"]);
}

#[test]
fn kinds_of_known_definitions_are_proposed() {
    assert_eq!(labels("apiVersion: example.com/v1\nkind: $0\n"), ["Widget"]);
    assert_eq!(labels("apiVersion: $0\nkind: Widget\n"), ["example.com/v1", "example.com/v1alpha1"]);
    assert_eq!(labels("apiVersion: example.com/v1al$0\nkind: Widget\n").len(), 2);
    assert_eq!(labels("kind: $0\n"), ["CustomResourceDefinition", "Widget"]);
    assert_eq!(labels("apiVersion: apps/v1\nkind: $0\n"), [""; 0]);
    assert_eq!(labels("apiVersion: v1\n$0"), ["kind"]);
    let (_, snippet) = taken("$0", "CustomResourceDefinition");
    assert!(snippet.unwrap().starts_with("apiVersion: apiextensions.k8s.io/v1\nkind: Custom"));
}

#[test]
fn nothing_is_proposed_where_nothing_is_known() {
    for text in [
        "spec:\n  # $0\n",
        "spec:\n  mode: Fast # $0\n",
        "spec:\n  labels:\n    a: $0\n",
        "spec:\n  free:\n    $0\n",
        "spec:\n  mode: |\n    F$0\n",
    ] {
        assert_eq!(labels(&widget(text)), [""; 0], "{text}");
    }
    assert_eq!(labels("a: 1\n$0"), [""; 0]);
    assert_eq!(labels("apiVersion: apps/v1\nkind: Deployment\nspec:\n  $0\n"), [""; 0]);
}

#[test]
fn metadata_proposes_what_people_write_first() {
    let all = labels("apiVersion: example.com/v1\nkind: Widget\nmetadata:\n  $0\n");
    assert_eq!(all.first().map(String::as_str), Some("name"));
    let at = |name: &str| all.iter().position(|one| one == name).unwrap();
    assert!(at("labels") < at("uid"));
    assert_eq!(
        taken("apiVersion: example.com/v1\nkind: Widget\n$0", "metadata").1.unwrap(),
        "apiVersion: example.com/v1\nkind: Widget\nmetadata:\n  name: $1"
    );
}

#[test]
fn each_prefix_of_a_resource_can_be_completed() {
    let text = widget("spec:\n  mode: Fast\n  ports:\n  - name: a\n    target: {number: 1}\n  tags: [a]\n");
    for end in 0..=text.len() {
        let file = File::with_surroundings(&text[..end], &Settings::default(), surroundings());
        for one in file.completions(end as u32) {
            assert!(one.range.end as usize <= end && !one.label.is_empty(), "{one:?}");
        }
    }
}

pub(super) fn of_definition(rest: &str) -> String {
    format!("apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n{rest}")
}

pub(super) const SCHEMA: &str = "spec:\n  versions:\n  - schema:\n      openAPIV3Schema:\n        ";

#[test]
fn names_of_new_versions_follow_the_existing_ones() {
    let of = |rest: &str| labels(&of_definition(&format!("spec:\n  versions:\n{rest}\n")));
    assert_eq!(of("  - name: $0"), ["v1alpha1", "v1beta1", "v1"]);
    assert_eq!(of("  - name: v1alpha1\n  - name: v$0"), ["v1alpha2", "v1beta1", "v1"]);
}

#[test]
fn a_new_document_proposes_all_kinds_by_their_names() {
    for text in ["$0", "a: 1\n---\n$0", "Wid$0"] {
        let (_, all) = completions(text);
        let kinds: Vec<_> = all
            .iter()
            .filter(|one| !one.belongs_to.is_empty())
            .map(|one| (&*one.label, &*one.belongs_to))
            .collect();
        let definition = ("CustomResourceDefinition", "apiextensions.k8s.io/v1");
        let widgets = [("Widget", "example.com/v1"), ("Widget", "example.com/v1alpha1")];
        assert_eq!(kinds.contains(&definition), !text.contains("Wid"), "{text}");
        assert!(widgets.iter().all(|one| kinds.contains(one)), "{kinds:?}");
        assert!(
            all.iter().all(|one| one.belongs_to.is_empty() || one.filter.as_deref() == Some(&*one.label))
        );
    }
    let (_, snippet) = taken("Wid$0", "Widget");
    assert_eq!(
        snippet.unwrap(),
        "apiVersion: example.com/v1\nkind: Widget\nmetadata:\n  name: ${1:name}\nspec:\n  mode: ${2:Fast}\n  ports:\n  - name: $3\n    target:\n      number: $4"
    );
}

#[test]
fn an_item_of_a_list_is_an_object_of_any_kind() {
    let text = "apiVersion: v1\nkind: List\nitems:\n- Wid$0\n";
    let (_, snippet) = taken(text, "Widget");
    let snippet = snippet.unwrap();
    assert!(
        snippet.contains("\n- apiVersion: example.com/v1\n  kind: Widget\n  metadata:\n    name: "),
        "{snippet}"
    );
    assert_eq!(labels("apiVersion: v1\nkind: Lost\nitems:\n- Wid$0\n"), [""; 0]);
}

#[test]
fn a_line_in_a_wrong_column_is_moved() {
    let moved = |text: &str, label: &str| {
        let (text, all) = completions(&widget(text));
        let one = all.into_iter().find(|one| one.label == label && one.indent.is_some()).unwrap();
        let indent = one.indent.unwrap();
        assert!(indent.range.end <= one.range.start, "edits do not overlap");
        let mut text = text;
        text.replace_range(one.range.as_usize(), &one.text);
        text.replace_range(indent.range.as_usize(), &indent.new_text);
        text
    };
    // The line as left by an editor that does not indent.
    assert_eq!(moved("spec:\nmo$0\n", "mode"), widget("spec:\n  mode: \n"));
    assert_eq!(
        moved("spec:\n  paused: true\n      mo$0\n", "mode"),
        widget("spec:\n  paused: true\n  mode: \n")
    );
    assert_eq!(
        moved("spec:\n  ports:\n  - name: a\n      tar$0\n", "target"),
        widget("spec:\n  ports:\n  - name: a\n    target:\n")
    );
}

/// Nothing is valid in a column between those of the open blocks.
#[test]
fn a_line_between_two_columns_is_moved() {
    let taken = |text: &str, label: &str| {
        let (text, all) = completions(text);
        let all: Vec<_> = all.into_iter().filter(|one| one.label == label).collect();
        let [one] = &all[..] else { panic!("{all:?}") };
        let mut text = text;
        text.replace_range(one.range.as_usize(), &one.text);
        let indent = one.indent.as_ref().unwrap();
        text.replace_range(indent.range.as_usize(), &indent.new_text);
        text
    };
    assert_eq!(taken(&widget("spec:\n $0\n"), "mode"), widget("spec:\n  mode: \n"));
    assert_eq!(taken(&widget("spec:\n mo$0\n"), "mode"), widget("spec:\n  mode: \n"));
    assert_eq!(
        taken(&widget("spec:\n    paused: true\n  mo$0\n"), "mode"),
        widget("spec:\n    paused: true\n    mode: \n")
    );
    assert_eq!(
        taken(&widget("spec:\n  paused: true\n\tmo$0\n"), "mode"),
        widget("spec:\n  paused: true\n  mode: \n")
    );
}

/// Between a key and its items in the same column, another key would separate the items from their key.
#[test]
fn between_a_key_and_its_items_there_are_only_items() {
    assert_eq!(labels(&widget("spec:\n  ports:\n  $0\n  - name: a\n  paused: true\n")), ["- "]);
    assert_eq!(labels(&of_definition("spec:\n  versions:\n  $0\n  - name: v1\n")), ["- "]);
}

/// Text behind the word would become a part of another entry. Proposals that fit in the current column are enough.
#[test]
fn a_line_stays_where_it_is_valid() {
    let moves = |text: &str| {
        let (_, all) = completions(&widget(text));
        all.into_iter().filter(|one| one.indent.is_some()).map(|one| one.label).collect::<Vec<_>>()
    };
    assert_eq!(moves("spec:\n      $0\n"), [""; 0]);
    assert_eq!(moves("spec:\n  tags:\n      $0\n"), [""; 0]);
    let typed = of_definition(&format!(
        "{SCHEMA}properties:\n          a: {{}}\n          desc$0:\n            type: string\n"
    ));
    let (_, all) = completions(&typed);
    assert!(all.iter().all(|one| one.indent.is_none()), "{:?}", all.first());
}

#[test]
fn keys_in_quotes_keep_them() {
    assert_taken("spec:\n  \"mo$0\"\n", "mode", "spec:\n  \"mode\": \n", Some("spec:\n  \"mode\": $1\n"));
    assert_taken("spec:\n  'mo$0'\n", "mode", "spec:\n  'mode': \n", Some("spec:\n  'mode': $1\n"));
}

#[test]
fn an_object_in_a_list_gets_its_kind() {
    let item = |lines: &str| labels(&format!("apiVersion: v1\nkind: List\nitems:\n- {lines}\n"));
    assert_eq!(item("apiVersion: example.com/v1\n  kind: $0"), ["Widget"]);
    assert!(item("kind: $0").contains(&"Widget".to_owned()));
    assert_eq!(item("apiVersion: $0\n  kind: Widget"), ["example.com/v1", "example.com/v1alpha1"]);
}

#[test]
fn only_objects_in_namespaces_have_one() {
    let has = |text: &str| labels(text).contains(&"namespace".to_owned());
    let head = "apiVersion: example.com/v1\nkind: Widget\n";
    for metadata in ["metadata:\n  $0\n", "metadata:\n  name: a\n  $0\n", "metadata: {$0}\n"] {
        assert!(has(&format!("{head}{metadata}")), "{metadata}");
        let definition =
            format!("apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n{metadata}");
        assert!(!has(&definition) && labels(&definition).contains(&"labels".to_owned()), "{metadata}");
        let definition = DEFINITION.replace("scope: Namespaced", "scope: Cluster");
        let text = format!("{head}{metadata}");
        let offset = text.find("$0").unwrap() as u32;
        let file = File::with_surroundings(
            &text.replace("$0", ""),
            &Settings::default(),
            with_definition(&definition),
        );
        assert!(file.completions(offset).iter().all(|one| one.label != "namespace"), "{metadata}");
    }
}

#[test]
fn an_embedded_object_gets_its_kind() {
    let definition = DEFINITION.replace(
        "              paused:\n",
        "              template: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}\n              paused:\n",
    );
    let of = |lines: &str| {
        let text = widget(&format!("spec:\n  template:\n    {lines}"));
        let offset = u32::try_from(text.len()).unwrap();
        let file =
            File::with_surroundings(&(text + "\n"), &Settings::default(), with_definition(&definition));
        file.completions(offset).into_iter().map(|one| one.label).collect::<Vec<_>>()
    };
    assert_eq!(of("apiVersion: example.com/v1\n    kind: "), ["Widget"]);
    assert!(of("apiVersion: ").contains(&"example.com/v1".to_owned()));
    assert_eq!(of("")[..2], ["apiVersion", "kind"]);
}

#[test]
fn a_comment_behind_a_key_stays_on_its_line() {
    for blanks in ["$0 ", " $0 ", " $0"] {
        let (_, snippet) = taken(&widget(&format!("spec:\n  ports:{blanks}# c\n")), "- ");
        // Clients add the indentation of the line.
        assert!(snippet.unwrap().contains("  ports: # c\n- name: "), "{blanks:?}");
    }
}

#[test]
fn names_follow_from_other_names() {
    let names = |rest: &str| labels(&of_definition(rest));
    let known = "spec:\n  group: example.com\n  names:\n    kind: Proxy\n";
    assert_eq!(names(&format!("{known}    plural: $0\n")), ["proxies"]);
    assert_eq!(names(&format!("{known}    singular: $0\n")), ["proxy"]);
    assert_eq!(names(&format!("{known}    listKind: $0\n")), ["ProxyList"]);
    assert_eq!(
        names(&format!("metadata:\n  name: $0\n{known}    plural: proxies\n")),
        ["proxies.example.com"]
    );
    assert_eq!(names("metadata: {name: proxies.example.com}\nspec:\n  group: $0\n"), ["example.com"]);
}

/// Inserted text is indented like the rest of the document.
#[test]
fn inserted_text_follows_the_layout_of_the_document() {
    let of = |rest: &str| {
        format!(
            "apiVersion: example.com/v1\nkind: Widget\nmetadata:\n    name: a\nspec:\n    tags:\n      - a\n{rest}"
        )
    };
    let (_, ports) = taken(&of("    $0\n"), "ports");
    let expected = "    ports:\n  - name: $1\n    target:\n        number: $2\n";
    assert_eq!(ports.unwrap(), of(expected));
    let wide = "spec:\n    versions:\n    -   name: v1\n        schema:\n            openAPIV3Schema:\n                type: object\n                \
                properties:\n                    status:\n                        properties:\n                            $0\n";
    let (_, inserted) = taken(&of_definition(wide), "conditions");
    let inserted = inserted.unwrap();
    assert!(inserted.contains("conditions:\n    type: array\n    maxItems: 32\n"), "{inserted}");
    assert!(inserted.contains("\n    items:\n        type: object\n"), "{inserted}");
}

/// The schema of a version is required, although the published API does not list it so.
#[test]
fn a_version_brings_its_schema() {
    let (_, versions) = taken(&of_definition("spec:\n  $0\n"), "versions");
    let expected = "spec:\n  versions:\n- name: ${1:v1alpha1}\n  served: ${2:true}\n  storage: ${3:true}\n  schema:\n    openAPIV3Schema:\n      \
                    type: object\n      properties:\n        $4\n";
    assert_eq!(versions.unwrap(), of_definition(expected));
}

/// The group and the plural follow from `metadata.name`, the kind follows from the plural, and one version is
/// stored.
#[test]
fn known_parts_of_a_definition_are_filled_in() {
    let of = |rest: &str, label: &str| taken(&of_definition(rest), label).1.unwrap_or_default();
    let spec = of("metadata:\n  name: proxies.acme.io\n$0\n", "spec");
    for line in [
        "  group: ${1:acme.io}\n",
        "    plural: ${2:proxies}\n",
        "    kind: ${3:Proxy}\n",
        "  scope: ${4:Namespaced}\n",
        "- name: ${5:v1alpha1}\n",
        "  storage: ${7:true}\n",
    ] {
        assert!(spec.contains(line), "{spec}");
    }
    let names = "spec:\n  names: {plural: gadgets, $0}\n";
    assert!(of(names, "kind").contains("kind: ${1:Gadget}"), "{}", of(names, "kind"));
    let second = of("spec:\n  versions:\n  - {name: v1, storage: true}\n  $0\n", "- ");
    assert!(second.contains("- name: ${1:v2alpha1}\n"), "{second}");
    assert!(second.contains("storage: ${3:false}\n"), "{second}");
    // Without a name, nothing can be filled in.
    assert!(of("$0\n", "spec").contains("  group: $1\n  names:\n"));
}

#[test]
fn a_list_continues_in_the_column_of_its_dashes() {
    let of = |rest: &str| labels(&widget(rest));
    let first = |rest: &str| of(rest).into_iter().next().unwrap_or_default();
    for rest in [
        "spec:\n  ports:\n  - name: a\n    target: {number: 1}\n  $0\n",
        "spec:\n  ports:\n  - name: a # why\n  # more\n\n  $0\n  mode: Fast\n",
        "spec:\n  tags: &t\n  - a\n  $0\n",
        "spec:\n  tags:\n    - a\n    $0\n",
    ] {
        assert_eq!(first(rest), "- ", "{rest}");
    }
    // A key between two items would separate the second one from the list.
    assert_eq!(of("spec:\n  tags:\n  - a\n  $0\n  - b\n"), ["- "]);
    assert_taken(
        "spec:\n    ports:\n      - name: a\n      $0\n",
        "- ",
        "spec:\n    ports:\n      - name: a\n      - name: \n",
        Some("spec:\n    ports:\n      - name: a\n      - name: $1\n  target:\n    number: $2\n"),
    );
    for rest in [
        "spec:\n  tags:\n  - a\n  $0b\n",
        "spec:\n  tags:\n  - a\n  mode: Fast\n  $0\n",
        "spec:\n  tags: [\n  a,\n  $0\n",
        "spec:\n  tags:\n  - \"a\n  $0\n  b\"\n",
        "spec:\n  tags:\n  - a\n$0\n",
    ] {
        assert!(!of(rest).contains(&"- ".to_owned()), "{rest}: {:?}", of(rest));
    }
    let versions = DEFINITION.replacen("  - name: v1alpha1\n", "  $0\n  - name: v1alpha1\n", 1);
    assert_eq!(labels(&versions), ["- "]);
}
