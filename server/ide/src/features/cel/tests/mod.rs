//! Editor features in rules, in each style of scalar.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod complete;
mod fixes;
mod guards;
mod hover;
mod lints;
mod rest;

use crate::{File, KubernetesVersion, Settings};

/// The definition around a rule; `{rule}` is replaced by the entry of the rule.
const DEFINITION: &str = "\
apiVersion: apiextensions.k8s.io/v1
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
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            required: [mode]
            x-kubernetes-validations:
            - {rule}
              message: refused
            properties:
              mode:
                type: string
                description: How it works.
                enum: [Fast, \"It's slow\"]
              replicas:
                type: integer
                minimum: 0
              namespace:
                type: string
              old-name:
                type: string
                maxLength: 10
              labels:
                type: object
                additionalProperties: {type: string}
              ports:
                type: array
                maxItems: 8
                items:
                  type: object
                  properties:
                    port: {type: integer, description: Where it listens.}
                    name: {type: string}
";

/// The styles in which a rule can be written, with `{}` for its text.
const STYLES: [&str; 5] =
    ["rule: {}", "rule: '{}'", "rule: \"{}\"", "rule: |\n                {}", "rule: >-\n                {}"];

/// A rule in one of the [`STYLES`].
fn in_style(style: &str, rule: &str) -> String {
    let written = match style {
        style if style.contains('\'') => rule.replace('\'', "''"),
        style if style.contains('"') => rule.replace('\\', "\\\\").replace('"', "\\\""),
        _ => rule.to_owned(),
    };
    style.replace("{}", &written)
}

/// The definition with that entry, and the offset of `$0`.
fn at_cursor(entry: &str, minor: u8) -> (String, File, u32) {
    let text = DEFINITION.replace("{rule}", entry);
    let offset = text.find("$0").expect("a cursor");
    let text = text.replacen("$0", "", 1);
    let kubernetes_version = KubernetesVersion { minor };
    let settings = Settings { kubernetes_version, cost_hints_from: 0, ..Settings::default() };
    let file = File::new(&text, &settings);
    (text, file, u32::try_from(offset).unwrap())
}
