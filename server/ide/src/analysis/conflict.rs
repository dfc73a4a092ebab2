//! Merge conflicts that git has left in a text: each is reported once, and all other findings are on the text
//! with our side of it.

use api::Code;
use crd::{FieldPath, Message};
use text::{TextRange, TextSize};
use yaml::Document;

use crate::analysis::text_at::text_of;
use crate::{Finding, RelatedInformation, Severity};

/// Larger documents are read with their conflict marks, as each keystroke would parse them again.
const MOST_BYTES: TextSize = 1_000_000;
/// The maximum number of bytes of an error that are searched.
const LOOKED_AT: TextSize = 4_000;

const OURS: &str = "<<<<<<<";
const BASE: &str = "|||||||";
const MIDDLE: &str = "=======";
const THEIRS: &str = ">>>>>>>";

/// A conflict: the ranges of all its lines and of both sides, in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Conflict {
    /// The first mark, without the end of its line.
    pub(crate) mark: TextRange,
    /// All lines, including the marks.
    pub(crate) whole: TextRange,
    pub(crate) ours: TextRange,
    pub(crate) theirs: TextRange,
}

/// A document in which all conflicts are resolved with our side.
pub(crate) struct ResolvedConflicts {
    pub(crate) conflicts: Vec<Conflict>,
    /// The resolved text.
    pub(crate) text: String,
    start: TextSize,
}

impl ResolvedConflicts {
    /// Resolves the conflicts of `document`, if it has any.
    pub(crate) fn of(document: Document<'_>) -> Option<Self> {
        if document.range().len() > MOST_BYTES || !has_mark(document) {
            return None;
        }
        let text = document.syntax().text();
        let start = document.range().start;
        let conflicts = conflicts(&text);
        let mut resolved = String::new();
        let mut end = 0;
        for conflict in &conflicts {
            resolved.push_str(text.get(end..conflict.whole.start as usize)?);
            resolved.push_str(text.get(conflict.ours.as_usize())?);
            end = conflict.whole.end as usize;
        }
        resolved.push_str(text.get(end..)?);
        let in_file = |conflict: Conflict| Conflict {
            mark: conflict.mark.shifted(start),
            whole: conflict.whole.shifted(start),
            ours: conflict.ours.shifted(start),
            theirs: conflict.theirs.shifted(start),
        };
        let is_any = !conflicts.is_empty();
        let conflicts = conflicts.into_iter().map(in_file).collect();
        is_any.then_some(Self { conflicts, text: resolved, start })
    }

    pub(crate) fn findings(&self) -> impl Iterator<Item = Finding> {
        self.conflicts.iter().map(|conflict| Finding {
            code: Code::YamlSyntax,
            severity: Severity::Error,
            message: Message::new("this line is a merge conflict marker").advise("keep one of the two sides"),
            range: conflict.mark,
            field_path: FieldPath::root(),
            api_server: None,
            related: vec![RelatedInformation::here(
                TextRange::empty(conflict.theirs.start),
                "the other side begins here",
            )],
        })
    }

    /// Returns the range in the file of `range` in the resolved text.
    pub(crate) fn range_in_file(&self, range: TextRange) -> TextRange {
        let end = self.offset_in_file(range.end.saturating_sub(1)) + 1;
        let start = self.offset_in_file(range.start);
        if range.is_empty() { TextRange::empty(start) } else { TextRange::new(start, end.max(start)) }
    }

    /// Returns the offset in the file of the byte `at` of the resolved text.
    fn offset_in_file(&self, at: TextSize) -> TextSize {
        let mut at = self.start + at;
        for conflict in &self.conflicts {
            if at < conflict.whole.start {
                break;
            }
            at += conflict.ours.start - conflict.whole.start;
            if at >= conflict.ours.end {
                at += conflict.whole.end - conflict.ours.end;
            }
        }
        at
    }
}

/// Whether a syntax error of a document contains the first mark of a conflict; no key has that name.
fn has_mark(document: Document<'_>) -> bool {
    let mut found = false;
    document.syntax().for_each_error(&mut |error| {
        let range = TextRange::new(error.range.start, error.range.end.min(error.range.start + LOOKED_AT));
        found = found
            || error.kind.verdict().server_rejects() && text_of(document.syntax(), range).contains(OURS);
    });
    found
}

/// The conflicts in `text`, with offsets from its start. Incomplete conflicts are ignored.
fn conflicts(text: &str) -> Vec<Conflict> {
    let mut conflicts = Vec::new();
    let (mut ours, mut ours_end, mut middle) = (None, None, None);
    let mut start: usize = 0;
    for line in text.split_inclusive('\n') {
        let end = start + line.len();
        let is = |mark: &str| {
            line.strip_prefix(mark).is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\n', '\r']))
        };
        if is(OURS) {
            let mark = TextRange::new(start as TextSize, (start + line.trim_end().len()) as TextSize);
            (ours, ours_end, middle) = (Some((mark, end)), None, None);
        } else if is(BASE) || is(MIDDLE) {
            ours_end = ours_end.or(Some(start));
            middle = if is(MIDDLE) { Some(end) } else { middle };
        } else if is(THEIRS)
            && let (Some((mark, from)), Some(to), Some(middle)) =
                (ours.take(), ours_end.take(), middle.take())
        {
            let range = |from: usize, to: usize| TextRange::new(from as TextSize, to as TextSize);
            let whole = TextRange::new(mark.start, end as TextSize);
            conflicts.push(Conflict { mark, whole, ours: range(from, to), theirs: range(middle, start) });
        }
        start = end;
    }
    conflicts
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use crate::marked_texts::WIDGET;
    use crate::{File, Settings};

    #[test]
    fn a_conflict_is_one_finding_with_a_fix_for_each_side() {
        let other = WIDGET.replacen("                type: integer\n", "                type: number\n", 1);
        for (ours, theirs) in [("type: integer", "type: number"), ("type: intger", "type: number")] {
            let line = |ty: &str| format!("                {ty}\n");
            let conflict = format!("<<<<<<< HEAD\n{}=======\n{}>>>>>>> other\n", line(ours), line(theirs));
            let text = WIDGET.replacen(&line("type: integer"), &conflict, 1);
            let file = File::new(&text, &Settings::default());
            let found = file.grouped().findings;
            let reported: Vec<&str> =
                found.iter().map(|one| text.get(one.range.as_usize()).unwrap()).collect();
            let is_right = ours == "type: integer";
            // The path of the scale subresource then leads to a field that is not a number.
            let expected: &[&str] =
                if is_right { &["<<<<<<< HEAD"] } else { &["<<<<<<< HEAD", "intger", ".spec.size"] };
            assert_eq!(reported, expected);
            let fixes = file.fixes(found[0].range);
            let repaired: Vec<String> = fixes.iter().map(|fix| text::applied(&text, 0, &fix.edits)).collect();
            let ours = WIDGET.replacen(&line("type: integer"), &line(ours), 1);
            assert_eq!(repaired, [ours, other.clone()], "{fixes:?}");
        }
    }

    #[test]
    fn incomplete_conflicts_are_ignored() {
        assert_eq!(super::conflicts("<<<<<<< a\nb: 1\n=======\n"), []);
        assert_eq!(super::conflicts("=======\n>>>>>>> a\n<<<<<<<< a\n"), []);
    }
}
