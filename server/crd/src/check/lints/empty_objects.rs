//! Objects that may not have any field.

use api::Code;

use super::super::Position;
use super::super::outcome::Builder;
use super::lint;
use crate::reading::Members;
use crate::schema::{Keyword, Schema};

/// Checks `schema`, a node of the spine. The server rejects the keyword at the root, in embedded resources and
/// beside `properties`.
pub(super) fn check(
    schema: &Schema<'_, '_>,
    properties: &Members<'_>,
    position: Position,
    out: &mut Builder,
) {
    let refused = position == Position::Root
        || schema.is_true(Keyword::EmbeddedResource)
        || !properties.entries.is_empty();
    if refused || schema.boolean(Keyword::AdditionalProperties) != Some(false) {
        return;
    }
    let place = out.at_or_owner(schema.get(Keyword::AdditionalProperties).map(yaml::Value::range));
    let words = "`additionalProperties: false` without `properties` rejects every field";
    let advice = "replace it with `properties` that declare the fields, or remove it";
    let code = Code::LintAdditionalPropertiesFalse;
    out.push(lint(code, place, Keyword::AdditionalProperties, words.to_owned()).advise(advice));
}
