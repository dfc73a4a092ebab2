//! JSON names with a sign at their start or end that comes from a path or another notation.

use super::super::mistake::{CheckedFile, Mistake, MistakeKind, advised};
use super::{TaggedField, place_in};

/// Signs that other notations write beside a name: `.name`, `$.name`, `name:`, `{name}`, `/name`.
const SIGNS: [char; 12] = ['.', ':', '$', '{', '}', '/', '[', ']', '(', ')', '*', '\''];

/// Checks for such a name. Without the signs, it is the name of the field, so the signs are not meant.
pub(super) fn check(seen: CheckedFile<'_>, one: &TaggedField<'_>, found: &mut Vec<Mistake>) {
    let Some((name, start)) = one.name() else { return };
    let better = name.trim_matches(SIGNS);
    let [field] = one.field.names.as_slice() else { return };
    // JSON schemas have fields such as `$ref` and `$schema`.
    let is_of_schema = name.strip_prefix('$') == Some(better);
    if better == name || is_of_schema || !better.eq_ignore_ascii_case(&field.name) {
        return;
    }
    let words =
        advised(format!("the signs in `{name}` are part of the JSON name"), format!("write `{better}`"));
    let place = seen.place(place_in(one.tag, start, name.len()));
    let mistake = Mistake::new(MistakeKind::Tag, place, words).of_go().with_intended_name(better);
    found.push(match one.tag.is_raw() {
        true => mistake.repaired(
            format!("Change `{name}` to `{better}`"),
            vec![(place, better.to_owned())],
            false,
        ),
        false => mistake,
    });
}
