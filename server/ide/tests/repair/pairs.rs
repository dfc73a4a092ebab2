//! Mistakes that once prevented each other's fixes, or hid each other: each is reported at once, and fixes
//! alone lead to a definition without errors.

use std::collections::BTreeSet;

use ide::{File, Settings, Severity};

use crate::errors;
use crate::several::{FindingKey, finding_key, fixes_of, followed, known_by_problem};

const DEFINITION: &str = "\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
spec:
  group: example.com
  scope: Namespaced
  names:
    plural: widgets
    singular: widget
    kind: Widget
    listKind: WidgetList
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              mode:
                type: string
                enum: [a, b]
              hosts:
                type: array
                items:
                  type: object
                  properties:
                    name:
                      type: string
                      maxLength: 20
";

/// The original text, and its replacement with a mistake.
type Edit = (&'static str, &'static str);

const COPY: Edit = (
    "  versions:\n",
    "  versions:\n  - name: v1\n    served: true\n    storage: true\n    schema:\n      openAPIV3Schema:\n        type: object\n",
);
const NO_NAME: Edit = ("  name: widgets.example.com\n", "  labels: {}\n");
const NO_GROUP: Edit = ("  group: example.com\n", "");
const NO_PLURAL: Edit = ("    plural: widgets\n", "");
const CAPITAL_NAME: Edit = ("name: widgets.example.com", "name: WIDGETS.EXAMPLE.COM");
const CAPITAL_GROUP: Edit = ("group: example.com", "group: EXAMPLE.COM");
const CAPITAL_PLURAL: Edit = ("plural: widgets", "plural: WIDGETS");
const OTHER_NAME: Edit = ("name: widgets.example.com", "name: gadgets.example.org");
const NO_DOT: Edit = ("group: example.com", "group: example");
const SELECTABLE: Edit = (
    "    served: true\n    storage",
    "    served: true\n    selectableFields: [{jsonPath: .none}, {jsonPath: .spec}]\n    storage",
);
const DIALECT: Edit = (
    "            type: object\n            properties:\n              mode:",
    "            type: object\n            $schema: a\n            properties:\n              mode:",
);
const EXPENSIVE: &str =
    "                x-kubernetes-validations: [{rule: 'self.all(a, self.all(b, a == b || a != b))'}]\n";

/// Errors that repeat another error, which has the fix, and errors that depend on a schema that must be
/// repaired first.
const ECHOES: [&str; 3] = ["selectable-fields/", "stored-versions/", "versions/version-name"];

/// All errors have a fix at once.
const NAMES: &[&[Edit]] = &[
    &[CAPITAL_NAME, CAPITAL_GROUP],
    &[CAPITAL_NAME, NO_GROUP],
    &[CAPITAL_NAME, NO_PLURAL],
    &[CAPITAL_NAME, CAPITAL_PLURAL],
    &[CAPITAL_PLURAL, OTHER_NAME],
    &[CAPITAL_PLURAL, NO_GROUP],
    &[CAPITAL_PLURAL, NO_DOT],
    &[CAPITAL_PLURAL, NO_NAME],
    &[CAPITAL_PLURAL, ("group: example.com", "group: example.k8s.io")],
    &[CAPITAL_GROUP, OTHER_NAME],
    &[CAPITAL_GROUP, NO_PLURAL],
    &[("group: example.com", "group: EXAMPLE.K8S.IO"), OTHER_NAME],
    &[NO_NAME, NO_GROUP],
    &[NO_NAME, NO_PLURAL],
    &[NO_NAME, NO_DOT],
    &[NO_PLURAL, NO_DOT],
    &[NO_PLURAL, NO_GROUP],
    &[NO_DOT, OTHER_NAME],
    &[("  name: widgets.example.com\n", "  generateName: a_b\n"), NO_PLURAL],
    &[
        COPY,
        (
            "    storage: true\n    schema:\n      openAPIV3Schema:\n        type: object\n  -",
            "    storage: 'true'\n    schema:\n      openAPIV3Schema:\n        type: object\n  -",
        ),
    ],
    &[COPY, ("  - name: v1\n", "  - name: V1\n")],
    &[DIALECT, SELECTABLE],
    &[
        DIALECT,
        (
            "              mode:\n",
            "              mode:\n                x-kubernetes-validations: [{rule: 'true', fieldPath: .none}]\n",
        ),
    ],
    &[("    schema:\n      openAPIV3Schema:", "  validation:\n      openAPIV3Schema:"), SELECTABLE],
    &[(
        "        type: object\n        properties:\n          spec:",
        "        type: array\n        x-kubernetes-list-type: list\n        properties:\n          spec:",
    )],
    &[(
        "enum: [a, b]\n",
        "enum: [a, b]\n                x-kubernetes-embedded-resource: true\n                x-kubernetes-validations: [{rule: 'self.startWith(''a'')'}]\n",
    )],
    &[(ITEMS, LIST_OF_ITEMS)],
    &[("kind: Widget\n    listKind: WidgetList", "kind: Widget_x\n    listKind: Widget")],
    &[(
        "    spec:\n            type: object\n",
        "    spec:\n            type: array\n            x-kubernetes-validations: [{rule: 'has(self.moed)'}]\n",
    )],
];

/// All errors are reported at once; some fixes depend on others.
const REPORTED_AT_ONCE: &[&[Edit]] = &[
    &[(ITEMS, EXPENSIVE)],
    &[(
        "              mode:\n",
        "              mode:\n                type: object\n                default: {}\n                properties:\n                  a: {type: string, required: true}\n              kind:\n",
    )],
    &[
        ("enum: [a, b]\n", "x-kubernetes-map-type: atomic\n"),
        ("type: string\n                x", "type: [string, 'null']\n                x"),
    ],
    &[("              mode:\n", INCOMPLETE)],
    &[(ITEMS, "                default: [{a: 1}, b, 3]\n")],
];

/// A default without a required object, which requires a field itself.
const INCOMPLETE: &str = "              mode:\n                type: object\n                default: {}\n                required: [ref]\n                properties:\n                  ref: {type: object, required: [name], properties: {name: {type: string}, other: {type: string}}}\n              kind:\n";

const ITEMS: &str = "                items:\n                  type: object\n                  properties:\n                    name:\n                      type: string\n                      maxLength: 20\n";
const LIST_OF_ITEMS: &str = "                x-kubernetes-validations: [{rule: 'self.all(a, self.all(b, a == b || a != b))'}]\n                items: [{type: string}]\n";

fn planted(edits: &[Edit]) -> String {
    edits.iter().fold(DEFINITION.to_owned(), |text, (from, to)| {
        assert!(text.contains(from), "{from:?} is not in\n{text}");
        text.replacen(from, to, 1)
    })
}

fn follow(text: &str) {
    let file = File::new(text, &Settings::default());
    assert!(!errors(text).is_empty(), "nothing is wrong with\n{text}");
    let reported: BTreeSet<FindingKey> = file
        .findings()
        .iter()
        .flat_map(|finding| [finding_key(finding), known_by_problem(finding)])
        .collect();
    let end = followed(text.to_owned(), &reported);
    assert_eq!(end.later, BTreeSet::new(), "told later of\n{text}");
    assert_eq!(errors(&end.text), [], "left of\n{text}\nin\n{}", end.text);
}

#[test]
fn mistakes_do_not_prevent_fixes_of_each_other() {
    assert_eq!(errors(DEFINITION), []);
    let mut without_fix = Vec::new();
    for edits in NAMES {
        let text = planted(edits);
        let file = File::new(&text, &Settings::default());
        for finding in file.findings().iter().filter(|finding| finding.severity == Severity::Error) {
            let is_echo = ECHOES.iter().any(|code| finding.code.as_str().starts_with(code));
            if !is_echo && fixes_of(&file, finding).is_empty() {
                without_fix.push(format!("{} of {edits:?}: {}", finding.code.as_str(), finding.message));
            }
        }
        follow(&text);
    }
    assert!(without_fix.is_empty(), "{}", without_fix.join("\n"));
}

#[test]
fn mistakes_do_not_hide_each_other() {
    REPORTED_AT_ONCE.iter().for_each(|edits| follow(&planted(edits)));
}
