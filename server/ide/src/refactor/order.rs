//! Sorts properties alphabetically.

use text::{TextEdit, TextRange, TextSize};
use yaml::NodeRef;
use yaml::edit::Editor;
use yaml::syntax::ElementRef;

use super::target::RefactoringTarget;
use super::{EditGuarantee, Offer, RefactoringKind};
use crate::analysis::place;
use crate::migrate::comments::Notes;

/// Sorts the `properties` at the place. Whole lines move, with the comments above them.
pub(super) fn sort(target: &RefactoringTarget<'_, '_>, _: &Editor<'_>) -> Vec<Offer> {
    let Some((holder, entry)) = target.entry() else { return Vec::new() };
    let is_properties = target.keyword("properties").is_some_and(|(_, found)| found.range() == entry.range());
    let Some(mapping) = entry.value().as_mapping().filter(|_| is_properties) else { return Vec::new() };
    let flags = mapping.syntax().node().flags();
    // An alias must stay after its anchor.
    if mapping.is_flow()
        || flags.anchors
        || flags.aliases
        || place::is_sorted(mapping)
        || holder.node().is_none()
    {
        return Vec::new();
    }
    let notes = Notes::of(target.document);
    let mut starts: Vec<(String, TextSize)> = Vec::new();
    for entry in mapping.entries() {
        let Some(key) = entry.key_text() else { return Vec::new() };
        starts.push((key.into_owned(), notes.first_line_above(entry.range().start)));
    }
    let Some((_, first)) = starts.first() else { return Vec::new() };
    let whole = TextRange::new(*first, notes.line_end(content_end(mapping.syntax())));
    let ends = starts.iter().skip(1).map(|(_, start)| *start).chain([whole.end]);
    let line_break = notes.line_break();
    let mut parts: Vec<(&str, String)> = Vec::new();
    for ((key, start), end) in starts.iter().zip(ends) {
        if end < *start {
            return Vec::new();
        }
        let lines = notes.slice(TextRange::new(*start, end));
        parts.push((key, lines.strip_suffix(line_break).unwrap_or(lines).to_owned()));
    }
    if parts.len() < 2 {
        return Vec::new();
    }
    parts.sort_by(|one, other| one.0.cmp(other.0));
    let sorted: Vec<String> = parts.into_iter().map(|(_, lines)| lines).collect();
    let edits = vec![TextEdit::replace(whole, sorted.join(line_break))];
    vec![Offer {
        title: "Sort the properties by name".to_owned(),
        kind: RefactoringKind::Rewrite,
        edits: Some(edits),
        promise: EditGuarantee::SameData,
    }]
}

/// The end of the content of `node`, before the blanks and comments at its end.
fn content_end(node: NodeRef<'_>) -> TextSize {
    match node.elements().rev().find(|element| !element.kind().is_trivia()) {
        Some(ElementRef::Node(last)) => content_end(last),
        Some(ElementRef::Token(token)) => {
            token.start + token.text.trim_end_matches(['\n', '\r']).len() as TextSize
        }
        None => node.range().start,
    }
}
