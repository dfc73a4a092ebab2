//! Comments that silence rules: `# crd-ls: ignore[code, group] reason`, at the end of the line of a finding,
//! on separate lines above it, or in the head of its document for the whole document. `# crd-ls: patch` in
//! the head marks the document as a patch.

use std::collections::BTreeMap;
use std::rc::Rc;

use text::TextSize;
use yaml::syntax::ElementRef;
use yaml::{Document, NodeRef, SyntaxKind, TokenRef};

use crate::Finding;

/// The rules that a document silences.
pub(crate) struct Ignores<'t> {
    document: NodeRef<'t>,
    head: Vec<&'t str>,
    /// The lines that were read, by their starts: the end of the line's text, and the codes and groups in its
    /// comments. A long line may have many findings, but is read once.
    lines: BTreeMap<TextSize, (TextSize, NamedCodes<'t>)>,
}

/// The codes and groups that comments name.
type NamedCodes<'t> = Rc<[&'t str]>;

/// Returns whether a comment `# crd-ls: patch` in the head marks `document` as a patch.
pub(crate) fn is_marked_as_patch(document: Document<'_>) -> bool {
    let words = leading_tokens(document.syntax()).filter_map(directive);
    words.filter_map(|words| words.split_whitespace().next()).any(|word| word == "patch")
}

/// The tokens before the first token with content.
fn leading_tokens(document: NodeRef<'_>) -> impl Iterator<Item = TokenRef<'_>> {
    let first = first_token(document, document.range().start);
    let tokens = std::iter::successors(first, move |token| first_token(document, token.range().end));
    tokens.take_while(|token| belongs_to_head(token.kind))
}

impl<'t> Ignores<'t> {
    pub(crate) fn of(document: Document<'t>) -> Self {
        let document = document.syntax();
        let head = leading_tokens(document).flat_map(names).collect();
        Self { document, head, lines: BTreeMap::new() }
    }

    /// Whether a comment silences `finding`.
    pub(crate) fn silences(&mut self, finding: &Finding) -> bool {
        let group = finding.code.group();
        let is_named = |name: &&str| *name == finding.code || *name == group;
        self.head.iter().any(is_named) || self.names_at(finding.range.start).iter().any(is_named)
    }

    /// The codes and groups in the comments that belong to the line at `offset`.
    fn names_at(&mut self, offset: TextSize) -> NamedCodes<'t> {
        let known = self.lines.range(..=offset).next_back().map(|(_, line)| line);
        if let Some((_, named)) = known.filter(|(end, _)| offset < *end) {
            return Rc::clone(named);
        }
        let mut found = Vec::new();
        let mut end = self.document.range().end;
        let mut next = first_token(self.document, offset);
        while let Some(token) = next {
            found.extend(names(token));
            if token.kind != SyntaxKind::Comment && ends_line(token) {
                end = token.range().start;
                break;
            }
            next = first_token(self.document, token.range().end);
        }
        let mut last = self.last_token(offset);
        while let Some(token) = last.filter(|token| !ends_line(*token)) {
            last = self.last_token(token.range().start);
        }
        let start = last.map_or(self.document.range().start, |token| token.range().end);
        // A comment may precede the line break, another line break may precede the comment, and so on.
        while let Some(space) = last.filter(|token| token.text.matches('\n').count() == 1) {
            let Some(comment) =
                self.last_token(space.range().start).filter(|token| token.kind == SyntaxKind::Comment)
            else {
                break;
            };
            last = self.last_token(comment.range().start);
            if last.is_none_or(ends_line) {
                found.extend(names(comment));
            }
        }
        let named: NamedCodes<'t> = found.into();
        // A token that ends a line, such as a block scalar, spans lines; each offset in it is looked up separately.
        if (start..end).contains(&offset) {
            self.lines.insert(start, (end, Rc::clone(&named)));
        }
        named
    }

    /// The token that ends at `offset` or contains the byte before it.
    fn last_token(&self, offset: TextSize) -> Option<TokenRef<'t>> {
        first_token(self.document, offset.checked_sub(1)?)
    }
}

fn belongs_to_head(kind: SyntaxKind) -> bool {
    kind.is_trivia() || matches!(kind, SyntaxKind::Directive | SyntaxKind::DocumentStart)
}

/// The token that contains `offset`; `None` behind the last one.
fn first_token(node: NodeRef<'_>, offset: TextSize) -> Option<TokenRef<'_>> {
    let mut node = node;
    if !(node.range().start..node.range().end).contains(&offset) {
        return None;
    }
    loop {
        match node.element_at(offset)? {
            ElementRef::Node(child) => node = child,
            ElementRef::Token(token) => return Some(token),
        }
    }
}

/// Returns whether a line ends within `token` and the next line has none of its text.
fn ends_line(token: TokenRef<'_>) -> bool {
    match token.kind {
        SyntaxKind::Whitespace => token.text.contains(['\n', '\r']),
        SyntaxKind::Literal | SyntaxKind::Folded => true,
        _ => false,
    }
}

/// The codes and groups that a comment names.
fn names(token: TokenRef<'_>) -> Vec<&str> {
    comment(token).map(silenced_by).unwrap_or_default()
}

/// The codes and groups of rules that the text of a comment silences, in YAML or in another language:
/// `crd-ls: ignore[code, group] reason`.
#[must_use]
pub fn silenced_by(comment: &str) -> Vec<&str> {
    let list = directive_in(comment).and_then(|directive| directive.strip_prefix("ignore["));
    let list = list.and_then(|list| list.split_once(']')).map(|(list, _)| list);
    list.into_iter().flat_map(|list| list.split(',').map(str::trim)).collect()
}

/// The directive of a comment.
fn directive(token: TokenRef<'_>) -> Option<&str> {
    comment(token).and_then(directive_in)
}

fn directive_in(comment: &str) -> Option<&str> {
    comment.trim_start().strip_prefix("crd-ls:").map(str::trim_start)
}

/// The text of a comment: of the whole token, or of the comment in the header of a block scalar.
fn comment(token: TokenRef<'_>) -> Option<&str> {
    let comment = match token.kind {
        SyntaxKind::Comment => Some(token.text),
        SyntaxKind::Literal | SyntaxKind::Folded => {
            token.text.lines().next().and_then(|header| header.find('#').and_then(|at| header.get(at..)))
        }
        _ => None,
    };
    comment.map(|comment| comment.trim_start_matches('#'))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use crate::marked_texts::definition;
    use crate::{File, Settings};

    /// The codes of the findings on a definition whose last property has no type, with comments around it.
    fn codes(head: &str, above: &str, behind: &str) -> Vec<&'static str> {
        let schema = format!("type: object\nproperties:\n{above}  spec:{behind}\n    description: a part\n");
        let text = head.to_owned() + &definition(&schema);
        File::new(&text, &Settings::default())
            .findings()
            .iter()
            .map(|finding| finding.code.as_str())
            .collect()
    }

    const FOUND: [&str; 1] = ["structural/type-required"];
    const NONE: [&str; 0] = [];

    #[test]
    fn without_a_comment_findings_are_reported() {
        assert_eq!(codes("", "", ""), FOUND);
    }

    #[test]
    fn a_comment_on_the_line_silences_the_rules_that_it_names() {
        assert_eq!(codes("", "", " # crd-ls: ignore[structural/type-required]"), NONE);
        assert_eq!(codes("", "", " # crd-ls: ignore[yaml/alias, structural] by design"), NONE);
        for other in
            [" # crd-ls: ignore[yaml]", " # crd-ls: ignore[]", " # crd-ls: ignore", " # ignore[structural]"]
        {
            assert_eq!(codes("", "", other), FOUND, "{other}");
        }
    }

    #[test]
    fn only_a_comment_directly_above_the_line_counts() {
        let ignore = "  # crd-ls: ignore[structural]\n";
        assert_eq!(codes("", ignore, ""), NONE);
        assert_eq!(codes("", &format!("{ignore}  # the spec\n"), ""), NONE);
        assert_eq!(codes("", &format!("{ignore}\n"), ""), FOUND);
        assert_eq!(codes("", &format!("{ignore}  other: {{type: string}}\n"), ""), FOUND);
        let behind_another = "  other: {type: string} # crd-ls: ignore[structural]\n";
        assert_eq!(codes("", behind_another, ""), FOUND);
    }

    #[test]
    fn a_comment_in_the_head_silences_the_document() {
        assert_eq!(codes("# crd-ls: ignore[structural/type-required]\n", "", ""), NONE);
        assert_eq!(codes("# about\n\n# crd-ls: ignore[structural]\n---\n# more\n", "", ""), NONE);
        assert_eq!(codes("# crd-ls: ignore[structural]\na: b\n---\n", "", ""), FOUND);
    }
}
