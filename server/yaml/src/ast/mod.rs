//! Typed views of the syntax tree. They borrow the tree, copy freely and compute on demand.

mod scalar;
mod sequence;

use std::borrow::Cow;

use text::{TextRange, TextSize};

use crate::scalar::{ScalarStyle, is_own_text, is_string_on_line};
use crate::syntax::{Element, ElementRef, NodeRef, SyntaxKind, TokenRef};

pub use scalar::Scalar;
pub use sequence::{Item, Sequence};

/// One document of a file.
#[derive(Clone, Copy, Debug)]
pub struct Document<'t> {
    pub(crate) syntax: NodeRef<'t>,
}

impl<'t> Document<'t> {
    /// The syntax node.
    #[must_use]
    pub fn syntax(self) -> NodeRef<'t> {
        self.syntax
    }

    /// The byte range of the document, with its markers and the comments before and after it.
    #[must_use]
    pub fn range(self) -> TextRange {
        self.syntax.range()
    }

    /// The same document with ranges relative to its own start, so that results computed from them stay valid
    /// while only other documents of the file change.
    #[must_use]
    pub fn alone(self) -> Self {
        Self { syntax: self.syntax.alone() }
    }

    /// The value of the document; `None` if nothing is written, not even an anchor or a tag. If broken text
    /// leaves several values, the first mapping or sequence.
    #[must_use]
    pub fn root(self) -> Option<Value<'t>> {
        if let Some(content) = choose_value(self.syntax, &self.syntax.node.elements) {
            return Some(Value { owner: self.syntax, content: Some(content), at: content.range().start });
        }
        let first = self.syntax.tokens().find(|token| token.kind.is_property())?;
        Some(Value { owner: self.syntax, content: None, at: first.start })
    }

    /// The first value in the text.
    pub(crate) fn first_root(self) -> Option<Value<'t>> {
        let first = self.syntax.elements().find(|element| element.kind().is_value());
        match first {
            Some(content) => {
                Some(Value { owner: self.syntax, content: Some(content), at: content.range().start })
            }
            None => self.root(),
        }
    }

    /// Whether it holds nothing but comments and no `---`: such a piece of text is not a document.
    #[must_use]
    pub fn is_blank(self) -> bool {
        self.syntax
            .elements()
            .all(|element| element.kind().is_trivia() || element.kind() == SyntaxKind::DocumentEnd)
    }
}

/// A value and its position: the content after a key, a dash or a marker. The content may be absent, which
/// reads as null.
#[derive(Clone, Copy, Debug)]
pub struct Value<'t> {
    /// The entry, item or document that holds it.
    owner: NodeRef<'t>,
    content: Option<ElementRef<'t>>,
    at: TextSize,
}

/// The kind of a value.
#[derive(Clone, Copy, Debug)]
pub enum ValueKind<'t> {
    /// Keys and values.
    Mapping(Mapping<'t>),
    /// Items.
    Sequence(Sequence<'t>),
    /// Text, which may read as a number, a boolean or null.
    Scalar(Scalar<'t>),
    /// `*name`, as a token.
    Alias(TokenRef<'t>),
    /// Nothing is written: null.
    Absent,
}

impl<'t> Value<'t> {
    /// The mapping or sequence `node` as a value without properties.
    #[must_use]
    pub fn of_node(node: NodeRef<'t>) -> Self {
        Self { owner: node, content: Some(ElementRef::Node(node)), at: node.start }
    }

    /// The kind of the value. Aliases are not followed; [`crate::Reader::follow`] does that.
    #[must_use]
    #[inline]
    pub fn kind(self) -> ValueKind<'t> {
        match self.content {
            None => ValueKind::Absent,
            Some(ElementRef::Node(node)) => match node.kind() {
                SyntaxKind::BlockMapping | SyntaxKind::FlowMapping => {
                    ValueKind::Mapping(Mapping { syntax: node })
                }
                SyntaxKind::FlowEntry => ValueKind::Mapping(Mapping { syntax: node }),
                _ => ValueKind::Sequence(Sequence { syntax: node }),
            },
            Some(ElementRef::Token(token)) => match scalar_style(token.kind) {
                Some(style) => {
                    ValueKind::Scalar(Scalar { token, style, tag: self.tag(), outer: self.outer_column() })
                }
                None => ValueKind::Alias(token),
            },
        }
    }

    /// Whether the value is a mapping in braces or a sequence in brackets.
    #[must_use]
    pub fn is_flow(self) -> bool {
        match self.kind() {
            ValueKind::Mapping(mapping) => mapping.is_flow(),
            ValueKind::Sequence(sequence) => sequence.is_flow(),
            _ => false,
        }
    }

    /// The byte range of the value; an empty range after the colon or dash if the value is absent.
    #[must_use]
    pub fn range(self) -> TextRange {
        match self.content {
            None => TextRange::empty(self.at),
            Some(ElementRef::Token(token)) if token.kind.is_block_scalar() => {
                TextRange::at(token.start, token.text.trim_end_matches(['\n', '\r', ' ']).len() as TextSize)
            }
            Some(element) => element.range(),
        }
    }

    /// The node of a mapping or sequence, with its identity.
    #[must_use]
    #[inline]
    pub fn node(self) -> Option<NodeRef<'t>> {
        match self.content {
            Some(ElementRef::Node(node)) => Some(node),
            _ => None,
        }
    }

    /// The mapping, if the value is a mapping.
    #[must_use]
    #[inline]
    pub fn as_mapping(self) -> Option<Mapping<'t>> {
        // A scalar has no node, so its kind need not be computed.
        self.node()?;
        match self.kind() {
            ValueKind::Mapping(mapping) => Some(mapping),
            _ => None,
        }
    }

    /// The sequence, if the value is a sequence.
    #[must_use]
    #[inline]
    pub fn as_sequence(self) -> Option<Sequence<'t>> {
        self.node()?;
        match self.kind() {
            ValueKind::Sequence(sequence) => Some(sequence),
            _ => None,
        }
    }

    /// The scalar, if the value is a scalar.
    #[must_use]
    #[inline]
    pub fn as_scalar(self) -> Option<Scalar<'t>> {
        match self.kind() {
            ValueKind::Scalar(scalar) => Some(scalar),
            _ => None,
        }
    }

    /// The `*name` token, if the value is an alias.
    #[inline]
    pub(crate) fn alias(self) -> Option<TokenRef<'t>> {
        match self.content {
            Some(ElementRef::Token(token)) if token.kind == SyntaxKind::Alias => Some(token),
            _ => None,
        }
    }

    /// Its `&anchor`.
    #[must_use]
    pub fn anchor(self) -> Option<TokenRef<'t>> {
        let flags = self.owner.node.flags;
        flags.anchors.then(|| self.properties().find(|token| token.kind == SyntaxKind::Anchor))?
    }

    /// Its `!tag`.
    #[must_use]
    #[inline]
    pub fn tag(self) -> Option<TokenRef<'t>> {
        let flags = self.owner.node.flags;
        flags.unusual.then(|| self.properties().find(|token| token.kind == SyntaxKind::Tag))?
    }

    /// Anchors and tags: those directly before the content, or those written without content.
    fn properties(self) -> impl Iterator<Item = TokenRef<'t>> {
        let belongs = |element: &ElementRef<'t>| element.kind().is_trivia() || element.kind().is_property();
        let before = self.content.map(|content| self.owner.elements_before(content.range().start).rev());
        let after = self.content.is_none().then(|| self.owner.elements_from(self.at));
        let elements = before.into_iter().flatten().take_while(belongs);
        let elements = elements.chain(after.into_iter().flatten().take_while(belongs));
        elements.filter_map(|element| match element {
            ElementRef::Token(token) if token.kind.is_property() => Some(token),
            _ => None,
        })
    }

    /// The column from which a block scalar here counts its indentation; -1 at the top.
    fn outer_column(self) -> i32 {
        match self.owner.kind() {
            SyntaxKind::BlockEntry | SyntaxKind::BlockItem => i32::from(self.owner.node.context.column),
            _ => -1,
        }
    }
}

/// Keys and values, in block or flow style.
#[derive(Clone, Copy, Debug)]
pub struct Mapping<'t> {
    syntax: NodeRef<'t>,
}

impl<'t> Mapping<'t> {
    /// The syntax node, with its identity.
    #[must_use]
    pub fn syntax(self) -> NodeRef<'t> {
        self.syntax
    }

    /// The byte range of the mapping.
    #[must_use]
    pub fn range(self) -> TextRange {
        self.syntax.range()
    }

    /// Whether the mapping is written in braces, or is a single pair within brackets.
    #[must_use]
    pub fn is_flow(self) -> bool {
        self.syntax.kind() != SyntaxKind::BlockMapping
    }

    /// The column of the keys in bytes; `None` in flow style.
    #[must_use]
    pub fn column(self) -> Option<usize> {
        (!self.is_flow()).then(|| usize::from(self.syntax.node.context.column))
    }

    /// Its entries in the order of the text, duplicates and unreadable ones included.
    #[inline]
    pub fn entries(self) -> impl DoubleEndedIterator<Item = Entry<'t>> + Clone {
        // A pair in brackets without braces is its own only entry.
        let single = (self.syntax.kind() == SyntaxKind::FlowEntry).then_some(Entry { syntax: self.syntax });
        let nodes = self.syntax.nodes().filter(move |_| single.is_none());
        single.into_iter().chain(
            nodes
                .filter(|node| matches!(node.kind(), SyntaxKind::BlockEntry | SyntaxKind::FlowEntry))
                .map(|syntax| Entry { syntax }),
        )
    }

    /// The entries that touch `range`. Finding them does not walk over the other entries, so a caller with
    /// one range for each entry looks at each entry at most once.
    pub fn entries_touching(self, range: TextRange) -> impl DoubleEndedIterator<Item = Entry<'t>> {
        let is_single = self.syntax.kind() == SyntaxKind::FlowEntry;
        let own = self.syntax.range();
        let single = is_single && own.start <= range.end && range.start <= own.end;
        let single = single.then_some(self.syntax);
        let below = (!is_single).then(|| self.syntax.elements_touching(range));
        let nodes = below.into_iter().flatten().filter_map(|element| match element {
            ElementRef::Node(node) => Some(node),
            ElementRef::Token(_) => None,
        });
        let entries =
            nodes.filter(|node| matches!(node.kind(), SyntaxKind::BlockEntry | SyntaxKind::FlowEntry));
        single.into_iter().chain(entries).map(|syntax| Entry { syntax })
    }

    /// The last entry that starts at or before `offset`, found without a walk, as in [`Self::entries_touching`].
    #[must_use]
    pub fn entry_before(self, offset: TextSize) -> Option<Entry<'t>> {
        self.entries_touching(TextRange::new(self.syntax.start, offset.max(self.syntax.start)))
            .rfind(|entry| entry.range().start <= offset)
    }
}

impl Mapping<'_> {
    /// Whether all keys are plain strings and no key occurs twice, as far as the text alone shows.
    pub(crate) fn has_distinct_keys(self) -> bool {
        let keys = self.entries().map(|entry| entry.plain_key().filter(|key| is_string_on_line(key)));
        keys.collect::<Option<Vec<&str>>>().is_some_and(|mut keys| {
            keys.sort_unstable();
            keys.is_sorted_by(|one, next| one < next)
        })
    }
}

/// Key, colon and value.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'t> {
    syntax: NodeRef<'t>,
}

impl<'t> Entry<'t> {
    /// The syntax node, with its identity.
    #[must_use]
    pub fn syntax(self) -> NodeRef<'t> {
        self.syntax
    }

    /// The byte range of the entry, from the key to the end of the value.
    #[must_use]
    pub fn range(self) -> TextRange {
        self.syntax.range()
    }

    /// The key; absent in `: value` and in unreadable text.
    #[must_use]
    #[inline]
    pub fn key(self) -> Value<'t> {
        match self.simple_key() {
            Some(key) => {
                let content = Some(self.syntax.locate(key));
                Value { owner: self.syntax, content, at: self.syntax.start }
            }
            None => self.unusual_key(),
        }
    }

    /// Whether its key is the merge key `<<`.
    #[must_use]
    pub fn is_merge(self) -> bool {
        self.key().as_scalar().is_some_and(Scalar::is_merge_key)
    }

    fn unusual_key(self) -> Value<'t> {
        let colon = self.colon().map_or(TextSize::MAX, |colon| colon.start);
        let explicit = self.syntax.tokens().next().is_some_and(|first| first.kind == SyntaxKind::Question);
        // A list among the keys of a mapping is not a key.
        let mut found = self.syntax.elements().filter(|element| element.kind().is_value());
        let content = found.next().filter(|element| {
            let alone = explicit || self.is_flow() || matches!(element, ElementRef::Token(_));
            element.range().start < colon && (colon != TextSize::MAX || alone)
        });
        let at = match self.syntax.tokens().next() {
            Some(first) if first.kind == SyntaxKind::Question => first.range().end,
            _ => self.syntax.start,
        };
        Value { owner: self.syntax, content, at }
    }

    /// The key of an entry that starts with `key:`, as nearly all do; [`Self::key`] handles the others.
    #[inline]
    fn simple_key(self) -> Option<&'t Element> {
        match &*self.syntax.node.elements {
            [key, colon, ..] if key.kind.is_scalar() && colon.kind == SyntaxKind::Colon => Some(key),
            _ => None,
        }
    }

    /// The text of a simple key without quotes. A simple key is the first element, so it has no tag.
    #[inline]
    fn plain_key(self) -> Option<&'t str> {
        let key = self.simple_key().filter(|key| key.kind == SyntaxKind::Plain)?;
        match self.syntax.locate(key) {
            ElementRef::Token(token) => Some(token.text),
            ElementRef::Node(_) => None,
        }
    }

    /// Whether the entry is in braces or brackets, where a key needs no colon.
    #[must_use]
    pub fn is_flow(self) -> bool {
        self.syntax.kind() == SyntaxKind::FlowEntry
    }

    /// Whether it is a line that could not be read: it has neither key nor colon.
    #[must_use]
    pub fn is_unreadable(self) -> bool {
        self.colon().is_none()
            && matches!(self.key().kind(), ValueKind::Absent)
            && !self
                .syntax
                .tokens()
                .any(|token| token.kind.is_property() || token.kind == SyntaxKind::Question)
    }

    /// The key as the API server reads it (`y` is `true`, `1e3` is `1000`); `None` if it is null or not a scalar.
    #[must_use]
    #[inline]
    pub fn key_text(self) -> Option<Cow<'t, str>> {
        if let Some(text) = self.plain_key().filter(|text| is_own_text(text)) {
            return Some(Cow::Borrowed(text));
        }
        self.key().as_scalar()?.key_text()
    }

    /// The byte range of the key; if there is no key, the start of the entry.
    #[must_use]
    pub fn key_range(self) -> TextRange {
        self.key().range()
    }

    /// The colon, unless it is missing.
    #[must_use]
    pub fn colon(self) -> Option<TokenRef<'t>> {
        self.syntax.token_of(SyntaxKind::Colon)
    }

    /// The value; absent if nothing is written.
    #[must_use]
    #[inline]
    pub fn value(self) -> Value<'t> {
        if let (Some(_), [_, colon, after @ ..]) = (self.simple_key(), &*self.syntax.node.elements) {
            let at = self.syntax.start + colon.end();
            return Value { owner: self.syntax, content: choose_value(self.syntax, after), at };
        }
        self.unusual_value()
    }

    fn unusual_value(self) -> Value<'t> {
        let key_end = match self.colon() {
            Some(colon) => colon.range().end,
            // Properties without a value are those of the key.
            None if self.key().content.is_none() => self.syntax.range().end,
            None => self.key_range().end,
        };
        let elements = &self.syntax.node.elements;
        let from = elements.partition_point(|element| self.syntax.start + element.start < key_end);
        let after = elements.get(from..).unwrap_or_default();
        Value { owner: self.syntax, content: choose_value(self.syntax, after), at: key_end }
    }
}

/// The value among `elements` of `owner`. If broken text leaves several values, the first block: most likely
/// the author is about to change the text before it.
fn choose_value<'t>(owner: NodeRef<'t>, elements: &'t [Element]) -> Option<ElementRef<'t>> {
    let is_block = |kind| matches!(kind, SyntaxKind::BlockMapping | SyntaxKind::BlockSequence);
    let block = elements.iter().find(|element| is_block(element.kind));
    let value = block.or_else(|| elements.iter().find(|element| element.kind.is_value()))?;
    Some(owner.locate(value))
}

fn scalar_style(kind: SyntaxKind) -> Option<ScalarStyle> {
    Some(match kind {
        SyntaxKind::Plain => ScalarStyle::Plain,
        SyntaxKind::SingleQuoted => ScalarStyle::SingleQuoted,
        SyntaxKind::DoubleQuoted => ScalarStyle::DoubleQuoted,
        SyntaxKind::Literal => ScalarStyle::Literal,
        SyntaxKind::Folded => ScalarStyle::Folded,
        _ => return None,
    })
}
