//! The tree after an edit equals the tree of the edited text, and shares the nodes that the edit did not touch.
#![allow(clippy::unwrap_used, clippy::print_stdout, clippy::panic, missing_docs)]

mod support;

#[path = "../../../tests/support/generated.rs"]
mod generated;

#[path = "../../../tests/support/edits.rs"]
mod edits;

use std::collections::HashSet;

use edits::{Random, boundary, random_edit};
use text::{TextEdit, TextRange};
use yaml::{Node, NodeRef, Tree};

const SAMPLES: &[&str] = &[
    "a: 1\nb:\n  c: [1, 2, {d: e}]\n  f:\n  - g\n  - h: i\n    j: |\n      text\n      more\n\n  # comment\n  k: \"quoted\n    on two lines\"\nl: 'x'\n",
    "# head\n---\nx: &a {p: 1}\ny: *a\nz:\n  <<: *a\n...\n---\n- - a\n  - b\n- ? k\n  : v\n",
    "spec:\n  versions:\n  - name: v1\n    schema:\n      openAPIV3Schema:\n        type: object\n        properties:\n          a: {type: string}\n          b:\n            anyOf:\n            - type: integer\n            - type: string\n",
    "",
    "plain\n  over lines\n",
    "é: [ß,\né, \"ü\" ö]\nk: !é {ä: ö\nü: é}\n",
    "{\"json\": [1, 2,\n {\"a\": null}],\n\"b\": \"c\"}\n",
];

/// Applies `edits` random edits one after another, and compares the tree with one parsed from scratch after each.
fn check(name: &str, source: &str, edits: usize, seed: u64) {
    let mut random = Random(seed);
    let mut text = source.to_owned();
    let original = Tree::parse(&text);
    let mut tree = original.clone();
    for step in 0..edits {
        // Half of the edits apply to the original text, which has no errors.
        if random.below(2) == 0 {
            text = source.to_owned();
            tree = original.clone();
        }
        let edit = random_edit(&text, &mut random);
        let before = text.clone();
        text.replace_range(edit.range.as_usize(), &edit.new_text);
        tree = tree.edited(&edit, &|range| text[range.as_usize()].to_owned());
        let fresh = Tree::parse(&text);
        let back = fresh.text();
        let lost = back.bytes().zip(text.bytes()).position(|(back, text)| back != text).unwrap_or(back.len());
        assert!(
            back == text,
            "{name}, seed {seed}, step {step}: text lost at {lost} in {:?}",
            text_around(&text, TextRange::empty(lost as u32))
        );
        for error in fresh.errors() {
            let place = text.get(error.range.as_usize());
            assert!(place.is_some(), "{name}, seed {seed}, step {step}: {error:?} has no place");
        }
        if !tree.root().node().same_as(fresh.root().node()) {
            let (ours, fresh) = (dump(&tree), dump(&fresh));
            let line = ours.iter().zip(&fresh).position(|(ours, fresh)| ours != fresh).unwrap_or(0);
            panic!(
                "{name}, seed {seed}, step {step}: {edit:?} in {:?}\nincremental: {:#?}\nfrom scratch: {:#?}",
                text_around(&before, edit.range),
                &ours[line.saturating_sub(3)..(line + 6).min(ours.len())],
                &fresh[line.saturating_sub(3)..(line + 6).min(fresh.len())],
            );
        }
        check_documents_alone(&fresh, &format!("{name}, seed {seed}, step {step}"));
    }
}

/// The tree of a document alone equals that of its text, unless the text begins with a token that has another
/// meaning at the start of a file.
fn check_documents_alone(tree: &Tree, place: &str) {
    for document in tree.documents() {
        let text = document.syntax().text();
        let is_same = Tree::of(document).root().node().same_as(Tree::parse(&text).root().node());
        assert!(
            is_same || text.trim_start().starts_with(['.', '\u{feff}']),
            "{place}: {text:?} is another one alone"
        );
    }
}

/// The tree, one line for each token and node.
fn dump(tree: &Tree) -> Vec<String> {
    fn below(node: NodeRef<'_>, lines: &mut Vec<String>) {
        lines.push(format!("{:?} {:?} {:?}", node.kind(), node.range(), node.node().flags()));
        for element in node.elements() {
            match element {
                yaml::syntax::ElementRef::Token(token) => lines.push(format!("{token:?}")),
                yaml::syntax::ElementRef::Node(node) => below(node, lines),
            }
        }
    }
    let mut lines: Vec<String> = tree.errors().iter().map(|error| format!("{error:?}")).collect();
    below(tree.root(), &mut lines);
    lines
}

fn text_around(text: &str, range: TextRange) -> &str {
    let start = boundary(text, (range.start as usize).saturating_sub(300));
    let end = boundary(text, (range.end as usize + 300).min(text.len()));
    &text[start..end]
}

#[test]
fn random_edits_of_samples() {
    let rounds = environment::made_up(40);
    for (index, sample) in SAMPLES.iter().enumerate() {
        for seed in 0..rounds as u64 {
            check(&format!("sample {index}"), sample, 60, seed);
        }
    }
}

#[test]
fn random_edits_of_the_corpus() {
    let Some(corpus) = support::corpus("skipped") else { return };
    let edits = environment::made_up(6);
    let mut total = 0;
    for (index, (path, text)) in support::yaml_files(&corpus).into_iter().enumerate() {
        if text.len() < 200_000 && index % 4 == 0 {
            check(&path.display().to_string(), &text, edits, index as u64);
            total += edits;
        }
    }
    println!("{total} edits");
}

/// Inserting the whole text is an edit, for which the parser remembers no blocks.
fn parsed_alone(text: &str) -> Tree {
    let edit = TextEdit::insert(0, text);
    Tree::parse("").edited(&edit, &|range| text[range.as_usize()].to_owned())
}

/// The addresses of the nodes of `tree`, and how many places have them.
fn places(tree: &Tree) -> (HashSet<*const Node>, usize) {
    fn below(node: NodeRef<'_>, all: &mut Vec<*const Node>) {
        all.push(std::sync::Arc::as_ptr(node.node()));
        node.nodes().for_each(|node| below(node, all));
    }
    let mut all = Vec::new();
    below(tree.root(), &mut all);
    (all.iter().copied().collect(), all.len())
}

#[test]
fn a_repeated_block_is_parsed_once() {
    let block = "  part:\n    type: object\n    description: A part that both of them have\n    properties:\n      a: {type: string}\n";
    let text = format!("left:\n{block}  rest: 1\nright:\n{block}  rest: 2\nother:\n{block}\n");
    let tree = Tree::parse(&text);
    let mapping = tree.root().nodes().next().unwrap().nodes().next().unwrap();
    let parts: Vec<_> = mapping
        .nodes()
        .map(|entry| std::sync::Arc::as_ptr(entry.nodes().next().unwrap().nodes().next().unwrap().node()))
        .collect();
    assert!(parts[0] == parts[1], "the same text");
    assert!(parts[1] != parts[2], "the end of the document follows");
    assert!(tree.root().node().same_as(parsed_alone(&text).root().node()));
}

/// Blocks of a text are repeated elsewhere in it, then a few characters change: in the blocks or after them.
#[test]
fn texts_with_repeated_blocks_are_parsed_like_others() {
    let text = generated::bundle(400);
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let (mut all, mut shared) = (0, 0);
    for seed in 0..environment::made_up(300) as u64 {
        let mut random = Random(seed);
        let mut repeated = String::new();
        for _ in 0..1 + random.below(6) {
            let start = random.below(lines.len());
            let block = &lines[start..lines.len().min(start + 1 + random.below(60))];
            let indent = " ".repeat(2 * random.below(2));
            (0..1 + random.below(3)).for_each(|_| {
                block.iter().for_each(|line| repeated.extend([indent.as_str(), line]));
            });
        }
        for _ in 0..random.below(4) {
            let edit = random_edit(&repeated, &mut random);
            repeated.replace_range(edit.range.as_usize(), &edit.new_text);
        }
        let (tree, alone) = (Tree::parse(&repeated), parsed_alone(&repeated));
        assert!(tree.root().node().same_as(alone.root().node()), "seed {seed}: {repeated:?}");
        let (nodes, count) = places(&tree);
        all += count;
        shared += count - nodes.len();
        check(&format!("repeated blocks {seed}"), &repeated, 3, seed);
    }
    println!("{shared} of {all} nodes are shared");
    assert!(shared * 10 > all, "{shared} of {all}");
}

#[test]
fn edits_around_markers() {
    for text in [
        "\u{feff}--a\n---\nb: 1\n--- # c\nd:\n  e\n...\n# f\n---\ng: [\n--- ]\n..\n",
        "# head\r\n%YAML 1.2\r\n---\r\na: |\r\n  x\r\n...\r\n...\r\nb\r\n",
        "---x\n--\n\n... \n.\n---",
    ] {
        let tree = Tree::parse(text);
        for start in (0..=text.len()).filter(|at| text.is_char_boundary(*at)) {
            for end in (start..=text.len().min(start + 5)).filter(|at| text.is_char_boundary(*at)) {
                for new in ["", "-", ".", " ", "\n", "\r", "x", "---", "\n---\n", "\n...\n"] {
                    let mut after = text.to_owned();
                    after.replace_range(start..end, new);
                    let edit = TextEdit::replace(TextRange::new(start as u32, end as u32), new);
                    let edited = tree.edited(&edit, &|range| after[range.as_usize()].to_owned());
                    let same = edited.root().node().same_as(Tree::parse(&after).root().node());
                    assert!(same, "{start}..{end} becomes {new:?} in {text:?}");
                }
            }
        }
    }
}

#[test]
fn an_edit_keeps_the_nodes_that_it_does_not_touch() {
    let text = "a:\n  b: 1\n  c: 2\nd:\n  e: 3\n---\nf: 4\n";
    let tree = Tree::parse(text);
    let edit = TextEdit::replace(TextRange::new(8, 9), "5");
    let after = text.replace("b: 1", "b: 5");
    let edited = tree.edited(&edit, &|range| after[range.as_usize()].to_owned());
    let entry = |tree: &Tree, document: usize, index: usize| {
        let node = tree.root().nodes().nth(document).unwrap();
        let mapping = node.nodes().next().unwrap();
        std::sync::Arc::as_ptr(mapping.nodes().nth(index).unwrap().node())
    };
    assert!(entry(&tree, 0, 0) != entry(&edited, 0, 0));
    assert!(entry(&tree, 0, 1) == entry(&edited, 0, 1));
    assert!(entry(&tree, 1, 0) == entry(&edited, 1, 0));
}

#[test]
fn a_tree_takes_at_most_eight_bytes_for_each_byte_of_source() {
    let text = generated::bundle(20_000);
    let share = Tree::parse(&text).root().node().memory() as f64 / text.len() as f64;
    println!("{share:.2} bytes of tree for each byte of source");
    assert!(share < 8.0, "{share}");
}

/// The nodes of `tree` that are not shared with `other`.
fn own_nodes(tree: &Tree, other: &Tree) -> Vec<String> {
    fn addresses(node: NodeRef<'_>, all: &mut HashSet<*const Node>) {
        all.insert(std::sync::Arc::as_ptr(node.node()));
        node.nodes().for_each(|node| addresses(node, all));
    }
    fn below(node: NodeRef<'_>, known: &HashSet<*const Node>, own: &mut Vec<String>) {
        if known.contains(&std::sync::Arc::as_ptr(node.node())) {
            return;
        }
        let text = node.text();
        own.push(text);
        node.nodes().for_each(|node| below(node, known, own));
    }
    let (mut known, mut own) = (HashSet::new(), Vec::new());
    addresses(other.root(), &mut known);
    below(tree.root(), &known, &mut own);
    own
}

#[test]
fn two_versions_of_a_text_share_equal_nodes() {
    let tree = Tree::parse("a:\n  b: 1\n  c: {d: [1, 2]}\ne: f\n");
    let earlier = Tree::parse("# new\nz: 0\na:\n  b: 2\n  c: {d: [1, 2]}\ne: f\n").sharing(&tree);
    let own = own_nodes(&earlier, &tree);
    assert!(own.iter().all(|text| !text.starts_with("c:") && !text.starts_with("e:")), "{own:#?}");
    let same = Tree::parse("a:\n  b: 1\n  c: {d: [1, 2]}\ne: f\n").sharing(&tree);
    assert_eq!(own_nodes(&same, &tree), Vec::<String>::new());
}

#[test]
fn a_tree_with_shared_nodes_equals_the_parsed_tree() {
    let mut random = Random(environment::seed(5));
    println!("seed {}", random.0);
    for source in SAMPLES {
        for _ in 0..environment::made_up(300) {
            let mut text = (*source).to_owned();
            for _ in 0..=random.below(4) {
                let edit = random_edit(&text, &mut random);
                text.replace_range(edit.range.as_usize(), &edit.new_text);
            }
            let (tree, other) = (Tree::parse(&text), Tree::parse(source));
            let shared = Tree::parse(&text).sharing(&other);
            assert!(shared.root().node().same_as(tree.root().node()), "{source:?} {text:?}");
            assert_eq!(shared.text(), text);
        }
    }
}

/// A file that is large enough for several threads to share its documents.
#[test]
fn parallel_parsing_gives_the_same_documents() {
    let documents = SAMPLES.iter().flat_map(|sample| ["---\n", sample, "\n"]);
    let once: String = documents.collect();
    let text = once.repeat((300 << 10) / once.len() + 1);
    let tree = Tree::parse(&text);
    assert!(tree.is_of(&text));
    let inserted = TextEdit { range: TextRange::new(0, 0), new_text: text.clone() };
    let edited = Tree::parse("").edited(&inserted, &|range| text[range.as_usize()].to_owned());
    assert!(tree.documents().count() > 100);
    assert_eq!(dump(&tree), dump(&edited));
}
