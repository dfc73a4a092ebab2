//! Checks of the keywords of every node (checks 81 and 104 to 112).

use std::borrow::Cow;

use api::Code;
use yaml::Value;

use super::outcome::{Builder, NodeFinding, Place, name};
use super::{Context, MetaRole, Position, Stage};
use crate::field_path::Segment;
use crate::go;
use crate::reading::Members;
use crate::report::ErrorType;
use crate::schema::Flags;
use crate::schema::zero::is_empty;
use crate::schema::{Keyword, Schema, TYPES, TypeName};

/// Check 104.
const TYPES_DETAIL: &str = r#"supported values: "array", "boolean", "integer", "number", "object", "string""#;

/// The keywords that no schema may have, in the server's order: keyword, code, the server's detail and the remedy.
const FORBIDDEN: [(Keyword, Code, &str, &str); 6] = [
    (Keyword::Id, Code::SchemaForbiddenId, "id is not supported", "remove it"),
    (
        Keyword::AdditionalItems,
        Code::SchemaForbiddenAdditionalItems,
        "additionalItems is not supported",
        "remove it, and describe all items under `items`",
    ),
    (
        Keyword::PatternProperties,
        Code::SchemaForbiddenPatternProperties,
        "patternProperties is not supported",
        "use `additionalProperties` for the values and a CEL rule for the keys",
    ),
    (
        Keyword::Definitions,
        Code::SchemaForbiddenDefinitions,
        "definitions is not supported",
        "write each schema where it is used",
    ),
    (
        Keyword::Dependencies,
        Code::SchemaForbiddenDependencies,
        "dependencies is not supported",
        "use a CEL rule such as `!has(self.a) || has(self.b)`",
    ),
    (Keyword::Ref, Code::SchemaForbiddenRef, "$ref is not supported", "write the schema here"),
];

/// Whether every schema with a non-zero value of `keyword` is invalid.
pub(crate) fn is_forbidden(keyword: Keyword) -> bool {
    FORBIDDEN.iter().any(|(forbidden, ..)| *forbidden == keyword)
        || matches!(keyword, Keyword::SchemaUrl | Keyword::UniqueItems)
}

/// The keywords with which the server requires structural schemas.
const EXTENSIONS: [Keyword; 6] = [
    Keyword::EmbeddedResource,
    Keyword::PreserveUnknownFields,
    Keyword::IntOrString,
    Keyword::ListMapKeys,
    Keyword::ListType,
    Keyword::Validations,
];

/// The keywords that are checked here, except `type`.
const INTERESTING: u64 = Keyword::EmbeddedResource.bit()
    | Keyword::PreserveUnknownFields.bit()
    | Keyword::IntOrString.bit()
    | Keyword::ListMapKeys.bit()
    | Keyword::ListType.bit()
    | Keyword::Validations.bit()
    | Keyword::Id.bit()
    | Keyword::SchemaUrl.bit()
    | Keyword::AdditionalItems.bit()
    | Keyword::PatternProperties.bit()
    | Keyword::Definitions.bit()
    | Keyword::Dependencies.bit()
    | Keyword::Ref.bit()
    | Keyword::Default.bit()
    | Keyword::Items.bit()
    | Keyword::UniqueItems.bit()
    | Keyword::AdditionalProperties.bit()
    | Keyword::Nullable.bit();

/// Checks `schema`, whose properties are `properties`.
pub(crate) fn check<'t>(
    schema: &Schema<'_, 't>,
    ty: &TypeName<'t>,
    properties: &Members<'t>,
    context: Context,
    out: &mut Builder,
) {
    check_type(schema, ty, out);
    if !schema.has_any(INTERESTING) {
        return;
    }
    if schema.get(Keyword::Default).is_some() {
        out.flags |= Flags::DEFAULTS;
    }
    if EXTENSIONS.into_iter().any(|keyword| is_extension(schema, keyword)) {
        out.flags |= Flags::EXTENSIONS;
    }
    check_default(schema, context.meta, out);
    check_forbidden(schema, out);
    check_null_root(schema, context.position, out);
    check_items(schema, out);
    check_flags(schema, context.meta, out);
    check_additional_properties(schema, properties, out);
    check_schema_url(schema, out);
}

fn check_type(schema: &Schema<'_, '_>, ty: &TypeName<'_>, out: &mut Builder) {
    let TypeName::Named(found) = ty else { return };
    if TYPES.contains(&found.as_ref()) {
        return;
    }
    let place = out.at_or_owner(schema.get(Keyword::Type).map(Value::range));
    let advice = match type_remedy(found) {
        Some(remedy) => remedy.to_owned(),
        None => "write `array`, `boolean`, `integer`, `number`, `object` or `string`".to_owned(),
    };
    let tail = || vec![name(Keyword::Type)];
    let error = ErrorType::NotSupported;
    let finding =
        NodeFinding::new(Stage::Types, Code::SchemaTypeUnsupported, error, place, tail(), TYPES_DETAIL);
    out.push(finding.advise(advice).printing(go::quoted(found)));
    if found == "null" {
        let detail = "type cannot be set to null, use nullable as an alternative";
        let error = ErrorType::Forbidden;
        let finding = NodeFinding::new(Stage::Schema, Code::SchemaTypeNull, error, place, tail(), detail);
        out.push(finding.with_problem("`type` cannot be `null`").advise(NULLABLE));
    }
}

/// The replacement for the type `null`.
const NULLABLE: &str = "set the type of the value and `nullable: true`";

/// The remedy for a type that does not exist: the probable type.
fn type_remedy(found: &str) -> Option<&'static str> {
    Some(match found.to_ascii_lowercase().as_str() {
        "str" | "text" | "string" => "write `type: string`",
        "int" | "integer" => "write `type: integer`",
        "int32" => "write `type: integer` with `format: int32`",
        "int64" | "long" => "write `type: integer` with `format: int64`",
        "float" => "write `type: number` with `format: float`",
        "double" => "write `type: number` with `format: double`",
        "number" | "numeric" | "decimal" => "write `type: number`",
        "bool" | "boolean" => "write `type: boolean`",
        "list" | "array" | "slice" | "[]string" => "write `type: array`",
        "map" | "dict" | "struct" | "object" => "write `type: object`",
        "date" => "write `type: string` with `format: date`",
        "time" | "datetime" | "date-time" => "write `type: string` with `format: date-time`",
        "any" => "remove the type and set `x-kubernetes-preserve-unknown-fields: true`",
        "int-or-string" | "intorstring" => "remove the type and set `x-kubernetes-int-or-string: true`",
        "null" => NULLABLE,
        _ => return None,
    })
}

fn is_extension(schema: &Schema<'_, '_>, keyword: Keyword) -> bool {
    match (keyword, schema.get(keyword)) {
        (_, None) => false,
        (Keyword::EmbeddedResource | Keyword::IntOrString, _) => schema.is_true(keyword),
        (Keyword::ListMapKeys | Keyword::Validations, Some(value)) => !is_empty(value),
        _ => true,
    }
}

fn check_default(schema: &Schema<'_, '_>, meta: MetaRole, out: &mut Builder) {
    let Some(detail) = meta.forbids_defaults().filter(|_| schema.get(Keyword::Default).is_some()) else {
        return;
    };
    let (problem, advice) = match meta {
        MetaRole::Outside | MetaRole::Embedded => return,
        MetaRole::Metadata => ("`metadata` at the root cannot have a default", "remove the default"),
        MetaRole::Kind => ("`kind` at the root cannot have a default", "remove the default"),
        MetaRole::ApiVersion => ("`apiVersion` at the root cannot have a default", "remove the default"),
        MetaRole::Map => (
            "a default is not allowed inside `additionalProperties` of metadata",
            "set defaults only on declared properties",
        ),
    };
    let place = place_of(schema, Keyword::Default, out);
    let tail = vec![name(Keyword::Default)];
    let (stage, code, error) = (Stage::Schema, Code::DefaultsForbidden, ErrorType::Forbidden);
    out.push(NodeFinding::new(stage, code, error, place, tail, detail).with_problem(problem).advise(advice));
}

fn check_forbidden(schema: &Schema<'_, '_>, out: &mut Builder) {
    for (keyword, code, detail, advice) in FORBIDDEN {
        let Some(value) = schema.get(keyword) else { continue };
        let is_set = match keyword {
            Keyword::Id => schema.string(keyword).is_some_and(|id| !id.is_empty()),
            Keyword::PatternProperties | Keyword::Definitions => !is_empty(value),
            _ => true,
        };
        if is_set {
            let problem = format!("`{}` is not supported", keyword.as_str());
            push_forbidden(code, keyword, detail, (problem, advice), schema, out);
        }
    }
}

/// Check 81.
fn check_null_root(schema: &Schema<'_, '_>, position: Position, out: &mut Builder) {
    if position != Position::Root || !schema.is_true(Keyword::Nullable) {
        return;
    }
    let place = place_of(schema, Keyword::Nullable, out);
    let finding = NodeFinding::new(
        Stage::Root,
        Code::SchemaNullableRoot,
        ErrorType::Forbidden,
        place,
        vec![name(Keyword::Nullable)],
        "nullable cannot be true at the root",
    );
    let problem = "`nullable: true` is not allowed at the root, which is always an object";
    out.push(finding.with_problem(problem).advise("remove it"));
}

fn check_items(schema: &Schema<'_, '_>, out: &mut Builder) {
    let is_list =
        schema.get(Keyword::Items).is_some_and(|items| items.as_sequence().is_some() && !is_empty(items));
    if is_list {
        let detail = "items must be a schema object and not an array";
        let words = ("`items` cannot be a list of schemas", "write one schema that applies to all items");
        push_forbidden(Code::SchemaItemsArray, Keyword::Items, detail, words, schema, out);
    }
}

fn check_flags(schema: &Schema<'_, '_>, meta: MetaRole, out: &mut Builder) {
    if meta != MetaRole::Outside && schema.is_true(Keyword::EmbeddedResource) {
        let problem =
            "`x-kubernetes-embedded-resource` is not allowed in `apiVersion`, `kind` and `metadata`";
        push_forbidden(
            Code::SchemaEmbeddedInMeta,
            Keyword::EmbeddedResource,
            "must not be used inside of resource meta",
            (problem, "remove it"),
            schema,
            out,
        );
    }
    if schema.is_true(Keyword::UniqueItems) {
        push_forbidden(
            Code::SchemaUniqueItems,
            Keyword::UniqueItems,
            "uniqueItems cannot be set to true since the runtime complexity becomes quadratic",
            (
                "`uniqueItems: true` is not supported",
                "use `x-kubernetes-list-type: set` for scalars, or `map` with keys for objects",
            ),
            schema,
            out,
        );
    }
    if schema.boolean(Keyword::PreserveUnknownFields) == Some(false) {
        let keyword = Keyword::PreserveUnknownFields;
        let place = out.at_or_owner(schema.get(keyword).map(Value::range));
        let finding = NodeFinding::new(
            Stage::Schema,
            Code::SchemaPreserveFalse,
            ErrorType::Invalid,
            place,
            vec![name(keyword)],
            "must be true or undefined",
        );
        let problem = format!("`{}` cannot be `false`", keyword.as_str());
        out.push(
            finding
                .with_problem(problem)
                .advise("remove it, because pruning is the default")
                .printing("false"),
        );
    }
}

fn check_additional_properties(schema: &Schema<'_, '_>, properties: &Members<'_>, out: &mut Builder) {
    let Some(value) = schema.get(Keyword::AdditionalProperties) else { return };
    let constrains =
        value.as_mapping().is_some() || schema.boolean(Keyword::AdditionalProperties) == Some(false);
    if properties.entries.is_empty() || !constrains {
        return;
    }
    let place = place_of(schema, Keyword::AdditionalProperties, out);
    let related = schema.key_range(Keyword::Properties).map(|range| out.place_of(range));
    let advice = if value.as_mapping().is_some() {
        "keep `properties` for known fields or `additionalProperties` for a map"
    } else {
        "remove it, because kube-apiserver prunes unknown fields"
    };
    let finding = NodeFinding::new(
        Stage::Schema,
        Code::SchemaPropertiesAndAdditional,
        ErrorType::Forbidden,
        place,
        vec![name(Keyword::AdditionalProperties)],
        "additionalProperties and properties are mutual exclusive",
    );
    let finding = finding.with_problem("`additionalProperties` is not allowed beside `properties`");
    out.push(finding.advise(advice).relate(related, "the properties"));
}

/// Check 148: the only keyword that makes the conversion fail without any other finding.
fn check_schema_url(schema: &Schema<'_, '_>, out: &mut Builder) {
    if schema.string(Keyword::SchemaUrl).is_none_or(|text| text.is_empty()) {
        return;
    }
    let place = place_of(schema, Keyword::SchemaUrl, out);
    let tail = vec![name(Keyword::SchemaUrl)];
    let detail = "OpenAPIV3Schema 'schema' is not supported";
    let finding =
        NodeFinding::new(Stage::Convert, Code::SchemaConvert, ErrorType::Invalid, place, tail, detail);
    out.push(finding.with_problem("`$schema` is not supported").advise("remove it").printing("\"\""));
}

fn push_forbidden(
    code: Code,
    keyword: Keyword,
    detail: &'static str,
    (problem, advice): (impl Into<Cow<'static, str>>, &'static str),
    schema: &Schema<'_, '_>,
    out: &mut Builder,
) {
    let place = place_of(schema, keyword, out);
    let tail: Vec<Segment> = vec![name(keyword)];
    let finding = NodeFinding::new(Stage::Schema, code, ErrorType::Forbidden, place, tail, detail);
    out.push(finding.with_problem(problem).advise(advice));
}

/// The key of `keyword`.
fn place_of(schema: &Schema<'_, '_>, keyword: Keyword, out: &Builder) -> Place {
    out.at_or_owner(schema.key_range(keyword))
}
