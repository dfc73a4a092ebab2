//! CEL and paths within markers: requests on them are answered from the generated definition, and the ranges in the answers
//! are mapped back.

use std::ops::Range;

use go::marker::{Meaning, QuotedValue, ResolvedMarker};
use go::version::Version;
use ide::{File, PlaceOf};
use text::{TextBuffer, TextEdit, TextRange, TextSize};

use super::analysis::GoFile;
use super::cursor::{Cursor, MarkerPart, quoted};
use crate::generated_definitions::{GeneratedDefinitions, GoFileDefinitions, Node};

/// An expression or a path in a marker, and the scalar that is generated from it.
pub(super) struct Expression<'g> {
    pub(super) generated: &'g GeneratedDefinitions,
    pub(super) definitions: &'g GoFileDefinitions,
    place: PlaceOf,
    quoted: QuotedValue,
    /// The offset of the argument's value in the Go file.
    start: usize,
}

/// An argument of a marker that holds an expression or names fields.
pub(super) struct Argument {
    pub(super) marker: ResolvedMarker,
    pub(super) name: &'static str,
    /// Its key in the node that is generated from the marker; `None` for a key of a list, which is one of several.
    key: Option<&'static str>,
    pub(super) range: Range<usize>,
    pub(super) is_expression: bool,
}

/// The argument at the place, if it holds an expression or names fields.
pub(super) fn argument_at(cursor: &Cursor<'_>, version: Version) -> Option<Argument> {
    let MarkerPart::Value(known, name, range) = cursor.part(version)? else { return None };
    let (key, is_expression) = match (known.definition.meaning, name) {
        (Meaning::Validation, "rule" | "messageExpression") => (Some(name), true),
        (Meaning::Validation, "fieldPath") => (Some(name), false),
        (Meaning::PrintColumn | Meaning::SelectableField, "JSONPath") => (Some("jsonPath"), false),
        (Meaning::Scale, "specpath") => (Some("specReplicasPath"), false),
        (Meaning::Scale, "statuspath") => (Some("statusReplicasPath"), false),
        (Meaning::Scale, "selectorpath") => (Some("labelSelectorPath"), false),
        (Meaning::ListMapKey, "") => (None, false),
        _ => return None,
    };
    Some(Argument { marker: known, name, key, range, is_expression })
}

/// All arguments of a marker that hold expressions.
pub(super) fn arguments_of(cursor: &Cursor<'_>, version: Version) -> Vec<Argument> {
    let Some(known) =
        cursor.resolve_marker(version).filter(|known| known.definition.meaning == Meaning::Validation)
    else {
        return Vec::new();
    };
    let (marker, _) = go::marker::parse(cursor.text, known, version);
    let values = marker.arguments.into_iter();
    values
        .filter(|(name, _)| matches!(*name, "rule" | "messageExpression"))
        .map(|(name, value)| Argument {
            marker: known,
            name,
            key: Some(name),
            range: value.range,
            is_expression: true,
        })
        .collect()
}

impl<'g> Expression<'g> {
    /// The expression with the scalar that is generated from an argument in this file; `None` while the argument differs from
    /// the one of the last generation.
    pub(super) fn of(file: &'g GoFile, cursor: &Cursor<'_>, argument: &Argument) -> Option<Self> {
        file.all().find_map(|generated| Self::in_one(file, generated, cursor, argument))
    }

    /// The same, for one generation.
    pub(super) fn in_one(
        file: &GoFile,
        generated: &'g GeneratedDefinitions,
        cursor: &Cursor<'_>,
        argument: &Argument,
    ) -> Option<Self> {
        let quoted = quoted(cursor, &argument.range);
        let Node { file: made, place } = node_of(file, generated, cursor)?;
        let below = |key: &str| {
            let steps: Vec<&str> = place.steps.iter().map(String::as_str).chain([key]).collect();
            made.file.place_of(place.document, &steps)
        };
        let is_it = |place: &PlaceOf| place.scalar.as_ref().is_some_and(|scalar| scalar.text == quoted.text);
        let place = match argument.key {
            Some(key) => below(key).filter(is_it),
            None => (0..).map_while(|index| below(&index.to_string())).find(is_it),
        }?;
        Some(Self { generated, definitions: made, place, quoted, start: cursor.start + argument.range.start })
    }

    /// The offset in the generated text for an offset in the Go file.
    pub(super) fn to_made(&self, offset: TextSize) -> Option<TextSize> {
        let at = self.quoted.to_text((offset as usize).checked_sub(self.start)?)?;
        Some(self.place.scalar.as_ref()?.to_file(at))
    }

    /// The whole expression in the generated text.
    pub(super) fn range(&self) -> TextRange {
        self.place.value
    }

    /// The range in the Go file for a range of the expression in the generated text.
    pub(super) fn to_go(&self, range: TextRange) -> Option<TextRange> {
        let scalar = self.place.scalar.as_ref()?;
        let within = range.start.max(self.place.value.start)..range.end.min(self.place.value.end);
        if within.start > within.end {
            return None;
        }
        Some(self.of_text(scalar.to_text(TextRange::new(within.start, within.end))))
    }

    /// The whole expression in the Go file, within its quotes.
    pub(super) fn full_range(&self) -> TextRange {
        self.of_text(0..self.quoted.text.len())
    }

    fn of_text(&self, part: Range<usize>) -> TextRange {
        let written = self.quoted.range(part);
        let at = |at: usize| TextSize::try_from(self.start + at).unwrap_or(TextSize::MAX);
        TextRange::new(at(written.start), at(written.end))
    }

    /// A text, encoded for the marker.
    pub(super) fn encode(&self, text: &str) -> Option<String> {
        self.quoted.encode(text)
    }

    /// The generated definition with the expression as a block scalar, in which completions need no escapes. Returns the
    /// analysis, the offset in it, and the place that maps ranges back.
    pub(super) fn as_block(&self, offset: TextSize) -> Option<(File, TextSize, PlaceOf)> {
        let at = self.quoted.to_text((offset as usize).checked_sub(self.start)?)?;
        let indent = " ".repeat(200);
        let lines: Vec<String> = self.quoted.text.split('\n').map(|line| format!("{indent}{line}")).collect();
        let edit = TextEdit::replace(self.place.value, format!("|-\n{}", lines.join("\n")));
        let mut after: TextBuffer = self.definitions.buffer.clone();
        after.apply(&edit).ok()?;
        let slice = |range| after.slice(range).into_owned();
        let file = self.definitions.file.edited(&edit, &slice);
        let steps: Vec<&str> = self.place.steps.iter().map(String::as_str).collect();
        let place = file.place_of(self.place.document, &steps)?;
        let offset = place.scalar.as_ref().filter(|scalar| scalar.text == self.quoted.text)?.to_file(at);
        Some((file, offset, place))
    }

    /// The range in the Go file for a range in that block.
    pub(super) fn of_block(&self, place: &PlaceOf, range: TextRange) -> Option<TextRange> {
        Some(self.of_text(place.scalar.as_ref()?.to_text(range)))
    }
}

/// The node that is generated from a marker, if it is a separate node of the schema or definition, such as a rule or a column.
fn node_of<'g>(file: &GoFile, generated: &'g GeneratedDefinitions, cursor: &Cursor<'_>) -> Option<Node<'g>> {
    let nodes = nodes_of(file, generated, cursor);
    nodes.into_iter().find(|node| {
        let steps = node.place.steps.as_slice();
        let [.., list, last] = steps else { return false };
        let is_item =
            ["x-kubernetes-validations", "additionalPrinterColumns", "selectableFields"].contains(&&**list);
        is_item || ["scale", "x-kubernetes-list-map-keys"].contains(&&**last)
    })
}

/// The nodes that are generated from a marker, one for each definition.
pub(super) fn nodes_of<'g>(
    file: &GoFile,
    generated: &'g GeneratedDefinitions,
    cursor: &Cursor<'_>,
) -> Vec<Node<'g>> {
    let shift = file.shift(generated.outcome.sources());
    let start = TextSize::try_from(cursor.start).unwrap_or(TextSize::MAX);
    let start = shift.to_earlier(start);
    let is_it = |cause: &go::schema::Cause| {
        cause.place.span.start == start && generated.range_in(&file.path, cause.place).is_some()
    };
    generated.nodes(&is_it)
}
