//! A check after an edit equals a check of the edited text, and its cost depends on the edit.

use text::{TextEdit, TextRange};
use yaml::Tree;

use super::markers::definition;
use super::{reports, repository};
use crate::{Cache, DocumentReport, Options, check};

fn checked(tree: &Tree, cache: &mut Cache) -> Vec<DocumentReport> {
    tree.documents().map(|document| check(document, &Options::default(), cache)).collect()
}

fn edited(tree: &Tree, text: &mut String, edit: &TextEdit) -> Tree {
    text.replace_range(edit.range.as_usize(), &edit.new_text);
    tree.edited(edit, &|range: TextRange| {
        text.get(range.start as usize..(range.end as usize).min(text.len())).unwrap_or_default().to_owned()
    })
}

fn wide_schema(fields: usize) -> String {
    let mut schema = "type: object\nproperties:\n".to_owned();
    for group in 0..fields {
        schema.push_str(&format!("  g{group}:\n    type: object\n    properties:\n"));
        for field in 0..fields {
            schema.push_str(&format!("      f{field}:\n        type: string\n"));
        }
    }
    schema
}

#[test]
fn an_edit_costs_the_path_to_the_root() {
    let mut text = definition(&wide_schema(50));
    let tree = Tree::parse(&text);
    let mut cache = Cache::default();
    assert!(checked(&tree, &mut cache)[0].findings.is_empty());
    let before = cache.visited();
    assert!(before > 2_500, "all nodes: {before}");
    let at = text.rfind("string").expect("a type") as u32;
    let tree = edited(&tree, &mut text, &TextEdit::replace(TextRange::at(at, 6), "''"));
    let reports = checked(&tree, &mut cache);
    assert_eq!(reports[0].findings.len(), 1);
    assert_eq!(cache.visited() - before, 3, "the root, the group and the field");
}

#[test]
fn findings_move_with_the_text_before_them() {
    let mut text = definition("type: object\nproperties:\n  a: {}\n  b:\n    type: string\n");
    let tree = Tree::parse(&text);
    let mut cache = Cache::default();
    let first = checked(&tree, &mut cache).remove(0).findings.remove(0);
    let tree = edited(&tree, &mut text, &TextEdit::insert(0, "# a comment\n"));
    let second = checked(&tree, &mut cache).remove(0).findings.remove(0);
    assert_eq!(second.range, first.range.shifted(12));
}

#[test]
fn answers_for_dropped_nodes_are_removed() {
    let mut cache = Cache::default();
    for round in 0..20 {
        let schema = wide_schema(60 + round).replace("type: string", "type: string\n        default: a");
        let tree = Tree::parse(&definition(&schema));
        checked(&tree, &mut cache);
    }
    assert!(cache.len() < 4 * 80 * 80, "{} nodes are known", cache.len());
}

#[test]
fn an_incremental_check_equals_a_fresh_one() {
    check_edits_against_fresh_checks(&mut Cache::default());
}

/// Forgetting any cached result at any time costs only time and changes no result.
#[test]
fn a_cache_that_forgets_changes_nothing() {
    for seed in [1, 2] {
        let mut cache = Cache::default();
        cache.forget_at_random(seed);
        check_edits_against_fresh_checks(&mut cache);
    }
}

/// Edits at random places, with text that is significant in YAML.
fn check_edits_against_fresh_checks(cache: &mut Cache) {
    let mut seed = 0x2545_f491_4f6c_dd1d_u64;
    let mut next = move |below: usize| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed % below.max(1) as u64) as usize
    };
    let pieces =
        ["", " ", "\n", "  ", ":", "- ", "type: string\n", "anyOf:\n", "{", "}", "'", "&a ", "*a", "x", "#"];
    let texts = suites::texts(&repository().join("fixtures/crd/editor")).expect("fixtures");
    let mut edits = 0;
    for (path, mut text) in texts {
        let mut tree = Tree::parse(&text);
        checked(&tree, cache);
        for _ in 0..20 {
            let boundary =
                |text: &str, at: usize| (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
            let start = boundary(&text, next(text.len() + 1));
            let end = boundary(&text, (start + next(8)).min(text.len())).max(start);
            let edit =
                TextEdit::replace(TextRange::new(start as u32, end as u32), pieces[next(pieces.len())]);
            tree = edited(&tree, &mut text, &edit);
            assert_eq!(checked(&tree, cache), reports(&text), "{}:\n{text}", path.display());
            edits += 1;
        }
    }
    assert!(edits > 2_000, "{edits} edits");
}
