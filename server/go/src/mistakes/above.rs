//! Edits that move a marker to a line of its own above what it belongs to.

use super::mistake::Seen;
use crate::load::Place;
use crate::syntax::{DeclarationKind, Field, Span, TypeDeclaration};

/// Above the declaration of a type.
pub(super) fn above_type(
    seen: Seen<'_>,
    marker: (&str, Span),
    declared: &TypeDeclaration,
) -> Option<Vec<(Place, String)>> {
    let at = declared.name.span.start;
    let (declaration, _) = seen.file.types().find(|(_, other)| other.name.span.start == at)?;
    let in_parentheses = matches!(declaration.kind, DeclarationKind::Type(_, true));
    let start = if in_parentheses { declared.spec.span.start } else { declaration.span.start };
    above(seen, marker, start)
}

/// Above a field.
pub(super) fn above_field(
    seen: Seen<'_>,
    marker: (&str, Span),
    field: &Field,
) -> Option<Vec<(Place, String)>> {
    above(seen, marker, field.spec.span.start)
}

/// Above what begins its line at `start`, instead of the comment.
fn above(seen: Seen<'_>, (text, comment): (&str, Span), start: u32) -> Option<Vec<(Place, String)>> {
    let indent = seen.indent_of(Span { start, end: start })?;
    let at = seen.place(Span { start, end: start });
    Some(vec![(seen.line_of(comment), String::new()), (at, format!("// {}\n{indent}", text.trim_end()))])
}
