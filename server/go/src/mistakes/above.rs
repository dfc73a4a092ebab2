//! Edits that move a marker to a separate line above its field or type.

use super::mistake::CheckedFile;
use crate::load::Place;
use crate::marker::{self, Target};
use crate::syntax::{DeclarationKind, Field, Span, TypeDeclaration};

/// Moves a marker above the declaration of a type.
pub(super) fn above_type(
    seen: CheckedFile<'_>,
    marker: (&str, Span),
    declared: &TypeDeclaration,
) -> Option<Vec<(Place, String)>> {
    let at = declared.name.span.start;
    let (declaration, _) = seen.file.types().find(|(_, other)| other.name.span.start == at)?;
    let in_parentheses = matches!(declaration.kind, DeclarationKind::Type(_, true));
    let start = if in_parentheses { declared.spec.span.start } else { declaration.span.start };
    move_above(seen, marker, start)
}

/// Moves a marker above a field.
pub(super) fn above_field(
    seen: CheckedFile<'_>,
    marker: (&str, Span),
    field: &Field,
) -> Option<Vec<(Place, String)>> {
    move_above(seen, marker, field.spec.span.start)
}

/// Moves a marker above the line of the code at `start` and removes its comment.
fn move_above(
    seen: CheckedFile<'_>,
    (text, comment): (&str, Span),
    start: u32,
) -> Option<Vec<(Place, String)>> {
    let indent = seen.indent_of(Span { start, end: start })?;
    let at = seen.place(Span { start, end: start });
    Some(vec![(seen.line_of(comment), String::new()), (at, format!("// {}\n{indent}", text.trim_end()))])
}

/// The edits that move a marker above the type after it, if only comments are between the two, and the name of the type.
pub(super) fn type_below<'f>(
    seen: CheckedFile<'f>,
    (text, comment): (&str, Span),
) -> Option<(&'f str, Vec<(Place, String)>)> {
    marker::lookup(text, Target::Type, seen.version)?;
    let next = seen.file.declarations.partition_point(|one| one.span.end <= comment.start);
    let DeclarationKind::Type(types, false) = &seen.file.declarations.get(next)?.kind else { return None };
    let below = types.first().filter(|below| comment.end <= below.name.span.start)?;
    Some((&below.name.name, above_type(seen, (text, comment), below)?))
}
