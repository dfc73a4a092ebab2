use text::{TextRange, TextSize};

use super::EditError;
use super::new_values::{NewEntry, NewValue, fits_literal, key, quoted};
use super::source::{self, Source};
use super::style::Style;
use super::{extent, json};
use crate::ast::{Value, ValueKind};
use crate::scalar::ScalarStyle;

/// Renders new values at a given column.
pub(crate) struct Renderer<'a> {
    pub(crate) source: &'a Source,
    pub(crate) style: Style,
    /// Whether the text ends in a block scalar without a line break.
    pub(crate) cut_off: bool,
}

type RenderResult = Result<String, EditError>;

impl Renderer<'_> {
    /// A line break and `column` spaces.
    pub(crate) fn new_line(&self, column: usize) -> String {
        format!("{}{}", self.style.line_break, " ".repeat(column))
    }

    /// An entry with its key at `column`; its first line begins without indentation.
    pub(crate) fn entry(&self, entry: &NewEntry<'_>, column: usize) -> RenderResult {
        let mut text = String::new();
        for comment in &entry.comments {
            text.push_str(comment);
            text.push_str(&self.new_line(column));
        }
        text.push_str(&key(&entry.key, false)?);
        text.push(':');
        text.push_str(&self.after_colon(&entry.value, column)?);
        Ok(text)
    }

    /// An item with its dash at `column`; its first line begins without indentation.
    pub(crate) fn item(&self, value: &NewValue<'_>, column: usize) -> RenderResult {
        let inner = column + 2;
        let text = match value {
            NewValue::Mapping { entries, flow: false } if !entries.is_empty() => {
                self.entries(entries, inner)?
            }
            NewValue::Sequence { items, flow: false } if !items.is_empty() => self.items(items, inner)?,
            NewValue::Copy(value) if extent::is_block_collection(*value) => self.copied(*value, inner)?,
            other => return Ok(format!("-{}", self.after_colon(other, column)?)),
        };
        Ok(format!("- {text}"))
    }

    /// The value of a key or dash at `column`, with the space or line break before it.
    pub(crate) fn after_colon(&self, value: &NewValue<'_>, column: usize) -> RenderResult {
        let (inner, text) = match value {
            NewValue::Mapping { entries, flow: false } if !entries.is_empty() => {
                let inner = column + self.style.step;
                (inner, self.entries(entries, inner)?)
            }
            NewValue::Sequence { items, flow: false } if !items.is_empty() => {
                let inner = column + self.style.dash;
                (inner, self.items(items, inner)?)
            }
            NewValue::Copy(value) => match value.kind() {
                ValueKind::Mapping(mapping) if !mapping.is_flow() => {
                    let inner = column + self.style.step;
                    (inner, self.copied(*value, inner)?)
                }
                ValueKind::Sequence(sequence) if !sequence.is_flow() => {
                    let inner = column + self.style.dash;
                    (inner, self.copied(*value, inner)?)
                }
                ValueKind::Absent => return Ok(String::new()),
                _ => return Ok(format!(" {}", self.copied_inline(*value, column)?)),
            },
            NewValue::Text(text) if fits_literal(text) => {
                return Ok(self.literal(text, column + self.style.step));
            }
            other => return Ok(format!(" {}", self.flow(other)?)),
        };
        Ok(format!("{}{text}", self.new_line(inner)))
    }

    pub(crate) fn entries(&self, entries: &[NewEntry<'_>], column: usize) -> RenderResult {
        let lines: Result<Vec<_>, _> = entries.iter().map(|entry| self.entry(entry, column)).collect();
        Ok(lines?.join(&self.new_line(column)))
    }

    pub(crate) fn items(&self, items: &[NewValue<'_>], column: usize) -> RenderResult {
        let lines: Result<Vec<_>, _> = items.iter().map(|item| self.item(item, column)).collect();
        Ok(lines?.join(&self.new_line(column)))
    }

    /// An entry between braces. `column`: the column of its key, if the key starts a line.
    pub(crate) fn flow_entry(&self, entry: &NewEntry<'_>, column: Option<usize>) -> RenderResult {
        if !entry.comments.is_empty() {
            return Err(EditError::Comment);
        }
        let key = if self.style.json { json::string(&entry.key) } else { key(&entry.key, true)? };
        Ok(format!("{key}: {}", self.flow_at(&entry.value, column)?))
    }

    /// A value between braces or brackets, or on the line of its key.
    pub(crate) fn flow(&self, value: &NewValue<'_>) -> RenderResult {
        self.flow_at(value, None)
    }

    /// The same after a key at `column`: in JSON on separate lines, if the document has such lines.
    pub(crate) fn flow_at(&self, value: &NewValue<'_>, column: Option<usize>) -> RenderResult {
        let column = column.filter(|_| self.style.json_lines);
        let inner = column.map(|column| column + self.style.step);
        match value {
            NewValue::Raw(text) if self.style.json => json::json_text(text),
            NewValue::Raw(text) => Ok(text.clone()),
            NewValue::Text(text) if self.style.json => Ok(json::string(text)),
            NewValue::Text(text) => Ok(quoted(text, true)),
            NewValue::Mapping { entries, .. } => {
                let parts: Result<Vec<_>, _> =
                    entries.iter().map(|entry| self.flow_entry(entry, inner)).collect();
                Ok(self.enclosed('{', &parts?, '}', column))
            }
            NewValue::Sequence { items, .. } => {
                let parts: Result<Vec<_>, _> = items.iter().map(|item| self.flow_at(item, inner)).collect();
                Ok(self.enclosed('[', &parts?, ']', column))
            }
            NewValue::Copy(value) => match column {
                Some(column) => {
                    refuse_properties(*value)?;
                    let range = value.range();
                    Ok(self.shifted(self.source.slice(range), self.source.indentation(range.start), column))
                }
                None => self.flow_copy(*value),
            },
        }
    }

    fn enclosed(&self, open: char, parts: &[String], close: char, column: Option<usize>) -> String {
        match column.filter(|_| !parts.is_empty()) {
            Some(column) => {
                let line = self.new_line(column + self.style.step);
                format!("{open}{line}{}{}{close}", parts.join(&format!(",{line}")), self.new_line(column))
            }
            None => format!("{open}{}{close}", parts.join(", ")),
        }
    }

    /// A copy of a value of the document, for use between braces or brackets.
    fn flow_copy(&self, value: Value<'_>) -> RenderResult {
        refuse_properties(value)?;
        let raw = self.source.slice(value.range());
        if raw.contains('#') && value.node().is_some() && extent::has_comments(value) {
            return Err(EditError::Comment);
        }
        match value.kind() {
            ValueKind::Absent => Ok("null".to_owned()),
            ValueKind::Alias(_) => Err(EditError::Anchor),
            ValueKind::Scalar(scalar) => Ok(match scalar.style() {
                ScalarStyle::Plain if scalar.as_str().is_some() => quoted(&scalar.text(), true),
                ScalarStyle::Literal | ScalarStyle::Folded => quoted(&scalar.text(), true),
                _ if raw.contains(['\n', '\r']) => quoted(&scalar.text(), true),
                _ => raw.to_owned(),
            }),
            ValueKind::Mapping(mapping) if mapping.is_flow() && !raw.contains(['\n', '\r']) => {
                Ok(raw.to_owned())
            }
            ValueKind::Sequence(sequence) if sequence.is_flow() && !raw.contains(['\n', '\r']) => {
                Ok(raw.to_owned())
            }
            ValueKind::Mapping(mapping) => {
                let mut parts = Vec::new();
                for entry in mapping.entries() {
                    let key = self.flow_copy(entry.key())?;
                    parts.push(format!("{key}: {}", self.flow_copy(entry.value())?));
                }
                Ok(format!("{{{}}}", parts.join(", ")))
            }
            ValueKind::Sequence(sequence) => {
                let parts: Result<Vec<_>, _> =
                    sequence.items().map(|item| self.flow_copy(item.value())).collect();
                Ok(format!("[{}]", parts?.join(", ")))
            }
        }
    }

    /// A copy of a block mapping or sequence of the document, at `column`; its first line begins without
    /// indentation.
    fn copied(&self, value: Value<'_>, column: usize) -> RenderResult {
        refuse_properties(value)?;
        let range = extent::with_trailing_comment(value, self.source);
        self.refuse_cut_off(range)?;
        let from = self.source.column(range.start);
        Ok(self.shifted(self.source.slice(range), from, column))
    }

    /// A copy of a scalar or flow value of the document, for use after a key or dash at `column`.
    fn copied_inline(&self, value: Value<'_>, column: usize) -> RenderResult {
        refuse_properties(value)?;
        let range = TextRange::new(value.range().start, extent::end_of_value(value));
        self.refuse_cut_off(range)?;
        let text = self.source.slice(range);
        let outer = value.as_scalar().map(crate::ast::Scalar::outer_column);
        let (from, to) = match outer.and_then(|outer| usize::try_from(outer).ok()) {
            Some(outer) => (outer, column),
            None => (self.least_indentation(range), column + self.style.step),
        };
        Ok(self.shifted(text, from, to))
    }

    fn refuse_cut_off(&self, range: TextRange) -> Result<(), EditError> {
        if self.cut_off && self.source.line_end(range.end) == self.source.end() {
            Err(EditError::Place)
        } else {
            Ok(())
        }
    }

    fn least_indentation(&self, range: TextRange) -> usize {
        let lines = source::lines(self.source.slice(range)).skip(1).filter(|line| !line.trim().is_empty());
        lines.map(text::indentation).min().unwrap_or(0)
    }

    /// `text` with all lines but the first moved from column `from` to column `to`.
    fn shifted(&self, text: &str, from: usize, to: usize) -> String {
        let mut out = String::with_capacity(text.len() + 16);
        for (index, line) in source::lines(text).enumerate() {
            let body = line.trim_end_matches(['\n', '\r']);
            if index == 0 || body.is_empty() {
                out.push_str(line);
            } else if to >= from {
                out.extend(std::iter::repeat_n(' ', to - from));
                out.push_str(line);
            } else {
                let indent = text::indentation(line);
                out.push_str(line.get(indent.min(from - to)..).unwrap_or_default());
            }
        }
        out
    }

    fn literal(&self, text: &str, column: usize) -> String {
        let (body, header) = match text.strip_suffix('\n') {
            Some(body) => (body, " |"),
            None => (text, " |-"),
        };
        let mut out = header.to_owned();
        for line in body.split('\n') {
            out.push_str(&if line.is_empty() {
                self.style.line_break.to_owned()
            } else {
                self.new_line(column)
            });
            out.push_str(line);
        }
        out
    }
}

/// Anchors and aliases change their meaning when they move; tags are not copied either.
fn refuse_properties(value: Value<'_>) -> Result<(), EditError> {
    let flags = value.node().map(|node| node.node().flags()).unwrap_or_default();
    if flags.anchors || flags.aliases || value.anchor().is_some() || value.tag().is_some() {
        return Err(EditError::Anchor);
    }
    if flags.errors { Err(EditError::Broken) } else { Ok(()) }
}

/// `comments` in the order of the text, each on a separate line at `column`.
pub(crate) fn comment_lines(comments: &[String], column: usize, line_break: &str) -> String {
    let indent = " ".repeat(column);
    comments.iter().map(|comment| format!("{indent}{comment}{line_break}")).collect()
}

/// A range as byte offsets, for sorting.
pub(crate) fn bounds(range: TextRange) -> (TextSize, TextSize) {
    (range.start, range.end)
}
