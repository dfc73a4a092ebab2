//! The fuzz targets without the fuzzer: `server/ide/tests/fuzz.rs` runs them with seeded inputs.
//!
//! An input consists of a text and pieces that specify the operations on it, separated by a byte 0xFF. This byte
//! is never part of UTF-8, so every file and every mutation of it is a well-formed input.

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
/// The maximum number of pieces; further pieces are ignored.
const MOST_PIECES: usize = 8;

/// The text of an input, and the other pieces.
fn pieces(data: &[u8]) -> (Cow<'_, str>, impl Iterator<Item = &[u8]>) {
    let mut pieces = data.split(|&byte| byte == SEPARATOR);
    let text = String::from_utf8_lossy(pieces.next().unwrap_or_default());
    (text, pieces.take(MOST_PIECES))
}

/// The first `N` bytes of a piece, padded with zeros, and the rest as text.
fn head<const N: usize>(piece: &[u8]) -> ([usize; N], Cow<'_, str>) {
    let (numbers, rest) = piece.split_at(piece.len().min(N));
    let mut head = [0; N];
    head.iter_mut().zip(numbers).for_each(|(into, &byte)| *into = usize::from(byte));
    (head, String::from_utf8_lossy(rest))
}
