//! Broken text costs only the entry that contains it.
#![allow(clippy::unwrap_used, clippy::print_stdout, clippy::panic, missing_docs)]

#[path = "support/loss.rs"]
mod loss;

use loss::{Break, CorrectText, Losses};
use yaml::Tree;

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

/// The entries lost by the break at `at`, after which the text is `broken`.
fn lost(whole: &CorrectText, broken: &str, at: usize) -> usize {
    let tree = Tree::parse(broken);
    assert_eq!(tree.text(), broken);
    whole.lost(&tree, &Break { at: at as u32, cut: whole.text.len() as u32 })
}

#[test]
fn one_deleted_character_costs_one_entry() {
    let whole = CorrectText::new(SAMPLE.to_owned());
    let mut losses = Losses::default();
    for at in 0..SAMPLE.len() {
        let mut broken = SAMPLE.to_owned();
        broken.remove(at);
        losses.add(lost(&whole, &broken, at));
    }
    losses.report("deletions in the sample");
}

#[test]
fn one_character_typed_anywhere_costs_one_entry() {
    let whole = CorrectText::new(SAMPLE.to_owned());
    // Excludes indentation, where `-`, `:`, `!` and `&` make a well-formed entry of another block, and line
    // breaks, after which the rest of the line is an entry.
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
        let mut losses = Losses::default();
        for at in places() {
            let mut broken = SAMPLE.to_owned();
            broken.insert_str(at, typed);
            losses.add(lost(&whole, &broken, at));
        }
        losses.report(&format!("typed {typed:?} in the sample"));
    }
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
        let start = cpu_time::ThreadTime::now();
        let tree = Tree::parse(&text);
        let problems: usize = tree.documents().map(|document| yaml::value_problems(document).len()).sum();
        let spent = start.elapsed();
        let shown: String = text.chars().take(12).collect();
        assert!(tree.text() == text, "text lost of {shown:?}");
        println!("{shown:?} × {} bytes: {spent:?}, {problems} values refused", text.len());
        assert!(spent.as_millis() < 2_000, "{shown:?}… took {spent:?}");
    }
}
