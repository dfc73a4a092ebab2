//! The type that a schema's keywords tell.

use crd::schema::{Keyword, Schema};
use yaml::scalar::Resolved;
use yaml::{Value, ValueKind};

/// A type, and whether it follows from structure rather than being a guess.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Inferred {
    pub(super) name: &'static str,
    pub(super) certain: bool,
}

/// What the keywords of `schema` tell of its type, if anything.
pub(super) fn of(schema: &Schema<'_, '_>) -> Option<Inferred> {
    let has = |keywords: &[Keyword]| keywords.iter().any(|keyword| schema.get(*keyword).is_some());
    let certain = |name| Some(Inferred { name, certain: true });
    let guess = |name| Some(Inferred { name, certain: false });
    if has(&[
        Keyword::Properties,
        Keyword::AdditionalProperties,
        Keyword::Required,
        Keyword::MinProperties,
        Keyword::MaxProperties,
        Keyword::MapType,
    ]) {
        return certain("object");
    }
    if has(&[Keyword::Items, Keyword::MinItems, Keyword::MaxItems, Keyword::ListType, Keyword::ListMapKeys]) {
        return certain("array");
    }
    if has(&[Keyword::Pattern, Keyword::MinLength, Keyword::MaxLength]) {
        return certain("string");
    }
    if let Some(format) = schema.string(Keyword::Format) {
        return match format.as_ref() {
            "int32" | "int64" => certain("integer"),
            "float" | "double" => certain("number"),
            _ => certain("string"),
        };
    }
    let bounds = [Keyword::Minimum, Keyword::Maximum, Keyword::MultipleOf];
    if has(&bounds) {
        let fractional = bounds
            .iter()
            .any(|bound| schema.get(*bound).is_some_and(|value| type_of(value) == Some("number")));
        return certain(if fractional { "number" } else { "integer" });
    }
    let values: Vec<Value<'_>> = schema.items(Keyword::Enum).map(|item| item.value()).collect();
    if let Some(name) = common(&values) {
        return certain(name);
    }
    let examples: Vec<Value<'_>> =
        [Keyword::Default, Keyword::Example].iter().filter_map(|keyword| schema.get(*keyword)).collect();
    common(&examples).and_then(guess)
}

/// The type that all `values` have.
fn common(values: &[Value<'_>]) -> Option<&'static str> {
    let mut types = values.iter().map(|value| type_of(*value));
    let first = types.next()??;
    types.all(|other| other == Some(first)).then_some(first)
}

fn type_of(value: Value<'_>) -> Option<&'static str> {
    match value.kind() {
        ValueKind::Mapping(_) => Some("object"),
        ValueKind::Sequence(_) => Some("array"),
        ValueKind::Scalar(scalar) => match scalar.resolve().ok()? {
            Resolved::Bool(_) => Some("boolean"),
            Resolved::Int(_) | Resolved::Uint(_) => Some("integer"),
            Resolved::Float(value) if value.fract() == 0.0 => Some("integer"),
            Resolved::Float(_) => Some("number"),
            Resolved::String(_) => Some("string"),
            Resolved::Null => None,
        },
        ValueKind::Alias(_) | ValueKind::Absent => None,
    }
}
