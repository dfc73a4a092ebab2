//! JSON names that several fields have, and names of fields that Go does not export.

use std::collections::HashMap;

use super::super::mistake::{CheckedFile, Mistake, MistakeKind, advised};
use super::super::swapped_names::is_named_like_type;
use super::{TaggedField, json_name, place_in};
use crate::syntax::{ExprKind, Span};

/// Checks for two fields with the same name.
pub(super) fn duplicate_names(seen: CheckedFile<'_>, tagged: &[TaggedField<'_>], found: &mut Vec<Mistake>) {
    let mut first: HashMap<&str, (Span, &TaggedField<'_>)> = HashMap::new();
    for one in tagged {
        let Some((name, start)) = one.name() else { continue };
        let (field, span) = (one.field, place_in(one.tag, start, name.len()));
        if let Some((before, other)) = first.get(name).copied() {
            let words = advised(
                format!("the JSON name `{name}` is given twice, so Go encodes neither field"),
                "rename one",
            );
            // Renames the field whose Go name does not correspond to the JSON name.
            let either = [(one, span), (other, before)].into_iter();
            let renamed = either.filter_map(|(of, span)| Some((span, free_name(of, tagged)?))).next();
            let (at, related) = match &renamed {
                Some((at, _)) if *at == before => (before, (span, "as well")),
                _ => (span, (before, "first")),
            };
            let mistake = Mistake::new(MistakeKind::Tag, seen.place(at), words).of_go();
            let (of_other, order) = related;
            let mistake =
                mistake.with_related(seen.place(of_other), format!("`{name}` is given here {order}"));
            found.push(match renamed {
                Some((span, better)) => mistake.repaired(
                    format!("Change `{name}` to `{better}`"),
                    vec![(seen.place(span), better)],
                    false,
                ),
                None => mistake,
            });
        } else {
            first.insert(name, (span, one));
        }
        if field.names.len() > 1 {
            let words = advised(
                format!("{} fields share the JSON name `{name}`", field.names.len()),
                "declare each with its own tag",
            );
            found.push(Mistake::new(MistakeKind::Tag, seen.place(span), words).of_go());
        }
    }
}

/// The JSON name that corresponds to a field's Go name, if no other field has it.
pub(super) fn free_name(one: &TaggedField<'_>, tagged: &[TaggedField<'_>]) -> Option<String> {
    let better = json_name(&one.field.names.first()?.name);
    let is_free = tagged.iter().all(|other| other.name().is_none_or(|(name, _)| name != better));
    (one.tag.is_raw() && is_free).then_some(better)
}

/// Checks for a field that Go does not encode, although it has a JSON name.
pub(super) fn unexported(seen: CheckedFile<'_>, one: &TaggedField<'_>, found: &mut Vec<Mistake>) {
    let Some((name, start)) = one.name() else { return };
    let (field, tag) = (one.field, one.tag);
    // Such a name is a type at the place of the name.
    if is_named_like_type(field) && matches!(field.expr.kind, ExprKind::Ident(_)) {
        return;
    }
    let is_hidden = |name: &str| !name.starts_with(char::is_uppercase);
    if let Some(first) = field.names.first().filter(|first| is_hidden(&first.name)) {
        let words = advised(
            format!("Go never encodes `{}` as `{name}`, because it is not exported", first.name),
            "export the field",
        );
        let place = seen.place(place_in(tag, start, name.len()));
        let mistake = Mistake::new(MistakeKind::Tag, place, words).of_go();
        found.push(match exported(&first.name) {
            Some(new) if field.names.len() == 1 => {
                let edits = vec![(seen.place(first.span), new.clone())];
                mistake.repaired(format!("Rename the field to {new}"), edits, false)
            }
            _ => mistake,
        });
    }
}

/// A name with an uppercase first letter.
pub(super) fn exported(name: &str) -> Option<String> {
    let mut chars = name.chars();
    let first = chars.next().filter(|first| first.is_lowercase())?;
    Some(format!("{}{}", first.to_uppercase(), chars.as_str()))
}
