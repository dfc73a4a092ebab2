//! Words for a person.

use cel::{Issue, IssueCode, TokenKind};
use text::{TextRange, TextSize};

use super::excess::Unbounded;
use crate::field_path::Segment;

/// How many bounds a message proposes.
const MAX_PROPOSED: usize = 3;

/// A number with its digits in groups of three.
#[must_use]
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() * 4 / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A cost or a size in words: `unbounded` where nothing bounds it, else a number.
#[must_use]
pub fn cost_words(cost: u64) -> String {
    if is_unbounded(cost) { "unbounded".to_owned() } else { grouped(cost) }
}

/// Whether a cost rests on a size that nothing bounds, not even the size of a request. The estimate then has the
/// greatest number there is, or a tenth of it, which is what looking at each byte costs.
#[must_use]
pub const fn is_unbounded(cost: u64) -> bool {
    cost >= u64::MAX / 10
}

/// What `times` evaluations cost at most, as a sum: `1,200 × 64 = 76,800`.
#[must_use]
pub fn sum_words(per_call: u64, times: u64) -> String {
    let total = per_call.saturating_mul(times);
    match times {
        _ if is_unbounded(per_call) => "unbounded".to_owned(),
        1 => cost_words(total),
        _ => format!("{} × {} = {}", grouped(per_call), grouped(times), cost_words(total)),
    }
}

/// What an expression adds to the cost of all, which exceeds the limit.
pub(crate) fn share_words(cost: u64, total: u64) -> String {
    let what = "the rule contributes to the total cost, which exceeds the limit";
    match is_unbounded(total) {
        true => format!("{what} (cost {})", cost_words(cost)),
        false => format!("{what} ({} of {})", grouped(cost), grouped(total)),
    }
}

/// What an issue says: the server's words, without what tells an author nothing.
pub(crate) fn issue_words(issue: &Issue) -> String {
    issue.message.replace(" (in container '')", "")
}

/// What of `text` is wrong, never nothing: a field rather than all that it is selected from, and in the place of a
/// token that is missing the character before.
#[must_use]
pub fn issue_range(text: &str, issue: &Issue) -> TextRange {
    let range = issue.range;
    if let (IssueCode::UndefinedField, Some(dot)) = (issue.code, issue.anchor)
        && text.as_bytes().get(dot as usize) == Some(&b'.')
        && dot + 1 < range.end
    {
        return TextRange { start: dot + 1, end: range.end };
    }
    if let Some(field) = tested_field(text, issue) {
        return field;
    }
    if !range.is_empty() {
        return range;
    }
    let at = text::floor_char_boundary(text, range.start as usize);
    let length = |c: char| c.len_utf8() as TextSize;
    let end = at as TextSize;
    match (text.get(at..).and_then(|rest| rest.chars().next()), text.get(..at)) {
        (Some(c), _) => TextRange::at(end, length(c)),
        (None, Some(before)) => {
            let last = before.trim_end();
            let start = last.char_indices().next_back().map_or(0, |(start, _)| start as TextSize);
            TextRange { start, end: last.len() as TextSize }
        }
        (None, None) => range,
    }
}

/// The field that `has(…)` asks for, if that is what is wrong.
fn tested_field(text: &str, issue: &Issue) -> Option<TextRange> {
    let part = text.get(issue.range.as_usize()).filter(|_| issue.code == IssueCode::UndefinedField)?;
    let tokens = cel::tokenize(part);
    let dot = tokens.iter().rposition(|token| token.kind == TokenKind::Dot)?;
    let field = tokens.get(dot + 1).filter(|_| part.starts_with("has"))?;
    Some(TextRange { start: issue.range.start + field.range.start, end: issue.range.start + field.range.end })
}

/// How to bring a cost down.
pub(crate) fn advice(culprits: &[Unbounded], name: impl Fn(&[Segment]) -> String) -> String {
    if culprits.is_empty() {
        return "simplify it or lower the bounds of the values that it reads".to_owned();
    }
    let bounds = culprits.iter().take(MAX_PROPOSED);
    let bounds: Vec<String> =
        bounds.map(|one| format!("`{}` on `{}`", one.keyword.as_str(), name(one.path.segments()))).collect();
    let more = if culprits.len() > MAX_PROPOSED { " and more" } else { "" };
    format!("set {}{more}", bounds.join(", "))
}
