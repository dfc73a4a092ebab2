//! The reasons why the server cannot convert a schema to a structural schema (`NewStructural`, check 148).

use yaml::{Value, ValueKind};

use crate::schema::zero::is_empty;
use crate::schema::{Keyword, Schema};

/// The maximum nesting depth of checked schemas.
const MAX_DEPTH: u32 = 500;

/// The server's error for the first keyword that it cannot convert.
pub(super) fn error(schema: &Schema<'_, '_>) -> Option<String> {
    first(schema, MAX_DEPTH).map(str::to_owned)
}

fn first(schema: &Schema<'_, '_>, depth: u32) -> Option<&'static str> {
    let depth = depth.checked_sub(1)?;
    unsupported(schema)
        .or_else(|| below(schema.get(Keyword::Not), schema, depth))
        .or_else(|| {
            let lists = [Keyword::AllOf, Keyword::AnyOf, Keyword::OneOf].into_iter();
            let mut branches = lists.flat_map(|keyword| schema.items(keyword));
            branches.find_map(|item| below(Some(item.value()), schema, depth))
        })
        .or_else(|| {
            let refused = schema.boolean(Keyword::PreserveUnknownFields) == Some(false);
            refused
                .then_some("internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined")
        })
        .or_else(|| {
            let is_list = schema.items(Keyword::Items).next().is_some();
            is_list.then_some("OpenAPIV3Schema 'items' must be a schema, but is an array")
        })
        .or_else(|| below(schema.get(Keyword::Items), schema, depth))
        .or_else(|| {
            let mut members = schema.members(Keyword::Properties).entries.into_iter();
            members.find_map(|(_, entry)| below(Some(entry.value()), schema, depth))
        })
        .or_else(|| below(schema.get(Keyword::AdditionalProperties), schema, depth))
}

fn below<'t>(value: Option<Value<'t>>, parent: &Schema<'_, 't>, depth: u32) -> Option<&'static str> {
    let value = parent.reader().follow(value?)?;
    matches!(value.kind(), ValueKind::Mapping(_))
        .then(|| Schema::read(value, parent.reader()))
        .flatten()
        .and_then(|schema| first(&schema, depth))
}

fn unsupported(schema: &Schema<'_, '_>) -> Option<&'static str> {
    let has_text = |keyword| schema.string(keyword).is_some_and(|text| !text.is_empty());
    let has_members = |keyword| schema.get(keyword).is_some_and(|value| !is_empty(value));
    let rules = [
        (has_text(Keyword::Id), "OpenAPIV3Schema 'id' is not supported"),
        (has_text(Keyword::SchemaUrl), "OpenAPIV3Schema 'schema' is not supported"),
        (has_text(Keyword::Ref), "OpenAPIV3Schema '$ref' is not supported"),
        (has_members(Keyword::PatternProperties), "OpenAPIV3Schema 'patternProperties' is not supported"),
        (has_members(Keyword::Dependencies), "OpenAPIV3Schema 'dependencies' is not supported"),
        (
            schema.get(Keyword::AdditionalItems).is_some(),
            "OpenAPIV3Schema 'additionalItems' is not supported",
        ),
        (has_members(Keyword::Definitions), "OpenAPIV3Schema 'definitions' is not supported"),
    ];
    rules.into_iter().find(|(is_there, _)| *is_there).map(|(_, words)| words)
}
