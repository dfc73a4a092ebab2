//! Marker names with characters that look like others or that are invisible: `：` in place of `:`, a zero-width space.

use super::mistake::{CheckedFile, Mistake, MistakeKind, advised};
use crate::marker::{self, Target};
use crate::syntax::MarkerComment;

/// Characters with the ASCII characters that they resemble.
const SIMILAR: [(char, char); 10] = [
    ('：', ':'),
    ('︓', ':'),
    ('∶', ':'),
    ('ː', ':'),
    ('＝', '='),
    ('‐', '-'),
    ('–', '-'),
    ('—', '-'),
    ('／', '/'),
    ('．', '.'),
];

/// Characters that nobody sees.
const INVISIBLE: [char; 6] = ['\u{200b}', '\u{200c}', '\u{200d}', '\u{2060}', '\u{feff}', '\u{ad}'];

/// The mistake for a marker that controller-gen knows without such characters.
pub(super) fn check(seen: CheckedFile<'_>, comment: &MarkerComment, target: Target) -> Option<Mistake> {
    let text = seen.text(comment);
    // The value may contain any character.
    let end = text.find(['=', '＝', '"', '`']).map_or(text.len(), |at| {
        at + text.get(at..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8)
    });
    let (name, value) = text.split_at_checked(end)?;
    let (at, first) = name.char_indices().find(|(_, ch)| plain(*ch) != Some(*ch))?;
    let better: String = name.chars().filter_map(plain).collect();
    marker::lookup(&format!("{better}{value}"), target, seen.version)?;
    let intended = better.trim_start_matches('+').trim_end_matches('=');
    let problem = match plain(first) {
        Some(similar) => {
            format!("controller-gen ignores this marker, because `{first}` in its name is not `{similar}`")
        }
        None => {
            let code = u32::from(first);
            format!("controller-gen ignores this marker, because its name has the invisible U+{code:04X}")
        }
    };
    let place = seen.place_in_marker(comment, at..at + first.len_utf8());
    let mistake = Mistake::new(MistakeKind::Form, place, advised(problem, format!("write `{intended}`")));
    let edits = vec![(seen.place_in_marker(comment, 0..end), better.clone())];
    let title = format!("Change to `{intended}`");
    Some(mistake.with_intended_name(intended).repaired(title, edits, true))
}

/// The character that is meant; `None` for an invisible one.
fn plain(ch: char) -> Option<char> {
    if INVISIBLE.contains(&ch) {
        return None;
    }
    Some(SIMILAR.iter().find(|(similar, _)| *similar == ch).map_or(ch, |(_, plain)| *plain))
}
