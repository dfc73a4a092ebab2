use crate::Completion;
use crate::features::cel::tests::{STYLES, at_cursor, in_style};

fn completions(entry: &str) -> (String, Vec<Completion>) {
    let (text, file, offset) = at_cursor(entry, 35);
    (text, file.completions(offset))
}

fn labels(entry: &str) -> Vec<String> {
    completions(entry).1.into_iter().map(|one| one.label).collect()
}

/// The entry of the rule after the proposal `label` is accepted.
fn taken(entry: &str, label: &str) -> String {
    let (text, list) = completions(entry);
    let labels: Vec<_> = list.iter().map(|one| one.label.as_str()).collect();
    let one = list
        .iter()
        .find(|one| one.label == label)
        .unwrap_or_else(|| panic!("{label} in {labels:?} at {entry}"));
    let range = one.range.as_usize();
    let mut text = text;
    text.replace_range(range, &one.text);
    let start = text.find("            - ").unwrap() + 14;
    let end = text[start..].find("\n              message").unwrap() + start;
    text[start..end].to_owned()
}

/// Accepts `label` in each style and compares the rule.
#[track_caller]
fn check(rule: &str, label: &str, expected: &str) {
    for style in STYLES {
        let entry = in_style(style, rule);
        assert_eq!(taken(&entry, label), in_style(style, expected), "in {entry}");
    }
}

#[test]
fn fields_of_the_receiver_come_first_with_their_types() {
    for style in STYLES {
        let (_, list) = completions(&in_style(style, "self.$0"));
        let first: Vec<_> =
            list.iter().map(|one| (one.label.as_str(), one.detail.as_str())).take(6).collect();
        let expected = [
            ("labels", "map(string, string)"),
            ("mode", "string, required"),
            ("namespace", "string"),
            ("old__dash__name", "string"),
            ("ports", "list(object)"),
            ("replicas", "int"),
        ];
        assert_eq!(first, expected, "{style}");
        assert_eq!(
            list[1].documentation,
            "**`spec.mode`**: `enum: Fast, It's slow` · required\n\nHow it works."
        );
    }
}

#[test]
fn the_typed_part_of_a_name_is_replaced() {
    check("true && self.mo$0", "mode", "true && self.mode");
    check("self.mo$0de == 'a'", "replicas", "self.replicas == 'a'");
    check("self.ports.all(p, p.$0)", "port", "self.ports.all(p, p.port)");
    check("self.ports.all(p, p.na$0", "name", "self.ports.all(p, p.name");
    check("has(self.re$0)", "replicas", "has(self.replicas)");
    check("has(self.$0", "replicas", "has(self.replicas");
    check("self.?re$0", "replicas", "self.?replicas");
    check("self.ports[0].$0", "name", "self.ports[0].name");
}

#[test]
fn only_what_fits_is_proposed() {
    // `has` requires a field of a variable.
    assert_eq!(labels("rule: has($0)"), ["self", "oldSelf"]);
    assert_eq!(labels("rule: self.ports.all(p, has($0))"), ["p", "self", "oldSelf"]);
    // The fields of an undeclared name are unknown.
    assert_eq!(labels("rule: mth.$0"), [""; 0]);
    assert!(labels("rule: dyn(self.ports).$0").len() > 10);
    assert_eq!(labels("rule: type(self.mode) == $0")[..3], ["string", "int", "double"]);
    assert_eq!(taken("rule: type(self.mode) != s$0", "string"), "rule: type(self.mode) != string");
}

#[test]
fn a_plain_rule_that_yaml_reads_as_a_tag_is_completed_like_a_quoted_one() {
    for (rule, label, expected) in [
        ("!self.$0", "mode", "!self.mode"),
        ("!has(self.mo$0) # why", "mode", "!has(self.mode) # why"),
        ("!has(self.mode) || self.$0", "ports", "!has(self.mode) || self.ports"),
        ("!has(self.mode) || self.mode.$0", "matches", "!has(self.mode) || self.mode.matches("),
        ("!has(self.mode) || $0", "size", "!has(self.mode) || size("),
    ] {
        let plain = labels(&format!("rule: {rule}"));
        assert_eq!(plain, labels(&format!("rule: \"{rule}\"")), "{rule}");
        assert_eq!(taken(&format!("rule: {rule}"), label), format!("rule: {expected}"));
    }
    assert!(labels("rule: !!str self$0").contains(&"self".to_owned()));
    assert!(labels("rule: !self # wh$0").is_empty());
}

#[test]
fn has_and_optional_selection_propose_only_fields() {
    assert!(!labels("rule: has(self.mode.$0").contains(&"matches".to_owned()));
    assert_eq!(labels("rule: self.?$0").len(), 6);
}

#[test]
fn methods_and_macros_fit_the_receiver() {
    let text = labels("rule: self.mode.$0");
    assert!(text.contains(&"matches".to_owned()) && !text.contains(&"all".to_owned()), "{text:?}");
    assert!(!text.contains(&"join".to_owned()) && !text.contains(&"isGreaterThan".to_owned()), "{text:?}");
    let list = labels("rule: self.ports.$0");
    assert!(list.contains(&"all".to_owned()) && list.contains(&"size".to_owned()), "{list:?}");
    assert!(!list.contains(&"matches".to_owned()) && !list.contains(&"optMap".to_owned()), "{list:?}");
    let optional = labels("rule: self.?mode.$0");
    assert!(
        optional.contains(&"orValue".to_owned()) && optional.contains(&"optMap".to_owned()),
        "{optional:?}"
    );
    let set = labels("rule: sets.$0");
    assert_eq!(set, ["contains", "equivalent", "intersects"]);
}

#[test]
fn only_what_the_release_has_is_offered() {
    let labels = |entry: &str, minor| -> Vec<String> {
        let (_, file, offset) = at_cursor(entry, minor);
        file.completions(offset).into_iter().map(|one| one.label).collect()
    };
    let has = |list: Vec<String>, label: &str| list.iter().any(|one| one == label);
    assert!(!has(labels("rule: $0", 30), "isIP") && has(labels("rule: $0", 31), "isIP"));
    assert!(
        !has(labels("rule: self.ports.$0", 32), "transformList")
            && has(labels("rule: self.ports.$0", 33), "transformList")
    );
    assert!(
        has(labels("rule: self.$0", 31), "__namespace__") && has(labels("rule: self.$0", 32), "namespace")
    );
}

#[test]
fn variables_come_with_the_innermost_first() {
    let list = labels("rule: self.ports.all(p, $0)");
    assert_eq!(list[..3], ["p", "self", "oldSelf"], "{list:?}");
    assert!(list.contains(&"has".to_owned()) && list.contains(&"sets.contains".to_owned()));
    assert_eq!(labels("rule: self.ports.all(p, true) && $0")[..2], ["self", "oldSelf"]);
    assert_eq!(labels("rule: self.ports.all($0"), Vec::<String>::new());
    check("self.ports.exists(port, po$0)", "port", "self.ports.exists(port, port)");
}

#[test]
fn calls_are_proposed_as_snippets_and_as_text() {
    let (_, list) = completions("rule: self.ports.$0");
    let one = |label: &str| list.iter().find(|one| one.label == label).unwrap();
    let (all, size) = (one("all"), one("size"));
    assert_eq!(all.snippet.as_deref(), Some("all(${1:x}, ${2:condition})"));
    assert_eq!(all.text, "all(");
    assert_eq!((size.snippet.as_deref(), size.text.as_str()), (None, "size()"));
    check("self.ports.a$0(p, true)", "all", "self.ports.all(p, true)");
}

#[test]
fn values_of_an_enumeration_are_offered_in_comparisons() {
    assert_eq!(labels("rule: self.mode == $0")[..2], ["'Fast'", "\"It's slow\""]);
    assert_eq!(labels("rule: self.mode in ['Fast', $0")[..2], ["'Fast'", "\"It's slow\""]);
    check("true && self.mode == $0", "'Fast'", "true && self.mode == 'Fast'");
    check("true && self.mode != $0", "\"It's slow\"", "true && self.mode != \"It's slow\"");
    check("true && self.mode == \"F$0\"", "\"Fast\"", "true && self.mode == \"Fast\"");
    check("self.mode in [$0]", "'Fast'", "self.mode in ['Fast']");
    // In a quote that is not closed, with the value as YAML reads it.
    check("self.mode == \"$0", "\"It's slow\"", "self.mode == \"It's slow\"");
    assert_eq!(labels("rule: self.replicas == $0")[0], "self");
}

#[test]
fn the_first_word_of_a_rule_is_completed() {
    assert_eq!(taken("rule: $0", "self"), "rule: self");
    assert_eq!(taken("rule:$0", "self"), "rule: self");
    assert_eq!(
        taken("messageExpression: \"$0\"\n              rule: 'true'", "self"),
        "messageExpression: \"self\"\n              rule: 'true'"
    );
    assert_eq!(
        taken("rule: |\n                self.mode == 'a' &&\n                $0", "self"),
        "rule: |\n                self.mode == 'a' &&\n                self"
    );
    assert_eq!(
        taken("{rule: self.po$0}\n            - rule: 'true'", "ports"),
        "{rule: self.ports}\n            - rule: 'true'"
    );
}

#[test]
fn in_braces_a_plain_rule_gets_no_commas() {
    let list = labels("{rule: self.ports.$0}\n            - rule: 'true'");
    assert!(list.contains(&"size".to_owned()) && !list.contains(&"all".to_owned()), "{list:?}");
}

#[test]
fn nothing_is_offered_in_comments_strings_and_elsewhere() {
    for entry in
        ["rule: self.mode == 'a' // $0", "rule: \"self.mode.matches('$0')\"", "rule: 1.$0", "rule: 'a'$0"]
    {
        assert_eq!(labels(entry), Vec::<String>::new(), "{entry}");
    }
    // On the key, the other keys are proposed.
    assert!(labels("ru$0le: a").contains(&"fieldPath".to_owned()));
}

#[test]
fn reasons_and_paths_have_their_values() {
    assert_eq!(
        labels("rule: 'true'\n              reason: $0"),
        ["FieldValueInvalid", "FieldValueForbidden", "FieldValueRequired", "FieldValueDuplicate"]
    );
    assert_eq!(
        taken("reason: FieldV$0\n              rule: 'true'", "FieldValueRequired"),
        "reason: FieldValueRequired\n              rule: 'true'"
    );
    let paths = [".labels", ".mode", ".namespace", ".old-name", ".ports", ".replicas"];
    assert_eq!(labels("rule: 'true'\n              fieldPath: $0"), paths);
    assert_eq!(
        taken("fieldPath: .mo$0\n              rule: 'true'", ".mode"),
        "fieldPath: .mode\n              rule: 'true'"
    );
}

#[test]
fn an_empty_rule_proposes_idioms_for_its_value() {
    let of = |schema: &str| -> Vec<(String, String)> {
        let text = crate::features::tests::definition(schema);
        let offset = text.find("$0").unwrap();
        let text = text.replacen("$0", "", 1);
        let file = crate::File::new(&text, &crate::Settings::default());
        let all = file.completions(u32::try_from(offset).unwrap()).into_iter();
        all.filter(|one| one.kind == crate::CompletionKind::Expression)
            .map(|one| (one.label, one.text.trim_matches(['\'', '"']).to_owned()))
            .collect()
    };
    let rules = |rest: &str| format!("{rest}x-kubernetes-validations:\n- rule: $0\n");
    let texts = |schema: &str| of(schema).into_iter().map(|(_, text)| text).collect::<Vec<_>>();
    assert_eq!(texts(&rules("type: string\n")), ["self == oldSelf"]);
    let message = "type: string\nx-kubernetes-validations:\n- rule: 'true'\n  messageExpression: $0\n";
    assert_eq!(texts(message), [""; 0], "a message is a text");
    let object = "type: object\nproperties:\n  minSize: {type: integer}\n  maxSize: {type: integer}\n";
    assert_eq!(
        texts(&rules(&format!("{object}required: [minSize]\n"))),
        ["self == oldSelf", "!has(self.maxSize) || self.minSize <= self.maxSize"]
    );
    let one_of =
        "type: object\nproperties:\n  file: {type: object}\n  url: {type: object}\n  name: {type: string}\n";
    assert_eq!(texts(&rules(one_of)), ["self == oldSelf", "has(self.file) != has(self.url)"]);
    let list = "type: object\nproperties:\n  names:\n    type: array\n    items: {type: string}\n    \
                x-kubernetes-validations:\n    - rule: $0\n";
    assert_eq!(texts(list), ["self == oldSelf", "self.all(x, self.exists_one(y, x == y))"]);
    assert_eq!(of(&rules("type: string\n").replace("$0", "self == $0")), []);
}

/// In new versions of Kubernetes, `namespace` needs no escape after a dot, but words of the grammar do.
#[test]
fn words_of_the_grammar_are_escaped() {
    let schema = "type: object\nx-kubernetes-validations:\n- rule: self.$0\nproperties:\n  in: {type: string}\n  \
                  namespace: {type: string}\n  \"null\": {type: string}\n";
    let text = crate::features::tests::definition(schema);
    let offset = text.find("$0").unwrap() as u32;
    let file = crate::File::new(&text.replace("$0", ""), &crate::Settings::default());
    let names = file.completions(offset).into_iter().map(|one| one.label);
    let ours: Vec<_> =
        names.filter(|name| ["__", "namespace"].iter().any(|part| name.contains(part))).collect();
    assert_eq!(ours, ["__in__", "namespace", "__null__"]);
}

/// `rule: true` is a YAML boolean, which is not allowed as a rule.
#[test]
fn a_plain_rule_does_not_begin_with_a_word_of_yaml() {
    let has = |entry: &str, label: &str| labels(entry).iter().any(|other| other == label);
    assert!(!has("rule: $0", "true") && has("rule: $0", "self"));
    assert!(has("rule: '$0'", "true") && has("rule: self.mode == 'a' || $0", "true"));
}
