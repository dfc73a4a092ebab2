//! Completion of paths into resources: of columns, selectable fields and the scale subresource.

use super::complete::{labels, of_definition, taken};

/// A definition with a status, columns and the scale subresource, before `rest` of its version.
fn with_status(rest: &str) -> String {
    of_definition(&format!(
        "spec:
  versions:
  - name: v1
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec: {{type: object, properties: {{replicas: {{type: integer}}, a.b: {{type: string}}, tags: {{type: array, items: {{type: string}}}}}}}}
          status:
            type: object
            properties:
              ready: {{type: integer}}
              selector: {{type: string}}
              conditions: {{type: array, items: {{type: object, properties: {{type: {{type: string}}, status: {{type: string}}}}}}}}
{rest}\n"
    ))
}

#[test]
fn paths_are_those_of_the_schema() {
    let column = |path: &str| {
        labels(&with_status(&format!(
            "    additionalPrinterColumns:\n    - {{name: A, type: integer, jsonPath: .status.ready}}\n    - {{name: B, type: string, jsonPath: {path}}}"
        )))
    };
    let all = [
        ".spec.replicas",
        ".spec['a.b']",
        ".status.selector",
        ".status.conditions[?(@.type==\"Ready\")].status",
        ".metadata.creationTimestamp",
    ];
    assert_eq!(column("$0"), all);
    assert_eq!(column("\"$0\""), all);
    assert_eq!(column(".spec.re$0"), all[..2]);
    let selectable =
        |path: &str| labels(&with_status(&format!("    selectableFields:\n    - jsonPath: {path}")));
    assert_eq!(selectable(".st$0"), [".spec.replicas", ".spec['a.b']", ".status.ready", ".status.selector"]);
    let scale =
        |field: &str| labels(&with_status(&format!("    subresources:\n      scale:\n        {field}: $0")));
    assert_eq!(scale("specReplicasPath"), [".spec.replicas"]);
    assert_eq!(scale("statusReplicasPath"), [".status.ready"]);
    // The server requires a dot after `.spec`.
    assert_eq!(scale("labelSelectorPath"), [".status.selector"]);
    let text = with_status("    selectableFields:\n    - jsonPath: \".spec$0\"");
    let (taken, _) = taken(&text, ".spec['a.b']");
    assert!(taken.ends_with("    - jsonPath: \".spec['a.b']\"\n"), "{taken}");
}

#[test]
fn paths_lead_into_the_lists_that_are_opened() {
    let column = |path: &str| {
        let columns = format!(
            "    additionalPrinterColumns:\n    - {name}",
            name = "{name: B, type: string, jsonPath: PATH}"
        );
        labels(&with_status(&columns.replace("PATH", path)))
    };
    for (typed, expected) in [
        ("'.status.conditions[0].$0'", [".status.conditions[0].type", ".status.conditions[0].status"]),
        ("'.status.conditions[*].s$0'", [".status.conditions[*].type", ".status.conditions[*].status"]),
    ] {
        assert_eq!(column(typed), expected, "{typed}");
    }
    let begun = "    additionalPrinterColumns:\n    - jsonPath: .status.conditions[$0";
    let ready = ".status.conditions[?(@.type==\"Ready\")].status";
    assert_eq!(
        labels(&with_status(begun)),
        [ready, ".status.conditions[0].type", ".status.conditions[0].status"]
    );
}

#[test]
fn a_filter_of_a_path_is_completed_wherever_the_cursor_is_in_it() {
    let definition = |path: &str| {
        let items = "type: object, required: [name], properties: {name: {type: string}, protocol: {type: string, enum: [TCP, UDP]}, port: {type: integer}}";
        with_status(&format!("    additionalPrinterColumns:\n    - jsonPath: {path}"))
            .replace("items: {type: string}", &format!("items: {{{items}}}"))
    };
    let ready = [".status.conditions[?(@.type==\"Ready\")].status"];
    let of_ports = |quote: &str, value: &str| {
        let filter = format!(".spec.tags[?(@.protocol=={quote}{value}{quote})]");
        [format!("{filter}.name"), format!("{filter}.port")]
    };
    for typed in [
        "?$0",
        "?($0",
        "?(@$0",
        "?(@.$0",
        "?(@.ty$0",
        "?(@.type==$0",
        "?(@.type==\"$0",
        "?(@.type==\"Ready$0",
    ] {
        assert_eq!(labels(&definition(&format!(".status.conditions[{typed}"))), ready, "{typed}");
    }
    let synced = labels(&definition(".status.conditions[?(@.type==\"Sync$0"));
    assert_eq!(synced, [ready[0], ".status.conditions[?(@.type==\"Sync\")].status"]);
    let all = [of_ports("\"", "TCP"), of_ports("\"", "UDP")].concat();
    assert_eq!(labels(&definition(".spec.tags[?(@.pro$0")), all);
    assert_eq!(labels(&definition(".spec.tags[?(@.protocol==$0")), all);
    assert_eq!(labels(&definition(".spec.tags[?(@.protocol=='U$0"))[2..4], of_ports("'", "UDP"));
    assert_eq!(labels(&definition(".spec.tags[?(@.name==\"web$0")).len(), 2);
}

/// A filter may compare each field with each of its values, and read each other field.
#[test]
fn the_filters_of_wide_items_are_bounded() {
    let values: Vec<String> = (0..400).map(|value| format!("v{value}")).collect();
    let fields: Vec<String> =
        (0..400).map(|field| format!("f{field}: {{type: string, enum: [{}]}}", values.join(", "))).collect();
    let items = format!("items: {{type: object, properties: {{{}}}}}", fields.join(", "));
    let definition = with_status("    additionalPrinterColumns:\n    - jsonPath: .spec.tags[?(@.$0");
    let started = std::time::Instant::now();
    let proposed = labels(&definition.replace("items: {type: string}", &items)).len();
    assert!((400..=500).contains(&proposed), "{proposed}");
    assert!(started.elapsed().as_secs() < 20, "{:?}", started.elapsed());
}

#[test]
fn the_type_of_a_column_is_first_that_of_its_field() {
    let first = |column: &str| {
        let text = with_status(&format!("    additionalPrinterColumns:\n    - {{name: A, {column}}}"));
        labels(&text).first().cloned()
    };
    for (path, ty) in [
        (".spec.replicas", "integer"),
        (".status.selector", "string"),
        (".spec.tags", "string"),
        (".metadata.creationTimestamp", "date"),
    ] {
        assert_eq!(first(&format!("type: $0, jsonPath: {path}")).as_deref(), Some(ty), "{path}");
        assert_eq!(first(&format!("jsonPath: {path}, type: $0")).as_deref(), Some(ty), "{path}");
    }
}
