//! Findings on text that the user is typing. They would disappear with the next keys, so they wait for an edit at another place, or
//! until the file is saved.

use go::marker;
use go::version::Version;
use ide::{Code, Finding};
use text::{TextRange, TextSize};

/// The maximum number of bytes between a marker and the line that is being typed.
const MAX_DISTANCE: usize = 4_000;

/// A text whose last edit ended at the cursor.
pub(super) struct TypedText<'t> {
    text: &'t str,
    cursor: usize,
}

impl<'t> TypedText<'t> {
    /// `None` if `cursor`, in bytes, is not in the text.
    pub(super) fn new(text: &'t str, cursor: TextSize) -> Option<Self> {
        let cursor = cursor as usize;
        text.is_char_boundary(cursor).then_some(Self { text, cursor })
    }

    /// Whether a finding is about something that is still being typed: the name of a marker, a field or type without the rest of its
    /// line, or markers whose field or type follows.
    pub(super) fn is_unfinished(&self, finding: &Finding) -> bool {
        match finding.code {
            Code::GoMarkerUnknown => self.is_name_of_marker(finding.range),
            Code::GoMarkerPosition => self.is_above_rest(finding.range),
            Code::GoGeneration => self.is_in_open_line(finding.range),
            _ => false,
        }
    }

    /// Whether a name ends at the cursor, or at a `:` before it, that may become the name of a marker.
    fn is_name_of_marker(&self, name: TextRange) -> bool {
        let range = name.start as usize..self.cursor;
        let follows = self.cursor.checked_sub(name.end as usize);
        let written = self.text.get(range).filter(|_| follows.is_some_and(|length| length <= 1));
        written.is_some_and(begins_marker)
    }

    /// Whether only comments and empty lines are between a marker and the line with the cursor, and nothing follows in its struct or file.
    fn is_above_rest(&self, marker: TextRange) -> bool {
        let (start, line_end) = (marker.start as usize, self.line_end(self.cursor));
        if line_end < start || line_end - start > MAX_DISTANCE {
            return false;
        }
        let lines = self.text.get(start..self.line_start(self.cursor)).unwrap_or_default().lines().skip(1);
        let is_above = lines.map(str::trim_start).all(|line| line.is_empty() || line.starts_with("//"));
        let rest = self.text.get(line_end..).unwrap_or_default().trim_start();
        is_above && (rest.is_empty() || rest.starts_with('}'))
    }

    /// Whether a place is in the line with the cursor, which ends there without a comment or a tag.
    fn is_in_open_line(&self, place: TextRange) -> bool {
        let line = self.line_start(self.cursor)..self.line_end(self.cursor);
        let is_here = line.contains(&(place.start as usize));
        let (before, after) = (self.text.get(line.start..self.cursor), self.text.get(self.cursor..line.end));
        let is_open = before.is_some_and(|before| !before.contains('`') && !before.contains("//"));
        is_here && is_open && after.is_some_and(|after| after.trim().is_empty())
    }

    fn line_start(&self, at: usize) -> usize {
        self.text.get(..at).and_then(|before| before.rfind('\n')).map_or(0, |before| before + 1)
    }

    fn line_end(&self, at: usize) -> usize {
        self.text.get(at..).and_then(|after| after.find('\n')).map_or(self.text.len(), |length| at + length)
    }
}

/// Whether the name of a marker of controller-gen continues `written`.
fn begins_marker(written: &str) -> bool {
    marker::all(Version::NEWEST)
        .any(|(known, _)| known.name().strip_prefix(written).is_some_and(|rest| !rest.is_empty()))
}
