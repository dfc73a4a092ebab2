//! Lints on the columns of `kubectl get`.

use super::version;
use crate::tests::markers::check;

pub(super) const SCHEMA: &str = "{type: object, properties: {size: {type: integer}, spec: {type: object, properties: {list: {type: array, items: {type: object, properties: {name: {type: string}}}}, map: {type: object, additionalProperties: {type: string}}, open: {type: object, x-kubernetes-preserve-unknown-fields: true}}}}}";

#[test]
fn columns_lead_to_fields() {
    check(&version(
        r#"    served: true
    additionalPrinterColumns:
    - {name: A, type: string, jsonPath: .metadata.creationTimestamp}
    - {name: B, type: string, jsonPath: ".spec.list[?(@.name=='a')].name"}
    - {name: C, type: string, jsonPath: .spec.map.any}
    - {name: D, type: string, jsonPath: .spec.open.a.b}
    - {name: E, type: string, jsonPath: .spec.nothing}
                                             ^^^^^^^^ warning[lint/column-path]: the schema declares no field `nothing` here, so the column stays empty; correct the path, or declare the field
    - {name: F, type: string, jsonPath: .spec.list.name}
                                                  ^^^^^ warning[lint/column-path]: `name` is read from a list, so the column stays empty; add `[0]`
    - {name: G, type: string, jsonPath: .size.a}
                                             ^^ warning[lint/column-path]: `a` is read from a value of type `integer`, so the column stays empty; end the path before `a`, or change the type
    - {name: H, type: string, jsonPath: ".spec.map[0]"}
                                                  ^^^ warning[lint/column-path]: items are read from a value of type `object`, so the column stays empty; remove the brackets
    - {name: I, type: string, jsonPath: .siez}
                                        ^^^^^ warning[lint/column-path]: the schema declares no field `siez` here, so the column stays empty; write `size`
    - {name: J, type: string, jsonPath: .Size}
                                        ^^^^^ warning[lint/column-path]: the schema declares no field `Size` here, so the column stays empty; write `size`
    - {name: Q, type: string, jsonPath: .spec.}
                                             ^ warning[lint/column-path]: a name is missing after a `.` of this path, so the column stays empty; add the name of a field, or remove the dot
    - {name: L, type: date, jsonPath: .metadata.creationTimeStamp}
                                               ^^^^^^^^^^^^^^^^^^ warning[lint/column-path]: the metadata of objects has no field `creationTimeStamp`, so the column stays empty; write `creationTimestamp`
    - {name: M, type: string, jsonPath: .metadata.labels.app.kubernetes.io/name}
                                                            ^^^^^^^^^^^ warning[lint/column-path]: `kubernetes` is read from a text of the metadata, so the column stays empty; write `\.` for a dot within the name of a label or an annotation
    - {name: P, type: string, jsonPath: '.metadata.labels.app\.kubernetes\.io/name'}
    - {name: Q, type: string, jsonPath: '.spec.list[?(@.name="a")].name'}
                                                            ^ warning[lint/column-path]: `=` in this filter is not an operator, so the column stays empty; write `==`
    - {name: R, type: string, jsonPath: '.spec.list[?(@.name==a)].name'}
                                                              ^ warning[lint/column-path]: `a` in this filter is not a text, so the column stays empty; write `"a"`
    - {name: S, type: string, jsonPath: '.spec.list[?(name=="a")].name'}
                                                      ^^^^ warning[lint/column-path]: `name` in this filter is not a field, so the column stays empty; write `@.name`
    - {name: X, type: string, jsonPath: '.spec.list[?(@name=="a")].name'}
                                                      ^^^^^ warning[lint/column-path]: `@name` in this filter is not a field, so the column stays empty; write `@.name`
    - {name: T, type: string, jsonPath: '.spec.list[?(@.name!=true)].name'}
    - {name: U, type: string, jsonPath: '.spec.list[?(.name<="a")].name'}
    - {name: V, type: string, jsonPath: '.spec.list[?(@.name=="a=b")].name'}
    - {name: K, type: string, jsonPath: ".spec.list[a].name"}
                                                   ^^^ warning[lint/column-json-path]: `a` is not an index, so `kubectl get` shows no additional column of the version; write a number, `*`, or a field as `['name']`
"#,
        SCHEMA,
    ));
}

/// The value that kube-apiserver prints depends on the type of the column: `string` prints all values, other
/// types only values of the same type.
#[test]
fn columns_have_the_type_of_their_field() {
    check(&version(
        r#"    served: true
    additionalPrinterColumns:
    - {name: A, type: integer, jsonPath: .text}
                      ^^^^^^^ warning[lint/column-type]: type `integer` shows whole numbers, but the field holds a string, so the column stays empty; use `type: string`
    - {name: B, type: boolean, jsonPath: .size}
                      ^^^^^^^ warning[lint/column-type]: type `boolean` shows `true` and `false`, but the field holds a number, so the column stays empty; use `type: integer`
    - {name: C, type: integer, jsonPath: .ratio}
                      ^^^^^^^ warning[lint/column-type]: type `integer` drops fractions and shows 1 for 1.5; use `type: number`
    - {name: D, type: integer, jsonPath: .port}
                      ^^^^^^^ warning[lint/column-type]: type `integer` shows whole numbers, so the column is empty where the field holds a string; use `type: string`
    - {name: E, type: date, jsonPath: .size}
                      ^^^^ warning[lint/column-type]: type `date` shows the age of times, but the field holds a number, so the column stays empty; use `type: integer`
    - {name: F, type: date, jsonPath: .day}
                      ^^^^ warning[lint/column-type]: type `date` needs a time such as `2024-01-02T03:04:05Z`, so the column shows `<invalid>`; use `type: string`
    - {name: G, type: date, jsonPath: .short}
                      ^^^^ warning[lint/column-type]: type `date` needs a time
    - {name: H, type: date, jsonPath: .phase}
                      ^^^^ warning[lint/column-type]: type `date` needs a time
    - {name: I, type: integer, jsonPath: .since}
                      ^^^^^^^ warning[lint/column-type]: type `integer` shows whole numbers, but the field holds a string, so the column stays empty; use `type: date`
    - {name: J, type: boolean, jsonPath: ".conditions[?(@.type=='Ready')].status"}
                      ^^^^^^^ warning[lint/column-type]: type `boolean` shows `true` and `false`, but the field holds a string, so the column stays empty; use `type: string`
    - {name: K, type: number, jsonPath: ".conditions[*]"}
                      ^^^^^^ warning[lint/column-type]: type `number` shows numbers, but the field holds an object, so the column stays empty; use `type: string`
    - {name: L, type: integer, jsonPath: .conditions}
                      ^^^^^^^ warning[lint/column-type]: type `integer` shows whole numbers, but the field holds a list, so the column stays empty; use `type: string`
    - {name: M, type: integer, jsonPath: .metadata.creationTimestamp}
                      ^^^^^^^ warning[lint/column-type]: type `integer` shows whole numbers, but the field holds a string, so the column stays empty; use `type: date`
    - {name: P, type: integer, jsonPath: .metadata.labels.team}
                      ^^^^^^^ warning[lint/column-type]: type `integer` shows whole numbers, but the field holds a string, so the column stays empty
    - {name: O, type: boolean, jsonPath: .metadata.generation}
                      ^^^^^^^ warning[lint/column-type]: type `boolean` shows `true` and `false`, but the field holds a number, so the column stays empty; use `type: integer`
"#,
        COLUMNS,
    ));
}

#[test]
fn columns_of_these_types_show_their_field() {
    check(&version(
        r#"    served: true
    additionalPrinterColumns:
    - {name: A, type: string, jsonPath: .size}
    - {name: B, type: string, jsonPath: .conditions}
    - {name: C, type: number, jsonPath: .size}
    - {name: D, type: integer, jsonPath: .dozens}
    - {name: E, type: integer, jsonPath: .some}
    - {name: F, type: date, jsonPath: .since}
    - {name: G, type: date, jsonPath: .text}
    - {name: H, type: date, jsonPath: .metadata.deletionTimestamp}
    - {name: I, type: date, jsonPath: .metadata.annotations.synced}
    - {name: J, type: integer, jsonPath: .http}
    - {name: K, type: integer, jsonPath: .anything}
    - {name: L, type: integer, jsonPath: .anything.below}
    - {name: M, type: string, jsonPath: .port}
    - {name: P, type: integer, jsonPath: ".conditions[*].*"}
    - {name: O, type: integer, jsonPath: .metadata.generation}
"#,
        COLUMNS,
    ));
}

const COLUMNS: &str = "
        type: object
        properties:
          text: {type: string}
          size: {type: integer}
          ratio: {type: number}
          dozens: {type: number, multipleOf: 12}
          some: {type: number, enum: [1, 2]}
          port: {x-kubernetes-int-or-string: true}
          http: {x-kubernetes-int-or-string: true, enum: [80, 443]}
          day: {type: string, format: date}
          since: {type: string, format: date-time}
          short: {type: string, maxLength: 19}
          phase: {type: string, enum: [Pending, Bound]}
          anything: {x-kubernetes-preserve-unknown-fields: true}
          conditions: {type: array, items: {type: object, properties: {type: {type: string}, status: {type: string}}}}";

#[test]
fn columns_of_v1beta1_lead_into_its_only_schema() {
    check(
        "\
apiVersion: apiextensions.k8s.io/v1beta1
            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[definition/not-served]: Kubernetes 1.22 and newer do not serve
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
spec:
  group: example.com
  scope: Namespaced
  preserveUnknownFields: false
  names: {kind: Widget, plural: widgets}
  version: v1
  additionalPrinterColumns:
  - {name: A, type: string, JSONPath: .spec.a}
  - {name: B, type: string, JSONPath: .spec.b}
                                           ^^ warning[lint/column-path]: the schema declares no field `b` here, so the column stays empty
  validation:
    openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {a: {type: string}}}}}
",
    );
}
