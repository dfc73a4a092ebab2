//! Lists whose first item has lost its first line: its other lines are an object in place of the list, and the dash
//! of the next item is among the keys around it.

use api::Code;
use text::{TextRange, TextSize};
use yaml::{Document, Entry, Mapping};

use crate::Finding;
use crate::analysis::text_at::text_of;
use crate::analysis::values::entry_at;

/// The columns of a dash with its space.
const DASH: usize = 2;
/// The maximum number of bytes before a dash that are searched for the start of its line.
const LINE: TextSize = 1_000;

/// Such a list.
pub(crate) struct HeadlessList<'t> {
    /// The key of the list, with the other lines of its first item.
    pub(crate) entry: Entry<'t>,
    /// These lines; they may also contain lines of the next items.
    pub(crate) item: Mapping<'t>,
    /// The dash of the next item, if there is one.
    pub(crate) next: Option<TextSize>,
}

impl<'t> HeadlessList<'t> {
    /// The list whose key has `finding`. Only the caller knows whether the value must be a list.
    pub(crate) fn of(document: Document<'t>, finding: &Finding) -> Option<Self> {
        if !matches!(finding.code, Code::DecodeType | Code::ResourceType) {
            return None;
        }
        let (holder, entry) = entry_at(document, finding.range)?;
        let item = entry.value().as_mapping().filter(|item| !item.is_flow())?;
        let dash = item.column()?.checked_sub(DASH)?;
        holder.as_mapping()?.column().filter(|outer| *outer <= dash)?;
        let start = item.range().start;
        let mut next = None;
        document.syntax().for_each_error(&mut |error| {
            let at = error.range.start;
            let is_behind = at > start && next.is_none_or(|next| at < next);
            if is_behind && is_dash(document, error.range, dash) {
                next = Some(at);
            }
        });
        Some(Self { entry, item, next })
    }

    /// The lines of the first item, without those of the next items.
    pub(crate) fn own_entries(&self) -> impl Iterator<Item = Entry<'t>> {
        let next = self.next;
        self.item.entries().take_while(move |entry| next.is_none_or(|next| entry.range().start < next))
    }
}

/// Whether the text at `range` is the dash of an item in the column `column`.
fn is_dash(document: Document<'_>, range: TextRange, column: usize) -> bool {
    let before = text_of(document.syntax(), TextRange::new(range.start.saturating_sub(LINE), range.start));
    let line = before.rsplit('\n').next().unwrap_or_default();
    line.len() == column
        && line.bytes().all(|byte| byte == b' ')
        && text_of(document.syntax(), range).starts_with('-')
}
