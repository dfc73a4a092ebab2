//! Go's limits of height, size and character classes.
//!
//! Go reckons them on its own tree, in which literals are joined and alternatives share their
//! beginnings. That tree is made only of a pattern that could come near a limit.

use super::ast::Outcome;
use super::error::{Error, ErrorKind};
use super::go_tree::{Exceeded, GoTree, MAX_SIZE};
use super::scan::Scanner;
use super::token::TokenKind;
use std::ops::Range;

/// Bytes of pattern below which neither 1000 levels nor 32 Mi class bounds can come about.
const HARMLESS_BYTES: usize = 400;

/// The limit that Go would find exceeded before it came to the outcome's own error or end.
pub(super) fn first_exceeded(pattern: &str, outcome: &Outcome) -> Option<Error> {
    // No byte of a pattern stands for more than 3 instructions, before it is repeated; and a
    // repetition adds at most one instruction for each of those it repeats.
    let most = (pattern.len() as u64).saturating_mul(6).saturating_mul(outcome.product.max(1));
    if pattern.len() < HARMLESS_BYTES && most < MAX_SIZE {
        return None;
    }
    let (exceeded, range) = replay(pattern, outcome.stop)?;
    let kind = match exceeded {
        Exceeded::Height => ErrorKind::NestingDepth,
        Exceeded::Size => ErrorKind::Large,
    };
    Some(Error { kind, fragment: pattern.to_owned(), range })
}

/// The first limit exceeded by the tokens that start before `stop`, and the token at which it is.
fn replay(pattern: &str, stop: usize) -> Option<(Exceeded, Range<usize>)> {
    let mut tree = GoTree::default();
    let mut scanner = Scanner::new(pattern);
    let mut last = 0..0;
    loop {
        match scanner.next() {
            Err(_) => return None,
            Ok(None) => return tree.finish(scanner.flags()).err().map(|exceeded| (exceeded, last)),
            Ok(Some(token)) if token.range.start >= stop => return None,
            Ok(Some(token)) => {
                last = token.range.clone();
                let added = match token.kind {
                    TokenKind::Close => tree.close(token.before, token.flags),
                    kind => tree.add(kind, token.before, token.flags),
                };
                if let Err(exceeded) = added {
                    return Some((exceeded, last));
                }
            }
        }
    }
}
