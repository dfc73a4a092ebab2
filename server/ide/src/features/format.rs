//! Formatting of the spaces in definitions, as in the edits of crd-ls. Order, indentation, quotes and
//! comments do not change.

use crd::object::definitions;
use text::{TextEdit, TextRange, TextSize};
use yaml::syntax::ElementRef;
use yaml::{Document, NodeRef, Reader, SyntaxKind, TokenRef, Tree, Value};

/// Sorted edits for the definitions of `tree` that touch `range`. Documents with a syntax error do not
/// change, because incomplete text may be meant differently. JSON does not change either.
pub(crate) fn format(tree: &Tree, range: TextRange) -> Vec<TextEdit> {
    let documents = tree.documents().filter(|document| document.range().overlaps(range));
    let mut edits: Vec<TextEdit> = documents.filter(|document| is_ours(*document)).flat_map(edits).collect();
    edits.retain(|edit| range.touches(edit.range.start) && range.touches(edit.range.end));
    edits
}

fn is_ours(document: Document<'_>) -> bool {
    let mut is_broken = false;
    document.syntax().for_each_error(&mut |_| is_broken = true);
    let is_block = document.root().and_then(Value::as_mapping).is_some_and(|root| !root.is_flow());
    !is_broken && is_block && !definitions(document, &Reader::new(document)).is_empty()
}

fn edits(document: Document<'_>) -> Vec<TextEdit> {
    let mut format = Format { before: None, blanks: None, edits: Vec::new() };
    format.node(document.syntax());
    format.edits
}

struct Format<'t> {
    /// The last token other than white space.
    before: Option<TokenRef<'t>>,
    /// The white space after `before`.
    blanks: Option<TokenRef<'t>>,
    edits: Vec<TextEdit>,
}

impl<'t> Format<'t> {
    fn node(&mut self, node: NodeRef<'t>) {
        for element in node.elements() {
            match element {
                ElementRef::Node(node) => self.node(node),
                ElementRef::Token(token) if token.kind == SyntaxKind::Whitespace => {
                    self.line_ends(token);
                    self.blanks = Some(token);
                }
                ElementRef::Token(token) => self.token(token),
            }
        }
    }

    fn token(&mut self, token: TokenRef<'t>) {
        let blanks = self.blanks.take();
        if token.kind == SyntaxKind::Comment {
            let kept = token.text.trim_end_matches([' ', '\t']).len();
            self.replace(token.start + kept as TextSize, &token.text[kept..], "");
        }
        if let Some(before) = self.before.replace(token) {
            let written = blanks.map_or("", |blanks| blanks.text);
            if !written.contains(['\n', '\r'])
                && let Some(wanted) = white_space_between(before.kind, written, token.kind)
            {
                self.replace(before.range().end, written, wanted);
            }
        }
    }

    /// Removes blanks at the ends of lines.
    fn line_ends(&mut self, token: TokenRef<'t>) {
        let mut start = token.start;
        for line in token.text.split_inclusive('\n') {
            if let Some(content) = line.strip_suffix('\n') {
                let content = content.strip_suffix('\r').unwrap_or(content);
                let kept = content.trim_end_matches([' ', '\t']).len();
                self.replace(start + kept as TextSize, content.get(kept..).unwrap_or_default(), "");
            }
            start += line.len() as TextSize;
        }
    }

    fn replace(&mut self, start: TextSize, written: &str, wanted: &str) {
        if written != wanted {
            self.edits.push(TextEdit::replace(TextRange::at(start, written.len() as TextSize), wanted));
        }
    }
}

/// The white space between two tokens of one line; `None` if the author decides.
fn white_space_between(before: SyntaxKind, written: &str, behind: SyntaxKind) -> Option<&'static str> {
    use SyntaxKind as K;
    match (before, behind) {
        // A blank after a key without a value keeps its colon from being read as part of a text.
        (K::Colon, K::Comma | K::RightBrace | K::RightBracket) => None,
        // Comments may be aligned.
        (_, K::Comment) => None,
        (_, K::Comma) => Some(""),
        (before, K::Colon) if before.is_scalar() => Some(""),
        (K::Colon | K::Comma, _) => Some(" "),
        // Braces with and without inner blanks are both common.
        (K::LeftBrace | K::LeftBracket, _) | (_, K::RightBrace | K::RightBracket) => {
            Some(if written.is_empty() { "" } else { " " })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    const HEAD: &str = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n";

    fn formatted(text: &str) -> String {
        let tree = Tree::parse(text);
        let mut out = text.to_owned();
        for edit in format(&tree, TextRange::new(0, tree.len())).iter().rev() {
            out.replace_range(edit.range.as_usize(), &edit.new_text);
        }
        out
    }

    #[track_caller]
    fn assert_formatted(rest: &str, expected: &str) {
        assert_eq!(formatted(&format!("{HEAD}{rest}")), format!("{HEAD}{expected}"));
        assert_eq!(formatted(&format!("{HEAD}{expected}")), format!("{HEAD}{expected}"));
    }

    #[test]
    fn blanks_are_normalized() {
        assert_formatted("spec:   \n  group :   a  \n", "spec:\n  group: a\n");
        assert_formatted("spec: {group:  a ,scope:\tb}\n", "spec: {group: a, scope: b}\n");
        assert_formatted("spec: {  group: a  }\n", "spec: { group: a }\n");
        assert_formatted("spec: [a,b]   # why  \n", "spec: [a, b]   # why\n");
        assert_formatted("spec: {\"a\":1}\r\n  \r\n", "spec: {\"a\": 1}\r\n\r\n");
    }

    #[test]
    fn order_indentation_and_texts_stay() {
        for text in [
            "spec:\n    b: 1\n    a:\n      -   x\n",
            "spec:\n  rule: |\n    a  \n\n     b: c  \n",
            "spec:\n  a: 'b  :  c'\n  d: e\n    f  g\n",
            "spec:\n  a: &b   c\n  d: *b\n",
            "spec:\n  a:\n  # why\n  b:    # what\n    c\n",
        ] {
            assert_formatted(text, text);
        }
    }

    #[test]
    fn texts_without_definitions_are_unchanged() {
        for text in [
            "a:   1\n".to_owned(),
            format!("{HEAD}spec: [a,b\nc:   1\n"),
            r#"{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition"}"#.to_owned(),
        ] {
            assert_eq!(formatted(&text), text);
        }
        let two = format!("a:   1\n---\n{HEAD}spec:   {{}}\n");
        assert_eq!(formatted(&two), format!("a:   1\n---\n{HEAD}spec: {{}}\n"));
    }

    #[test]
    fn only_lines_of_the_range_change() {
        let text = format!("{HEAD}spec:   a\nstatus:   b\n");
        let tree = Tree::parse(&text);
        let line = text.find("status").unwrap() as TextSize;
        let edits = format(&tree, TextRange::new(line, tree.len()));
        assert_eq!(edits.len(), 1);
        assert!(edits[0].range.start > line);
    }
}
