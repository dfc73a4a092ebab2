//! The fix for tabs in indentation: spaces in the whole document, because a single changed line would leave
//! its block.

use api::Code;
use text::{TextEdit, TextRange, TextSize};
use yaml::syntax::ElementRef;
use yaml::{NodeRef, Tree};

use super::proof::Proof;
use super::request::FixRequest;
use crate::{Applicability, Finding, Fix};

const CODE: Code = Code::YamlTabIndentation;
/// The number of columns that the parser counts for a tab.
const COLUMNS: usize = 2;
/// The maximum number of columns that are tried for a line, and of lines above it from which they are taken.
const MOST_COLUMNS: usize = 6;
const MOST_ABOVE: usize = 200;

/// The fix for all tabs of the document, if one of them is a touched finding of `request`.
pub(super) fn fixes(request: &FixRequest<'_, '_>, proof: &mut Proof) -> Option<Fix> {
    request.with_codes(&[CODE]).next()?;
    let edits = edits(request, proof)?;
    let title = "Indent with spaces instead of tabs".to_owned();
    let tabs = request.findings.iter().filter(|finding| finding.code == CODE);
    let repairs = tabs.map(|finding| (finding.code, finding.range)).collect();
    Some(Fix::new(title, edits, Applicability::Safe, repairs))
}

/// Whether there are tabs to replace.
pub(super) fn is_wanted(findings: &[Finding]) -> bool {
    findings.iter().any(|finding| finding.code == CODE)
}

/// Replaces all tabs in the white space of the document with spaces: as many as an indentation step of the
/// document if that keeps the parser's structure, otherwise as many as the parser counts for a tab.
pub(super) fn edits(request: &FixRequest<'_, '_>, proof: &mut Proof) -> Option<Vec<TextEdit>> {
    let FixRequest { document, findings, editor, .. } = *request;
    if !is_wanted(findings) {
        return None;
    }
    // If there are very many tabs, only some of them are findings.
    let mut tabs: Vec<TextSize> = Vec::new();
    document.syntax().for_each_error(&mut |error| {
        if crate::analysis::syntax::code(error.kind) == CODE {
            tabs.push(error.range.start);
        }
    });
    tabs.sort_unstable();
    // In a block scalar, white space may be text.
    if tabs.iter().any(|tab| in_block_scalar(document.syntax(), *tab)) {
        return None;
    }
    let text = document.syntax().text();
    let start = document.range().start;
    let before = shape(document.syntax());
    let mut steps = vec![editor.step(), COLUMNS];
    steps.dedup();
    let kept = steps.into_iter().find_map(|step| {
        let mut edits: Vec<TextEdit> =
            tabs.iter().filter_map(|tab| spaces(&text, tab.checked_sub(start)?, step)).collect();
        edits.dedup();
        let keeps = shape_of(&text::applied(&text, 0, &edits)).as_ref() == Some(&before);
        let edits = in_file(edits, start);
        (keeps && proof.removes_all(CODE, &edits)).then_some(edits)
    });
    indent_like_neighbour(&text, &tabs, start, kept.clone(), proof).or(kept)
}

/// Shifts the edits of a document to its place in the file.
fn in_file(mut edits: Vec<TextEdit>, start: TextSize) -> Vec<TextEdit> {
    for edit in &mut edits {
        edit.range = edit.range.shifted(start);
    }
    edits
}

/// Indents the only line with a tab like a line around it, if that leaves fewer findings than `kept`.
fn indent_like_neighbour(
    text: &str,
    tabs: &[TextSize],
    start: TextSize,
    kept: Option<Vec<TextEdit>>,
    proof: &mut Proof,
) -> Option<Vec<TextEdit>> {
    let (first, last) = (tabs.first()?.checked_sub(start)?, tabs.last()?.checked_sub(start)?);
    let line = Line::of(text, first as usize).filter(|line| last < line.indentation.end)?;
    let (mut least, mut best) = (usize::MAX, None);
    if let Some(kept) = &kept {
        least = proof.remaining(kept)?;
    }
    for column in line.columns.iter().take(MOST_COLUMNS) {
        let edits = in_file(vec![TextEdit::replace(line.indentation, " ".repeat(*column))], start);
        if let Some(left) = proof.remaining(&edits).filter(|left| *left < least) {
            (least, best) = (left, Some(edits));
        }
    }
    best
}

/// A line with a tab in its indentation, with its possible columns, the likeliest first: the column of the
/// line below, that of the line above, and the smaller ones of lines further above.
struct Line {
    indentation: TextRange,
    columns: Vec<usize>,
}

impl Line {
    fn of(text: &str, tab: usize) -> Option<Self> {
        let (before, behind) = text.split_at_checked(tab)?;
        let start = before.rfind('\n').map_or(0, |end| end + 1);
        let line = text.get(start..)?;
        let end = start + line.len() - line.trim_start_matches([' ', '\t']).len();
        let column = |line: &&str| {
            let indent = text::indentation(line);
            (!line.trim().is_empty() && !line.trim_start_matches(' ').starts_with('\t')).then_some(indent)
        };
        let is_text = text.get(..start)?.trim_end().ends_with(['|', '>', '-', '+']);
        let mut below = behind.lines().skip(1).take(MOST_ABOVE).filter_map(|line| column(&line));
        let next = below.next();
        // A key with a `|` or `>` text is in the column of the first line below that is indented less than
        // that text.
        let indent_like_neighbour = next.and_then(|next| below.find(|column| *column < next));
        let is_of_text = line.lines().next()?.trim_end().ends_with(['|', '>', '-', '+']);
        let mut columns: Vec<usize> =
            if is_of_text { [indent_like_neighbour, next] } else { [next, indent_like_neighbour] }
                .into_iter()
                .flatten()
                .collect();
        let mut deepest = usize::MAX;
        for above in text.get(..start)?.lines().rev().take(MOST_ABOVE).filter_map(|line| column(&line)) {
            if above < deepest {
                deepest = above;
                columns.push(above);
            }
        }
        let indentation = TextRange::new(start as TextSize, end as TextSize);
        (end > tab && !is_text).then_some(Self { indentation, columns })
    }
}

fn in_block_scalar(node: NodeRef<'_>, offset: TextSize) -> bool {
    match node.elements().find(|element| element.range().start <= offset && offset < element.range().end) {
        Some(ElementRef::Node(child)) => in_block_scalar(child, offset),
        Some(ElementRef::Token(token)) => token.kind.is_block_scalar(),
        None => false,
    }
}

/// Replaces the white space around the tab at `offset` with spaces; `None` if the line is blank.
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

/// The shape of `text`; `None` if it is not one document.
fn shape_of(text: &str) -> Option<String> {
    let tree = Tree::parse(text);
    let mut documents = tree.documents();
    let first = documents.next()?;
    documents.next().is_none().then(|| shape(first.syntax()))
}

/// The content of `node` without white space.
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
