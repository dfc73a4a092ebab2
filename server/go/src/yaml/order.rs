//! The order of keys: words and numbers in natural order.

use std::cmp::Ordering;

/// Compares two keys rune by rune. Digits are compared as the numbers that they form, and letters come last.
pub(super) fn compare(a: &str, b: &str) -> Ordering {
    let same = a.chars().zip(b.chars()).take_while(|(a, b)| a == b);
    let at = same.map(|(ch, _)| ch.len_utf8()).sum();
    let (same, a) = a.split_at_checked(at).unwrap_or_default();
    let b = b.get(at..).unwrap_or_default();
    let (Some(x), Some(y)) = (a.chars().next(), b.chars().next()) else { return a.len().cmp(&b.len()) };
    match (x.is_alphabetic(), y.is_alphabetic()) {
        (true, true) => return x.cmp(&y),
        (true, false) => return Ordering::Greater,
        (false, true) => return Ordering::Less,
        (false, false) => {}
    }
    // Zeros count after other digits.
    let mut digits = same.bytes().rev().take_while(u8::is_ascii_digit);
    let leading = u64::from((x == '0' || y == '0') && digits.any(|digit| digit != b'0'));
    let (number_a, len_a) = number(a, leading);
    let (number_b, len_b) = number(b, leading);
    number_a.cmp(&number_b).then(len_a.cmp(&len_b)).then(x.cmp(&y))
}

/// The number at the start of a text, with `leading` before it, and the number of its digits.
fn number(text: &str, leading: u64) -> (u64, usize) {
    let digits = text.bytes().take_while(u8::is_ascii_digit);
    digits.fold((leading, 0), |(value, len), digit| {
        (value.wrapping_mul(10).wrapping_add(u64::from(digit - b'0')), len + 1)
    })
}
