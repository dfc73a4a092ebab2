//! A definition of widgets, and widgets.

// Each test program uses a part of it.
#![allow(dead_code)]

/// The definition of `Widget`, whose `spec.size` has this schema.
pub(crate) fn definition(size: &str) -> String {
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
          spec:
            type: object
            properties:
              size: {size}
"
    )
}

/// A widget with this `spec.size`.
pub(crate) fn widget(size: &str) -> String {
    format!("apiVersion: example.com/v1\nkind: Widget\nmetadata: {{name: one}}\nspec:\n  size: {size}\n")
}
