//! Files in the states that occur while somebody types them, and with a missing character: the tree covers
//! the whole text, and a break costs one entry. `CRD_LS_CASES=all` tries every prefix and a million
//! deletions; otherwise a sample.
#![allow(clippy::unwrap_used, clippy::print_stdout, clippy::panic, missing_docs)]

mod support;

#[allow(dead_code)]
#[path = "../../../tests/support/edits.rs"]
mod edits;
#[path = "support/loss.rs"]
mod loss;

use std::path::PathBuf;

use edits::{Random, boundary};
use loss::{Break, CorrectText, Losses};
use text::{TextEdit, TextRange};
use yaml::Tree;

/// Longer files are skipped: nobody types them from the start.
const MOST_LINES: usize = 2_000;

/// The files, with their names: those of the corpus, or our own fixtures.
fn files() -> Vec<(PathBuf, String)> {
    let mut files = support::files("takes the fixtures");
    files.retain(|(_, text)| text.lines().count() < MOST_LINES);
    files
}

fn remove(range: TextRange) -> TextEdit {
    TextEdit::replace(range, "")
}

/// Types `text` character by character and calls `visit` with each prefix's length and tree.
fn type_out(text: &str, mut visit: impl FnMut(usize, &Tree)) {
    let mut tree = Tree::parse("");
    visit(0, &tree);
    for (at, character) in text.char_indices() {
        let end = at + character.len_utf8();
        let edit = TextEdit::replace(TextRange::empty(at as u32), &text[at..end]);
        tree = tree.edited(&edit, &|range| text[range.as_usize()].to_owned());
        visit(end, &tree);
    }
}

#[test]
fn every_prefix_keeps_the_entries_before_its_end() {
    let files = files();
    let step = if environment::takes_all() { 1 } else { 128 };
    let (mut correct, mut faulty) = (Losses::default(), Losses::default());
    let mut compared = 0;
    for (path, text) in files.iter().step_by(step) {
        let whole = CorrectText::new(text.clone());
        assert!(whole.tree.text() == *text, "{}", path.display());
        let losses = if whole.tree.errors().is_empty() { &mut correct } else { &mut faulty };
        let mut random = Random(text.len() as u64);
        type_out(text, |at, typed| {
            let end = remove(TextRange::new(at as u32, text.len() as u32));
            let cut = whole.tree.edited(&end, &|range| text[..at][range.as_usize()].to_owned());
            assert!(whole.is_text_of(&cut, &text[..at], at as u32), "{}:{at}: text lost", path.display());
            let lost = whole.lost(&cut, &Break { at: at as u32, cut: at as u32 });
            losses.add(lost);
            if lost > 20 && environment::shows() {
                println!(
                    "{lost} {}:{at}: {:?}",
                    path.display(),
                    &text[boundary(text, at.saturating_sub(80))..at]
                );
            }
            // The tree is the same whether the text was typed up to here, shortened to it, or parsed from scratch.
            if random.below(200) == 0 || at == text.len() {
                let fresh = Tree::parse(&text[..at]);
                assert!(fresh.text() == text[..at], "{}:{at}: text lost", path.display());
                assert!(typed.root().node().same_as(fresh.root().node()), "{}:{at}: typed", path.display());
                assert!(cut.root().node().same_as(fresh.root().node()), "{}:{at}: cut off", path.display());
                compared += 1;
            }
        });
    }
    println!(
        "{} files of {}, {compared} prefixes parsed from scratch too",
        files.len().div_ceil(step),
        files.len()
    );
    correct.report("prefixes of correct files");
    faulty.report("prefixes of files with errors");
}

#[test]
fn a_deleted_character_costs_one_entry() {
    let (seed, count) = (2_026, if environment::takes_all() { 1_000_000 } else { 4_000 });
    let files = files();
    let per_file = count / files.len() + 1;
    let mut random = Random(seed);
    let (mut correct, mut faulty) = (Losses::default(), Losses::default());
    for (path, text) in files.iter().filter(|(_, text)| !text.is_empty()) {
        let whole = CorrectText::new(text.clone());
        let losses = if whole.tree.errors().is_empty() { &mut correct } else { &mut faulty };
        for _ in 0..per_file {
            let at = boundary(text, random.below(text.len()));
            let end = at + text[at..].chars().next().map_or(0, char::len_utf8);
            let mut broken = text.clone();
            broken.replace_range(at..end, "");
            let edit = remove(TextRange::new(at as u32, end as u32));
            let tree = whole.tree.edited(&edit, &|range| broken[range.as_usize()].to_owned());
            assert!(whole.is_text_of(&tree, &broken, at as u32), "{}:{at}: text lost", path.display());
            let lost = whole.lost(&tree, &Break { at: at as u32, cut: text.len() as u32 });
            losses.add(lost);
            if lost > 20 && environment::shows() {
                println!(
                    "{lost} {}:{at}: {:?}",
                    path.display(),
                    &text[boundary(text, at.saturating_sub(80))..boundary(text, (at + 40).min(text.len()))]
                );
            }
            if random.below(50) == 0 {
                let fresh = Tree::parse(&broken);
                assert!(fresh.text() == broken, "{}:{at}: text lost", path.display());
                assert!(tree.root().node().same_as(fresh.root().node()), "{}:{at}", path.display());
            }
        }
    }
    println!("deletions drawn by seed {seed}");
    correct.report("deletions in correct files");
    faulty.report("deletions in files with errors");
}
