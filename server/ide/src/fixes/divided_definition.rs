//! The fix for a `---` within a definition: removes its line.

use api::Code;
use text::{TextEdit, TextRange, TextSize};

use crate::Fix;
use crate::analysis::divided_definition::{MARKER, finding};
use crate::analysis::fix::Title;
use crate::analysis::text_at::text_of;
use crate::fixes::request::FixRequest;

/// The maximum length of a line break.
const LINE_BREAK: TextSize = 2;

/// The fix for the touched finding of `request`. Without the marker, the lines belong
/// to the document before, so no check of this document alone can prove the fix.
pub(super) fn fix(request: &FixRequest<'_, '_>) -> Option<Fix> {
    let FixRequest { document, .. } = *request;
    let reported = request.with_codes(&[Code::ResourceUnknownKind]).next()?;
    let marker = finding(document).filter(|marker| marker.range == reported.range)?.range;
    let after = TextRange::at(marker.end, LINE_BREAK);
    let text = text_of(document.syntax(), after);
    let line_break = text.find('\n').map_or(0, |end| end as TextSize + 1);
    let line = TextRange::new(marker.start, marker.end + line_break);
    let title = Title::removal_of_foreign_lines(format_args!("the line `{MARKER}`"));
    let edits = vec![TextEdit::replace(line, String::new())];
    Some(Fix::suggested(title, edits, reported.code, reported.range))
}
