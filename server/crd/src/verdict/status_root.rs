//! Checks of the root schema with the status subresource enabled (checks 79 and 80): the server validates a
//! status with `properties.status` alone, so that no other part of the root may constrain it.

use api::Code;
use text::TextSize;
use yaml::Value;

use crate::check::Stage;
use crate::check::outcome::{Builder, Findings, NodeFinding, name};
use crate::report::ErrorType;
use crate::schema::{Keyword, Schema, TypeName};
use crate::{go, printed};

/// Check 80; the server lists the names of its Go fields.
const FIELDS: &str = "only [Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields XValidations] fields are allowed at the root of the schema if the status subresource is enabled";
/// Check 79.
const TYPE: &str =
    r#"only "object" is allowed as the type at the root of the schema if the status subresource is enabled"#;

/// The keywords that the server checks before `type`.
const FIRST: [Keyword; 3] = [Keyword::Id, Keyword::SchemaUrl, Keyword::Ref];

/// The findings for the root `schema` if the status subresource is enabled.
pub(crate) fn check(schema: &Schema<'_, '_>) -> Option<Findings> {
    let base: TextSize = schema.start();
    let mut out = Builder::new(base);
    let first = FIRST.into_iter().find(|keyword| is_set(schema, *keyword));
    let ty = schema.type_name();
    match (first, &ty) {
        (Some(keyword), ty) => {
            push_fields(schema, keyword, Stage::Root, &mut out);
            if matches!(ty, TypeName::Named(ty) if ty != "object") {
                push_type(schema, Stage::Skipped, &mut out);
            }
        }
        (None, TypeName::Named(ty)) if ty != "object" => {
            push_type(schema, Stage::Root, &mut out);
            if let Some(other) = forbidden(schema) {
                push_fields(schema, other, Stage::Skipped, &mut out);
            }
        }
        _ => push_fields(schema, forbidden(schema)?, Stage::Root, &mut out),
    }
    (!out.findings.own.is_empty()).then_some(out.findings)
}

/// The first keyword that is forbidden at the root.
fn forbidden(schema: &Schema<'_, '_>) -> Option<Keyword> {
    let mut keywords = schema.entries().map(|(keyword, _)| keyword);
    keywords.find(|keyword| !is_allowed(*keyword) && is_set(schema, *keyword))
}

fn push_type(schema: &Schema<'_, '_>, stage: Stage, out: &mut Builder) {
    let place = out.at_or_owner(schema.get(Keyword::Type).map(Value::range));
    let tail = vec![name(Keyword::Type)];
    let finding =
        NodeFinding::new(stage, Code::SubresourcesStatusRootType, ErrorType::Invalid, place, tail, TYPE);
    let ty = match schema.type_name() {
        TypeName::Named(ty) => ty,
        _ => Default::default(),
    };
    let finding = finding.with_problem("the status subresource requires `type: object` at the root");
    out.push(finding.advise("write `type: object`").printing(go::quoted(&ty)));
}

fn push_fields(schema: &Schema<'_, '_>, keyword: Keyword, stage: Stage, out: &mut Builder) {
    let place = out.at_or_owner(schema.key_range(keyword));
    let code = Code::SubresourcesStatusRootFields;
    let mut finding = NodeFinding::new(stage, code, ErrorType::Invalid, place, Vec::new(), FIELDS);
    for (other, entry) in schema.entries() {
        if other != keyword && !is_allowed(other) && is_set(schema, other) {
            finding = finding.relate(Some(out.place_of(entry.key_range())), "also not allowed");
        }
    }
    let finding = finding.printing(printed::schema(schema.value(), schema.reader()));
    let problem = format!("the status subresource does not allow `{}` at the root", keyword.as_str());
    out.push(finding.with_problem(problem).advise("move it below a property such as `spec`"));
}

/// Whether the root may have `keyword` if the status subresource is enabled.
pub(crate) fn is_allowed(keyword: Keyword) -> bool {
    use Keyword as K;
    matches!(
        keyword,
        K::Description
            | K::Type
            | K::Format
            | K::Title
            | K::Maximum
            | K::ExclusiveMaximum
            | K::Minimum
            | K::ExclusiveMinimum
            | K::MaxLength
            | K::MinLength
            | K::Pattern
            | K::MaxItems
            | K::MinItems
            | K::UniqueItems
            | K::MultipleOf
            | K::Required
            | K::Items
            | K::Properties
            | K::ExternalDocs
            | K::Example
            | K::PreserveUnknownFields
            | K::Validations
    )
}

/// Whether `keyword` has a value other than the zero value of its Go type; empty lists and maps count as values.
fn is_set(schema: &Schema<'_, '_>, keyword: Keyword) -> bool {
    use Keyword as K;
    if schema.get(keyword).is_none() {
        return false;
    }
    match keyword {
        K::Id | K::SchemaUrl => schema.string(keyword).is_some_and(|text| !text.is_empty()),
        K::Nullable | K::EmbeddedResource | K::IntOrString => schema.is_true(keyword),
        _ => true,
    }
}
