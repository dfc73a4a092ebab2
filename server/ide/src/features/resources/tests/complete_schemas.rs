//! Completion in the schemas of definitions.

use crate::features::resources::tests::complete::{SCHEMA, completions, labels, of_definition, taken};
use crate::features::resources::tests::{DEFINITION, widget};

/// The proposals in the schema of a property `a`, with each line of `rest` at its column.
fn of_property(rest: &str) -> Vec<String> {
    labels(&property(rest))
}

/// A definition whose property `a` has that schema.
fn property(rest: &str) -> String {
    below("properties:\n  a:\n", 4, rest)
}

/// A definition with `rest` at that column below `head`, which is in its root schema.
fn below(head: &str, column: usize, rest: &str) -> String {
    let at = |text: &str, column: usize| -> String {
        text.lines().map(|line| format!("\n{:column$}{line}", "")).collect()
    };
    let root = SCHEMA.rsplit('\n').next().unwrap_or_default().len();
    let schema = SCHEMA.trim_end();
    of_definition(&format!(
        "{schema}{}{}{}\n",
        at("type: object", root),
        at(head, root),
        at(rest, root + column)
    ))
}

#[track_caller]
fn assert_none_of(all: &[String], unwanted: &[&str]) {
    let found: Vec<_> = all.iter().filter(|one| unwanted.contains(&one.as_str())).collect();
    assert!(found.is_empty(), "{found:?} in {all:?}");
}

#[test]
fn definitions_propose_the_fields_of_the_api() {
    let head = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n";
    let of = |rest: &str| labels(&format!("{head}{rest}"));
    assert_eq!(of("$0"), ["metadata", "spec", "status"]);
    assert_eq!(of("spec:\n  gr$0\n")[..4], ["group", "names", "scope", "versions"]);
    assert_eq!(of("spec:\n  scope: $0\n"), ["Namespaced", "Cluster"]);
    let schema = "spec:\n  versions:\n  - schema:\n      openAPIV3Schema:\n        ";
    assert!(of(&format!("{schema}$0\n")).contains(&"properties".to_owned()));
    assert!(of(&format!("{schema}type: $0\n")).contains(&"object".to_owned()));
    assert!(of(&format!("{schema}properties:\n          a: {{ty$0}}\n")).contains(&"type".to_owned()));
    assert_eq!(of_property("nullable: $0"), ["true", "false"]);
    let (_, all) = completions(&property("x-kubernetes-list-t$0"));
    let list_type = all.iter().find(|one| one.label == "x-kubernetes-list-type").unwrap();
    assert!(list_type.documentation.contains("set"), "{}", list_type.documentation);
}

#[test]
fn lists_of_names_have_those_of_properties() {
    let with = |old: &str, new: &str| DEFINITION.replacen(old, new, 1);
    assert_eq!(labels(&with("list-map-keys: [name]", "list-map-keys: [name, $0]")), ["target", "protocol"]);
    assert_eq!(labels(&with("required: [name, target]", "required: [$0, target]")), ["name", "protocol"]);
    assert_eq!(labels(&with("required: [spec]", "required: [spec, $0]")), ["status"]);
}

#[test]
fn a_schema_begins_with_its_type_and_continues_with_fitting_keywords() {
    assert_eq!(of_property("$0")[0], "type");
    let of_type = |ty: &str| of_property(&format!("type: {ty}\n$0"));
    let strings = of_type("string");
    let has = |all: &[String], name: &str| all.iter().any(|one| one == name);
    assert!(
        has(&strings, "maxLength")
            && has(&strings, "enum")
            && !has(&strings, "maximum")
            && !has(&strings, "items")
    );
    let integers = of_type("integer");
    assert!(has(&integers, "maximum") && !has(&integers, "maxLength") && !has(&integers, "pattern"));
    assert_eq!(of_type("array")[..3], ["items", "description", "default"]);
    assert_eq!(of_type("object")[..3], ["properties", "additionalProperties", "required"]);
    assert_eq!(of_type("string")[..5], ["description", "enum", "default", "format", "minLength"]);
    let position = |keyword: &str| strings.iter().position(|one| one == keyword);
    assert!(position("x-kubernetes-validations") < position("oneOf"), "{strings:?}");
    assert!(position("not") < position("externalDocs"), "{strings:?}");
    assert_eq!(of_property("type: object\noneOf:\n- $0")[0], "required");
    assert!(has(&of_type("object"), "properties") && !has(&of_type("object"), "x-kubernetes-list-type"));
    assert_eq!(of_property("type: integer\nformat: $0"), ["int32", "int64"]);
    let (_, all) = completions(&property("$0"));
    let suggests_again: Vec<_> = all.iter().filter(|one| one.suggests_again).map(|one| &*one.label).collect();
    assert!(
        suggests_again.contains(&"type")
            && suggests_again.contains(&"format")
            && !suggests_again.contains(&"description")
    );
    for leads_to_values in ["x-kubernetes-validations", "x-kubernetes-list-type", "items", "not"] {
        assert!(suggests_again.contains(&leads_to_values), "{leads_to_values}: {suggests_again:?}");
    }
    for (rest, leads_to_values) in [
        ("versions:\n  - $0", "name"),
        ("versions:\n  - $0", "served"),
        ("versions:\n  - $0", "selectableFields"),
        ("versions:\n  - subresources:\n      $0", "scale"),
        ("$0", "conversion"),
    ] {
        let (_, all) = completions(&of_definition(&format!("spec:\n  {rest}\n")));
        let found = all.iter().find(|one| one.label == leads_to_values);
        assert!(found.is_some_and(|one| one.suggests_again), "{leads_to_values}");
    }
}

#[test]
fn required_fields_come_first_and_rare_ones_last() {
    let of = |rest: &str| labels(&of_definition(rest));
    assert_eq!(of("spec:\n  versions:\n  - name: v1\n    $0\n")[..3], ["served", "storage", "schema"]);
    let all = of("spec:\n  versions:\n  - name: v1\n    $0\n");
    assert_eq!(all[all.len() - 2..], ["deprecated", "deprecationWarning"]);
    assert_eq!(of("spec:\n  $0\n").last().unwrap(), "preserveUnknownFields");
}

#[test]
fn keywords_open_the_list_of_values_of_the_schema_around_them() {
    let suggests_again = |rest: &str, keyword: &str| {
        let (_, all) = completions(&property(rest));
        let found = all.iter().find(|one| one.label == keyword).map(|one| one.suggests_again);
        found.unwrap_or_else(|| panic!("{keyword} in {rest}"))
    };
    let object = "type: object\nproperties:\n  b: {type: string}\n$0";
    let list = "type: array\nx-kubernetes-list-type: map\n$0\nitems:\n  type: object";
    for (rest, keyword, is_known) in [
        ("type: string\nenum: [a, b]\n$0", "default", true),
        ("type: string\nenum: [a, b]\nex$0", "example", true),
        ("type: boolean\n$0", "default", true),
        ("type: string\n$0", "default", false),
        ("{type: boolean, $0}", "default", true),
        (object, "default", true),
        (object, "required", true),
        ("type: object\n$0", "default", false),
        ("type: object\n$0", "required", false),
        ("type: array\nitems: {type: string}\n$0", "default", true),
        (list, "x-kubernetes-list-map-keys", false),
        (&format!("{list}\n  properties:\n    b: {{type: string}}"), "x-kubernetes-list-map-keys", true),
    ] {
        assert_eq!(suggests_again(rest, keyword), is_known, "{keyword} in {rest}");
    }
}

#[test]
fn properties_are_those_of_kubernetes() {
    let properties = "type: object\n        properties:\n          ";
    let of = |rest: &str| labels(&of_definition(&format!("{SCHEMA}{properties}{rest}\n")));
    assert_eq!(of("$0"), ["spec", "status"]);
    let spec = of("spec:\n            properties:\n              paused: {type: boolean}\n              $0");
    assert!(spec.contains(&"replicas".to_owned()) && !spec.contains(&"paused".to_owned()));
    assert!(!spec.contains(&"conditions".to_owned()));
    let status = "status:\n            properties:\n              ";
    assert!(of(&format!("{status}co$0")).contains(&"conditions".to_owned()));
    let (after, _) =
        taken(&of_definition(&format!("{SCHEMA}{properties}{status}ob$0\n")), "observedGeneration");
    assert!(after.ends_with("observedGeneration:\n"), "{after}");
    // The members of `spec` follow.
    let (_, all) = completions(&of_definition(&format!("{SCHEMA}{properties}$0\n")));
    let snippet = all.into_iter().find(|one| one.label == "spec").and_then(|one| one.snippet).unwrap();
    assert!(snippet.starts_with("spec:\n  type: object\n  properties:\n    $"), "{snippet}");
    assert_eq!(labels(&widget("spec:\n  labels:\n    $0\n")), [""; 0]);
}

#[test]
fn values_that_the_server_always_rejects_are_not_offered() {
    let all = of_property("type: array\n$0");
    for refused in [
        "$ref",
        "$schema",
        "id",
        "definitions",
        "dependencies",
        "patternProperties",
        "additionalItems",
        "uniqueItems",
    ] {
        assert!(!all.iter().any(|one| one == refused), "{refused} in {all:?}");
    }
}

#[test]
fn defaults_follow_from_the_schema() {
    let of = |rest: &str| labels(&of_definition(&format!("{SCHEMA}{rest}\n")));
    assert_eq!(of("type: string\n        enum: [Fast, Slow]\n        default: $0"), ["Fast", "Slow"]);
    assert_eq!(of("type: boolean\n        default: $0"), ["true", "false"]);
    assert_eq!(of("type: integer\n        enum: [1, 2]\n        default: $0"), ["1", "2"]);
}

const STRUCTURAL: [&str; 13] = [
    "type",
    "description",
    "title",
    "default",
    "nullable",
    "additionalProperties",
    "x-kubernetes-preserve-unknown-fields",
    "x-kubernetes-embedded-resource",
    "x-kubernetes-int-or-string",
    "x-kubernetes-list-type",
    "x-kubernetes-list-map-keys",
    "x-kubernetes-map-type",
    "x-kubernetes-validations",
];

/// kube-apiserver requires the structure outside of branches, so a branch only validates.
#[test]
fn a_junctor_proposes_what_validates_values_of_the_type_around_it() {
    let of_integer = [
        "allOf",
        "anyOf",
        "enum",
        "exclusiveMaximum",
        "exclusiveMinimum",
        "format",
        "maximum",
        "minimum",
        "multipleOf",
        "not",
        "oneOf",
    ];
    for place in [
        "anyOf:\n- $0",
        "allOf:\n- $0",
        "oneOf:\n- ma$0",
        "not:\n  $0",
        "not:\n  minimum: 1\n  $0",
        "anyOf:\n- not:\n    $0",
        "anyOf:\n- allOf:\n  - $0",
        "anyOf: [{$0}]",
    ] {
        let mut all = of_property(&format!("type: integer\n{place}"));
        all.sort();
        let expected: Vec<_> =
            of_integer.iter().filter(|one| !place.contains(&format!("{one}: 1"))).collect();
        assert_eq!(all.iter().collect::<Vec<_>>(), expected, "{place}");
    }
    let of_object = of_property("type: object\nanyOf:\n- $0");
    assert_none_of(&of_object, &STRUCTURAL);
    for wanted in ["required", "properties", "not", "oneOf", "maxProperties"] {
        assert!(of_object.iter().any(|one| one == wanted), "{wanted} in {of_object:?}");
    }
    assert_none_of(&of_object, &["items", "maximum", "externalDocs", "example"]);
    assert!(of_property("type: array\nnot:\n  $0").contains(&"items".to_owned()));
    assert_eq!(of_property("type: integer\nanyOf:\n- format: $0"), ["int32", "int64"]);
}

/// The type is that of the property outside, which a branch only refers to.
#[test]
fn a_property_of_a_junctor_has_the_type_that_is_declared_outside() {
    let declared = "type: object\nproperties:\n  size: {type: integer}\n  deep: {type: array, items: {type: string}}\n  map: {type: object, additionalProperties: {type: string}}\n";
    for (place, wanted, unwanted) in [
        ("properties:\n    size:\n      $0", "maximum", "maxLength"),
        ("properties:\n    deep:\n      items:\n        $0", "maxLength", "maximum"),
        ("properties:\n    map:\n      properties:\n        any:\n          $0", "pattern", "minItems"),
    ] {
        let all = of_property(&format!("{declared}anyOf:\n- {place}"));
        assert!(all.iter().any(|one| one == wanted), "{wanted} in {all:?}");
        assert_none_of(&all, &STRUCTURAL);
        assert_none_of(&all, &[unwanted]);
    }
}

/// kube-apiserver allows the two types only here and only in this order.
#[test]
fn the_branches_of_int_or_string_have_types() {
    let int_or_string = "x-kubernetes-int-or-string: true\n";
    let of = |rest: &str| of_property(&format!("{int_or_string}{rest}"));
    assert_eq!(of("anyOf:\n- $0")[0], "type");
    assert_eq!(of("anyOf:\n- type: $0"), ["integer"]);
    assert_eq!(of("anyOf:\n- type: integer\n- type: $0"), ["string"]);
    assert_eq!(of("allOf:\n- anyOf:\n  - type: $0"), ["integer"]);
    for place in ["anyOf:\n- type: integer\n  $0", "anyOf:\n- {}\n- {}\n- $0", "oneOf:\n- $0", "allOf:\n- $0"]
    {
        assert_none_of(&of(place), &["type"]);
    }
    assert!(of("allOf:\n- $0").contains(&"pattern".to_owned()));
}

const DECLARED: &str = "type: object\nproperties:\n  size: {type: integer, description: How many.}\n  color: {type: string}\n  deep:\n    type: array\n    items: {type: object, properties: {name: {type: string}, port: {type: integer}}}\n";

#[test]
fn required_fields_of_a_junctor_are_those_declared_outside() {
    let of = |rest: &str| of_property(&format!("{DECLARED}{rest}"));
    for place in [
        "anyOf:\n- required: [$0]",
        "anyOf:\n- required:\n  - $0",
        "not:\n  required: [$0]",
        "oneOf:\n- {}\n- allOf:\n  - not: {required: [$0]}",
    ] {
        assert_eq!(of(place), ["size", "color", "deep"], "{place}");
    }
    assert_eq!(of("anyOf:\n- required: [color, $0]"), ["size", "deep"]);
    let in_list = DEFINITION.replacen(
        "            required: [mode, ports]",
        "            anyOf: [{required: [$0]}]",
        1,
    );
    let in_list: String = in_list.lines().map(|line| format!("  {line}\n")).collect();
    let in_list = format!("apiVersion: v1\nkind: List\nitems:\n-{}", in_list.get(1..).unwrap());
    assert!(labels(&in_list).contains(&"replicas".to_owned()), "a definition in a list");
    let deeper = "anyOf:\n- properties:\n    deep:\n      items:\n        required: [$0]";
    assert_eq!(of(deeper), ["name", "port"]);
}

#[test]
fn properties_of_a_junctor_are_those_declared_outside() {
    let of = |rest: &str| of_property(&format!("{DECLARED}{rest}"));
    for place in [
        "anyOf:\n- properties:\n    $0",
        "not:\n  properties:\n    si$0",
        "allOf:\n- anyOf:\n  - properties: {$0}",
        "anyOf:\n- properties: $0",
    ] {
        assert_eq!(of(place), ["size", "color", "deep"], "{place}");
    }
    assert_eq!(of("anyOf:\n- properties:\n    size: {}\n    $0"), ["color", "deep"]);
    assert_eq!(
        of("anyOf:\n- properties:\n    deep:\n      items:\n        properties:\n          $0"),
        ["name", "port"]
    );
    let (_, all) = completions(&property(&format!("{DECLARED}not:\n  properties:\n    $0")));
    let size = all.iter().find(|one| one.label == "size").unwrap();
    assert_eq!((&*size.detail, &*size.documentation), ("integer", "How many."));
    let (_, snippet) = taken(&property(&format!("{DECLARED}not:\n  properties:\n    $0")), "size");
    assert!(snippet.unwrap().ends_with("            size:\n  $1\n"));
    let (_, snippet) = taken(&property(&format!("{DECLARED}not: {{properties: {{$0}}}}")), "size");
    assert!(snippet.unwrap().ends_with("not: {properties: {size: {$1\\}}}\n"));
    // The key of an entry with a value.
    let (renamed, _) = taken(&property(&format!("{DECLARED}not: {{properties: {{si$0: {{}}}}}}")), "size");
    assert!(renamed.ends_with("not: {properties: {size: {}}}\n"), "{renamed}");
    // A nested `metadata` is rejected even if it is declared.
    let metadata = "type: object\nproperties:\n  metadata: {type: object}\n  b: {type: string}\nnot:\n  properties:\n    $0";
    assert_eq!(of_property(metadata), ["b"]);
}

#[test]
fn booleans_that_are_always_rejected_are_not_offered() {
    assert_eq!(of_property("x-kubernetes-preserve-unknown-fields: $0"), ["true"]);
    assert_eq!(of_property("uniqueItems: $0"), ["false"]);
    assert_eq!(of_property("x-kubernetes-embedded-resource: $0"), ["true", "false"]);
    let root = |rest: &str| labels(&below("", 0, rest));
    assert_eq!(root("nullable: $0"), ["false"]);
    assert_eq!(labels(&of_definition("spec:\n  preserveUnknownFields: $0\n")), ["false"]);
    let v1beta1 = "apiVersion: apiextensions.k8s.io/v1beta1\nkind: CustomResourceDefinition\nspec:\n  preserveUnknownFields: $0\n";
    assert_eq!(labels(v1beta1), ["true", "false"]);
}

#[test]
fn types_that_are_always_rejected_are_not_offered() {
    assert_eq!(labels(&of_definition(&format!("{SCHEMA}type: $0\n"))), ["object"]);
    let head = |name: &str| labels(&below(&format!("properties:\n  {name}:\n"), 4, "type: $0"));
    assert_eq!(head("metadata"), ["object"]);
    assert_eq!(head("kind"), ["string"]);
    assert_eq!(of_property("x-kubernetes-embedded-resource: true\ntype: $0"), ["object"]);
    assert_eq!(of_property("type: $0").len(), 6);
}

#[test]
fn the_schema_of_metadata_describes_its_names() {
    let metadata = |rest: &str| below("properties:\n  metadata:\n", 4, rest);
    assert_eq!(labels(&metadata("$0")), ["type", "properties"]);
    let properties = "type: object\nproperties:\n  ";
    assert_eq!(labels(&metadata(&format!("{properties}$0"))), ["name", "generateName"]);
    assert_eq!(labels(&metadata(&format!("{properties}name: {{type: string}}\n  $0"))), ["generateName"]);
    let (_, snippet) = taken(&metadata(&format!("{properties}na$0")), "name");
    assert!(snippet.unwrap().ends_with("              name:\n  type: string$1\n"));
    let name = labels(&metadata(&format!("{properties}name:\n    type: string\n    $0")));
    assert!(name.contains(&"maxLength".to_owned()));
    assert_none_of(&name, &["default", "x-kubernetes-embedded-resource"]);
}

#[test]
fn the_root_proposes_what_it_may_have() {
    let root = labels(&below("", 0, "$0"));
    assert_none_of(
        &root,
        &["additionalProperties", "nullable", "maxLength", "items", "x-kubernetes-int-or-string"],
    );
    assert!(root.contains(&"anyOf".to_owned()) && root.contains(&"x-kubernetes-validations".to_owned()));
    let with_status = below("", 0, "$0").replace("  - schema", "  - subresources: {status: {}}\n    schema");
    let mut all = labels(&with_status);
    all.sort();
    assert_eq!(
        all,
        [
            "description",
            "example",
            "externalDocs",
            "properties",
            "required",
            "title",
            "x-kubernetes-preserve-unknown-fields",
            "x-kubernetes-validations",
        ]
    );
}

#[test]
fn keywords_that_exclude_each_other_are_not_offered_together() {
    for (present, unwanted) in [
        ("type: object\nproperties: {b: {type: string}}", "additionalProperties"),
        ("type: object\nadditionalProperties: {type: string}", "properties"),
        ("type: object\nx-kubernetes-embedded-resource: true", "additionalProperties"),
        ("x-kubernetes-int-or-string: true", "x-kubernetes-preserve-unknown-fields"),
    ] {
        assert_none_of(&of_property(&format!("{present}\n$0")), &[unwanted]);
    }
}

/// An object with required, optional and nested fields, as the schema of a default.
const OBJECT: &str = "type: object\nrequired: [color]\nproperties:\n  size: {type: integer, description: How many.}\n  color: {type: string, enum: [Red, Green]}\n  paused: {type: boolean}\n  ports: {type: array, items: {type: object, properties: {name: {type: string, enum: [a, b]}}}}\n";

#[test]
fn a_default_is_completed_as_a_resource_is() {
    let of = |rest: &str| of_property(&format!("{OBJECT}{rest}"));
    for keyword in ["default", "example"] {
        for (rest, expected) in [
            (":\n  $0", &["color", "paused", "ports", "size"][..]),
            (": $0", &["color", "paused", "ports", "size"]),
            (": {$0}", &["color", "paused", "ports", "size"]),
            (":\n  color: Red\n  $0", &["paused", "ports", "size"]),
            (":\n  color: $0", &["Red", "Green"]),
            (": {paused: $0}", &["true", "false"]),
            (":\n  ports:\n  - $0", &["name"]),
            (":\n  ports:\n  - name: $0", &["a", "b"]),
            (":\n  unknown:\n    $0", &[]),
        ] {
            assert_eq!(of(&format!("{keyword}{rest}")), expected, "{keyword}{rest}");
        }
    }
    let (_, all) = completions(&property(&format!("{OBJECT}default:\n  $0")));
    assert_eq!(all.iter().find(|one| one.label == "size").unwrap().documentation, "How many.");
    let (_, snippet) = taken(&property(&format!("{OBJECT}default: $0")), "color");
    assert!(snippet.unwrap().ends_with("default: \n  color: ${1:Red}\n"));
}

#[test]
fn a_default_of_a_list_is_completed_as_a_resource_is() {
    let of = |rest: &str| of_property(&format!("type: array\nitems: {{type: string, enum: [a, b]}}\n{rest}"));
    assert_eq!(of("default:\n- $0"), ["a", "b"]);
    assert_eq!(of("default: [$0]"), ["a", "b"]);
    assert_eq!(of("default:\n  $0"), ["- "]);
    assert_eq!(of("x-kubernetes-list-type: set\ndefault: [a, $0]"), ["b"]);
    let objects = "type: array\nitems: {type: object, properties: {name: {type: string}}}\ndefault:\n- $0";
    assert_eq!(of_property(objects), ["name"]);
}

/// A default that the author is typing is not yet a value of the schema.
#[test]
fn a_default_does_not_propose_itself() {
    assert_eq!(of_property("type: string\nenum: [Fast, Slow]\ndefault: Fa$0"), ["Fast", "Slow"]);
    assert_eq!(of_property("type: string\ndefault: Fa$0"), [""; 0]);
    assert_eq!(of_property("type: string\ndefault: Fast\nexample: $0"), ["Fast"]);
}

#[test]
fn a_webhook_has_its_client_and_the_versions_of_its_reviews() {
    let webhook = "spec:\n  conversion:\n    strategy: Webhook\n    ";
    let (_, snippet) = taken(&of_definition(&format!("{webhook}$0\n")), "webhook");
    let snippet = snippet.unwrap();
    assert!(snippet.contains("clientConfig:") && snippet.contains("conversionReviewVersions:"), "{snippet}");
    let versions = format!("{webhook}webhook:\n      conversionReviewVersions:");
    assert_eq!(labels(&of_definition(&format!("{versions} [$0]\n"))), ["v1", "v1beta1"]);
    assert_eq!(labels(&of_definition(&format!("{versions}\n      - v1\n      - $0\n"))), ["v1beta1"]);
}

#[test]
fn a_list_without_a_choice_is_not_shown() {
    let named = |name: &str| {
        let names = "spec:\n  group: acme.io\n  names: {plural: gadgets}\n";
        let head = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n";
        labels(&format!("{head}metadata:\n  name: {name}\n{names}"))
    };
    assert_eq!(named("gad$0"), ["gadgets.acme.io"]);
    assert!(named("gadgets$0.acme.io").is_empty(), "Tab goes to the next field");
    assert!(named("gadgets.acme.io$0").is_empty());
}
