//! Options of a tag that are part of the JSON name, because the comma before them is missing.

use super::super::mistake::{CheckedFile, Mistake, MistakeKind, advised};
use super::{OPTIONS, TaggedField, place_in};

/// Checks for an option in place of the name because the comma before it is missing.
pub(super) fn check(seen: CheckedFile<'_>, one: &TaggedField<'_>, found: &mut Vec<Mistake>) {
    let Some((name, start)) = one.name() else { return };
    let joined = ["omitempty", "omitzero"].into_iter().find_map(|option| {
        Some((name.strip_suffix(option).filter(|before| before.ends_with(char::is_alphanumeric))?, option))
    });
    if let Some((before, option)) = joined {
        let place = seen.place(place_in(one.tag, start, name.len()));
        let words = advised(
            format!("`{option}` is part of the JSON name `{name}`, because no comma precedes it"),
            format!("write `,` before `{option}`"),
        );
        let mistake = Mistake::new(MistakeKind::Tag, place, words).of_go();
        let better = format!("{before},{option}");
        found.push(match one.tag.is_raw() {
            true => mistake.replaced(format!("Change `{name}` to `{better}`"), better),
            false => mistake,
        });
        return;
    }
    let is_option = match name {
        "omitempty" | "omitzero" => true,
        "inline" => one.field.names.is_empty(),
        _ => false,
    };
    if !is_option {
        return;
    }
    let place = seen.place(place_in(one.tag, start, name.len()));
    let words = advised(
        format!("`{name}` is the JSON name of the field, because no comma precedes it"),
        format!("write `,` before `{name}`"),
    );
    let mistake = Mistake::new(MistakeKind::Tag, place, words).of_go();
    // The name may follow. Otherwise it is unknown.
    let rest: Vec<&str> = one.value.split(',').skip(1).collect();
    let after = match rest.as_slice() {
        [other] if !other.is_empty() && !OPTIONS.contains(other) => Some(*other),
        _ => None,
    };
    found.push(match (name, after) {
        _ if !one.tag.is_raw() => mistake,
        ("inline", _) => {
            // A comma behind it is in the wrong place.
            let len = if rest == [""] { one.value.len() } else { name.len() };
            let written = seen.place(place_in(one.tag, start, len));
            let edits = vec![(written, ",inline".to_owned())];
            mistake.repaired("Insert `,` before `inline`".to_owned(), edits, false)
        }
        (_, Some(other)) => {
            let whole = seen.place(place_in(one.tag, start, one.value.len()));
            let intended = format!("{other},{name}");
            mistake.repaired(
                format!("Change `{}` to `{intended}`", one.value),
                vec![(whole, intended)],
                false,
            )
        }
        _ => mistake,
    });
}
