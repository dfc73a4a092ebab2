//! Markers of the generator `object`, which rejects values that the generator `crd` ignores.

use super::mistake::{CheckedFile, Mistake, MistakeKind, advised, flag_of, nearest, with_article};
use crate::marker::Target;
use crate::syntax::MarkerComment;

/// The maximum number of characters of a value in a message.
const SHOWN: usize = 30;

/// The values of these markers.
const FLAGS: [&str; 2] = ["true", "false"];

/// The maximum number of letters in which a misspelt value differs, and the minimum length of one.
const MAX_DISTANCE: usize = 1;
const SHORTEST: usize = 3;

/// Checks for a marker of that generator on a field, or with an invalid value.
pub(super) fn check(
    seen: CheckedFile<'_>,
    comment: &MarkerComment,
    name: &str,
    target: Target,
) -> Option<Mistake> {
    let text = seen.text(comment);
    let place = seen.place_in_marker(comment, 1..1 + name.len());
    if target == Target::Field {
        let words = advised(
            format!("`{name}` is a marker of {}, and has no effect on a field", with_article(Target::Type)),
            "move or remove it",
        );
        let mistake = Mistake::new(MistakeKind::Target, place, words);
        return Some(mistake.removed(seen, comment.comment, format!("Remove `{name}`"), false));
    }
    let rest = text.get(1 + name.len()..)?.trim_end();
    let Some(value) = rest.strip_prefix('=') else {
        // Other text after the name makes it another name.
        let words = advised(format!("`{name}` has no value"), format!("write `{name}=true`"));
        let end = 1 + name.len();
        let edits = vec![(seen.place_in_marker(comment, end..end), "=true".to_owned())];
        return rest.is_empty().then(|| {
            Mistake::new(MistakeKind::Value, place, words).repaired("Add `=true`".to_owned(), edits, true)
        });
    };
    let written = value.trim();
    if matches!(written, "true" | "false") || value.starts_with(char::is_whitespace) {
        return None;
    }
    let start = 2 + name.len();
    let place = seen.place_in_marker(comment, start..start + value.len());
    let problem = format!("`{name}` takes `true` or `false`, not `{}`", text::start(written, SHOWN));
    let bare = written.trim_matches(['"', '`', '\'']);
    let near = || nearest(bare, FLAGS, MAX_DISTANCE).filter(|_| bare.len() >= SHORTEST);
    Some(match flag_of(bare).or_else(near) {
        Some(flag) => Mistake::replaced_word(MistakeKind::Value, place, problem, (written, flag)),
        None => Mistake::new(MistakeKind::Value, place, advised(problem, "write one of the two")),
    })
}
