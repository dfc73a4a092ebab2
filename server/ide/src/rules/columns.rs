//! Printer columns.

use crate::Severity;
use crate::rules::Rule;

pub(in crate::rules) static RULES: &[Rule] = &[
    Rule {
        code: "columns/name-required",
        severity: Severity::Error,
        since: None,
        title: "A printer column needs a `name`.",
        checks: r#"The name is missing or empty.

    spec.additionalPrinterColumns[0].name: Required value"#,
        why: "It is the heading of the column.",
        wrong: r#"spec:
  versions:
  - additionalPrinterColumns:
    - {name: "", type: string, jsonPath: .spec.size}"#,
        right: r#"spec:
  versions:
  - additionalPrinterColumns:
    - {name: Size, type: string, jsonPath: .spec.size}"#,
        fix: "*Suggested*: takes the last step of the path for the name.",
        source: "Check 156 of this project's list of server checks.",
    },
    Rule {
        code: "columns/type-required",
        severity: Severity::Error,
        since: None,
        title: "A printer column needs a `type`.",
        checks: r#"The type is missing or empty.

    spec.additionalPrinterColumns[0].type: Required value: must be one of boolean,date,integer,number,string"#,
        why: "Clients show values by their type; a date is shown as an age.",
        wrong: r#"spec:
  versions:
  - additionalPrinterColumns:
    - {name: Size, type: "", jsonPath: .spec.size}"#,
        right: r#"spec:
  versions:
  - additionalPrinterColumns:
    - {name: Size, type: string, jsonPath: .spec.size}"#,
        fix: "*Suggested*: writes the type of the field at the path.",
        source: "Check 157 of this project's list of server checks.",
    },
    Rule {
        code: "columns/type",
        severity: Severity::Error,
        since: None,
        title: "The `type` of a printer column is unknown.",
        checks: r#"The type is `boolean`, `date`, `integer`, `number` or `string`.

    spec.additionalPrinterColumns[0].type: Invalid value: "int": must be one of boolean,date,integer,number,string"#,
        why: "Clients show values by their type.",
        wrong: r#"spec:
  versions:
  - additionalPrinterColumns:
    - {name: Size, type: int, jsonPath: .spec.size}"#,
        right: r#"spec:
  versions:
  - additionalPrinterColumns:
    - {name: Size, type: integer, jsonPath: .spec.size}"#,
        fix: "*Safe*: writes the type that is meant, e.g. `integer` for `int`; *suggested*, where none is near, each of them.",
        source: "Check 158 of this project's list of server checks.",
    },
    Rule {
        code: "columns/format",
        severity: Severity::Error,
        since: None,
        title: "The `format` of a printer column is unknown.",
        checks: r#"The format is `byte`, `date`, `date-time`, `double`, `float`, `int32`, `int64` or `password`.

    spec.additionalPrinterColumns[0].format: Invalid value: "int": must be one of byte,date,date-time,double,float,int32,int64,password"#,
        why: "Clients show values by their format.",
        wrong: r#"spec:
  versions:
  - additionalPrinterColumns:
    - {name: Size, type: integer, format: int, jsonPath: .spec.size}"#,
        right: r#"spec:
  versions:
  - additionalPrinterColumns:
    - {name: Size, type: integer, format: int32, jsonPath: .spec.size}"#,
        fix: "*Suggested*: removes the format.",
        source: "Check 159 of this project's list of server checks.",
    },
    Rule {
        code: "columns/json-path-required",
        severity: Severity::Error,
        since: None,
        title: "A printer column needs a `jsonPath`.",
        checks: r#"The path is missing or empty. The server names the place `JSONPath`.

    spec.additionalPrinterColumns[0].JSONPath: Required value"#,
        why: "It says which field is shown.",
        wrong: r#"spec:
  versions:
  - additionalPrinterColumns:
    - {name: Size, type: string, jsonPath: ""}"#,
        right: r#"spec:
  versions:
  - additionalPrinterColumns:
    - {name: Size, type: string, jsonPath: .spec.size}"#,
        fix: "*Safe*: renames `JSONPath`, as v1beta1 calls it, to `jsonPath`. Otherwise write the path.",
        source: "Check 160 of this project's list of server checks.",
    },
    Rule {
        code: "columns/json-path",
        severity: Severity::Error,
        since: None,
        title: "The `jsonPath` of a printer column must begin with a dot.",
        checks: r#"The first character. The rest is looked at only when the column is shown.

    spec.additionalPrinterColumns[0].JSONPath: Invalid value: "spec.size": must be a simple json path starting with ."#,
        why: "Paths begin at the object.",
        wrong: r#"spec:
  versions:
  - additionalPrinterColumns:
    - {name: Size, type: string, jsonPath: spec.size}"#,
        right: r#"spec:
  versions:
  - additionalPrinterColumns:
    - {name: Size, type: string, jsonPath: .spec.size}"#,
        fix: "*Safe*: puts a dot before it.",
        source: "Check 161 of this project's list of server checks.",
    },
];
