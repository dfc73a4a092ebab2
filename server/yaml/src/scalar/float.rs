//! The shortest decimal form of a float that reads back as the same float, as Go's strconv prints it.

/// The shortest decimal of a finite float.
pub(super) struct Shortest {
    negative: bool,
    /// At least one digit; the decimal point is after the first.
    digits: String,
    exponent: i32,
}

impl Shortest {
    pub(super) fn of_f64(value: f64) -> Self {
        let shortest = format!("{value:e}");
        let nearest = format!("{value:.0$e}", digits_after_point(&shortest));
        let same = nearest.parse() == Ok(value);
        Self::read(if same { &nearest } else { &shortest })
    }

    pub(super) fn of_f32(value: f32) -> Self {
        let shortest = format!("{value:e}");
        let nearest = format!("{value:.0$e}", digits_after_point(&shortest));
        let same = nearest.parse() == Ok(value);
        Self::read(if same { &nearest } else { &shortest })
    }

    fn read(text: &str) -> Self {
        let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
        Self {
            negative: mantissa.starts_with('-'),
            digits: mantissa.chars().filter(char::is_ascii_digit).collect(),
            exponent: exponent.parse().unwrap_or(0),
        }
    }

    /// The power of ten of the first digit.
    pub(super) fn exponent(&self) -> i32 {
        self.exponent
    }

    /// `123.45`
    pub(super) fn decimal(&self) -> String {
        let mut text = String::from(if self.negative { "-" } else { "" });
        let whole = usize::try_from(self.exponent + 1).unwrap_or(0);
        match self.digits.split_at_checked(whole) {
            Some(("", fraction)) => {
                let zeros = usize::try_from(-1 - self.exponent).unwrap_or(0);
                text.push_str("0.");
                text.extend(std::iter::repeat_n('0', zeros));
                text.push_str(fraction);
            }
            Some((whole, "")) => text.push_str(whole),
            Some((whole, fraction)) => {
                text.push_str(whole);
                text.push('.');
                text.push_str(fraction);
            }
            None => {
                text.push_str(&self.digits);
                text.extend(std::iter::repeat_n('0', whole - self.digits.len()));
            }
        }
        text
    }

    /// `1.2345e+02`: always a sign, at least `width` digits of exponent.
    pub(super) fn exponential(&self, width: usize) -> String {
        let sign = if self.negative { "-" } else { "" };
        let exponent_sign = if self.exponent < 0 { '-' } else { '+' };
        let (first, others) = self.digits.split_at_checked(1).unwrap_or((&self.digits, ""));
        let point = if others.is_empty() { "" } else { "." };
        format!("{sign}{first}{point}{others}e{exponent_sign}{:0>width$}", self.exponent.unsigned_abs())
    }
}

/// Of two decimals that are equally short and equally near, Go uses the even one and Rust's `{:e}` the
/// greater one; with a fixed number of digits, Rust uses the even one too.
fn digits_after_point(exponential: &str) -> usize {
    let mantissa = exponential.split_once('e').map_or(exponential, |(mantissa, _)| mantissa);
    mantissa.split_once('.').map_or(0, |(_, fraction)| fraction.len())
}
