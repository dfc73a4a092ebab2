//! Fixes for duplicate keys: each removes one of the two. Only the author knows which one is right.

use crate::analysis::values::entry_at;
use api::Code;
use text::TextRange;
use yaml::Document;
use yaml::edit::{Comments, Editor};

use super::proof::Proof;
use crate::{Finding, Fix};

const CODE: Code = Code::YamlDuplicateKey;

/// The maximum number of duplicates with fixes in one answer; each takes two checks of the document.
const MOST: usize = 10;

/// The fixes for those of `findings`, all of `document`, that touch `range` and are about duplicate keys.
pub(super) fn fixes(
    document: Document<'_>,
    findings: &[Finding],
    range: TextRange,
    editor: &Editor<'_>,
    proof: &mut Proof,
) -> Vec<Fix> {
    let wanted = findings.iter().filter(|finding| finding.code == CODE && finding.range.overlaps(range));
    let mut fixes = Vec::new();
    for finding in wanted.take(MOST) {
        let Some(first) = finding.related.first() else { continue };
        let Some((mapping, later)) = entry_at(document, finding.range) else { continue };
        let Some((_, earlier)) = entry_at(document, first.range) else { continue };
        let Some(key) = later.key_text() else { continue };
        let titles = [
            (earlier, format!("Remove the earlier `{key}`, which has no effect")),
            (later, format!("Remove this `{key}` and use the earlier one")),
        ];
        let mut offers: Vec<Fix> = Vec::new();
        for (entry, title) in titles {
            let mut editor = editor.fresh();
            editor.remove(mapping, entry, Comments::Keep);
            let Ok(edits) = editor.finish() else { continue };
            if proof.reduces(CODE, &edits) {
                offers.push(Fix::suggested(title, edits, CODE, finding.range));
            }
        }
        // The value with which less is wrong is likelier.
        offers.sort_by_cached_key(|fix| proof.remaining(&fix.edits).unwrap_or(usize::MAX));
        fixes.extend(offers);
    }
    fixes
}
