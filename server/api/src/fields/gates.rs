//! The fields of the proposal on versioning by field, which no API server supports.

use super::FieldType::{Bool, List, Object, String};
use super::{Field, FieldType, ObjectType, values};

static GATE: FieldType = Object(&FEATURE_GATE);

/// The additional fields of `spec`.
pub static GATED_SPEC: ObjectType = ObjectType {
    name: "CustomResourceDefinitionSpec",
    fields: &[
        Field::new(
            "featureGates",
            List(&GATE),
            "Feature gates on fields: a gate that is off keeps its fields out of stored objects. A proposal that kube-apiserver does not implement.",
        ),
        Field::new(
            "customFeatureGates",
            Object(&CUSTOM_FEATURE_GATES),
            "Feature gates on fields, with the component that they belong to. A proposal that kube-apiserver does not implement.",
        ),
    ],
};

/// `spec.customFeatureGates`
pub static CUSTOM_FEATURE_GATES: ObjectType = ObjectType {
    name: "CustomFeatureGates",
    fields: &[
        Field::new("component", String, "Component that the gates belong to."),
        Field::new("featureGates", List(&GATE), "The feature gates.").required(),
    ],
};

/// A gate.
pub static FEATURE_GATE: ObjectType = ObjectType {
    name: "FeatureGate",
    fields: &[
        Field::new("name", String, "Name of the gate, unique in the definition.").required(),
        Field::new(
            "enabled",
            Bool,
            "Whether the gate is on; without it, `default` decides. A stable gate is always on.",
        ),
        Field::new(
            "default",
            Bool,
            "Whether the gate is on if `enabled` is absent. It is `false` for alpha and `true` for stable, and required for beta.",
        ),
        Field::new("preRelease", String, "Stage of the gate.")
            .required()
            .values(&["alpha", "beta", "stable", "deprecated"])
            .meanings(values::STAGES),
        Field::new(
            "fieldPaths",
            List(&String),
            "Fields that the gate guards, as simple JSON paths such as `.spec.replicas`. The schemas of all versions must declare them.",
        )
        .required(),
        Field::new("deprecatedWarning", String, "Warning about a deprecated gate."),
    ],
};
