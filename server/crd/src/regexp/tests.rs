#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr)]

use super::{Class, ErrorKind, Matcher, Node, TooComplex, parse};
use crate::beside;
use serde_json::Value;
use std::collections::BTreeMap;

/// The pattern of a golden line, which may consist of repeated parts.
fn pattern_of(line: &Value) -> String {
    let mut pattern = line["p"].as_str().unwrap_or_default().to_owned();
    for (at, part) in line["parts"].as_array().into_iter().flatten().enumerate() {
        let times = line["times"][at].as_u64().expect("each part has its times");
        pattern.push_str(&part.as_str().unwrap().repeat(usize::try_from(times).unwrap()));
    }
    pattern
}

/// Go's text for a golden line; `None` if Go accepts the pattern.
fn go_text(line: &Value, pattern: &str) -> Option<String> {
    let code = line["code"].as_str()?;
    let fragment = if line["whole"] == true { pattern } else { line["expr"].as_str().unwrap() };
    Some(format!("error parsing regexp: {code}: `{fragment}`"))
}

fn checksum(class: &Class) -> u64 {
    let bounds = class.ranges().into_iter().flat_map(|(lo, hi)| [lo, hi]);
    u64::from(bounds.fold(0u32, |sum, bound| sum.wrapping_mul(31).wrapping_add(bound + 1)))
}

/// Compares with Go's answers, and counts the error kinds that occur.
fn compare(golden: &str) -> (usize, BTreeMap<&'static str, usize>) {
    let mut kinds = BTreeMap::new();
    let mut differences = Vec::new();
    let mut classes = 0;
    for (at, line) in golden.lines().enumerate() {
        let line: Value = serde_json::from_str(line).unwrap();
        let pattern = pattern_of(&line);
        let ours = parse(&pattern);
        let ours_text = ours.as_ref().err().map(ToString::to_string);
        if ours_text != go_text(&line, &pattern) {
            let shown: String = format!("{line}").chars().take(200).collect();
            let got: String = format!("{ours_text:?}").chars().take(200).collect();
            differences.push(format!("line {}: {shown}\n  ours {got}", at + 1));
        }
        match ours {
            Err(error) => {
                *kinds.entry(error.kind.text()).or_default() += 1;
                assert!(pattern.get(error.range.clone()).is_some(), "{pattern} {:?}", error.range);
            }
            Ok(regexp) => {
                if let (Some(sum), [Node::Class(class)]) = (line["class"].as_u64(), regexp.nodes()) {
                    classes += 1;
                    assert_eq!(checksum(class), sum, "ranges of {pattern}");
                }
            }
        }
    }
    assert!(
        differences.is_empty(),
        "{} differ:\n{}",
        differences.len(),
        differences[..differences.len().min(20)].join("\n")
    );
    (classes, kinds)
}

#[test]
fn errors_equal_those_of_go() {
    let golden = include_str!("../../../../fixtures/regexp/patterns.jsonl");
    assert!(golden.lines().count() >= 1500);
    let (classes, kinds) = compare(golden);
    assert!(classes > 300, "{classes} classes compared with Go's ranges");
    // Every code that Go can report for valid UTF-8 occurs.
    assert_eq!(kinds.len(), 13, "{kinds:?}");
}

/// For development: `CRD_LS_FIXTURES=DIR`, where `regexpgen answer` generates `DIR/regexp/patterns.jsonl`.
#[test]
fn errors_for_generated_patterns_equal_those_of_go() {
    let Some(path) = environment::fixtures("regexp/patterns.jsonl") else {
        beside::skipped("CRD_LS_FIXTURES names no folder with regexp/patterns.jsonl, the answers of Go");
        return;
    };
    let golden = std::fs::read_to_string(path).unwrap();
    let (classes, kinds) = compare(&golden);
    eprintln!("{} patterns, {classes} classes, {kinds:?}", golden.lines().count());
}

#[test]
fn errors_have_the_narrowest_range() {
    let place = |pattern: &str| {
        let error = parse(pattern).unwrap_err();
        (error.kind, pattern[error.range].to_owned())
    };
    assert_eq!(place("a(b(c)"), (ErrorKind::MissingParen, "(".to_owned()));
    assert_eq!(parse("a(b(c)").unwrap_err().range, 1..2);
    assert_eq!(parse("a)b").unwrap_err().range, 1..2);
    assert_eq!(place("x[a-z"), (ErrorKind::MissingBracket, "[".to_owned()));
    assert_eq!(place("x[a-cz-y]"), (ErrorKind::InvalidCharRange, "z-y".to_owned()));
    assert_eq!(place(r"x\p{Foo}y"), (ErrorKind::InvalidCharRange, r"\p{Foo}".to_owned()));
    assert_eq!(place("(?P<a b>c)"), (ErrorKind::InvalidNamedCapture, "a b".to_owned()));
    assert_eq!(place("(?<=a)b"), (ErrorKind::InvalidNamedCapture, "(?<".to_owned()));
    assert_eq!(place("ab**c"), (ErrorKind::InvalidRepeatOp, "**".to_owned()));
    assert_eq!(place("a{2,1}b"), (ErrorKind::InvalidRepeatSize, "{2,1}".to_owned()));
    assert_eq!(place(r"ab\"), (ErrorKind::TrailingBackslash, r"\".to_owned()));
}

#[test]
fn holds_come_before_their_holders() {
    let regexp = parse("(?P<n>a|b{2,})?(?i:c)").unwrap();
    for (at, node) in regexp.nodes().iter().enumerate() {
        let subs = match node {
            Node::Capture { sub, .. } | Node::Repeat { sub, .. } => std::slice::from_ref(sub),
            Node::Concat(subs) | Node::Alternate(subs) => subs.as_slice(),
            _ => &[],
        };
        assert!(subs.iter().all(|sub| *sub < at), "{node:?}");
    }
    assert_eq!(regexp.nodes().last(), Some(&Node::Concat(vec![5, 6])));
    assert!(regexp.nodes().contains(&Node::Literal { rune: u32::from('c'), fold: true }));
    assert!(regexp.nodes().contains(&Node::Repeat { sub: 1, min: 2, max: None, greedy: true }));
}

#[test]
fn hostile_patterns_take_no_stack_and_linear_time() {
    for pattern in ["(", "(?:", "[", "[[:", "{1", "(?i)", "a|", r"\Q", "(a|", "a*?", "(?:a|b*", "[a-", r"\p{"]
    {
        let pattern = pattern.repeat(100_000);
        let started = cpu_time::ThreadTime::now();
        let verdict = parse(&pattern).map(|_| ()).map_err(|error| error.kind);
        assert!(started.elapsed().as_secs() < 10, "{} {verdict:?}", &pattern[..8]);
    }
}

#[test]
fn matches_equal_those_of_go() {
    let golden = include_str!("../../../../fixtures/regexp/matches.jsonl");
    let (mut pairs, mut differences) = (0, Vec::new());
    for line in golden.lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        let pattern = line["p"].as_str().unwrap();
        let matcher = Matcher::new(&parse(pattern).unwrap()).unwrap();
        let texts = line["t"].as_array().unwrap().iter().map(|text| text.as_str().unwrap());
        for (text, go) in texts.zip(line["m"].as_str().unwrap().bytes()) {
            pairs += 1;
            if matcher.is_match(text) != (go == b'1') {
                differences.push(format!("{pattern:?} on {text:?}: Go says {}", char::from(go)));
            }
        }
    }
    assert!(pairs >= 18_000, "{pairs} pairs");
    assert!(differences.is_empty(), "{} of {pairs} differ:\n{}", differences.len(), differences.join("\n"));
}

#[test]
fn hostile_patterns_compile_within_bounds_or_not_at_all() {
    let nested = format!("{}a{}", "(?:b*".repeat(300), ")*".repeat(300));
    assert_eq!(Matcher::new(&parse(&nested).unwrap()).err(), Some(TooComplex));
    let large = parse(r"(?:\pL\pN){1000}").unwrap();
    assert_eq!(Matcher::new(&large).err(), Some(TooComplex));
    // The time of a backtracking matcher doubles with each letter here.
    let started = cpu_time::ThreadTime::now();
    let matcher = Matcher::new(&parse("^(a|a|aa)*$").unwrap()).unwrap();
    assert!(!matcher.is_match(&format!("{}b", "a".repeat(1_000_000))));
    assert!(started.elapsed().as_secs() < 5, "{:?}", started.elapsed());
}

#[test]
fn names_of_up_to_253_letters_are_tried() {
    let matcher = Matcher::new(&parse(r"^\p{L}{1,253}$").unwrap()).unwrap();
    assert!(matcher.is_match(&"é".repeat(253)));
    assert!(!matcher.is_match(&"é".repeat(254)));
}
