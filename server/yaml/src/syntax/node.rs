use std::hash::{Hash, Hasher};
use std::sync::Arc;

use rustc_hash::FxHasher;
use text::{TextRange, TextSize};

use super::{SyntaxError, SyntaxKind};

/// What surrounds a block node as far as its reading depends on it. Two nodes with equal kind, context and text
/// (up to their look-ahead) are equal: that is what makes them reusable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Context {
    /// The node's own column, in bytes.
    pub column: u16,
    /// Of a block one more than the column of the parent block, 0 at the top. Of the entry that stands first in a
    /// document 1, of other entries and items 0.
    pub outer: u16,
}

/// What is somewhere below a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Flags {
    /// A syntax error for which the API server refuses the text, or reads something else than the tree.
    pub errors: bool,
    /// A syntax error that the API server does not mind.
    pub remarks: bool,
    /// An anchor.
    pub anchors: bool,
    /// An alias.
    pub aliases: bool,
    /// A tag, a number that JSON cannot say, or a key that may be no string.
    pub unusual: bool,
}

impl Flags {
    /// The flags of a node of `kind` with these elements, errors and tokens.
    pub(crate) fn of(kind: SyntaxKind, elements: &[Element], errors: &[SyntaxError], text: &str) -> Self {
        let mut flags = Self::default();
        for error in errors {
            let minded = error.kind.verdict().server_refuses() || error.kind.is_misread();
            flags.errors |= minded;
            flags.remarks |= !minded;
        }
        elements.iter().for_each(|element| flags.note(element, text));
        if matches!(kind, SyntaxKind::BlockEntry | SyntaxKind::FlowEntry) {
            let first = elements.first().map(|element| element.kind);
            let simple = matches!(
                first,
                Some(SyntaxKind::Plain | SyntaxKind::SingleQuoted | SyntaxKind::DoubleQuoted)
            );
            flags.unusual |= !simple;
        }
        flags
    }

    /// Whether there is a syntax error of any kind.
    pub(crate) fn any_error(self) -> bool {
        self.errors || self.remarks
    }

    fn note(&mut self, element: &Element, text: &str) {
        match element.content() {
            Content::Node(node) => {
                self.errors |= node.flags.errors;
                self.remarks |= node.flags.remarks;
                self.anchors |= node.flags.anchors;
                self.aliases |= node.flags.aliases;
                self.unusual |= node.flags.unusual;
            }
            Content::Token(at) => match element.kind {
                SyntaxKind::Anchor => self.anchors = true,
                SyntaxKind::Alias => self.aliases = true,
                SyntaxKind::Tag => self.unusual = true,
                SyntaxKind::Plain => {
                    let range = TextRange::at(at, element.len).as_usize();
                    self.unusual |= text.as_bytes().get(range).is_some_and(is_unusual);
                }
                _ => {}
            },
        }
    }
}

/// Whether a plain scalar may be null, a merge key, infinite, no number or too large for a key.
fn is_unusual(plain: &[u8]) -> bool {
    match plain {
        [] | b"~" | b"<<" | b"null" | b"Null" | b"NULL" => true,
        [b'.' | b'+' | b'-', .., last] => plain.len() <= 5 && matches!(last, b'f' | b'F' | b'n' | b'N'),
        [b'0'..=b'9', ..] => plain.len() >= 16,
        _ => false,
    }
}

/// A piece of the tree: kind, length, and the tokens and nodes in it. Owns the text of its tokens, knows nothing of
/// where it stands.
#[derive(Debug)]
pub struct Node {
    pub(crate) kind: SyntaxKind,
    pub(crate) flags: Flags,
    pub(crate) context: Context,
    pub(crate) len: TextSize,
    hash: u64,
    /// How many bytes behind its end decided what it is; the end of the text counts as one byte.
    pub(crate) lookahead: TextSize,
    pub(crate) elements: Box<[Element]>,
    /// The texts of the direct tokens, one after another.
    pub(crate) text: Box<str>,
    pub(crate) errors: Box<[SyntaxError]>,
}

/// A token or a node within a node.
#[derive(Clone, Debug)]
pub struct Element {
    pub(crate) start: TextSize,
    pub(crate) len: TextSize,
    pub(crate) kind: SyntaxKind,
    /// Of a token: where its text starts in the node's text.
    at: TextSize,
    /// Beside `at` and not instead of it, as an enum of both would take eight bytes more.
    node: Option<Arc<Node>>,
}

/// Most of a tree's memory is elements. Where pointers have 32 bits, as in WebAssembly, they are smaller.
const _: () = assert!(size_of::<Element>() == 16 + size_of::<usize>());

#[derive(Clone, Copy, Debug)]
pub(crate) enum Content<'e> {
    /// Where the token's text starts in the node's text.
    Token(TextSize),
    Node(&'e Arc<Node>),
}

impl Element {
    pub(crate) fn token(kind: SyntaxKind, start: TextSize, len: TextSize, at: TextSize) -> Self {
        Self { start, len, kind, at, node: None }
    }

    pub(crate) fn node(start: TextSize, node: Arc<Node>) -> Self {
        Self { start, len: node.len, kind: node.kind, at: 0, node: Some(node) }
    }

    #[inline]
    pub(crate) fn content(&self) -> Content<'_> {
        self.node.as_ref().map_or(Content::Token(self.at), Content::Node)
    }

    pub(crate) fn into_node(self) -> Option<Arc<Node>> {
        self.node
    }

    /// The node, to be replaced by one that is alike.
    pub(super) fn node_mut(&mut self) -> Option<&mut Arc<Node>> {
        self.node.as_mut()
    }

    /// Moves a token's text behind text that other tokens have put before it.
    pub(crate) fn shift_text(&mut self, by: TextSize) {
        if self.node.is_none() {
            self.at += by;
        }
    }

    pub(crate) fn end(&self) -> TextSize {
        self.start + self.len
    }
}

impl Node {
    /// One of that kind in that context, with its length in bytes and its look-ahead.
    pub(crate) fn new(
        (kind, context): (SyntaxKind, Context),
        (len, lookahead): (TextSize, TextSize),
        elements: Box<[Element]>,
        text: Box<str>,
        errors: Box<[SyntaxError]>,
    ) -> Self {
        let flags = Flags::of(kind, &elements, &errors, &text);
        let hash = hash(kind, &elements, &text);
        Self { kind, flags, context, len, hash, lookahead, elements, text, errors }
    }

    /// One that only holds others, which cover it.
    pub(crate) fn holding(kind: SyntaxKind, elements: Box<[Element]>) -> Self {
        let len = elements.last().map_or(0, Element::end);
        Self::new((kind, Context::default()), (len, 0), elements, Box::default(), Box::default())
    }

    /// A hash of its text and of how that is read. Nodes of other texts have other hashes, but for chance.
    #[must_use]
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// What it is.
    #[must_use]
    pub fn kind(&self) -> SyntaxKind {
        self.kind
    }

    /// Length in bytes.
    #[must_use]
    pub fn len(&self) -> TextSize {
        self.len
    }

    /// Whether it covers no text.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// What is somewhere below it.
    #[must_use]
    pub fn flags(&self) -> Flags {
        self.flags
    }

    /// Bytes of memory that it and all below it take; shared nodes count each time.
    #[must_use]
    pub fn memory(&self) -> usize {
        let own = size_of::<Self>() + 2 * size_of::<usize>() + self.text.len();
        let below = self.elements.iter().map(|element| match element.content() {
            Content::Token(_) => size_of::<Element>(),
            Content::Node(node) => size_of::<Element>() + node.memory(),
        });
        own + self.errors.len() * size_of::<SyntaxError>() + below.sum::<usize>()
    }

    /// Whether `self` and `other` are alike in all that a reader can see (not in their look-ahead).
    #[must_use]
    pub fn same_as(&self, other: &Self) -> bool {
        self.hash == other.hash
            && self.kind == other.kind
            && self.flags == other.flags
            && self.context == other.context
            && self.len == other.len
            && self.text == other.text
            && self.errors == other.errors
            && self.elements.len() == other.elements.len()
            && self.elements.iter().zip(&other.elements).all(|(a, b)| {
                (a.start, a.len, a.kind) == (b.start, b.len, b.kind)
                    && match (a.content(), b.content()) {
                        (Content::Token(a), Content::Token(b)) => a == b,
                        (Content::Node(a), Content::Node(b)) => Arc::ptr_eq(a, b) || a.same_as(b),
                        _ => false,
                    }
            })
    }
}

/// The [`Node::hash`], from the hashes of the nodes within: an edit costs the nodes above it.
fn hash(kind: SyntaxKind, elements: &[Element], text: &str) -> u64 {
    let mut hasher = FxHasher::default();
    kind.hash(&mut hasher);
    text.hash(&mut hasher);
    for element in elements {
        element.kind.hash(&mut hasher);
        match element.content() {
            Content::Token(_) => element.len.hash(&mut hasher),
            Content::Node(node) => node.hash.hash(&mut hasher),
        }
    }
    hasher.finish()
}

/// A node at its place in the text.
#[derive(Clone, Copy, Debug)]
pub struct NodeRef<'t> {
    pub(crate) node: &'t Arc<Node>,
    pub(crate) start: TextSize,
}

/// A token at its place in the text.
#[derive(Clone, Copy, Debug)]
pub struct TokenRef<'t> {
    /// What it is.
    pub kind: SyntaxKind,
    /// Its text, as it stands in the source.
    pub text: &'t str,
    /// Where it starts, in bytes.
    pub start: TextSize,
}

/// A token or node at its place in the text.
#[derive(Clone, Copy, Debug)]
pub enum ElementRef<'t> {
    /// A token.
    Token(TokenRef<'t>),
    /// A node.
    Node(NodeRef<'t>),
}

impl<'t> NodeRef<'t> {
    /// The node itself. Its address is its identity: it lasts as long as the text below it stays untouched.
    #[must_use]
    #[inline]
    pub fn node(self) -> &'t Arc<Node> {
        self.node
    }

    /// The same where nothing stands in front of it.
    #[must_use]
    pub fn alone(self) -> Self {
        Self { start: 0, ..self }
    }

    /// What it is.
    #[must_use]
    #[inline]
    pub fn kind(self) -> SyntaxKind {
        self.node.kind
    }

    /// Where it stands, in bytes.
    #[must_use]
    #[inline]
    pub fn range(self) -> TextRange {
        TextRange::at(self.start, self.node.len)
    }

    /// What it consists of, in order and without gaps.
    #[inline]
    pub fn elements(self) -> impl DoubleEndedIterator<Item = ElementRef<'t>> + Clone {
        self.node.elements.iter().map(move |element| self.locate(element))
    }

    /// The elements that start before `offset`.
    pub(crate) fn elements_before(self, offset: TextSize) -> impl DoubleEndedIterator<Item = ElementRef<'t>> {
        let within = offset.saturating_sub(self.start);
        let count = self.node.elements.partition_point(|element| element.start < within);
        self.node.elements.iter().take(count).map(move |element| self.locate(element))
    }

    /// The elements that start at `offset` or behind it.
    pub(crate) fn elements_from(self, offset: TextSize) -> impl Iterator<Item = ElementRef<'t>> {
        let within = offset.saturating_sub(self.start);
        let count = self.node.elements.partition_point(|element| element.start < within);
        self.node.elements.iter().skip(count).map(move |element| self.locate(element))
    }

    /// How many elements stand directly below.
    #[must_use]
    pub fn width(self) -> usize {
        self.node.elements.len()
    }

    /// The elements that touch `range`, in order: the others are not looked at, however many they are.
    pub fn elements_touching(
        self,
        range: TextRange,
    ) -> impl DoubleEndedIterator<Item = ElementRef<'t>> + Clone {
        let elements = &self.node.elements;
        let within = |offset: TextSize| offset.checked_sub(self.start);
        let first =
            within(range.start).map_or(0, |from| elements.partition_point(|element| element.end() < from));
        let end = within(range.end).map_or(0, |to| elements.partition_point(|element| element.start <= to));
        let touching = elements.get(first..end).unwrap_or_default();
        touching.iter().map(move |element| self.locate(element))
    }

    /// The nodes directly below.
    #[inline]
    pub fn nodes(self) -> impl DoubleEndedIterator<Item = Self> + Clone {
        self.node.elements.iter().filter_map(move |element| {
            Some(NodeRef { node: element.node.as_ref()?, start: self.start + element.start })
        })
    }

    /// The tokens directly below.
    #[inline]
    pub fn tokens(self) -> impl DoubleEndedIterator<Item = TokenRef<'t>> + Clone {
        self.node
            .elements
            .iter()
            .filter(|element| element.node.is_none())
            .map(move |element| self.token(element))
    }

    /// The first token of `kind` directly below.
    pub(crate) fn token_of(self, kind: SyntaxKind) -> Option<TokenRef<'t>> {
        let found = self.node.elements.iter().find(|element| element.kind == kind && element.node.is_none());
        found.map(|element| self.token(element))
    }

    /// The element that holds `offset`, or the last one that ends there.
    #[must_use]
    pub fn element_at(self, offset: TextSize) -> Option<ElementRef<'t>> {
        let within = offset.checked_sub(self.start)?;
        let index = self.node.elements.partition_point(|element| element.start <= within);
        let element = self.node.elements.get(index.checked_sub(1)?)?;
        (within <= element.end()).then(|| self.locate(element))
    }

    /// The text, byte for byte.
    #[must_use]
    pub fn text(self) -> String {
        let mut all = String::with_capacity(self.range().len() as usize);
        self.for_each_text(&mut |text| all.push_str(text));
        all
    }

    /// Calls `visit` with the text of each token, from the first to the last.
    pub fn for_each_text(self, visit: &mut dyn FnMut(&str)) {
        for element in self.elements() {
            match element {
                ElementRef::Token(token) => visit(token.text),
                ElementRef::Node(node) => node.for_each_text(visit),
            }
        }
    }

    /// Calls `visit` for each error here and below, by node; ranges are absolute.
    pub fn for_each_error(self, visit: &mut dyn FnMut(SyntaxError)) {
        if !self.node.flags.any_error() {
            return;
        }
        for error in &self.node.errors {
            visit(SyntaxError { kind: error.kind, range: error.range.shifted(self.start) });
        }
        self.nodes().for_each(|node| node.for_each_error(visit));
    }

    /// One of its elements at its place.
    #[inline]
    pub(crate) fn locate(self, element: &'t Element) -> ElementRef<'t> {
        match &element.node {
            Some(node) => ElementRef::Node(NodeRef { node, start: self.start + element.start }),
            None => ElementRef::Token(self.token(element)),
        }
    }

    #[inline]
    fn token(self, element: &'t Element) -> TokenRef<'t> {
        let text = self.node.text.get(TextRange::at(element.at, element.len).as_usize()).unwrap_or_default();
        TokenRef { kind: element.kind, text, start: self.start + element.start }
    }
}

impl TokenRef<'_> {
    /// Where it stands, in bytes.
    #[must_use]
    pub fn range(self) -> TextRange {
        TextRange::at(self.start, self.text.len() as TextSize)
    }
}

impl ElementRef<'_> {
    /// What it is.
    #[must_use]
    pub fn kind(self) -> SyntaxKind {
        match self {
            Self::Token(token) => token.kind,
            Self::Node(node) => node.kind(),
        }
    }

    /// Where it stands, in bytes.
    #[must_use]
    pub fn range(self) -> TextRange {
        match self {
            Self::Token(token) => token.range(),
            Self::Node(node) => node.range(),
        }
    }
}
