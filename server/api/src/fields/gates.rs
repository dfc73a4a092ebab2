//! The fields of the proposal on versioning by field, which no API server knows.

use super::FieldType::{Bool, List, Object, String};
use super::{Field, FieldType, ObjectType};

static GATE: FieldType = Object(&FEATURE_GATE);

/// What `spec` has more than in the API.
pub static GATED_SPEC: ObjectType = ObjectType {
    name: "CustomResourceDefinitionSpec",
    fields: &[
        Field::new(
            "featureGates",
            List(&GATE),
            "Feature gates on fields, a proposal that no API server knows: a gate that is off keeps its fields out of what is stored.",
        ),
        Field::new(
            "customFeatureGates",
            Object(&CUSTOM_FEATURE_GATES),
            "Feature gates on fields, with the component whose gates they are: a proposal that no API server knows.",
        ),
    ],
};

/// `spec.customFeatureGates`
pub static CUSTOM_FEATURE_GATES: ObjectType = ObjectType {
    name: "CustomFeatureGates",
    fields: &[
        Field::new("component", String, "Whose gates these are."),
        Field::new("featureGates", List(&GATE), "The gates.").required(),
    ],
};

/// A gate.
pub static FEATURE_GATE: ObjectType = ObjectType {
    name: "FeatureGate",
    fields: &[
        Field::new("name", String, "Its name; no other gate of the definition has it.").required(),
        Field::new(
            "enabled",
            Bool,
            "Whether the gate is on. When absent, `default` counts; a stable gate is on in any case.",
        ),
        Field::new(
            "default",
            Bool,
            "Whether the gate is on unless `enabled` says otherwise: `false` for alpha, `true` for stable, and either, but written, for beta.",
        ),
        Field::new("preRelease", String, "How far the gate has come.")
            .required()
            .values(&["alpha", "beta", "stable", "deprecated"]),
        Field::new(
            "fieldPaths",
            List(&String),
            "The fields that the gate guards, as simple JSON paths such as `.spec.replicas`; the schemas of all versions declare them.",
        )
        .required(),
        Field::new("deprecatedWarning", String, "What is said of a deprecated gate."),
    ],
};
