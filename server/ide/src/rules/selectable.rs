//! Fields by which objects can be selected.

use crate::rules::Rule;
use crate::{KubernetesVersion, Severity};

pub(in crate::rules) static RULES: &[Rule] = &[
    Rule {
        code: "selectable-fields/no-schema",
        severity: Severity::Error,
        since: Some(KubernetesVersion { minor: 30 }),
        title: "`selectableFields` of a version whose schema is that of all versions.",
        checks: r#"Versions with equal schemas have different `selectableFields`. The server keeps an equal schema in one place for all, and then misses it beside the fields.

    spec.versions[0].selectableFields: Invalid value: "": may only be set when `version.schema.openAPIV3Schema` is not included"#,
        why: "It is a shortcoming of the server, whose text says the opposite of what it checks.",
        wrong: "",
        right: "",
        fix: "None: give all versions the same `selectableFields`.",
        source: "Check 30 of this project's list of server checks.",
    },
    Rule {
        code: "selectable-fields/no-validation",
        severity: Severity::Error,
        since: Some(KubernetesVersion { minor: 30 }),
        title: "All versions have the same `selectableFields` and different schemas.",
        checks: r#"`selectableFields` are equal in all versions, and schemas are not. The server keeps the equal fields in one place for all, and then misses a schema there.

    spec.selectableFields: Invalid value: "": may only be set when validations.schema is included"#,
        why: "It is a shortcoming of the server.",
        wrong: r#"spec:
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {a: {type: string}}}}}}
    selectableFields: [{jsonPath: .spec.a}]
  - name: v2
    served: true
    storage: false
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {a: {type: string, maxLength: 9}}}}}}
    selectableFields: [{jsonPath: .spec.a}]"#,
        right: r#"spec:
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {a: {type: string}, b: {type: string}}}}}}
    selectableFields: [{jsonPath: .spec.a}]
  - name: v2
    served: true
    storage: false
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {a: {type: string, maxLength: 9}, b: {type: string}}}}}}
    selectableFields: [{jsonPath: .spec.a}, {jsonPath: .spec.b}]"#,
        fix: "None: let the fields of the versions differ.",
        source: "Check 53 of this project's list of server checks.",
    },
    Rule {
        code: "selectable-fields/schema-convert",
        severity: Severity::Error,
        since: Some(KubernetesVersion { minor: 30 }),
        title: "`selectableFields` stand beside a schema that is not structural.",
        checks: "The version's schema has keywords of which no structural schema can be made.",
        why: "The fields are looked for in the structural schema.",
        wrong: "",
        right: "",
        fix: "None: repair the schema first.",
        source: "Check 31 of this project's list of server checks.",
    },
    Rule {
        code: "selectable-fields/validation-convert",
        severity: Severity::Error,
        since: Some(KubernetesVersion { minor: 30 }),
        title: "`selectableFields` of all versions stand beside a schema that is not structural.",
        checks: "The schema that all versions share has keywords of which no structural schema can be made.",
        why: "The fields are looked for in the structural schema.",
        wrong: "",
        right: "",
        fix: "None: repair the schema first.",
        source: "Check 54 of this project's list of server checks.",
    },
    Rule {
        code: "selectable-fields/required",
        severity: Severity::Error,
        since: Some(KubernetesVersion { minor: 30 }),
        title: "A selectable field needs a `jsonPath`.",
        checks: r#"The path is missing or empty.

    spec.selectableFields[0].jsonPath: Required value"#,
        why: "It says by which field objects can be selected.",
        wrong: r#"spec:
  versions:
  - selectableFields: [{jsonPath: ""}]"#,
        right: r#"spec:
  versions:
  - selectableFields: []"#,
        fix: "*Suggested*: removes the entry.",
        source: "Check 162 of this project's list of server checks.",
    },
    Rule {
        code: "selectable-fields/path",
        severity: Severity::Error,
        since: Some(KubernetesVersion { minor: 30 }),
        title: "The path of a selectable field leads nowhere.",
        checks: r#"The path is made of `.name` and `['name']` and leads along the schema to a field. It cannot lead through lists.

    spec.selectableFields[0].jsonPath: Invalid value: ".spec.sise": is an invalid path: does not refer to a valid field"#,
        why: "Objects could not be selected by it.",
        wrong: r#"spec:
  versions:
  - selectableFields: [{jsonPath: .spec.none}]"#,
        right: r#"spec:
  versions:
  - selectableFields: []"#,
        fix: "*Safe*: puts the dot before it. *Suggested*: corrects steps that are misspelled, or removes the entry.",
        source: "Check 163 of this project's list of server checks.",
    },
    Rule {
        code: "selectable-fields/metadata",
        severity: Severity::Error,
        since: Some(KubernetesVersion { minor: 30 }),
        title: "Selectable fields must not be fields of `metadata`.",
        checks: r#"The path begins with `.metadata` and names a field that the schema declares.

    spec.selectableFields[0].jsonPath: Invalid value: ".metadata.name": must not point to fields in metadata"#,
        why: "Objects can be selected by name and namespace anyway.",
        wrong: r#"spec:
  versions:
  - schema:
      openAPIV3Schema:
        type: object
        properties: {metadata: {type: object, properties: {name: {type: string}}}}
    selectableFields: [{jsonPath: .metadata.name}]"#,
        right: r#"spec:
  versions:
  - selectableFields: []"#,
        fix: "*Suggested*: removes the entry.",
        source: "Check 164 of this project's list of server checks.",
    },
    Rule {
        code: "selectable-fields/type",
        severity: Severity::Error,
        since: Some(KubernetesVersion { minor: 30 }),
        title: "A selectable field must be a string, boolean or integer.",
        checks: r#"The type of the field that the path leads to.

    spec.selectableFields[0].jsonPath: Invalid value: ".spec": must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed."#,
        why: "Selectors compare texts.",
        wrong: r#"spec:
  versions:
  - schema:
      openAPIV3Schema:
        type: object
        properties: {spec: {type: object, properties: {size: {type: number}}}}
    selectableFields: [{jsonPath: .spec.size}]"#,
        right: r#"spec:
  versions:
  - schema:
      openAPIV3Schema:
        type: object
        properties: {spec: {type: object, properties: {size: {type: integer}}}}
    selectableFields: [{jsonPath: .spec.size}]"#,
        fix: "*Suggested*: takes one of the fields below it.",
        source: "Check 165 of this project's list of server checks.",
    },
    Rule {
        code: "selectable-fields/duplicate",
        severity: Severity::Error,
        since: Some(KubernetesVersion { minor: 30 }),
        title: "A field is selectable twice.",
        checks: r#"Two paths lead to the same field.

    spec.selectableFields[1].jsonPath: Duplicate value: ".spec.size""#,
        why: "The second one says nothing.",
        wrong: r#"spec:
  versions:
  - schema:
      openAPIV3Schema:
        type: object
        properties: {spec: {type: object, properties: {size: {type: integer}}}}
    selectableFields: [{jsonPath: .spec.size}, {jsonPath: .spec.size}]"#,
        right: r#"spec:
  versions:
  - schema:
      openAPIV3Schema:
        type: object
        properties: {spec: {type: object, properties: {size: {type: integer}}}}
    selectableFields: [{jsonPath: .spec.size}]"#,
        fix: "*Suggested*: removes the entry.",
        source: "Check 166 of this project's list of server checks.",
    },
    Rule {
        code: "selectable-fields/too-many",
        severity: Severity::Error,
        since: Some(KubernetesVersion { minor: 30 }),
        title: "At most eight fields can be selectable.",
        checks: r#"How many different paths there are.

    spec.selectableFields: Too many: 9: must have at most 8 items"#,
        why: "The server keeps each of them beside every object in its cache.",
        wrong: r#"spec:
  versions:
  - schema:
      openAPIV3Schema:
        type: object
        properties:
          a: {type: string}
          b: {type: string}
          c: {type: string}
          d: {type: string}
          e: {type: string}
          f: {type: string}
          g: {type: string}
          h: {type: string}
          i: {type: string}
    selectableFields: [{jsonPath: .a}, {jsonPath: .b}, {jsonPath: .c}, {jsonPath: .d}, {jsonPath: .e}, {jsonPath: .f}, {jsonPath: .g}, {jsonPath: .h}, {jsonPath: .i}]"#,
        right: r#"spec:
  versions:
  - schema:
      openAPIV3Schema:
        type: object
        properties:
          a: {type: string}
    selectableFields: [{jsonPath: .a}]"#,
        fix: "None: remove some.",
        source: "Check 167 of this project's list of server checks.",
    },
];
