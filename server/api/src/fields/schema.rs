//! JSONSchemaProps and the types below it, the same in v1 and v1beta1.

use super::FieldType::{
    Bool, Float64, Int64, Json, List, Map, Object, SchemaOrArray, SchemaOrBool, SchemaOrStringArray, String,
};
use super::links::{self, linked};
use super::{
    Field, FieldType, ObjectType, schema_docs as docs, schema_docs_extensions as extensions, values,
};

static SCHEMA: FieldType = Object(&JSON_SCHEMA_PROPS);
static RULE: FieldType = Object(&VALIDATION_RULE);

/// `JSONSchemaProps`: one node of a schema.
pub static JSON_SCHEMA_PROPS: ObjectType = ObjectType {
    name: "JSONSchemaProps",
    fields: &linked(
        links::SCHEMA,
        [
            Field::new("id", String, docs::ID),
            Field::new("$schema", String, docs::SCHEMA),
            Field::new("$ref", String, docs::REF),
            Field::new("description", String, docs::DESCRIPTION),
            Field::new("type", String, docs::TYPE)
                .link(links::STRUCTURAL)
                .values(&["array", "boolean", "integer", "number", "object", "string"])
                .meanings(values::TYPES),
            Field::new("format", String, docs::FORMAT).values(FORMATS).meanings(values::FORMATS),
            Field::new("title", String, docs::TITLE),
            Field::new("default", Json, docs::DEFAULT).link(links::DEFAULTING),
            Field::new("maximum", Float64, docs::MAXIMUM),
            Field::new("exclusiveMaximum", Bool, docs::EXCLUSIVE_MAXIMUM).default("false"),
            Field::new("minimum", Float64, docs::MINIMUM),
            Field::new("exclusiveMinimum", Bool, docs::EXCLUSIVE_MINIMUM).default("false"),
            Field::new("maxLength", Int64, docs::MAX_LENGTH),
            Field::new("minLength", Int64, docs::MIN_LENGTH),
            Field::new("pattern", String, docs::PATTERN).link(links::REGEXP),
            Field::new("maxItems", Int64, docs::MAX_ITEMS),
            Field::new("minItems", Int64, docs::MIN_ITEMS),
            Field::new("uniqueItems", Bool, docs::UNIQUE_ITEMS).default("false"),
            Field::new("multipleOf", Float64, docs::MULTIPLE_OF),
            Field::new("enum", List(&Json), docs::ENUM),
            Field::new("maxProperties", Int64, docs::MAX_PROPERTIES),
            Field::new("minProperties", Int64, docs::MIN_PROPERTIES),
            Field::new("required", List(&String), docs::REQUIRED),
            Field::new("items", SchemaOrArray, docs::ITEMS),
            Field::new("allOf", List(&SCHEMA), docs::ALL_OF).link(links::STRUCTURAL),
            Field::new("oneOf", List(&SCHEMA), docs::ONE_OF).link(links::STRUCTURAL),
            Field::new("anyOf", List(&SCHEMA), docs::ANY_OF).link(links::STRUCTURAL),
            Field::new("not", Object(&JSON_SCHEMA_PROPS), docs::NOT).link(links::STRUCTURAL),
            Field::new("properties", Map(&SCHEMA), docs::PROPERTIES).link(links::PRUNING),
            Field::new("additionalProperties", SchemaOrBool, docs::ADDITIONAL_PROPERTIES),
            Field::new("patternProperties", Map(&SCHEMA), docs::PATTERN_PROPERTIES),
            Field::new("dependencies", Map(&SchemaOrStringArray), docs::DEPENDENCIES),
            Field::new("additionalItems", SchemaOrBool, docs::ADDITIONAL_ITEMS),
            Field::new("definitions", Map(&SCHEMA), docs::DEFINITIONS),
            Field::new("externalDocs", Object(&EXTERNAL_DOCUMENTATION), docs::EXTERNAL_DOCS),
            Field::new("example", Json, docs::EXAMPLE),
            Field::new("nullable", Bool, docs::NULLABLE).link(links::NULLABLE).default("false"),
            Field::new("x-kubernetes-preserve-unknown-fields", Bool, extensions::PRESERVE_UNKNOWN_FIELDS)
                .link(links::PRUNING),
            Field::new("x-kubernetes-embedded-resource", Bool, extensions::EMBEDDED_RESOURCE)
                .link(links::EMBEDDED)
                .default("false"),
            Field::new("x-kubernetes-int-or-string", Bool, extensions::INT_OR_STRING)
                .link(links::INT_OR_STRING)
                .default("false"),
            Field::new("x-kubernetes-list-map-keys", List(&String), extensions::LIST_MAP_KEYS)
                .link(links::MERGE),
            Field::new("x-kubernetes-list-type", String, extensions::LIST_TYPE)
                .link(links::MERGE)
                .default("atomic")
                .values(&["atomic", "set", "map"])
                .meanings(values::LIST_TYPES),
            Field::new("x-kubernetes-map-type", String, extensions::MAP_TYPE)
                .link(links::MERGE)
                .default("granular")
                .values(&["atomic", "granular"])
                .meanings(values::MAP_TYPES),
            Field::new("x-kubernetes-validations", List(&RULE), extensions::VALIDATIONS).link(links::RULES),
        ],
    ),
};

/// The formats that the server enforces, the most frequent first; other formats are allowed and ignored.
const FORMATS: &[&str] = &[
    "date-time",
    "date",
    "duration",
    "uri",
    "hostname",
    "email",
    "ipv4",
    "ipv6",
    "cidr",
    "uuid",
    "byte",
    "password",
    "k8s-short-name",
    "k8s-long-name",
    "mac",
    "int32",
    "int64",
    "double",
    "float",
    "bsonobjectid",
    "creditcard",
    "hexcolor",
    "isbn",
    "isbn10",
    "isbn13",
    "rgbcolor",
    "ssn",
    "uuid3",
    "uuid4",
    "uuid5",
];

/// `ExternalDocumentation`: a link for readers.
pub static EXTERNAL_DOCUMENTATION: ObjectType = ObjectType {
    name: "ExternalDocumentation",
    fields: &linked(
        links::SCHEMA,
        [
            Field::new("description", String, "Text of the link."),
            Field::new("url", String, "Address of the page, which kube-apiserver does not check."),
        ],
    ),
};

/// `ValidationRule`: one item of `x-kubernetes-validations`.
pub static VALIDATION_RULE: ObjectType = ObjectType {
    name: "ValidationRule",
    fields: &linked(
        links::RULES,
        [
            Field::new("rule", String, extensions::RULE).required(),
            Field::new("message", String, extensions::MESSAGE),
            Field::new("messageExpression", String, extensions::MESSAGE_EXPRESSION)
                .link(links::MESSAGE_EXPRESSION)
                .since(27),
            Field::new("reason", String, extensions::REASON)
                .link(links::REASON)
                .since(28)
                .default("FieldValueInvalid")
                .values(&[
                    "FieldValueDuplicate",
                    "FieldValueForbidden",
                    "FieldValueInvalid",
                    "FieldValueRequired",
                ])
                .meanings(values::REASONS),
            Field::new("fieldPath", String, extensions::FIELD_PATH).link(links::FIELD_PATH).since(28),
            Field::new("optionalOldSelf", Bool, extensions::OPTIONAL_OLD_SELF)
                .link(links::OPTIONAL_OLD_SELF)
                .since(29)
                .kept_since(30),
        ],
    ),
};
