//! Parsing and re-parsing, compared with yaml-rust2's event parser, which builds no tree.
#![allow(clippy::unwrap_used, missing_docs)]

use divan::Bencher;
use text::{TextEdit, TextRange};
use yaml::Tree;

#[path = "../../../tests/support/generated.rs"]
mod generated;

/// The program's allocator, for both sides.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    divan::main();
}

const LINES: [usize; 2] = [1_400, 75_000];

#[divan::bench(args = LINES)]
fn parse(bencher: Bencher<'_, '_>, lines: usize) {
    let text = generated::bundle(lines);
    bencher.bench(|| Tree::parse(&text));
}

#[divan::bench(args = LINES)]
fn yaml_rust2_events(bencher: Bencher<'_, '_>, lines: usize) {
    struct Count(usize);
    impl yaml_rust2::parser::EventReceiver for Count {
        fn on_event(&mut self, _: yaml_rust2::Event) {
            self.0 += 1;
        }
    }
    let text = generated::bundle(lines);
    bencher.bench(|| {
        let mut count = Count(0);
        yaml_rust2::parser::Parser::new(text.chars()).load(&mut count, true).unwrap();
        count.0
    });
}

/// Inserts one letter at the occurrence of `needle` nearest to the middle, with the tree before the edit available.
fn edit(bencher: Bencher<'_, '_>, lines: usize, needle: &str, new_text: &str) {
    let text = generated::bundle(lines);
    let tree = Tree::parse(&text);
    let middle = text.len() / 2;
    let at = middle + text[middle..].find(needle).unwrap() + needle.len();
    let edit = TextEdit::insert(at as u32, new_text);
    let mut after = text.clone();
    after.insert_str(at, new_text);
    let rope = text::TextBuffer::new(&after);
    let read = |range: TextRange| rope.slice(range).into_owned();
    bencher.bench(|| tree.edited(&edit, &read));
}

#[divan::bench(args = LINES)]
fn edit_value(bencher: Bencher<'_, '_>, lines: usize) {
    edit(bencher, lines, "description: The s", "x");
}

#[divan::bench(args = LINES)]
fn edit_first_letter_of_key(bencher: Bencher<'_, '_>, lines: usize) {
    edit(bencher, lines, "\n                  ", "x");
}

#[divan::bench(args = LINES)]
fn open_quote(bencher: Bencher<'_, '_>, lines: usize) {
    edit(bencher, lines, "description: ", "\"");
}

#[divan::bench(args = LINES)]
fn open_block_scalar(bencher: Bencher<'_, '_>, lines: usize) {
    edit(bencher, lines, "properties:", " |");
}

#[divan::bench(args = LINES)]
fn reindent_line(bencher: Bencher<'_, '_>, lines: usize) {
    edit(bencher, lines, "\n", " ");
}
