//! The order of values, as in cel-go.

use std::cmp::Ordering;

use super::{EvalError, Outcome, Value};

impl Value<'_> {
    /// Whether values of its type have an order.
    pub(crate) const fn is_comparable(&self) -> bool {
        matches!(
            self,
            Self::Bool(_)
                | Self::Int(_)
                | Self::Uint(_)
                | Self::Double(_)
                | Self::String(_)
                | Self::Bytes(_)
                | Self::Duration(_)
                | Self::Timestamp(_)
        )
    }

    /// The order of two values of the same type, or of two numbers.
    pub(crate) fn compare(&self, other: &Self) -> Outcome<Ordering> {
        Ok(match (self, other) {
            (Self::Bool(a), Self::Bool(b)) => a.cmp(b),
            (Self::String(a), Self::String(b)) => a.as_bytes().cmp(b.as_bytes()),
            (Self::Bytes(a), Self::Bytes(b)) => a.cmp(b),
            (Self::Duration(a), Self::Duration(b)) => a.cmp(b),
            (Self::Timestamp(a), Self::Timestamp(b)) => a.instant().cmp(&b.instant()),
            (Self::Double(a), _) if a.is_nan() => return Err(nan()),
            (Self::Int(_) | Self::Uint(_) | Self::Double(_), Self::Double(b)) if b.is_nan() => {
                return Err(nan());
            }
            _ => return compare_numbers(self, other).ok_or(EvalError::NoSuchOverload),
        })
    }
}

fn nan() -> EvalError {
    EvalError::new("NaN values cannot be ordered")
}

/// The order of two numbers of any types; `None` for other values. NaN counts as equal to every number.
pub(super) fn compare_numbers(a: &Value<'_>, b: &Value<'_>) -> Option<Ordering> {
    Some(match (a, b) {
        (Value::Int(a), Value::Int(b)) => a.cmp(b),
        (Value::Uint(a), Value::Uint(b)) => a.cmp(b),
        (Value::Double(a), Value::Double(b)) => compare_doubles(*a, *b),
        (Value::Int(a), Value::Uint(b)) => int_with_uint(*a, *b),
        (Value::Uint(a), Value::Int(b)) => int_with_uint(*b, *a).reverse(),
        (Value::Double(a), Value::Int(b)) => double_with_int(*a, *b),
        (Value::Int(a), Value::Double(b)) => double_with_int(*b, *a).reverse(),
        (Value::Double(a), Value::Uint(b)) => double_with_uint(*a, *b),
        (Value::Uint(a), Value::Double(b)) => double_with_uint(*b, *a).reverse(),
        _ => return None,
    })
}

fn compare_doubles(a: f64, b: f64) -> Ordering {
    a.partial_cmp(&b).unwrap_or(Ordering::Equal)
}

fn int_with_uint(a: i64, b: u64) -> Ordering {
    u64::try_from(a).map_or(Ordering::Less, |a| a.cmp(&b))
}

/// The int is rounded to a double, as in cel-go.
fn double_with_int(a: f64, b: i64) -> Ordering {
    if a < i64::MIN as f64 {
        Ordering::Less
    } else if a > i64::MAX as f64 {
        Ordering::Greater
    } else {
        compare_doubles(a, b as f64)
    }
}

fn double_with_uint(a: f64, b: u64) -> Ordering {
    if a < 0.0 {
        Ordering::Less
    } else if a > u64::MAX as f64 {
        Ordering::Greater
    } else {
        compare_doubles(a, b as f64)
    }
}
