//! The fix for tabs in indentation: spaces, all over the document at once, as one line alone would stand beside its block.

use api::Code;
use text::{TextEdit, TextRange, TextSize};
use yaml::edit::Editor;
use yaml::syntax::ElementRef;
use yaml::{Document, NodeRef, SyntaxKind, Tree};

use super::proof::Proof;
use crate::{Applicability, Finding, Fix};

const CODE: Code = Code::YamlTabIndentation;
/// How many columns the parser takes a tab for.
const COLUMNS: usize = 2;

/// The fix for all tabs of `document`, if one of them touches `range`.
pub(super) fn fixes(
    document: Document<'_>,
    findings: &[Finding],
    range: TextRange,
    editor: &Editor<'_>,
    proof: &mut Proof,
) -> Option<Fix> {
    let ours = || findings.iter().filter(|finding| finding.code == CODE);
    if !ours().any(|finding| finding.range.overlaps(range)) {
        return None;
    }
    let edits = edits(document, findings, editor, proof)?;
    let title = "Indent with spaces instead of tabs".to_owned();
    let repairs = ours().map(|finding| (finding.code, finding.range)).collect();
    Some(Fix { title, edits, applicability: Applicability::Safe, repairs })
}

/// Whether there is anything to do.
pub(super) fn is_wanted(findings: &[Finding]) -> bool {
    findings.iter().any(|finding| finding.code == CODE)
}

/// Spaces for all tabs that are found in the white space of `document`: as many as the document's own step where that
/// keeps what the parser made of it, else as many as the parser takes them for.
pub(super) fn edits(
    document: Document<'_>,
    findings: &[Finding],
    editor: &Editor<'_>,
    proof: &mut Proof,
) -> Option<Vec<TextEdit>> {
    if !is_wanted(findings) {
        return None;
    }
    // Of very many only some are findings.
    let mut tabs: Vec<TextSize> = Vec::new();
    document.syntax().for_each_error(&mut |error| {
        if crate::analysis::syntax::code(error.kind) == CODE {
            tabs.push(error.range.start);
        }
    });
    tabs.sort_unstable();
    // Within a text block white space may be text.
    if tabs.iter().any(|tab| in_block_scalar(document.syntax(), *tab)) {
        return None;
    }
    let text = document.syntax().text();
    let start = document.range().start;
    let before = shape(document.syntax());
    let mut steps = vec![editor.step(), COLUMNS];
    steps.dedup();
    steps.into_iter().find_map(|step| {
        let mut edits: Vec<TextEdit> =
            tabs.iter().filter_map(|tab| spaces(&text, tab.checked_sub(start)?, step)).collect();
        edits.dedup();
        if shape_of(&text::applied(&text, 0, &edits)).as_ref() != Some(&before) {
            return None;
        }
        for edit in &mut edits {
            edit.range = edit.range.shifted(start);
        }
        proof.rids_of(CODE, &edits).then_some(edits)
    })
}

fn in_block_scalar(node: NodeRef<'_>, offset: TextSize) -> bool {
    match node.elements().find(|element| element.range().start <= offset && offset < element.range().end) {
        Some(ElementRef::Node(child)) => in_block_scalar(child, offset),
        Some(ElementRef::Token(token)) => matches!(token.kind, SyntaxKind::Literal | SyntaxKind::Folded),
        None => false,
    }
}

/// The white space around the tab at `offset`, without tabs; nothing where the line is blank.
fn spaces(text: &str, offset: TextSize, step: usize) -> Option<TextEdit> {
    let is_blank = |char: char| matches!(char, ' ' | '\t');
    let (before, behind) = text.split_at_checked(offset as usize)?;
    let start = before.trim_end_matches(is_blank).len();
    let end = text.len() - behind.trim_start_matches(is_blank).len();
    let range = TextRange::new(start as TextSize, end as TextSize);
    let at_line_start =
        before.get(..start).is_none_or(|line| line.is_empty() || line.ends_with(['\n', '\r']));
    let ends_line = text.get(end..).is_none_or(|rest| rest.is_empty() || rest.starts_with(['\n', '\r']));
    let new = match (at_line_start, ends_line) {
        (_, true) => String::new(),
        (true, false) => text.get(start..end)?.replace('\t', &" ".repeat(step)),
        (false, false) => " ".to_owned(),
    };
    Some(TextEdit::replace(range, new))
}

/// The shape of `text`; none where it is not one document.
fn shape_of(text: &str) -> Option<String> {
    let tree = Tree::parse(text);
    let mut documents = tree.documents();
    let first = documents.next()?;
    documents.next().is_none().then(|| shape(first.syntax()))
}

/// What `node` holds, apart from white space.
fn shape(node: NodeRef<'_>) -> String {
    let mut shape = String::new();
    write_shape(node, &mut shape);
    shape
}

fn write_shape(node: NodeRef<'_>, into: &mut String) {
    into.push('(');
    for element in node.elements() {
        match element {
            ElementRef::Node(child) => write_shape(child, into),
            ElementRef::Token(token) => {
                into.extend(token.text.chars().filter(|char| !char.is_whitespace()));
            }
        }
    }
    into.push(')');
}
