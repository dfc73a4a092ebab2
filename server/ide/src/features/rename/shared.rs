//! Text that several positions share through an anchor.

use text::TextEdit;
use yaml::syntax::ElementRef;
use yaml::{Document, Reader, SyntaxKind};

/// Whether one of `edits` changes the value of an alias.
pub(super) fn is_shared<'t>(document: Document<'t>, reader: &Reader<'t>, edits: &[TextEdit]) -> bool {
    if edits.is_empty() || !document.syntax().node().flags().aliases {
        return false;
    }
    let mut pending = vec![document.syntax()];
    while let Some(node) = pending.pop() {
        for element in node.elements() {
            match element {
                ElementRef::Node(child) => pending.push(child),
                ElementRef::Token(token) if token.kind == SyntaxKind::Alias => {
                    let target = reader.anchor(token);
                    let is_in =
                        |edit: &TextEdit| target.is_some_and(|of| of.range().contains_range(edit.range));
                    if edits.iter().any(is_in) {
                        return true;
                    }
                }
                ElementRef::Token(_) => {}
            }
        }
    }
    false
}
