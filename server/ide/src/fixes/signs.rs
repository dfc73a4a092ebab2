//! The fixes for JSON with a missing sign: the sign.

use text::{TextEdit, TextRange};
use yaml::Document;

use crate::analysis::json::Mended;
use crate::analysis::text_at::text_of;
use crate::{Finding, Fix};

/// So many characters of a token are repeated in a title.
const MOST_SHOWN: usize = 40;

/// The fixes for those of `findings`, all of `document`, that touch `range`.
pub(super) fn fixes(document: Document<'_>, findings: &[Finding], range: TextRange) -> Vec<Fix> {
    let is_wanted = |finding: &&Finding| finding.code.group() == "yaml" && finding.range.overlaps(range);
    let wanted: Vec<&Finding> = findings.iter().filter(is_wanted).collect();
    if wanted.is_empty() {
        return Vec::new();
    }
    let Some(mended) = Mended::of(document) else { return Vec::new() };
    let fix = |finding: &Finding| {
        let slip = mended.slips.iter().find(|slip| slip.range == finding.range)?;
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
