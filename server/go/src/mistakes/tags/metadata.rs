//! Fields of a kind that have the JSON name of a field of `metav1.TypeMeta`, which they hide.

use super::super::mistake::{CheckedFile, Mistake, MistakeKind, advised};
use super::names::free_name;
use super::{TaggedField, place_in};
use crate::syntax::{ExprKind, Field};

/// The JSON names of the fields of `metav1.TypeMeta`.
const OF_TYPE_META: [&str; 2] = ["kind", "apiVersion"];

pub(super) fn check(
    seen: CheckedFile<'_>,
    fields: &[Field],
    tagged: &[TaggedField<'_>],
    found: &mut Vec<Mistake>,
) {
    let is_type_meta = |field: &&Field| {
        field.names.is_empty()
            && matches!(&field.expr.kind, ExprKind::Qualified(_, name) if &**name == "TypeMeta")
    };
    let Some(embedded) = fields.iter().find(is_type_meta) else { return };
    for one in tagged.iter().filter(|one| !one.field.names.is_empty()) {
        let Some((name, start)) = one.name().filter(|(name, _)| OF_TYPE_META.contains(name)) else {
            continue;
        };
        let problem = format!(
            "`TypeMeta` has a field `{name}` too, which Go neither reads nor writes because of this one"
        );
        let place = seen.place(place_in(one.tag, start, name.len()));
        let mistake = Mistake::new(MistakeKind::Tag, place, advised(problem, "rename this field")).of_go();
        let mistake = mistake.with_related(seen.place(embedded.spec.span), "it has the same name".to_owned());
        found.push(match free_name(one, tagged).filter(|better| !OF_TYPE_META.contains(&&**better)) {
            Some(better) => {
                let title = format!("Change `{name}` to `{better}`");
                mistake.repaired(title, vec![(place, better)], false)
            }
            None => mistake,
        });
    }
}
