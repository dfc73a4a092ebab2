//! The features on small texts: hovers as Markdown, outlines and folds as indented lines.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod edited;
mod enter;
mod folds;
mod hover;
mod outline;
mod size;

/// A definition with that `openAPIV3Schema`.
pub(in crate::features) fn definition(schema: &str) -> String {
    let head = "\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Widget, plural: widgets}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
";
    schema.lines().fold(head.to_owned(), |text, line| text + "        " + line + "\n")
}
