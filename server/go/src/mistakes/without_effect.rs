//! Values without effect: an empty pattern, an empty message, and a rule that is already on the node.

use std::collections::BTreeMap;

use super::combinations::Read;
use super::mistake::{CheckedFile, Mistake, MistakeKind, advised};
use crate::load::Place;
use crate::marker::{Data, Meaning, Value};

/// Arguments of rules that controller-gen omits if they are empty.
const TEXTS: [&str; 2] = ["message", "messageExpression"];

pub(super) fn check(seen: CheckedFile<'_>, known: &[Read<'_>], found: &mut Vec<Mistake>) {
    let mut rules: BTreeMap<(bool, &str), Place> = BTreeMap::new();
    for read in known {
        match read.marker.meaning() {
            Meaning::Pattern if is_empty(read.marker.argument("")) => {
                let words = advised(format!("an empty `{}` has no effect", read.name()), "remove it");
                let mistake = Mistake::new(MistakeKind::Unused, read.place(seen), words);
                let title = format!("Remove `{}`", read.name());
                found.push(mistake.removed(seen, read.comment.comment, title, false));
            }
            Meaning::Validation => {
                TEXTS.iter().for_each(|name| found.extend(empty(seen, read, name)));
                let Some(Value { data: Data::Text(rule), .. }) = read.marker.argument("rule") else {
                    continue;
                };
                let key = (read.marker.definition.items, rule.trim());
                let Some(first) = rules.get(&key) else {
                    rules.insert(key, read.place(seen));
                    continue;
                };
                // Identical markers have another finding.
                if known.iter().any(|other| {
                    !std::ptr::eq(other, read) && seen.text(other.comment) == seen.text(read.comment)
                }) {
                    continue;
                }
                let words = advised("another marker has the same rule", "remove one of the two");
                let mistake = Mistake::new(MistakeKind::Overridden, read.place(seen), words);
                found.push(mistake.with_related(*first, "the same rule".to_owned()));
            }
            _ => {}
        }
    }
}

fn is_empty(value: Option<&Value>) -> bool {
    value.is_some_and(|value| matches!(&value.data, Data::Text(text) if text.is_empty()))
}

/// The mistake for an empty argument of a rule.
fn empty(seen: CheckedFile<'_>, read: &Read<'_>, name: &str) -> Option<Mistake> {
    let value = read.marker.argument(name).filter(|value| is_empty(Some(value)))?;
    let text = seen.text(read.comment);
    // The fix also removes the comma before the argument, or after the first one.
    let before =
        text.get(..value.range.start)?.trim_end().strip_suffix('=')?.trim_end().strip_suffix(name)?;
    let after = text.get(value.range.end..)?;
    let removed = match before.trim_end().strip_suffix(',') {
        Some(others) => Some(others.len()..value.range.end),
        None => {
            let others = after.trim_start().strip_prefix(',').map(str::trim_start);
            others.map(|others| before.len()..text.len() - others.len())
        }
    };
    let place = seen.place_in_marker(read.comment, before.len()..value.range.end);
    let words = advised(format!("an empty `{name}` has no effect"), "write one, or remove the argument");
    let mistake = Mistake::new(MistakeKind::Unused, place, words);
    Some(match removed {
        Some(range) => {
            let edits = vec![(seen.place_in_marker(read.comment, range), String::new())];
            mistake.repaired(format!("Remove `{name}`"), edits, false)
        }
        None => mistake,
    })
}
