//! Texts that a pattern matches: `rand_regex` draws them from a tree that is built for short, readable texts.
//!
//! The tree of a pattern differs from that of [`Matcher`](super::Matcher) in two ways. Anchors and word
//! boundaries match everywhere, so that a drawn text may not match and has to be tested. Classes keep only
//! their most readable characters, and repetitions end early, so that the length of the longest text is
//! bounded.

use std::ops::RangeInclusive;

use rand::SeedableRng;
use rand::distr::Distribution;
use rand_xorshift::XorShiftRng;
use regex_syntax::hir::{Class as HirClass, ClassUnicode, ClassUnicodeRange, Hir, Repetition};

use super::ast::{Node, Regexp};
use super::matcher::Matcher;

/// The maximum depth of patterns that texts are drawn from: drawing uses the stack.
const MAX_DEPTH: usize = 200;
/// The length of the longest text that is drawn, in code points.
const MAX_LENGTH: u64 = 4_096;
/// The numbers of repetitions beyond the minimum, tried one after the other.
const STRETCHES: [u32; 5] = [0, 1, 3, 8, 24];
/// The number of texts that are drawn for each of them.
const DRAWS: u64 = 4;
/// The characters of drawn texts, the most readable first.
const READABLE: [(u32, u32); 7] =
    [(0x61, 0x7A), (0x30, 0x39), (0x41, 0x5A), (0x2D, 0x2D), (0x21, 0x7E), (0x20, 0x20), (0xA1, 0x2FF)];

/// At most `most` texts that `regexp` matches, each with a length in `lengths` (code points), short ones
/// first. The same arguments always return the same texts. The result may be empty even if matching texts
/// exist.
#[must_use]
pub fn matching(
    regexp: &Regexp,
    matcher: &Matcher,
    lengths: RangeInclusive<usize>,
    most: usize,
) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let needed = u32::try_from(*lengths.start()).unwrap_or(u32::MAX);
    let stretches = STRETCHES.into_iter().chain((needed > 1).then_some(needed));
    for (stretch, first_seed) in stretches.zip((0..).step_by(DRAWS as usize)) {
        let Some(tree) = lower(regexp, stretch) else { continue };
        let Ok(source) = rand_regex::Regex::with_hir(tree, 0) else { continue };
        // Without choices, there is only one text, and each draw returns it.
        for seed in first_seed..first_seed + DRAWS {
            if found.len() >= most {
                return found;
            }
            let mut random = XorShiftRng::seed_from_u64(seed);
            let drawn: Result<String, _> = source.sample(&mut random);
            let Ok(drawn) = drawn else { continue };
            let text = fitted(drawn, &lengths);
            if lengths.contains(&text.chars().count()) && matcher.is_match(&text) && !found.contains(&text) {
                found.push(text);
            }
        }
    }
    found
}

/// A text with a length within `lengths`: its last character is repeated, or its end is cut.
fn fitted(mut text: String, lengths: &RangeInclusive<usize>) -> String {
    let length = text.chars().count();
    let least = (*lengths.start()).min(MAX_LENGTH as usize);
    if length < least {
        let last = text.chars().next_back().unwrap_or('a');
        text.extend(std::iter::repeat_n(last, least - length));
    } else if let Some((at, _)) = text.char_indices().nth(*lengths.end()) {
        text.truncate(at);
    }
    text
}

/// A part of the tree under construction.
struct HirPart {
    hir: Hir,
    depth: usize,
    /// The length of its longest text, in code points.
    longest: u64,
}

impl HirPart {
    fn leaf(hir: Hir, longest: u64) -> Self {
        Self { hir, depth: 0, longest }
    }
}

/// The tree of the whole pattern, with up to `stretch` repetitions more than the minimum, if they are
/// allowed; `None` if the tree is too deep or all of its texts are too long.
fn lower(regexp: &Regexp, stretch: u32) -> Option<Hir> {
    let mut parts: Vec<Option<HirPart>> = Vec::with_capacity(regexp.nodes().len());
    for node in regexp.nodes() {
        let mut take =
            |id: &usize| parts.get_mut(*id).and_then(Option::take).unwrap_or(HirPart::leaf(Hir::empty(), 0));
        let part = match node {
            Node::Capture { sub, .. } => take(sub),
            Node::Repeat { sub, min, max, .. } => repeated(take(sub), *min, *max, stretch)?,
            Node::Concat(subs) => join(subs.iter().map(take).collect(), Hir::concat, |a, b| a + b),
            Node::Alternate(subs) => join(subs.iter().map(take).collect(), Hir::alternation, u64::max),
            Node::Literal { rune, .. } => class(&[(*rune, *rune)]),
            Node::Class(items) => class(&items.ranges()),
            Node::Any { .. } => class(&[(0x20, 0x7E)]),
            Node::Empty
            | Node::LineStart
            | Node::LineEnd
            | Node::TextStart
            | Node::TextEnd
            | Node::WordBoundary
            | Node::NotWordBoundary => HirPart::leaf(Hir::empty(), 0),
        };
        if part.depth > MAX_DEPTH || part.longest > MAX_LENGTH {
            return None;
        }
        parts.push(Some(part));
    }
    parts.pop().flatten().map(|part| part.hir)
}

fn repeated(part: HirPart, min: u32, max: Option<u32>, stretch: u32) -> Option<HirPart> {
    let fits = MAX_LENGTH.checked_div(part.longest).unwrap_or(1);
    let fits = u32::try_from(fits).unwrap_or(u32::MAX);
    if min > fits && part.longest > 0 {
        return None;
    }
    let wanted = min.saturating_add(stretch).min(max.unwrap_or(u32::MAX));
    // An empty text stays empty however often it is repeated.
    let most = if part.longest == 0 { min.min(1) } else { wanted.min(fits) };
    let min = min.min(most);
    let repetition = Repetition { min, max: Some(most), greedy: true, sub: Box::new(part.hir) };
    let longest = part.longest * u64::from(most);
    Some(HirPart { hir: Hir::repetition(repetition), depth: part.depth + 1, longest })
}

fn join(parts: Vec<HirPart>, how: fn(Vec<Hir>) -> Hir, longest: fn(u64, u64) -> u64) -> HirPart {
    let depth = parts.iter().map(|part| part.depth).max().unwrap_or_default();
    let longest = parts.iter().map(|part| part.longest).fold(0, longest);
    HirPart { hir: how(parts.into_iter().map(|part| part.hir).collect()), depth: depth + 1, longest }
}

/// The most readable characters of canonical ranges of code points.
fn class(ranges: &[(u32, u32)]) -> HirPart {
    let within = |(lo, hi): (u32, u32)| {
        let chars = ranges.iter().filter_map(move |(from, to)| {
            let (lo, hi) = (lo.max(*from), hi.min(*to));
            (lo <= hi).then_some(ClassUnicodeRange::new(char::from_u32(lo)?, char::from_u32(hi)?))
        });
        chars.collect::<Vec<_>>()
    };
    let anything = [(0, 0xD7FF), (0xE000, 0x10_FFFF)];
    let found = READABLE.into_iter().chain(anything).map(within).find(|found| !found.is_empty());
    let class = ClassUnicode::new(found.unwrap_or_default());
    HirPart::leaf(Hir::class(HirClass::Unicode(class)), 1)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::super::parse;
    use super::*;

    fn texts(pattern: &str, lengths: RangeInclusive<usize>) -> Vec<String> {
        let regexp = parse(pattern).unwrap();
        matching(&regexp, &Matcher::new(&regexp).unwrap(), lengths, 8)
    }

    #[test]
    fn texts_match_and_are_short_and_readable() {
        for pattern in [
            "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$",
            r"^arn:aws:iam::\d{12}:role/.+$",
            r"^([0-9]+(\.[0-9]+)?(s|m|h))+$",
            r"^[^\s@]+@[^\s@]+\.[a-z]{2,}$",
            r"(?i)^true|false$",
            r"^#[[:xdigit:]]{6}$",
            r"\bx\b",
            r"^\p{Greek}{2}$",
            "",
            "^$",
        ] {
            let found = texts(pattern, 0..=100);
            assert!(!found.is_empty(), "{pattern}");
            let readable = |text: &String| text.chars().all(|c| c.is_ascii_graphic());
            assert!(pattern.contains("Greek") || found.iter().all(readable), "{pattern}: {found:?}");
        }
        assert_eq!(texts("^a+$", 0..=2), ["a", "aa"]);
    }

    #[test]
    fn texts_have_the_requested_length() {
        assert_eq!(texts("^[a]*$", 12..=12), ["a".repeat(12)]);
        assert_eq!(texts("a", 3..=3), ["aaa"]);
        assert!(texts("^[a-z]{3}$", 4..=9).is_empty(), "the two contradict each other");
        assert!(texts("a^", 0..=9).is_empty(), "nothing matches");
    }

    #[test]
    fn exponential_patterns_terminate() {
        let nested = format!("{}a{}", "(".repeat(150), ")*".repeat(150));
        assert!(texts(&nested, 0..=9).contains(&String::new()));
        let wide = format!("^({}z)$", "a|".repeat(5_000));
        assert!(!texts(&wide, 0..=9).is_empty());
        let long = "(((a{10}){10}){10})+".to_owned();
        assert!(texts(&long, 0..=9_000).iter().all(|text| text.len() <= MAX_LENGTH as usize));
        assert!(texts("(((())*)*)*", 0..=3).contains(&String::new()));
    }
}
