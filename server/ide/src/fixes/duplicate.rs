//! Fixes for keys that stand twice: either of the two goes. Only the author knows which was meant.

use api::Code;
use text::TextRange;
use yaml::edit::{Comments, Editor};
use yaml::{Document, Entry, Value};

use super::proof::Proof;
use crate::{Finding, Fix};

const CODE: Code = Code::YamlDuplicateKey;

/// For how many duplicates there are fixes at once; each takes two checks of the document.
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
            (earlier, format!("Remove the earlier `{key}`, whose value is lost already")),
            (later, format!("Remove this `{key}`, so that the earlier one counts")),
        ];
        for (entry, title) in titles {
            let mut editor = editor.fresh();
            editor.remove(mapping, entry, Comments::Keep);
            let Ok(edits) = editor.finish() else { continue };
            if proof.lessens(CODE, &edits) {
                fixes.push(Fix::suggested(title, edits, CODE, finding.range));
            }
        }
    }
    fixes
}

/// The entry whose key stands at `range`, and its mapping.
pub(crate) fn entry_at(document: Document<'_>, range: TextRange) -> Option<(Value<'_>, Entry<'_>)> {
    let mut node = document.syntax();
    loop {
        let value = Value::of_node(node);
        let mut entries = value.as_mapping().into_iter().flat_map(yaml::Mapping::entries);
        if let Some(entry) = entries.find(|entry| entry.key_range() == range) {
            return Some((value, entry));
        }
        node = node.nodes().find(|child| child.range().contains_range(range))?;
    }
}
