//! Keywords and enum values that do not belong to the type.

use api::Code;
use yaml::scalar::{Resolved, ScalarStyle, resolve};
use yaml::{Item, ValueKind};

use super::super::outcome::{Builder, name};
use super::lint;
use crate::field_path::Segment;
use crate::reading::whole;
use crate::reading::{is_null, is_plain};
use crate::schema::{Keyword, Schema};

/// Keywords that judge only values of some types.
const KEYWORDS: [(Keyword, &[&str], &str); 10] = [
    (Keyword::Pattern, &["string"], "strings"),
    (Keyword::MinLength, &["string"], "strings"),
    (Keyword::MaxLength, &["string"], "strings"),
    (Keyword::Minimum, &["integer", "number"], "numbers"),
    (Keyword::Maximum, &["integer", "number"], "numbers"),
    (Keyword::MultipleOf, &["integer", "number"], "numbers"),
    (Keyword::MinItems, &["array"], "lists"),
    (Keyword::MaxItems, &["array"], "lists"),
    (Keyword::MinProperties, &["object"], "objects"),
    (Keyword::MaxProperties, &["object"], "objects"),
];

/// Their bits.
const INTERESTING: u64 = Keyword::Pattern.bit()
    | Keyword::MinLength.bit()
    | Keyword::MaxLength.bit()
    | Keyword::Minimum.bit()
    | Keyword::Maximum.bit()
    | Keyword::MultipleOf.bit()
    | Keyword::MinItems.bit()
    | Keyword::MaxItems.bit()
    | Keyword::MinProperties.bit()
    | Keyword::MaxProperties.bit();

/// Looks at `schema`, a node that values are stored by.
pub(super) fn check(schema: &Schema<'_, '_>, ty: Option<&str>, out: &mut Builder) {
    let Some(ty) = ty.filter(|_| schema.has_any(INTERESTING | Keyword::Enum.bit())) else { return };
    // The server ignores the type then.
    if schema.is_true(Keyword::IntOrString) {
        return;
    }
    for (keyword, types, what) in KEYWORDS {
        if schema.get(keyword).is_some() && !types.contains(&ty) && is_known(ty) {
            let place = out.at_or_owner(schema.key_range(keyword));
            let words = format!("`{}` applies to {what} and has no effect on `type: {ty}`", keyword.as_str());
            out.push(lint(Code::LintKeywordType, place, keyword, words).advise("remove it"));
        }
    }
    check_enum(schema, ty, out);
}

fn is_known(ty: &str) -> bool {
    matches!(ty, "array" | "boolean" | "integer" | "number" | "object" | "string")
}

fn check_enum(schema: &Schema<'_, '_>, ty: &str, out: &mut Builder) {
    for (index, item) in schema.items(Keyword::Enum).enumerate() {
        let Some((problem, remedy)) = problem(item, schema, ty) else { continue };
        let mut finding = lint(Code::LintEnumType, out.at(item.range()), Keyword::Enum, problem);
        finding.tail = vec![name(Keyword::Enum), Segment::Index(index)];
        let related = schema.get(Keyword::Type).map(|value| out.at(value.range()));
        out.push(finding.advise(remedy).relate(related, "the type"));
    }
}

/// Why no value of type `ty` equals `item`, and what to do.
fn problem(item: Item<'_>, schema: &Schema<'_, '_>, ty: &str) -> Option<(String, &'static str)> {
    let value = schema.reader().follow(item.value())?;
    if matches!(value.kind(), ValueKind::Absent) {
        return Some(("an item of `enum` is empty".to_owned(), "write a value, or remove it"));
    }
    if is_null(value) {
        // What is plain in the enum of a string is said where readings are told.
        let told = ty == "string" && value.as_scalar().is_some();
        let problem = "`null` in an `enum` never matches, even with `nullable: true`";
        return (!told).then(|| (problem.to_owned(), "remove it"));
    }
    let found = match value.kind() {
        ValueKind::Mapping(_) => "an object",
        ValueKind::Sequence(_) => "a list",
        ValueKind::Scalar(scalar) => match scalar.resolve().ok()? {
            Resolved::Bool(_) => "a boolean",
            Resolved::String(_) => "a string",
            ref number if whole(number).is_some() => "an integer",
            Resolved::Uint(_) => "an integer",
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
    (!fits).then(|| (format!("no value of `type: {ty}` can equal {found}"), remedy))
}

/// Whether `value` is a value of type `ty` in quotes.
fn is_quoted(value: yaml::Value<'_>, ty: &str) -> bool {
    let text = value.as_scalar().filter(|scalar| !is_plain(*scalar)).map(|scalar| scalar.text());
    let read = text.and_then(|text| resolve(text, ScalarStyle::Plain, None).ok());
    read.is_some_and(|read| match (&read, ty) {
        (Resolved::Bool(_), _) => ty == "boolean",
        (Resolved::Int(_) | Resolved::Uint(_), _) => ty != "boolean",
        (Resolved::Float(number), "number") => number.is_finite(),
        _ => false,
    })
}
