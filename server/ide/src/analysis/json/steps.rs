//! The repairs that are possible at the first error of JSON: characters that are missing, wrong or extra.

use std::borrow::Cow;

use super::scan::{ExpectedToken, Scanner, Token, Unopened};

/// The maximum number of offsets in a string where a quote may be missing.
const MOST_IN_STRING: usize = 6;

/// The maximum number of brackets that are added at the end of a text.
const MOST_OPEN: usize = 40;

/// The key of a missing line, which may be any key.
pub(super) const PLACEHOLDER: &str = "\"unnamed\"";

/// A repair: the bytes from `at` on that it replaces, and their replacement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) at: usize,
    pub(super) length: usize,
    pub(super) new: Cow<'static, str>,
}

impl Step {
    const fn insert(at: usize, new: &'static str) -> Self {
        Self { at, length: 0, new: Cow::Borrowed(new) }
    }

    const fn replace(at: usize, new: &'static str) -> Self {
        Self { at, length: 1, new: Cow::Borrowed(new) }
    }

    const fn remove(start: usize, end: usize) -> Self {
        Self { at: start, length: end.saturating_sub(start), new: Cow::Borrowed("") }
    }
}

/// The repairs at the error of `stopped`, the likeliest first.
pub(super) fn steps(stopped: &Scanner<'_>) -> Vec<Step> {
    let mut steps = Vec::new();
    if let Some(end) = stopped.torn {
        steps.extend(quotes(stopped.text, stopped.position + 1, end));
    }
    steps.extend(comment(stopped));
    // Right behind another bracket, a bracket was written twice.
    let misclosed = stopped.misclosed.map(|(start, end)| Step::remove(start, end));
    // Behind an extra bracket, all lines are indented too far.
    let is_first = |step: &Step| {
        let opened = stopped.unopened.as_ref().map_or(usize::MAX, |unopened| unopened.line);
        step.length == 1 || step.at < opened
    };
    steps.extend(misclosed.clone().filter(is_first));
    steps.extend(stopped.unopened.as_ref().map(opening_line));
    steps.extend(doubled(stopped));
    steps.extend(written_for_another(stopped));
    steps.extend(colon_in_key(stopped));
    let wrong_close = wrong_close(stopped);
    let is_in_column = |_: &Step| {
        let column = stopped.frames.last().map(|frame| frame.indent);
        stopped.begins_line && column == Some(stopped.indent)
    };
    steps.extend(wrong_close.clone().filter(is_in_column));
    // The indentation of a bracket shows where it is extra.
    steps.extend(misclosed);
    steps.extend(missing(stopped));
    steps.extend(wrong_close);
    steps.extend(wrong_open(stopped));
    steps.extend(extra(stopped));
    steps.extend(end(stopped));
    steps
}

/// The brackets that are missing at the end of the text, in place of a last member that is incomplete.
fn end(stopped: &Scanner<'_>) -> Vec<Step> {
    let written = stopped.text.trim_end().len();
    if stopped.error() < written || stopped.frames.is_empty() || stopped.frames.len() > MOST_OPEN {
        return Vec::new();
    }
    let brackets: String = stopped.frames.iter().rev().map(|frame| frame.close()).collect();
    let Some(frame) = stopped.frames.last() else { return Vec::new() };
    let is_behind_comma = stopped.last.first().is_some_and(|last| last.is_comma);
    let is_whole = frame.may_end() && stopped.position >= written && !is_behind_comma;
    let whole = is_whole.then_some(written);
    let without_last = frame.last_end.unwrap_or(frame.at + 1);
    let close = |start: usize| Step { at: start, length: written - start, new: Cow::Owned(brackets.clone()) };
    whole.into_iter().chain([without_last]).filter(|start| *start <= written).map(close).collect()
}

/// The colon that is written within the quotes of a key.
fn colon_in_key(stopped: &Scanner<'_>) -> Option<Step> {
    let key = stopped.last.first().filter(|before| before.is_string && before.end - before.start > 3)?;
    let is_key = stopped.frames.last()?.next == ExpectedToken::Colon;
    let is_inside = stopped.byte(key.end - 2) == Some(b':');
    (is_key && is_inside).then(|| Step { at: key.end - 2, length: 2, new: Cow::Borrowed("\":") })
}

/// The line that opens the object or the list of `unopened`. Its key is a placeholder.
fn opening_line(unopened: &Unopened) -> Step {
    let Unopened { line, indent, is_member, open, newline } = *unopened;
    let key = if is_member { format!("{PLACEHOLDER}: ") } else { String::new() };
    let new = format!("{}{key}{open}{newline}", " ".repeat(indent));
    Step { at: line, length: 0, new: Cow::Owned(new) }
}

/// The characters that may be missing.
fn missing(stopped: &Scanner<'_>) -> Vec<Step> {
    let mut missing = Vec::new();
    let (before, byte) = (stopped.last.first(), stopped.byte(stopped.position));
    let next = stopped.frames.last().map(|frame| frame.next);
    // A string whose closing quote is missing includes the text behind it.
    let torn = stopped.last.iter().filter(|token| token.is_string);
    let of_strings = torn.flat_map(|token| quotes(stopped.text, token.start + 1, token.end - 1));
    let is_word = byte.is_some_and(|byte| !b"{}[],:\"".contains(&byte));
    missing.extend(is_word.then_some(Step::insert(stopped.position, "\"")));
    match (next, before) {
        (Some(ExpectedToken::Colon), Some(before)) => missing.push(Step::insert(before.end, ":")),
        (Some(ExpectedToken::Comma), Some(before)) if byte != Some(b':') => {
            missing.push(Step::insert(before.end, ","));
        }
        _ => {}
    }
    // A line with a closing bracket also has the comma.
    let with_comma = |close: &str| if close == "}" { "}," } else { "]," };
    let is_next = next == Some(ExpectedToken::Comma) && byte != Some(b':');
    let line = stopped.ended.filter(|_| is_next).map(|(at, close)| Step::insert(at, with_comma(close)));
    missing.extend(stopped.ended.map(|(at, close)| Step::insert(at, close)));
    missing.extend(line);
    missing.extend(of_strings);
    if let Some(frame) = stopped.frames.last() {
        missing.extend(stopped.end_of_value().map(|end| Step::insert(end, frame.close())));
        // An item of a list with a colon behind it is the next key.
        let third = stopped.last.get(2).filter(|_| stopped.last.get(1).is_some_and(|token| token.is_comma));
        missing.extend(third.map(|token| Step::insert(token.end, frame.close())));
        let key = before.filter(|_| byte == Some(b':'));
        missing.extend(key.map(|token| Step::insert(token.start, "{")));
        let opens = frame.value.into_iter().flat_map(|at| [Step::insert(at, "["), Step::insert(at, "{")]);
        missing.extend(opens);
    }
    missing
}

/// Removals of a quote or a bracket that is written twice.
fn doubled(stopped: &Scanner<'_>) -> Vec<Step> {
    let mut doubled = Vec::new();
    let (byte, at) = (stopped.byte(stopped.position), stopped.position);
    if let Some(before) = stopped.last.first().filter(|before| before.is_string && before.end == at) {
        // An empty string before the text, or a quote behind it.
        let quote = if before.end - before.start == 2 { before.start } else { at };
        let is_quote = byte == Some(b'"') || quote == before.start;
        doubled.extend(is_quote.then_some(Step::remove(quote, quote + 1)));
    }
    let is_twice =
        stopped.last.first().is_some_and(|before| before.end == at && stopped.byte(before.start) == byte);
    if is_twice && matches!(byte, Some(b'{' | b'[' | b'}' | b']')) {
        doubled.push(Step::remove(at, at + 1));
    }
    // The bracket that an editor adds, although the content follows.
    let is_open = |at: usize| matches!(stopped.byte(at), Some(b'{' | b'['));
    let ended = stopped.last.iter().find(|token| !token.is_comma && token.start > 0);
    let is_empty =
        |token: &&Token| matches!(stopped.byte(token.start), Some(b'}' | b']')) && is_open(token.start - 1);
    doubled.extend(ended.filter(is_empty).map(|token| Step::remove(token.start, token.end)));
    let frames = stopped.frames.iter().rev().filter(|frame| is_open(frame.at + 1));
    doubled.extend(frames.take(2).map(|frame| Step::remove(frame.at, frame.at + 1)));
    doubled
}

/// The comma or the colon for which another character is written.
fn written_for_another(stopped: &Scanner<'_>) -> Option<Step> {
    let (at, next) = (stopped.position, stopped.frames.last()?.next);
    if next == ExpectedToken::Colon && stopped.text.get(at..)?.starts_with("=>") {
        return Some(Step { at, length: 2, new: Cow::Borrowed(":") });
    }
    let new = match (next, stopped.byte(at)?) {
        (ExpectedToken::Colon, b'=' | b';' | b',') => ":",
        (ExpectedToken::Comma, b';' | b'.' | b':') => ",",
        _ => return None,
    };
    Some(Step::replace(at, new))
}

/// The right closing bracket for a wrong one.
fn wrong_close(stopped: &Scanner<'_>) -> Option<Step> {
    let frame = stopped.frames.last().filter(|frame| frame.may_end())?;
    matches!(stopped.byte(stopped.position)?, b'}' | b']' | b')')
        .then(|| Step::replace(stopped.position, frame.close()))
}

/// The right opening bracket for a wrong one.
fn wrong_open(stopped: &Scanner<'_>) -> Option<Step> {
    let frame = stopped.frames.last()?;
    Some(Step::replace(frame.at, if frame.is_object { "[" } else { "{" }))
}

/// The characters that may be extra: a comma, a colon or a closing bracket.
fn extra(stopped: &Scanner<'_>) -> Vec<Step> {
    let next = stopped.frames.last().map(|frame| frame.next);
    let here = Step::remove(stopped.position, stopped.position + 1);
    let rest = stopped.text.get(stopped.position..).unwrap_or_default();
    let word = rest.len() - rest.trim_start_matches(|letter: char| letter.is_ascii_alphanumeric()).len();
    if next == Some(ExpectedToken::Key) && word > 0 {
        let before = stopped.last.first().map_or(stopped.position, |before| before.end);
        return vec![Step::remove(before, stopped.position + word)];
    }
    match stopped.byte(stopped.position) {
        Some(b',') if next != Some(ExpectedToken::Comma) => vec![here],
        Some(b';' | b'.') if matches!(next, Some(ExpectedToken::Key | ExpectedToken::Item)) => vec![here],
        Some(b':') if next == Some(ExpectedToken::Value) => vec![here],
        Some(b'{' | b'[') if next == Some(ExpectedToken::Key) => {
            let before = stopped.last.first().map_or(stopped.position, |before| before.end);
            vec![Step::remove(before, stopped.position + 1)]
        }
        Some(b'}' | b']') => {
            let before = stopped.last.first().map_or(stopped.position, |before| before.end);
            vec![Step::remove(before, stopped.position + 1)]
        }
        _ => Vec::new(),
    }
}

/// The repairs of a comment in the style of other languages: its signs are removed if it contains a member,
/// or all of it.
fn comment(stopped: &Scanner<'_>) -> Vec<Step> {
    let rest = stopped.text.get(stopped.position..).unwrap_or_default();
    let end = match rest.get(..2) {
        Some("//") => stopped.end_of_line(stopped.position),
        Some("/*") => rest.find("*/").map_or(stopped.text.len(), |end| stopped.position + end + 2),
        _ => return Vec::new(),
    };
    let before = stopped.text.get(..stopped.position).unwrap_or_default();
    let start = match stopped.begins_line {
        // With its line.
        true if stopped.end_of_line(stopped.position) == end => {
            before.rfind('\n').unwrap_or(stopped.position)
        }
        true => stopped.position,
        false => before.trim_end_matches([' ', '\t']).len(),
    };
    let member = rest.strip_prefix("//").filter(|text| text.trim_start().starts_with('"'));
    let signs = member.map(|text| rest.len() - text.trim_start_matches(' ').len());
    let uncommented = signs.map(|length| Step::remove(stopped.position, stopped.position + length));
    uncommented.into_iter().chain([Step::remove(start, end)]).collect()
}

/// The offsets in the text between `start` and `end` where a quote may be missing: before punctuation.
fn quotes(text: &str, start: usize, end: usize) -> Vec<Step> {
    let Some(torn) = text.get(start..end) else { return Vec::new() };
    let whole = torn.trim_end().trim_end_matches([',', '{', '[', '}', ']', ':', ' ']);
    let signs = torn.match_indices([':', ',', '{', '}', '[', ']']).map(|(at, _)| at);
    let ends = signs.filter_map(|at| Some(torn.get(..at)?.trim_end().len()));
    let mut ends: Vec<usize> = std::iter::once(whole.len()).chain(ends.take(MOST_IN_STRING)).collect();
    ends.dedup();
    ends.into_iter().map(|at| Step::insert(start + at, "\"")).collect()
}
