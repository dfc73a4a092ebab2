//! Go's limits of height, size and character classes.
//!
//! Go computes them on its own tree, in which literals are joined and alternatives share their prefixes. That
//! tree is built only for patterns that could come near a limit.

use super::ast::Outcome;
use super::error::{Error, ErrorKind};
use super::go_tree::{GoTree, LimitExceeded, MAX_SIZE};
use super::scan::Scanner;
use super::token::TokenKind;
use std::ops::Range;

/// The length of patterns, in bytes, below which neither 1000 levels nor 32 Mi class bounds are possible.
const HARMLESS_BYTES: usize = 400;

/// The limit that Go would find exceeded before it reached the error of `outcome` or the end.
pub(super) fn first_exceeded(pattern: &str, outcome: &Outcome) -> Option<Error> {
    // Each byte of a pattern produces at most 3 instructions before repetition, and a repetition adds at most
    // one instruction for each repeated instruction.
    let most = (pattern.len() as u64).saturating_mul(6).saturating_mul(outcome.product.max(1));
    if pattern.len() < HARMLESS_BYTES && most < MAX_SIZE {
        return None;
    }
    let (exceeded, range) = replay(pattern, outcome.stop)?;
    let kind = match exceeded {
        LimitExceeded::Height => ErrorKind::NestingDepth,
        LimitExceeded::Size => ErrorKind::Large,
    };
    Some(Error { kind, fragment: pattern.to_owned(), range })
}

/// The first limit that the tokens before `stop` exceed, and the token that exceeds it.
fn replay(pattern: &str, stop: usize) -> Option<(LimitExceeded, Range<usize>)> {
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
