//! A definition of widgets, and widgets.

// Each test program uses a part of it.
#![allow(dead_code)]

/// The definition of `Widget`, whose `spec.size` has this schema.
pub(crate) fn definition(size: &str) -> String {
    definition_of_spec(&format!(
        "\n            type: object\n            properties:\n              size: {size}"
    ))
}

/// The definition of `Widget`, whose `spec` has this schema, with the line break before it if it begins below its key.
pub(crate) fn definition_of_spec(spec: &str) -> String {
    let value = if spec.starts_with('\n') { spec.to_owned() } else { format!(" {spec}") };
    format!(
        "apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {{name: widgets.example.com}}
spec:
  group: example.com
  scope: Namespaced
  names: {{plural: widgets, kind: Widget}}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:{value}
"
    )
}

/// A widget with this `spec.size`.
pub(crate) fn widget(size: &str) -> String {
    format!("apiVersion: example.com/v1\nkind: Widget\nmetadata: {{name: one}}\nspec:\n  size: {size}\n")
}
