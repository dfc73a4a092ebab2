//! Lines without the key above them.

use text::{TextEdit, TextRange, TextSize};
use yaml::{Document, Tree, Value};

use super::{MOST, holder};
use crate::analysis::missing_key::{fits, shape_at};
use crate::analysis::resources::Shape;
use crate::analysis::values::{entry_at, key_line, newline, own_entry};

/// The maximum number of keys that are tried.
const MOST_TRIED: usize = 3;

/// Lines to the right of the keys that they follow, or a list among keys.
pub(super) struct Block<'t, 's> {
    /// The mapping without the key.
    holder: Value<'t>,
    /// The shape of that mapping.
    shape: Shape<'s>,
    /// The column of the missing key.
    column: usize,
    /// The column of the block.
    own: usize,
    /// The beginning of the first line.
    line: TextSize,
    /// The range and the key of the line above the block, if it is a comment that contains only a key.
    comment: Option<(TextRange, String)>,
    /// The lines, as a separate text.
    tree: Tree,
    newline: &'static str,
}

impl<'t, 's> Block<'t, 's> {
    /// The block whose first line has its text at `start`, below the innermost keys that are more than
    /// `steps` columns to the left. `text` is the text of the document.
    pub(super) fn at(
        document: Document<'t>,
        root: Shape<'s>,
        text: &str,
        start: TextSize,
        steps: usize,
    ) -> Option<Self> {
        let from = document.range().start;
        let (before, behind) = text.split_at_checked(start.checked_sub(from)? as usize)?;
        let indent = before.get(before.rfind('\n')? + 1..)?;
        if !indent.bytes().all(|byte| byte == b' ') {
            return None;
        }
        let own = indent.len();
        let is_list = behind.starts_with("- ");
        let (holder, path) = holder(document, start, own.checked_sub(steps)?, is_list)?;
        let shape = shape_at(root, &path)?;
        let lines = lines(behind.get(..behind.len().min(MOST as usize)).unwrap_or(behind), own, is_list);
        Some(Self {
            holder,
            shape,
            column: holder.as_mapping()?.column()?,
            own,
            line: start - own as TextSize,
            comment: comment(before, from),
            tree: Tree::parse(&lines),
            newline: newline(text),
        })
    }

    /// The block that begins with the key at `key`, if it is indented by more than one step below the
    /// enclosing key.
    pub(super) fn block_at(
        document: Document<'t>,
        root: Shape<'s>,
        text: &str,
        key: TextRange,
    ) -> Option<Self> {
        let (value, entry) = entry_at(document, key)?;
        let own = value.as_mapping().filter(|_| value.range().start == entry.range().start)?.column()?;
        let (_, path) = holder(document, key.start, own + 1, false)?;
        let (outer, _) = holder(document, key.start, own, false)?;
        let outer = outer.as_mapping()?.column()?;
        let is_two_steps = own >= outer + 4 && (own - outer).is_multiple_of(2);
        let shape = shape_at(root, &path)?;
        let from = document.range().start;
        let (before, behind) = text.split_at_checked((key.start - from) as usize)?;
        let lines = lines(behind.get(..behind.len().min(MOST as usize)).unwrap_or(behind), own, false);
        is_two_steps.then(|| Self {
            holder: value,
            shape,
            column: outer + (own - outer) / 2,
            own,
            line: key.start - own as TextSize,
            comment: comment(before, from),
            tree: Tree::parse(&lines),
            newline: newline(text),
        })
    }

    /// The edits that put the block below possible keys, with their titles.
    pub(super) fn candidates(&self) -> Vec<(String, Vec<TextEdit>)> {
        let keys = self.keys();
        let both = if keys.is_empty() { self.below_both() } else { None };
        both.into_iter().chain(keys.into_iter().take(MOST_TRIED).map(|key| self.below(&key))).collect()
    }

    /// The title and the edit that put the block below two new keys, the second nested in the first; `None`
    /// unless exactly one pair of keys fits.
    fn below_both(&self) -> Option<(String, Vec<TextEdit>)> {
        let value = self.tree.documents().next().and_then(Document::root)?;
        let step = self.own.checked_sub(self.column).filter(|columns| columns.is_multiple_of(2))? / 2;
        let members = self.shape.members().into_iter().filter(|member| member.is_named && step > 0);
        let free = members.filter(|member| own_entry(self.holder, &member.name).is_none());
        let mut pairs = free.flat_map(|outer| {
            let inner = outer.shape.members().into_iter().filter(|inner| inner.is_named);
            let fitting: Vec<String> =
                inner.filter(|inner| fits(inner.shape, value)).map(|inner| inner.name.into_owned()).collect();
            fitting.into_iter().map(move |inner| (outer.name.clone().into_owned(), inner))
        });
        let (outer, inner) = pairs.next()?;
        if pairs.next().is_some() {
            return None;
        }
        let lines =
            key_line(self.column, &outer, self.newline) + &key_line(self.column + step, &inner, self.newline);
        let title = format!("Add `{outer}:` and `{inner}:` above this line");
        Some((title, vec![TextEdit::insert(self.line, lines)]))
    }

    /// The keys whose value the block can be, the likeliest first.
    fn keys(&self) -> Vec<String> {
        let Some(value) = self.tree.documents().next().and_then(Document::root) else { return Vec::new() };
        let members = self.shape.members().into_iter().filter(|member| member.is_named);
        let free = members.filter(|member| own_entry(self.holder, &member.name).is_none());
        let mut keys: Vec<String> =
            free.filter(|member| fits(member.shape, value)).map(|member| member.name.into_owned()).collect();
        let is_list = own_entry(self.holder, "type")
            .is_some_and(|ty| ty.value().as_scalar().is_some_and(|ty| ty.text() == "array"));
        let likely = if is_list { ["items", "properties"] } else { ["properties", "additionalProperties"] };
        keys.sort_by_key(|key| likely.iter().position(|one| one == key).unwrap_or(likely.len()));
        keys
    }

    /// The edit that puts the block below `key`, and its title.
    fn below(&self, key: &str) -> (String, Vec<TextEdit>) {
        let line = key_line(self.column, key, self.newline);
        if let Some(comment) =
            self.comment.as_ref().filter(|(_, commented)| commented == key).map(|(range, _)| *range)
        {
            return (
                format!("Restore `{key}:` from the comment above"),
                vec![TextEdit::replace(comment, line)],
            );
        }
        (format!("Add `{key}:` above this line"), vec![TextEdit::insert(self.line, line)])
    }
}

/// The range of the last whole line of `before`, and its key, if it is a comment that contains only a key.
/// `from` is the offset of `before` in the file.
fn comment(before: &str, from: TextSize) -> Option<(TextRange, String)> {
    let whole = before.get(..before.rfind('\n')? + 1)?;
    let line = whole.split_inclusive('\n').next_back()?;
    let key = line.trim().strip_prefix('#')?.trim().strip_suffix(':')?;
    let range = TextRange::at(from + (whole.len() - line.len()) as TextSize, line.len() as TextSize);
    Some((range, key.to_owned()))
}

/// The lines of the block, without its indentation.
fn lines(text: &str, own: usize, is_list: bool) -> String {
    let mut lines = String::new();
    for line in text.split_inclusive('\n') {
        let is_first = lines.is_empty();
        let indent = text::indentation(line);
        let rest = if is_first { line } else { line.get(own.min(indent)..).unwrap_or_default() };
        let is_blank = line.trim().is_empty();
        let ends = indent < own || is_list && indent == own && !rest.starts_with("- ");
        if !is_first && !is_blank && ends {
            break;
        }
        lines.push_str(rest);
    }
    lines
}
