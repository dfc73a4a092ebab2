//! Keys of tags that Go reads as other keys, or not at all.

use super::mistake::{CheckedFile, Mistake, MistakeKind, advised};
use crate::syntax::{Tag, json_tag, mark_between, names_json, second_json};

/// Checks the keys of a tag. `value` is the usual value of `json` for its field.
pub(super) fn check(seen: CheckedFile<'_>, tag: &Tag, value: &str, found: &mut Vec<Mistake>) {
    unread(seen, tag, value, found);
    check_keys(seen, tag, found);
    after_value(seen, tag, found);
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
            "write a space in its place",
        );
        // Without the key `json`, controller-gen fails.
        let kind = if key == "json" { MistakeKind::Refused } else { MistakeKind::Tag };
        let mistake = Mistake::new(kind, place, words).of_go();
        let mistake = mistake.with_related(seen.place(tag.span), "the tag".to_owned());
        let has_json = key == "json" && json_tag(&tag.text).is_some();
        if let Some(start) =
            tag.text.get(..place.span.start.saturating_sub(tag.span.start + 1) as usize).map(str::len)
            && has_json
        {
            // The first key is read, so this one is written again.
            let mistake = Mistake { kind: MistakeKind::Tag, related: None, ..mistake };
            let edits = vec![(seen.place(tag.part(start, tag.text.len() - start)), String::new())];
            found.push(mistake.repaired("Remove the second `json`".to_owned(), edits, false));
            return;
        }
        found.push(mistake.replaced(format!("Replace `{written}` with a space"), " ".to_owned()));
    }
    if let Some(second) = second_json(&tag.text) {
        let words = advised("Go reads only the first `json` of a tag", "remove this one");
        let place = seen.place(tag.part(second.start, second.len()));
        let mistake = Mistake::new(MistakeKind::Tag, place, words).of_go();
        let before = tag.text.get(..second.start).unwrap_or_default();
        let start = before.trim_end().len();
        let of_second =
            tag.text.get(second.clone()).and_then(|second| second.split_once('"')?.1.strip_suffix('"'));
        let option =
            of_second.map(|option| option.trim_start_matches(',')).filter(|one| OPTIONS.contains(one));
        let with_option = option.zip(json_tag(&tag.text));
        found.push(match with_option {
            Some((option, (value, range))) => {
                let edits = vec![(
                    seen.place(tag.part(range.start, second.end - range.start)),
                    format!("{value},{option}\""),
                )];
                mistake.repaired(format!("Add `{option}` to the first `json`"), edits, false)
            }
            None => {
                let edits = vec![(seen.place(tag.part(start, second.end - start)), String::new())];
                mistake.repaired("Remove the second `json`".to_owned(), edits, false)
            }
        });
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
    let intended = intended_value(&tag.text).map(|intended| match intended {
        "" | ",omitempty" => value.to_owned(),
        written => in_order(written),
    });
    let is_of_name = |ch: char| ch.is_ascii_alphanumeric() || matches!(ch, '_' | '-' | '.' | ',');
    found.push(match intended.filter(|intended| !intended.is_empty() && intended.chars().all(is_of_name)) {
        Some(intended) => {
            let better = format!("json:\"{intended}\"");
            mistake.replaced(format!("Change the tag to `{better}`"), format!("`{better}`"))
        }
        None => mistake,
    });
}

/// The text that is meant as the value of `json`, in a tag with nothing else.
fn intended_value(tag: &str) -> Option<&str> {
    let is_quote = |ch: char| matches!(ch, '"' | '\'' | '“' | '”' | '’' | '‘');
    // The key may have other letters before or after it.
    let at = tag.to_ascii_lowercase().find("json").filter(|at| *at <= 2)?;
    let rest = tag.get(at + "json".len()..)?;
    if rest == ",omitempty" {
        return Some(rest);
    }
    let rest = match rest.find(is_quote) {
        Some(quote) if rest.get(..quote).is_some_and(|key| !key.contains("omit") && key.len() < 7) => {
            rest.get(quote..)?
        }
        _ => rest.trim_start_matches([':', '=', ' ', ';', '.']),
    };
    Some(rest.trim_matches(|ch: char| is_quote(ch) || ch == ' '))
}

/// The name before its option, if both are written in the other order: `omitempty"name`.
fn in_order(written: &str) -> String {
    let other = OPTIONS.iter().find_map(|option| {
        let name = written.strip_prefix(option)?.strip_prefix('"')?;
        Some(format!("{name},{option}"))
    });
    other.unwrap_or_else(|| written.to_owned())
}

/// The options that may be written after the quotes of a value.
const OPTIONS: [&str; 3] = ["omitempty", "omitzero", "inline"];

/// Checks for text after the value of `json` that Go does not read.
fn after_value(seen: CheckedFile<'_>, tag: &Tag, found: &mut Vec<Mistake>) {
    let Some((value, range)) = json_tag(&tag.text).filter(|_| tag.is_raw()) else { return };
    let end = range.end + 1;
    let rest = tag.text.get(end..).unwrap_or_default();
    let is_key = rest.contains(":\"") || rest.trim().is_empty();
    // The value is empty if its first quote is written twice.
    let after_quote = rest.strip_suffix('"').filter(|name| value.is_empty() && !name.is_empty());
    if is_key && after_quote.is_none() {
        return;
    }
    let written = rest.trim();
    let words = advised(
        format!("Go does not read `{written}` after the value of `json`"),
        "write all of the value in one pair of quotes",
    );
    let place = seen.place(tag.part(tag.text.len() - rest.trim_start().len(), written.len()));
    let mistake = Mistake::new(MistakeKind::Tag, place, words).of_go();
    let whole = seen.place(tag.part(range.start, tag.text.len() - range.start));
    let option = written.trim_matches([',', '"', ';', ' ', ':']);
    let better = match after_quote {
        Some(name) => Some(format!("{name}\"")),
        None if option.is_empty() => Some(format!("{value}\"")),
        None if OPTIONS.contains(&option) && value.split(',').skip(1).all(|known| known != option) => {
            Some(format!("{},{option}\"", value.trim_end_matches(',')))
        }
        // A comment, or an option that the value has already.
        None if !rest.contains('"') => Some(format!("{value}\"")),
        None => None,
    };
    found.push(match better {
        Some(better) => {
            let title = format!("Change the tag to `json:\"{better}`");
            mistake.repaired(title, vec![(whole, better)], false)
        }
        None => mistake,
    });
}
