//! Bounds of integers that exceed the range of their format or of numbers in JSON.

use api::Code;
use yaml::Value;

use super::super::outcome::Builder;
use super::bounds::{number, value_text};
use super::lint;
use crate::options::{OptionalLint, OptionalLints};
use crate::schema::{Keyword, Schema};

const CODE: Code = Code::LintIntegerRange;

/// 2^53: above this number, not every integer has an exact double.
const DOUBLES: f64 = 9_007_199_254_740_992.0;
/// 2^31 and 2^63: the first numbers that exceed signed 32-bit and 64-bit integers.
const HALF: f64 = 2_147_483_648.0;
const WHOLE_NUMBER: f64 = 9_223_372_036_854_775_808.0;

/// Checks the bounds of `schema`, an integer.
pub(super) fn check(schema: &Schema<'_, '_>, wanted: OptionalLints, out: &mut Builder) {
    let format = schema.string(Keyword::Format);
    let is_int32 = format.as_deref() == Some("int32");
    for keyword in [Keyword::Minimum, Keyword::Maximum] {
        let Some((bound, at)) = number(schema, keyword) else { continue };
        if is_int32 && !(-HALF..HALF).contains(&bound) {
            let words = out_of_range(keyword, at, "`format: int32`");
            let finding = lint(CODE, out.place_of(at.range()), keyword, words)
                .explain("kube-apiserver 1.36 and newer reject such numbers and Go clients cannot read them");
            out.push(finding.advise("use `format: int64` or a bound that fits"));
        } else if !is_within_64_bits(bound, at) {
            let words = out_of_range(keyword, at, "a signed 64-bit integer");
            let finding = lint(CODE, out.place_of(at.range()), keyword, words)
                .explain("kube-apiserver and Go clients cannot represent it");
            out.push(finding.advise("use a string with a pattern"));
        } else if wanted.contains(OptionalLint::Number) && bound.abs() > DOUBLES {
            let words =
                out_of_range(keyword, at, "the range that JavaScript represents exactly, ±9007199254740991");
            let advice = "use a string with a pattern or a bound that fits";
            let code = OptionalLint::Number.code();
            out.push(lint(code, out.place_of(at.range()), keyword, words).advise(advice));
        }
    }
}

/// Whether `bound` fits 64 bits. As a double, the largest 64-bit integer is also 2^63, so that its text decides.
fn is_within_64_bits(bound: f64, at: Value<'_>) -> bool {
    (-WHOLE_NUMBER..WHOLE_NUMBER).contains(&bound)
        || at.as_scalar().is_some_and(|scalar| scalar.text().parse::<i64>().is_ok())
}

fn out_of_range(keyword: Keyword, at: Value<'_>, what: &str) -> String {
    format!("`{}` is {}, which does not fit in {what}", keyword.as_str(), value_text(at))
}
