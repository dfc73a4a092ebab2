//! Parses and formats quantities like `resource.ParseQuantity` and `Quantity.String`.

use num_bigint::{BigInt, Sign};

use super::quantity::{Amount, Quantity, QuantityFormat, rescaled, scaled_up};
use super::{EvalError, Outcome};

const FORMAT_WRONG: &str =
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
/// The number of digits that are kept after the decimal point.
const NANO_DIGITS: i32 = 9;
/// The number of digits that always fit a 64-bit integer.
const SMALL_DIGITS: i32 = 18;
/// Greater exponents only increase the number of digits that the API server writes into its memory.
const MAX_RESCALE: i64 = 1_000;

struct QuantityParts<'t> {
    positive: bool,
    whole: &'t str,
    fraction: &'t str,
    suffix: &'t str,
}

impl Quantity {
    /// `1500m`
    pub(crate) fn parse(text: &str) -> Outcome<Self> {
        if text == "0" {
            let amount = Amount::Small { value: 0, scale: 0 };
            return Ok(Self {
                amount,
                form: QuantityFormat::Decimal,
                text: Some("0".to_owned()),
                is_computed: false,
            });
        }
        let parts = split(text).ok_or_else(|| EvalError::new(FORMAT_WRONG))?;
        let (exponent, form) =
            suffix(parts.suffix).ok_or_else(|| EvalError::new("unable to parse quantity's suffix"))?;
        if let Some(small) = small(text, &parts, exponent, form) {
            return Ok(small);
        }
        large(&parts, exponent, form)
    }
}

fn split(text: &str) -> Option<QuantityParts<'_>> {
    if text.is_empty() {
        return None;
    }
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let digits = unsigned.trim_start_matches('0');
    let (whole, rest) = at_digits(digits);
    let whole = if whole.is_empty() { "0" } else { whole };
    let (fraction, rest) = rest.strip_prefix('.').map_or(("", rest), at_digits);
    let letters = rest.trim_start_matches(|c| "eEinumkKMGTP".contains(c));
    let (_, following) = at_digits(letters.strip_prefix(['-', '+']).unwrap_or(letters));
    following.is_empty().then_some(QuantityParts {
        positive: !text.starts_with('-'),
        whole,
        fraction,
        suffix: rest,
    })
}

fn at_digits(text: &str) -> (&str, &str) {
    let len = text.bytes().take_while(u8::is_ascii_digit).count();
    text.split_at_checked(len).unwrap_or((text, ""))
}

fn suffix(text: &str) -> Option<(i32, QuantityFormat)> {
    Some(match text {
        "" => (0, QuantityFormat::Decimal),
        "n" => (-9, QuantityFormat::Decimal),
        "u" => (-6, QuantityFormat::Decimal),
        "m" => (-3, QuantityFormat::Decimal),
        "k" => (3, QuantityFormat::Decimal),
        "M" => (6, QuantityFormat::Decimal),
        "G" => (9, QuantityFormat::Decimal),
        "T" => (12, QuantityFormat::Decimal),
        "P" => (15, QuantityFormat::Decimal),
        "E" => (18, QuantityFormat::Decimal),
        "Ki" => (10, QuantityFormat::Binary),
        "Mi" => (20, QuantityFormat::Binary),
        "Gi" => (30, QuantityFormat::Binary),
        "Ti" => (40, QuantityFormat::Binary),
        "Pi" => (50, QuantityFormat::Binary),
        "Ei" => (60, QuantityFormat::Binary),
        _ => {
            let exponent: i64 = text.strip_prefix(['e', 'E'])?.parse().ok()?;
            (exponent as i32, QuantityFormat::Exponent)
        }
    })
}

/// The quantity as a 64-bit integer and a scale, if it certainly fits.
fn small(text: &str, parts: &QuantityParts<'_>, exponent: i32, form: QuantityFormat) -> Option<Quantity> {
    let (whole, fraction) = (parts.whole.len() as i32, parts.fraction.len() as i32);
    let (scale, factor, precision) = match form {
        QuantityFormat::Binary if parts.fraction.is_empty() => {
            (0, 1i64 << exponent, 15 - whole - (exponent as f32 * 3.0 / 10.0) as i32 - 1)
        }
        QuantityFormat::Binary => return None,
        _ => (exponent, 1, SMALL_DIGITS - whole - fraction),
    };
    let scale = scale.wrapping_sub(fraction);
    if precision < 0 || scale < -NANO_DIGITS {
        return None;
    }
    let digits = format!("{}{}", parts.whole, parts.fraction);
    let value: i64 = digits.parse().ok()?;
    let amount = value.checked_mul(factor)?;
    let is_canonical = match form {
        QuantityFormat::Binary => exponent % 10 == 0 && value & 7 != 0,
        _ => scale % 3 == 0 && !digits.ends_with("000") && !digits.starts_with('0'),
    };
    let amount = Amount::Small { value: if parts.positive { amount } else { -amount }, scale };
    Some(Quantity { amount, form, text: is_canonical.then(|| text.to_owned()), is_computed: false })
}

fn large(parts: &QuantityParts<'_>, exponent: i32, form: QuantityFormat) -> Outcome<Quantity> {
    let digits = format!("{}{}", parts.whole, parts.fraction);
    let numeric = || EvalError::new("unable to parse numeric part of quantity");
    let mut unscaled: BigInt = digits.parse().map_err(|_| numeric())?;
    let mut scale = parts.fraction.len() as i64;
    match form {
        QuantityFormat::Binary => unscaled <<= exponent,
        _ => scale -= i64::from(exponent),
    }
    if unscaled.sign() != Sign::NoSign {
        (unscaled, scale) = rounded_up(unscaled, scale);
    }
    let mut form = form;
    if form == QuantityFormat::Binary {
        let one = rescaled(&BigInt::from(1), scale);
        let most = rescaled(&BigInt::from(i64::MAX), scale);
        if unscaled > most {
            (unscaled, scale) = (BigInt::from(i64::MAX), 0);
        } else if unscaled < one && unscaled.sign() == Sign::Plus {
            form = QuantityFormat::Decimal;
        }
    }
    let unscaled = if parts.positive { unscaled } else { -unscaled };
    let scale = i32::try_from(scale).map_err(|_| EvalError::CostLimit)?;
    Ok(Quantity { amount: Amount::Large { unscaled, scale }, form, text: None, is_computed: false })
}

/// Rounds a positive number up to nine digits after the decimal point, and writes exactly as many.
fn rounded_up(unscaled: BigInt, scale: i64) -> (BigInt, i64) {
    let nano = i64::from(NANO_DIGITS);
    let by = nano - scale;
    if by >= 0 {
        return if by <= MAX_RESCALE { (rescaled(&unscaled, by), nano) } else { (unscaled, scale) };
    }
    // If all digits are cut off, the smallest amount remains.
    if -by > unscaled.to_string().len() as i64 {
        return (BigInt::from(1), nano);
    }
    (divided_up(&unscaled, -by), nano)
}

/// `number / 10^by`, away from zero.
fn divided_up(number: &BigInt, by: i64) -> BigInt {
    let divisor = rescaled(&BigInt::from(1), by);
    let (quotient, rest) = (number / &divisor, number % &divisor);
    match rest.sign() {
        Sign::Minus => quotient - 1,
        Sign::NoSign => quotient,
        Sign::Plus => quotient + 1,
    }
}

/// The canonical form.
pub(super) fn canonical(quantity: &Quantity) -> String {
    if quantity.sign() == 0 {
        return "0".to_owned();
    }
    if quantity.form == QuantityFormat::Binary
        && let Some(text) = canonical_binary(quantity)
    {
        return text;
    }
    let (digits, scale) = quantity.amount.decimal();
    let (mut digits, times) = without_factors(digits, 10);
    let mut exponent = times - scale;
    let over = exponent.rem_euclid(3);
    digits = rescaled(&digits, over);
    exponent -= over;
    // Amounts that binary formats cannot represent exactly are printed with decimal suffixes.
    let form = if quantity.form == QuantityFormat::Binary { QuantityFormat::Decimal } else { quantity.form };
    let suffix = match (form, exponent) {
        (_, 0) => String::new(),
        (QuantityFormat::Exponent, exponent) => format!("e{exponent}"),
        (_, exponent) => decimal_suffix(exponent).to_owned(),
    };
    format!("{digits}{suffix}")
}

fn decimal_suffix(exponent: i64) -> &'static str {
    match exponent {
        -9 => "n",
        -6 => "u",
        -3 => "m",
        3 => "k",
        6 => "M",
        9 => "G",
        12 => "T",
        15 => "P",
        18 => "E",
        _ => "",
    }
}

fn canonical_binary(quantity: &Quantity) -> Option<String> {
    let limit = Quantity::of_int(1024);
    let low = Quantity::of_int(-1024);
    if quantity.compare(&low).is_gt() && quantity.compare(&limit).is_lt() {
        return None;
    }
    let (digits, scale) = quantity.amount.decimal();
    let whole = match scale {
        1.. => {
            let whole = divided_up(&digits, scale);
            (rescaled(&whole, scale) == digits).then_some(whole)?
        }
        _ => match (&quantity.amount, i32::try_from(-scale)) {
            (Amount::Small { value, .. }, Ok(up)) => {
                scaled_up(*value, up).map_or_else(|| rescaled(&digits, -scale), BigInt::from)
            }
            _ => rescaled(&digits, -scale),
        },
    };
    let (digits, times) = without_factors(whole, 1024);
    let suffix = match times {
        0 => "",
        1 => "Ki",
        2 => "Mi",
        3 => "Gi",
        4 => "Ti",
        5 => "Pi",
        6 => "Ei",
        _ => "",
    };
    Some(format!("{digits}{suffix}"))
}

/// The number without factors of `factor`, and the number of those factors.
fn without_factors(mut number: BigInt, factor: u32) -> (BigInt, i64) {
    let zero = BigInt::from(0);
    let mut times = 0;
    while number.sign() != Sign::NoSign && &number % factor == zero {
        number /= factor;
        times += 1;
    }
    (number, times)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn quantities_are_written_in_their_canonical_form() {
        let cases = [
            ("1500m", "1500m"),
            ("1000", "1k"),
            ("1.5", "1500m"),
            ("1024Ki", "1Mi"),
            ("1.5Gi", "1536Mi"),
            ("0.5", "500m"),
            ("1e3", "1e3"),
            ("12345e2", "1234500"),
            ("-1.0", "-1"),
            ("0.0000000001", "1n"),
            ("+5", "+5"),
        ];
        for (text, canonical) in cases {
            let quantity = Quantity::parse(text).unwrap();
            assert_eq!(quantity.to_string(), canonical, "{text}");
        }
    }

    #[test]
    fn huge_exponents_are_compared_without_writing_out_their_digits() {
        let huge = Quantity::parse("1e2000000000").unwrap();
        let large = Quantity::parse("9e1999999999").unwrap();
        assert!(huge.compare(&large).is_gt());
        assert!(Quantity::of_int(1).compare(&huge).is_lt());
    }
}
