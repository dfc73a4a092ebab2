use text::{LineIndex, TextRange};
use yaml::Tree;

use crate::features::folds::folds;
use crate::{Fold, FoldKind};

/// The folds of all documents, with their positions in the text.
pub(super) fn all_folds(tree: &Tree) -> Vec<Fold<TextRange>> {
    let several = tree.documents().nth(1).is_some();
    let of = |document: yaml::NodeRef<'_>| {
        let (start, alone) = (document.range().start, document.alone());
        let text = alone.text();
        let folds = folds(alone, &text, &LineIndex::new(&text), several).into_iter();
        folds.map(move |fold| Fold { range: fold.range.shifted(start), kind: fold.kind }).collect::<Vec<_>>()
    };
    tree.root().nodes().flat_map(of).collect()
}

/// The lines of `text` that can be folded: `3-5 region` folds lines 4 and 5 into line 3, counted from 1.
#[track_caller]
fn check(text: &str, expected: &[&str]) {
    let line_at =
        |offset: u32| 1 + text[..offset as usize].replace("\r\n", "\n").matches(['\n', '\r']).count();
    let describe = |fold: &Fold<TextRange>| {
        let kind = match fold.kind {
            FoldKind::Region => "region",
            FoldKind::Comment => "comment",
        };
        format!("{}-{} {kind}", line_at(fold.range.start), line_at(fold.range.end))
    };
    let found: Vec<String> = all_folds(&Tree::parse(text)).iter().map(describe).collect();
    assert_eq!(found, expected, "in\n{text}");
}

#[test]
fn entries_and_items_fold_to_the_end_of_their_content() {
    check(
        "\
a:
  b: 1
  c:
    - d: 2
      e: 3

    - 4

# not a part of it
f: 5
",
        &["1-7 region", "3-7 region", "4-5 region"],
    );
}

#[test]
fn a_fold_begins_and_ends_at_the_end_of_a_line() {
    let text = "a: # why\n  b: 1 # because  \n\n";
    let folds = all_folds(&Tree::parse(text));
    assert_eq!(&text[folds[0].range.as_usize()], "\n  b: 1 # because");
}

#[test]
fn an_item_and_the_parts_that_end_with_it_share_one_fold() {
    check("- a:\n    b:\n      c: 1\n", &["1-3 region", "2-3 region"]);
    check("- a:\n    b: 1\n  c: 1\n", &["1-3 region", "1-2 region"]);
}

#[test]
fn blocks_of_text_and_brackets_fold() {
    check("a: |\n  x\n  y\n\n\nb:\n  >\n  z\n", &["1-3 region", "6-8 region", "7-8 region"]);
    check("a: {\n  b: [\n    1\n  ],\n  c: d\n}\n", &["1-6 region", "2-4 region"]);
    check("a: 'one\n  two'\nb: one\n  two\n", &["1-2 region", "3-4 region"]);
    check("a: {b: [1, 2]}\n", &[]);
}

#[test]
fn documents_fold_into_their_markers() {
    check("---\na: 1\n", &["1-2 region"]);
    check("# about\n---\na:\n  b: 1\n\n...\n", &["2-4 region", "3-4 region"]);
    check("a: 1\nb: 2\n---\nc: 3\n# end\n", &["1-2 region", "3-4 region"]);
    check("a: 1\nb: 2\n", &[]);
    check("---\n---\n", &[]);
}

#[test]
fn comments_in_a_run_fold() {
    check(
        "# a\n# b\n#\nx: # no\n  # c\n  # d\n\n  # e\n  y: 1 # f\n",
        &["1-3 comment", "4-9 region", "5-6 comment"],
    );
    check("a: |\n  # text\n  # text\n", &["1-3 region"]);
}

#[test]
fn line_ends_of_all_kinds_count() {
    check("a:\r\n  b: |\r\n    x\r\n\r\nc: 1\r\n", &["1-3 region", "2-3 region"]);
    check("a:\r  b: 1\r", &["1-2 region"]);
    check("\u{feff}# a\n# b\n", &["1-2 comment"]);
}

#[test]
fn broken_text_folds() {
    check("a:\n  b: \"x\n  c: [1,\nd:\n  e\n  f: 1\n", &["1-3 region", "4-6 region"]);
    check("a:\n\tb: 1\nc:\n  d: 1\n", &["1-2 region", "3-4 region"]);
}
