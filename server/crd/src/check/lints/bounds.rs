//! Bounds that no value satisfies.

use api::Code;
use yaml::Value;
use yaml::scalar::ResolvedScalar;

use super::super::outcome::Builder;
use super::lint;
use crate::schema::{Keyword, Schema};

const CODE: Code = Code::LintBounds;

/// The kinds of values that the pairs of `Keyword::BOUNDS` limit.
const BOUNDED: [&str; 4] = ["number", "text", "list", "object"];

/// Schemas without these keywords are skipped.
const INTERESTING: u64 = Keyword::Minimum.bit()
    | Keyword::Maximum.bit()
    | Keyword::MaxLength.bit()
    | Keyword::MaxItems.bit()
    | Keyword::MaxProperties.bit()
    | Keyword::MultipleOf.bit()
    | Keyword::ExclusiveMinimum.bit()
    | Keyword::ExclusiveMaximum.bit();

/// Checks the bounds of `schema`.
pub(super) fn check(schema: &Schema<'_, '_>, ty: Option<&str>, out: &mut Builder) {
    if !schema.has_any(INTERESTING) {
        return;
    }
    for ((lower, upper), what) in Keyword::BOUNDS.into_iter().zip(BOUNDED) {
        check_pair(schema, lower, upper, what, out);
    }
    check_exclusive(schema, out);
    check_without_bound(schema, out);
    check_multiple(schema, out);
    if ty == Some("integer") {
        check_integer_bounds(schema, out);
    }
}

fn check_pair(schema: &Schema<'_, '_>, lower: Keyword, upper: Keyword, what: &str, out: &mut Builder) {
    let Some((most, at)) = number(schema, upper) else { return };
    let (text, name) = (value_text(at), upper.as_str());
    if upper != Keyword::Maximum && most < 0.0 {
        let words = format!("no {what} is valid: `{name}` is {text}");
        return out.push(lint(CODE, out.place_of(at.range()), upper, words).advise("use 0 or more"));
    }
    let Some((_, low)) = number(schema, lower).filter(|(least, _)| *least > most) else { return };
    let words =
        format!("no {what} is valid: `{}` is {}, but `{name}` is {text}", lower.as_str(), value_text(low));
    let finding = lint(CODE, out.place_of(low.range()), lower, words).advise("change one of the two");
    out.push(finding.relate(Some(out.place_of(at.range())), format!("`{name}` is {text}")));
}

/// `exclusiveMinimum` or `exclusiveMaximum` with equal bounds.
fn check_exclusive(schema: &Schema<'_, '_>, out: &mut Builder) {
    let bounds = (number(schema, Keyword::Minimum), number(schema, Keyword::Maximum));
    let (Some((least, _)), Some((most, at))) = bounds else { return };
    let exclusive = [Keyword::ExclusiveMinimum, Keyword::ExclusiveMaximum];
    if let Some(keyword) = exclusive.into_iter().find(|keyword| schema.is_true(*keyword))
        && least == most
    {
        let words = format!(
            "no number is valid: `minimum` and `maximum` are both {}, and `{}` excludes it",
            value_text(at),
            keyword.as_str()
        );
        let finding = lint(CODE, out.at_or_owner(schema.key_range(keyword)), keyword, words);
        out.push(finding.advise(format!("remove `{}`, or change a bound", keyword.as_str())));
    }
}

/// `exclusiveMinimum` or `exclusiveMaximum` without a bound, which the server expects in the same schema.
fn check_without_bound(schema: &Schema<'_, '_>, out: &mut Builder) {
    for (keyword, bound) in
        [(Keyword::ExclusiveMinimum, Keyword::Minimum), (Keyword::ExclusiveMaximum, Keyword::Maximum)]
    {
        if schema.is_true(keyword) && schema.get(bound).is_none() {
            let (name, bound) = (keyword.as_str(), bound.as_str());
            let words = format!("`{name}` has no effect without `{bound}`");
            let finding = lint(CODE, out.at_or_owner(schema.key_range(keyword)), keyword, words);
            out.push(finding.advise(format!("add `{bound}`, or remove `{name}`")));
        }
    }
}

/// The server rejects every number if the factor is not positive, and every integer if it is below 1, because
/// it truncates factors to integers.
fn check_multiple(schema: &Schema<'_, '_>, out: &mut Builder) {
    let Some((factor, at)) = number(schema, Keyword::MultipleOf) else { return };
    let text = value_text(at);
    let (words, advice) = if factor <= 0.0 {
        (format!("no number is valid: `multipleOf` is {text}"), "use a positive number")
    } else if factor < 1.0 {
        (format!("no integer is valid: kube-apiserver truncates `multipleOf: {text}` to 0 for integers"), "")
    } else {
        return;
    };
    out.push(lint(CODE, out.place_of(at.range()), Keyword::MultipleOf, words).advise(advice));
}

/// Since 1.36, the server rejects every integer if a bound is not an integer.
fn check_integer_bounds(schema: &Schema<'_, '_>, out: &mut Builder) {
    for keyword in [Keyword::Minimum, Keyword::Maximum, Keyword::MultipleOf] {
        let Some((bound, at)) = number(schema, keyword).filter(|(bound, _)| bound.fract() != 0.0) else {
            continue;
        };
        // A factor below 1 is already reported.
        if keyword == Keyword::MultipleOf && bound < 1.0 {
            continue;
        }
        let words = format!(
            "`{}` is {}, so Kubernetes 1.36 and newer reject every integer",
            keyword.as_str(),
            value_text(at)
        );
        out.push(lint(CODE, out.place_of(at.range()), keyword, words).advise("use a whole number"));
    }
}

/// The number of `keyword`, and its value in the document.
pub(super) fn number<'t>(schema: &Schema<'_, 't>, keyword: Keyword) -> Option<(f64, Value<'t>)> {
    let value = schema.get(keyword)?;
    let number = match value.as_scalar()?.resolve().ok()? {
        ResolvedScalar::Int(number) => number as f64,
        ResolvedScalar::Uint(number) => number as f64,
        ResolvedScalar::Float(number) => number,
        ResolvedScalar::Null | ResolvedScalar::Bool(_) | ResolvedScalar::String(_) => return None,
    };
    Some((number, value))
}

pub(super) fn value_text(value: Value<'_>) -> String {
    value.as_scalar().map(|scalar| scalar.text().into_owned()).unwrap_or_default()
}
