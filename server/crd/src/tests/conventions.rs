//! The optional lints for the Kubernetes API conventions.

use super::lints::{options_with, version};
use super::markers::{check, check_with};
use crate::options::OptionalLint;

#[test]
fn conventions_of_names_are_checked_on_request() {
    conventions(
        OptionalLint::Name,
        "\
type: object
properties:
  spec:
    type: object
    properties:
      node_name: {type: string}
      ^^^^^^^^^ hint[convention/name]: the name `node_name` is not in lower camel case; rename it to `nodeName`
      HTTPPort: {type: integer}
      ^^^^^^^^ hint[convention/name]: the name `HTTPPort` is not in lower camel case; rename it to `httpPort`
      URL: {type: string}
      ^^^ hint[convention/name]: the name `URL` is not in lower camel case; rename it to `url`
      $ref_: {type: string}
      ^^^^^ hint[convention/name]: the name `$ref_` is not in lower camel case; rename it; begin with a lower-case letter
      lastPhase: {type: string}
      ^^^^^^^^^ hint[convention/name]: `lastPhase` cannot gain a value without breaking clients; use conditions
      startTimestamp: {type: string}
      ^^^^^^^^^^^^^^ hint[convention/name]: Kubernetes API names end in `Time`, not in `Timestamp`; rename it to `startTime`
      secretReference: {type: string}
      ^^^^^^^^^^^^^^^ hint[convention/name]: Kubernetes API names end in `Ref`, not in `Reference`; rename it to `secretRef`
      clusterIPs: {type: string}
      phases: {type: string}
",
    );
}

#[test]
fn conventions_of_types_and_bounds_are_checked_on_request() {
    conventions(
        OptionalLint::Boolean,
        "\
type: object
properties:
  paused: {type: boolean}
                 ^^^^^^^ hint[convention/boolean]: a boolean cannot gain a third value
  state: {type: string, enum: [Running, Paused]}
",
    );
    conventions(
        OptionalLint::Map,
        "\
type: object
properties:
  labels: {type: object, additionalProperties: {type: string}}
  ports: {type: object, additionalProperties: {type: integer}}
                        ^^^^^^^^^^^^^^^^^^^^ hint[convention/map]: the keys of this map have no name
  any: {type: object, x-kubernetes-preserve-unknown-fields: true}
",
    );
    conventions(
        OptionalLint::Unbounded,
        "\
type: object
properties:
  text: {type: string}
               ^^^^^^ hint[convention/unbounded]: the value has no `maxLength`; set it
  time: {type: string, format: date-time}
  mode: {type: string, enum: [a, b]}
  short: {type: string, maxLength: 5}
  list: {type: array, items: {type: string, maxLength: 5}}
               ^^^^^ hint[convention/unbounded]: the value has no `maxItems`
  map: {type: object, additionalProperties: {type: string, maxLength: 5}}
              ^^^^^^ hint[convention/unbounded]: the value has no `maxProperties`
  count: {type: integer}
                ^^^^^^^ hint[convention/unbounded]: the value has no `minimum` and `maximum`
  most: {type: integer, minimum: 0}
               ^^^^^^^ hint[convention/unbounded]: the value has no `maximum`
  port: {x-kubernetes-int-or-string: true}
  size: {type: integer, minimum: 0, maximum: 9}
",
    );
    conventions(
        OptionalLint::Nullable,
        "\
type: object
properties:
  limit: {type: integer, nullable: true}
                         ^^^^^^^^ hint[convention/nullable]: `null` and an absent field mean the same to most clients
  other: {type: integer, nullable: false}
",
    );
}

#[test]
fn conventions_of_required_fields_are_checked_on_request() {
    conventions(
        OptionalLint::ItemRequired,
        "\
type: object
properties:
  ports: {type: array, items: {type: object, properties: {name: {type: string}}}}
                       ^^^^^ hint[convention/item-required]: an empty object is a valid item of this list
  named: {type: array, items: {type: object, required: [name], properties: {name: {type: string}}}}
  texts: {type: array, items: {type: string}}
",
    );
    conventions(
        OptionalLint::RequiredDefault,
        "\
type: object
required: [size, name]
           ^^^^ hint[convention/required-default]: `size` has a default and is never absent; remove it from `required`
properties:
  size: {type: integer, default: 1}
  name: {type: string}
",
    );
    conventions(
        OptionalLint::StatusRequired,
        "\
type: object
required: [spec]
properties:
  spec: {type: object, required: [status], properties: {status: {type: string}}}
  status:
    type: object
    required: [ready]
               ^^^^^ hint[convention/status-required]: a controller cannot write its status without `ready`
    properties: {ready: {type: string}}
",
    );
}

#[test]
fn conventions_of_conditions_are_checked_on_request() {
    let fields = "{lastTransitionTime: {type: string}, message: {type: string}, reason: {type: string}, status: {type: string}, type: {type: string}}";
    let with = |list: &str, properties: &str, marker: &str| {
        let items = format!("{{type: object, required: [type, reason], properties: {properties}}}");
        let conditions = format!("        type: array\n{list}        items: {items}\n");
        let schema = format!(
            "type: object\nproperties:\n  spec: {{type: object}}\n  status:\n    type: object\n    properties:\n      \
             conditions:\n{marker}{conditions}"
        );
        conventions(OptionalLint::Conditions, &schema);
    };
    let list = "        x-kubernetes-list-type: map\n        x-kubernetes-list-map-keys: [type]\n";
    with(list, fields, "");
    let lost = "      ^^^^^^^^^^ hint[convention/conditions]: controllers that apply conditions overwrite those of others; set\n";
    with("", fields, lost);
    with(&list.replace("[type]", "[type, reason]"), fields, lost);
    let marker = "      ^^^^^^^^^^ hint[convention/conditions]: conditions do not declare `lastTransitionTime`, which clients expect\n";
    with(list, &fields.replace("lastTransitionTime", "time"), marker);
}

/// Checks the findings in a schema with one convention enabled, and the absence of findings without it.
fn conventions(lint: OptionalLint, schema: &str) {
    let of = |lines: &[&str]| {
        let schema: String = lines.iter().map(|line| format!("\n        {line}")).collect();
        version("    served: true\n    subresources: {status: {}}\n", &schema)
    };
    let lines: Vec<&str> = schema.lines().collect();
    check_with(&of(&lines), &options_with(lint));
    let bare: Vec<&str> = lines.into_iter().filter(|line| !line.trim_start().starts_with('^')).collect();
    check(&of(&bare));
}
