//! Broken text costs the entry that it stands in, and no other.
#![allow(clippy::unwrap_used, clippy::print_stdout, clippy::panic, missing_docs)]

mod support;

use std::collections::HashSet;

use text::TextRange;
use yaml::{Tree, Value, ValueKind};

/// The paths of all entries and items, with the place of each.
fn entries(tree: &Tree) -> Vec<(String, TextRange)> {
    let mut found = Vec::new();
    for (index, document) in tree.documents().enumerate() {
        if let Some(root) = document.root() {
            below(root, &format!("{index}"), &mut found);
        }
    }
    found
}

fn below(value: Value<'_>, path: &str, found: &mut Vec<(String, TextRange)>) {
    match value.kind() {
        ValueKind::Mapping(mapping) => {
            for entry in mapping.entries() {
                if let Some(key) = entry.key_text() {
                    let path = format!("{path}.{key}");
                    found.push((path.clone(), entry.range()));
                    below(entry.value(), &path, found);
                }
            }
        }
        ValueKind::Sequence(sequence) => {
            for (index, item) in sequence.items().enumerate() {
                let path = format!("{path}[{index}]");
                found.push((path.clone(), item.range()));
                below(item.value(), &path, found);
            }
        }
        _ => {}
    }
}

/// How many entries outside the innermost one that holds `at` are missing from the tree of `broken`.
fn lost(before: &[(String, TextRange)], broken: &str, at: usize, cut: usize) -> usize {
    let after: HashSet<String> = entries(&Tree::parse(broken)).into_iter().map(|(path, _)| path).collect();
    let holding =
        before.iter().filter(|(_, range)| range.touches(at as u32)).min_by_key(|(_, range)| range.len());
    let holding = holding.map(|(path, _)| path.as_str()).unwrap_or("-");
    let missing = before.iter().filter(|(path, range)| (range.start as usize) < cut && !after.contains(path));
    missing.filter(|(path, _)| !path.starts_with(holding)).count()
}

fn distribution(name: &str, mut losses: Vec<usize>) -> (usize, usize) {
    losses.sort_unstable();
    let at = |share: usize| losses[(losses.len() - 1) * share / 100];
    println!(
        "{name}: {} breaks; entries lost: median {}, p95 {}, p99 {}, max {}",
        losses.len(),
        at(50),
        at(95),
        at(99),
        at(100)
    );
    (at(50), at(95))
}

const SAMPLE: &str = "\
# a definition
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: \"widgets.example.com\"
  annotations: {a: b, 'c': \"d\"}
spec:
  group: example.com
  names: {kind: Widget, plural: widgets}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        description: |-
          A widget: of some kind.

          - with a list
        type: object
        required: [spec, 'status']
        properties:
          spec:
            type: object # the wish
            properties:
              size:
                type: integer
                minimum: 1
              modes:
                type: array
                items:
                  type: string
                  enum:
                  - fast
                  - slow
          status:
            type: object
            x-kubernetes-preserve-unknown-fields: true
";

#[test]
fn one_deleted_character_costs_one_entry() {
    let before = entries(&Tree::parse(SAMPLE));
    let losses = (0..SAMPLE.len()).map(|at| {
        let mut broken = SAMPLE.to_owned();
        broken.remove(at);
        lost(&before, &broken, at, SAMPLE.len())
    });
    assert!(distribution("deletions in the sample", losses.collect()) <= (0, 1));
}

#[test]
fn one_character_typed_anywhere_costs_one_entry() {
    let before = entries(&Tree::parse(SAMPLE));
    // Not within indentation, where `-`, `:`, `!` and `&` make a well-formed entry of another block, and not a line
    // break, behind which the rest of the line is one.
    let places = || {
        (0..=SAMPLE.len()).filter(|&at| {
            let line = SAMPLE[..at].rfind('\n').map_or(0, |at| at + 1);
            !SAMPLE[line..].starts_with(' ')
                || !SAMPLE[line..at].trim().is_empty()
                || !SAMPLE[at..].starts_with(' ')
        })
    };
    for typed in [
        "\"", "'", "[", "{", "]", "}", ":", "-", "#", "&", "*", "!", "|", ">", "%", "@", "`", "\t", " ", ",",
        "x",
    ] {
        let losses = places().map(|at| {
            let mut broken = SAMPLE.to_owned();
            broken.insert_str(at, typed);
            lost(&before, &broken, at, SAMPLE.len())
        });
        assert!(distribution(&format!("typed {typed:?} in the sample"), losses.collect()) <= (0, 1));
    }
}

#[test]
fn every_prefix_of_corpus_files_keeps_what_stands_before_its_end() {
    let Some(corpus) = support::corpus() else { return };
    let mut losses = Vec::new();
    for (index, (_, text)) in support::yaml_files(&corpus).into_iter().enumerate() {
        if index % 40 != 0 || text.lines().count() > 400 || !Tree::parse(&text).errors().is_empty() {
            continue;
        }
        let before = entries(&Tree::parse(&text));
        for at in (0..text.len()).step_by(3).filter(|&at| text.is_char_boundary(at)) {
            losses.push(lost(&before, &text[..at], at, at));
        }
    }
    assert!(distribution("prefixes of corpus files", losses) <= (0, 1));
}

#[test]
fn hostile_text_is_read_in_linear_time() {
    let repeated = |piece: &str, count: usize| piece.repeat(count);
    let indented: String = (0..3_000).map(|depth| format!("{}a:\n", " ".repeat(depth))).collect();
    let texts = [
        repeated("[", 100_000),
        repeated("{", 100_000),
        repeated("[{", 50_000),
        repeated("- ", 100_000),
        repeated("? ", 100_000),
        repeated("[\n", 100_000),
        repeated("- [\n", 100_000),
        repeated("a: \"x\n", 100_000),
        repeated("a: 'x\n", 100_000),
        repeated("\"", 200_000),
        repeated("a: [\"\n", 100_000),
        repeated("&a *a !t ", 50_000),
        repeated("a: &a [*a, *a]\n", 50_000),
        format!("[{}]", repeated("a: 1, ", 200_000)),
        format!("a: \"{}\"", repeated("x ", 500_000)),
        repeated("---\n", 200_000),
        repeated("...\n", 200_000),
        repeated("#\n", 500_000),
        repeated("\t", 500_000),
        repeated("|\n", 100_000),
        repeated("a: |\n", 100_000),
        repeated("%\n", 100_000),
        repeated("\r", 500_000),
        repeated("a\n", 200_000),
        repeated("a\n ", 100_000),
        repeated("? a\n", 100_000),
        repeated("&a\n", 100_000),
        repeated("!!\n", 100_000),
        repeated("-\t", 100_000),
        repeated("a: b\n\t\n", 100_000),
        repeated("a: |\n\t\n", 100_000),
        repeated("\"\\q", 200_000),
        repeated("[a\n", 100_000),
        repeated("[a]: ", 100_000),
        repeated("~: {", 100_000),
        repeated("a: \u{2028}\u{1}\n", 100_000),
        format!("[{}]", repeated("[a]: b, ", 100_000)),
        format!("[{}", repeated("é\n", 100_000)),
        indented,
    ];
    for text in texts {
        let start = std::time::Instant::now();
        let tree = Tree::parse(&text);
        let problems: usize = tree.documents().map(|document| yaml::value_problems(document).len()).sum();
        let spent = start.elapsed();
        let shown: String = text.chars().take(12).collect();
        assert!(tree.text() == text, "text lost of {shown:?}");
        println!("{shown:?} × {} bytes: {spent:?}, {problems} values refused", text.len());
        assert!(spent.as_millis() < 2_000, "{shown:?}… took {spent:?}");
    }
}
