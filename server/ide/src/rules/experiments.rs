//! Proposals that no API server knows: feature gates on fields, and unions.

use crate::Severity;
use crate::rules::Rule;

/// A definition with those gates.
macro_rules! gates {
    ($gates:literal) => {
        concat!(
            "apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, kind: Widget}
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
              image: {type: string}
              replicas: {type: integer}
  featureGates:
",
            $gates
        )
    };
}

/// The gate that all examples of hidden fields have, off or on.
macro_rules! gated {
    ($enabled:literal, $version:literal, $spec:literal, $replicas:literal) => {
        concat!(
            "apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, kind: Widget}
  featureGates:
  - {name: Replicas, preRelease: alpha, enabled: ",
            $enabled,
            ", fieldPaths: [.spec.replicas]}
  versions:
  - name: v1
    served: true
    storage: true
",
            $version,
            "    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
",
            $spec,
            "            properties:
              image: {type: string}
              replicas: {type: integer",
            $replicas,
            "}"
        )
    };
}

/// A schema with that union.
macro_rules! union {
    ($union:literal) => {
        concat!(
            "type: object
properties:
  type: {type: string, enum: [EmptyDir, HostPath]}
  emptyDir: {type: object}
  hostPath: {type: object}
oneOf:
- required: [emptyDir]
- required: [hostPath]
x-kubernetes-unions:
",
            $union
        )
    };
}

const GATES: &str = "The proposal on versioning by field (feature gates on the fields of custom resources).";
const UNIONS: &str = "The proposal on structural schemas, which names the proposal on union types.";
const WHY_GATES: &str = "No API server knows gates: today's one refuses the field. The proposal has the server refuse such a definition.";
const WHY_HIDDEN: &str =
    "A gate that is off keeps its field out of each new object, before the object is validated.";
const ON: &str = "*Suggested*: switches the gate on, which `enabled: true` does unless a gate above is off.";
const WHY_UNIONS: &str = "No API server knows unions: today's one refuses the keyword.";
const RIGHT_UNION: &str = union!("- {discriminator: type, fields: {emptyDir: EmptyDir, hostPath: HostPath}}");

pub(in crate::rules) static RULES: &[Rule] = &[
    Rule {
        code: "gates/default",
        severity: Severity::Error,
        since: None,
        title: "The default of a feature gate does not go with its stage.",
        checks: "`default` of each gate: `false` for alpha, `true` for stable, and either of the two, but written, for beta.",
        why: WHY_GATES,
        wrong: gates!("  - {name: Replicas, preRelease: beta, enabled: true, fieldPaths: [.spec.replicas]}"),
        right: gates!("  - {name: Replicas, preRelease: beta, default: true, fieldPaths: [.spec.replicas]}"),
        fix: "*Suggested*: the value that the stage asks for; of a beta gate both, as nobody but you knows it.",
        source: GATES,
    },
    Rule {
        code: "gates/default-dropped",
        severity: Severity::Information,
        since: None,
        title: "A field has a default, and its feature gate is off.",
        checks: "`default` of the fields that gates guard. A gate is off by `enabled`, else by `default`, else by its stage, and where a field above is guarded by a gate that is off.",
        why: WHY_HIDDEN,
        wrong: gated!("false", "", "", ", default: 1"),
        right: gated!("true", "", "", ", default: 1"),
        fix: ON,
        source: GATES,
    },
    Rule {
        code: "gates/deprecated",
        severity: Severity::Warning,
        since: None,
        title: "A feature gate is deprecated.",
        checks: "Gates with `preRelease: deprecated`; what `deprecatedWarning` says is told.",
        why: "Whoever sets the gate has to do without it soon.",
        wrong: gates!(
            "  - {name: Replicas, preRelease: deprecated, enabled: true, fieldPaths: [.spec.replicas]}"
        ),
        right: gates!("  - {name: Replicas, preRelease: stable, fieldPaths: [.spec.replicas]}"),
        fix: "None: the gate goes when nobody sets it.",
        source: GATES,
    },
    Rule {
        code: "gates/field-path",
        severity: Severity::Error,
        since: None,
        title: "A feature gate guards a field that is none.",
        checks: "That each of `fieldPaths` is a simple JSON path, such as `.spec.replicas`, and that the schemas of all versions declare the field. What every object has (`metadata`, `apiVersion`, `kind`) cannot be guarded.",
        why: "A gate guards the same fields in all versions. A path that leads nowhere guards nothing.",
        wrong: gates!("  - {name: Replicas, preRelease: alpha, fieldPaths: [.spec.replica]}"),
        right: gates!("  - {name: Replicas, preRelease: alpha, enabled: true, fieldPaths: [.spec.replicas]}"),
        fix: "*Suggested*: the dot that is missing, or the declared name that is most alike.",
        source: GATES,
    },
    Rule {
        code: "gates/form",
        severity: Severity::Error,
        since: None,
        title: "A feature gate cannot be read.",
        checks: "Both forms of the proposal, a list in `spec.featureGates` and an object with `component` and `featureGates` in `spec.customFeatureGates`; in each gate a `name` of its own, `preRelease` (or `prerelease`: alpha, beta, stable, deprecated) and `fieldPaths`, and `enabled` and `default` where they are set.",
        why: WHY_GATES,
        wrong: gates!("  - {name: Replicas, preRelease: gamma, enabled: true, fieldPaths: [.spec.replicas]}"),
        right: gates!("  - {name: Replicas, preRelease: alpha, enabled: true, fieldPaths: [.spec.replicas]}"),
        fix: "*Suggested*: the stage that was meant, where one is misspelled. Otherwise the message says what is expected.",
        source: GATES,
    },
    Rule {
        code: "gates/off",
        severity: Severity::Warning,
        since: None,
        title: "A field of a resource is set whose feature gate is off.",
        checks: "The fields that gates of the resource's definition guard. A gate is off by `enabled`, else by `default`, else by its stage, and where a field above is guarded by a gate that is off. Stable gates are on.",
        why: "A new object loses the field without a word; one that is stored with it keeps what it has, whatever the request says.",
        wrong: gates!(
            "  - {name: Replicas, preRelease: alpha, fieldPaths: [.spec.replicas]}
---
apiVersion: example.com/v1
kind: Widget
metadata: {name: one}
spec: {image: nginx, replicas: 3}"
        ),
        right: gates!(
            "  - {name: Replicas, preRelease: alpha, enabled: true, fieldPaths: [.spec.replicas]}
---
apiVersion: example.com/v1
kind: Widget
metadata: {name: one}
spec: {image: nginx, replicas: 3}"
        ),
        fix: "None: leave the field out, or have the gate switched on.",
        source: GATES,
    },
    Rule {
        code: "gates/path",
        severity: Severity::Information,
        since: None,
        title: "A column, a selectable field or the scale subresource leads to a field whose feature gate is off.",
        checks: "`jsonPath` of printer columns and of selectable fields, and the paths of the scale subresource: those to a gated field and to what is below it.",
        why: "New objects do not have the field, so that the column is empty, nothing is selected, and scaling does not work.",
        wrong: gated!(
            "false",
            "    additionalPrinterColumns: [{name: Replicas, type: integer, jsonPath: .spec.replicas}]
",
            "",
            ""
        ),
        right: gated!(
            "true",
            "    additionalPrinterColumns: [{name: Replicas, type: integer, jsonPath: .spec.replicas}]
",
            "",
            ""
        ),
        fix: ON,
        source: GATES,
    },
    Rule {
        code: "gates/published",
        severity: Severity::Hint,
        since: None,
        title: "A field is published although its feature gate is off.",
        checks: "The fields that gates guard, in the schemas of all versions. With the experiment on, `crd-ls openapi` publishes the gate of each field as `x-kubernetes-feature-gate`.",
        why: "The published schema does not say that the field is dropped: `kubectl explain` shows it, clients offer it, and strict validation accepts it.",
        wrong: gated!("false", "", "", ""),
        right: gated!("true", "", "", ""),
        fix: ON,
        source: GATES,
    },
    Rule {
        code: "gates/required",
        severity: Severity::Error,
        since: None,
        title: "A field is required, and its feature gate is off.",
        checks: "`required` beside the gated field, also in `allOf`.",
        why: "The gate takes the field away before kube-apiserver validates the object, so that it refuses each new object: `spec.replicas: Required value`.",
        wrong: gated!(
            "false",
            "",
            "            required: [replicas]
",
            ""
        ),
        right: gated!(
            "true",
            "",
            "            required: [replicas]
",
            ""
        ),
        fix: "*Suggested*: removes the field from `required`, or switches the gate on.",
        source: GATES,
    },
    Rule {
        code: "gates/rule",
        severity: Severity::Warning,
        since: None,
        title: "A rule reads a field whose feature gate is off.",
        checks: "Rules above the gated field that read it where no condition asks whether it is there, such as `has(self.replicas)`. Rules of the field itself do not run while it is absent.",
        why: "The gate takes the field away before the rule is evaluated. The rule then fails with `no such key: replicas`, and kube-apiserver refuses the object.",
        wrong: gated!(
            "false",
            "",
            "            required: [replicas]
            x-kubernetes-validations: [{rule: self.replicas > 0}]
",
            ""
        ),
        right: gated!(
            "true",
            "",
            "            required: [replicas]
            x-kubernetes-validations: [{rule: self.replicas > 0}]
",
            ""
        ),
        fix: ON,
        source: GATES,
    },
    Rule {
        code: "gates/shared-path",
        severity: Severity::Error,
        since: None,
        title: "Two feature gates guard the same field.",
        checks: "The paths of all gates. A field within a guarded one may have a gate of its own, which counts only where the one above is on.",
        why: WHY_GATES,
        wrong: gates!(
            "  - {name: A, preRelease: alpha, enabled: true, fieldPaths: [.spec.replicas]}
  - {name: B, preRelease: alpha, enabled: true, fieldPaths: [.spec.replicas]}"
        ),
        right: gates!(
            "  - {name: A, preRelease: alpha, enabled: true, fieldPaths: [.spec]}
  - {name: B, preRelease: alpha, enabled: true, fieldPaths: [.spec.replicas]}"
        ),
        fix: "*Suggested*: leaves the field to the gate that guards it already.",
        source: GATES,
    },
    Rule {
        code: "unions/discriminator",
        severity: Severity::Error,
        since: None,
        title: "The discriminator of a union cannot name its fields.",
        checks: "That `discriminator` names a property of type string, and that the `enum` of that, if it has one, holds the values in `fields` and no others.",
        why: WHY_UNIONS,
        wrong: union!("- {discriminator: kind, fields: {emptyDir: EmptyDir, hostPath: HostPath}}"),
        right: RIGHT_UNION,
        fix: "None yet: declare the property, or write its values.",
        source: UNIONS,
    },
    Rule {
        code: "unions/field",
        severity: Severity::Error,
        since: None,
        title: "A field of a union cannot be one.",
        checks: "That each of `fields` is a property that may be left out, is not the discriminator, is in one union only, and has a value of its own.",
        why: WHY_UNIONS,
        wrong: union!("- {discriminator: type, fields: {emptyDri: EmptyDir, hostPath: HostPath}}"),
        right: RIGHT_UNION,
        fix: "None yet: name a property.",
        source: UNIONS,
    },
    Rule {
        code: "unions/form",
        severity: Severity::Error,
        since: None,
        title: "A union cannot be read.",
        checks: "That `x-kubernetes-unions` is a list of objects, each with `discriminator` and with `fields`, a map from properties to values of the discriminator.",
        why: WHY_UNIONS,
        wrong: union!("- {discriminator: type}"),
        right: RIGHT_UNION,
        fix: "None yet: the message says what is missing.",
        source: UNIONS,
    },
    Rule {
        code: "unions/not-enforced",
        severity: Severity::Information,
        since: None,
        title: "Nothing holds resources to a union.",
        checks: "That the schema says of each union what the proposal unfolds it to: `oneOf` with a branch that requires each of the fields, or `allOf` with that where there is another `oneOf`, and the values of the discriminator in its `enum`.",
        why: "Today's API server drops the keyword; value validations it understands.",
        wrong: "type: object
properties:
  type: {type: string}
  emptyDir: {type: object}
  hostPath: {type: object}
x-kubernetes-unions:
- {discriminator: type, fields: {emptyDir: EmptyDir, hostPath: HostPath}}",
        right: RIGHT_UNION,
        fix: "Adds `oneOf` and `enum`. Resources that set none of the fields, or several, are refused then, so that it is only suggested.",
        source: UNIONS,
    },
    Rule {
        code: "unions/place",
        severity: Severity::Error,
        since: None,
        title: "A union stands where no object is described.",
        checks: "Unions in schemas that are not of type object, and within `allOf`, `anyOf`, `oneOf` and `not`.",
        why: "Extensions say what a field is; junctors only check values.",
        wrong: "type: object
not:
  x-kubernetes-unions: []",
        right: "type: object",
        fix: "None: describe the union where the object is declared.",
        source: UNIONS,
    },
];
