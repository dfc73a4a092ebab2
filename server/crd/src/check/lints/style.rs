//! The Kubernetes API conventions for fields: a description, and no floating-point numbers.

use super::super::Stage;
use super::super::outcome::{Builder, NodeFinding, name};
use super::lint;
use crate::field_path::Segment;
use crate::options::{OptionalLint, OptionalLints};
use crate::reading::Members;
use crate::report::ErrorType;
use crate::schema::{Keyword, Schema};

/// Checks `schema`, whose type is `ty`.
pub(super) fn check(
    schema: &Schema<'_, '_>,
    ty: Option<&str>,
    properties: &Members<'_>,
    wanted: OptionalLints,
    out: &mut Builder,
) {
    if wanted.contains(OptionalLint::Number) && ty == Some("number") {
        let place = out.at_or_owner(schema.get(Keyword::Type).map(yaml::Value::range));
        let words = "clients round floating-point numbers differently".to_owned();
        let advice = "use `type: integer` in a smaller unit or a string with a pattern, such as a quantity";
        out.push(lint(OptionalLint::Number.code(), place, Keyword::Type, words).advise(advice));
    }
    if wanted.contains(OptionalLint::Description) {
        describe(schema, properties, out);
    }
}

/// The properties of `schema` without a description.
fn describe(schema: &Schema<'_, '_>, properties: &Members<'_>, out: &mut Builder) {
    for (key, entry) in &properties.entries {
        let Some(property) = Schema::read(entry.value(), schema.reader()) else { continue };
        if property.string(Keyword::Description).is_some_and(|text| !text.trim().is_empty()) {
            continue;
        }
        let tail = vec![name(Keyword::Properties), Segment::Key(key.as_ref().into())];
        let words = format!("`{key}` has no description");
        let place = out.place_of(entry.key_range());
        let code = OptionalLint::Description.code();
        let finding = NodeFinding::new(Stage::Lint, code, ErrorType::Invalid, place, tail, words);
        out.push(finding.advise("add one for `kubectl explain` and editors"));
    }
}
