//! The knowledge of crd-ls about the Kubernetes API, independent of any text: its releases, the fields of a
//! CustomResourceDefinition, the rules whose findings it reports, and the corresponding checks of
//! kube-apiserver.

mod difference;
mod fields;
mod release;
mod rule;
mod severity;

pub use difference::Difference;
pub use fields::{
    CUSTOM_FEATURE_GATES, CUSTOM_RESOURCE_DEFINITION_V1, CUSTOM_RESOURCE_DEFINITION_V1BETA1, EXPECTED,
    EXPECTED_ERROR, EXTERNAL_DOCUMENTATION, FEATURE_GATE, Field, FieldType, GATED_SPEC, JSON_SCHEMA_PROPS,
    OBJECT_META, ObjectType, Step, TEST_CASE, TEST_OBJECT, TEST_SUITE, VALIDATION_RULE, describe, object_at,
    split_without_colon,
};
pub use release::KubernetesVersion;
pub use rule::{CHECKS, Check, Code, Example, RULES, Rule, rule};
pub use severity::Severity;
