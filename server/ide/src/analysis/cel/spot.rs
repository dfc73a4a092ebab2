//! The field of a rule that an offset lies in.

use text::{TextRange, TextSize};
use yaml::{Document, Entry, Scalar, Tree, Value, ValueKind};

/// The fields of a rule whose values an editor helps with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RuleField {
    Rule,
    MessageExpression,
    FieldPath,
    Reason,
}

/// A field of a rule.
pub(crate) struct Spot<'t> {
    pub(crate) document: Document<'t>,
    pub(crate) field: RuleField,
    /// Behind the colon, in bytes.
    pub(crate) behind_colon: TextSize,
    /// The mapping that the rule is.
    pub(crate) rule: TextRange,
    /// The value; none where nothing is written yet.
    pub(crate) scalar: Option<Scalar<'t>>,
    /// Whether it stands within brackets or braces.
    pub(crate) in_flow: bool,
    /// Whether the offset is on the key.
    pub(crate) on_key: bool,
}

/// The field of a rule at `offset` (in bytes): on its key, in its value or on the blanks behind it.
pub(crate) fn find(tree: &Tree, offset: TextSize) -> Option<Spot<'_>> {
    let document = crate::analysis::text_at::document_at(tree, offset)?;
    let (field, entry, rule, in_flow) = rule_entry(document, offset)?;
    spot(document, field, entry, rule, in_flow, offset)
}

/// The last field of a rule that starts before `offset`, with the range of the rule, and whether it stands in brackets.
/// Goes down in a loop.
pub(crate) fn rule_entry(
    document: Document<'_>,
    offset: TextSize,
) -> Option<(RuleField, Entry<'_>, TextRange, bool)> {
    let mut value = document.root()?;
    let mut in_flow = false;
    // Whether the list of rules is entered.
    let mut around = false;
    loop {
        match value.kind() {
            ValueKind::Mapping(mapping) => {
                in_flow |= mapping.is_flow();
                let entry = mapping.entry_before(offset)?;
                if around && let Some(field) = rule_field(entry) {
                    return Some((field, entry, value.range(), in_flow));
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

fn spot<'t>(
    document: Document<'t>,
    field: RuleField,
    entry: Entry<'t>,
    rule: TextRange,
    in_flow: bool,
    offset: TextSize,
) -> Option<Spot<'t>> {
    let key = entry.key_range();
    let behind_colon = entry.colon()?.range().end;
    let on_key = key.touches(offset);
    let scalar = match entry.value().kind() {
        ValueKind::Scalar(scalar) => Some(scalar),
        ValueKind::Absent => None,
        _ => return None,
    };
    let range = Value::range(entry.value());
    let is_in = on_key || scalar.is_none() || offset >= range.start;
    (is_in && (on_key || offset >= behind_colon)).then_some(Spot {
        document,
        field,
        behind_colon,
        rule,
        scalar,
        in_flow,
        on_key,
    })
}
