//! Keys of tags that Go reads as other keys, or not at all.

use super::mistake::{CheckedFile, Mistake, MistakeKind, advised};
use crate::syntax::{Tag, json_tag, mark_between, names_json, second_json};

/// Checks the keys of a tag. `value` is the usual value of `json` for its field.
pub(super) fn check(seen: CheckedFile<'_>, tag: &Tag, value: &str, found: &mut Vec<Mistake>) {
    unread(seen, tag, value, found);
    check_keys(seen, tag, found);
}

/// Checks for keys of a tag that Go reads as other keys, or not at all.
fn check_keys(seen: CheckedFile<'_>, tag: &Tag, found: &mut Vec<Mistake>) {
    if !tag.is_raw() {
        return;
    }
    if let Some((mark, key)) = mark_between(&tag.text) {
        let place = seen.place(tag.part(mark.start, mark.len()));
        let written = tag.text.get(mark).unwrap_or_default();
        let words = advised(
            format!("`{written}` is part of the key `{written}{key}`, so Go reads no `{key}` in this tag"),
            "write a blank in its place",
        );
        // Without the key `json`, controller-gen fails.
        let kind = if key == "json" { MistakeKind::Refused } else { MistakeKind::Tag };
        let mistake = Mistake::new(kind, place, words).of_go();
        let mistake = mistake.with_related(seen.place(tag.span), "the tag".to_owned());
        found.push(mistake.replaced(format!("Replace `{written}` with a blank"), " ".to_owned()));
    }
    if let Some(second) = second_json(&tag.text) {
        let words = advised("Go reads only the first `json` of a tag", "remove this one");
        let place = seen.place(tag.part(second.start, second.len()));
        let mistake = Mistake::new(MistakeKind::Tag, place, words).of_go();
        let before = tag.text.get(..second.start).unwrap_or_default();
        let start = before.trim_end().len();
        let edits = vec![(seen.place(tag.part(start, second.end - start)), String::new())];
        found.push(mistake.repaired("Remove the second `json`".to_owned(), edits, false));
    }
}

/// Checks for a tag in which Go finds no key `json`, which controller-gen requires.
fn unread(seen: CheckedFile<'_>, tag: &Tag, value: &str, found: &mut Vec<Mistake>) {
    let is_between = || tag.is_raw() && mark_between(&tag.text).is_some_and(|(_, key)| key == "json");
    if json_tag(&tag.text).is_some() || !names_json(&tag.text) || is_between() {
        return;
    }
    let place = seen.place(tag.span);
    let words = advised("Go reads no `json` in this tag".to_owned(), "write `json:\"name\"`");
    let mistake = Mistake::new(MistakeKind::Refused, place, words).of_go();
    let intended = tag.text.get("json".len()..).filter(|_| tag.text.to_lowercase().starts_with("json"));
    let intended = intended.map(|rest| rest.trim_matches([':', '=', ' ', '"', '\'']));
    let is_of_name = |ch: char| ch.is_ascii_alphanumeric() || matches!(ch, '_' | '-' | '.' | ',');
    let intended = intended.map(|intended| match intended {
        "" | ",omitempty" => value,
        written => written,
    });
    found.push(match intended.filter(|intended| !intended.is_empty() && intended.chars().all(is_of_name)) {
        Some(intended) => {
            let better = format!("json:\"{intended}\"");
            mistake.replaced(format!("Change the tag to `{better}`"), format!("`{better}`"))
        }
        None => mistake,
    });
}
