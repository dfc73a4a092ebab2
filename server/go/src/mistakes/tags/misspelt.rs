//! JSON names that differ from the name of the field by a slip, options that are given twice, and fields that are declared
//! twice.

use std::collections::HashMap;

use super::super::mistake::{CheckedFile, Mistake, MistakeKind, advised};
use super::names::{exported, free_name};
use super::{OPTIONS, TaggedField, place_in};
use crate::syntax::{Field, Ident};

/// The minimum length of a name in which a slip is recognized. A shorter name may be another word.
const SHORTEST: usize = 6;

/// Checks for a JSON name with a slip in it, or in another style than the names of the other fields.
pub(super) fn json_names(seen: CheckedFile<'_>, tagged: &[TaggedField<'_>], found: &mut Vec<Mistake>) {
    let is_joined = |name: &str| name.contains(['_', '-']);
    let joined = tagged.iter().filter(|one| one.name().is_some_and(|(name, _)| is_joined(name))).count();
    for one in tagged {
        let Some((name, start)) = one.name() else { continue };
        let [field] = one.field.names.as_slice() else { continue };
        if !field.name.starts_with(char::is_uppercase) || name.eq_ignore_ascii_case(&field.name) {
            continue;
        }
        let words = |name: &str| name.replace(['_', '-'], "").to_lowercase();
        // In a struct with several such names, the style is intended.
        let is_other_style =
            is_joined(name) && joined == 1 && tagged.len() > 1 && words(name) == field.name.to_lowercase();
        let problem = match is_other_style {
            true => format!("the JSON name `{name}` is not in lower camel case, unlike the other fields"),
            false if !is_joined(name) && is_slip(name, &field.name) => {
                format!("the JSON name `{name}` differs from the field `{}`", field.name)
            }
            false => continue,
        };
        let Some(better) = free_name(one, tagged) else { continue };
        let place = seen.place(place_in(one.tag, start, name.len()));
        let mistake = Mistake::new(MistakeKind::Tag, place, advised(problem, format!("write `{better}`")));
        let mistake = mistake.with_intended_name(&better);
        found.push(mistake.repaired(
            format!("Change `{name}` to `{better}`"),
            vec![(place, better.clone())],
            false,
        ));
    }
}

/// Whether two letters are exchanged, or one in the middle is wrong, missing or written twice.
fn is_slip(name: &str, field: &str) -> bool {
    let (name, field) = (name.to_lowercase(), field.to_lowercase());
    if name.len().min(field.len()) < SHORTEST || strsim::osa_distance(&name, &field) != 1 {
        return false;
    }
    // A different ending is another form of the word, such as a plural; a digit is another version.
    let is_other_form = name.get(..name.len() - 1) == field.get(..field.len() - 1)
        || name.strip_prefix(&*field).is_some()
        || field.strip_prefix(&*name).is_some();
    let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
    let singular = |text: &str| {
        let stem = text.strip_suffix("ies").map(|stem| format!("{stem}y"));
        stem.unwrap_or_else(|| text.trim_end_matches('s').to_owned())
    };
    !is_other_form && digits(&name) == digits(&field) && singular(&name) != singular(&field)
}

/// Checks for options that are given twice, and for a `,` without an option after it.
pub(super) fn options(seen: CheckedFile<'_>, one: &TaggedField<'_>, found: &mut Vec<Mistake>) {
    if !one.tag.is_raw() {
        return;
    }
    let parts: Vec<&str> = one.value.split(',').collect();
    let mut at = one.range.start;
    for (number, part) in parts.iter().enumerate() {
        let start = at;
        at += part.len() + 1;
        let is_first = number == 0;
        let is_twice = OPTIONS.contains(part) && parts.iter().take(number).skip(1).any(|other| other == part);
        let is_empty = part.is_empty() && number + 1 == parts.len() && number > 1;
        if is_first || !is_twice && !is_empty {
            continue;
        }
        let comma = (seen.place(one.tag.part(start - 1, part.len() + 1)), String::new());
        let (place, words, title) = match is_twice {
            true => (
                seen.place(one.tag.part(start, part.len())),
                advised(format!("`{part}` is given twice in this tag"), "remove one"),
                format!("Remove the second `{part}`"),
            ),
            false => (
                comma.0,
                advised("the `,` at the end of the tag has no effect", "remove it"),
                "Remove the last `,`".to_owned(),
            ),
        };
        let mistake = Mistake::new(MistakeKind::Tag, place, words).of_go().hint();
        found.push(mistake.repaired(title, vec![comma], true));
    }
}

/// Checks for two fields of a struct with the same Go name, which Go does not compile.
pub(super) fn fields(seen: CheckedFile<'_>, fields: &[Field], found: &mut Vec<Mistake>) {
    let mut first: HashMap<&str, &Ident> = HashMap::new();
    for (field, name) in fields.iter().flat_map(|field| field.names.iter().map(move |name| (field, name))) {
        let before = match first.get(&*name.name) {
            Some(before) if &*name.name != "_" => *before,
            _ => {
                first.insert(&name.name, name);
                continue;
            }
        };
        let words = advised(format!("the struct has two fields `{}`", name.name), "rename one");
        let mistake = Mistake::new(MistakeKind::Tag, seen.place(name.span), words).of_go();
        let mistake = mistake.with_related(seen.place(before.span), "the first one".to_owned());
        let tagged = super::tagged(std::slice::from_ref(field));
        let of_json = tagged.first().and_then(|one| exported(one.name()?.0));
        let is_free =
            |new: &String| fields.iter().all(|other| other.names.iter().all(|one| *one.name != **new));
        found.push(match of_json.filter(is_free) {
            Some(new) => {
                let title = format!("Rename the field to {new}");
                mistake.repaired(title, vec![(seen.place(name.span), new)], false)
            }
            None => mistake,
        });
    }
}
