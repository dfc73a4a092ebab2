//! What the fuzzer runs, without the fuzzer: `server/ide/tests/fuzz.rs` runs the same with seeded inputs.
//!
//! An input is text, and behind it pieces that say what is done with it, with a byte 0xFF between them. That byte
//! is never part of UTF-8, so every file is an input and every mutation of one is well-formed.

pub mod check;
pub mod edit;
pub mod edit_builder;
pub mod evaluate;
pub mod expression;
mod meaning;
pub mod parse;
pub mod rule;
pub mod scalar;
pub mod seeds;

use std::borrow::Cow;

/// The byte between the pieces of an input.
pub const SEPARATOR: u8 = 0xFF;
/// More pieces than these are not looked at.
const MOST_PIECES: usize = 8;

/// The text of an input, and the other pieces.
fn pieces(data: &[u8]) -> (Cow<'_, str>, impl Iterator<Item = &[u8]>) {
    let mut pieces = data.split(|&byte| byte == SEPARATOR);
    let text = String::from_utf8_lossy(pieces.next().unwrap_or_default());
    (text, pieces.take(MOST_PIECES))
}

/// The first `N` bytes of a piece, zeros where it is shorter, and the rest as text.
fn head<const N: usize>(piece: &[u8]) -> ([usize; N], Cow<'_, str>) {
    let (numbers, rest) = piece.split_at(piece.len().min(N));
    let mut head = [0; N];
    head.iter_mut().zip(numbers).for_each(|(into, &byte)| *into = usize::from(byte));
    (head, String::from_utf8_lossy(rest))
}
