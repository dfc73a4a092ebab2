//! Changes to mappings and sequences in block style.

use text::{TextEdit, TextRange, TextSize};

use super::holder::Holder;
use super::render::comment_lines;
use super::{Addition, Comments, EditError, Editor, Group, Member, extent};
use crate::ast::ValueKind;

/// The lines of a mapping or sequence, and the text around them.
pub(super) struct Lines<'g, 't> {
    group: &'g Group<'t>,
    holder: Holder<'t>,
    column: usize,
    /// Whether the first member follows a dash on its line.
    compact: bool,
    /// The lowest offset at which comments of the first member may start.
    bound: TextSize,
    copied: &'g [TextRange],
}

impl Lines<'_, '_> {
    /// The lowest offset at which comments of the member at `index` may start.
    pub(super) fn bound(&self, index: usize, editor: &Editor<'_>) -> TextSize {
        let before = index.checked_sub(1).and_then(|before| self.group.members.get(before));
        before.map_or(self.bound, |member| editor.source.next_line(member.range.end))
    }
}

impl<'t> Editor<'t> {
    pub(super) fn block_edits(
        &self,
        group: &Group<'t>,
        holder: Holder<'t>,
        copied: &[TextRange],
    ) -> Result<Vec<TextEdit>, EditError> {
        let Some(lines) = self.lines(group, holder, copied) else { return Ok(Vec::new()) };
        if group.members.iter().all(|member| member.removed.is_some()) {
            return if group.inserted.is_empty() { self.emptied(&lines) } else { self.exchanged(&lines) };
        }
        let mut edits = self.removals(&lines);
        edits.extend(self.insertions(&lines)?);
        Ok(edits)
    }

    /// The lines of `group`, which has members.
    pub(super) fn lines<'g>(
        &self,
        group: &'g Group<'t>,
        holder: Holder<'t>,
        copied: &'g [TextRange],
    ) -> Option<Lines<'g, 't>> {
        let first = group.members.first()?;
        let compact = !self.source.starts_line(first.range.start);
        let bound = match holder.end() {
            _ if compact => first.range.start,
            Some(end) => self.source.next_line(end),
            None => self.document.range().start,
        };
        let column = self.source.column(first.range.start);
        Some(Lines { group, holder, column, compact, bound, copied })
    }

    /// Removes all members when none is added.
    fn emptied(&self, lines: &Lines<'_, 't>) -> Result<Vec<TextEdit>, EditError> {
        let (Some(first), Some(last)) = (lines.group.members.first(), lines.group.members.last()) else {
            return Ok(Vec::new());
        };
        let nothing = match lines.group.value.kind() {
            ValueKind::Mapping(_) => "{}",
            _ => "[]",
        };
        let (key_end, holder_start) = match lines.holder {
            Holder::Entry(entry) if !lines.compact => (lines.holder.end(), entry.range().start),
            Holder::Item(item) if !lines.compact => (lines.holder.end(), item.range().start),
            _ => (None, first.range.start),
        };
        let Some(key_end) = key_end else {
            let within = TextRange::new(first.range.start, last.range.end);
            let mut edits = vec![TextEdit::replace(within, nothing)];
            edits.extend(self.comments_before_line(first.range.start, self.kept_comments(lines, within)));
            return Ok(edits);
        };
        let below = TextRange::new(self.source.line_end(key_end), self.source.line_end(last.range.end));
        let mut edits = vec![TextEdit::insert(key_end, format!(" {nothing}")), TextEdit::delete(below)];
        edits.extend(self.comments_before_line(holder_start, self.kept_comments(lines, below)));
        Ok(edits)
    }

    /// Replaces all members with new ones.
    fn exchanged(&self, lines: &Lines<'_, 't>) -> Result<Vec<TextEdit>, EditError> {
        let (Some(first), Some(last)) = (lines.group.members.first(), lines.group.members.last()) else {
            return Ok(Vec::new());
        };
        let within = TextRange::new(first.range.start, last.range.end);
        let additions: Vec<_> = lines.group.inserted.iter().map(|(_, addition)| addition).collect();
        let mut edits = vec![TextEdit::replace(within, self.rendered(&additions, lines.column)?)];
        edits.extend(self.comments_before_line(first.range.start, self.kept_comments(lines, within)));
        Ok(edits)
    }

    fn removals(&self, lines: &Lines<'_, 't>) -> Vec<TextEdit> {
        let mut edits = Vec::new();
        let leading = lines.group.members.iter().take_while(|member| member.removed.is_some()).count();
        let compact = if lines.compact { leading } else { 0 };
        if compact > 0 {
            edits.extend(self.compact_removals(lines, compact));
        }
        for (index, member) in lines.group.members.iter().enumerate().skip(compact) {
            if let Some(comments) = member.removed {
                edits.push(self.removal(lines, index, *member, comments));
            }
        }
        edits
    }

    /// Removes the first members of a mapping or sequence after a dash: the first remaining member moves up
    /// to the dash.
    fn compact_removals(&self, lines: &Lines<'_, 't>, count: usize) -> Vec<TextEdit> {
        let (Some(first), Some(stays)) = (lines.group.members.first(), lines.group.members.get(count)) else {
            return Vec::new();
        };
        let within = TextRange::new(first.range.start, stays.range.start);
        let mut edits = vec![TextEdit::delete(within)];
        edits.extend(self.comments_before_line(first.range.start, self.kept_comments(lines, within)));
        edits
    }

    /// Removes the lines of a member, or keeps its comments on them.
    fn removal(&self, lines: &Lines<'_, 't>, index: usize, member: Member, comments: Comments) -> TextEdit {
        let above = self.source.comments_above(member.range.start, lines.bound(index, self));
        let end = self.source.line_end(member.range.end);
        let next = self.source.next_line(end);
        let kept = match comments {
            Comments::Keep => self.comments_in(lines, TextRange::new(above, end)),
            Comments::Drop => Vec::new(),
        };
        let text = comment_lines(&kept, lines.column, self.style.line_break);
        if next > end {
            return TextEdit::replace(TextRange::new(above, next), text);
        }
        // The last line of a file that does not end in a line break. The line break of the line above stays,
        // as a block scalar there may need it.
        TextEdit::replace(TextRange::new(above, end), text.trim_end_matches(['\n', '\r']))
    }

    fn insertions(&self, lines: &Lines<'_, 't>) -> Result<Vec<TextEdit>, EditError> {
        let members = &lines.group.members;
        let mut edits = Vec::new();
        for gap in 0..=members.len() {
            let here = lines.group.inserted.iter().filter(|(at, _)| *at == gap).map(|(_, addition)| addition);
            let here: Vec<_> = here.collect();
            if here.is_empty() {
                continue;
            }
            let text = self.rendered(&here, lines.column)?;
            let new_line = self.renderer().new_line(lines.column);
            let before = members.iter().take(gap).rev().find(|member| member.removed.is_none());
            if let Some(before) = before {
                let at = self.source.line_end(before.range.end);
                self.refuse_cut_off(at)?;
                edits.push(TextEdit::insert(at, format!("{new_line}{text}")));
                continue;
            }
            let Some(stays) = members.iter().position(|member| member.removed.is_none()) else { continue };
            let (Some(first), Some(member)) = (members.first(), members.get(stays)) else { continue };
            if lines.compact {
                edits.push(TextEdit::insert(first.range.start, format!("{text}{new_line}")));
            } else {
                let at = self.source.comments_above(member.range.start, lines.bound(stays, self));
                let indent = " ".repeat(lines.column);
                edits.push(TextEdit::insert(at, format!("{indent}{text}{}", self.style.line_break)));
            }
        }
        Ok(edits)
    }

    fn rendered(&self, additions: &[&Addition<'t>], column: usize) -> Result<String, EditError> {
        let renderer = self.renderer();
        let parts: Result<Vec<String>, EditError> = additions
            .iter()
            .map(|addition| match addition {
                Addition::Entry(entry) => renderer.entry(entry, column),
                Addition::Item(item) => renderer.item(item, column),
            })
            .collect();
        Ok(parts?.join(&renderer.new_line(column)))
    }

    /// Inserts comments on lines above the line of `offset`.
    fn comments_before_line(&self, offset: TextSize, comments: Vec<String>) -> Option<TextEdit> {
        let text = comment_lines(&comments, self.source.indentation(offset), self.style.line_break);
        (!text.is_empty()).then(|| TextEdit::insert(self.source.line_start(offset), text))
    }

    /// The comments within `range`, without those of members that are removed with their comments.
    fn kept_comments(&self, lines: &Lines<'_, 't>, range: TextRange) -> Vec<String> {
        let members = &lines.group.members;
        let dropped = |at: TextSize| {
            members.iter().enumerate().any(|(index, member)| {
                let above = self.source.comments_above(member.range.start, lines.bound(index, self));
                let end = self.source.line_end(member.range.end);
                member.removed == Some(Comments::Drop) && above <= at && at < end
            })
        };
        self.comment_tokens(lines, range).filter(|token| !dropped(token.0)).map(|token| token.1).collect()
    }

    fn comments_in(&self, lines: &Lines<'_, 't>, range: TextRange) -> Vec<String> {
        self.comment_tokens(lines, range).map(|token| token.1).collect()
    }

    fn comment_tokens(
        &self,
        lines: &Lines<'_, 't>,
        range: TextRange,
    ) -> impl Iterator<Item = (TextSize, String)> {
        let mut found = Vec::new();
        extent::collect_comments(self.document.syntax(), range, &mut found);
        let copied = |at: TextSize| lines.copied.iter().any(|range| range.start <= at && at < range.end);
        let mut kept: Vec<_> = found
            .into_iter()
            .filter(|token| range.start <= token.start && !copied(token.start))
            .map(|token| (token.start, token.text.trim_end().to_owned()))
            .collect();
        for (start, notes) in self.notes.range(range.start..range.end) {
            kept.extend(notes.iter().map(|note| (*start, note.clone())));
        }
        kept.sort_by_key(|(start, _)| *start);
        kept.into_iter()
    }
}
