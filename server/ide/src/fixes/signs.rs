//! Fixes for JSON with a missing punctuation character, and for merge conflicts: keep one of the two sides.

use text::{TextEdit, TextRange};
use yaml::Document;

use crate::analysis::conflict::{Conflict, Resolved};
use crate::analysis::json::RepairedJson;
use crate::analysis::text_at::text_of;
use crate::{Finding, Fix};

/// The maximum number of characters of a token that a title repeats.
const MOST_SHOWN: usize = 40;

/// The fixes for those of `findings`, all of `document`, that touch `range`.
pub(super) fn fixes(document: Document<'_>, findings: &[Finding], range: TextRange) -> Vec<Fix> {
    let is_wanted = |finding: &&Finding| finding.code.group() == "yaml" && finding.range.overlaps(range);
    let wanted: Vec<&Finding> = findings.iter().filter(is_wanted).collect();
    if wanted.is_empty() {
        return Vec::new();
    }
    if let Some(resolved) = Resolved::of(document) {
        let of = |finding: &&Finding| resolved.conflicts.iter().find(|one| one.mark == finding.range);
        let conflicts = wanted.iter().filter_map(|finding| Some((of(finding)?, *finding)));
        return conflicts.flat_map(|(conflict, finding)| sides(conflict, finding)).collect();
    }
    let Some(repaired) = RepairedJson::of(document) else { return Vec::new() };
    let fix = |finding: &Finding| {
        let slip = repaired.slips.iter().find(|slip| slip.range == finding.range)?;
        let next = text_of(document.syntax(), slip.range);
        let title = match slip.range.start < slip.at {
            true => format!("Add the closing `{}`", slip.sign),
            false => {
                let next = if next.len() > 1 { next.trim_matches('"') } else { &next };
                format!("Add `{}` before `{}`", slip.sign, text::start(next, MOST_SHOWN))
            }
        };
        let edits = vec![TextEdit::insert(slip.at, slip.sign.to_string())];
        Some(Fix::suggested(title, edits, finding.code, finding.range))
    };
    wanted.into_iter().filter_map(fix).collect()
}

/// The fixes that keep our side, and their side.
fn sides(conflict: &Conflict, finding: &Finding) -> [Fix; 2] {
    let Conflict { whole, ours, theirs, .. } = *conflict;
    let kept = |title: &str, side: TextRange| {
        let edits = [TextRange::new(whole.start, side.start), TextRange::new(side.end, whole.end)];
        let edits = edits.map(|range| TextEdit::replace(range, String::new())).to_vec();
        Fix::suggested(title.to_owned(), edits, finding.code, finding.range)
    };
    [
        kept("Accept the first side of the merge conflict (ours)", ours),
        kept("Accept the second side of the merge conflict (theirs)", theirs),
    ]
}
