//! The cost of a keystroke: from the edit to the findings, in one CRD and in a bundle of many.
#![allow(clippy::unwrap_used, missing_docs)]

use divan::Bencher;
use ide::{File, Settings, StoredObjects, Surroundings};
use text::{TextBuffer, TextEdit, TextRange};

#[path = "../../../tests/support/generated.rs"]
mod generated;

fn main() {
    divan::main();
}

const LINES: [usize; 2] = [1_400, 75_000];

fn source(lines: usize) -> String {
    if lines == 1_400 { generated::single() } else { generated::bundle(lines) }
}

/// Opening: from the text to the findings.
#[divan::bench(args = LINES)]
fn open(bencher: Bencher<'_, '_>, lines: usize) {
    let text = source(lines);
    let settings = Settings::default();
    bencher.bench(|| File::new(&text, &settings));
}

/// Opening with the version in HEAD, which was read before.
#[divan::bench(args = LINES)]
fn open_compared(bencher: Bencher<'_, '_>, lines: usize) {
    let text = source(lines);
    let settings = Settings::default();
    let surroundings = compared(&text);
    bencher.bench(|| File::with_surroundings(&text, &settings, surroundings.clone()));
}

/// Surroundings with a version in HEAD.
fn compared(text: &str) -> Surroundings {
    Surroundings { stored: Some(StoredObjects::at_revision(text, "HEAD")), ..Surroundings::default() }
}

/// Typing: inserts `typed` after the `needle` nearest to the middle and deletes it again, with the findings
/// of each step.
fn type_and_delete(bencher: Bencher<'_, '_>, lines: usize, needle: &str, typed: &str) {
    let text = source(lines);
    type_and_delete_in(bencher, &File::new(&text, &Settings::default()), &text, (needle, typed));
}

/// The same for a given file.
fn type_and_delete_in(bencher: Bencher<'_, '_>, file: &File, text: &str, (needle, typed): (&str, &str)) {
    let middle = text.len() / 2;
    let at = (middle + text[middle..].find(needle).unwrap() + needle.len()) as u32;
    let insert = TextEdit::insert(at, typed);
    let delete = TextEdit::delete(TextRange::at(at, typed.len() as u32));
    let before = TextBuffer::new(text);
    let mut after = before.clone();
    after.apply(&insert).unwrap();
    let mut broken = file.clone();
    bencher.bench_local(|| {
        broken = file.edited(&insert, &|range| after.slice(range).into_owned());
        let whole = broken.edited(&delete, &|range| before.slice(range).into_owned());
        (broken.findings().len(), whole.findings().len())
    });
}

#[divan::bench(args = LINES)]
fn letter_in_a_description(bencher: Bencher<'_, '_>, lines: usize) {
    type_and_delete(bencher, lines, "description: The s", "x");
}

#[divan::bench(args = LINES)]
fn letter_in_a_description_compared(bencher: Bencher<'_, '_>, lines: usize) {
    let text = source(lines);
    let file = File::with_surroundings(&text, &Settings::default(), compared(&text));
    type_and_delete_in(bencher, &file, &text, ("description: The s", "x"));
}

#[divan::bench(args = LINES)]
fn letter_in_a_type(bencher: Bencher<'_, '_>, lines: usize) {
    type_and_delete(bencher, lines, "type: str", "x");
}

#[divan::bench(args = LINES)]
fn open_quote(bencher: Bencher<'_, '_>, lines: usize) {
    type_and_delete(bencher, lines, "description: ", "\"");
}

#[divan::bench(args = LINES)]
fn new_line_with_half_a_key(bencher: Bencher<'_, '_>, lines: usize) {
    type_and_delete(bencher, lines, "type: object\n", "              prop\n");
}
