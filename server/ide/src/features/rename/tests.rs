#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::sync::Arc;

use crate::{Catalog, Definitions, File, Settings, Surroundings};

const DEFINITION: &str = r#"apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Widget, plural: widgets, singular: widget, listKind: WidgetList}
  versions:
  - name: v1
    served: true
    storage: true
    additionalPrinterColumns:
    - {name: Size, type: integer, jsonPath: ".spec['size']"}
    - name: Port
      type: string
      jsonPath: .spec.ports[?(@.name=="web")].protocol
    subresources:
      status: {}
      scale: {specReplicasPath: .spec.size, statusReplicasPath: .status.size}
    schema:
      openAPIV3Schema:
        type: object
        x-kubernetes-validations:
        - rule: |-
            !has(self.spec.size) ||
              self.spec.size < 10
          messageExpression: "'is ' + string(self.spec.?size.orValue(0))"
          fieldPath: .spec.size
        - rule: 'self.spec.ports.all(size, size.name != '''')'
        properties:
          spec:
            type: object
            required: [size, "ports"]
            default: {size: 3, ports: []}
            anyOf:
            - required: [size]
            - properties: {size: {minimum: 2}}
            properties:
              size: # how large
                type: integer
                maximum: 100
              in:
                type: integer
              labels:
                type: object
                additionalProperties: {type: object, properties: {text: {type: string}}}
              ports:
                type: array
                maxItems: 5
                x-kubernetes-list-type: map
                x-kubernetes-list-map-keys: [name]
                items:
                  type: object
                  required: [name]
                  properties:
                    name: {type: string, maxLength: 9}
                    protocol: {type: string}
          status:
            type: object
            properties:
              size: {type: integer}
"#;

const RESOURCE: &str = "apiVersion: example.com/v1
kind: Widget
metadata: {name: a}
spec:
  \"size\": 3
  ports:
  - {name: web, protocol: TCP}
  labels: {size: {text: a}}
";

fn surroundings(definition: &str, source: &str) -> Surroundings {
    let definitions = Definitions::read("crd.yaml", definition, Definitions::load_kept(definition));
    let catalog = Catalog::default().with([(Arc::from("crd.yaml"), definitions)]);
    Surroundings { catalog, source: source.into(), stored: None, base: None }
}

/// The lines of both texts that change when the property at `$0` of `definition` or `resource` is renamed to
/// `new`.
fn renamed(definition: &str, resource: &str, new: &str) -> Result<Vec<String>, String> {
    let (marked, other) =
        if definition.contains("$0") { (definition, resource) } else { (resource, definition) };
    let offset = marked.find("$0").expect("a cursor") as u32;
    let (marked, is_definition) = (marked.replace("$0", ""), definition.contains("$0"));
    let (definition, source) = match is_definition {
        true => (marked.as_str(), "crd.yaml"),
        false => (other, "cr.yaml"),
    };
    let file = File::with_surroundings(&marked, &Settings::default(), surroundings(definition, source));
    file.rename_target(offset)?;
    let rename = file.rename(offset, new)?;
    let mut lines = changed(&marked, &file.renamed(&rename)?);
    assert_eq!(file.renamed(&rename), rename.edits(&marked));
    let others = changed(other, &rename.edits(other)?);
    match is_definition {
        true => lines.extend(others),
        false => lines = [others, lines].concat(),
    }
    Ok(lines)
}

fn changed(text: &str, edits: &[text::TextEdit]) -> Vec<String> {
    let mut after = text.to_owned();
    for edit in edits.iter().rev() {
        after.replace_range(edit.range.as_usize(), &edit.new_text);
    }
    let lines = text.lines().zip(after.lines());
    lines.filter(|(one, other)| one != other).map(|(_, line)| line.trim().to_owned()).collect()
}

/// `text` with a cursor in the first `name` after `before`.
fn with_cursor(text: &str, before: &str, name: &str) -> String {
    let start = text.find(before).expect("the words before") + before.len();
    let at = start + text[start..].find(name).expect("the name");
    format!("{}$0{}", &text[..at + 1], &text[at + 1..])
}

const SIZE_RENAMED: [&str; 13] = [
    "- {name: Size, type: integer, jsonPath: \".spec['count-of']\"}",
    "scale: {specReplicasPath: .spec.count-of, statusReplicasPath: .status.size}",
    "!has(self.spec.count__dash__of) ||",
    "self.spec.count__dash__of < 10",
    "messageExpression: \"'is ' + string(self.spec.?count__dash__of.orValue(0))\"",
    "fieldPath: .spec.count-of",
    "required: [count-of, \"ports\"]",
    "default: {count-of: 3, ports: []}",
    "- required: [count-of]",
    "- properties: {count-of: {minimum: 2}}",
    "count-of: # how large",
    "\"count-of\": 3",
    "",
];

#[test]
fn all_mentions_of_a_property_get_the_new_name() {
    for definition in [
        with_cursor(DEFINITION, "            properties:\n              ", "size"),
        with_cursor(DEFINITION, "!has(self.spec.", "size"),
        with_cursor(DEFINITION, "string(self.spec.?", "size"),
        with_cursor(DEFINITION, "required: [", "size"),
    ] {
        assert_eq!(renamed(&definition, RESOURCE, "count-of").unwrap(), SIZE_RENAMED[..12], "{definition}");
    }
    let resource = with_cursor(RESOURCE, "spec:\n  ", "\"size");
    assert_eq!(renamed(DEFINITION, &resource, "count-of").unwrap(), SIZE_RENAMED[..12]);
}

#[test]
fn keys_of_lists_and_filters_are_names_too() {
    let expected = [
        "jsonPath: .spec.ports[?(@.id==\"web\")].protocol",
        "- rule: 'self.spec.ports.all(size, size.id != '''')'",
        "x-kubernetes-list-map-keys: [id]",
        "required: [id]",
        "id: {type: string, maxLength: 9}",
        "- {id: web, protocol: TCP}",
    ];
    let key = with_cursor(DEFINITION, "list-map-keys: [", "name");
    assert_eq!(renamed(&key, RESOURCE, "id").unwrap(), expected);
    let item = with_cursor(RESOURCE, "- {", "name");
    assert_eq!(renamed(DEFINITION, &item, "id").unwrap(), expected);
}

#[test]
fn a_property_below_a_map_is_renamed_for_all_keys() {
    let expected = [
        "additionalProperties: {type: object, properties: {words: {type: string}}}",
        "labels: {size: {words: a}}",
    ];
    let key = with_cursor(DEFINITION, "properties: {text", ":").replace("text:$0", "te$0xt:");
    assert_eq!(renamed(&key, RESOURCE, "words").unwrap(), expected);
}

#[test]
fn a_rule_takes_the_old_name_of_a_reserved_word() {
    let definition = DEFINITION.replace("self.spec.size < 10", "self.spec.size < self.spec.__in__");
    let renamed = renamed(&with_cursor(&definition, "              ", "in:"), RESOURCE, "namespace").unwrap();
    assert_eq!(renamed, ["self.spec.size < self.spec.__namespace__", "namespace:"]);
}

#[test]
fn a_refused_rename_has_a_reason() {
    let size = with_cursor(DEFINITION, "            properties:\n              ", "size");
    for (definition, new, why) in [
        (size.clone(), "ports", "the schema of version v1 already has a property `ports`"),
        (size.clone(), "", "a name must not be empty"),
        (size.clone(), "a\nb", "a name must not be empty"),
        (size, "größe", "CEL rules use `size` and cannot use `größe`"),
        (
            with_cursor(DEFINITION, "          ", "status:\n            type"),
            "state",
            "requires the name `status`",
        ),
        (
            with_cursor(DEFINITION, "        properties:\n          ", "spec:"),
            "kind",
            "`kind` is a reserved name",
        ),
        (with_cursor(DEFINITION, "schema:\n", "openAPIV3Schema"), "a", "there is no property here"),
        (with_cursor(DEFINITION, "ports.all(", "size"), "a", "there is no property here"),
        (with_cursor(DEFINITION, "        ", "type: object"), "a", "there is no property here"),
    ] {
        let refused = renamed(&definition, RESOURCE, new).unwrap_err();
        assert!(refused.starts_with(why) || refused.ends_with(why), "{new}: {refused}");
    }
    for (resource, new, why) in [
        (with_cursor(RESOURCE, "metadata: {", "name"), "id", "`metadata` is part of every API object"),
        (with_cursor(RESOURCE, "", "kind"), "id", "`kind` is part of every API object"),
        (with_cursor(RESOURCE, "labels: {", "size"), "id", "there is no property here"),
    ] {
        let refused = renamed(DEFINITION, &resource, new).unwrap_err();
        assert!(refused.starts_with(why), "{refused}");
    }
    let both = RESOURCE.replace("spec:\n", "spec:\n  count: 1\n");
    let size = with_cursor(DEFINITION, "            properties:\n              ", "size");
    assert!(
        renamed(&size, &both, "count")
            .unwrap_err()
            .starts_with("a resource already sets both `count` and `size`")
    );
}

/// Two versions with the same schema.
fn two_versions(conversion: &str) -> String {
    let (head, version) = DEFINITION.split_once("  - name: v1\n").unwrap();
    let second = version.replace("storage: true", "storage: false");
    format!("{head}  - name: v1\n{version}  - name: v2\n{second}{conversion}")
}

#[test]
fn without_a_webhook_all_versions_keep_the_same_names() {
    let name = |conversion: &str| {
        let definition =
            with_cursor(&two_versions(conversion), "            properties:\n              ", "size");
        renamed(&definition, &RESOURCE.replace("/v1", "/v2"), "count-of").unwrap()
    };
    let without = name("");
    assert_eq!(without.len(), 23);
    assert_eq!(without.last().unwrap(), "\"count-of\": 3");
    let webhook = "  conversion:
    strategy: Webhook
    webhook:
      conversionReviewVersions: [v1]
      clientConfig: {url: 'https://example.com/convert'}
";
    assert_eq!(name(webhook), SIZE_RENAMED[..11]);
}

#[test]
fn properties_shared_by_an_alias_are_not_renamed() {
    let definition = DEFINITION
        .replace(
            "protocol: {type: string}",
            "protocol: &text {type: object, properties: {a: {type: string}}}",
        )
        .replace("              in:\n                type: integer\n", "              in: *text\n")
        .replace("              in: *text\n", "")
        + "        other: *text\n";
    let definition = with_cursor(&definition, "&text {type: object, properties: {", "a:");
    let refused = renamed(&definition, RESOURCE, "b").unwrap_err();
    assert!(refused.contains("YAML anchor"), "{refused}");
}
