//! Sequences and their items.

use text::{TextRange, TextSize};

use super::{Value, choose_value};
use crate::syntax::{ElementRef, NodeRef, SyntaxKind};

/// Items, in block or flow style.
#[derive(Clone, Copy, Debug)]
pub struct Sequence<'t> {
    pub(super) syntax: NodeRef<'t>,
}

impl<'t> Sequence<'t> {
    /// The syntax node, with its identity.
    #[must_use]
    pub fn syntax(self) -> NodeRef<'t> {
        self.syntax
    }

    /// The byte range of the sequence.
    #[must_use]
    pub fn range(self) -> TextRange {
        self.syntax.range()
    }

    /// Whether it is written in brackets.
    #[must_use]
    pub fn is_flow(self) -> bool {
        self.syntax.kind() == SyntaxKind::FlowSequence
    }

    /// The column of the dashes in bytes; `None` in flow style.
    #[must_use]
    pub fn column(self) -> Option<usize> {
        (!self.is_flow()).then(|| usize::from(self.syntax.node.context.column))
    }

    /// The items in the order of the text; lines without a dash are skipped.
    pub fn items(self) -> impl DoubleEndedIterator<Item = Item<'t>> + Clone {
        self.syntax.elements().filter_map(move |element| self.item(element))
    }

    /// The items that touch `range`. Finding them does not walk over the other items.
    pub fn items_touching(self, range: TextRange) -> impl DoubleEndedIterator<Item = Item<'t>> {
        self.syntax.elements_touching(range).filter_map(move |element| self.item(element))
    }

    /// The last item that starts at or before `offset`, found without a walk, as in [`Self::items_touching`].
    #[must_use]
    pub fn item_before(self, offset: TextSize) -> Option<Item<'t>> {
        self.items_touching(TextRange::new(self.syntax.start, offset.max(self.syntax.start)))
            .rfind(|item| item.range().start <= offset)
    }

    /// The item that `element` represents, if any.
    fn item(self, element: ElementRef<'t>) -> Option<Item<'t>> {
        let flow = self.is_flow();
        match element {
            ElementRef::Node(node) if node.kind() == SyntaxKind::BlockItem => {
                node.token_of(SyntaxKind::Dash).map(|_| Item { owner: node, element: None })
            }
            element if flow && (element.kind().is_value() || element.kind() == SyntaxKind::FlowEntry) => {
                Some(Item { owner: self.syntax, element: Some(element) })
            }
            // An anchor or tag without a value.
            element if flow && element.kind().is_property() && self.is_lone_property(element) => {
                Some(Item { owner: self.syntax, element: Some(element) })
            }
            _ => None,
        }
    }

    /// Whether `property` is the first one of an item, and the item has no value.
    fn is_lone_property(self, property: ElementRef<'t>) -> bool {
        let range = property.range();
        let before = self.syntax.elements_before(range.start).rfind(|element| !element.kind().is_trivia());
        let other = |kind: SyntaxKind| !kind.is_trivia() && !kind.is_property();
        let after = self.syntax.elements_from(range.end).find(|element| other(element.kind()));
        let follows = before.is_some_and(|before| before.kind().is_property());
        !follows && !after.is_some_and(|after| after.kind().is_value())
    }
}

/// An item of a sequence.
#[derive(Clone, Copy, Debug)]
pub struct Item<'t> {
    /// The item in block style, the whole sequence in flow style.
    owner: NodeRef<'t>,
    /// The value in flow style.
    element: Option<ElementRef<'t>>,
}

impl<'t> Item<'t> {
    /// The node of the item with its dash; `None` in flow style.
    #[must_use]
    pub fn syntax(self) -> Option<NodeRef<'t>> {
        self.element.is_none().then_some(self.owner)
    }

    /// The byte range of the item, with its dash.
    #[must_use]
    pub fn range(self) -> TextRange {
        self.element.map_or_else(|| self.owner.range(), ElementRef::range)
    }

    /// The value; absent after a lone dash.
    #[must_use]
    pub fn value(self) -> Value<'t> {
        if let Some(property) = self.element.filter(|element| element.kind().is_property()) {
            return Value { owner: self.owner, content: None, at: property.range().start };
        }
        if let Some(element) = self.element {
            return Value { owner: self.owner, content: Some(element), at: element.range().start };
        }
        let content = choose_value(self.owner, &self.owner.node.elements);
        let dash = self.owner.token_of(SyntaxKind::Dash);
        let at = dash.map_or(self.owner.start, |dash| dash.range().end);
        Value { owner: self.owner, content, at }
    }
}
