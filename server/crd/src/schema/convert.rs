//! The reasons why the server cannot convert a schema to a structural schema (`NewStructural`, check 148).

use yaml::Value;

use super::zero::is_empty;
use super::{Keyword, Schema};
use crate::reading::Budget;

/// Whether the server's conversion fails at `keyword`.
pub(crate) fn fails_at(schema: &Schema<'_, '_>, keyword: Keyword) -> bool {
    let Some(value) = schema.get(keyword) else { return false };
    match keyword {
        Keyword::Id | Keyword::SchemaUrl | Keyword::Ref => {
            schema.string(keyword).is_some_and(|text| !text.is_empty())
        }
        Keyword::AdditionalItems => true,
        Keyword::PatternProperties | Keyword::Definitions | Keyword::Dependencies => !is_empty(value),
        Keyword::Items => value.as_sequence().is_some() && !is_empty(value),
        Keyword::PreserveUnknownFields => schema.boolean(keyword) == Some(false),
        _ => false,
    }
}

/// The keywords at which the conversion fails first, in the server's order.
const FIRST: [(Keyword, &str); 7] = [
    (Keyword::Id, "OpenAPIV3Schema 'id' is not supported"),
    (Keyword::SchemaUrl, "OpenAPIV3Schema 'schema' is not supported"),
    (Keyword::Ref, "OpenAPIV3Schema '$ref' is not supported"),
    (Keyword::PatternProperties, "OpenAPIV3Schema 'patternProperties' is not supported"),
    (Keyword::Dependencies, "OpenAPIV3Schema 'dependencies' is not supported"),
    (Keyword::AdditionalItems, "OpenAPIV3Schema 'additionalItems' is not supported"),
    (Keyword::Definitions, "OpenAPIV3Schema 'definitions' is not supported"),
];

/// The server's error if it cannot convert `schema`; `None` if it can. The server may name any of several
/// properties: here it is the first in the text. This walks the whole schema, so that callers use it only if
/// they know that the conversion fails.
pub(crate) fn conversion_error<'t>(schema: &Schema<'_, 't>, budget: &mut Budget) -> Option<&'static str> {
    let own = FIRST.into_iter().find(|(keyword, _)| fails_at(schema, *keyword)).map(|(_, words)| words);
    if own.is_some() || !budget.enter() {
        return own;
    }
    let found = below(schema, budget);
    budget.leave();
    found
}

fn below<'t>(schema: &Schema<'_, 't>, budget: &mut Budget) -> Option<&'static str> {
    let reader = schema.reader();
    let mut error =
        |value: Value<'t>| Schema::read(value, reader).and_then(|below| conversion_error(&below, budget));
    let not = schema.schema(Keyword::Not).and_then(|branch| error(branch.value()));
    if not.is_some() {
        return not;
    }
    for keyword in [Keyword::AllOf, Keyword::AnyOf, Keyword::OneOf] {
        if let Some(found) = schema.items(keyword).find_map(|item| error(item.value())) {
            return Some(found);
        }
    }
    if fails_at(schema, Keyword::PreserveUnknownFields) {
        return Some("internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined");
    }
    if fails_at(schema, Keyword::Items) {
        return Some("OpenAPIV3Schema 'items' must be a schema, but is an array");
    }
    let items = schema.schema(Keyword::Items).and_then(|items| error(items.value()));
    let properties = schema.members(Keyword::Properties).entries;
    items
        .or_else(|| properties.iter().find_map(|(_, entry)| error(entry.value())))
        .or_else(|| schema.schema(Keyword::AdditionalProperties).and_then(|map| error(map.value())))
}
