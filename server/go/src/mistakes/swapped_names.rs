//! Fields whose name and type are in the other order: `string Name`.

use super::mistake::{CheckedFile, Mistake, MistakeKind, advised};
use super::tags::tagged;
use super::types::Types;
use crate::generate::Outcome;
use crate::load::Place;
use crate::schema::is_basic;
use crate::syntax::{ExprKind, Field, Span};

/// Whether the name of a field is a type of Go, which nobody gives to a field.
pub(super) fn is_named_like_type(field: &Field) -> bool {
    matches!(field.names.as_slice(), [name] if is_basic(&name.name))
}

/// Checks for such fields whose type the package declares. Without that type, the generation fails.
pub(super) fn check(seen: CheckedFile<'_>, types: &Types<'_>, found: &mut Vec<Mistake>) {
    let declares = |name: &str| types.declares(name);
    for (_, declared) in seen.file.types() {
        let ExprKind::Struct(fields) = &declared.expr.kind else { continue };
        let swapped = fields.iter().filter_map(|field| {
            let mistake = swapped(seen, field, &declares)?;
            let is_declared = declares(seen.file.slice(field.expr.span));
            Some(if is_declared { mistake } else { Mistake { kind: MistakeKind::Refused, ..mistake } })
        });
        found.extend(swapped);
    }
}

/// The mistake for a field whose name and type are in the other order.
fn swapped(seen: CheckedFile<'_>, field: &Field, declares: &dyn Fn(&str) -> bool) -> Option<Mistake> {
    let [name] = field.names.as_slice() else { return None };
    if !is_swapped(field, declares) {
        return None;
    }
    let (intended, kind) = (seen.file.slice(field.expr.span), &*name.name);
    let words = advised(
        format!("`{kind}` is the name of this field, and `{intended}` its type"),
        format!("write `{intended} {kind}`"),
    );
    let mistake = Mistake::new(MistakeKind::Tag, seen.place(field.expr.span), words).of_go();
    let both = Span { start: name.span.start, end: field.expr.span.end };
    let edits = vec![(seen.place(both), format!("{intended} {kind}"))];
    Some(mistake.repaired(format!("Change to `{intended} {kind}`"), edits, false))
}

/// Whether the type of a field has the JSON name of the field, and the name is that of a type.
pub(super) fn is_swapped(field: &Field, declares: &dyn Fn(&str) -> bool) -> bool {
    let ([name], ExprKind::Ident(kind)) = (field.names.as_slice(), &field.expr.kind) else { return false };
    let tagged = tagged(std::slice::from_ref(field));
    let Some((json, _)) = tagged.first().and_then(|one| one.name()) else { return false };
    let is_named_by_type = is_named_like_type(field) || declares(&name.name) && !declares(kind);
    is_named_by_type && !is_basic(kind) && kind.eq_ignore_ascii_case(json)
}

impl Outcome {
    /// The mistake for a field with a type at this place that is not declared, if the type is the name of the field.
    pub(super) fn with_swapped_names(&self, place: Place) -> Option<Mistake> {
        let file = self.source(place.file)?;
        let seen = CheckedFile::all(place.file, file, self.version);
        let folder = file.path.parent();
        let declares = |name: &str| {
            let of_package = self.sources().iter().filter(|other| other.path.parent() == folder);
            of_package.flat_map(|other| other.types()).any(|(_, declared)| &*declared.name.name == name)
        };
        let fields = seen.types().filter_map(|declared| match &declared.expr.kind {
            ExprKind::Struct(fields) => Some(fields),
            _ => None,
        });
        let field = fields.flatten().find(|field| field.expr.span == place.span)?;
        swapped(seen, field, &declares)
    }
}
