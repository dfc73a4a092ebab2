//! The fix for an unclosed quote, bracket or brace: inserts its counterpart at its probable end.

use api::Code;
use text::{TextEdit, TextRange, TextSize};
use yaml::Document;

use super::proof::Proof;
use super::request::FixRequest;
use crate::analysis::text_at::text_of;
use crate::{Finding, Fix};

const CODE: Code = Code::YamlUnclosed;
/// The longest text that is examined, in bytes.
const MOST: TextSize = 100_000;

/// The fixes for the touched findings of `request`.
pub(super) fn fixes(request: &FixRequest<'_, '_>, proof: &mut Proof) -> Vec<Fix> {
    let fix = |finding: &Finding| {
        let offers = closing_edits(request.document, finding).into_iter().flatten();
        let mut fixes = offers.map(|(title, edit)| Fix::suggested(title, vec![edit], CODE, finding.range));
        // The closed text may have errors that could not be found before.
        fixes.find(|fix| {
            proof.reduces(CODE, &fix.edits) || proof.removed(&fix.edits).iter().any(|(code, _)| *code == CODE)
        })
    };
    request.with_codes(&[CODE]).filter_map(fix).collect()
}

/// The edits that close the bracket or quote of `finding`: at the place of another bracket, on its own line, or
/// at its probable end.
fn closing_edits(document: Document<'_>, finding: &Finding) -> Option<Vec<(String, TextEdit)>> {
    let start = finding.range.start;
    // The wrong bracket, or the empty range of the probable end.
    let end = finding.related.first()?.range;
    let whole = TextRange::new(start, end.start.max(start));
    let text = (whole.len() <= MOST).then(|| text_of(document.syntax(), whole))?;
    let (close, is_quote) = match text.chars().next()? {
        quote @ ('\'' | '"') => (quote, true),
        '[' => (']', false),
        '{' => ('}', false),
        _ => return None,
    };
    if !end.is_empty() {
        let title = format!("Replace `{}` with `{close}`", text_of(document.syntax(), end));
        return Some(vec![(title, TextEdit::replace(end, close.to_string()))]);
    }
    let add_after = |text: &str| {
        let content = if is_quote { text.trim_end() } else { without_comments(text) };
        let at = start + content.len() as TextSize;
        (format!("Add the closing `{close}`"), TextEdit::insert(at, close.to_string()))
    };
    Some(vec![add_after(text.lines().next()?), add_after(&text)])
}

/// `text` up to the last character that is not in a comment.
fn without_comments(text: &str) -> &str {
    let mut content = text.trim_end();
    loop {
        let line = content.rfind('\n').map_or(0, |end| end + 1);
        let last = content.get(line..).unwrap_or_default();
        let comment = match last.trim_start().starts_with('#') {
            true => Some(0),
            false => last.find(" #"),
        };
        match comment {
            Some(at) => content = content.get(..line + at).unwrap_or_default().trim_end(),
            None => return content,
        }
    }
}
