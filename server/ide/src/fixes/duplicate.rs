//! Fixes for duplicate keys: each removes one of the two. Only the author knows which one is right.

use api::Code;
use text::{TextEdit, TextRange, TextSize};
use yaml::edit::Comments;

use super::proof::Proof;
use super::request::FixRequest;
use crate::Fix;
use crate::analysis::fix::Title;
use crate::analysis::second_item::{SecondItem, second_items};
use crate::analysis::text_at::text_of;
use crate::analysis::values::entry_at;

const CODE: Code = Code::YamlDuplicateKey;

/// The maximum number of duplicates with fixes in one answer; each takes two checks of the document.
const MOST: usize = 10;

/// The maximum number of columns before a key.
const MOST_INDENT: TextSize = 400;

/// The fixes for the touched findings of `request` that are about duplicate keys.
pub(super) fn fixes(request: &FixRequest<'_, '_>, proof: &mut Proof) -> Vec<Fix> {
    let FixRequest { document, editor, .. } = *request;
    let mut fixes = of_second_items(request, proof);
    for finding in request.with_codes(&[CODE]).take(MOST) {
        let Some(first) = finding.related.first() else { continue };
        let Some((mapping, later)) = entry_at(document, finding.range) else { continue };
        let Some((_, earlier)) = entry_at(document, first.range) else { continue };
        let Some(key) = later.key_text() else { continue };
        let titles = [
            (earlier, Title::removal(format_args!("the earlier `{key}`, which has no effect"))),
            (later, Title::removal(format_args!("this `{key}` and use the earlier one"))),
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

/// The fixes for items whose first line is missing: a dash before the first of the other lines.
fn of_second_items(request: &FixRequest<'_, '_>, proof: &mut Proof) -> Vec<Fix> {
    let FixRequest { document, findings, range, .. } = *request;
    let fix = |item: &SecondItem<'_>| {
        let finding = item.duplicates.first().and_then(|index| findings.get(*index));
        let finding = finding.filter(|finding| finding.range.overlaps(range))?;
        let column = item.list.as_sequence()?.column()?;
        let start = finding.range.start;
        let line = text_of(document.syntax(), TextRange::new(start.saturating_sub(MOST_INDENT), start));
        let indent = line.get(line.rfind('\n')? + 1..)?;
        let is_blank = indent.len() > column + 1 && indent.bytes().all(|byte| byte == b' ');
        let at = start.checked_sub((indent.len() - column) as TextSize)?;
        let edits = vec![TextEdit::replace(TextRange::at(at, 1), "-")];
        let before = proof.remaining(&[])?;
        let is_better = is_blank && proof.remaining(&edits).is_some_and(|left| left < before);
        let title = format!("Add `-` before `{}`", item.first.key_text()?);
        is_better.then(|| Fix::suggested(title, edits, CODE, finding.range))
    };
    second_items(document, findings).iter().filter_map(fix).collect()
}
