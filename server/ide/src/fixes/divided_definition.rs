//! The fix for a `---` within a definition: removes its line.

use api::Code;
use text::{TextEdit, TextRange, TextSize};
use yaml::Document;

use crate::analysis::divided_definition::{MARKER, finding};
use crate::analysis::fix::Title;
use crate::analysis::text_at::text_of;
use crate::{Finding, Fix};

/// The maximum length of a line break.
const LINE_BREAK: TextSize = 2;

/// The fix for the finding of `findings`, all of `document`, that touches `range`. Without the marker, the lines belong
/// to the document before, so no check of this document alone can prove the fix.
pub(super) fn fixes(document: Document<'_>, findings: &[Finding], range: TextRange) -> Option<Fix> {
    let is_of_kind = |one: &&Finding| one.code == Code::ResourceUnknownKind && one.range.overlaps(range);
    let reported = findings.iter().find(is_of_kind)?;
    let marker = finding(document).filter(|marker| marker.range == reported.range)?.range;
    let behind = TextRange::at(marker.end, LINE_BREAK);
    let text = text_of(document.syntax(), behind);
    let line_break = text.find('\n').map_or(0, |end| end as TextSize + 1);
    let line = TextRange::new(marker.start, marker.end + line_break);
    let title = Title::removal_of_foreign_lines(format_args!("the line `{MARKER}`"));
    let edits = vec![TextEdit::replace(line, String::new())];
    Some(Fix::suggested(title, edits, reported.code, reported.range))
}
