//! Decides whether a text has a match, as Go's `MatchString` does: the tree of a pattern is lowered to
//! `regex-syntax`'s HIR and run by `regex-automata`.
//!
//! Groups capture nothing: callers need only whether there is a match, or the range of the whole match.

use std::fmt;

use regex_automata::nfa::thompson::WhichCaptures;
use regex_automata::{Input, meta};
use regex_syntax::hir::{Class as HirClass, ClassUnicode, ClassUnicodeRange, Hir, Look, Repetition};

use super::ast::{Node, Regexp};
use super::unicode::simple_fold;

/// The maximum depth of patterns that are run: their compiler uses the stack. Go allows 1,000 levels.
const MAX_DEPTH: usize = 200;
/// The maximum size of a compiled pattern, in bytes. `^\p{L}{1,253}$` takes 7 MiB.
const MAX_COMPILED: usize = 32 << 20;
/// The maximum size of the cache of a lazily built automaton, in bytes.
const MAX_LAZY_CACHE: usize = 1 << 20;

/// A pattern that is ready to run.
#[derive(Clone)]
pub struct Matcher {
    regex: meta::Regex,
}

/// A pattern that Go accepts but that is not run here: it nests too deeply, or would take too much memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooComplex;

impl fmt::Display for TooComplex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("this pattern is too complex to evaluate")
    }
}

impl std::error::Error for TooComplex {}

impl fmt::Debug for Matcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Matcher")
    }
}

impl Matcher {
    /// Compiles a pattern.
    ///
    /// # Errors
    /// If the pattern exceeds our limits, which are narrower than Go's.
    pub fn new(regexp: &Regexp) -> Result<Self, TooComplex> {
        Self::compile(regexp, WhichCaptures::None)
    }

    /// Compiles a pattern for finding the ranges of matches.
    ///
    /// # Errors
    /// If the pattern exceeds our limits, which are narrower than Go's.
    pub(crate) fn with_places(regexp: &Regexp) -> Result<Self, TooComplex> {
        Self::compile(regexp, WhichCaptures::Implicit)
    }

    fn compile(regexp: &Regexp, captures: WhichCaptures) -> Result<Self, TooComplex> {
        let hir = lower(regexp)?;
        let config = meta::Config::new()
            .which_captures(captures)
            .nfa_size_limit(Some(MAX_COMPILED))
            .hybrid_cache_capacity(MAX_LAZY_CACHE);
        let regex = meta::Builder::new().configure(config).build_from_hir(&hir).map_err(|_| TooComplex)?;
        Ok(Self { regex })
    }

    /// Whether some part of `text` matches.
    #[must_use]
    pub fn is_match(&self, text: &str) -> bool {
        self.regex.is_match(text)
    }

    /// The range of the first match at or after byte `from`, for a pattern compiled by `with_places`.
    pub(crate) fn find_at(&self, text: &str, from: usize) -> Option<(usize, usize)> {
        let input = Input::new(text).span(from.min(text.len())..text.len());
        self.regex.find(input).map(|found| (found.start(), found.end()))
    }
}

/// A part of the pattern under construction.
struct HirPart {
    hir: Hir,
    depth: usize,
}

/// The HIR of the whole pattern, built in one pass over the nodes, children before parents.
fn lower(regexp: &Regexp) -> Result<Hir, TooComplex> {
    let mut parts: Vec<Option<HirPart>> = Vec::with_capacity(regexp.nodes().len());
    for node in regexp.nodes() {
        let mut take = |id: &usize| {
            parts.get_mut(*id).and_then(Option::take).unwrap_or(HirPart { hir: Hir::empty(), depth: 0 })
        };
        let part = match node {
            Node::Capture { sub, .. } => take(sub),
            Node::Repeat { sub, min, max, greedy } => {
                let HirPart { hir, depth } = take(sub);
                let repetition = Repetition { min: *min, max: *max, greedy: *greedy, sub: Box::new(hir) };
                HirPart { hir: Hir::repetition(repetition), depth: depth + 1 }
            }
            Node::Concat(subs) => join(subs.iter().map(take).collect(), Hir::concat),
            Node::Alternate(subs) => join(subs.iter().map(take).collect(), Hir::alternation),
            leaf => HirPart { hir: lower_leaf(leaf), depth: 0 },
        };
        if part.depth > MAX_DEPTH {
            return Err(TooComplex);
        }
        parts.push(Some(part));
    }
    Ok(parts.pop().flatten().map_or_else(Hir::empty, |part| part.hir))
}

fn join(parts: Vec<HirPart>, how: fn(Vec<Hir>) -> Hir) -> HirPart {
    let depth = parts.iter().map(|part| part.depth).max().unwrap_or_default();
    HirPart { hir: how(parts.into_iter().map(|part| part.hir).collect()), depth: depth + 1 }
}

fn lower_leaf(node: &Node) -> Hir {
    match node {
        Node::Literal { rune, fold: true } => class(orbit(*rune)),
        Node::Literal { rune, fold: false } => class(vec![(*rune, *rune)]),
        Node::Class(items) => class(items.ranges()),
        Node::Any { newline: true } => class(vec![(0, 0x10_FFFF)]),
        Node::Any { newline: false } => class(vec![(0, 0x9), (0xB, 0x10_FFFF)]),
        Node::LineStart => Hir::look(Look::StartLF),
        Node::LineEnd => Hir::look(Look::EndLF),
        Node::TextStart => Hir::look(Look::Start),
        Node::TextEnd => Hir::look(Look::End),
        Node::WordBoundary => Hir::look(Look::WordAscii),
        Node::NotWordBoundary => Hir::look(Look::WordAsciiNegate),
        Node::Empty | Node::Capture { .. } | Node::Repeat { .. } | Node::Concat(_) | Node::Alternate(_) => {
            Hir::empty()
        }
    }
}

/// `rune`, and all code points that differ from it only in case.
fn orbit(rune: u32) -> Vec<(u32, u32)> {
    let mut all = vec![(rune, rune)];
    let mut next = simple_fold(rune);
    while next != rune {
        all.push((next, next));
        next = simple_fold(next);
    }
    all
}

/// A class of code points without surrogates, which no text contains.
fn class(ranges: Vec<(u32, u32)>) -> Hir {
    const SURROGATES: (u32, u32) = (0xD800, 0xDFFF);
    let below = ranges.iter().map(|&(lo, hi)| (lo, hi.min(SURROGATES.0 - 1)));
    let above = ranges.iter().map(|&(lo, hi)| (lo.max(SURROGATES.1 + 1), hi));
    let chars = below
        .chain(above)
        .filter(|(lo, hi)| lo <= hi)
        .filter_map(|(lo, hi)| Some(ClassUnicodeRange::new(char::from_u32(lo)?, char::from_u32(hi)?)));
    // A class of one code point becomes a literal.
    Hir::class(HirClass::Unicode(ClassUnicode::new(chars)))
}
