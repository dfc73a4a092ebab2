//! Fields that only some releases have.

use crate::{AnswerKind, Cache, Finding, KubernetesVersion, Options, check};

const DEFINITION: &str = "\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, singular: widget, kind: Widget, listKind: WidgetList}
  versions:
  - name: v1
    served: true
    storage: true
    selectableFields: [{jsonPath: .spec.size}]
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties: {size: {type: string, maxLength: 9}}
            x-kubernetes-validations:
            - rule: self.size == oldSelf.orValue(self).size
              optionalOldSelf: true
              message: stays
              reason: FieldValueForbidden
";

/// The findings of fields for a server of 1.`minor`.
fn findings(minor: u8) -> Vec<Finding> {
    let tree = yaml::Tree::parse(DEFINITION);
    let options = Options { kubernetes_version: KubernetesVersion { minor }, ..Options::default() };
    let mut cache = Cache::default();
    let found = tree.documents().flat_map(|document| check(document, &options, &mut cache).findings);
    found.filter(|finding| finding.code.as_str().starts_with("decode/")).collect()
}

#[test]
fn a_field_of_newer_servers_is_unknown() {
    let found = findings(27);
    let strict: Vec<(String, &str)> = found
        .iter()
        .map(|finding| {
            let server = finding.api_server.as_ref().filter(|server| server.kind == AnswerKind::StrictError);
            (finding.message.to_string(), server.map_or("", |server| server.detail.as_str()))
        })
        .collect();
    let spec = "spec.versions[0].schema.openAPIV3Schema.properties.spec.x-kubernetes-validations[0]";
    let unknown = |field: &str| format!("unknown field \"{field}\"");
    let fields = [
        (format!("{spec}.optionalOldSelf"), 29),
        (format!("{spec}.reason"), 28),
        ("spec.versions[0].selectableFields".to_owned(), 30),
    ];
    for (field, minor) in &fields {
        let text = unknown(field);
        let name = field.rsplit('.').next().unwrap_or_default();
        let message = format!("unknown field `{name}`; remove it, or require Kubernetes 1.{minor}");
        assert!(strict.contains(&(message.clone(), &text)), "{message}: {strict:#?}");
    }
    assert_eq!(strict.len(), fields.len(), "{strict:#?}");
}

/// The messages for the types and fields of `text`.
fn messages(text: &str) -> Vec<String> {
    let tree = yaml::Tree::parse(text);
    let mut cache = Cache::default();
    let found =
        tree.documents().flat_map(|document| check(document, &Options::default(), &mut cache).findings);
    let found = found.filter(|finding| finding.code.as_str().starts_with("decode/"));
    found.map(|finding| finding.message.to_string()).collect()
}

#[test]
fn a_field_of_another_object_is_moved_there() {
    for (old, new, message) in [
        (
            "spec:\n  group",
            "group: b\nspec:\n  group",
            "`group` is not a field of the root; remove it, because `spec` already has it",
        ),
        (
            "spec:\n  group: example.com\n",
            "group: example.com\nspec:\n",
            "`group` is not a field of the root; move it to `spec`",
        ),
        (
            "metadata: {",
            "metadata: {scope: Namespaced, ",
            "unknown field `scope`; remove it or correct its name",
        ),
        (
            "metadata: {",
            "metadata: {spec: {}, ",
            "`spec` is not a field of `metadata`; remove it, because the root of the definition already has it",
        ),
        (
            "names: {plural: widgets, ",
            "plural: widgets\n  names: {",
            "`plural` is not a field of `spec`; move it to `names`",
        ),
        (
            "  scope: Namespaced\n  names: {",
            "  names: {scope: Namespaced, ",
            "`scope` is not a field of `names`; move it to `spec`",
        ),
        (
            "    schema:\n      openAPIV3Schema:",
            "    openAPIV3Schema:",
            "`openAPIV3Schema` is not a field of a version; move it to `schema`",
        ),
        (
            "      openAPIV3Schema:\n        type: object",
            "      type: object\n      openAPIV3Schema:",
            "`type` is not a field of `schema`; move it to `openAPIV3Schema`",
        ),
        (
            "    served: true\n",
            "    served: true\n    status: {}\n",
            "`status` is not a field of a version; move it to `subresources`",
        ),
        (
            "  scope:",
            "  validation: {}\n  scope:",
            "`validation` is not a field of `spec` in `v1`; move its schema to `schema` in each version",
        ),
        ("size: {type", "size: {const: a, type", "`const` is unsupported; use `enum` with one value"),
        (
            "size: {type",
            "size: {then: {}, type",
            "`then` is unsupported; write the condition with `anyOf` and `not`, or as a CEL rule",
        ),
        ("size: {type", "size: {foo: 1, type", "unknown field `foo`; remove it or correct its name"),
        ("size: {type", "size: {foo, type", "unknown field `foo`; remove it or correct its name"),
        (
            "size: {type",
            "size: {items: {foo: 1}, type",
            "unknown field `foo`, which kube-apiserver ignores without an error; remove it or correct its name",
        ),
        (
            "size: {type",
            "size: {items: {const: 1}, type",
            "`const` is unsupported, and kube-apiserver ignores it without an error; use `enum` with one value",
        ),
        ("size: {type", "size: {'a b': 1, type", "unknown field \"a b\"; remove it or correct its name"),
    ] {
        let text = DEFINITION.replacen(old, new, 1);
        assert_ne!(text, DEFINITION, "{old}");
        assert!(messages(&text).contains(&message.to_owned()), "{message}: {:#?}", messages(&text));
    }
}

#[test]
fn a_keyword_of_another_language_has_its_name_here() {
    for (schema, message) in [
        ("min: 1, type: integer", "unknown field `min`; write `minimum`"),
        ("type: string, max_len: 1", "unknown field `max_len`; write `maxLength`"),
        ("type: string, regex: a", "unknown field `regex`; write `pattern`"),
        ("type: object, fields: {a: {type: string}}", "unknown field `fields`; write `properties`"),
        ("type: string, options: [a]", "unknown field `options`; write `enum`"),
        ("type: string, immutable: true", "`immutable` is unsupported; use the CEL rule `self == oldSelf`"),
        // The keyword is set, its name depends on a type, or the value is a schema.
        ("type: integer, min: 1, minimum: 2", "unknown field `min`; remove it or correct its name"),
        ("min: 1", "unknown field `min`; remove it or correct its name"),
        ("type: object, options: {type: string}", "unknown field `options`; remove it or correct its name"),
    ] {
        let text =
            DEFINITION.replacen("size: {type: string, maxLength: 9}", &format!("size: {{{schema}}}"), 1);
        assert_ne!(text, DEFINITION, "{schema}");
        assert!(messages(&text).contains(&message.to_owned()), "{message}: {:#?}", messages(&text));
    }
}

#[test]
fn a_value_of_another_type_has_its_own_remedy() {
    for (field, message) in [
        (
            "required: true",
            "`required` cannot be a boolean; list the field in `required` of the object that contains it",
        ),
        ("required: x", "`required` cannot be a string; use a list, `[x]`"),
        (
            "properties: {a: true}",
            "`properties[a]` cannot be a boolean; write a schema such as `{type: string}`",
        ),
        ("properties: {a: string}", "`properties[a]` cannot be a string; write `{type: string}`"),
        ("properties: {a: type}", "`properties[a]` cannot be a string; add `:` and a value after `type`"),
        ("properties: {a: type string}", "`properties[a]` cannot be a string; write `type: string`"),
        (
            "properties: {a: 'type string'}",
            "`properties[a]` cannot be a string; write a schema such as `{type: string}`",
        ),
        (
            "additionalProperties: type string",
            "`additionalProperties` cannot be a string; write `type: string`",
        ),
        (
            "description: on",
            "`description` cannot be a boolean, which YAML reads from `on`; put it in quotes",
        ),
        ("not: [{}]", "`not` cannot be a list; write a single schema"),
        (
            "exclusiveMinimum: 1",
            "`exclusiveMinimum` cannot be a number; write `minimum: 1` and `exclusiveMinimum: true`",
        ),
        ("minItems: 1.5", "`minItems` cannot be `1.5`; use a whole number"),
        ("minItems: 1e30", "`minItems` cannot be `1e30`; use a whole number that fits into 64 bits"),
        ("nullable: 'true'", "`nullable` cannot be a string; use `true` or `false` without quotes"),
        ("allOf: {}", "`allOf` cannot be an object; use a list of schemas"),
        ("additionalProperties: string", "`additionalProperties` cannot be a string; write `{type: string}`"),
        (
            "additionalProperties: 1",
            "`additionalProperties` cannot be a number; write a schema such as `{type: string}`, or a boolean",
        ),
    ] {
        let text = DEFINITION.replacen("size: {type", &format!("size: {{{field}, type"), 1);
        assert_eq!(messages(&text), [message], "{field}");
    }
    for (ty, message) in [
        ("yes", "`type` cannot be a boolean, which YAML reads from `yes`; write a type such as `string`"),
        ("5", "`type` cannot be a number; write a type such as `string`"),
        ("[integer, string]", "`type` cannot be a list; use `x-kubernetes-int-or-string: true`"),
        ("[string, 'null']", "`type` cannot be a list; use `type: string` and `nullable: true`"),
    ] {
        let text = DEFINITION.replacen("size: {type: string", &format!("size: {{type: {ty}"), 1);
        assert_eq!(messages(&text), [message], "{ty}");
    }
    for (time, problem) in [
        ("2024-01-02T03:04:05+25:00", "has the time zone offset `+25:00`, which is out of range"),
        ("2023-02-29T03:04:05Z", "has the day `2023-02-29`, which does not exist"),
        ("yesterday", "is not a time"),
    ] {
        let text =
            DEFINITION.replacen("metadata: {", &format!("metadata: {{creationTimestamp: '{time}', "), 1);
        let message = format!("`creationTimestamp` {problem}; write a time such as `2024-01-02T03:04:05Z`");
        assert_eq!(messages(&text), [message], "{time}");
    }
    let text =
        DEFINITION.replacen("metadata: {", "metadata: {creationTimestamp: '2024-13-02T03:04:05Z', ", 1);
    let message =
        "the month of `creationTimestamp` is out of range; write a time such as `2024-01-02T03:04:05Z`";
    assert_eq!(messages(&text), [message]);
}

#[test]
fn a_field_whose_gate_is_off_is_dropped() {
    let dropped = |minor| -> Vec<String> {
        let found = findings(minor).into_iter().filter(|finding| finding.code == "decode/dropped-field");
        found
            .map(|finding| {
                assert_eq!(finding.api_server, None);
                finding.field_path.to_string()
            })
            .collect()
    };
    let old_self = "spec.versions[0].schema.openAPIV3Schema.properties[spec].x-kubernetes-validations[0].optionalOldSelf";
    assert_eq!(dropped(29), [old_self]);
    assert_eq!(dropped(30), ["spec.versions[0].selectableFields"]);
    assert_eq!(dropped(31), Vec::<String>::new());
    assert!(findings(31).is_empty());
}
