//! `resource.Quantity`: amounts with the precision, the rounding and the formats of the API server.

use std::cmp::Ordering;
use std::fmt;

use num_bigint::{BigInt, Sign};

use super::quantity_text;

/// The maximum difference of scales when two amounts are added. The API server would fill its memory with digits.
const MAX_SCALE_DIFFERENCE: u32 = 100_000;

/// An amount such as `1500m` or `2Gi`.
#[derive(Clone, Debug)]
pub struct Quantity {
    pub(super) amount: Amount,
    pub(super) form: QuantityFormat,
    /// The source text, if it is the canonical form.
    pub(super) text: Option<String>,
    /// Whether it is the result of `add` or `sub`.
    pub(crate) is_computed: bool,
}

/// The format of a quantity.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum QuantityFormat {
    /// `1e3`
    Exponent,
    /// `1Ki`
    Binary,
    /// `1k`
    Decimal,
}

/// An exact number.
#[derive(Clone, Debug)]
pub(super) enum Amount {
    /// `value × 10^scale`
    Small { value: i64, scale: i32 },
    /// `unscaled × 10^-scale`. The API server never converts it to an int, however small it is.
    Large { unscaled: BigInt, scale: i32 },
}

impl Quantity {
    pub(crate) const fn of_int(value: i64) -> Self {
        let amount = Amount::Small { value, scale: 0 };
        Self { amount, form: QuantityFormat::Exponent, text: None, is_computed: false }
    }

    /// -1, 0 or 1
    pub(crate) fn sign(&self) -> i64 {
        match &self.amount {
            Amount::Small { value, .. } => value.signum(),
            Amount::Large { unscaled, .. } => match unscaled.sign() {
                Sign::Minus => -1,
                Sign::NoSign => 0,
                Sign::Plus => 1,
            },
        }
    }

    /// The amount as an int, if it is an integer that the API server stores as one.
    pub(crate) fn as_int(&self) -> Option<i64> {
        match self.amount {
            Amount::Small { value, scale: 0 } => Some(value),
            Amount::Small { scale: ..0, .. } | Amount::Large { .. } => None,
            Amount::Small { value, scale } => scaled_up(value, scale),
        }
    }

    pub(crate) fn as_float(&self) -> f64 {
        let (base, exponent) = match &self.amount {
            Amount::Small { value, scale } => (*value as f64, *scale),
            Amount::Large { unscaled, scale } => {
                (unscaled.to_string().parse().unwrap_or(f64::NAN), scale.wrapping_neg())
            }
        };
        if exponent == 0 { base } else { base * pow10(exponent) }
    }

    pub(crate) fn compare(&self, other: &Self) -> Ordering {
        let (a, a_scale) = self.amount.decimal();
        let (b, b_scale) = other.amount.decimal();
        let signs = self.sign().cmp(&other.sign());
        if signs != Ordering::Equal || self.sign() == 0 {
            return signs;
        }
        // The position of the first digit decides, unless both are equal.
        let place = |digits: &BigInt, scale: i64| digits.magnitude().to_string().len() as i64 - scale;
        let places = place(&a, a_scale).cmp(&place(&b, b_scale));
        if places != Ordering::Equal {
            return if self.sign() < 0 { places.reverse() } else { places };
        }
        let scale = a_scale.max(b_scale);
        rescaled(&a, scale - a_scale).cmp(&rescaled(&b, scale - b_scale))
    }

    /// `self + other`; `None` if the result would have too many digits.
    pub(crate) fn plus(&self, other: &Self) -> Option<Self> {
        let (a, b) = (&self.amount, &other.amount);
        let form = if self.sign() == 0 { other.form } else { self.form };
        let amount = match (a, b) {
            (Amount::Small { value: a, scale: a_scale }, Amount::Small { value: b, scale: b_scale }) => {
                add_small((*a, *a_scale), (*b, *b_scale))
            }
            _ => None,
        };
        let amount = match amount {
            Some((value, scale)) => Amount::Small { value, scale },
            None => {
                let ((a, a_scale), (b, b_scale)) = (a.decimal(), b.decimal());
                if a_scale.abs_diff(b_scale) > u64::from(MAX_SCALE_DIFFERENCE) {
                    return None;
                }
                let scale = a_scale.max(b_scale);
                let unscaled = rescaled(&a, scale - a_scale) + rescaled(&b, scale - b_scale);
                Amount::Large { unscaled, scale: i32::try_from(scale).ok()? }
            }
        };
        Some(Self { amount, form, text: None, is_computed: true })
    }

    /// `self - other`; `None` if the result would have too many digits.
    pub(crate) fn minus(&self, other: &Self) -> Option<Self> {
        let amount = match &other.amount {
            Amount::Small { value, scale } => Amount::Small { value: value.wrapping_neg(), scale: *scale },
            Amount::Large { unscaled, scale } => Amount::Large { unscaled: -unscaled, scale: *scale },
        };
        self.plus(&Self { amount, form: other.form, text: None, is_computed: false })
    }
}

impl Amount {
    /// The digits, and how many of them are after the decimal point.
    pub(super) fn decimal(&self) -> (BigInt, i64) {
        match self {
            Self::Small { value, scale } => (BigInt::from(*value), -i64::from(*scale)),
            Self::Large { unscaled, scale } => (unscaled.clone(), i64::from(*scale)),
        }
    }
}

impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.text {
            Some(text) => f.write_str(text),
            None => f.write_str(&quantity_text::canonical(self)),
        }
    }
}

/// `digits × 10^by`
pub(super) fn rescaled(digits: &BigInt, by: i64) -> BigInt {
    // Callers rescale to the finer of two scales.
    u32::try_from(by).map_or_else(|_| digits.clone(), |by| digits * BigInt::from(10).pow(by))
}

/// `value × 10^scale`, if it is a 64-bit integer.
pub(super) fn scaled_up(value: i64, scale: i32) -> Option<i64> {
    if value == 0 {
        return Some(0);
    }
    10i64.checked_pow(u32::try_from(scale).ok()?)?.checked_mul(value).filter(|result| *result != i64::MIN)
}

fn add_small((a, a_scale): (i64, i32), (b, b_scale): (i64, i32)) -> Option<(i64, i32)> {
    if b == 0 {
        return Some((a, a_scale));
    }
    if a == 0 {
        return Some((b, b_scale));
    }
    let scale = a_scale.min(b_scale);
    let a = scaled_up(a, a_scale.checked_sub(scale)?)?;
    let b = scaled_up(b, b_scale.checked_sub(scale)?)?;
    Some((a.checked_add(b)?, scale))
}

/// `math.Pow10`
fn pow10(exponent: i32) -> f64 {
    match exponent {
        ..-323 => 0.0,
        309.. => f64::INFINITY,
        _ => format!("1e{exponent}").parse().unwrap_or(f64::NAN),
    }
}
