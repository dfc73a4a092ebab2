//! The tree of a pattern, and its construction from tokens.

use super::class::Class;
use super::error::{Error, ErrorKind};
use super::scan::Scanner;
use super::token::{MAX_REPEAT, Repeat, Token, TokenKind};
use std::ops::Range;

/// A parsed pattern. Each node comes after its children, so that one pass from first to last, without
/// recursion, can transform it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Regexp {
    nodes: Vec<Node>,
}

impl Regexp {
    /// All nodes, children before parents; the last is the whole pattern.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }
}

/// The index of a node in [`Regexp::nodes`].
pub type NodeId = usize;

/// A part of a pattern. Groups that do not capture have no node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// Nothing, as in `()` and `a|`.
    Empty,
    /// One code point; with `\x{D800}`, it may be a surrogate.
    Literal {
        /// The code point.
        rune: u32,
        /// Whether the flag `i` is set.
        fold: bool,
    },
    /// `[a-z]`, `\d`, `\pL`.
    Class(Class),
    /// `.`
    Any {
        /// Whether it matches a line feed (flag `s`).
        newline: bool,
    },
    /// `^` under the flag `m`.
    LineStart,
    /// `$` under the flag `m`.
    LineEnd,
    /// `^`, `\A`
    TextStart,
    /// `$`, `\z`
    TextEnd,
    /// `\b`, of ASCII words
    WordBoundary,
    /// `\B`, of ASCII words
    NotWordBoundary,
    /// `(a)`
    Capture {
        /// The number, from 1, in the order of the opening parentheses.
        index: usize,
        /// The name, if it has one. In Go, several groups may have the same name.
        name: Option<String>,
        /// The captured part.
        sub: NodeId,
    },
    /// `a*`, `a+`, `a?`, `a{2,3}`
    Repeat {
        /// The repeated part.
        sub: NodeId,
        /// The minimum count.
        min: u32,
        /// The maximum count; `None` if it is unlimited.
        max: Option<u32>,
        /// Whether it prefers more repetitions.
        greedy: bool,
    },
    /// A sequence of two or more parts.
    Concat(Vec<NodeId>),
    /// Two or more alternatives, in order of preference.
    Alternate(Vec<NodeId>),
}

/// The result of the construction, with inputs for the limits.
pub(super) struct Outcome {
    pub(super) result: Result<Regexp, Error>,
    /// The byte from which Go reads no tokens, because of an error.
    pub(super) stop: usize,
    /// The greatest product of the counts of nested repetitions.
    pub(super) product: u64,
}

pub(super) fn build(pattern: &str) -> Outcome {
    let mut builder = Builder::default();
    let mut scanner = Scanner::new(pattern);
    let mut stop = pattern.len();
    let result = loop {
        match scanner.next() {
            Err(error) => break Err(error),
            Ok(None) => break builder.finish(pattern),
            Ok(Some(token)) => {
                if let Err(error) = builder.add(pattern, token, &mut stop) {
                    break Err(error);
                }
            }
        }
    };
    let product = builder.product;
    Outcome { result: result.map(|()| Regexp { nodes: builder.nodes }), stop, product }
}

#[derive(Default)]
struct Builder {
    nodes: Vec<Node>,
    open: Vec<OpenGroup>,
    inner: Level,
    captures: usize,
    product: u64,
}

/// An open group, with the unfinished part of the pattern around it.
struct OpenGroup {
    outer: Level,
    capture: Option<(usize, Option<String>)>,
    paren: Range<usize>,
}

/// The part of a group, or of the whole pattern, that was read so far.
#[derive(Default)]
struct Level {
    /// The alternatives before the last `|`.
    alternatives: Vec<ParsedPart>,
    /// The parts after it.
    sequence: Vec<ParsedPart>,
}

#[derive(Clone, Copy)]
struct ParsedPart {
    node: NodeId,
    /// The greatest product of the counts of nested repetitions in it; at least 1.
    product: u64,
}

impl Builder {
    fn add(&mut self, pattern: &str, token: Token, stop: &mut usize) -> Result<(), Error> {
        let flags = token.flags;
        let node = match token.kind {
            TokenKind::Literal(rune) => Node::Literal { rune, fold: flags.fold },
            TokenKind::Class(class) => Node::Class(class),
            TokenKind::Any => Node::Any { newline: flags.dot_all },
            TokenKind::LineStart if flags.multi_line => Node::LineStart,
            TokenKind::LineEnd if flags.multi_line => Node::LineEnd,
            TokenKind::LineStart | TokenKind::TextStart => Node::TextStart,
            TokenKind::LineEnd | TokenKind::TextEnd => Node::TextEnd,
            TokenKind::WordBoundary => Node::WordBoundary,
            TokenKind::NotWordBoundary => Node::NotWordBoundary,
            TokenKind::Capture(name) => {
                self.captures += 1;
                self.open_group(Some((self.captures, name)), token.range);
                return Ok(());
            }
            TokenKind::Group => {
                self.open_group(None, token.range);
                return Ok(());
            }
            TokenKind::Bar => {
                let sequence = std::mem::take(&mut self.inner.sequence);
                let alternative = self.concat(sequence);
                self.inner.alternatives.push(alternative);
                return Ok(());
            }
            TokenKind::Close => return self.close(pattern, token.range, stop),
            TokenKind::Repeat(repeat) => return self.repeat(pattern, repeat, token.range, stop),
        };
        let part = self.push(node, 1);
        self.inner.sequence.push(part);
        Ok(())
    }

    fn push(&mut self, node: Node, product: u64) -> ParsedPart {
        self.nodes.push(node);
        self.product = self.product.max(product);
        ParsedPart { node: self.nodes.len() - 1, product }
    }

    fn open_group(&mut self, capture: Option<(usize, Option<String>)>, paren: Range<usize>) {
        let outer = std::mem::take(&mut self.inner);
        self.open.push(OpenGroup { outer, capture, paren });
    }

    fn close(&mut self, pattern: &str, range: Range<usize>, stop: &mut usize) -> Result<(), Error> {
        let Some(frame) = self.open.pop() else {
            *stop = range.end;
            return Err(Error { kind: ErrorKind::UnexpectedParen, fragment: pattern.to_owned(), range });
        };
        let level = std::mem::replace(&mut self.inner, frame.outer);
        let sub = self.alternate(level);
        let part = match frame.capture {
            Some((index, name)) => self.push(Node::Capture { index, name, sub: sub.node }, sub.product),
            None => sub,
        };
        self.inner.sequence.push(part);
        Ok(())
    }

    fn repeat(
        &mut self,
        pattern: &str,
        repeat: Repeat,
        range: Range<usize>,
        stop: &mut usize,
    ) -> Result<(), Error> {
        let fragment = || pattern.get(range.clone()).unwrap_or_default().to_owned();
        let Some(sub) = self.inner.sequence.pop() else {
            *stop = range.start;
            let (kind, fragment) = (ErrorKind::MissingRepeatArgument, fragment());
            return Err(Error { kind, fragment, range });
        };
        let Repeat { min, max, greedy, .. } = repeat;
        // `*`, `+` and `?` count once. A part that `{0}` repeats does not count.
        let product = match max {
            Some(0) => 1,
            _ => u64::from(max.unwrap_or(min).max(1)) * sub.product,
        };
        let part = self.push(Node::Repeat { sub: sub.node, min, max, greedy }, product);
        let is_counted = min.max(max.unwrap_or(0)) >= 2;
        if is_counted && product > u64::from(MAX_REPEAT) {
            *stop = range.end;
            return Err(Error { kind: ErrorKind::InvalidRepeatSize, fragment: fragment(), range });
        }
        self.inner.sequence.push(part);
        Ok(())
    }

    fn finish(&mut self, pattern: &str) -> Result<(), Error> {
        if let Some(frame) = self.open.pop() {
            let (kind, fragment) = (ErrorKind::MissingParen, pattern.to_owned());
            return Err(Error { kind, fragment, range: frame.paren });
        }
        let level = std::mem::take(&mut self.inner);
        let whole = self.alternate(level);
        debug_assert_eq!(whole.node + 1, self.nodes.len());
        Ok(())
    }

    fn alternate(&mut self, mut level: Level) -> ParsedPart {
        let last = self.concat(level.sequence);
        if level.alternatives.is_empty() {
            return last;
        }
        level.alternatives.push(last);
        let product = greatest(&level.alternatives);
        self.push(Node::Alternate(ids(&level.alternatives)), product)
    }

    fn concat(&mut self, sequence: Vec<ParsedPart>) -> ParsedPart {
        match sequence.as_slice() {
            [] => self.push(Node::Empty, 1),
            [single] => *single,
            _ => self.push(Node::Concat(ids(&sequence)), greatest(&sequence)),
        }
    }
}

fn greatest(parts: &[ParsedPart]) -> u64 {
    parts.iter().map(|part| part.product).max().unwrap_or(1)
}

fn ids(parts: &[ParsedPart]) -> Vec<NodeId> {
    parts.iter().map(|part| part.node).collect()
}
