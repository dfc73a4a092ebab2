//! Editor features in custom resources.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod complete;
mod complete_paths;
mod complete_schemas;
mod fixes;
mod hints;
mod hover;
mod indent;
mod json;
mod navigate;

use std::sync::Arc;

use crate::{Catalog, Definitions, File, Settings, Surroundings};

/// The definition of the resources in these tests.
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
        description: A thing with ports.
        required: [spec]
        properties:
          spec:
            type: object
            required: [mode, ports]
            x-kubernetes-validations:
            - rule: self.replicas <= self.limit
              message: too many
            properties:
              mode:
                type: string
                description: >-
                  How it
                  works.
                enum: [Fast, Slow, \"yes\"]
              replicas:
                type: integer
                description: 'How many it''s to be.'
                default: 1
                minimum: 0
                maximum: 9
              limit:
                type: integer
                default: 5
              paused:
                type: boolean
              port:
                x-kubernetes-int-or-string: true
              labels:
                type: object
                additionalProperties: {type: string}
              tags:
                type: array
                x-kubernetes-list-type: set
                items: {type: string, enum: [a, b]}
              ports:
                type: array
                x-kubernetes-list-type: map
                x-kubernetes-list-map-keys: [name]
                items:
                  type: object
                  required: [name, target]
                  properties:
                    name: {type: string}
                    target:
                      type: object
                      required: [number]
                      properties:
                        number: {type: integer, description: Where it listens.}
                    protocol: {type: string, default: TCP, enum: [TCP, UDP]}
              free:
                type: object
                x-kubernetes-preserve-unknown-fields: true
          status:
            type: object
            properties:
              ready: {type: boolean}
  - name: v1alpha1
    served: true
    storage: false
    deprecated: true
    schema:
      openAPIV3Schema: {type: object, properties: {spec: {type: object}}}
";

fn surroundings() -> Surroundings {
    with_definition(DEFINITION)
}

fn with_definition(definition: &str) -> Surroundings {
    let definitions = Definitions::read("crds/widget.yaml", definition, Definitions::load_kept(definition));
    let catalog = Catalog::default().with([(Arc::from("crds/widget.yaml"), definitions)]);
    Surroundings { catalog, source: "samples/widget.yaml".into(), ..Surroundings::default() }
}

/// The file without the `$0` of `text`, and the offset of the `$0`.
fn at_cursor(text: &str) -> (String, File, u32) {
    let offset = text.find("$0").expect("a cursor");
    let text = text.replacen("$0", "", 1);
    let file = File::with_surroundings(&text, &Settings::default(), surroundings());
    (text, file, u32::try_from(offset).unwrap())
}

/// A widget with `rest` below its metadata.
fn widget(rest: &str) -> String {
    format!("apiVersion: example.com/v1\nkind: Widget\nmetadata:\n  name: one\n{rest}")
}
