//! Findings beyond the server's: none of them has a server error.

mod columns;

use super::markers::{HEAD, check, check_schema, check_with, definition};
use super::reports;
use crate::options::OptionalLint;
use crate::{Options, Severity};

pub(super) fn options_with(lint: OptionalLint) -> Options {
    Options { optional_lints: [lint].into_iter().collect(), ..Options::default() }
}

/// A definition with `fields` in its only version, and `schema` in flow style.
pub(super) fn version(fields: &str, schema: &str) -> String {
    format!(
        "\
{HEAD}  versions:
  - name: v1
    storage: true
    schema:
      openAPIV3Schema: {schema}
{fields}"
    )
}

#[test]
fn contradictory_bounds() {
    check_schema(
        "\
type: object
properties:
  number: {type: number, minimum: 5, maximum: 2.5}
                                  ^ warning[lint/bounds]: no number is valid: `minimum` is 5, but `maximum` is 2.5; change one of the two
  text: {type: string, minLength: 2, maxLength: 1}
                                  ^ warning[lint/bounds]: no text is valid: `minLength` is 2, but `maxLength` is 1; change one of the two
  list: {type: array, minItems: 2, maxItems: -1, items: {type: string}}
                                             ^^ warning[lint/bounds]: no list is valid: `maxItems` is -1; use 0 or more
  object: {type: object, minProperties: 2, maxProperties: 1, additionalProperties: {type: string}}
                                        ^ warning[lint/bounds]: no object is valid: `minProperties` is 2, but `maxProperties` is 1; change one of the two
  open: {type: number, minimum: 1, maximum: 1, exclusiveMaximum: true}
                                               ^^^^^^^^^^^^^^^^ warning[lint/bounds]: no number is valid: `minimum` and `maximum` are both 1, and `exclusiveMaximum` excludes it; remove `exclusiveMaximum`, or change a bound
  above: {type: number, maximum: 1, exclusiveMinimum: true}
                                    ^^^^^^^^^^^^^^^^ warning[lint/bounds]: `exclusiveMinimum` has no effect without `minimum`; add `minimum`, or remove `exclusiveMinimum`
  zero: {type: integer, multipleOf: 0}
                                    ^ warning[lint/bounds]: no number is valid: `multipleOf` is 0
  tenth: {type: number, multipleOf: 0.1}
                                    ^^^ warning[lint/bounds]: no integer is valid: kube-apiserver truncates `multipleOf: 0.1` to 0 for integers
  half: {type: integer, maximum: 1.5}
                                 ^^^ warning[lint/bounds]: `maximum` is 1.5, so Kubernetes 1.36 and newer reject every integer; use a whole number
",
    );
}

#[test]
fn bounds_outside_the_range_of_an_integer() {
    check_schema(
        "\
type: object
properties:
  small: {type: integer, format: int32, minimum: 0, maximum: 4294967295}
                                                             ^^^^^^^^^^ warning[lint/integer-range]: `maximum` is 4294967295, which does not fit in `format: int32`
  low: {type: integer, format: int32, minimum: -2147483649}
                                               ^^^^^^^^^^^ warning[lint/integer-range]: `minimum` is -2147483649, which does not fit in `format: int32`
  large: {type: integer, maximum: 18446744073709551615}
                                  ^^^^^^^^^^^^^^^^^^^^ warning[lint/integer-range]: `maximum` is 18446744073709551615, which does not fit in a signed 64-bit integer
  fits: {type: integer, format: int32, minimum: -2147483648, maximum: 2147483647}
  wide: {type: integer, format: int64, minimum: -9223372036854775808, maximum: 9223372036854775807}
  other: {type: number, maximum: 18446744073709551615}
",
    );
    check_with(
        &definition(
            "\
type: object
properties:
  wide: {type: integer, format: int64, minimum: 0, maximum: 9223372036854775807}
                                                            ^^^^^^^^^^^^^^^^^^^ hint[lint/number]: `maximum` is 9223372036854775807, which does not fit in the range that JavaScript represents exactly, ±9007199254740991
  exact: {type: integer, maximum: 9007199254740991}
",
        ),
        &options_with(OptionalLint::Number),
    );
}

#[test]
fn satisfiable_bounds() {
    check_schema(
        "\
type: object
properties:
  one: {type: integer, minimum: 1, maximum: 1}
  open: {type: number, minimum: 1, maximum: 2, exclusiveMinimum: true, exclusiveMaximum: true}
  closed: {type: number, exclusiveMinimum: false}
  negative: {type: number, minimum: -2.5, maximum: -1, multipleOf: 1.5}
  whole: {type: integer, minimum: 1.0}
  text: {type: string, maxLength: 0}
",
    );
}

#[test]
fn enum_values_have_the_type() {
    check_schema(
        "\
type: object
properties:
  size: {type: integer, enum: [1, 2.0, '1', 1.5]}
                                       ^^^ warning[lint/enum-type]: no value of `type: integer` can equal a string
                                            ^^^ warning[lint/enum-type]: no value of `type: integer` can equal a number
  ratio: {type: number, enum: [1, 1.5, true]}
                                       ^^^^ warning[lint/enum-type]: no value of `type: number` can equal a boolean
  text: {type: string, nullable: true, enum: [a, [b]]}
                                                 ^^^ warning[lint/enum-type]: no value of `type: string` can equal a list
  either: {x-kubernetes-int-or-string: true, enum: [1, a]}
  unfinished:
    type: string
    enum:
    -
    ^ warning[lint/enum-type]: an item of `enum` is empty; write a value, or remove it
    - a
  maybe: {type: boolean, nullable: true, enum: [true, null]}
                                                      ^^^^ warning[lint/enum-type]: `null` in an `enum` never matches, even with `nullable: true`; remove it
",
    );
}

#[test]
fn keywords_judge_values_of_their_type() {
    check_schema(
        "\
type: object
properties:
  names: {type: array, pattern: a, maxItems: 2, items: {type: string, pattern: a}}
                       ^^^^^^^ warning[lint/keyword-type]: `pattern` applies to strings and has no effect on `type: array`; remove it
  words: {type: array, pattern: a, items: {type: string}}
                       ^^^^^^^ warning[lint/keyword-type]: `pattern` applies to strings and has no effect on `type: array`; move it to `items`
  size: {type: integer, maxLength: 2, maximum: 2}
                        ^^^^^^^^^ warning[lint/keyword-type]: `maxLength` applies to strings and has no effect on `type: integer`; remove it
  pages: {type: integer, maxLength: 2}
                         ^^^^^^^^^ warning[lint/keyword-type]: `maxLength` applies to strings and has no effect on `type: integer`; use `maximum`, or remove it
  port: {x-kubernetes-int-or-string: true, pattern: a, maximum: 2}
",
    );
}

#[test]
fn fields_and_items_are_described_for_their_type() {
    check_schema(
        "\
type: object
properties:
  ports:
    type: array
    items: {type: object, properties: {port: {type: integer}}}
    required: [port]
    ^^^^^^^^ warning[lint/keyword-type]: `required` applies to objects and has no effect on `type: array`; move it to `items`
  names:
    type: array
    items: {type: string}
    properties: {name: {type: string}}
    ^^^^^^^^^^ warning[lint/keyword-type]: `properties` applies to objects and has no effect on `type: array`; remove it
  hosts: {type: object, items: {type: string}}
                        ^^^^^ warning[lint/keyword-type]: `items` applies to lists and has no effect on `type: object`; set `type: array`, or remove it
  any: {type: object, items: {x-kubernetes-preserve-unknown-fields: true}, properties: {a: {type: string}}}
                      ^^^^^ warning[lint/keyword-type]: `items` applies to lists and has no effect on `type: object`; remove it
  labels: {type: object, additionalProperties: {type: string}, items: {type: string}}
                                                               ^^^^^ warning[lint/keyword-type]: `items` applies to lists and has no effect on `type: object`; remove it
  # As controller-gen writes a struct whose marker says that it is text.
  interval: {type: string, required: [seconds], properties: {seconds: {type: integer}}}
  # One error.
  servers: {type: array, required: [name], properties: {name: {type: string}}}
  ^^^^^^^ error[structural/items-required]: missing `items`; set `type: object`, or move `properties` to `items`
",
    );
}

#[test]
fn required_fields_are_declared() {
    check_schema(
        "\
type: object
required: [metadata, spec]
properties:
  spec:
    type: object
    required: [a, b]
                  ^ warning[lint/required-undefined]: `b` is required but not declared, so kube-apiserver prunes it before the check; declare it, or remove it from `required`
    properties: {a: {type: string}}
    anyOf:
    - required: [a]
    - anyOf: [{required: [c]}]
                          ^ warning[lint/required-undefined]: `c` is required
    not: {required: [d]}
  map: {type: object, required: [a], additionalProperties: {type: string}}
  closed: {type: object, required: [a], additionalProperties: false}
                                    ^ warning[lint/required-undefined]: `a` is required
                                                              ^^^^^ warning[lint/additional-properties-false]: `additionalProperties: false` without `properties` rejects every field
  open: {type: object, required: [a], x-kubernetes-preserve-unknown-fields: true}
  embedded: {type: object, required: [kind], x-kubernetes-embedded-resource: true, properties: {metadata: {type: object, required: [labels]}}}
",
    );
}

/// The server prunes fields only in objects with declared `properties`; in objects without, it rejects them.
#[test]
fn objects_without_fields() {
    check_schema(
        "\
type: object
properties:
  none: {type: object, additionalProperties: false}
                                             ^^^^^ warning[lint/additional-properties-false]: `additionalProperties: false` without `properties` rejects every field; replace it with `properties` that declare the fields, or remove it
  kept: {type: object, additionalProperties: false, x-kubernetes-preserve-unknown-fields: true}
                                             ^^^^^ warning[lint/additional-properties-false]: `additionalProperties: false` without `properties` rejects every field
  list: {type: array, items: {type: object, nullable: true, additionalProperties: false}}
                                                                                  ^^^^^ warning[lint/additional-properties-false]: `additionalProperties: false` without `properties` rejects every field
  some: {type: object, additionalProperties: {type: string}}
  all: {type: object, additionalProperties: true}
  empty: {type: object}
",
    );
}

/// If nothing is pruned, fields need not be declared.
#[test]
fn required_fields_that_are_preserved_need_no_declaration() {
    let text = version("", "{type: object, properties: {spec: {type: object, required: [a]}}}");
    let codes = |text: &str| -> Vec<&str> {
        reports(text)
            .iter()
            .flat_map(|report| &report.findings)
            .map(|finding| finding.code.as_str())
            .collect()
    };
    let text = text.replace("storage: true", "storage: true\n    served: true");
    assert_eq!(codes(&text), ["lint/required-undefined"]);
    let keeps = text.replace("scope:", "preserveUnknownFields: true\n  scope:");
    assert_eq!(codes(&keeps), ["spec/preserve-unknown-fields"]);
}

/// A definition whose versions a webhook at `url` converts; `marker` is the line below the URL.
fn converted(url: &str, marker: &str) -> String {
    let text = version("    served: true\n", "{type: object}");
    let conversion = format!(
        "spec:\n  conversion:\n    strategy: Webhook\n    webhook:\n      conversionReviewVersions: [v1]\n      clientConfig:\n        url: {url}\n{marker}"
    );
    text.replacen("spec:\n", &conversion, 1)
}

#[test]
fn a_webhook_on_the_machine_of_the_server() {
    for host in ["localhost", "LOCALHOST.:8443", "api.localhost", "127.0.0.1", "127.9.9.9:443", "0.0.0.0"] {
        let marker = format!(
            "             {} warning[lint/webhook-localhost]: `{}` is the host of kube-apiserver itself",
            "^".repeat("https:///convert".len() + host.len()),
            host.to_lowercase().split(':').next().unwrap().trim_end_matches('.'),
        );
        check(&converted(&format!("https://{host}/convert"), &format!("{marker}\n")));
    }
    check(&converted(
        "'https://[::1]:9443/convert'",
        "             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[lint/webhook-localhost]: `::1` is the host of kube-apiserver itself\n",
    ));
}

#[test]
fn a_webhook_that_is_a_service_of_the_cluster() {
    for host in ["hook.tools.svc", "hook.tools.svc:9443", "Hook.tools.svc.cluster.local.", "a.hook.tools.svc"]
    {
        let marker = format!(
            "             {} warning[lint/webhook-service]: `{}` is a cluster DNS name",
            "^".repeat("https:///convert".len() + host.len()),
            host.to_lowercase().split(':').next().unwrap().trim_end_matches('.'),
        );
        check(&converted(&format!("https://{host}/convert"), &format!("{marker}\n")));
    }
}

#[test]
fn webhooks_elsewhere() {
    for host in [
        "hooks.example.com",
        "svc",
        "svc.example.com",
        "a.b.svc.example.com",
        "10.0.0.1",
        "localhost.example.com",
    ] {
        check(&converted(&format!("https://{host}/convert"), ""));
    }
}

#[test]
fn the_service_of_a_url() {
    let service = |port, path: Option<&str>| {
        let (namespace, name) = ("tools".to_owned(), "hook".to_owned());
        Some(crate::ServiceUrl { namespace, name, port, path: path.map(str::to_owned) })
    };
    let of = crate::service_of_url;
    assert_eq!(of("https://hook.tools.svc"), service(None, None));
    assert_eq!(of("https://Hook.Tools.svc:443/"), service(None, None));
    assert_eq!(of("https://hook.tools.svc.cluster.local.:9443/a/b"), service(Some(9443), Some("/a/b")));
    for other in [
        "http://hook.tools.svc",
        "https://pod.hook.tools.svc",
        "https://hook.svc",
        "https://.tools.svc",
        "https://me@hook.tools.svc",
        "https://hook.tools.svc/a?b=c",
        "https://hook.tools.svc:0",
        "https://hook.tools.svc:70000",
        "https://hook.example.com",
    ] {
        assert_eq!(of(other), None, "{other}");
    }
}

#[test]
fn scale_reads_numbers() {
    check(&version(
        "    served: true
    subresources:
      scale:
        specReplicasPath: .spec.map.any
                          ^^^^^^^^^^^^^ warning[lint/scale-path]: the field has type `string`, not `integer`, so `kubectl scale` and autoscalers do not work; use a field of type `integer`, or change the type
        statusReplicasPath: .status.replicas
                            ^^^^^^^^^^^^^^^^ warning[lint/scale-path]: the schema declares no field `status` here, so `kubectl scale` and autoscalers do not work; correct the path, or declare the field
        labelSelectorPath: .spec.open.selector
",
        columns::SCHEMA,
    ));
}

#[test]
fn a_deprecated_version_is_served_and_names_its_replacement() {
    check(&version(
        "    served: false
            ^^^^^ warning[lint/storage-not-served]: objects are stored in this version
    deprecated: true
    ^^^^^^^^^^ hint[lint/deprecation-warning]: `v1` is deprecated but has no `deprecationWarning`
",
        "{type: object}",
    ));
}

#[test]
fn a_status_has_its_subresource() {
    let schema = "\n        type: object\n        properties:\n          status: {type: object}";
    let marker = "\n          ^^^^^^ hint[lint/status-subresource]: `status` is declared";
    check(&version("    served: true\n", &format!("{schema}{marker}")));
    check(&version("    served: true\n    subresources: {status: {}}\n", schema));
}

#[test]
fn optional_lints_are_checked_on_request() {
    let schema = definition(
        "\
type: object
description: All of it.
properties:
  ratio: {type: number}
  list: {type: array, items: {type: object, required: [name], properties: {name: {type: string}}}}
",
    );
    check(&schema);
    let number = schema.replace(
        "{type: number}\n",
        "{type: number}\n                        ^^^^^^ hint[lint/number]: clients\n",
    );
    check_with(&number, &options_with(OptionalLint::Number));
    let list = format!(
        "{schema}                 ^^^^ hint[lint/list-type]: server-side apply replaces this list as a whole; set `x-kubernetes-list-type: map` with `x-kubernetes-list-map-keys: [name]`\n"
    );
    check_with(&list, &options_with(OptionalLint::ListType));
    let undescribed: Vec<String> = with_lint(&schema, OptionalLint::Description);
    assert_eq!(undescribed.len(), 3, "{undescribed:?}");
}

fn with_lint(text: &str, lint: OptionalLint) -> Vec<String> {
    let tree = yaml::Tree::parse(text);
    let mut cache = crate::Cache::default();
    let reports = tree.documents().map(|document| crate::check(document, &options_with(lint), &mut cache));
    reports.flat_map(|report| report.findings).map(|finding| finding.message.to_string()).collect()
}

/// The annotation contains the JSON of the object, and the annotation's key counts.
#[test]
fn a_large_definition_is_reported_before_kubectl_rejects_it() {
    let of = |bytes: usize| -> Vec<(Severity, String)> {
        let text = definition(&format!("type: object\ndescription: {}", "a".repeat(bytes)));
        let findings = reports(&text).remove(0).findings;
        assert!(findings.iter().all(|finding| finding.code == "lint/size" && finding.api_server.is_none()));
        findings.into_iter().map(|finding| (finding.severity, finding.message.problem)).collect()
    };
    assert_eq!(of(200_000), []);
    assert_eq!(of(250_000)[0].0, Severity::Hint);
    assert_eq!(of(262_144)[0].0, Severity::Warning);
    assert!(of(262_144)[0].1.ends_with("(limit 262144)"), "{:?}", of(262_144));
}
