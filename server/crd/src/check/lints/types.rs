//! Keywords and enum values that do not belong to the type.

use api::Code;
use yaml::scalar::{ResolvedScalar, ScalarStyle, resolve};
use yaml::{Item, ValueKind};

use super::super::outcome::{Builder, name};
use super::lint;
use crate::field_path::Segment;
use crate::message::ProblemClass;
use crate::reading::integer;
use crate::reading::{is_null, is_plain};
use crate::schema::{Keyword, Schema, TYPES, fits_items, is_list_for_object};

/// Checks `schema`, a node that describes stored values.
pub(super) fn check(schema: &Schema<'_, '_>, ty: Option<&str>, out: &mut Builder) {
    let interesting = Keyword::OF_SOME_TYPES | Keyword::Enum.bit();
    let Some(ty) = ty.filter(|_| schema.has_any(interesting)) else { return };
    // With this keyword, the server ignores the type.
    if schema.is_true(Keyword::IntOrString) {
        return;
    }
    if TYPES.contains(&ty) {
        for (keyword, _) in schema.entries().filter(|(keyword, _)| has_no_effect(schema, *keyword, ty)) {
            report(schema, keyword, ty, out);
        }
    }
    check_enum(schema, ty, out);
}

/// Whether `keyword` is for values of other types than `ty`.
fn has_no_effect(schema: &Schema<'_, '_>, keyword: Keyword, ty: &str) -> bool {
    !keyword.applies_to(ty)
        && match keyword {
            Keyword::Items => ty == "object",
            // controller-gen writes the fields of a struct beside the scalar type that a marker sets. A list
            // without a schema of its items is a separate error.
            Keyword::Properties | Keyword::AdditionalProperties | Keyword::Required => {
                ty == "array" && schema.get(Keyword::Items).is_some()
            }
            _ => true,
        }
}

fn report(schema: &Schema<'_, '_>, keyword: Keyword, ty: &str, out: &mut Builder) {
    let what = match keyword.value_types() {
        ["string"] => "strings",
        ["array"] => "lists",
        ["object"] => "objects",
        _ => "numbers",
    };
    let remedy = match keyword.counterpart(ty) {
        _ if fits_items(schema, keyword) => "move it to `items`".into(),
        _ if is_list_for_object(schema) => "set `type: array`, or remove it".into(),
        Some(other) if schema.get(other).is_none() => format!("use `{}`, or remove it", other.as_str()),
        _ => "remove it".into(),
    };
    let words = format!("`{}` applies to {what} and has no effect on `type: {ty}`", keyword.as_str());
    let place = out.at_or_owner(schema.key_range(keyword));
    out.push(lint(Code::LintKeywordType, place, keyword, words).advise(remedy));
}

fn check_enum(schema: &Schema<'_, '_>, ty: &str, out: &mut Builder) {
    for (index, item) in schema.items(Keyword::Enum).enumerate() {
        let Some(unmatched) = unmatched_item(item, schema, ty) else { continue };
        let mut finding =
            lint(Code::LintEnumType, out.place_of(item.range()), Keyword::Enum, unmatched.problem);
        finding.tail = vec![name(Keyword::Enum), Segment::Index(index)];
        let related = schema.get(Keyword::Type).map(|value| out.place_of(value.range()));
        let finding = finding.advise(unmatched.remedy).of_class(unmatched.class);
        out.push(finding.relate(related, "the type"));
    }
}

/// An item of `enum` that no value of the type equals.
struct UnmatchedItem {
    problem: String,
    remedy: &'static str,
    class: Option<ProblemClass>,
}

/// The description of `item`, if no value of type `ty` equals it.
fn unmatched_item(item: Item<'_>, schema: &Schema<'_, '_>, ty: &str) -> Option<UnmatchedItem> {
    let value = schema.reader().follow(item.value())?;
    if matches!(value.kind(), ValueKind::Absent) {
        let problem = "an item of `enum` is empty".to_owned();
        return Some(UnmatchedItem { problem, remedy: "write a value, or remove it", class: None });
    }
    if is_null(value) {
        // Plain scalars in the enum of strings are reported by `yaml/string-reading`.
        let reported = ty == "string" && value.as_scalar().is_some();
        let problem = "`null` in an `enum` never matches, even with `nullable: true`".to_owned();
        return (!reported).then_some(UnmatchedItem { problem, remedy: "remove it", class: None });
    }
    let found = match value.kind() {
        ValueKind::Mapping(_) => "an object",
        ValueKind::Sequence(_) => "a list",
        ValueKind::Scalar(scalar) => match scalar.resolve().ok()? {
            ResolvedScalar::Bool(_) => "a boolean",
            ResolvedScalar::String(_) => "a string",
            ref number if integer(number).is_some() => "an integer",
            ResolvedScalar::Uint(_) => "an integer",
            _ => "a number",
        },
        ValueKind::Alias(_) | ValueKind::Absent => return None,
    };
    let fits = match ty {
        "array" => found == "a list",
        "boolean" => found == "a boolean",
        "integer" => found == "an integer",
        "number" => matches!(found, "an integer" | "a number"),
        "object" => found == "an object",
        "string" => found == "a string" || value.as_scalar().is_some_and(is_plain),
        _ => true,
    };
    let remedy = match (found, ty) {
        ("a string", "integer" | "number" | "boolean") if is_quoted(value, ty) => "remove the quotes",
        _ => "write a value of that type, or remove it",
    };
    let class = match value.kind() {
        ValueKind::Mapping(_) => Some(ProblemClass::ObjectInEnum),
        ValueKind::Sequence(_) => Some(ProblemClass::ListInEnum),
        _ => None,
    };
    let problem = format!("no value of `type: {ty}` can equal {found}");
    (!fits).then_some(UnmatchedItem { problem, remedy, class })
}

/// Whether `value` is a value of type `ty` in quotes.
fn is_quoted(value: yaml::Value<'_>, ty: &str) -> bool {
    let text = value.as_scalar().filter(|scalar| !is_plain(*scalar)).map(|scalar| scalar.text());
    let read = text.and_then(|text| resolve(text, ScalarStyle::Plain, None).ok());
    read.is_some_and(|read| match (&read, ty) {
        (ResolvedScalar::Bool(_), _) => ty == "boolean",
        (ResolvedScalar::Int(_) | ResolvedScalar::Uint(_), _) => ty != "boolean",
        (ResolvedScalar::Float(number), "number") => number.is_finite(),
        _ => false,
    })
}
