//! What reports hold of a finding, and how much.

use ide::Severity;
use serde::ser::{Serialize, Serializer};
use text::{PositionEncoding, TextBuffer, TextRange};

use crate::report::Report;

/// How many places that belong to a finding programs are told.
pub const MAX_RELATED: usize = 10;
/// How many fixes of a finding programs are told.
pub const MAX_FIXES: usize = 10;
/// How many bytes of fixes are written of a file, whatever its size.
pub const FIX_BYTES: usize = 64 * 1024;
/// How many bytes of fixes are written for each byte of a file.
pub const FIX_BYTES_EACH: usize = 4;

/// The word for a severity.
#[must_use]
pub const fn word(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Information => "information",
        Severity::Hint => "hint",
    }
}

/// How many of the first fixes in `report` fit into what may be written of it: its size is what it grows with.
#[must_use]
pub fn told_fixes(report: &Report) -> usize {
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

/// About how many bytes a fix takes.
#[must_use]
pub fn fix_bytes(fix: &ide::Fix) -> usize {
    const EACH_EDIT: usize = 100;
    fix.title.len() + fix.edits.iter().map(|edit| edit.new_text.len() + EACH_EDIT).sum::<usize>()
}

/// A list that is made while it is written.
#[derive(Debug)]
pub struct Streamed<F>(pub F);

impl<I: Iterator<Item: Serialize>, F: Fn() -> I> Serialize for Streamed<F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((self.0)())
    }
}

/// A place in a line: both from 0, the character in UTF-16 units.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct ColumnPlace {
    /// From 0.
    pub line: u32,
    /// In UTF-16 units.
    pub character: u32,
}

/// Two places of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Span {
    /// The first place.
    pub start: ColumnPlace,
    /// The place behind the last.
    pub end: ColumnPlace,
}

impl Span {
    /// The places of a range.
    #[must_use]
    pub fn of(buffer: &TextBuffer, range: TextRange) -> Self {
        let place = |offset| {
            let position = buffer.position(offset, PositionEncoding::Utf16);
            ColumnPlace { line: position.line, character: position.character }
        };
        Self { start: place(range.start), end: place(range.end) }
    }
}
