//! The type of a schema that does not name a valid one: inferred from its other keywords, or from the text in
//! place of the type.

use yaml::scalar::ResolvedScalar;
use yaml::{Value, ValueKind};

use super::{Keyword, Schema, TypeName};
use crate::suggest::closest;

/// The valid types, in the server's order.
pub const TYPES: [&str; 6] = ["array", "boolean", "integer", "number", "object", "string"];

/// A type, and whether it follows from the structure or is only a guess.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImpliedType {
    /// One of [`TYPES`].
    pub name: &'static str,
    /// Whether no other type is possible.
    pub is_certain: bool,
}

/// The type that the keywords of `schema` other than `type` imply, if any.
#[must_use]
pub fn implied(schema: &Schema<'_, '_>) -> Option<ImpliedType> {
    let has = |keywords: &[Keyword]| keywords.iter().any(|keyword| schema.get(*keyword).is_some());
    let certain = |name| Some(ImpliedType { name, is_certain: true });
    let guess = |name| Some(ImpliedType { name, is_certain: false });
    if has_keyword_of(schema, "object") || has(&[Keyword::MapType]) {
        return certain("object");
    }
    if has_keyword_of(schema, "array") || has(&[Keyword::ListType, Keyword::ListMapKeys]) {
        return certain("array");
    }
    if has_keyword_of(schema, "string") {
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

/// The scalar type of the items of a list by its default, if nothing else determines it: the type of most
/// elements. `None` if most elements are not scalars, or if all of them may be `x-kubernetes-int-or-string`.
#[must_use]
pub(crate) fn implied_items(list: &Schema<'_, '_>) -> Option<&'static str> {
    // The order decides between equally frequent types.
    const SCALARS: [&str; 4] = ["string", "integer", "number", "boolean"];
    let elements = list.get(Keyword::Default)?.as_sequence()?.items();
    let types: Vec<&'static str> = elements.filter_map(|element| type_of(element.value())).collect();
    let count = |name: &str| types.iter().filter(|other| **other == name).count();
    let (strings, integers) = (count("string"), count("integer"));
    if strings > 0 && integers > 0 && strings + integers == types.len() {
        return None;
    }
    let most = SCALARS.into_iter().rev().max_by_key(|name| count(name))?;
    let most_others = ["object", "array"].map(count).into_iter().max()?;
    if count(most) == 0 || count(most) < most_others {
        return None;
    }
    // Integers are numbers as well.
    Some(if most == "integer" && count("number") > 0 { "number" } else { most })
}

/// The intended type of a name that is not a type: the name in other languages, or the closest spelling.
#[must_use]
pub fn intended_type(name: &str) -> Option<&'static str> {
    match name.to_lowercase().as_str() {
        "int" | "int32" | "int64" | "long" | "uint" => Some("integer"),
        "float" | "float64" | "double" | "decimal" => Some("number"),
        "str" | "text" => Some("string"),
        "bool" => Some("boolean"),
        "list" | "slice" => Some("array"),
        "map" | "dict" | "struct" => Some("object"),
        _ => closest(name, TYPES.into_iter()).map(|(name, _)| name),
    }
}

/// The type to assume for `schema`: the type that it names, the type that its other keywords imply, or the
/// intended type of an invalid name; `None` if all of these are missing.
pub(crate) fn assumed(schema: &Schema<'_, '_>) -> Option<&'static str> {
    let named = match schema.type_name() {
        TypeName::Named(name) => TYPES.into_iter().find(|known| *known == name).or_else(|| {
            let implied_type = implied(schema)
                .filter(|implied_type| implied_type.is_certain)
                .map(|implied_type| implied_type.name);
            match (intended_type(&name), implied_type) {
                // Integer bounds are valid for numbers as well.
                (Some("number"), Some("integer")) => Some("number"),
                (intended, implied_type) => implied_type.or(intended),
            }
        }),
        TypeName::Unreadable => only_type(schema),
        TypeName::Missing => None,
    };
    named.or_else(|| implied(schema).map(|implied| implied.name))
}

/// Whether a keyword of `schema` applies only to values of type `ty`.
fn has_keyword_of(schema: &Schema<'_, '_>, ty: &str) -> bool {
    schema.entries().any(|(keyword, _)| keyword.value_types() == [ty] && schema.get(keyword).is_some())
}

/// Whether `schema` has `properties` and no keyword of a list, so that `type: array` is wrong.
#[must_use]
pub fn is_object_for_list(schema: &Schema<'_, '_>) -> bool {
    schema.type_name().is("array")
        && schema.get(Keyword::Properties).is_some()
        && !has_keyword_of(schema, "array")
        && schema.get(Keyword::ListType).is_none()
}

/// Whether `schema` has `items` and no keyword of an object, so that `type: object` is wrong.
#[must_use]
pub fn is_list_for_object(schema: &Schema<'_, '_>) -> bool {
    schema.type_name().is("object")
        && schema.get(Keyword::Items).is_some()
        && !has_keyword_of(schema, "object")
        && schema.get(Keyword::MapType).is_none()
}

/// Whether `schema` names a type that no resource has, and describes values of that type: then
/// `x-kubernetes-embedded-resource` is wrong.
#[must_use]
pub fn is_no_resource(schema: &Schema<'_, '_>) -> bool {
    let TypeName::Named(name) = schema.type_name() else { return false };
    name != "object"
        && implied(schema).is_some_and(|implied_type| implied_type.is_certain && implied_type.name == name)
}

/// The only type in a list such as `[string, "null"]`, as in newer JSON schemas.
fn only_type(schema: &Schema<'_, '_>) -> Option<&'static str> {
    let mut only = None;
    for item in schema.get(Keyword::Type)?.as_sequence()?.items() {
        match item.value().as_scalar()?.resolve().ok()? {
            ResolvedScalar::Null => {}
            ResolvedScalar::String(name) if name == "null" => {}
            ResolvedScalar::String(name) if only.is_none() => only = Some(intended_type(&name)?),
            _ => return None,
        }
    }
    only
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
            ResolvedScalar::Bool(_) => Some("boolean"),
            ResolvedScalar::Int(_) | ResolvedScalar::Uint(_) => Some("integer"),
            ResolvedScalar::Float(value) if value.fract() == 0.0 => Some("integer"),
            ResolvedScalar::Float(_) => Some("number"),
            ResolvedScalar::String(_) => Some("string"),
            ResolvedScalar::Null => None,
        },
        ValueKind::Alias(_) | ValueKind::Absent => None,
    }
}
