//! The indentation of a new line: the column where the text behind the line above belongs, according to the
//! tree and the schema.

use api::FieldType;
use crd::reading::holds_action;
use text::{TextEdit, TextRange, TextSize};
use yaml::scalar::ScalarStyle;
use yaml::{Document, Entry, Reader, Scalar, Tree, Value, ValueKind};

use crate::analysis::cel::rule_field::rule_entry;
use crate::analysis::resources::{Resource, ResourcePlace, Shape, View, find};
use crate::analysis::text_at::{closed_at, definition_at, document_at, text_of, values_to};

/// The number of columns from a key to the keys below it, if the text shows no other.
const STEP: usize = 2;
/// The number of columns from a dash to its value.
const DASH: usize = 2;
/// The maximum number of bytes before the cursor that are searched for the line above.
const LOOKED_AT: TextSize = 16_384;
/// The maximum number of mappings that are searched for a list, to find the indentation of lists.
const MOST_MAPPINGS: usize = 500;
/// The maximum number of documents that are searched for it.
const MOST_DOCUMENTS: usize = 20;
/// Endings of an incomplete expression.
const OPEN: [&str; 5] = ["&&", "||", "?", "(", ","];
/// The widest indentation of an editor that is accepted.
const WIDEST: usize = 8;

/// The indentation of the values below keys in a document, in columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    /// From a key to the keys below it.
    pub(crate) step: usize,
    /// From a key to the dashes below it.
    pub(crate) dash: usize,
}

impl Default for Layout {
    fn default() -> Self {
        Self { step: STEP, dash: 0 }
    }
}

impl Layout {
    /// Returns the layout that the first lines of a document show, or the other documents of its text.
    pub(crate) fn of(document: Document<'_>, tree: &Tree) -> Self {
        let usual = Self::default();
        Self {
            step: first_layout(document, tree, step_of).unwrap_or(usual.step),
            dash: first_layout(document, tree, dash_of).unwrap_or(usual.dash),
        }
    }
}

/// The result of `what` for `document`, otherwise the first one for another document of `tree`.
fn first_layout(
    document: Document<'_>,
    tree: &Tree,
    what: impl Fn(Document<'_>) -> Option<usize>,
) -> Option<usize> {
    what(document).or_else(|| tree.documents().take(MOST_DOCUMENTS).find_map(what))
}

/// The position of the next line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NextLine {
    /// The column, which is the number of blanks.
    pub(crate) column: usize,
    /// Whether the line above ends with a key or a dash that has no value yet.
    pub(crate) is_below: bool,
}

/// Returns the edit that moves the line of `offset`, which has just been started, to the column where the
/// next key, item or line of text belongs. If the text shows no indentation yet, that of the editor applies:
/// `tab` columns.
pub(crate) fn on_new_line(view: View<'_>, offset: TextSize, tab: Option<usize>) -> Option<TextEdit> {
    let lines = Lines::lines_before(view, offset)?;
    if !lines.is_blank() {
        return None;
    }
    let rest = rest_of_line(view, offset);
    let taken_down = rest.trim_start_matches([' ', '\t']);
    let next = next(view, lines.above?, tab.filter(|tab| (1..=WIDEST).contains(tab)))?;
    // The rest of a split line can only move below a key or a dash, or if it is a comment.
    if !(taken_down.trim().is_empty() || taken_down.starts_with('#') || next.is_below) {
        return None;
    }
    let apart = if taken_down.trim().is_empty() { 0 } else { rest.len() - taken_down.len() };
    let blanks = TextRange::new(lines.own_line.start, offset + apart as TextSize);
    let wanted = " ".repeat(next.column);
    let is_there = text_of(view.tree.root(), blanks) == wanted;
    (!is_there).then(|| TextEdit::replace(blanks, wanted))
}

/// A line with only blanks and the word before the cursor.
pub(crate) struct WordLine {
    /// The blanks at its start, among which may be tabs.
    pub(crate) blanks: TextRange,
    /// The column where it belongs, according to the last line above that is not blank.
    pub(crate) next: NextLine,
    /// The columns of the keys and dashes of the blocks that are open there.
    pub(crate) open_columns: Vec<usize>,
}

/// The line of `offset`; `None` if it has more than a word before `offset`.
pub(crate) fn of_line(view: View<'_>, offset: TextSize) -> Option<WordLine> {
    let lines = Lines::lines_before(view, offset)?;
    let text = text_of(view.tree.root(), lines.own_line);
    let word = text.trim_start_matches([' ', '\t']);
    let is_word = word.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'$'));
    // Text behind the word would move with it.
    if !is_word || !rest_of_line(view, offset).trim().is_empty() {
        return None;
    }
    let blanks = TextRange::at(lines.own_line.start, (text.len() - word.len()) as TextSize);
    let last = lines.last?;
    Some(WordLine { blanks, next: next(view, last, None)?, open_columns: open_columns(view, last.end) })
}

/// The last line above that of `offset` that is not blank, up to its last character.
pub(crate) fn last_above(view: View<'_>, offset: TextSize) -> Option<TextRange> {
    Lines::lines_before(view, offset)?.last
}

/// The columns of the blocks that contain `at`.
fn open_columns(view: View<'_>, at: TextSize) -> Vec<usize> {
    let document = document_at(view.tree, at);
    document.into_iter().flat_map(|document| values_to(document, at)).filter_map(column_of).collect()
}

/// The lines around the start of a line.
struct Lines {
    /// The line of the offset, up to the offset.
    own_line: TextRange,
    /// The line above, up to its last character; `None` if it is blank.
    above: Option<TextRange>,
    /// The last line above that is not blank.
    last: Option<TextRange>,
    text: String,
}

impl Lines {
    fn lines_before(view: View<'_>, offset: TextSize) -> Option<Self> {
        let start = offset.saturating_sub(LOOKED_AT);
        let text = text_of(view.tree.root(), TextRange::new(start, offset));
        let start = offset - text.len() as TextSize;
        let own = text.rfind('\n').map(|end| end + 1)?;
        let (mut above, mut last, mut end) = (None, None, own);
        while last.is_none() && end > 0 {
            let before = text.get(..end - 1)?;
            let begin = before.rfind('\n').map_or(0, |end| end + 1);
            // A line that begins before the searched text may begin with anything.
            let line = before.get(begin..)?;
            if !line.trim().is_empty() && (begin > 0 || start == 0) {
                let range = TextRange::at(start + begin as TextSize, line.trim_end().len() as TextSize);
                last = Some(range);
                above = above.or((end == own).then_some(range));
            }
            end = begin;
        }
        Some(Self { own_line: TextRange::new(start + own as TextSize, offset), above, last, text })
    }

    fn is_blank(&self) -> bool {
        let own = self.text.rsplit('\n').next().unwrap_or_default();
        own.bytes().all(|byte| matches!(byte, b' ' | b'\t'))
    }
}

fn rest_of_line(view: View<'_>, offset: TextSize) -> String {
    crate::analysis::text_at::line_of(view.tree.root(), TextRange::new(offset, view.tree.len()))
}

/// Returns where the line behind `line` belongs; `line` ends with its last character. `None` if that is
/// unknown, as within brackets and quotes. If the text has no indentation, lines are indented by `usual`
/// columns.
fn next(view: View<'_>, line: TextRange, usual: Option<usize>) -> Option<NextLine> {
    let text = text_of(view.tree.root(), line);
    let indent = text::indentation(&text);
    if text.get(indent..)?.starts_with('\t') {
        return None;
    }
    let at = line.end.saturating_sub(1);
    let document = document_at(view.tree, line.start + indent as TextSize)?;
    // The text that a template inserts between its lines is unknown.
    if holds_action(document) {
        return None;
    }
    let mut place = Place { view, document, line, indent, usual, step: None, dash: None };
    let found = document.root().filter(|root| root.range().start <= at).map(|root| place.below(root, at));
    let is_text = matches!(found, Some(Some(NextLine { is_below: false, .. })) if place.is_in_text(at));
    let same = Some(NextLine { column: indent, is_below: false });
    match text.trim_start() {
        _ if is_text => found.flatten(),
        "---" => Some(NextLine { column: 0, is_below: false }),
        comment if comment.starts_with('#') => same,
        _ => found.flatten(),
    }
}

struct Place<'v> {
    view: View<'v>,
    document: Document<'v>,
    line: TextRange,
    /// The column of the line.
    indent: usize,
    /// The number of columns from a key to the keys below it, if the text shows none.
    usual: Option<usize>,
    /// The number of columns from a key to the keys and to the dashes below it, as in the lines around.
    step: Option<usize>,
    dash: Option<usize>,
}

impl<'v> Place<'v> {
    /// Whether `at` is in the text of a block scalar that begins above the line.
    fn is_in_text(&self, at: TextSize) -> bool {
        values_to(self.document, at).last().and_then(Value::as_scalar).is_some_and(|scalar| {
            let range = scalar.token().range();
            scalar.style().is_block() && range.start < self.line.start && self.line.start < range.end
        })
    }

    /// Descends from `root` to the end of the line.
    fn below(&mut self, root: Value<'v>, at: TextSize) -> Option<NextLine> {
        let (mut value, mut column, mut outer) = (root, 0, 0);
        loop {
            match value.kind() {
                ValueKind::Mapping(mapping) if !mapping.is_flow() => {
                    let entry = mapping.entry_before(at)?;
                    column = mapping.column()?;
                    outer = column;
                    if entry.colon().is_none() {
                        return Some(NextLine { column, is_below: false });
                    }
                    let inner = entry.value();
                    if starts_after(inner, at) {
                        let column = column_of(inner).unwrap_or_else(|| self.below_key(entry, column));
                        return Some(NextLine { column, is_below: true });
                    }
                    self.record_indentation(column, inner);
                    value = inner;
                }
                ValueKind::Sequence(list) if !list.is_flow() => {
                    let item = list.item_before(at)?;
                    column = list.column()?;
                    outer = column;
                    let inner = item.value();
                    if starts_after(inner, at) {
                        let column = column_of(inner).unwrap_or(column + DASH);
                        return Some(NextLine { column, is_below: true });
                    }
                    value = inner;
                }
                ValueKind::Scalar(scalar) => return self.behind_scalar(scalar, column, outer),
                ValueKind::Alias(_) | ValueKind::Absent => return Some(NextLine { column, is_below: false }),
                // A value in brackets or braces.
                ValueKind::Mapping(_) | ValueKind::Sequence(_) => {
                    let closes = closed_at(value)? <= self.line.end;
                    return closes.then_some(NextLine { column, is_below: false });
                }
            }
        }
    }

    /// The position of the line behind a scalar whose key or dash is at `column`.
    fn behind_scalar(&self, scalar: Scalar<'_>, column: usize, outer: usize) -> Option<NextLine> {
        let token = scalar.token();
        if scalar.style().is_block() {
            if token.range().start < self.line.start {
                return Some(NextLine { column: self.indent, is_below: false });
            }
            let mut lines = token.text.lines().skip(1).filter(|line| !line.trim().is_empty());
            let written = lines.next().map(text::indentation);
            let column = written
                .unwrap_or_else(|| outer + explicit_indentation(scalar).unwrap_or_else(|| self.step()));
            return Some(NextLine { column, is_below: false });
        }
        let quote = match scalar.style() {
            ScalarStyle::SingleQuoted => "'",
            ScalarStyle::DoubleQuoted => "\"",
            _ => "",
        };
        if self.is_open_rule(scalar) {
            return Some(NextLine { column: column + self.step(), is_below: false });
        }
        let is_closed = token.text.len() > quote.len() && token.text.ends_with(quote);
        let ends_here = token.range().end <= self.line.end;
        // Within a multi-line string, the editor's own indentation is as good.
        (is_closed && ends_here || quote.is_empty() && token.range().start >= self.line.start)
            .then_some(NextLine { column, is_below: false })
    }

    /// Whether the line ends within an unquoted expression. YAML reads its next line as a part of it if the line
    /// is indented.
    fn is_open_rule(&self, scalar: Scalar<'_>) -> bool {
        let token = scalar.token();
        let is_open = OPEN.iter().any(|end| token.text.ends_with(end)) && token.range().end == self.line.end;
        let is_of_line = token.range().start >= self.line.start && scalar.style() == ScalarStyle::Plain;
        is_open
            && is_of_line
            && rule_entry(self.document, token.range().start).is_some_and(|entry| entry.is_expression())
    }

    /// Learns the indentation of `value` below a key at `column`.
    fn record_indentation(&mut self, column: usize, value: Value<'_>) {
        match value.kind() {
            ValueKind::Mapping(mapping) => {
                let step = mapping.column().and_then(|own| own.checked_sub(column)).filter(|step| *step > 0);
                self.step = step.or(self.step);
            }
            ValueKind::Sequence(list) => {
                self.dash = list.column().and_then(|own| own.checked_sub(column)).or(self.dash);
            }
            _ => {}
        }
    }

    /// The number of columns from a key to the keys below it.
    fn step(&self) -> usize {
        let first_layout = || first_layout(self.document, self.view.tree, step_of);
        self.step.or_else(first_layout).or(self.usual).unwrap_or(STEP)
    }

    /// The column of a new value below the key of `entry`, which is at `column`.
    fn below_key(&self, entry: Entry<'v>, column: usize) -> usize {
        let reader = Reader::new(self.document);
        let place = place_at(self.view, self.document, &reader, entry.key_range().start);
        let is_list = place.and_then(|place| place.member).is_some_and(|member| member.shape.is_list());
        match is_list {
            true => {
                column
                    + self
                        .dash
                        .or_else(|| first_layout(self.document, self.view.tree, dash_of))
                        .unwrap_or_default()
            }
            false => column + self.step(),
        }
    }
}

/// The column of the keys or dashes of a value.
fn column_of(value: Value<'_>) -> Option<usize> {
    match value.kind() {
        ValueKind::Mapping(mapping) => mapping.column(),
        ValueKind::Sequence(list) => list.column(),
        _ => None,
    }
}

fn starts_after(value: Value<'_>, at: TextSize) -> bool {
    matches!(value.kind(), ValueKind::Absent) || value.range().start > at
}

/// The indentation in the header of a block scalar, such as `2` in `|2-`, in columns from its parent.
fn explicit_indentation(scalar: Scalar<'_>) -> Option<usize> {
    let header = scalar.token().text.lines().next()?;
    let digit = header.bytes().skip(1).take(2).find(|byte| matches!(byte, b'1'..=b'9'))?;
    Some(usize::from(digit - b'0'))
}

/// The indentation of the first list of the document below its key.
fn dash_of(document: Document<'_>) -> Option<usize> {
    first_below(document, |value| value.as_sequence().filter(|list| list.items().next().is_some())?.column())
}

/// The indentation of the first mapping of the document that is the value of a key.
fn step_of(document: Document<'_>) -> Option<usize> {
    first_below(document, |value| value.as_mapping().filter(|mapping| !mapping.is_flow())?.column())
        .filter(|step| *step > 0)
}

/// The indentation, below its key, of the first value for which `column` returns a column.
fn first_below<'t>(document: Document<'t>, column: impl Fn(Value<'t>) -> Option<usize>) -> Option<usize> {
    let mut pending = vec![document.root()?];
    let mut seen = 0;
    while let Some(value) = pending.pop() {
        seen += 1;
        let ValueKind::Mapping(mapping) = value.kind() else { continue };
        let Some(outer) = mapping.column().filter(|_| seen <= MOST_MAPPINGS) else { continue };
        for entry in mapping.entries().take(MOST_MAPPINGS) {
            match column(entry.value()) {
                Some(own) => return own.checked_sub(outer),
                None => pending.push(entry.value()),
            }
        }
    }
    None
}

/// The key or value at `at` of a resource or a definition, with its possible values.
pub(crate) fn place_at<'t, 's>(
    view: View<'s>,
    document: Document<'t>,
    reader: &Reader<'t>,
    at: TextSize,
) -> Option<ResourcePlace<'t, 's>> {
    if let Some(resource) = Resource::at(document, reader, view.surroundings, at) {
        return find(resource.value, resource.shape(), at);
    }
    let definition = definition_at(document, reader, at)?;
    find(definition.value(), Shape::Api(FieldType::Object(definition.object_type())), at)
}
