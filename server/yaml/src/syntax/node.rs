use std::hash::{Hash, Hasher};
use std::sync::Arc;

use rustc_hash::FxHasher;
use text::{TextRange, TextSize};

use super::{SyntaxError, SyntaxKind};

/// The surroundings of a block node, as far as its parse depends on them. Two nodes with equal kind, context
/// and text (up to their look-ahead) are equal, so one can be reused for the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Context {
    /// The node's own column, in bytes.
    pub column: u16,
    /// For a block, the column of the parent block plus one, or 0 at the top. For the first entry of a
    /// document, 1. For other entries and items, 0.
    pub outer: u16,
}

/// Properties of the nodes below a node, at any depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Flags {
    /// A syntax error for which the API server rejects the text, or reads another value than the tree contains.
    pub errors: bool,
    /// A syntax error that the API server accepts.
    pub remarks: bool,
    /// An anchor.
    pub anchors: bool,
    /// An alias.
    pub aliases: bool,
    /// A tag, a number that JSON cannot represent, or a key that may not be a string.
    pub unusual: bool,
    /// A plain scalar that ends with a quote or a comma.
    pub ends_in_sign: bool,
}

impl Flags {
    /// The flags of a node of `kind` with these elements and errors, and with `text` as the text of its tokens.
    pub(crate) fn of(kind: SyntaxKind, elements: &[Element], errors: &[SyntaxError], text: &str) -> Self {
        let mut flags = Self::default();
        for error in errors {
            let minded = error.kind.verdict().server_rejects() || error.kind.is_misread();
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
                self.ends_in_sign |= node.flags.ends_in_sign;
            }
            Content::Token(at) => match element.kind {
                SyntaxKind::Anchor => self.anchors = true,
                SyntaxKind::Alias => self.aliases = true,
                SyntaxKind::Tag => self.unusual = true,
                SyntaxKind::Plain => {
                    let range = TextRange::at(at, element.len).as_usize();
                    let plain = text.as_bytes().get(range).unwrap_or_default();
                    self.unusual |= is_unusual(plain);
                    self.ends_in_sign |= ends_in_sign(plain);
                }
                _ => {}
            },
        }
    }
}

/// Whether a plain scalar may be null, a merge key, infinite, not a number, or too large for a key.
fn is_unusual(plain: &[u8]) -> bool {
    match plain {
        [] | b"~" | b"<<" | b"null" | b"Null" | b"NULL" => true,
        [b'.' | b'+' | b'-', .., last] => plain.len() <= 5 && matches!(last, b'f' | b'F' | b'n' | b'N'),
        [b'0'..=b'9', ..] => plain.len() >= 16,
        _ => false,
    }
}

/// Whether a plain scalar may end with a quote, also a typographic one, or a comma.
fn ends_in_sign(plain: &[u8]) -> bool {
    // The typographic quotes end with the bytes 0x9C and 0x9D in UTF-8, as do other characters.
    matches!(plain, [.., b'"' | b'\'' | b',' | 0x9C | 0x9D])
}

/// A piece of the tree: kind, length, and the tokens and nodes in it. Owns the text of its tokens, and does
/// not know its position.
#[derive(Debug)]
pub struct Node {
    pub(crate) kind: SyntaxKind,
    pub(crate) flags: Flags,
    pub(crate) context: Context,
    pub(crate) len: TextSize,
    hash: u64,
    /// How many bytes after its end the parse depended on; the end of the text counts as one byte.
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
    /// For a token, the offset of its text in the node's text.
    at: TextSize,
    /// A separate field, because an enum of both would take eight bytes more.
    node: Option<Arc<Node>>,
}

/// Elements take most of a tree's memory. With 32-bit pointers, as in WebAssembly, they are smaller.
const _: () = assert!(size_of::<Element>() == 16 + size_of::<usize>());

#[derive(Clone, Copy, Debug)]
pub(crate) enum Content<'e> {
    /// The offset of the token's text in the node's text.
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

    /// The node, so that the caller can replace it with an equal one.
    pub(super) fn node_mut(&mut self) -> Option<&mut Arc<Node>> {
        self.node.as_mut()
    }

    /// Moves a token's text after the text of other tokens, which was inserted before it.
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
    /// A node of this kind in this context. Its length and its look-ahead are in bytes.
    pub(crate) fn new(
        kind: SyntaxKind,
        context: Context,
        len: TextSize,
        lookahead: TextSize,
        elements: Box<[Element]>,
        text: Box<str>,
        errors: Box<[SyntaxError]>,
    ) -> Self {
        let flags = Flags::of(kind, &elements, &errors, &text);
        let hash = hash(kind, &elements, &text);
        Self { kind, flags, context, len, hash, lookahead, elements, text, errors }
    }

    /// A node that contains only nodes, which cover it.
    pub(crate) fn holding(kind: SyntaxKind, elements: Box<[Element]>) -> Self {
        let len = elements.last().map_or(0, Element::end);
        Self::new(kind, Context::default(), len, 0, elements, Box::default(), Box::default())
    }

    /// A hash of the text and of how it is read. Nodes with other texts have other hashes, except for collisions.
    #[must_use]
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// The kind of node.
    #[must_use]
    pub fn kind(&self) -> SyntaxKind {
        self.kind
    }

    /// The length in bytes.
    #[must_use]
    pub fn len(&self) -> TextSize {
        self.len
    }

    /// Whether the node covers no text.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Properties of the nodes below it, at any depth.
    #[must_use]
    pub fn flags(&self) -> Flags {
        self.flags
    }

    /// The bytes of memory that the node and all nodes below it take; shared nodes count each time.
    #[must_use]
    pub fn memory(&self) -> usize {
        let own = size_of::<Self>() + 2 * size_of::<usize>() + self.text.len();
        let below = self.elements.iter().map(|element| match element.content() {
            Content::Token(_) => size_of::<Element>(),
            Content::Node(node) => size_of::<Element>() + node.memory(),
        });
        own + self.errors.len() * size_of::<SyntaxError>() + below.sum::<usize>()
    }

    /// Whether `self` and `other` are equal except for their look-ahead.
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

/// The [`Node::hash`], computed from the hashes of the child nodes: an edit requires new hashes only for its
/// ancestors.
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

/// A node at its position in the text.
#[derive(Clone, Copy, Debug)]
pub struct NodeRef<'t> {
    pub(crate) node: &'t Arc<Node>,
    pub(crate) start: TextSize,
}

/// A token at its position in the text.
#[derive(Clone, Copy, Debug)]
pub struct TokenRef<'t> {
    /// The kind of token.
    pub kind: SyntaxKind,
    /// The source text of the token.
    pub text: &'t str,
    /// The start offset in bytes.
    pub start: TextSize,
}

/// A token or node at its position in the text.
#[derive(Clone, Copy, Debug)]
pub enum ElementRef<'t> {
    /// A token.
    Token(TokenRef<'t>),
    /// A node.
    Node(NodeRef<'t>),
}

impl<'t> NodeRef<'t> {
    /// The node itself. Its address is its identity, which stays the same as long as the text below it is
    /// unchanged.
    #[must_use]
    #[inline]
    pub fn node(self) -> &'t Arc<Node> {
        self.node
    }

    /// The same node at offset 0.
    #[must_use]
    pub fn alone(self) -> Self {
        Self { start: 0, ..self }
    }

    /// The kind of node.
    #[must_use]
    #[inline]
    pub fn kind(self) -> SyntaxKind {
        self.node.kind
    }

    /// The range in bytes.
    #[must_use]
    #[inline]
    pub fn range(self) -> TextRange {
        TextRange::at(self.start, self.node.len)
    }

    /// The elements in order, without gaps.
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

    /// The elements that start at or after `offset`.
    pub(crate) fn elements_from(self, offset: TextSize) -> impl Iterator<Item = ElementRef<'t>> {
        let within = offset.saturating_sub(self.start);
        let count = self.node.elements.partition_point(|element| element.start < within);
        self.node.elements.iter().skip(count).map(move |element| self.locate(element))
    }

    /// The number of elements directly below.
    #[must_use]
    pub fn width(self) -> usize {
        self.node.elements.len()
    }

    /// The elements that touch `range`, in order. Other elements are not visited, however many there are.
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

    /// The element that contains `offset`, or the last one that ends there.
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

    /// Calls `visit` for each error in this node and below, node by node; ranges are absolute.
    pub fn for_each_error(self, visit: &mut dyn FnMut(SyntaxError)) {
        if !self.node.flags.any_error() {
            return;
        }
        for error in &self.node.errors {
            visit(SyntaxError { kind: error.kind, range: error.range.shifted(self.start) });
        }
        self.nodes().for_each(|node| node.for_each_error(visit));
    }

    /// One of the elements at its position.
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
    /// The range in bytes.
    #[must_use]
    pub fn range(self) -> TextRange {
        TextRange::at(self.start, self.text.len() as TextSize)
    }
}

impl ElementRef<'_> {
    /// The kind of token or node.
    #[must_use]
    pub fn kind(self) -> SyntaxKind {
        match self {
            Self::Token(token) => token.kind,
            Self::Node(node) => node.kind(),
        }
    }

    /// The range in bytes.
    #[must_use]
    pub fn range(self) -> TextRange {
        match self {
            Self::Token(token) => token.range(),
            Self::Node(node) => node.range(),
        }
    }
}
