//! Replacement of values.

use text::{TextEdit, TextRange};

use super::holder::Holder;
use super::{Addition, EditError, Editor, Group, NewValue, extent, new_values};
use crate::ast::{Value, ValueKind};

impl<'t> Editor<'t> {
    /// Writes the first members of an empty value.
    pub(super) fn fill(&self, group: &Group<'t>, holder: Holder<'t>) -> Result<Vec<TextEdit>, EditError> {
        let value = group.value;
        if value.as_scalar().is_some_and(|scalar| scalar.resolve() != Ok(crate::scalar::ResolvedScalar::Null))
        {
            return Err(EditError::Place);
        }
        let mut entries = Vec::new();
        let mut items = Vec::new();
        for (_, addition) in &group.inserted {
            match addition {
                Addition::Entry(entry) => entries.push(entry.clone()),
                Addition::Item(item) => items.push(item.clone()),
            }
        }
        let new = match (entries.is_empty(), items.is_empty()) {
            (false, true) => NewValue::Mapping { entries, flow: false },
            (true, false) => NewValue::Sequence { items, flow: false },
            _ => return Err(EditError::Place),
        };
        self.insert_after(holder, value, &new)
    }

    pub(super) fn replacement(
        &self,
        value: Value<'t>,
        with: &NewValue<'t>,
    ) -> Result<Vec<TextEdit>, EditError> {
        // The tag would stay and apply to the new value.
        if value.tag().is_some() {
            return Err(EditError::Anchor);
        }
        let inline = |text: &String| !text.contains(['\n', '\r']);
        if !extent::is_block_collection(value) && !matches!(value.kind(), ValueKind::Absent) {
            let range = TextRange::new(value.range().start, extent::end_of_value(value));
            let text = match with {
                NewValue::Text(_) | NewValue::Raw(_) if self.style.json => self.renderer().flow(with)?,
                NewValue::Text(text) => new_values::quoted(text, self.in_flow(value)),
                NewValue::Raw(text) => text.clone(),
                _ => String::from("\n"),
            };
            if inline(&text) {
                return Ok(vec![TextEdit::replace(range, text)]);
            }
        }
        let holder = Holder::of(value, self.document).ok_or(EditError::Place)?;
        self.insert_after(holder, value, with)
    }

    /// Writes `new` after the colon or dash of `holder`, in place of `old`.
    fn insert_after(
        &self,
        holder: Holder<'t>,
        old: Value<'t>,
        new: &NewValue<'t>,
    ) -> Result<Vec<TextEdit>, EditError> {
        let end = extent::end_of_value(old);
        let renderer = self.renderer();
        let (Some(column), Some(start)) = (holder.column(&self.source), holder.end()) else {
            // A key in braces may have no colon, and so no position for a value.
            let has_colon = !matches!(holder, Holder::Entry(entry) if entry.colon().is_none());
            // A value with a tag or an anchor but no text has no position.
            let is_bare = old.tag().is_none() && old.anchor().is_none();
            let has_place = is_bare || !matches!(old.kind(), ValueKind::Absent);
            if matches!(holder, Holder::Root) || !has_colon || !has_place {
                return Err(EditError::Place);
            }
            let space = if old.range().is_empty() { " " } else { "" };
            let range = TextRange::new(old.range().start, end);
            let start = match holder {
                Holder::Entry(entry) => entry.range().start,
                _ => old.range().start,
            };
            let column = self.source.starts_line(start).then(|| self.source.column(start));
            return Ok(vec![TextEdit::replace(range, format!("{space}{}", renderer.flow_at(new, column)?))]);
        };
        let range = TextRange::new(start, end.max(start));
        let line_end = self.source.line_end(range.end);
        let commented = !self.source.slice(TextRange::new(range.end, line_end)).trim().is_empty();
        let text = match holder {
            Holder::Item(_) => {
                let item = renderer.item(new, column)?;
                item.strip_prefix('-').unwrap_or(&item).to_owned()
            }
            _ => renderer.after_colon(new, column)?,
        };
        if !text.contains(['\n', '\r']) {
            return Ok(vec![TextEdit::replace(range, text)]);
        }
        if !commented {
            // Blanks after and below the old value would become part of a block scalar. They are deleted in
            // separate edits, as other lines may be added between them.
            let below = self.source.end_of_blanks_below(line_end);
            let blanks = [TextRange::new(range.end, line_end), TextRange::new(line_end, below)];
            let deletions = blanks.into_iter().filter(|blanks| !blanks.is_empty()).map(TextEdit::delete);
            return Ok(std::iter::once(TextEdit::replace(range, text)).chain(deletions).collect());
        }
        // The comment stays after the key or dash, so the new value starts on the next line.
        let text = match text.strip_prefix(' ') {
            Some(text) if matches!(new, NewValue::Mapping { .. } | NewValue::Sequence { .. }) => {
                format!("{}{text}", renderer.new_line(column + 2))
            }
            Some(_) => return Err(EditError::Comment),
            None => text,
        };
        Ok(vec![TextEdit::delete(range), TextEdit::insert(line_end, text)])
    }

    fn in_flow(&self, value: Value<'t>) -> bool {
        Holder::of(value, self.document).is_some_and(|holder| holder.column(&self.source).is_none())
    }
}
