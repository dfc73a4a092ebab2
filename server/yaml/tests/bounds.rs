//! Text that is designed to overload a parser takes time linear in its length, and is reported.
#![allow(clippy::unwrap_used, clippy::print_stdout, clippy::panic, missing_docs)]

use std::time::Duration;

use cpu_time::ThreadTime;
use text::{TextEdit, TextRange};
use yaml::{Tree, alias_problems, decode, value_problems};

/// CPU time of one thread. Only work that grows faster than the text takes this long.
const LIMIT: Duration = Duration::from_secs(5);
const MEGABYTE: usize = 1 << 20;

/// Parses `text`, reads it as the server does, and edits its middle, on the stack of an ordinary thread.
/// Returns the reported problems.
fn bounded(name: &str, text: String) -> Vec<String> {
    let thread = std::thread::Builder::new().stack_size(2 << 20);
    let name = name.to_owned();
    let run = move || {
        let start = ThreadTime::now();
        let tree = Tree::parse(&text);
        let mut problems: Vec<String> = tree.errors().iter().map(|error| error.kind.to_string()).collect();
        for document in tree.documents() {
            problems.extend(alias_problems(document).iter().map(|(_, problem)| problem.to_string()));
            let _ = value_problems(document);
            let _ = decode(document);
        }
        let read = start.elapsed();
        let at = text::floor_char_boundary(&text, text.len() / 2);
        let mut after = text.clone();
        after.insert(at, 'x');
        let source = |range: TextRange| after[range.as_usize()].to_owned();
        let edited = tree.edited(&TextEdit::insert(at as u32, "x"), &source);
        let all = start.elapsed();
        println!(
            "{name}: {} bytes, read {read:?}, edited {:?}, {} problems",
            text.len(),
            all - read,
            problems.len()
        );
        assert!(all < LIMIT, "{name} took {all:?}");
        assert!(
            edited.root().node().same_as(Tree::parse(&after).root().node()),
            "{name}: the edit went wrong"
        );
        problems
    };
    thread.spawn(run).unwrap().join().unwrap()
}

#[test]
fn a_hundred_thousand_levels() {
    const DEPTH: usize = 100_000;
    for (open, close) in [("[", "]"), ("{a: ", "}"), ("[{a: ", "}]"), ("- ", ""), ("? ", "")] {
        let opened = open.repeat(DEPTH);
        assert!(!bounded(&format!("open {open}"), opened.clone()).is_empty(), "{open} is reported");
        let closed =
            bounded(&format!("closed {open}"), format!("a:\n  b: {opened}1{}\n", close.repeat(DEPTH)));
        assert!(!closed.is_empty(), "{open} is reported");
    }
    let columns: String = (0..2_000).map(|depth| format!("{}a:\n", " ".repeat(depth))).collect();
    assert!(!bounded("columns", columns).is_empty());
}

/// The parser compares a block with an earlier one that starts alike: here, at each level and in vain.
#[test]
fn deep_blocks_that_differ_at_their_ends() {
    let spine: String =
        (0..150).map(|depth| format!("{}key_of_a_level:\n", " ".repeat(2 * depth + 2))).collect();
    let leaf = format!("{}text: |\n{}", " ".repeat(302), format!("{}x\n", " ".repeat(304)).repeat(600));
    let items: String =
        (0..20).map(|number| format!("- item:\n{spine}{leaf}{}{number}\n", " ".repeat(304))).collect();
    assert_eq!(bounded("alike", items), Vec::<String>::new());
}

#[test]
fn a_megabyte_on_one_line() {
    let fine = [
        ("plain", "x ".repeat(MEGABYTE / 2)),
        ("double quotes", format!("\"{}\"", "\\n ".repeat(MEGABYTE / 3))),
        ("single quotes", format!("'{}'", "'' ".repeat(MEGABYTE / 3))),
        ("items", format!("[{}]", "1, ".repeat(MEGABYTE / 3))),
        ("digits", "1".repeat(MEGABYTE)),
        ("comment", format!("x # {}", "# ".repeat(MEGABYTE / 2))),
        ("letters of three bytes", "語".repeat(MEGABYTE / 3)),
    ];
    for (name, value) in fine {
        assert_eq!(bounded(name, format!("a: {value}\nb: 1\n")), Vec::<String>::new(), "{name}");
    }
    let wrong = [
        ("colons", "a: ".repeat(MEGABYTE / 3)),
        ("quote", format!("a: \"{}", "x ".repeat(MEGABYTE / 2))),
        ("escapes", format!("a: \"{}\"", "\\q".repeat(MEGABYTE / 2))),
        ("anchors", "&a ".repeat(MEGABYTE / 3)),
        ("unknown aliases", format!("a: [{}]", "*a, ".repeat(MEGABYTE / 4))),
        ("key", format!("{}: 1", "x".repeat(MEGABYTE))),
    ];
    for (name, text) in wrong {
        assert!(!bounded(name, text).is_empty(), "{name} is reported");
    }
}

/// JSON in the formats of programs.
#[test]
fn four_megabytes_of_objects_on_one_line() {
    let members: Vec<String> =
        (0..4 * MEGABYTE / 32).map(|number| format!(r#""field{number:06}": {{"a": "b"}}"#)).collect();
    assert_eq!(bounded("objects", format!("{{{}}}", members.join(", "))), Vec::<String>::new());
}

#[test]
fn alias_bombs() {
    let bomb = |levels: usize, member: &dyn Fn(usize, usize) -> String, braces: (&str, &str)| {
        let mut text = "x0: &x0 {a: b}\n".to_owned();
        for level in 1..levels {
            let members: Vec<String> = (0..9).map(|index| member(level - 1, index)).collect();
            text.push_str(&format!("x{level}: &x{level} {}{}{}\n", braces.0, members.join(", "), braces.1));
        }
        text
    };
    let reported =
        |problems: &[String]| problems.iter().any(|problem| problem.contains("excessive aliasing"));
    for levels in [20, 60, 2_000] {
        let lists = bounded("lists", bomb(levels, &|below, _| format!("*x{below}"), ("[", "]")));
        assert!(reported(&lists), "{levels} levels of lists: {lists:?}");
        let maps = bounded("maps", bomb(levels, &|below, index| format!("k{index}: *x{below}"), ("{", "}")));
        assert!(reported(&maps), "{levels} levels of maps: {maps:?}");
    }
    // Merge keys expand the mapping nine times, each time with the same keys.
    bounded("merge keys", bomb(60, &|below, _| format!("*x{below}"), ("{<<: [", "]}")));
    let mut chain = "x0: &x0 1\n".to_owned();
    (1..20_000).for_each(|level| chain.push_str(&format!("x{level}: &x{level} [*x{}]\n", level - 1)));
    bounded("a chain", chain);
}
