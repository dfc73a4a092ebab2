//! The Go types of the API's fields, as Go's errors name them.

use api::FieldType;

use crate::report::ApiVersion;

/// The name of the API version's Go package.
pub(super) fn package(version: ApiVersion) -> &'static str {
    match version {
        ApiVersion::V1 => "v1",
        ApiVersion::V1Beta1 => "v1beta1",
    }
}

/// The Go type of `field` of `object`, without pointers; `ty` is what our tables say of it.
pub(super) fn of_field(object: &str, field: &str, ty: FieldType, package: &str) -> String {
    let named = match (object, field) {
        (_, "uid") => return "types.UID".to_owned(),
        ("ManagedFieldsEntry", "operation") => return "v1.ManagedFieldsOperationType".to_owned(),
        ("CustomResourceDefinitionSpec", "scope") => "ResourceScope",
        ("CustomResourceConversion", "strategy") => "ConversionStrategyType",
        ("CustomResourceDefinitionCondition", "type") => "CustomResourceDefinitionConditionType",
        ("CustomResourceDefinitionCondition", "status") => "ConditionStatus",
        ("JSONSchemaProps", "$schema") => "JSONSchemaURL",
        ("JSONSchemaProps", "dependencies") => "JSONSchemaDependencies",
        ("JSONSchemaProps", "definitions") => "JSONSchemaDefinitions",
        ("JSONSchemaProps", "x-kubernetes-validations") => "ValidationRules",
        ("ValidationRule", "reason") => "FieldValueErrorReason",
        _ => return of(ty, package),
    };
    format!("{package}.{named}")
}

/// The Go type for `ty`, without pointers.
pub(super) fn of(ty: FieldType, package: &str) -> String {
    match ty {
        FieldType::String => "string".to_owned(),
        FieldType::Bool => "bool".to_owned(),
        FieldType::Int32 => "int32".to_owned(),
        FieldType::Int64 => "int64".to_owned(),
        FieldType::Float64 => "float64".to_owned(),
        FieldType::Bytes => "[]uint8".to_owned(),
        FieldType::Time => "v1.Time".to_owned(),
        FieldType::Json => format!("{package}.JSON"),
        FieldType::SchemaOrBool => format!("{package}.JSONSchemaPropsOrBool"),
        FieldType::SchemaOrArray => format!("{package}.JSONSchemaPropsOrArray"),
        FieldType::SchemaOrStringArray => format!("{package}.JSONSchemaPropsOrStringArray"),
        FieldType::List(item) => format!("[]{}", of(*item, package)),
        FieldType::Map(member) => format!("map[string]{}", of(*member, package)),
        FieldType::Object(object) => match object.name {
            "ObjectMeta" | "OwnerReference" | "ManagedFieldsEntry" => format!("v1.{}", object.name),
            name => format!("{package}.{name}"),
        },
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used)]

    use api::{CUSTOM_RESOURCE_DEFINITION_V1, CUSTOM_RESOURCE_DEFINITION_V1BETA1, ObjectType};

    use super::*;

    /// By type and field, the Go type; made by reflection over the API's Go types.
    const FIELDS: &str = include_str!("../../../../fixtures/api/fields.tsv");

    fn object_in(ty: FieldType) -> Option<&'static ObjectType> {
        match ty {
            FieldType::Object(object) => Some(object),
            FieldType::List(inner) | FieldType::Map(inner) => object_in(*inner),
            _ => None,
        }
    }

    #[test]
    fn types_are_those_of_go() {
        let mut compared = 0;
        for (prefix, package, root) in [
            ("", "v1", &CUSTOM_RESOURCE_DEFINITION_V1),
            ("v1beta1.", "v1beta1", &CUSTOM_RESOURCE_DEFINITION_V1BETA1),
        ] {
            let mut pending: Vec<&'static ObjectType> = vec![root];
            let mut seen: Vec<&str> = Vec::new();
            while let Some(object) = pending.pop() {
                if seen.contains(&object.name) {
                    continue;
                }
                seen.push(object.name);
                for field in object.fields {
                    pending.extend(object_in(field.ty));
                    let start = format!("{prefix}{}\t{}\t", object.name, field.name);
                    let Some(line) = FIELDS.lines().find(|line| line.starts_with(&start)) else { continue };
                    let go = line.split('\t').nth(2).unwrap().trim_start_matches('*');
                    // Any value decodes into these, so that no error names them.
                    if matches!(field.ty, FieldType::Json) {
                        continue;
                    }
                    assert_eq!(of_field(object.name, field.name, field.ty, package), go, "{start}");
                    compared += 1;
                }
            }
        }
        assert!(compared > 150, "only {compared} fields");
    }
}
