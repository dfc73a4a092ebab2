//! Actions of text templates such as Helm's: `{{ … }}` outside quotes, block scalars and comments. A line with nothing but a variable
//! of envsubst is one, too.

use yaml::syntax::ElementRef;
use yaml::{NodeRef, SyntaxKind};

/// Whether `node` is an action in the place of a value or a line: YAML reads `{{` as two opening braces.
pub(crate) fn is_action(node: NodeRef<'_>) -> bool {
    let mut elements = node.elements();
    let first = elements.next().map(|element| element.kind());
    first == Some(SyntaxKind::LeftBrace) && elements.next().is_some_and(|second| leads_with_brace(second))
}

/// Whether `document` contains an action in the place of a value. It may be valid YAML nevertheless:
/// `a: {{ .b }}`.
#[must_use]
pub fn holds_action(document: yaml::Document<'_>) -> bool {
    let mut pending = vec![document.syntax()];
    while let Some(node) = pending.pop() {
        if is_action(node) {
            return true;
        }
        pending.extend(node.nodes());
    }
    false
}

/// Whether a part of the tree with errors contains an action. Visits only nodes with errors.
pub(crate) fn has_broken_action(node: NodeRef<'_>) -> bool {
    if !node.node().flags().errors {
        return false;
    }
    is_action(node)
        || is_variable_line(node)
        || node.elements().any(|element| match element {
            ElementRef::Node(child) => is_action(child) || has_broken_action(child),
            ElementRef::Token(token) => {
                token.kind == SyntaxKind::Garbage && token.text.trim_start().starts_with("{{")
            }
        })
}

/// Whether `node` is an entry without a colon that consists of a variable, such as `${LABELS}`, in place of which envsubst inserts lines.
/// Without braces, only the capitals of environment variables count: `$patch` is a key that is being typed.
fn is_variable_line(node: NodeRef<'_>) -> bool {
    let mut tokens = node.elements().filter(|element| element.kind() != SyntaxKind::Whitespace);
    let (Some(ElementRef::Token(token)), None) = (tokens.next(), tokens.next()) else { return false };
    let is_entry = matches!(node.kind(), SyntaxKind::BlockEntry) && token.kind == SyntaxKind::Plain;
    let Some(name) = token.text.strip_prefix('$').filter(|_| is_entry) else { return false };
    match name.strip_prefix('{') {
        Some(inner) => inner.strip_suffix('}').is_some_and(|name| !name.is_empty()),
        None => name.len() > 1 && name.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_'),
    }
}

fn leads_with_brace(mut element: ElementRef<'_>) -> bool {
    loop {
        match element {
            ElementRef::Token(token) => return token.kind == SyntaxKind::LeftBrace,
            ElementRef::Node(node) => match node.elements().next() {
                Some(first) => element = first,
                None => return false,
            },
        }
    }
}
