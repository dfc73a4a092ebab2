//! Texts for tests: definitions, and lines of `^` that mark findings in the line above them.
#![allow(clippy::unwrap_used)]

use text::TextRange;

/// A definition with the `openAPIV3Schema` `schema`.
pub(crate) fn definition(schema: &str) -> String {
    indented(HEAD.to_owned() + "    schema:\n      openAPIV3Schema:\n", 8, schema)
}

/// A definition whose only version has these fields: its schema, and those before or after it.
pub(crate) fn definition_of_version(fields: &str) -> String {
    indented(HEAD.to_owned(), 4, fields)
}

/// `text` and the indented `lines`.
fn indented(text: String, columns: usize, lines: &str) -> String {
    lines.lines().fold(text, |text, line| text + &" ".repeat(columns) + line + "\n")
}

const HEAD: &str = "\
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
";

/// A definition without errors whose parts refer to each other.
pub(crate) const WIDGET: &str = "\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
spec:
  group: example.com
  scope: Namespaced
  names:
    kind: Widget
    listKind: WidgetList
    plural: widgets
    singular: widget
  versions:
  - name: v1
    served: true
    storage: true
    additionalPrinterColumns:
    - name: Size
      type: integer
      jsonPath: .spec.size
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            required:
            - size
            properties:
              size:
                type: integer
              modes:
                type: array
                items:
                  type: string
            x-kubernetes-validations:
            - rule: '!has(self.modes) || self.size > 1'
          status:
            type: object
            properties:
              replicas:
                type: integer
    subresources:
      status: {}
      scale:
        specReplicasPath: .spec.size
        statusReplicasPath: .status.replicas
";

/// The finding in a line `^^^ code | words`: its range in the line above, its code and its words.
pub(crate) type MarkedFinding = (TextRange, String, String);

/// The text without its marker lines, and their findings, in order.
#[track_caller]
pub(crate) fn unmarked(text: &str) -> (String, Vec<MarkedFinding>) {
    let (mut plain, mut marked) = (String::new(), Vec::new());
    let mut line_start = 0;
    for line in text.lines() {
        if let Some(at) = line.find('^').filter(|at| line[..*at].trim().is_empty()) {
            let width = line[at..].bytes().take_while(|byte| *byte == b'^').count();
            let (code, words) = line[at + width..].split_once(" | ").unwrap();
            let range = TextRange::at((line_start + at) as u32, width as u32);
            marked.push((range, code.trim().to_owned(), words.to_owned()));
        } else {
            line_start = plain.len();
            plain.push_str(line);
            plain.push('\n');
        }
    }
    marked.sort();
    (plain, marked)
}
