//! Ranges of types, bounds and factors. Integers are compared with bounds truncated to integers, as in Go.

use super::node::{SchemaNode, Types};
use super::outcome::Outcome;
use super::{Holder, Problem, Validator};
use crate::report::ErrorType;
use crate::schema::Keyword;
use crate::value::{Kind, float};
use api::Difference;

/// A number of a resource or of a schema.
#[derive(Clone, Copy)]
enum Number {
    Int(i64),
    Float(f64),
}

/// The kind of a bound.
#[derive(Clone, Copy)]
enum Bound {
    MultipleOf,
    Maximum { exclusive: bool },
    Minimum { exclusive: bool },
}

impl Validator<'_, '_> {
    pub(super) fn number(&self, holder: &Holder<'_>, node: SchemaNode<'_>, outcome: &mut Outcome) {
        let value = match holder.value.kind {
            Kind::Int(value) => Number::Int(value),
            Kind::Float(value) => Number::Float(value),
            _ => return,
        };
        let validation = node.validation();
        let range = self.range_of(node);
        if let Some(detail) = range.refuses(value, "Checked", &self.name) {
            outcome.add(self.unnamed(holder, node, Keyword::Type, detail));
        }
        let bounds = [
            (validation.multiple_of, Bound::MultipleOf),
            (validation.minimum, Bound::Minimum { exclusive: validation.exclusive_minimum }),
            (validation.maximum, Bound::Maximum { exclusive: validation.exclusive_maximum }),
        ];
        for (limit, bound) in bounds {
            let Some(limit) = limit else { continue };
            // A bound that is not a value of the type is a separate error; values are then compared as
            // floats.
            let wrong = range.refuses(Number::Float(limit), bound.prefix(), &self.name);
            let (value, limit) = match (&wrong, value) {
                (None, Number::Int(value)) => (Number::Int(value), Number::Int(truncated(limit))),
                (_, Number::Int(value)) => (Number::Float(value as f64), Number::Float(limit)),
                (_, value) => (value, Number::Float(limit)),
            };
            if let Some(detail) = wrong {
                outcome.add(self.unnamed(holder, node, bound.keyword(), detail));
            }
            if let Some((shown, detail)) = bound.refuses(value, limit, &self.name) {
                let problem = Problem {
                    error: ErrorType::Invalid,
                    keyword: bound.keyword(),
                    bad_value: Some(shown.print()),
                    detail,
                };
                outcome.add(self.named_error(holder, node, problem));
            }
        }
        outcome.count();
        outcome.count();
    }

    fn range_of(&self, node: SchemaNode<'_>) -> TypeRange {
        let form = self.options.form;
        let format = &*node.validation().format;
        // Before 1.36, the library received neither the type nor the format.
        if !self.options.kubernetes_version.has(Difference::FormatsByType) {
            return TypeRange::Any;
        }
        match node.types(form) {
            Types::One("integer") if format == "int32" => TypeRange::Int32,
            Types::One("integer") if format == "int64" => TypeRange::Int64,
            Types::One("integer") => TypeRange::Integer,
            Types::One("number") if format == "float" => TypeRange::Float32,
            _ => TypeRange::Any,
        }
    }
}

/// The range of a type with its format.
#[derive(Clone, Copy)]
enum TypeRange {
    Integer,
    Int32,
    Int64,
    Float32,
    Any,
}

impl TypeRange {
    /// The server's text, if `value` is out of range.
    fn refuses(self, value: Number, prefix: &str, name: &str) -> Option<String> {
        let whole = match value {
            Number::Int(value) => Some(value),
            // Go prints the number without an exponent and reads that as an integer.
            Number::Float(value) => format!("{value}").parse().ok(),
        };
        let (fits, what) = match self {
            Self::Any => return None,
            Self::Integer => (whole.is_some(), "integer (default format)"),
            Self::Int64 => (whole.is_some(), "integer with format int64"),
            Self::Int32 => {
                (whole.is_some_and(|whole| i32::try_from(whole).is_ok()), "integer with format int32")
            }
            Self::Float32 => ((value.as_float() as f32).is_finite(), "number with format float"),
        };
        (!fits).then(|| format!("{prefix} value must be of type {what} in {name}"))
    }
}

impl Number {
    fn as_float(self) -> f64 {
        match self {
            Self::Int(value) => value as f64,
            Self::Float(value) => value,
        }
    }

    fn print(self) -> String {
        match self {
            Self::Int(value) => value.to_string(),
            Self::Float(value) => float(value),
        }
    }
}

impl Bound {
    fn prefix(self) -> &'static str {
        match self {
            Self::MultipleOf => "MultipleOf",
            Self::Maximum { .. } => "Maximum boundary",
            Self::Minimum { .. } => "Minimum boundary",
        }
    }

    fn keyword(self) -> Keyword {
        match self {
            Self::MultipleOf => Keyword::MultipleOf,
            Self::Maximum { .. } => Keyword::Maximum,
            Self::Minimum { .. } => Keyword::Minimum,
        }
    }

    /// The number in the server's error, and the error's text, if `value` violates the bound. Both numbers
    /// have the same representation.
    fn refuses(self, value: Number, limit: Number, name: &str) -> Option<(Number, String)> {
        use std::cmp::Ordering::{Equal, Greater, Less};
        let order = match (value, limit) {
            (Number::Int(value), Number::Int(limit)) => value.cmp(&limit),
            _ => value.as_float().partial_cmp(&limit.as_float()).unwrap_or(Equal),
        };
        let printed = limit.print();
        let (fits, words) = match self {
            Self::MultipleOf if limit.as_float() <= 0.0 => {
                let detail = format!("factor MultipleOf declared for {name} must be positive: {printed}");
                return Some((limit, detail));
            }
            Self::MultipleOf => (is_multiple(value, limit), "a multiple of"),
            Self::Maximum { exclusive: false } => (order != Greater, "less than or equal to"),
            Self::Maximum { exclusive: true } => (order == Less, "less than"),
            Self::Minimum { exclusive: false } => (order != Less, "greater than or equal to"),
            Self::Minimum { exclusive: true } => (order == Greater, "greater than"),
        };
        (!fits).then(|| (value, format!("{name} in body should be {words} {printed}")))
    }
}

fn is_multiple(value: Number, factor: Number) -> bool {
    match (value, factor) {
        (Number::Int(value), Number::Int(factor)) => value.checked_rem(factor) == Some(0),
        _ => {
            let (value, factor) = (value.as_float(), factor.as_float());
            is_json_integer(if factor < 1.0 { 1.0 / factor * value } else { value / factor })
        }
    }
}

/// Whether a float equals an integer that JSON represents exactly, up to a relative error of 1e-9.
pub(super) fn is_json_integer(value: f64) -> bool {
    const MOST: f64 = 9_007_199_254_740_991.0;
    if !(-MOST..=MOST).contains(&value) {
        return false;
    }
    let rounded = value.round();
    value == rounded || rounded != 0.0 && (value - rounded).abs() < 1e-9 * rounded.abs()
}

/// A float truncated to an integer as the server's processors do it: a value out of range becomes the
/// minimum.
pub(super) fn truncated(value: f64) -> i64 {
    const BEYOND: f64 = 9_223_372_036_854_775_808.0;
    if (-BEYOND..BEYOND).contains(&value) { value as i64 } else { i64::MIN }
}
