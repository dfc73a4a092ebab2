//! JSON with missing, wrong or extra characters: they are corrected, and the corrected document is checked.
//!
//! In YAML, a missing quote or brace changes all keys behind it. The text is therefore read as JSON up to the
//! first error. Of the repairs that are possible there, the one is made with which most of the text can be
//! read.

mod scan;
mod steps;
mod strict;
#[cfg(test)]
mod tests;

use std::ops::Range;
use std::sync::Arc;

use api::Code;
use crd::Message;
use memo::ByInput;
use text::{TextEdit, TextRange, TextSize};
use yaml::{Document, NodeRef, SyntaxErrorKind, SyntaxKind, Tree};

use crate::analysis::caches::Caches;
use crate::analysis::missing_key::key_of_placeholder;
use crate::analysis::repaired_text::RepairedText;
use crate::analysis::shifts::Shifts;
use crate::analysis::text_at::text_of;
use crate::{Finding, Severity, Surroundings};
use scan::stopped;
use steps::{PLACEHOLDER, Step, steps};
pub(crate) use strict::NonJsonToken;

/// The maximum size of a document that is read as JSON.
const MOST_BYTES: TextSize = 100_000;
/// The maximum number of bytes before the start of JSON.
const HEAD: TextSize = 200;
/// The maximum number of wrong characters; a text with more is probably not JSON.
const MOST_SLIPS: usize = 5;
/// The maximum number of repairs that are tried at one offset.
const MOST_TRIED: usize = 40;
/// The maximum number of bytes that are read for all of them.
const MOST_READ: usize = 8_000_000;

/// A missing, wrong or extra character.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Slip {
    /// The repair, with its range in the file.
    pub(crate) edit: TextEdit,
    /// The text that it replaces, without blanks around it; empty if a character is missing.
    pub(crate) written: String,
    /// The range of the finding: that text, or the token after the missing character. At the end of the text, it is
    /// the last token.
    pub(crate) range: TextRange,
}

/// A document in which all these characters are corrected.
pub(crate) struct RepairedJson {
    pub(crate) slips: Vec<Slip>,
    /// The text with the repairs.
    pub(crate) text: String,
    /// The repairs, relative to the start of the document.
    steps: Vec<TextEdit>,
}

/// The cached repairs of a text, relative to its start; `None` if it is not JSON with wrong characters.
#[derive(Clone)]
struct KnownRepairs(Option<Arc<[TextEdit]>>);

impl RepairedJson {
    /// Corrects the characters of `document`, if it is JSON with them. Several questions about one text need its
    /// repairs, so `caches` keep them.
    pub(crate) fn of(
        document: Document<'_>,
        surroundings: &Surroundings,
        caches: &mut Caches,
    ) -> Option<Self> {
        let whole = document.range();
        let head = |len| text_of(document.syntax(), TextRange::new(whole.start, whole.start + len));
        // A definition in YAML is checked on each keystroke.
        let begins = |text: &str| text.starts_with(['{', '"']);
        let is_json = match head(1) {
            first if first.starts_with(is_blank) => begins(head(HEAD).trim_start_matches(is_blank)),
            first => begins(&first),
        };
        if !is_json || whole.len() > MOST_BYTES {
            return None;
        }
        let hash = document.syntax().node().hash();
        let known = caches.table::<ByInput<KnownRepairs>>().get(hash).cloned();
        let KnownRepairs(steps) = known.unwrap_or_else(|| {
            let is_broken = is_broken(document);
            let steps = is_broken.then(|| steps_of(&document.syntax().text())).flatten();
            let known = KnownRepairs(steps.map(Arc::from));
            caches.table::<ByInput<KnownRepairs>>().insert(hash, known.clone());
            known
        });
        let text = document.syntax().text();
        let steps = with_keys(&text, steps?.to_vec(), surroundings);
        let slips = steps.iter().map(|step| Slip::of(&text, step, whole.start)).collect();
        let repaired_text = text::applied(&text, 0, &steps);
        Some(Self { slips, text: repaired_text, steps })
    }

    /// The findings on these characters.
    pub(crate) fn findings(&self) -> impl Iterator<Item = Finding> {
        self.slips.iter().map(|slip| {
            Finding::of_text(
                if slip.is_unclosed() { Code::YamlUnclosed } else { Code::YamlSyntax },
                Severity::Error,
                slip.range,
                slip.message(),
            )
        })
    }

    /// Whether the key of a missing line is unknown.
    pub(crate) fn has_unnamed(&self) -> bool {
        self.slips.iter().any(Slip::is_unnamed)
    }

    /// The repaired text of `document`, from which [`Self::of`] made this value.
    pub(crate) fn repaired(&self, document: Document<'_>) -> RepairedText {
        RepairedText::new(document, Tree::parse(&self.text), &self.steps)
    }
}

fn is_blank(char: char) -> bool {
    matches!(char, '\u{feff}' | ' ' | '\t' | '\r' | '\n')
}

/// The repairs that make JSON of `text`, a whole document; `None` if it needs none or a few do not suffice.
fn steps_of(text: &str) -> Option<Vec<TextEdit>> {
    let begin = text.len() - text.trim_start_matches(is_blank).len();
    let (head, body) = text.split_at_checked(begin)?;
    let moved = |edit: TextEdit, by: i64| {
        // A brace before the text counts as its start.
        let at = |at: TextSize| TextSize::try_from(i64::from(at) + by).map_or(0, |at| at);
        TextEdit::replace(TextRange::new(at(edit.range.start), at(edit.range.end)), edit.new_text)
    };
    let steps: Vec<TextEdit> = match body.starts_with('{') {
        true => repairs(body)?.into_iter().map(|edit| moved(edit, begin as i64)).collect(),
        // The opening brace of the root was before the line break.
        false if body.trim_end().ends_with('}') => {
            let edits = repairs(&format!("{{{body}"))?.into_iter();
            let root = head.find(|char| char != '\u{feff}').unwrap_or(begin);
            let root = TextEdit::insert(root as TextSize, "{");
            std::iter::once(root).chain(edits.map(|edit| moved(edit, begin as i64 - 1))).collect()
        }
        false => return None,
    };
    (!steps.is_empty()).then_some(steps)
}

/// The repairs `steps` of `text` with the keys of missing lines, as far as `surroundings` show them.
fn with_keys(text: &str, mut steps: Vec<TextEdit>, surroundings: &Surroundings) -> Vec<TextEdit> {
    for index in 0..steps.len() {
        let Some((range, at)) =
            steps.get(index).and_then(|step| Some((step.range, step.new_text.find(PLACEHOLDER)?)))
        else {
            continue;
        };
        let tree = Tree::parse(&text::applied(text, 0, &steps));
        let before = Shifts::of(steps.get(..index).unwrap_or_default()).range_after(range).start;
        let offset = before + at as TextSize;
        let document = tree.documents().next();
        let key = document.and_then(|document| key_of_placeholder(document, surroundings, offset));
        let key = key.filter(|key| !key.contains(['"', '\\']));
        if let (Some(key), Some(step)) = (key, steps.get_mut(index)) {
            step.new_text = step.new_text.replacen(PLACEHOLDER, &format!("\"{key}\""), 1);
        }
    }
    steps
}

impl Slip {
    fn of(text: &str, step: &TextEdit, start: TextSize) -> Self {
        let range = step.range.as_usize();
        let replaced = text.get(range.clone()).unwrap_or_default();
        let written = replaced.trim();
        let from = range.start + replaced.len() - replaced.trim_start().len();
        let shown = match written.is_empty() {
            true => token(text, range.start),
            false => from..from + written.len(),
        };
        let at = |at: usize| start + at as TextSize;
        let edit = TextEdit::replace(step.range.shifted(start), step.new_text.clone());
        Self { edit, written: written.to_owned(), range: TextRange::new(at(shown.start), at(shown.end)) }
    }

    /// Whether a closing bracket is missing.
    fn is_unclosed(&self) -> bool {
        self.written.is_empty() && self.edit.new_text.starts_with(['}', ']'])
    }

    /// The missing line that opens an object or a list, without blanks around it.
    pub(crate) fn opening_line(&self) -> Option<&str> {
        self.edit.new_text.ends_with('\n').then(|| self.edit.new_text.trim())
    }

    /// Whether the key of a missing line is unknown.
    pub(crate) fn is_unnamed(&self) -> bool {
        self.edit.new_text.contains(PLACEHOLDER)
    }

    pub(crate) fn is_comment(&self) -> bool {
        self.written.starts_with("//") || self.written.starts_with("/*")
    }

    fn message(&self) -> Message {
        let (written, new) = (&self.written, &self.edit.new_text);
        if let Some(line) = self.opening_line() {
            let problem = "the line that opens the object or the list of this line is missing";
            let message = Message::new(problem);
            return match self.is_unnamed() {
                true => message.advise("add its key above this line"),
                false => message.advise(format!("add `{line}` above this line")),
            };
        }
        if new.len() > 1 && new.chars().all(|sign| matches!(sign, '}' | ']')) {
            let message = Message::new("the text ends within an object or a list");
            return match written.is_empty() {
                true => message.advise(format!("add `{new}`")),
                false => message.advise(format!("complete it, or write `{new}` in place of the last member")),
            };
        }
        match (&**written, &**new) {
            ("", new) => Message::new(format!("a `{new}` is missing before this")).advise("add it"),
            _ if self.is_comment() => {
                Message::new("JSON has no comments, and YAML begins them with `#`").advise("remove this")
            }
            (written, "") => Message::new(format!("this `{written}` is not valid here")).advise("remove it"),
            (written, new) => {
                let problem = format!("this `{written}` is not valid here");
                Message::new(problem).advise(format!("write `{new}`"))
            }
        }
    }
}

/// Whether `document` has YAML errors, or a plain scalar with a quote.
fn is_broken(document: Document<'_>) -> bool {
    let mut has_error = false;
    document.syntax().for_each_error(&mut |error| {
        has_error |= error.kind.verdict().server_rejects() || error.kind == SyntaxErrorKind::Dropped;
    });
    has_error || has_torn_text(document.syntax())
}

fn has_torn_text(node: NodeRef<'_>) -> bool {
    node.tokens().any(|token| token.kind == SyntaxKind::Plain && token.text.contains('"'))
        || node.nodes().any(has_torn_text)
}

/// The repairs that make JSON of `text`, sorted; `None` if a few do not suffice.
fn repairs(text: &str) -> Option<Vec<TextEdit>> {
    let (mut repaired_text, mut repairs, mut read) = (text.to_owned(), Vec::new(), 0);
    loop {
        let step = {
            let Some(stopped) = stopped(&repaired_text) else { return Some(repairs) };
            if repairs.len() == MOST_SLIPS {
                return None;
            }
            best(&stopped, &mut read)?
        };
        repaired_text.replace_range(step.at..step.at + step.length, &step.new);
        add(&mut repairs, step)?;
    }
}

/// The repair of the text of `stopped` with which most of the text can be read. `read` counts the bytes that
/// were read so far.
fn best(stopped: &scan::Scanner<'_>, read: &mut usize) -> Option<Step> {
    let mut best: Option<(usize, Step)> = None;
    for step in steps(stopped).into_iter().take(MOST_TRIED) {
        let (Some(before), Some(behind)) =
            (stopped.text.get(..step.at), stopped.text.get(step.at + step.length..))
        else {
            continue;
        };
        let tried = [before, &step.new, behind].concat();
        let reached = scan::stopped(&tried).map(|next| next.error());
        *read += reached.unwrap_or(tried.len());
        if *read > MOST_READ {
            return None;
        }
        // The offset in the text without the repair.
        let reached = reached.map_or(usize::MAX, |at| (at + step.length).saturating_sub(step.new.len()));
        let is_further = reached > stopped.error().max(step.at + step.length.saturating_sub(1));
        if is_further && best.as_ref().is_none_or(|(furthest, _)| reached > *furthest) {
            best = Some((reached, step));
        }
    }
    best.map(|(_, step)| step)
}

/// Adds `step`, a repair of the text with `repairs`, to them; `None` if it touches text that they wrote.
fn add(repairs: &mut Vec<TextEdit>, step: Step) -> Option<()> {
    let (mut by, mut index) = (0, 0);
    for repair in &*repairs {
        let start = i64::from(repair.range.start) + by;
        let end = start + repair.new_text.len() as i64;
        if (step.at + step.length) as i64 <= start && step.at as i64 <= start {
            break;
        }
        if (step.at as i64) < end {
            return None;
        }
        by += repair.new_text.len() as i64 - i64::from(repair.range.len());
        index += 1;
    }
    let start = TextSize::try_from(step.at as i64 - by).ok()?;
    let range = TextRange::at(start, step.length as TextSize);
    repairs.insert(index, TextEdit::replace(range, step.new.into_owned()));
    Some(())
}

/// The range of the token of `text` at `at` or after it; of the last one if there are no more.
fn token(text: &str, at: usize) -> Range<usize> {
    let rest = text.get(at..).unwrap_or_default();
    let start = at + rest.len() - rest.trim_start().len();
    let Some(first) = text.get(start..).and_then(|rest| rest.chars().next()) else {
        let end = text.trim_end().len();
        let last = text.get(..end).and_then(|text| text.chars().next_back()).map_or(0, char::len_utf8);
        return end - last..end;
    };
    let rest = text.get(start..).unwrap_or_default();
    let length = match first {
        '"' => rest.get(1..).and_then(|inner| inner.find(['"', '\n'])).map_or(1, |end| end + 2),
        ':' | ',' | '{' | '}' | '[' | ']' => 1,
        _ => rest.find(|char: char| char.is_whitespace() || "{}[],:\"".contains(char)).unwrap_or(rest.len()),
    };
    start..(start + length).min(text.len())
}
