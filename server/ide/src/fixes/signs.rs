//! Fixes for JSON with missing, wrong or extra characters, and for merge conflicts: keep one of the two
//! sides.

use api::Code;
use text::{TextEdit, TextRange};
use yaml::Document;

use super::request::FixRequest;
use crate::analysis::conflict::{Conflict, ResolvedConflicts};
use crate::analysis::fix::Title;
use crate::analysis::json::{NonJsonToken, RepairedJson, Slip};
use crate::analysis::text_at::text_of;
use crate::{Finding, Fix};

/// The maximum number of characters of a token that a title repeats.
const MOST_SHOWN: usize = 40;

/// The fixes for merge conflicts among the touched findings of `request`.
pub(super) fn fixes(request: &FixRequest<'_, '_>) -> Vec<Fix> {
    let wanted = findings_in_range(request.findings, request.range);
    let Some(resolved) = (!wanted.is_empty()).then(|| ResolvedConflicts::of(request.document)).flatten()
    else {
        return Vec::new();
    };
    let of = |finding: &&Finding| resolved.conflicts.iter().find(|one| one.mark == finding.range);
    let conflicts = wanted.iter().filter_map(|finding| Some((of(finding)?, *finding)));
    conflicts.flat_map(|(conflict, finding)| sides(conflict, finding)).collect()
}

/// The fixes for wrong characters of JSON among those of `findings`, all of `document`, that touch `range`.
pub(super) fn of_characters(
    document: Document<'_>,
    json: &RepairedJson,
    findings: &[Finding],
    range: TextRange,
) -> Vec<Fix> {
    let fix = |finding: &Finding| {
        let slip = json.slips.iter().find(|slip| slip.range == finding.range && !slip.is_unnamed())?;
        let title = title(document, slip);
        Some(Fix::suggested(title, vec![slip.edit.clone()], finding.code, finding.range))
    };
    findings_in_range(findings, range).into_iter().filter_map(fix).collect()
}

/// The fixes for parts that are YAML, but not JSON, in a file with the ending of JSON.
pub(super) fn of_json_files(request: &FixRequest<'_, '_>) -> Vec<Fix> {
    if request.touched().next().is_none() {
        return Vec::new();
    }
    let tokens = NonJsonToken::all(request.document, request.surroundings());
    let fix = |finding: &Finding| {
        let is_of_token = |token: &&NonJsonToken| match finding.code.group() {
            "yaml" => token.range == finding.range,
            _ => token.range.contains_range(finding.range),
        };
        let token = tokens.iter().find(is_of_token)?;
        // In quotes, a word is still not a boolean.
        let is_of_type = matches!(finding.code, Code::DecodeType | Code::ResourceType);
        if is_of_type && token.edit.new_text.starts_with('"') && token.range == finding.range {
            return None;
        }
        Some(Fix::suggested(token.title(), vec![token.edit.clone()], finding.code, finding.range))
    };
    request.touched().filter_map(fix).collect()
}

fn findings_in_range(findings: &[Finding], range: TextRange) -> Vec<&Finding> {
    let is_wanted = |finding: &&Finding| finding.code.group() == "yaml" && finding.range.overlaps(range);
    findings.iter().filter(is_wanted).collect()
}

fn title(document: Document<'_>, slip: &Slip) -> Title {
    let (written, new) = (&*slip.written, &*slip.edit.new_text);
    if let Some(line) = slip.opening_line() {
        return format!("Add `{line}` above this line").into();
    }
    match (written, new) {
        ("", new) if slip.range.start < slip.edit.range.start => format!("Add the closing `{new}`").into(),
        ("", new) => {
            let next = text_of(document.syntax(), slip.range);
            let next = if next.len() > 1 { next.trim_matches('"') } else { &next };
            format!("Add `{new}` before `{}`", text::start(next, MOST_SHOWN)).into()
        }
        _ if slip.is_comment() => Title::removal("the comment"),
        (written, "") => Title::removal(format_args!("the extra `{written}`")),
        (written, new) => format!("Replace `{}` with `{new}`", text::start(written, MOST_SHOWN)).into(),
    }
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
