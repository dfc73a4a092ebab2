//! The tables against the Go types, as listed in `fixtures/api/fields.tsv` (type, JSON name, Go type,
//! required in the published OpenAPI), made by reflection over apiextensions-apiserver v0.37.2.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeMap;

use super::*;

const GOLDEN: &str = include_str!("../../../../fixtures/api/fields.tsv");

/// Every object type that can be reached from the root, by name.
fn reachable(root: &'static ObjectType) -> BTreeMap<&'static str, &'static ObjectType> {
    let mut found = BTreeMap::new();
    let mut queue = vec![root];
    while let Some(object) = queue.pop() {
        if let Some(known) = found.insert(object.name, object) {
            assert!(std::ptr::eq(known, object), "two types are called {}", object.name);
            continue;
        }
        queue.extend(object.fields.iter().filter_map(|field| object_in(field.ty)));
    }
    found
}

fn object_in(ty: FieldType) -> Option<&'static ObjectType> {
    match ty {
        FieldType::Object(object) => Some(object),
        FieldType::List(inner) | FieldType::Map(inner) => object_in(*inner),
        FieldType::SchemaOrBool | FieldType::SchemaOrArray | FieldType::SchemaOrStringArray => {
            Some(&JSON_SCHEMA_PROPS)
        }
        _ => None,
    }
}

fn both() -> [&'static ObjectType; 2] {
    [&CUSTOM_RESOURCE_DEFINITION_V1, &CUSTOM_RESOURCE_DEFINITION_V1BETA1]
}

fn all_fields() -> impl Iterator<Item = (&'static str, &'static Field)> {
    both()
        .into_iter()
        .flat_map(|root| reachable(root).into_values())
        .flat_map(|object| object.fields.iter().map(|field| (object.name, field)))
}

/// The table's notation for a Go type.
fn from_go(go: &str) -> String {
    let go = go.trim_start_matches('*');
    if go == "[]uint8" {
        return "bytes".into();
    }
    if let Some(item) = go.strip_prefix("[]") {
        return format!("list of {}", from_go(item));
    }
    if let Some(value) = go.strip_prefix("map[string]") {
        return format!("map of {}", from_go(value));
    }
    match go.rsplit('.').next().unwrap() {
        "string"
        | "UID"
        | "JSONSchemaURL"
        | "ResourceScope"
        | "ConversionStrategyType"
        | "ConditionStatus"
        | "ManagedFieldsOperationType"
        | "CustomResourceDefinitionConditionType"
        | "FieldValueErrorReason" => "string".into(),
        "JSON" | "FieldsV1" => "json".into(),
        "JSONSchemaPropsOrBool" => "schema or bool".into(),
        "JSONSchemaPropsOrArray" => "schema or array".into(),
        "JSONSchemaDependencies" => "map of schema or string array".into(),
        "JSONSchemaDefinitions" => "map of JSONSchemaProps".into(),
        "ValidationRules" => "list of ValidationRule".into(),
        "Time" => "time".into(),
        other => other.into(),
    }
}

fn from_table(ty: FieldType) -> String {
    match ty {
        FieldType::String => "string".into(),
        FieldType::Bool => "bool".into(),
        FieldType::Int32 => "int32".into(),
        FieldType::Int64 => "int64".into(),
        FieldType::Float64 => "float64".into(),
        FieldType::Bytes => "bytes".into(),
        FieldType::Time => "time".into(),
        FieldType::Json => "json".into(),
        FieldType::Object(object) => object.name.into(),
        FieldType::List(item) => format!("list of {}", from_table(*item)),
        FieldType::Map(value) => format!("map of {}", from_table(*value)),
        FieldType::SchemaOrBool => "schema or bool".into(),
        FieldType::SchemaOrArray => "schema or array".into(),
        FieldType::SchemaOrStringArray => "schema or string array".into(),
    }
}

type Rows = BTreeMap<String, Vec<(String, String, bool)>>;

/// The golden rows of one version, by type; ObjectMeta's types and the like stand under v1 only.
fn golden(version: &str) -> Rows {
    let mut rows = Rows::new();
    for line in GOLDEN.lines() {
        let [owner, name, go, required] = line.split('\t').collect::<Vec<_>>().try_into().unwrap();
        let (row_version, owner) = owner.split_once('.').unwrap_or(("v1", owner));
        let shared = matches!(owner, "ObjectMeta" | "OwnerReference" | "ManagedFieldsEntry");
        if row_version == version || shared {
            let row = (name.to_owned(), from_go(go), required == "required");
            rows.entry(owner.to_owned()).or_default().push(row);
        }
    }
    rows
}

fn table(root: &'static ObjectType) -> Rows {
    let row = |field: &Field| (field.name.to_owned(), from_table(field.ty), field.required);
    reachable(root)
        .into_values()
        .filter(|object| !object.fields.is_empty())
        .map(|object| (object.name.to_owned(), object.fields.iter().map(row).collect()))
        .collect()
}

#[test]
fn v1_has_the_fields_of_the_go_types_in_their_order() {
    assert_same(&table(&CUSTOM_RESOURCE_DEFINITION_V1), &golden("v1"));
}

#[test]
fn v1beta1_has_the_fields_of_the_go_types_in_their_order() {
    assert_same(&table(&CUSTOM_RESOURCE_DEFINITION_V1BETA1), &golden("v1beta1"));
}

fn assert_same(table: &Rows, golden: &Rows) {
    for (name, fields) in golden {
        assert_eq!(table.get(name), Some(fields), "{name}");
    }
    assert_eq!(table.keys().collect::<Vec<_>>(), golden.keys().collect::<Vec<_>>());
}

#[test]
fn every_field_has_a_text_and_ours_is_short_and_ends_with_a_period() {
    for (owner, field @ Field { name, doc, .. }) in all_fields() {
        assert!(field.text().len() >= 10, "{owner}.{name}: {:?}", field.text());
        assert!(doc.len() <= 900, "{owner}.{name}: {} bytes", doc.len());
        assert!(doc.is_empty() || doc.ends_with('.'), "{owner}.{name}: {doc:?}");
        assert_eq!(doc.matches("```").count() % 2, 0, "{owner}.{name}: an open code block");
    }
}

/// Sentences of a text; a dot inside code ends none.
fn sentences(text: &str) -> usize {
    let prose: String = text.split('`').step_by(2).collect::<Vec<_>>().join("x");
    prose.matches(". ").count() + usize::from(prose.ends_with('.'))
}

#[test]
fn a_field_is_described_in_two_sentences_and_a_link() {
    for (owner, field) in all_fields() {
        assert!((1..=2).contains(&sentences(field.doc)), "{owner}.{}: {}", field.name, field.doc);
        assert!(field.doc.len() <= 250, "{owner}.{}: {}", field.name, field.doc);
        assert!(field.link.starts_with("https://"), "{owner}.{} has no link", field.name);
        assert!(field.text().ends_with(&format!("[Documentation]({})", field.link)), "{}", field.text());
    }
}

#[test]
fn values_have_meanings_of_their_own() {
    for (owner, field) in all_fields().filter(|(_, field)| !field.meanings.is_empty()) {
        let known: Vec<&str> = field.meanings.iter().map(|(value, _)| *value).collect();
        assert_eq!(known, field.values, "{owner}.{}", field.name);
        for (value, meaning) in field.meanings {
            assert!((1..=2).contains(&sentences(meaning)), "{owner}.{}: {value}: {meaning}", field.name);
        }
    }
    let format = JSON_SCHEMA_PROPS.field("format").unwrap();
    assert!(format.value_text("date-time").unwrap().starts_with("A time as in RFC 3339"));
    assert_eq!(format.value_text("phone"), None);
}

#[test]
fn defaults_and_values_fit_the_type() {
    for (owner, field) in all_fields() {
        let is_string = matches!(field.ty, FieldType::String | FieldType::List(FieldType::String));
        assert!(field.values.is_empty() || is_string, "{owner}.{}: values of no string", field.name);
        let has_usual_first = field.values.iter().any(|value| matches!(*value, "set" | "date-time"));
        assert!(field.values.is_sorted() || has_usual_first, "{owner}.{}", field.name);
        match (field.ty, field.default) {
            (FieldType::Bool, Some(default)) => assert!(matches!(default, "true" | "false")),
            (FieldType::Int32, Some(default)) => assert!(default.parse::<i32>().is_ok()),
            (FieldType::String, Some(default)) => {
                assert!(field.values.contains(&default), "{owner}.{}", field.name);
            }
            _ => {}
        }
    }
}

fn steps(path: &str) -> impl Iterator<Item = Step<'_>> {
    path.split('/')
        .filter(|step| !step.is_empty())
        .map(|step| if step == "#" { Step::Index } else { Step::Name(step) })
}

fn described(root: &'static ObjectType, path: &str) -> Option<&'static str> {
    describe(root, steps(path)).map(|field| field.name)
}

#[test]
fn describe_walks_lists_maps_and_schemas() {
    let v1 = |path| described(&CUSTOM_RESOURCE_DEFINITION_V1, path);
    assert_eq!(v1("spec/scope"), Some("scope"));
    assert_eq!(v1("spec/versions/#"), Some("versions"));
    assert_eq!(v1("spec/versions/#/schema/openAPIV3Schema/properties/a/nullable"), Some("nullable"));
    assert_eq!(v1("metadata/labels/app"), Some("labels"));
    let node = |path| described(&JSON_SCHEMA_PROPS, path);
    assert_eq!(node("properties/type"), Some("properties"));
    assert_eq!(node("properties/type/type"), Some("type"));
    assert_eq!(node("additionalProperties/items/pattern"), Some("pattern"));
    assert_eq!(node("items/#/enum"), Some("enum"));
    assert_eq!(node("dependencies/a/#"), Some("dependencies"));
    assert_eq!(node("dependencies/a/required"), Some("required"));
    assert_eq!(node("x-kubernetes-validations/#/reason"), Some("reason"));
}

#[test]
fn describe_knows_nothing_of_other_paths() {
    let v1 = |path| described(&CUSTOM_RESOURCE_DEFINITION_V1, path);
    assert_eq!(v1(""), None);
    assert_eq!(v1("Spec"), None);
    assert_eq!(v1("spec/scope/x"), None);
    assert_eq!(v1("spec/versions/name"), None);
    assert_eq!(v1("spec/#"), None);
    assert_eq!(described(&JSON_SCHEMA_PROPS, "default/type"), None);
}

#[test]
fn the_versions_differ_where_their_types_do() {
    let v1beta1 = |path| described(&CUSTOM_RESOURCE_DEFINITION_V1BETA1, path);
    assert_eq!(v1beta1("spec/additionalPrinterColumns/#/JSONPath"), Some("JSONPath"));
    assert_eq!(v1beta1("spec/conversion/webhookClientConfig/service/port"), Some("port"));
    assert_eq!(v1beta1("spec/validation/openAPIV3Schema/type"), Some("type"));
    assert_eq!(described(&CUSTOM_RESOURCE_DEFINITION_V1, "spec/validation"), None);
}

#[test]
fn object_at_is_the_type_whose_keys_may_stand_there() {
    let v1 = |path| object_at(&CUSTOM_RESOURCE_DEFINITION_V1, steps(path)).map(|object| object.name);
    assert_eq!(v1(""), Some("CustomResourceDefinition"));
    assert_eq!(v1("spec/versions/#"), Some("CustomResourceDefinitionVersion"));
    assert_eq!(v1("spec/versions"), None);
    assert_eq!(v1("spec/versions/#/schema/openAPIV3Schema/properties"), None);
    assert_eq!(v1("spec/versions/#/schema/openAPIV3Schema/properties/a"), Some("JSONSchemaProps"));
    assert_eq!(v1("spec/versions/#/schema/openAPIV3Schema/items"), Some("JSONSchemaProps"));
    assert_eq!(v1("spec/scope"), None);
}

#[test]
fn a_path_of_a_million_steps_is_walked_without_recursion() {
    let path = std::iter::repeat_n([Step::Name("properties"), Step::Name("a")], 500_000).flatten();
    assert_eq!(describe(&JSON_SCHEMA_PROPS, path).map(|field| field.name), Some("properties"));
}
