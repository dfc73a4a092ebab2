use std::sync::Arc;

use text::{TextEdit, TextRange, TextSize};

use crate::ast::Document;
use crate::syntax::{Element, Node, NodeRef, SyntaxError, SyntaxKind};

/// The syntax tree of one file. Cheap to clone; immutable.
#[derive(Clone, Debug)]
pub struct Tree {
    root: Arc<Node>,
}

impl Tree {
    /// Parses `text`. Never fails: unreadable text is in the tree, with an error.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        Self { root: crate::parser::parse(text) }
    }

    /// The tree of the text of one document, with the same nodes. It equals the result of parsing that text,
    /// unless the text begins with `...` or a byte order mark, which have another meaning at the start of a
    /// file.
    #[must_use]
    pub fn of(document: Document<'_>) -> Self {
        let elements = Box::new([Element::node(0, Arc::clone(document.syntax().node()))]);
        Self { root: Arc::new(Node::holding(SyntaxKind::Stream, elements)) }
    }

    /// The tree after `edit`: equals the result of parsing the edited text, and shares every node that the
    /// edit did not touch. `new_text` reads a range of the text after the edit.
    #[must_use]
    pub fn edited(&self, edit: &TextEdit, new_text: &dyn Fn(TextRange) -> String) -> Self {
        Self { root: crate::parser::reparse(&self.root, edit, new_text) }
    }

    /// The same tree with equal nodes of `other`, so that two versions of a file take hardly more memory than
    /// one, and a comparison can skip shared nodes.
    #[must_use]
    pub fn sharing(mut self, other: &Self) -> Self {
        crate::syntax::share(&mut self.root, &other.root);
        self
    }

    /// The whole file.
    #[must_use]
    pub fn root(&self) -> NodeRef<'_> {
        NodeRef { node: &self.root, start: 0 }
    }

    /// Length of the text in bytes.
    #[must_use]
    pub fn len(&self) -> TextSize {
        self.root.len
    }

    /// Whether the text is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.root.len == 0
    }

    /// The documents, without pieces of text that hold only comments.
    pub fn documents(&self) -> impl Iterator<Item = Document<'_>> {
        self.root().nodes().map(|syntax| Document { syntax }).filter(|document| !document.is_blank())
    }

    /// All syntax errors, in the order of their nodes.
    #[must_use]
    pub fn errors(&self) -> Vec<SyntaxError> {
        let mut errors = Vec::new();
        self.root().for_each_error(&mut |error| errors.push(error));
        errors
    }

    /// Whether it is the tree of `text`.
    #[must_use]
    pub fn is_of(&self, text: &str) -> bool {
        let mut rest = Some(text);
        self.root().for_each_text(&mut |token| rest = rest.and_then(|rest| rest.strip_prefix(token)));
        rest == Some("")
    }

    /// The text, byte for byte.
    #[must_use]
    pub fn text(&self) -> String {
        self.root().text()
    }
}
