//! Keywords that a value validation must not contain (checks 94 to 96).

use api::{Code, Difference, KubernetesVersion};

use super::Stage;
use super::outcome::{Builder, NodeFinding, Place, name};
use crate::field_path::Segment;
use crate::reading::Members;
use crate::reading::part_of;
use crate::report::ErrorType;
use crate::schema::Flags;
use crate::schema::zero::is_empty;
use crate::schema::{Keyword, Schema};
use crate::{go, regexp};

const EMPTY: &str = "must be empty to be structural";
const UNDEFINED: &str = "must be undefined to be structural";
const FALSE: &str = "must be false to be structural";

/// The structural keywords, which junctors must not contain: keyword, code and the server's detail.
const FORBIDDEN: [(Keyword, Code, &str); 13] = [
    (Keyword::Type, Code::StructuralJunctorType, EMPTY),
    (Keyword::AdditionalProperties, Code::StructuralJunctorAdditionalProperties, UNDEFINED),
    (Keyword::Default, Code::StructuralJunctorDefault, UNDEFINED),
    (Keyword::Title, Code::StructuralJunctorTitle, EMPTY),
    (Keyword::Description, Code::StructuralJunctorDescription, EMPTY),
    (Keyword::Nullable, Code::StructuralJunctorNullable, FALSE),
    (Keyword::PreserveUnknownFields, Code::StructuralJunctorPreserveUnknownFields, FALSE),
    (Keyword::EmbeddedResource, Code::StructuralJunctorEmbeddedResource, FALSE),
    (Keyword::IntOrString, Code::StructuralJunctorIntOrString, FALSE),
    (Keyword::ListMapKeys, Code::StructuralJunctorListMapKeys, EMPTY),
    (Keyword::ListType, Code::StructuralJunctorListType, UNDEFINED),
    (Keyword::MapType, Code::StructuralJunctorMapType, UNDEFINED),
    (Keyword::Validations, Code::StructuralJunctorValidations, EMPTY),
];

/// Checks a value validation, whose properties are `properties`.
pub(crate) fn check<'t>(
    schema: &Schema<'_, 't>,
    properties: &Members<'t>,
    version: KubernetesVersion,
    out: &mut Builder,
) {
    if !properties.entries.is_empty() || schema.schema(Keyword::Items).is_some() {
        out.flags |= Flags::MENTIONS;
    }
    for (keyword, code, detail) in FORBIDDEN {
        if let Some(key) = schema.key_range(keyword).filter(|_| is_set(schema, keyword, version)) {
            let place = out.place_of(key);
            push(code, place, vec![name(keyword)], detail, advice(keyword), out);
        }
    }
    if let Some(entry) = properties.get("metadata") {
        let place = out.place_of(entry.key_range());
        let tail = vec![name(Keyword::Properties), Segment::Key("metadata".into())];
        let advice = "write the condition under `metadata` at the root, or as a CEL rule";
        push(
            Code::StructuralJunctorMetadata,
            place,
            tail,
            "must not be specified in a nested context",
            advice,
            out,
        );
    }
    check_pattern(schema, out);
}

/// Whether the server finds `keyword` set, once decoded.
fn is_set(schema: &Schema<'_, '_>, keyword: Keyword, version: KubernetesVersion) -> bool {
    let Some(value) = schema.get(keyword) else { return false };
    match keyword {
        // A value that is not a string is always an error.
        Keyword::Type | Keyword::Title | Keyword::Description => {
            schema.string(keyword).is_none_or(|text| !text.is_empty())
        }
        // Older servers treat `false` as a set value.
        Keyword::AdditionalProperties => {
            schema.boolean(keyword) != Some(false) || !version.has(Difference::ClosedJunctors)
        }
        Keyword::Nullable
        | Keyword::PreserveUnknownFields
        | Keyword::EmbeddedResource
        | Keyword::IntOrString => schema.is_true(keyword),
        Keyword::ListMapKeys | Keyword::Validations => !is_empty(value),
        _ => true,
    }
}

fn advice(keyword: Keyword) -> &'static str {
    match keyword {
        Keyword::Type => "move `type` outside {junctor}",
        Keyword::AdditionalProperties => "declare the map outside {junctor}",
        Keyword::Default => "set the default outside {junctor}",
        Keyword::Title | Keyword::Description => "move it outside {junctor}",
        Keyword::Nullable => "set `nullable` outside {junctor}",
        Keyword::Validations => "move the rule outside {junctor}",
        _ => "move it outside {junctor}",
    }
}

fn push(
    code: Code,
    place: Place,
    tail: Vec<Segment>,
    detail: &'static str,
    advice: &'static str,
    out: &mut Builder,
) {
    let finding = NodeFinding::new(Stage::Structural, code, ErrorType::Forbidden, place, tail, detail);
    out.push(finding.advise(advice));
}

/// A `pattern` must compile as a regular expression of Go, on the spine and in junctors alike.
pub(crate) fn check_pattern(schema: &Schema<'_, '_>, out: &mut Builder) {
    let Some(scalar) = schema.get(Keyword::Pattern).and_then(yaml::Value::as_scalar) else { return };
    let Some(pattern) = scalar.as_str() else { return };
    let Err(error) = regexp::parse(&pattern) else { return };
    let place = out.place_of(part_of(scalar, error.range.clone()));
    let detail = format!("must be a valid regular expression, but isn't: {error}");
    let tail = vec![name(Keyword::Pattern)];
    let finding =
        NodeFinding::new(Stage::Structural, Code::StructuralPattern, ErrorType::Invalid, place, tail, detail);
    let (what, remedy) = error.in_words();
    out.push(finding.explain(what).advise(remedy));
    out.print_value(go::quoted(&pattern));
}
