//! Changes to mappings and sequences in braces and brackets.

use text::{TextEdit, TextRange, TextSize};

use super::{Addition, EditError, Editor, Group, Member, extent};
use crate::ast::Value;
use crate::syntax::{SyntaxKind, TokenRef};

impl<'t> Editor<'t> {
    pub(super) fn flow_edits(&self, group: &Group<'t>) -> Result<Vec<TextEdit>, EditError> {
        let members = &group.members;
        let (Some(first), Some(last)) = (members.first(), members.last()) else { return Ok(Vec::new()) };
        if members.iter().all(|member| member.removed.is_some()) {
            let text = self.flow_text(group, None)?;
            // A comma cannot remain alone.
            let end = if text.is_empty() { comma_after(group.value, last.range.end) } else { None };
            let within = TextRange::new(first.range.start, end.unwrap_or(last.range.end));
            self.refuse_comments(within)?;
            return Ok(vec![TextEdit::replace(within, text)]);
        }
        let mut edits = self.flow_removals(members)?;
        for gap in 0..=members.len() {
            let text = self.flow_text(group, Some(gap))?;
            if text.is_empty() {
                continue;
            }
            if let Some(before) = members.iter().take(gap).rev().find(|member| member.removed.is_none()) {
                // go-yaml would read `v:,` as one plain scalar.
                let ends_with_colon = self.source.slice(before.range).ends_with(':');
                let comma = if ends_with_colon { " ," } else { "," };
                let blank = self.blank_between(*before);
                edits.push(TextEdit::insert(before.range.end, format!("{comma}{blank}{text}")));
            } else if let Some(stays) = members.iter().find(|member| member.removed.is_none()) {
                let blank = self.blank_between(*stays);
                edits.push(TextEdit::insert(stays.range.start, format!("{text},{blank}")));
            }
        }
        Ok(edits)
    }

    /// The separator between `member` and a new member next to it: a line break if each member has its own line.
    fn blank_between(&self, member: Member) -> String {
        let column = self.column_of(member);
        column.map_or_else(|| " ".to_owned(), |column| self.renderer().new_line(column))
    }

    /// The column of `member`, if no other member is on its lines.
    fn column_of(&self, member: Member) -> Option<usize> {
        let line_end = self.source.line_end(member.range.end);
        let after = self.source.slice(TextRange::new(member.range.end, line_end));
        let alone = self.source.starts_line(member.range.start) && matches!(after.trim(), "" | ",");
        alone.then(|| self.source.column(member.range.start))
    }

    /// Removes one comma with each run of removed members: the comma after the run, or before it at the end.
    fn flow_removals(&self, members: &[Member]) -> Result<Vec<TextEdit>, EditError> {
        let mut edits = Vec::new();
        let mut index = 0;
        while let Some(member) = members.get(index) {
            if member.removed.is_none() {
                index += 1;
                continue;
            }
            let run = members.iter().skip(index).take_while(|member| member.removed.is_some()).count();
            let before = index.checked_sub(1).and_then(|before| members.get(before));
            let last = members.get(index + run - 1).map_or(member.range.end, |last| last.range.end);
            let range = match (members.get(index + run), before) {
                (Some(next), _) => TextRange::new(member.range.start, next.range.start),
                (None, Some(before)) => TextRange::new(before.range.end, last),
                (None, None) => TextRange::new(member.range.start, last),
            };
            self.refuse_comments(range)?;
            edits.push(TextEdit::delete(range));
            index += run;
        }
        Ok(edits)
    }

    fn refuse_comments(&self, range: TextRange) -> Result<(), EditError> {
        let mut found = Vec::new();
        extent::collect_comments(self.document.syntax(), range, &mut found);
        let notes = self.notes.range(range.start..range.end).next();
        if notes.is_some() || found.iter().any(|token| range.start <= token.start) {
            Err(EditError::Comment)
        } else {
            Ok(())
        }
    }

    fn flow_text(&self, group: &Group<'t>, gap: Option<usize>) -> Result<String, EditError> {
        let renderer = self.renderer();
        let wanted = group.inserted.iter().filter(|(at, _)| gap.is_none_or(|gap| *at == gap));
        let neighbour = group.members.get(gap.unwrap_or(0).saturating_sub(1));
        let column = neighbour.and_then(|member| self.column_of(*member));
        let blank = neighbour.map_or_else(|| " ".to_owned(), |member| self.blank_between(*member));
        let parts: Result<Vec<String>, EditError> = wanted
            .map(|(_, addition)| match addition {
                Addition::Entry(entry) => renderer.flow_entry(entry, column),
                Addition::Item(item) => renderer.flow_at(item, column),
            })
            .collect();
        Ok(parts?.join(&format!(",{blank}")))
    }
}

/// The end of the comma after the last member of `value`, which ends at `end`.
fn comma_after(value: Value<'_>, end: TextSize) -> Option<TextSize> {
    let comma = |token: &TokenRef<'_>| token.kind == SyntaxKind::Comma && token.start >= end;
    Some(value.node()?.tokens().find(comma)?.range().end)
}
