//! The field of a rule at an offset.

use text::{TextRange, TextSize};
use yaml::{Document, Entry, Scalar, Tree, Value, ValueKind};

use crate::analysis::cel::line::Line;

/// The fields of a rule whose values an editor helps with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RuleField {
    Rule,
    MessageExpression,
    FieldPath,
    Reason,
}

/// The value of a field of a rule.
pub(crate) enum RuleFieldText<'t> {
    /// Nothing is written yet.
    Nothing,
    /// The text of a scalar.
    Scalar(Scalar<'t>),
    /// A plain expression that begins with `!`, which YAML reads as a tag.
    Tagged(Line),
}

/// A field of a rule.
pub(crate) struct RuleFieldPosition<'t> {
    pub(crate) document: Document<'t>,
    pub(crate) field: RuleField,
    /// The end of the colon, in bytes.
    pub(crate) behind_colon: TextSize,
    /// The mapping of the rule.
    pub(crate) rule: TextRange,
    /// The value.
    pub(crate) text: RuleFieldText<'t>,
    /// Whether the field is within brackets or braces.
    pub(crate) in_flow: bool,
    /// Whether the offset is on the key.
    pub(crate) on_key: bool,
}

/// Returns the field of a rule at `offset` (in bytes): on its key, in its value or on the blanks behind it.
pub(crate) fn find(tree: &Tree, offset: TextSize) -> Option<RuleFieldPosition<'_>> {
    let document = crate::analysis::text_at::document_at(tree, offset)?;
    position_in(document, rule_entry(document, offset)?, offset)
}

/// The entry of a field of a rule.
pub(crate) struct RuleEntry<'t> {
    pub(crate) field: RuleField,
    pub(crate) entry: Entry<'t>,
    /// The mapping of the rule.
    rule: TextRange,
    /// Whether the entry is within brackets or braces.
    pub(crate) in_flow: bool,
}

impl RuleEntry<'_> {
    /// Whether the value of the field is an expression.
    pub(crate) const fn is_expression(&self) -> bool {
        matches!(self.field, RuleField::Rule | RuleField::MessageExpression)
    }
}

/// Returns the last field of a rule that starts before `offset`. It descends in a loop.
pub(crate) fn rule_entry(document: Document<'_>, offset: TextSize) -> Option<RuleEntry<'_>> {
    let mut value = document.root()?;
    let mut in_flow = false;
    // Whether the loop is inside the list of rules.
    let mut around = false;
    loop {
        match value.kind() {
            ValueKind::Mapping(mapping) => {
                in_flow |= mapping.is_flow();
                let entry = mapping.entry_before(offset)?;
                if around && let Some(field) = rule_field(entry) {
                    return Some(RuleEntry { field, entry, rule: value.range(), in_flow });
                }
                if entry.key_range().touches(offset) {
                    return None;
                }
                around = entry.key_text().as_deref() == Some("x-kubernetes-validations");
                value = entry.value();
            }
            ValueKind::Sequence(sequence) => {
                in_flow |= sequence.is_flow();
                value = sequence.item_before(offset)?.value();
            }
            _ => return None,
        }
    }
}

fn rule_field(entry: Entry<'_>) -> Option<RuleField> {
    Some(match entry.key_text()?.as_ref() {
        "rule" => RuleField::Rule,
        "messageExpression" => RuleField::MessageExpression,
        "fieldPath" => RuleField::FieldPath,
        "reason" => RuleField::Reason,
        _ => return None,
    })
}

fn position_in<'t>(
    document: Document<'t>,
    RuleEntry { field, entry, rule, in_flow }: RuleEntry<'t>,
    offset: TextSize,
) -> Option<RuleFieldPosition<'t>> {
    let key = entry.key_range();
    let behind_colon = entry.colon()?.range().end;
    let on_key = key.touches(offset);
    let text = match entry.value().kind() {
        _ if let Some(line) = tagged(document, field, entry, in_flow) => RuleFieldText::Tagged(line),
        ValueKind::Scalar(scalar) => RuleFieldText::Scalar(scalar),
        ValueKind::Absent => RuleFieldText::Nothing,
        _ => return None,
    };
    let is_behind = match &text {
        RuleFieldText::Nothing => true,
        RuleFieldText::Scalar(_) => offset >= Value::range(entry.value()).start,
        RuleFieldText::Tagged(line) => offset >= line.range.start,
    };
    (on_key || is_behind && offset >= behind_colon).then_some(RuleFieldPosition {
        document,
        field,
        behind_colon,
        rule,
        text,
        in_flow,
        on_key,
    })
}

/// The expression that YAML reads as a tag, for the fields with expressions.
fn tagged(document: Document<'_>, field: RuleField, entry: Entry<'_>, in_flow: bool) -> Option<Line> {
    let is_expression = matches!(field, RuleField::Rule | RuleField::MessageExpression);
    if is_expression { Line::behind_tag(document, entry, in_flow) } else { None }
}
