use api::{CUSTOM_RESOURCE_DEFINITION_V1, FieldType};
use yaml::Tree;

use super::definition;

/// Removes `$0` from `text` and hovers there. Returns the text that the hover covers, and its Markdown.
#[track_caller]
fn hover(text: &str) -> Option<(String, String)> {
    let offset = text.find("$0").expect("a cursor");
    let text = text.replacen("$0", "", 1);
    let hover = crate::features::hover::hover(&Tree::parse(&text), offset as u32)?;
    Some((text[hover.range.as_usize()].to_owned(), hover.markdown))
}

/// Expects a hover on `covered` that says `markdown`.
#[track_caller]
fn check(text: &str, covered: &str, markdown: &str) {
    let (range, found) = hover(text).expect("a hover");
    assert_eq!((range.as_str(), found.trim_end()), (covered, markdown.trim_end()), "\n{found}");
}

/// Expects a hover in a schema on `covered` whose last section, that of the property, is `section`.
#[track_caller]
fn check_property(schema: &str, covered: &str, section: &str) {
    let (range, found) = hover(&definition(schema)).expect("a hover");
    let last = found.rsplit("\n\n---\n\n").next().unwrap_or_default();
    assert_eq!((range.as_str(), last.trim_end()), (covered, section.trim_end()), "\n{found}");
}

#[track_caller]
fn check_none(text: &str) {
    assert_eq!(hover(text), None, "in {text}");
}

#[test]
fn a_field_has_its_name_type_text_and_values() {
    let document = "\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
spec:
  sc$0ope: Namespaced
";
    let field = CUSTOM_RESOURCE_DEFINITION_V1.field("spec").expect("a spec");
    let FieldType::Object(spec) = field.ty else { panic!("{:?}", field.ty) };
    let scope = spec.field("scope").expect("a scope");
    let of_key =
        format!("**`scope`**: `string` · required\n\n{}\n\nValues: `Cluster`, `Namespaced`", scope.text());
    check(document, "scope", &of_key);
    // The value under the cursor comes first.
    let meaning = scope.value_text("Namespaced").expect("a meaning");
    let of_value = format!("**`scope: Namespaced`**\n\n{meaning}");
    check(&document.replace("sc$0ope: ", "scope: $0"), "Namespaced", &of_value);
    check(&document.replace("sc$0ope: Namespaced", "scope: Namespaced$0"), "Namespaced", &of_value);
}

#[test]
fn a_field_shows_its_default_and_first_release() {
    let (_, markdown) =
        hover(&definition("type: object\nx-kubernetes-validations:\n- rule: self.a\n  reas$0on: X")).unwrap();
    let heading = "**`reason`**: `string` · since Kubernetes 1.28\n\n";
    assert!(markdown.starts_with(heading), "{markdown}");
    assert!(
        markdown.contains("\n\nDefault: `FieldValueInvalid`\n\n---\n\n**The object itself**: `object`"),
        "{markdown}"
    );
}

#[test]
fn the_hover_of_items_and_free_keys_shows_their_field() {
    let first_lines = |text: &str| {
        let (range, markdown) = hover(text).expect("a hover");
        (range, markdown.lines().next().unwrap_or_default().to_owned())
    };
    let head = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n";
    assert_eq!(
        first_lines(&format!("{head}spec:\n  names:\n    shortNames: [a, b$0]\n")),
        ("b".to_owned(), "**`shortNames[1]`**: `string`".to_owned())
    );
    assert_eq!(
        first_lines(&format!("{head}metadata:\n  annotations:\n    a.b/c$0: d\n")),
        ("a.b/c".to_owned(), "**`annotations[a.b/c]`**: `string`".to_owned())
    );
    assert_eq!(
        first_lines(&format!("{head}spec:\n  $0versions: []\n")),
        ("versions".to_owned(), "**`versions`**: `[]CustomResourceDefinitionVersion` · required".to_owned())
    );
    assert_eq!(
        first_lines(&format!("{head}spec:\n  versions: [$0]\n")),
        ("[]".to_owned(), "**`versions`**: `[]CustomResourceDefinitionVersion` · required".to_owned())
    );
}

#[test]
fn v1beta1_has_separate_fields() {
    let (_, markdown) = hover(
        "apiVersion: apiextensions.k8s.io/v1beta1\nkind: CustomResourceDefinition\nspec:\n  vali$0dation: {}\n",
    )
    .unwrap();
    assert!(markdown.starts_with("**`validation`**: `CustomResourceValidation`\n\n"), "{markdown}");
}

#[test]
fn definitions_in_a_list_are_definitions() {
    let text = "\
apiVersion: v1
kind: List
items:
- {apiVersion: v1, kind: Pod, spec: {}}
- apiVersion: apiextensions.k8s.io/v1
  kind: $0CustomResourceDefinition
";
    let (range, markdown) = hover(text).expect("a hover");
    assert_eq!(range, "CustomResourceDefinition");
    assert!(markdown.starts_with("**`kind`**: `string`\n\n"), "{markdown}");
    assert!(markdown.ends_with("Values: `CustomResourceDefinition`"), "{markdown}");
    check_none(&text.replace("$0", "").replace("spec:", "spe$0c:"));
    check_none(&text.replace("$0", "").replace("items", "ite$0ms"));
}

#[test]
fn white_space_comments_unknown_fields_and_other_documents_have_no_hover() {
    let head = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n";
    check_none(&format!("{head}spec:\n $0 scope: Cluster\n"));
    check_none(&format!("{head}spec:\n  scope:  $0 Cluster\n"));
    check_none(&format!("{head}spec:\n  scope: Cluster # wh$0y\n"));
    check_none(&format!("{head}spec:\n  sco$0pes: Cluster\n"));
    check_none(&format!("{head}spec:\n  scopes: Clu$0ster\n"));
    check_none(&format!("{head}spec:\n  scope:\n$0\n"));
    check_none("apiVersion: apiextensions.k8s.io/v2\nki$0nd: CustomResourceDefinition\n");
    check_none("apiVersion: apps/v1\nki$0nd: Deployment\n");
    check_none("$0");
}

#[test]
fn the_hover_of_a_property_name_shows_its_constraints() {
    check_property(
        "\
type: object
properties:
  spec:
    type: object
    required: [replicas]
    properties:
      repl$0icas:
        description: How many pods to run.
        type: integer
        format: int32
        minimum: 1
        maximum: 10
        nullable: true
        default: 1
",
        "replicas",
        "\
**`spec.replicas`**: `integer (int32) ≥ 1 and ≤ 10` · required · nullable · default `1`

How many pods to run.",
    );
}

#[test]
fn paths_go_through_items_and_additional_properties() {
    let schema = "\
type: object
properties:
  spec:
    type: object
    properties:
      ports:
        type: array
        x-kubernetes-list-type: map
        x-kubernetes-list-map-keys: [name, protocol]
        items:
          type: object
          required: [name]
          properties:
            name: {type: string, pattern: '^[a-z]+$'}
      labels:
        type: object
        maxProperties: 8
        additionalProperties: {type: string}
      a.b/c: {type: array, items: {type: object, additionalProperties: {type: integer}}}
";
    for (at, covered, section) in [
        ("name: {type", "name", "**`spec.ports[*].name`**: `string` · required\n\nPattern: `^[a-z]+$`"),
        ("ports:", "ports", "**`spec.ports`**: `[]object` · list type `map`, keys `name`, `protocol`"),
        ("items:\n", "items", "**`spec.ports[*]`**: `object`"),
        ("labels:", "labels", "**`spec.labels`**: `map[string]string properties ≤ 8`"),
        ("string}\n      a.b", "string", "**`spec.labels[*]`**: `string`"),
        ("maxProperties:", "maxProperties", "**`spec.labels`**: `map[string]string properties ≤ 8`"),
        ("a.b/c:", "a.b/c", "**`spec['a.b/c']`**: `[]map[string]integer`"),
        ("integer}", "integer", "**`spec['a.b/c'][*][*]`**: `integer`"),
    ] {
        check_property(&schema.replacen(at, &format!("$0{at}"), 1), covered, section);
    }
}

#[test]
fn signatures_are_short() {
    for (schema, signature) in [
        ("{type: string, format: date-time}", "`string (date-time)`"),
        ("{type: string, enum: [a, b, '']}", "`enum: a, b, ''`"),
        ("{type: integer, enum: [1, 2]}", "`integer, enum: 1, 2`"),
        ("{type: integer, minimum: 0, exclusiveMinimum: true, maximum: 9}", "`integer > 0 and ≤ 9`"),
        ("{type: number, multipleOf: 0.5}", "`number multiple of 0.5`"),
        ("{type: string, minLength: 1, maxLength: 63}", "`string length ≥ 1 and ≤ 63`"),
        ("{type: array, maxItems: 5, items: {type: string, enum: [a]}}", "`[]string items ≤ 5`"),
        ("{x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}]}", "`int-or-string`"),
        ("{x-kubernetes-preserve-unknown-fields: true}", "`any` · keeps unknown fields"),
        ("{type: object, additionalProperties: true}", "`map[string]any`"),
        ("{type: object, x-kubernetes-embedded-resource: true}", "`object` · embedded resource"),
        (
            "{type: object, x-kubernetes-map-type: atomic, default: {a: [1, x]}}",
            "`object` · default `{a: [1, x]}` · map type `atomic`",
        ),
        ("{type: array}", "`array`"),
        ("{type: array, items: {}}", "`array`"),
    ] {
        let schema = format!("type: object\nproperties:\n  $0a: {schema}\n");
        check_property(&schema, "a", &format!("**`a`**: {signature}"));
    }
}

#[test]
fn branches_of_junctors_describe_the_same_property() {
    let schema = "type: object\nproperties:\n  size:\n    type: string\n    anyOf:\n    - enum: [small]\n    - not: {maxL$0ength: 3}\n";
    check_property(schema, "maxLength", "**`size`**: `length ≤ 3` · within `not`");
    check_property(
        &schema.replace("$0", "").replace("enum", "enu$0m"),
        "enum",
        "**`size`**: `enum: small` · within `anyOf`",
    );
    let nested = "type: object\nanyOf:\n- properties:\n    $0a: {minimum: 1}\n  required: [a]\n";
    check_property(nested, "a", "**`a`**: `≥ 1` · required · within `anyOf`");
}

#[test]
fn extensions_have_their_texts() {
    let (_, markdown) = hover(&definition("type: object\nx-kubernetes-map$0-type: atomic\n")).unwrap();
    assert!(markdown.starts_with("**`x-kubernetes-map-type`**: `string`\n\n"), "{markdown}");
    assert!(markdown.contains("How server-side apply merges the object"), "{markdown}");
    assert!(markdown.contains("Values: `atomic`, `granular`\n\nDefault: `granular`"), "{markdown}");
    assert!(markdown.ends_with("**The object itself**: `object` · map type `atomic`"), "{markdown}");
}

#[test]
fn inside_a_default_the_hover_is_on_the_field_default() {
    let (range, markdown) = hover(&definition("type: object\ndefault: {spec: {a$0: 1}}\n")).unwrap();
    assert_eq!(range, "a");
    assert!(markdown.starts_with("**`default.spec.a`**: `any`\n\n"), "{markdown}");
}

#[test]
fn the_hover_of_an_alias_shows_its_value() {
    let schema = "\
type: object
properties:
  a: &name
    type: string
    maxLength: 63
  b: *na$0me
";
    check(
        &definition(schema),
        "*name",
        "\
`*name` is the value of `&name` on line 17:

```yaml
type: string
maxLength: 63
```

---

**`b`**: `string length ≤ 63`",
    );
    check_property(
        &schema.replace("*na$0me", "{<<: *name, maxLength$0: 9}"),
        "maxLength",
        "**`b`**: `string length ≤ 9`",
    );
    check_property(&schema.replace("*na$0me", "*nam$0"), "*nam", "**`b`**");
}

#[test]
fn long_texts_are_cut() {
    let aliased: String = (0..40).map(|number| format!("    x{number}: y\n")).collect();
    let text = definition(&format!("type: object\nproperties:\n  a: &a\n{aliased}  b: *$0a\n"));
    let (_, markdown) = hover(&text).unwrap();
    assert!(markdown.contains("\nx7: y\n# …\n```"), "{markdown}");
    assert!(!markdown.contains("x8"), "{markdown}");
    let long = "x".repeat(100_000);
    let text = definition(&format!("type: object\nproperties:\n  $0{long}:\n    description: {long}\n"));
    let (_, markdown) = hover(&text).unwrap();
    assert!(markdown.len() < 3_000, "{}", markdown.len());
}

#[test]
fn markdown_in_names_stays_text() {
    check_property(
        "type: object\nproperties:\n  'a`*b': {type$0: string}\n",
        "type",
        "**`` ['a`*b'] ``**: `string`",
    );
    check_property(
        "type: object\nproperties:\n  \"a\\nb\": {type$0: string}\n",
        "type",
        "**`['a b']`**: `string`",
    );
}

#[test]
fn hovers_work_in_broken_text() {
    // A quote that is not closed, above the property.
    check_property(
        "type: object\ndescription: \"no end\nproperties:\n  a$0: {type: string}\n",
        "a",
        "**`a`**: `string`",
    );
    // An incomplete key, without a colon.
    check_property(
        "type: object\nproperties:\n  spec:\n    prop\n    ty$0pe: object\n",
        "type",
        "**`spec`**: `object`",
    );
    // A tab before the property.
    check_property(
        "type: object\nproperties:\n\ta:\n    type: string\n  b$0: {type: integer}\n",
        "b",
        "**`b`**: `integer`",
    );
    // A property without a schema.
    check_property("type: object\nrequired: [a]\nproperties:\n  a$0:\n", "a", "**`a`**: required");
    // A key at the end of the text.
    check_property("type: object\nproperties:\n  a: {ty$0pe: ", "type", "**`a`**");
}

/// The order of the example in the proposal, regardless of the order in the text.
#[test]
fn versions_are_shown_in_the_order_of_discovery() {
    let names =
        ["v1", "v10", "v2", "foo10", "foo1", "v11alpha2", "v12alpha1", "v3beta1", "v10beta3", "v11beta2"];
    let version = |name: &&str| {
        let columns = "additionalPrinterColumns: [{name: Age, type: date, jsonPath: .a}]";
        format!("  - {{name: {name}, served: {}, storage: {}, {columns}}}\n", *name != "foo10", *name == "v2")
    };
    let versions: String = names.iter().map(version).collect();
    let text = format!(
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec:\n  versions:\n{versions}"
    );
    let order = "Discovery lists the versions as `v10`, `v2`, `v1`, `v11beta2`, `v10beta3`, `v3beta1`, `v12alpha1`, \
                 `v11alpha2`, `foo1`. kubectl uses `v10` by default. Objects are stored as `v2`.";
    let last = |text: String| {
        let (_, markdown) = hover(&text).unwrap();
        markdown.rsplit("\n\n---\n\n").next().unwrap_or_default().trim_end().to_owned()
    };
    assert_eq!(last(text.replace("  versions:", "  ver$0sions:")), order);
    assert_eq!(last(text.replace("{name: v3beta1", "{name: v3$0beta1")), order);
    assert_eq!(last(text.replace("{name: v3beta1", "{na$0me: v3beta1")), order);
    assert_eq!(
        last(text.replace("{name: foo10", "{name: fo$0o10")),
        format!("{order} `foo10` is not served.")
    );
    for elsewhere in [text.replacen("{name: Age", "{name: A$0ge", 1), text.replacen("served", "ser$0ved", 1)]
    {
        assert!(!last(elsewhere).contains("Discovery lists"));
    }
    let one = definition("type: object").replace("- name:", "- na$0me:");
    assert!(last(one).starts_with("Only `v1` is served."));
}
