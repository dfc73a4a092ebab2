//! JSON names that differ from the name of the field by a slip, options that are given twice, and fields that are declared
//! twice.

use std::cmp::Ordering;
use std::collections::HashMap;

use super::super::mistake::{CheckedFile, Mistake, MistakeKind, advised};
use super::names::{exported, free_name};
use super::{OPTIONS, TaggedField, place_in};
use crate::syntax::{Field, Ident, Tag};

/// The minimum length of a name in which a slip is recognized. A shorter name may be another word.
const SHORTEST: usize = 6;

/// Checks for a JSON name with a slip in it.
pub(super) fn json_names(seen: CheckedFile<'_>, tagged: &[TaggedField<'_>], found: &mut Vec<Mistake>) {
    for one in tagged {
        let Some((name, start)) = one.name() else { continue };
        let [field] = one.field.names.as_slice() else { continue };
        let is_word = name.chars().all(|ch| ch.is_ascii_alphanumeric());
        if !is_word || !field.name.starts_with(char::is_uppercase) || !is_slip(name, &field.name) {
            continue;
        }
        let Some(better) = free_name(one, tagged) else { continue };
        // Of `committer` and `Commiter`, the name of the field is the misspelt one; of `nammespace` and `Namespace`, the tag.
        let is_doubled = name.len() > field.name.len() && !is_of_all_kinds(&field.name.to_lowercase());
        let remedy = match is_doubled {
            true => "correct the one that is misspelt".to_owned(),
            false => format!("write `{better}`"),
        };
        let words =
            advised(format!("the JSON name `{name}` differs from the field `{}`", field.name), remedy);
        let place = seen.place(place_in(one.tag, start, name.len()));
        let mistake = Mistake::new(MistakeKind::Tag, place, words).with_intended_name(&better);
        let mistake = if is_doubled { mistake.hint() } else { mistake };
        let edits = vec![(place, better.clone())];
        found.push(mistake.repaired(format!("Change `{name}` to `{better}`"), edits, false));
    }
}

/// Whether two letters of a JSON name are exchanged, or one is wrong, missing or written twice. With another letter, the name
/// of the field may be the misspelt one; with or without an `s`, both may be intended.
fn is_slip(name: &str, field: &str) -> bool {
    let (name, field) = (name.to_lowercase(), field.to_lowercase());
    let distance = strsim::osa_distance(&name, &field);
    if is_of_all_kinds(&field) && (1..=2).contains(&distance) {
        return true;
    }
    let (own, of_field) = (name.as_bytes(), field.as_bytes());
    if own.len().min(of_field.len()) < SHORTEST || distance != 1 {
        return false;
    }
    let at = own.iter().zip(of_field).take_while(|(one, other)| one == other).count();
    let is_digit = |text: &[u8]| text.get(at).is_some_and(u8::is_ascii_digit);
    // A different ending is another form of the word, or another version.
    if at + 1 >= own.len().max(of_field.len()) || is_digit(own) || is_digit(of_field) {
        return false;
    }
    match own.len().cmp(&of_field.len()) {
        Ordering::Equal => true,
        Ordering::Less => of_field.get(at) != Some(&b's'),
        Ordering::Greater => at > 0 && own.get(at) == own.get(at - 1) && own.get(at) != Some(&b's'),
    }
}

/// Whether a field with this name, in lower case, has the same JSON name in all kinds.
fn is_of_all_kinds(field: &str) -> bool {
    matches!(field, "spec" | "status")
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
        // The comma after `inline` was meant to precede it.
        let is_named = parts.first().is_some_and(|name| !matches!(*name, "" | "-" | "inline"));
        let is_empty = part.is_empty() && number + 1 == parts.len() && (number > 1 || is_named);
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

/// The mistake for an option that neither Go nor controller-gen knows.
pub(super) fn useless_option(seen: CheckedFile<'_>, tag: &Tag, (start, option): (usize, &str)) -> Mistake {
    let shown = if option.trim().is_empty() { "the space".to_owned() } else { format!("`{option}`") };
    let words = advised(format!("{shown} is not an option of a JSON tag and has no effect"), "remove it");
    let place = seen.place(place_in(tag, start, option.len()));
    let mistake = Mistake::new(MistakeKind::Tag, place, words).of_go();
    match tag.is_raw() {
        true => {
            let edits = vec![(seen.place(tag.part(start - 1, option.len() + 1)), String::new())];
            mistake.repaired(format!("Remove `,{option}`"), edits, true)
        }
        false => mistake,
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
