//! Phrases at which readers stop, and sentences that are too long.

use std::path::{Path, PathBuf};

/// Each phrase matches only as complete words.
const BANNED: [&str; 43] = [
    "all the same",
    "anew",
    "are none of",
    "are told",
    "dear",
    "dearer",
    "dearest",
    "for want of",
    "go before",
    "goes before",
    "hold to",
    "in peace",
    "in the words of",
    "is another one",
    "is none of",
    "is told",
    "judges by",
    "leave it out",
    "leave out",
    "leaves out",
    "leaving out",
    "left out",
    "let pass",
    "lets pass",
    "mend",
    "mends",
    "misspelled",
    "of its own",
    "of their own",
    "puts right",
    "rest on",
    "rests on",
    "so it is",
    "speaks of",
    "stands",
    "such a one",
    "tells of",
    "that there are",
    "told",
    "unasked",
    "what is missing",
    "whoever",
    "without a word",
];

/// Words that no declared name has: *report*, *state*, *expensive*, *again*, *repair* and *misspelt* are the plain ones.
pub(crate) const BANNED_IN_NAMES: [&str; 14] = [
    "anew",
    "dear",
    "dearer",
    "dearest",
    "mend",
    "mended",
    "mends",
    "misspelled",
    "tell",
    "telling",
    "tells",
    "told",
    "unasked",
    "whoever",
];

/// No type has one of these names alone: the name of a type is a noun that says what a value of it is.
pub(crate) const NO_TYPE_NAMES: [&str; 125] = [
    "Accepted",
    "Admitted",
    "Affected",
    "Ahead",
    "Allowed",
    "Analysed",
    "Around",
    "Asked",
    "Associated",
    "Assumed",
    "At",
    "Before",
    "Begun",
    "Below",
    "Chosen",
    "Closed",
    "Collected",
    "Compared",
    "Compiled",
    "Composed",
    "Corrected",
    "Counted",
    "Covered",
    "Decided",
    "Declared",
    "Decoded",
    "Defined",
    "Derived",
    "Doubt",
    "Earlier",
    "Edited",
    "Elsewhere",
    "Evaluated",
    "Exceeded",
    "Expected",
    "Figures",
    "Fixed",
    "Followed",
    "Foreign",
    "Formatted",
    "Found",
    "Gated",
    "Generated",
    "Given",
    "Grouped",
    "Guarded",
    "Handed",
    "Held",
    "Hidden",
    "Home",
    "Ignored",
    "Implied",
    "Impossible",
    "Indexed",
    "Inside",
    "Installed",
    "Joined",
    "Judged",
    "Kept",
    "Known",
    "Listed",
    "Loaded",
    "Located",
    "Made",
    "Maker",
    "Marked",
    "Merged",
    "Migrated",
    "Missing",
    "Named",
    "Nested",
    "New",
    "Next",
    "Now",
    "Numbered",
    "Old",
    "Opened",
    "Parsed",
    "Passed",
    "Planned",
    "Priced",
    "Pruned",
    "Ranked",
    "Ready",
    "Refused",
    "Related",
    "Relaxed",
    "Removed",
    "Renamed",
    "Rendered",
    "Repaired",
    "Replaced",
    "Required",
    "Resolved",
    "Rung",
    "Seen",
    "Selected",
    "Served",
    "Settled",
    "Shown",
    "Silenced",
    "Since",
    "Solved",
    "Spent",
    "Spot",
    "Standing",
    "Stored",
    "Tagged",
    "Tested",
    "Told",
    "Touched",
    "Tried",
    "Truncated",
    "Turn",
    "Unchanged",
    "Unread",
    "Via",
    "Waiting",
    "Wanted",
    "When",
    "Why",
    "Words",
    "Work",
    "Written",
    "Wrong",
];

/// No module has one of these names alone, nor one of [`NO_TYPE_NAMES`] in lower case.
pub(crate) const NO_MODULE_NAMES: [&str; 17] = [
    "bumped",
    "expanded",
    "explained",
    "failed",
    "filled",
    "fulfilled",
    "later",
    "misnamed",
    "missed",
    "moved",
    "overruled",
    "referred",
    "remembered",
    "suppressed",
    "swallowed",
    "trials",
    "watched",
];

/// Words of [`NO_TYPE_NAMES`] that are terms of the field as names of modules: a spot is the place of a cursor in a rule, and
/// generated definitions come from Go.
pub(crate) const TERMS_OF_MODULES: [&str; 2] = ["generated", "spot"];

/// Words of comments that have a plain form: *regardless of*, *in any directory*.
pub(crate) const BANNED_IN_COMMENTS: [&str; 2] = ["whatever", "wherever"];

/// The banned phrases in `text`.
pub(crate) fn banned(text: &str) -> Vec<&'static str> {
    let text = text.to_lowercase();
    let is_letter = |char: Option<char>| char.is_some_and(char::is_alphabetic);
    let is_in = |phrase: &str| {
        text.match_indices(phrase).any(|(at, _)| {
            let (before, after) = (&text[..at], &text[at + phrase.len()..]);
            !is_letter(before.chars().next_back()) && !is_letter(after.chars().next())
        })
    };
    BANNED.into_iter().filter(|phrase| is_in(phrase)).collect()
}

/// The beginnings of remedies: imperative verbs, and conditions before them.
const REMEDIES: [&str; 52] = [
    "add",
    "bound",
    "call",
    "change",
    "check",
    "choose",
    "compare",
    "convert",
    "copy",
    "correct",
    "create",
    "declare",
    "define",
    "describe",
    "end",
    "export",
    "for scalars",
    "guard",
    "if",
    "indent",
    "insert",
    "join",
    "keep",
    "list",
    "make",
    "migrate",
    "move",
    "name",
    "put",
    "quote",
    "reduce",
    "remove",
    "rename",
    "replace",
    "restore",
    "reverse",
    "run",
    "select",
    "separate",
    "serve",
    "set",
    "shorten",
    "simplify",
    "split",
    "start",
    "test",
    "update",
    "use",
    "write",
    "close",
    "escape",
    "rewrite",
];

/// Whether `remedy` is an imperative.
pub(crate) fn is_imperative(remedy: &str) -> bool {
    REMEDIES.into_iter().any(|verb| {
        let rest = remedy.strip_prefix(verb);
        rest.is_some_and(|rest| !rest.starts_with(|next: char| next.is_alphanumeric() || next == '_'))
    })
}

/// The remedy within a problem: a part after `; ` that is an imperative.
pub(crate) fn glued_remedy(problem: &str) -> Option<&str> {
    problem.split("; ").skip(1).find(|part| is_imperative(part))
}

pub(crate) fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// `markdown` without fenced and indented code, with empty code spans.
pub(crate) fn prose(markdown: &str) -> String {
    let mut is_code = false;
    let mut is_block = true;
    let mut lines = Vec::new();
    for line in markdown.lines() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
            is_block = true;
            continue;
        }
        // A line that continues a list item is indented as well.
        if is_code || (is_block && line.starts_with("    ")) {
            continue;
        }
        is_block = line.trim().is_empty();
        lines.push(line);
    }
    without_code(&lines.join("\n"))
}

/// `text` with empty code spans, and with empty placeholders of `format!`.
pub(crate) fn without_code(text: &str) -> String {
    let spans = text.split('`').enumerate().filter(|(index, _)| index % 2 == 0);
    let text = spans.map(|(_, part)| part).collect::<Vec<_>>().join("``");
    let mut plain = String::new();
    let mut depth = 0_usize;
    for char in text.chars() {
        match char {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ if depth == 0 => plain.push(char),
            _ => {}
        }
    }
    plain
}

/// `text` with the words of its links and without their targets.
fn without_targets(text: &str) -> String {
    let mut parts = text.split("](");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + "]" + part.split_once(')').map_or("", |(_, rest)| rest))
}

/// The sentences of a text without code. Tables and headings have none.
pub(crate) fn sentences(prose: &str) -> Vec<String> {
    let mut paragraphs = vec![String::new()];
    for line in without_targets(prose).lines() {
        let text = line.trim_start();
        let is_item =
            ["- ", "* ", "1. ", "2. ", "3. ", "4. ", "5. "].iter().any(|item| text.starts_with(item));
        if text.is_empty() || is_item || text.starts_with(['|', '#', '<']) {
            paragraphs.push(String::new());
        }
        if let Some(paragraph) = paragraphs.last_mut().filter(|_| !text.starts_with(['|', '#', '<'])) {
            paragraph.push_str(text);
            paragraph.push(' ');
        }
    }
    let sentences = paragraphs.iter().flat_map(|paragraph| paragraph.split_inclusive(". "));
    sentences.map(|sentence| sentence.trim().to_owned()).filter(|sentence| !sentence.is_empty()).collect()
}
