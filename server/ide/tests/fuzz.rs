//! The fuzz targets without a fuzzer: all seeds, the inputs that fuzzers found, and random variations of the
//! seeds. `CRD_LS_CASES=10x` makes ten times as many variations, `CRD_LS_SEED` sets the start of the random
//! numbers.
#![allow(clippy::unwrap_used, clippy::print_stdout, clippy::panic, missing_docs, unreachable_pub)]

use std::path::Path;

#[path = "../../../tests/support/edits.rs"]
mod edits;
#[path = "../../../fuzz/src/lib.rs"]
mod targets;

use edits::Random;
use targets::edit_builder::Outcome;

/// `seed` with a few random edits, followed by random pieces.
fn variation(seed: &[u8], random: &mut Random) -> Vec<u8> {
    let text = seed.split(|&byte| byte == targets::SEPARATOR).next().unwrap_or_default();
    let mut text = String::from_utf8_lossy(text).into_owned();
    for _ in 0..random.below(4) {
        let edit = edits::random_edit(&text, random);
        text.replace_range(edit.range.as_usize(), &edit.new_text);
    }
    let mut data = text.into_bytes();
    for _ in 0..random.below(5) {
        let mut piece: Vec<u8> = (0..5).map(|_| random.below(256) as u8).collect();
        piece[1] = 0;
        piece.truncate(5 - random.below(2));
        targets::seeds::clean(&mut piece);
        piece.extend(edits::random_edit("", random).new_text.bytes());
        data.push(targets::SEPARATOR);
        data.extend(piece);
    }
    data
}

/// Prints the input that causes a panic.
struct Guard<'d>(&'d str, &'d [u8]);

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            println!("fuzz target {} fails for b\"{}\"", self.0, self.1.escape_ascii());
        }
    }
}

fn fuzz(target: &str, default: usize, mut run: impl FnMut(&[u8])) {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    let seeds = targets::seeds::of(target, &fixtures).unwrap();
    // There are fewer rules than files.
    let least = if target == "rule" { 90 } else { 300 };
    assert!(seeds.len() > least, "{} seeds", seeds.len());
    let count = environment::made_up(default);
    let start = environment::seed(1);
    println!("{target}: {} seeds, {count} variations, CRD_LS_SEED={start}", seeds.len());
    let mut guarded = |data: &[u8]| {
        let _guard = Guard(target, data);
        run(data);
    };
    let minimised = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/minimised");
    let found = targets::seeds::minimised(target, &minimised).unwrap();
    assert!(found.len() > 20, "{} inputs that fuzzers found", found.len());
    seeds.iter().chain(&found).for_each(|seed| guarded(seed));
    let mut random = Random(start);
    for _ in 0..count {
        let seed = &seeds[random.below(seeds.len())];
        guarded(&variation(seed, &mut random));
    }
}

#[test]
fn parse() {
    fuzz("parse", 2_000, targets::parse::run);
}

#[test]
fn edit() {
    fuzz("edit", 2_000, targets::edit::run);
}

#[test]
fn scalar() {
    fuzz("scalar", 2_000, targets::scalar::run);
}

#[test]
fn check() {
    fuzz("check", 100, targets::check::run);
}

#[test]
fn expression() {
    fuzz("expression", 2_000, targets::expression::run);
}

#[test]
fn rule() {
    fuzz("rule", 300, targets::rule::run);
}

#[test]
fn evaluate() {
    fuzz("evaluate", 2_000, targets::evaluate::run);
}

#[test]
fn edit_builder() {
    let (mut all, mut checked) = (0, 0);
    fuzz("edit_builder", 4_000, |data| {
        all += 1;
        checked += usize::from(targets::edit_builder::run(data) == Outcome::Checked);
    });
    println!("edit_builder: {checked} of {all} changes were made with the intended content");
    assert!(checked * 4 > all, "only {checked} of {all} were compared");
}
