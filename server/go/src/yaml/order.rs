//! The order of keys: by words and numbers, as a person would sort them.

use std::cmp::Ordering;

/// Compares two keys rune by rune; digits count as the numbers that they form, and letters come after all else.
pub(super) fn compare(a: &str, b: &str) -> Ordering {
    let first: Vec<char> = a.chars().collect();
    let second: Vec<char> = b.chars().collect();
    let Some(at) = first.iter().zip(&second).position(|(a, b)| a != b) else {
        return first.len().cmp(&second.len());
    };
    let (Some(&x), Some(&y)) = (first.get(at), second.get(at)) else { return Ordering::Equal };
    match (x.is_alphabetic(), y.is_alphabetic()) {
        (true, true) => return x.cmp(&y),
        (true, false) => return Ordering::Greater,
        (false, true) => return Ordering::Less,
        (false, false) => {}
    }
    // Behind other digits zeros count.
    let leading = if x == '0' || y == '0' {
        let before = first.get(..at).unwrap_or(&[][..]);
        let digits = before.iter().rev().take_while(|ch| is_digit(**ch));
        u64::from(digits.into_iter().any(|ch| *ch != '0'))
    } else {
        0
    };
    let (number_a, len_a) = number(&first, at, leading);
    let (number_b, len_b) = number(&second, at, leading);
    number_a.cmp(&number_b).then(len_a.cmp(&len_b)).then(x.cmp(&y))
}

fn number(chars: &[char], at: usize, leading: u64) -> (u64, usize) {
    let digits = chars.get(at..).unwrap_or(&[][..]);
    let mut value = leading;
    let mut len = 0;
    for ch in digits.iter().take_while(|ch| is_digit(**ch)) {
        value = value.wrapping_mul(10).wrapping_add(u64::from(*ch as u32).wrapping_sub(48));
        len += 1;
    }
    (value, len)
}

fn is_digit(ch: char) -> bool {
    ch.is_ascii_digit()
}
