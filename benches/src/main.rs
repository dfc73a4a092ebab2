//! Compares our parser with yaml-rust2's event parser, which builds no tree, and with tree-sitter-yaml, which
//! builds one: a full parse of a bundle of 75,000 lines, and one letter typed in its middle.
//!
//! Times are CPU time of the thread, so that other work on the machine has little effect. The parsers take turns,
//! round by round. The measurements exclude the time for dropping trees.

use std::hint::black_box;
use std::time::Duration;

use cpu_time::ThreadTime;
use text::{TextEdit, TextRange};

#[path = "../../tests/support/generated.rs"]
mod generated;

#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let rounds = std::env::args().nth(1).map_or(Ok(25), |rounds| rounds.parse())?;
    let text = generated::bundle(75_000);
    let allocator = if cfg!(feature = "mimalloc") { "mimalloc" } else { "system" };
    println!("{} lines, {} bytes; {rounds} rounds, allocator: {allocator}", text.lines().count(), text.len());
    full(&text, rounds)?;
    edits(&text, rounds)
}

fn full(text: &str, rounds: usize) -> Result<(), Failure> {
    let (mut ours, mut events, mut tree_sitter) = (Vec::new(), Vec::new(), Vec::new());
    let mut sitter = sitter()?;
    for _ in 0..rounds {
        ours.push(timed(|| yaml::Tree::parse(text)));
        events.push(timed(|| yaml_rust2_events(text)));
        tree_sitter.push(timed(|| sitter.parse(text, None)));
    }
    let base = report("parse: crd-ls", ours, None);
    report("parse: yaml-rust2 events", events, Some(base));
    report("parse: tree-sitter-yaml", tree_sitter, Some(base));
    Ok(())
}

fn edits(text: &str, rounds: usize) -> Result<(), Failure> {
    let needle = "description: The s";
    let middle = text.len() / 2;
    let at = text.get(middle..).and_then(|rest| rest.find(needle)).ok_or("nothing to edit")?;
    let at = middle + at + needle.len();
    let mut after = text.to_owned();
    after.insert(at, 'x');

    let tree = yaml::Tree::parse(text);
    let edit = TextEdit::insert(at as u32, "x");
    let rope = text::TextBuffer::new(&after);
    let read = |range: TextRange| rope.slice(range).into_owned();

    let mut sitter = sitter()?;
    let old = sitter.parse(text, None).ok_or("tree-sitter gave up")?;
    let row = text.get(..at).unwrap_or_default().matches('\n').count();
    let column = at - text.get(..at).unwrap_or_default().rfind('\n').map_or(0, |line| line + 1);
    let point = |column| tree_sitter::Point { row, column };
    let sitter_edit = tree_sitter::InputEdit {
        start_byte: at,
        old_end_byte: at,
        new_end_byte: at + 1,
        start_position: point(column),
        old_end_position: point(column),
        new_end_position: point(column + 1),
    };

    let (mut ours, mut tree_sitter) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        ours.push(timed(|| tree.edited(&edit, &read)));
        let mut old = old.clone();
        tree_sitter.push(timed(|| {
            old.edit(&sitter_edit);
            sitter.parse(&after, Some(&old))
        }));
    }
    let base = report("one letter: crd-ls", ours, None);
    report("one letter: tree-sitter-yaml", tree_sitter, Some(base));
    Ok(())
}

fn yaml_rust2_events(text: &str) -> usize {
    struct Count(usize);
    impl yaml_rust2::parser::EventReceiver for Count {
        fn on_event(&mut self, _: yaml_rust2::Event) {
            self.0 += 1;
        }
    }
    let mut count = Count(0);
    let result = yaml_rust2::parser::Parser::new(text.chars()).load(&mut count, true);
    assert!(result.is_ok(), "yaml-rust2 reads it all");
    count.0
}

fn sitter() -> Result<tree_sitter::Parser, Failure> {
    let mut parser = tree_sitter::Parser::new();
    parser.set_language(&tree_sitter_yaml::LANGUAGE.into())?;
    Ok(parser)
}

fn timed<T>(run: impl FnOnce() -> T) -> Duration {
    let start = ThreadTime::now();
    let made = black_box(run());
    let spent = start.elapsed();
    drop(made);
    spent
}

/// Prints the minimum and the median time, and the ratio of the median to `base`. Returns the median.
fn report(name: &str, mut times: Vec<Duration>, base: Option<Duration>) -> Duration {
    times.sort_unstable();
    let least = times.first().copied().unwrap_or_default();
    let median = times.get(times.len() / 2).copied().unwrap_or_default();
    let ratio = base.map_or(String::new(), |base| {
        format!(", {:.2} times ours", median.as_secs_f64() / base.as_secs_f64())
    });
    println!("{name}: least {least:?}, median {median:?}{ratio}");
    median
}
