//! Limits and forms of findings in reports.

use ide::Severity;
use serde::ser::{Serialize, Serializer};
use text::{PositionEncoding, TextBuffer, TextRange};

use crate::report::Report;

/// The maximum number of places of a finding in the output for programs.
pub const MAX_RELATED: usize = 10;
/// The maximum number of fixes of a finding in the output for programs.
pub const MAX_FIXES: usize = 10;
/// The maximum number of bytes of fixes for a file of any size.
pub const FIX_BYTES: usize = 64 * 1024;
/// The maximum number of bytes of fixes for each byte of a file.
pub const FIX_BYTES_EACH: usize = 4;

/// The word for a severity.
#[must_use]
pub const fn severity_word(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Information => "information",
        Severity::Hint => "hint",
    }
}

/// The number of the first fixes in `report` that fit into the limit, which grows with the size of the text.
#[must_use]
pub fn reported_fix_count(report: &Report) -> usize {
    let mut room = FIX_BYTES + FIX_BYTES_EACH * report.text.get().len() as usize;
    let fixes = report.all_fixes().iter();
    let fits = |fix: &&ide::Fix| {
        let size = fix_bytes(fix);
        let fits = size <= room;
        room = room.saturating_sub(size);
        fits
    };
    fixes.take_while(fits).count()
}

/// The approximate size of a fix in bytes.
#[must_use]
pub fn fix_bytes(fix: &ide::Fix) -> usize {
    const EACH_EDIT: usize = 100;
    fix.title.len() + fix.edits.iter().map(|edit| edit.new_text.len() + EACH_EDIT).sum::<usize>()
}

/// A list that is generated while it is written.
#[derive(Debug)]
pub struct StreamedList<F>(pub F);

impl<I: Iterator<Item: Serialize>, F: Fn() -> I> Serialize for StreamedList<F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((self.0)())
    }
}

/// A position as a line and a UTF-16 character, both from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct ColumnPlace {
    /// The line, from 0.
    pub line: u32,
    /// The character, in UTF-16 units.
    pub character: u32,
}

/// A range of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Span {
    /// The first position.
    pub start: ColumnPlace,
    /// The position after the last.
    pub end: ColumnPlace,
}

impl Span {
    /// The positions of a byte range.
    #[must_use]
    pub fn of(buffer: &TextBuffer, range: TextRange) -> Self {
        let place = |offset| {
            let position = buffer.position(offset, PositionEncoding::Utf16);
            ColumnPlace { line: position.line, character: position.character }
        };
        Self { start: place(range.start), end: place(range.end) }
    }
}
