use text::TextSize;

use super::source::Source;
use crate::ast::{Document, Entry, Item, Value, ValueKind};
use crate::syntax::SyntaxKind;

/// The syntax that directly contains a value.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Holder<'t> {
    Root,
    Entry(Entry<'t>),
    /// A dash.
    Item(Item<'t>),
    /// Between brackets.
    Flow,
}

impl<'t> Holder<'t> {
    /// The holder of `value`; `None` if `value` is not in `document`.
    pub(crate) fn of(value: Value<'t>, document: Document<'t>) -> Option<Self> {
        let wanted = value.range();
        let mut holder = Self::Root;
        let mut current = document.root()?;
        loop {
            if current.range() == wanted {
                return Some(holder);
            }
            let next = match current.kind() {
                ValueKind::Mapping(mapping) => {
                    let entry = mapping.entry_before(wanted.start)?;
                    (Self::Entry(entry), entry.value())
                }
                ValueKind::Sequence(sequence) => {
                    let item = sequence.item_before(wanted.start)?;
                    (if sequence.is_flow() { Self::Flow } else { Self::Item(item) }, item.value())
                }
                _ => return None,
            };
            (holder, current) = next;
        }
    }

    /// The end of the colon or dash before the value, including anchors and tags.
    pub(crate) fn end(self) -> Option<TextSize> {
        let node = match self {
            Self::Entry(entry) => entry.syntax(),
            Self::Item(item) => item.syntax()?,
            Self::Root | Self::Flow => return None,
        };
        let colon = node.tokens().find(|token| matches!(token.kind, SyntaxKind::Colon | SyntaxKind::Dash))?;
        let mut after = node.tokens().filter(|token| {
            token.start > colon.start && matches!(token.kind, SyntaxKind::Anchor | SyntaxKind::Tag)
        });
        Some(after.next_back().unwrap_or(colon).range().end)
    }

    /// The column of the key or dash in block style; `None` in flow style.
    pub(crate) fn column(self, source: &Source) -> Option<usize> {
        match self {
            Self::Entry(entry) if entry.syntax().kind() == SyntaxKind::BlockEntry => {
                Some(source.column(entry.range().start))
            }
            Self::Item(item) => Some(source.column(item.range().start)),
            _ => None,
        }
    }
}
